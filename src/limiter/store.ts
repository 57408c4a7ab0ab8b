import type { BucketStore, StoreUnavailable } from './bucket.js'
import { withDenyCache } from './deny-cache.js'
import { withFallback, type FailureMode } from './fallback.js'
import { createMemoryStore } from './memory-store.js'
import { connect, subscribe } from './redis.js'
import { createRedisStore } from './redis-store.js'

/** What is logged of the store: pino's interface, of which this is all that is used. */
export interface StoreLog {
  info: (message: string) => void
  warn: (details: object, message: string) => void
  error: (details: object, message: string) => void
}

/**
 * The buckets that a replica uses: those in Redis, with refusals remembered, and with a mode to fall back to when Redis
 * does not decide; or, without a Redis, those of this process.
 */
export async function openStore (
  { redisUrl, onRedisFailure }: { redisUrl: string | undefined, onRedisFailure: FailureMode }, log: StoreLog
): Promise<BucketStore> {
  if (redisUrl === undefined) return createMemoryStore()

  const redis = await connect(redisUrl, err => log.warn({ err }, 'no connection to Redis'))
  const store = withDenyCache(withFallback(createRedisStore(redis), { mode: onRedisFailure, onChange }))
  const unsubscribe = await subscribe(redisUrl, store.forget)

  function onChange (failure: StoreUnavailable | undefined): void {
    if (failure) return log.error({ err: failure, mode: onRedisFailure }, 'Redis does not decide: the fallback does')
    // What was refused meanwhile was refused by buckets that no longer count.
    store.forget()
    log.info('Redis decides again')
  }

  return {
    ...store,
    async close () {
      unsubscribe()
      await store.close()
    }
  }
}
