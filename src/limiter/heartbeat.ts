import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Cluster, Redis, Result } from 'ioredis'

const INTERVAL_MS = 1000
/** A replica that has been silent for this long is not counted any more. */
const GIVEN_UP_AFTER_MS = 3500
const KEY = 'gatehouse:replicas'

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
  /** How many replicas were alive when Redis last answered: during an outage, the number from before it. */
  replicas: () => number
  /** Leaves at once, so that the others need not wait until this one is given up. */
  close: () => Promise<void>
}

/** Makes this replica one of those that Redis knows of. @returns after the first beat, or the first failure */
export async function startHeartbeat (redis: Redis | Cluster): Promise<Heartbeat> {
  const id = randomUUID()
  let replicas = 1
  let next: NodeJS.Timeout | undefined
  let closed = false

  async function beat (): Promise<void> {
    try {
      replicas = await redis.countReplica(KEY, id, GIVEN_UP_AFTER_MS)
    } catch {
      // The limiter tells of a Redis that is gone; here the last number holds.
    }
    if (!closed) next = setTimeout(beat, INTERVAL_MS)
  }

  await beat()
  return {
    replicas: () => replicas,
    async close () {
      closed = true
      clearTimeout(next)
      await redis.zrem(KEY, id).catch(() => {})
    }
  }
}
