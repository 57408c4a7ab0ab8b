import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Cluster, Redis, Result } from 'ioredis'
import { StoreUnavailable } from '../bucket/bucket.js'
import { unavailable } from '../redis/failures.js'
import { RESET_CHANNEL } from '../redis/redis-store.js'
import { trusted } from '../redis/redis-trust.js'
import { checkedChange, checkedFields, checkedTime } from '../redis/replies.js'

/*
 * Limits that are changed while the replicas run are in one hash in Redis. It has a field for each overridden policy,
 * the version, and the last changes. Names of policies have no colon, so they never collide with `:version` or `:17`.
 */

export const KEY = 'gatehouse:limits'
const VERSION = ':version'
/** How many changes the history keeps. */
export const MAX_HISTORY = 100
/** The message after a change, on the channel of resets, so that one subscription receives both. */
export const LIMITS_CHANGED = 'limits'

/**
 * A larger hash is not read. A hundred changes of the longest document are 2 MB, and a reply of 16 MB would end the
 * connection.
 */
const MAX_BYTES = 8 * 1024 * 1024
const MAX_FIELDS = 2000

export const limitsScript = {
  readLimits: { lua: readFileSync(new URL(import.meta.resolve('#lua/read-limits.lua')), 'utf8'), numberOfKeys: 1 },
  changeLimits: { lua: readFileSync(new URL(import.meta.resolve('#lua/change-limits.lua')), 'utf8'), numberOfKeys: 1 }
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** lua/read-limits.lua: the hash, the maximum of bytes and of fields, the known version. See `checkedFields`. */
    readLimits: (key: string, bytes: number, fields: number, ...known: string[]) => Result<unknown, Context>
    /** lua/change-limits.lua: the hash, the version that was read, fields and their new values. See `checkedChange`. */
    changeLimits: (key: string, ...args: string[]) => Result<unknown, Context>
  }
}

/** One change in the history. */
export interface Change {
  version: number
  /** ISO 8601, by Redis's clock. */
  at: string
  by: string
  why?: string
  /** The edit, in the words of the command. */
  what: string
  /** The tag of the state after this change. */
  tag?: string
  /** The documents of the changed policies before this change; null if there was none. */
  before: Record<string, string | null>
}

/** The hash as it was read. */
export interface LimitsState {
  /** 0 if nothing was ever set. */
  version: number
  /** The version and random digits: two changes with the same version differ in them. Empty if nothing was ever set. */
  tag: string
  /** The document of each policy that is overridden. */
  fields: ReadonlyMap<string, string>
  /** The newest first. */
  history: readonly Change[]
  /** The whole hash, for writing it back. */
  hash: Readonly<Record<string, string>>
}

/**
 * Whether a state descends from the one with this tag. If not, changes were lost, for example because Redis was
 * restored from a backup.
 */
export const isBuiltOn = ({ tag, history }: LimitsState, former: string): boolean =>
  tag === former || history.some(change => change.tag === former)

export const noState: LimitsState = { version: 0, tag: '', fields: new Map(), history: [], hash: {} }

/** @throws {StoreUnavailable} */
export async function readState (redis: Redis | Cluster): Promise<LimitsState> {
  return stateOf(await readHash(redis) ?? {})
}

/**
 * @returns undefined if the state still has this tag
 * @throws {StoreUnavailable}
 */
export async function readOther (redis: Redis | Cluster, tag: string): Promise<LimitsState | undefined> {
  const hash = await readHash(redis, tag)
  return hash && stateOf(hash)
}

async function readHash (redis: Redis | Cluster, ...known: string[]): Promise<Record<string, string> | undefined> {
  return await asked(redis, redis.readLimits(KEY, MAX_BYTES, MAX_FIELDS, ...known), checkedFields)
}

/** Failures of Redis become `StoreUnavailable`. All other errors are defects. */
async function asked<T> (redis: Redis | Cluster, reply: Promise<unknown>, check: (reply: unknown) => T): Promise<T> {
  try {
    return await trusted(redis, KEY, reply, check)
  } catch (cause) {
    throw unavailable(cause)
  }
}

function stateOf (hash: Record<string, string>): LimitsState {
  const tag = hash[VERSION] ?? ''
  const entries = Object.entries(hash)
  return {
    version: versionOf(tag, hash),
    tag,
    fields: new Map(entries.filter(([name]) => !name.includes(':'))),
    history: entries.flatMap(([name, text]) => readChange(name, text)).sort((a, b) => b.version - a.version),
    hash
  }
}

