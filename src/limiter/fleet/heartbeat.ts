import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Cluster, type Redis, type Result } from 'ioredis'
import { StoreUnavailable } from '../bucket/bucket.js'
import type { OtherLimits } from '../layers/differing-limits.js'
import { unavailable } from '../redis/failures.js'
import { DEADLINE_MS } from '../redis/redis-store.js'
import { trusted } from '../redis/redis-trust.js'
import { checkedReplicas } from '../redis/replies.js'

const INTERVAL_MS = 1000
/** Between heartbeats while the replicas learn of new limits. */
const SETTLING_MS = 50
/** A replica that has been silent for this long is not counted any more. */
export const GIVEN_UP_AFTER_MS = 3500
/** After this many beats, a Redis that came back empty knows every replica again. */
const BEATS_REMEMBERED = Math.ceil(GIVEN_UP_AFTER_MS / INTERVAL_MS)
export const KEY = 'gatehouse:replicas'
/**
 * After this time every other replica has sent a heartbeat and knows this one. A replica that has not sent one repairs
 * no buckets: see `LEARNT_MS`.
 */
export const KNOWN_AFTER_MS = INTERVAL_MS + 200
/** A Redis that answers takes but no heartbeats is used after this many attempts. */
const MAX_FAILED_JOINS = 10
/**
 * What Redis answers when it decides takes but refuses to count replicas. In any other failure takes fail as well, and
 * the limiter reports that.
 */
const REFUSAL = /^(ERR|NOPERM|WRONGTYPE) /

const UNKNOWN = 'Redis is not used yet: other replicas hold different limits, and do not know those of this one yet'

export const heartbeatScript = {
  countReplica: { lua: readFileSync(new URL(import.meta.resolve('#lua/heartbeat.lua')), 'utf8'), numberOfKeys: 1 }
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /**
     * lua/heartbeat.lua: the set, the replica's name, ms until it is given up, the call's number. See
     * `checkedReplicas`.
     */
    countReplica: (key: string, name: string, givenUpAfterMs: number, call: number) => Result<unknown, Context>
  }
}

export interface Heartbeat {
  /**
   * The largest number of replicas that were alive in the last few seconds in which Redis answered. During an outage it
   * is the number from before the outage.
   */
  replicas: () => number
  /**
   * Why this replica must not take from Redis; undefined if it may. It knows the limits of the others only after a
   * heartbeat. Until the others know its limits, they would repair the buckets that it writes.
   */
  absence: () => StoreUnavailable | undefined
  /**
   * Ends an absence: sends a heartbeat at once, unless one has just succeeded.
   *
   * @param countsHere false for a node of a cluster that does not count replicas: it need not wait if the counting node
   * fails
   * @returns how many ms it takes until every other replica knows of this one; 0 if none holds different limits
   * @throws {StoreUnavailable} the heartbeat failed
   */
  join: (countsHere?: boolean) => Promise<number>
  /**
   * What a take has to wait for; mostly undefined. While the process was stalled, others may have changed their limits.
   * This replica would then read refills that never happened, so the take waits for the next heartbeat.
   *
   * @returns a promise that never rejects, and resolves after `patienceMs` at the latest
   */
  caughtUp: () => Promise<void> | undefined
  /**
   * Sends heartbeats until every replica has announced this version of the limits, but for no longer than others need
   * to learn of this replica.
   */
  known: (version: number) => Promise<void>
  /** Removes this replica from the count. The others still count it for a few beats. */
  close: () => Promise<void>
}

export interface HeartbeatObserver {
  /** Called after every beat with how many replicas there are, as `Heartbeat.replicas` says. */
  onReplicas?: (count: number) => void
  /** Called with the reason when Redis refuses to count replicas, once until it counts again. */
  onRefused?: (error: Error) => void
  /** Called with an error that is not a failure of Redis: a defect. */
  onError?: (error: Error) => void
  /** Learns the limits of the others from their tags. */
  limits?: OtherLimits
  /** The replica's name, without its tag. */
  id?: string
  /** How long a take waits for a heartbeat. */
  patienceMs?: number
  /** Called when a heartbeat is sent. Commands that are sent in the same turn travel with it. */
  onBeat?: () => void
}

/**
 * Registers this replica in Redis.
 *
 * @returns after the first beat or the first failure. If others hold different limits, it returns when they know of
 * this replica
 */
