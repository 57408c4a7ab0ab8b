import type { Config } from '../../config/config.js'
import type { BucketStore } from '../../limiter/bucket/bucket.js'
import { limitsIn } from '../../limiter/limits/document.js'
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
    await use(store, { ...config, limits: (await limitsIn(redis, config.limits)).limits })
  })
}

/** What replicas report: see watch.ts of the limiter. */
export async function withBus (use: (bus: Bus) => Promise<unknown>): Promise<void> {
  await withRedis(async (redis, { redisUrl, redisTimeoutMs }) => {
    const subscriber = await openSubscriber(redisUrl!, redisTimeoutMs)
    const publish = (channel: string, message: string): Promise<unknown> =>
      redis.publish(channel, message).catch((error) => { throw unavailable(error) })
    try {
      await use({ publish, subscribe: subscriber.subscribe })
    } finally {
      subscriber.close()
    }
  })
}
