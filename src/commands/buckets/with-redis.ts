import type { Cluster, Redis } from 'ioredis'
import type { Config } from '../../config/config.js'
import { StoreUnavailable, type BucketStore } from '../../limiter/bucket/bucket.js'
import { limitsIn } from '../../limiter/limits/document.js'
import type { Limits } from '../../limiter/limits/policies.js'
import { LimitsError } from '../../limiter/limits/schema.js'
import { unavailable } from '../../limiter/redis/replies.js'
import { createRedisStore } from '../../limiter/redis/redis-store.js'
import { openSubscriber } from '../../limiter/redis/announcements.js'
import type { Bus } from '../../limiter/fleet/watch.js'
import { PATIENCE, withRedis } from '../redis.js'

export async function withStore (
  use: (store: BucketStore, config: Config) => Promise<unknown>
): Promise<void> {
  await withRedis(async (redis, config) => {
    const store = createRedisStore(redis, { deadlineMs: PATIENCE * config.redisTimeoutMs })
    await use(store, { ...config, limits: await limitsInForce(redis, config) })
  })
}

/**
 * If what was set at run time cannot be read, the limits are without it. Replicas keep their last valid limits then.
 */
async function limitsInForce (redis: Redis | Cluster, { limits }: Config): Promise<Limits> {
  try {
    return (await limitsIn(redis, limits)).limits
  } catch (error) {
    const reason = reasonToGoOn(error as Error)
    if (!reason) throw error
    noticeOnce('limits that were changed while the service runs are left out, and those of LIMITS_FILE and the ' +
      `defaults are used: ${reason}`)
    return limits
  }
}

/** @returns what is wrong, and what to do, if only the limits are affected; undefined for any other failure */
function reasonToGoOn (error: Error): string | undefined {
  if (error instanceof LimitsError) return error.faults[0]
  if (!(error instanceof StoreUnavailable)) return undefined
  if (error.reason === 'NOPERM') return 'Redis\'s user may not read them. See "Redis rights" in docs/reference.md'
  return error.reason === 'WRONGTYPE' ? 'gatehouse:limits is no text. DEL it: a replica puts them back' : undefined
}

const noticed = new Set<string>()

/** A command may connect twice. */
function noticeOnce (text: string): void {
  if (!noticed.has(text)) process.stderr.write(`gatehouse: ${text}\n`)
  noticed.add(text)
}

/** What replicas report: see watch.ts of the limiter. */
export async function withBus (use: (bus: Bus) => Promise<unknown>): Promise<void> {
  await withRedis(async (redis, { redisUrl, redisTimeoutMs }) => {
    const subscriber = await openSubscriber(redisUrl!, redisTimeoutMs)
    const publish = (channel: string, message: string): Promise<unknown> =>
      redis.publish(channel, message).catch((error) => { throw unavailable(error) })
    try {
      await use({ publish, hear: subscriber.hear })
    } finally {
      subscriber.close()
    }
  })
}
