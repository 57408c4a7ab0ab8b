import { randomUUID } from 'node:crypto'
import type { Cluster, Redis } from 'ioredis'
import { pluralize } from '../../base/text.js'
import type { Config } from '../../config/config.js'
import type { BucketStore, StoreUnavailable } from '../../limiter/bucket/bucket.js'
import { bucketOf } from '../../limiter/bucket/key.js'
import { listReplicas } from '../../limiter/fleet/replicas.js'
import { readLimitsInForce } from '../../limiter/limits/limits-document.js'
import { PROBE_POLICY, type Limits } from '../../limiter/limits/policies.js'
import { toStoreUnavailable } from '../../limiter/redis/failures.js'
import { createRedisStore } from '../../limiter/redis/redis-store.js'
import { PATIENCE, withRedis } from '../with-redis.js'

/** @param use gets the buckets in Redis, and the limits that are in force */
export async function withStore (
  config: Config, use: (store: BucketStore, limits: Limits) => Promise<unknown>
): Promise<void> {
  await withRedisBuckets(config, async (redis, store) => {
    await use(store, (await readLimitsInForce(redis, config.limits)).limits)
  })
}

/** Warns if replicas do not use Redis now, because the buckets in it are then out of date. */
export async function withRedisBuckets (
  config: Config, use: (redis: Redis | Cluster, store: BucketStore) => Promise<unknown>
): Promise<void> {
  await withRedis(config, async (redis) => {
    const store = createRedisStore(redis, { deadlineMs: PATIENCE * config.redisTimeoutMs })
    await warnOfOutage(redis, store)
    await use(redis, store)
  }, ASK)
}

const ASK = 'Replicas decide by themselves now, each with its share. Ask one on its operations listener: ' +
  'curl -H "Authorization: Bearer $OPS_TOKEN" http://127.0.0.1:9464/buckets/ADDRESS'

/** Warns if replicas cannot use Redis, or if it accepts no writes. */
async function warnOfOutage (redis: Redis | Cluster, store: BucketStore): Promise<void> {
  const [replicas, reason] = await Promise.all([
    listReplicas(redis).catch((error) => { throw toStoreUnavailable(error) }),
    store.take(bucketOf(PROBE_POLICY, randomUUID())).then(() => undefined, (error: StoreUnavailable) => error.reason)
  ])
  const without = replicas.filter(({ states }) => states?.redis?.value === 'does not decide').length
  const why = without > 0
    ? `it is unavailable to ${without} of ${pluralize(replicas.length, 'replica')}`
    // The user of Redis that this command has may have fewer rights than the service's.
    : reason !== undefined && reason !== 'NOPERM' && `it refuses a take (${reason})`
  if (!why) return
  process.stderr.write(`gatehouse: Redis does not decide now: ${why}. What follows is an old picture.\n${ASK}\n`)
}
