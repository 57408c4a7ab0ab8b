import type { Cluster, Redis } from 'ioredis'
import type { BucketStore, StoreUnavailable } from './bucket.js'
import { withDenyCache } from './deny-cache.js'
import { withFallback, type FailureMode } from './fallback.js'
import { startHeartbeat } from './heartbeat.js'
import { createMemoryStore } from './memory-store.js'
import { connect, subscribe } from './redis.js'
import { createRedisStore } from './redis-store.js'

/** What is logged of the store: pino's interface, of which this is all that is used. */
export interface StoreLog {
  info: (message: string) => void
  warn: (details: object, message: string) => void
  error: (details: object, message: string) => void
}

/** Who wants to know how the store does. */
export interface StoreObserver {
  /** A take that was decided by Redis, or by memory where there is none; not one that failed. */
  onTake: (seconds: number) => void
  onDenyCacheHit: () => void
  onFallback: (active: boolean) => void
}

const unobserved: StoreObserver = { onTake () {}, onDenyCacheHit () {}, onFallback () {} }

/**
 * The buckets that a replica uses: those in Redis, with refusals remembered, and with a mode to fall back to when Redis
 * does not decide; or, without a Redis, those of this process.
 */
export async function openStore (
  { redisUrl, onRedisFailure }: { redisUrl: string | undefined, onRedisFailure: FailureMode }, log: StoreLog, observer: StoreObserver = unobserved
): Promise<BucketStore> {
  if (redisUrl === undefined) return timed(createMemoryStore(), observer.onTake)

  const redis = await connect(redisUrl, err => log.warn({ err }, 'no connection to Redis'))
  await warnOfEviction(redis, log)
  const heartbeat = await startHeartbeat(redis)
  const decided = withFallback(timed(createRedisStore(redis), observer.onTake), { mode: onRedisFailure, replicas: heartbeat.replicas, onChange })
  const store = withDenyCache(decided, observer.onDenyCacheHit)
  const unsubscribe = await subscribe(redisUrl, store.forget)

  function onChange (failure: StoreUnavailable | undefined): void {
    observer.onFallback(failure !== undefined)
    if (failure) return log.error({ err: failure, mode: onRedisFailure }, 'Redis does not decide: the fallback does')
    // What was refused meanwhile was refused by buckets that no longer count.
    store.forget()
    log.info('Redis decides again')
  }

  return {
    ...store,
    async close () {
      unsubscribe()
      await heartbeat.close()
      await store.close()
    }
  }
}

/** A full Redis should drop the bucket that is nearest to full: another one dropped is a limit that starts anew. */
async function warnOfEviction (redis: Redis | Cluster, log: StoreLog): Promise<void> {
  const memory = await redis.info('memory').catch(() => '')
  const [limit, policy] = [/^maxmemory:(\d+)/m, /^maxmemory_policy:(\S+)/m].map(line => line.exec(memory)?.[1])
  if (limit === undefined || limit === '0' || policy === 'volatile-ttl') return
  log.warn({ maxmemoryPolicy: policy }, 'when Redis is full it will not drop the buckets that are nearest to full: set its maxmemory-policy to volatile-ttl')
}

function timed (store: BucketStore, onTake: StoreObserver['onTake']): BucketStore {
  return {
    ...store,
    async take (policy, client, cost) {
      const startedMs = performance.now()
      const verdict = await store.take(policy, client, cost)
      onTake((performance.now() - startedMs) / 1000)
      return verdict
    }
  }
}
