import type { Cluster, Redis } from 'ioredis'

/*
 * What ended before its time: the tokens of a user, a session, or one of the console. Names are in a sorted set,
 * scored with when they were added. It tells a replica that has lost PostgreSQL, which stays the truth about tokens.
 */

const KEY = 'gatehouse:ended'
/** Longer than a token lives, or a session of the console. Other sessions are renewed in PostgreSQL alone. */
const KEPT_MS = 12 * 3_600_000

/** A whole school may be revoked at once, and other commands must not wait for long. */
const MOST_AT_ONCE = 1000

export interface Ended {
  /** @throws if Redis does not answer */
  add: (names: readonly string[]) => Promise<void>
  /** Names that were added since a time, in ms since 1970 by the clock that added them. @throws like `add` */
  since: (ms: number) => Promise<string[]>
}

export function endedInRedis (redis: Redis | Cluster): Ended {
  return {
    async add (names) {
      const nowMs = Date.now()
      for (let i = 0; i < names.length; i += MOST_AT_ONCE) {
        await redis.zadd(KEY, ...names.slice(i, i + MOST_AT_ONCE).flatMap(name => [nowMs, name]))
      }
      await redis.zremrangebyscore(KEY, '-inf', nowMs - KEPT_MS)
      await redis.pexpire(KEY, KEPT_MS)
    },
    since: async ms => await redis.zrange(KEY, ms, '+inf', 'BYSCORE')
  }
}

/** Without a Redis there is one replica. */
export function endedInMemory (): Ended {
  const endedAt = new Map<string, number>()
  return {
    async add (names) {
      const nowMs = Date.now()
      for (const [name, atMs] of endedAt) if (atMs < nowMs - KEPT_MS) endedAt.delete(name)
      for (const name of names) endedAt.set(name, nowMs)
    },
    since: async ms => [...endedAt].filter(([, atMs]) => atMs >= ms).map(([name]) => name)
  }
}
