import type { Cluster, Redis } from 'ioredis'
import { KEY as REPLICAS_KEY } from './heartbeat.js'
import { trusted } from '../redis/redis-trust.js'
import { checkedNames, checkedOk, checkedText } from '../redis/replies.js'

/*
 * What replicas report about themselves, for operators. It is a JSON text in `gatehouse:replica:<name>` that is sent
 * with heartbeats and expires like them. No replica depends on it.
 */

const KEY = 'gatehouse:replica:'
const INTERVAL_MS = 900
/** Texts of more characters are neither written nor read. Further replicas are not read. */
const MAX_LENGTH = 16_000
const MAX_REPLICAS = 1000
/** Redis is available, but refuses to store the text, for example because its user lacks a right. */
const REFUSAL = /^(ERR|NOPERM|WRONGTYPE) /

/**
 * As in lua/heartbeat.lua: a name, the version in force, the announced version, and the digest of the announced one.
 */
const MEMBER = /^([^@:]*)(?:@(\d{1,15}),\d{1,15})?(?::(.*))?$/s

/** What a replica reports about itself. Another release may leave out some members, and add others. */
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
  /** How many takes it has decided since its start, for each policy that was used. */
  decisions?: Decisions
}

/** `shadowRefused` counts what a policy in shadow mode would have refused. It is left out if there is none. */
export type Decisions = Record<string, { admitted: number, refused: number, shadowRefused?: number }>

/** The same, with what the store adds when it writes the text. */
export interface Described extends ReplicaSelf {
  /** By the replica's clock. */
  at: string
  /** Whether every node of Redis is available to it. */
  redisAvailable: boolean
}

/**
 * A replica that is alive, the digest of its limits, and the version of the limits that were changed at run time. For a
 * replica of an older release, or without the right to write its text, nothing else is known.
 */
export type Replica = { name: string, limits: string, limitsVersion?: number } & Partial<Described>

/**
 * @param describe returns what to write
 * @param leaseMs how long the text is kept
 * @param onRefused called when Redis refuses to store it, once until Redis accepts it again
 * @returns a function that writes it, unless it was written less than `INTERVAL_MS` ago. Call it with every heartbeat
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
      // Heartbeats and takes report any other failure.
      if (refused || !REFUSAL.test((error as Error).message)) return
      refused = true
      onRefused(error as Error)
    })
  }
}

/** The replicas that are alive, in the order of their names, with what they report about themselves. */
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

/**
 * Leaves out members that this release would not write: another release, or any client of Redis, may have written them.
 */
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
