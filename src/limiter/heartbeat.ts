import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster, Redis, Result } from 'ioredis'
import type { OtherLimits } from './differing-limits.js'
import { trusted } from './redis-trust.js'
import { checkedReplicas } from './replies.js'

const INTERVAL_MS = 1000
/** A replica that has been silent for this long is not counted any more. */
const GIVEN_UP_AFTER_MS = 3500
/** As many beats as it takes until every replica is known to a Redis that has come back empty. */
const BEATS_REMEMBERED = Math.ceil(GIVEN_UP_AFTER_MS / INTERVAL_MS)
const KEY = 'gatehouse:replicas'
/** By then every other replica has beaten once more, and knows this one. */
const KNOWN_AFTER_MS = INTERVAL_MS + 200
/** What Redis answers when it decides but will not count. In any other trouble takes fail as well, and the limiter tells of it. */
const REFUSAL = /^(ERR|NOPERM|WRONGTYPE) /

export const heartbeatScript = {
  countReplica: { lua: readFileSync(new URL('../../lua/heartbeat.lua', import.meta.url), 'utf8'), numberOfKeys: 1 }
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** lua/heartbeat.lua: the set, the replica's name, ms until it is given up, the call's number. See `checkedReplicas`. */
    countReplica: (key: string, name: string, givenUpAfterMs: number, call: number) => Result<unknown, Context>
  }
}

export interface Heartbeat {
  /** How many replicas were alive when Redis last answered, at the most in a few seconds: during an outage, the number from before it. */
  replicas: () => number
  /** Leaves, so that the others count it for a few beats only. */
  close: () => Promise<void>
}

export interface HeartbeatObserver {
  /** Told after every beat how many replicas there are, as `Heartbeat.replicas` says. */
  onReplicas?: (count: number) => void
  /** Told that Redis will not count replicas, and why, once until it has counted. */
  onRefused?: (error: Error) => void
  /** Told of what is thrown and is no trouble of Redis: a defect. */
  onError?: (error: Error) => void
  /** What the others hold is learnt from their digests. */
  limits?: OtherLimits
}

/**
 * Makes this replica one of those that Redis knows of.
 *
 * @returns after the first beat, or the first failure; where others hold different limits, when they know of this one
 */
export async function startHeartbeat (redis: Redis | Cluster, { onReplicas = () => {}, onRefused = () => {}, onError = () => {}, limits }: HeartbeatObserver = {}): Promise<Heartbeat> {
  const name = limits ? `${randomUUID()}:${limits.digest}` : randomUUID()
  let counts: number[] = []
  let next: NodeJS.Timeout | undefined
  let closed = false
  let refused = false
  let calls = 0
  const replicas = (): number => Math.max(1, ...counts)

  async function beat (): Promise<void> {
    try {
      const call = ++calls
      const reply = redis.countReplica(KEY, name, GIVEN_UP_AFTER_MS, call)
      const { count, digests } = await trusted(redis, KEY, reply, reply => checkedReplicas(reply, call, limits?.digest ?? ''))
      counts = [count, ...counts].slice(0, BEATS_REMEMBERED)
      refused = false
      await limits?.learn(digests)
    } catch (error) {
      // The last number holds.
      if (!REFUSAL.test((error as Error).message)) return
      limits?.doubt()
      if (!refused) onRefused(error as Error)
      refused = true
    } finally {
      if (!closed) next = setTimeout(() => { beat().catch(onError) }, INTERVAL_MS)
      onReplicas(replicas())
    }
  }

  await beat()
  if (limits?.differ()) await sleep(KNOWN_AFTER_MS)
  return {
    replicas,
    async close () {
      closed = true
      clearTimeout(next)
      await redis.zrem(KEY, name).catch(() => {})
    }
  }
}