/**
 * No deployment makes this many changes. A larger version is believed only if the history has the change that made it.
 */
const PLAUSIBLE = 1_000_000

/** 0 for a tag that no replica can have written. The state is then overwritten. */
function versionOf (tag: string, hash: Record<string, string>): number {
  const version = Number(/^(\d{1,15})-[0-9a-f]{8}$/.exec(tag)?.[1] ?? 0)
  return version <= PLAUSIBLE || Object.hasOwn(hash, `:${version}`) ? version : 0
}

function readChange (name: string, text: string): Change[] {
  const version = Number(/^:(\d{1,15})$/.exec(name)?.[1])
  if (Number.isNaN(version)) return []
  try {
    const { at, by, why, what, tag, before } = JSON.parse(text) as Change
    if (typeof before !== 'object' || before === null) return []
    const optional = { ...why !== undefined && { why: String(why) }, ...tag !== undefined && { tag: String(tag) } }
    return [{ version, at: String(at), by: String(by), what: String(what), ...optional, before }]
  } catch {
    return []
  }
}

/**
 * Writes a change that is based on this state, and announces it.
 *
 * @param fields new documents, by policy; undefined for none
 * @returns the version and the tag, or undefined if someone else was faster
 * @throws {StoreUnavailable} with `mayHaveCounted` if it is unknown whether the change was written
 */
export async function writeChange (
  redis: Redis | Cluster, { version: former, tag: formerTag, hash, fields: documents }: LimitsState,
  fields: ReadonlyMap<string, string | undefined>, change: Pick<Change, 'by' | 'why' | 'what'>
): Promise<Pick<LimitsState, 'version' | 'tag'> | undefined> {
  const version = former + 1
  const tag = `${version}-${randomBytes(4).toString('hex')}`
  const before = Object.fromEntries([...fields.keys()].map(name => [name, documents.get(name) ?? null]))
  const at = new Date(await asked(redis, redis.time(), checkedTime)).toISOString()
  const outdated = Object.keys(hash).filter(name => Number(/^:(\d+)$/.exec(name)?.[1]) <= version - MAX_HISTORY)
  const changed = await writeSurely(redis, formerTag, tag, [
    ...[...fields].map(([name, text]): [string, string] => [name, text ?? '']),
    ...outdated.map((name): [string, string] => [name, '']),
    [`:${version}`, JSON.stringify({ at, ...change, tag, before })],
    [VERSION, tag]
  ])
  return changed ? { version, tag } : undefined
}

/** A lost connection is restored within this time. */
const PATIENCE_MS = 2000
const PAUSE_MS = 100

/**
 * Writes a change, and retries if the reply was lost. The write is idempotent, because it names the state that it is
 * based on.
 *
 * @param tag the tag of the state after the change
 */
async function writeSurely (
  redis: Redis | Cluster, formerTag: string, tag: string, fields: Array<[string, string]>
): Promise<boolean> {
  const untilMs = performance.now() + PATIENCE_MS
  let lost: StoreUnavailable | undefined
  for (;;) {
    try {
      return await write(redis, formerTag, fields) || (lost !== undefined && isBuiltOn(await readState(redis), tag))
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      if (error.mayHaveCounted) lost ??= error
      if (!lost) throw error
      if (performance.now() > untilMs) throw lost
    }
    await setTimeout(PAUSE_MS)
  }
}

/**
 * Overwrites an older state with this one, for example after Redis lost changes.
 *
 * @returns whether it was written; false if someone else was faster
 * @throws {StoreUnavailable}
 */
export async function writeBack (
  redis: Redis | Cluster, { tag, hash: older }: LimitsState, { hash }: LimitsState
): Promise<boolean> {
  const removed = Object.keys(older).filter(name => !Object.hasOwn(hash, name))
  return await write(redis, tag, [...removed.map((name): [string, string] => [name, '']), ...Object.entries(hash)])
}

async function write (redis: Redis | Cluster, tag: string, fields: Array<[string, string]>): Promise<boolean> {
  const changed = await asked(redis, redis.changeLimits(KEY, tag, ...fields.flat()), checkedChange)
  // A replica that misses this message reads the version with its next heartbeat.
  if (changed) await redis.publish(RESET_CHANNEL, LIMITS_CHANGED).catch(() => {})
  return changed
}
