import type { Cluster, Redis } from 'ioredis'
import { KEY as REPLICAS_KEY } from './heartbeat.js'
import { trusted } from './redis-trust.js'
import { checkedNames, checkedOk, checkedText } from './replies.js'

/*
 * What replicas say of themselves, for operators: a JSON text in `gatehouse:replica:<name>`, which goes with every
 * heartbeat and expires with it. No replica depends on it.
 */

const KEY = 'gatehouse:replica:'
const INTERVAL_MS = 900
/** More characters are neither written nor read, nor are more replicas. */
const MAX_LENGTH = 16_000
const MAX_REPLICAS = 1000
/** Redis is available, but does not keep what a replica says: its user lacks a right. */
const REFUSAL = /^(ERR|NOPERM|WRONGTYPE) /

/** As in lua/heartbeat.lua: a name, the version it holds, the version it has announced, and the digest of that. */
const MEMBER = /^([^@:]*)(?:@(\d{1,15}),\d{1,15})?(?::(.*))?$/s

/** What a replica says of itself. Another release may leave out what it does not know, and add more. */
export interface ReplicaSelf {
  version: string
  host: string
  pid: number
  /** ISO 8601, by the replica's clock. */
  startedAt: string
  /** LIMITER_ON_REDIS_FAILURE. */
  onRedisFailure: string
  /** The last run of the canary; undefined until the first has ended. */
  canary?: { ok: boolean, at: string, by?: string, reason?: string }
  /** A private address from which nearly all requests come: perhaps a proxy that is taken for the client. */
  proxySuspected?: string
  /** How many takes it has decided since its start, by policy; of those that anybody has taken from. */
  decisions?: Decisions
}

/** What a policy in shadow mode would have refused is left out where there is none. */
export type Decisions = Record<string, { admitted: number, refused: number, shadowRefused?: number }>

/** With what the store adds as it writes. */
export interface Described extends ReplicaSelf {
  /** By the replica's clock. */
  at: string
  /** Whether every node of Redis is available to it. */
  redisAvailable: boolean
}

/**
 * A replica that is alive, the digest of its limits, and the version of those that were changed at run time. Of an
 * older release, or without the right, nothing else.
 */
export type Replica = { name: string, limits: string, limitsVersion?: number } & Partial<Described>

/**
 * @param describe gives what to write
 * @param leaseMs how long it is kept
 * @param onRefused called when Redis refuses to keep it, once until it has
 * @returns writes it, if it was not written within the last second; to be called with every heartbeat
 */
export function describeReplica (
  redis: Redis | Cluster, name: string, leaseMs: number, describe: () => Partial<Described>,
  onRefused: (error: Error) => void
): () => void {
  const key = KEY + name
  let writtenAtMs = -Infinity
  let refused = false
  return () => {
    const nowMs = performance.now()
    if (nowMs - writtenAtMs < INTERVAL_MS) return
    writtenAtMs = nowMs
    const said = describe()
    const whole = JSON.stringify(said)
    // With hundreds of policies, the decisions are left out.
    const text = whole.length > MAX_LENGTH ? JSON.stringify({ ...said, decisions: undefined }) : whole
    if (text.length > MAX_LENGTH) return
    trusted(redis, key, redis.set(key, text, 'PX', leaseMs), checkedOk).then(() => { refused = false }, (error) => {
      // Of any other failure, heartbeats and takes report.
      if (refused || !REFUSAL.test((error as Error).message)) return
      refused = true
      onRefused(error as Error)
    })
  }
}

/** The replicas that are alive, in the order of their names, with what they say of themselves. */
export async function listReplicas (redis: Redis | Cluster): Promise<Replica[]> {
  const reply = redis.zrange(REPLICAS_KEY, 0, String(MAX_REPLICAS - 1))
  const members = await trusted(redis, REPLICAS_KEY, reply, checkedNames)
  return await Promise.all(members.sort().map(async (member) => {
    const [, name = '', version, limits = ''] = MEMBER.exec(member) ?? [undefined, member]
    const key = KEY + name
    const said = parse(await trusted(redis, key, redis.get(key), checkedText))
    return { ...said, name, limits, ...version !== undefined && { limitsVersion: Number(version) } }
  }))
}

/** What is not as this release writes it is left out: it may be another release's, or anybody's. */
function parse (text: string | undefined): Partial<Described> {
  if (text === undefined || text.length > MAX_LENGTH) return {}
  let said: unknown
  try {
    said = JSON.parse(text)
  } catch {
    return {}
  }
  if (typeof said !== 'object' || said === null) return {}
  const known = said as Record<string, unknown>
  return Object.fromEntries(Object.entries(fields).filter(([name, isValid]) => isValid(known[name]))
    .map(([name]) => [name, known[name]]))
}

const isText = (value: unknown): value is string => typeof value === 'string' && !/[\p{Cc}]/u.test(value)
const isTime = (value: unknown): boolean => isText(value) && !Number.isNaN(Date.parse(value))

const fields: Record<keyof Described, (value: unknown) => boolean> = {
  version: isText,
  host: isText,
  pid: Number.isSafeInteger,
  startedAt: isTime,
  at: isTime,
  onRedisFailure: isText,
  redisAvailable: value => typeof value === 'boolean',
  canary: isCanary,
  proxySuspected: isText,
  decisions: areDecisions
}

function areDecisions (value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value as Record<string, Record<string, unknown> | null>).every(counts =>
    [counts?.admitted, counts?.refused, counts?.shadowRefused ?? 0].every(Number.isSafeInteger))
}

function isCanary (value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { ok, at, by, reason } = value as Record<string, unknown>
  return typeof ok === 'boolean' && isTime(at) && [by, reason].every(text => text === undefined || isText(text))
}
