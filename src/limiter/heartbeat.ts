import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Cluster, Redis, Result } from 'ioredis'

const INTERVAL_MS = 1000
/** A replica that has been silent for this long is not counted any more. */
const GIVEN_UP_AFTER_MS = 3500
/** As many beats as it takes until every replica is known to a Redis that has come back empty. */
const BEATS_REMEMBERED = Math.ceil(GIVEN_UP_AFTER_MS / INTERVAL_MS)
const KEY = 'gatehouse:replicas'
/** What Redis answers when it decides but will not count. In any other trouble takes fail as well, and the limiter tells of it. */
const REFUSAL = /^(ERR|NOPERM|WRONGTYPE) /

export const heartbeatScript = {
  countReplica: { lua: readFileSync(new URL('../../lua/heartbeat.lua', import.meta.url), 'utf8'), numberOfKeys: 1 }
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** lua/heartbeat.lua: the set, the replica's id, ms until it is given up. The number of replicas comes back. */
    countReplica: (key: string, id: string, givenUpAfterMs: number) => Result<number, Context>
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
}

/**
 * Makes this replica one of those that Redis knows of.
 *
 * @returns after the first beat, or the first failure
 */
export async function startHeartbeat (redis: Redis | Cluster, { onReplicas = () => {}, onRefused = () => {} }: HeartbeatObserver = {}): Promise<Heartbeat> {
  const id = randomUUID()
  let counts: number[] = []
  let next: NodeJS.Timeout | undefined
  let closed = false
  let refused = false
  const replicas = (): number => Math.max(1, ...counts)

  async function beat (): Promise<void> {
    try {
      const count = await redis.countReplica(KEY, id, GIVEN_UP_AFTER_MS)
      counts = [count, ...counts].slice(0, BEATS_REMEMBERED)
      refused = false
    } catch (error) {
      // The last number holds.
      if (!refused && REFUSAL.test((error as Error).message)) {
        refused = true
        onRefused(error as Error)
      }
    }
    onReplicas(replicas())
    if (!closed) next = setTimeout(beat, INTERVAL_MS)
  }

  await beat()
  return {
    replicas,
    async close () {
      closed = true
      clearTimeout(next)
      await redis.zrem(KEY, id).catch(() => {})
    }
  }
}
