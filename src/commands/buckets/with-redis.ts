import { randomUUID } from 'node:crypto'
import type { Cluster, Redis } from 'ioredis'
import { count } from '../../base/text.js'
import type { Config } from '../../config/config.js'
import { StoreUnavailable, type BucketStore, type Policy } from '../../limiter/bucket/bucket.js'
import { bucketOf } from '../../limiter/bucket/key.js'
import { listReplicas } from '../../limiter/fleet/replicas.js'
import { limitsIn } from '../../limiter/limits/document.js'
import { unavailable } from '../../limiter/redis/replies.js'
import { createRedisStore } from '../../limiter/redis/redis-store.js'
import { openSubscriber, publish } from '../../limiter/redis/announcements.js'
import type { Bus } from '../../limiter/fleet/watch.js'
import { PATIENCE, withRedis } from '../redis.js'

export async function withStore (
  use: (store: BucketStore, config: Config) => Promise<unknown>
): Promise<void> {
  await withRedis(async (redis, config) => {
    const store = createRedisStore(redis, { deadlineMs: PATIENCE * config.redisTimeoutMs })
    await warnOfOutage(redis, store)
    await use(store, { ...config, limits: (await limitsIn(redis, config.limits)).limits })
  }, `. ${ASK}`)
}

const ASK = 'Replicas decide by themselves now, each with its share. Ask one on its operations listener: ' +
  'curl -H "Authorization: Bearer $OPS_TOKEN" http://127.0.0.1:9464/buckets/ADDRESS'

const UNHEARD = 'Limits work as usual. Nobody can watch, and a reset may take a minute'

/** A bucket that belongs to no client and expires after a second. */
const PROBE: Policy = { name: 'doctor', capacity: 100, refill: 100, periodMs: 1000 }

/** What is in Redis is an old picture while replicas cannot use it, or while it takes no writes. */
async function warnOfOutage (redis: Redis | Cluster, store: BucketStore): Promise<void> {
  const [replicas, refusal] = await Promise.all([
    listReplicas(redis).catch((error) => { throw unavailable(error) }),
    store.take(bucketOf(PROBE, randomUUID())).then(() => undefined, (error: StoreUnavailable) => error.reason)
  ])
  const without = replicas.filter(({ states }) => states?.redis.value === 'does not decide').length
  const why = without > 0
    ? `it is unavailable to ${without} of ${count(replicas.length, 'replica')}`
    // Who runs this may have fewer rights than the service.
    : refusal !== undefined && refusal !== 'NOPERM' && `it refuses a take (${refusal})`
  if (!why) return
  process.stderr.write(`gatehouse: Redis does not decide now: ${why}. What follows is an old picture.\n${ASK}\n`)
}

/** What replicas report: see watch.ts of the limiter. */
export async function withBus (use: (bus: Bus) => Promise<unknown>): Promise<void> {
  await withRedis(async (redis, { redisUrl, redisTimeoutMs }) => {
    await warnOfOutage(redis, createRedisStore(redis, { deadlineMs: PATIENCE * redisTimeoutMs }))
    const subscriber = await openSubscriber(redisUrl!, redisTimeoutMs)
    const publishing = (channel: string, message: string): Promise<unknown> =>
      publish(redis, channel, message).catch((cause) => {
        const { message, reason } = unavailable(cause)
        throw reason === 'NOPERM' ? new StoreUnavailable(`${message}. ${UNHEARD}`, { reason, cause }) : cause
      })
    try {
      await use({ publish: publishing, subscribe: subscriber.subscribe })
    } finally {
      subscriber.close()
    }
  }, `. ${ASK}`)
}