export async function startHeartbeat (
  redis: Redis | Cluster,
  {
    onReplicas = () => {}, onRefused = () => {}, onError = () => {}, limits, id = randomUUID(), onBeat = () => {},
    patienceMs = DEADLINE_MS
  }: HeartbeatObserver = {}
): Promise<Heartbeat> {
  const nameNow = (): string => limits ? `${id}@${limits.tag}` : id
  let counts: number[] = []
  let next: NodeJS.Timeout | undefined
  let closed = false
  let refused = false
  let calls = 0
  let beating: Promise<void> | undefined
  /** When the last heartbeat that succeeded was sent. */
  let countedAtMs = -Infinity
  /** The instant from which every other replica knows of this one. It may be in the future. */
  let knownAtMs = Infinity
  let failure: Error | undefined = new Error('no heartbeat yet')
  let failedJoins = 0
  let catchingUp: Promise<void> | undefined
  /** A heartbeat that was too slow, so that no take waits for it. */
  let late: Promise<void> | undefined
  const replicas = (): number => Math.max(1, ...counts)

  async function count (): Promise<void> {
    const sentAtMs = performance.now()
    const name = nameNow()
    try {
      const call = ++calls
      const reply = redis.countReplica(KEY, name, GIVEN_UP_AFTER_MS, call)
      onBeat()
      const { count, tags } = await trusted(redis, KEY, reply, reply =>
        checkedReplicas(reply, call, name.slice(id.length + 1)))
      counts = [count, ...counts].slice(0, BEATS_REMEMBERED)
      refused = false
      await limits?.learn(tags, sentAtMs)
      // After an outage, Redis may have lost this replica or given it up. New replicas do not know it then.
      if (failure || sentAtMs - countedAtMs > GIVEN_UP_AFTER_MS) {
        knownAtMs = performance.now() + (limits?.differ() ? KNOWN_AFTER_MS : 0)
      }
      countedAtMs = sentAtMs
      failure = undefined
      failedJoins = 0
    } catch (error) {
      // The last count of replicas stays valid.
      failure = error as Error
      if (REFUSAL.test(failure.message)) goOnUncounted(failure)
      // In a cluster, the nodes that do not count replicas can still be used.
      else if (!refused && !(redis instanceof Cluster)) knownAtMs = Infinity
    }
  }

  /** Uses Redis without a heartbeat. Others may hold any limits then, so this replica repairs no buckets. */
  function goOnUncounted (reason: Error): void {
    limits?.doubt()
    knownAtMs = -Infinity
    if (!refused) onRefused(reason)
    refused = true
  }

  function beat (): Promise<void> {
    clearTimeout(next)
    return (beating ??= count().finally(() => {
      beating = undefined
      if (!closed) next = setTimeout(() => { beat().catch(onError) }, INTERVAL_MS)
      onReplicas(replicas())
    }))
  }

  const isBehind = (): boolean => performance.now() - countedAtMs > KNOWN_AFTER_MS && !failure && !closed

  /** Beats until a reply is recent: a heartbeat that was sent before the process stalled brings outdated limits. */
  async function catchUp (): Promise<void> {
    const timeUp = sleep(patienceMs, 'late' as const, { ref: false })
    while (isBehind()) {
      const next = beat()
      if (await Promise.race([next, timeUp]) !== 'late') continue
      late = next
      return
    }
  }

  /** Beats at once after a reconnect, so that the next take need not wait for a heartbeat. */
  const beatOnceConnected = (): void => { beat().catch(onError) }

  await beat()
  redis.on('ready', beatOnceConnected)
  if (knownAtMs > performance.now() && knownAtMs < Infinity) await sleep(knownAtMs - performance.now())
  return {
    replicas,

    absence () {
      if (knownAtMs <= performance.now()) return undefined
      return failure ? unavailable(failure) : new StoreUnavailable(UNKNOWN, { reason: 'not_known' })
    },

    caughtUp () {
      if (!isBehind() || (beating && beating === late)) return undefined
      return (catchingUp ??= catchUp().catch(onError).finally(() => { catchingUp = undefined }))
    },

    async join (countsHere = true) {
      if (failure || performance.now() - countedAtMs > INTERVAL_MS) await beat()
      if (failure && !refused) {
        if (countsHere && ++failedJoins < MAX_FAILED_JOINS) throw unavailable(failure)
        goOnUncounted(failure)
      }
      return Math.max(0, knownAtMs - performance.now())
    },

    async known (version) {
      const untilMs = performance.now() + KNOWN_AFTER_MS
      for (;;) {
        if (closed) return
        await beat()
        if (!limits || limits.allKnow(version) || performance.now() > untilMs) return
        await sleep(SETTLING_MS)
      }
    },

    async close () {
      closed = true
      redis.off('ready', beatOnceConnected)
      clearTimeout(next)
      await redis.zrem(KEY, nameNow()).catch(() => {})
    }
  }
}
