import calculateSlot from 'cluster-key-slot'
import { Cluster, type Redis } from 'ioredis'
import type { Bucket, BucketStore, StoreUnavailable, TokenStore, Verdict } from './bucket.js'
import { withDenyCache, type DenyCache } from './deny-cache.js'
import { otherLimits, withOtherLimits } from './differing-limits.js'
import { withFallback, type FailureMode } from './fallback.js'
import { KEY as REPLICAS_KEY, startHeartbeat } from './heartbeat.js'
import { createMemoryStore } from './memory-store.js'
import { defaultLimits, type Limits } from './policies.js'
import { connect, subscribe } from './redis.js'
import type { RedisUrl } from './redis-url.js'
import { createRedisStore, DEADLINE_MS, RETURNED } from './redis-store.js'

/** What is logged of the store: pino's interface, of which this is all that is used. */
export interface StoreLog {
  info: (details: object, message: string) => void
  warn: (details: object, message: string) => void
  error: (details: object, message: string) => void
}

/** Callbacks that report how the store does. */
export interface StoreObserver {
  /** Called after each answer of Redis, or of memory where there is no Redis; not after a failure. */
  onTake: (seconds: number) => void
  onDenyCacheHit: () => void
  /** Called when a Redis node becomes unavailable, for a reason in a word, or recovers; `failing` are unavailable. */
  onFallback: (change: { to: 'fallback', reason: string } | { to: 'redis' }, failing: number) => void
  /** How many replicas share the limits in an outage: called once a second, or once where there is no Redis. */
  onReplicas: (count: number) => void
}

const UNCOUNTED = 'replicas cannot be counted: ' +
  'while Redis is gone each will admit whole limits, or its share of the number last known; ' +
  'until they are, others may hold different limits, and no refusal mends a bucket'

const UNHEARD = 'resets by other replicas are not heard: ' +
  'a client that was refused here may be refused for up to a minute after one'

const DIFFERENT = 'replicas hold different limits: ' +
  'until they agree, all use the refill of the limit with the largest capacity'

const unobserved: StoreObserver = { onTake () {}, onDenyCacheHit () {}, onFallback () {}, onReplicas () {} }

export interface StoreOptions {
  redisUrl: RedisUrl | string | undefined
  onRedisFailure: FailureMode
  limits?: Limits
  redisTimeoutMs?: number
}

/**
 * The buckets that a replica uses. With a Redis it is a stack. A take goes down until a layer answers:
 *
 *     withOtherLimits     changes the policy of a bucket while replicas hold different limits
 *      │
 *     withDenyCache       answers refusals that are known, from memory
 *      │
 *     withFallback        one circuit breaker per Redis node
 *      │ closed   │ open
 *      │          └─ LIMITER_ON_REDIS_FAILURE: the local share, fail closed, or fail open
 *      │
 *     timed               observes how long Redis takes
 *      │
 *     createRedisStore    one script call for the takes of one turn of the event loop
 *      │
 *     lua/take.lua        the token bucket
 *
 * The heartbeat counts replicas and learns their limits; the subscription hears of resets. Both work beside the stack.
 * Without a Redis, the buckets are in the memory of this process.
 */
export async function openStore (
  { redisUrl, onRedisFailure, limits = defaultLimits, redisTimeoutMs = DEADLINE_MS }: StoreOptions,
  log: StoreLog, observed: Partial<StoreObserver> = {}
): Promise<BucketStore> {
  const observer = { ...unobserved, ...observed }
  if (redisUrl === undefined) {
    observer.onReplicas(1)
    // What this process remembers is all there is, and nothing of it is out of date.
    return { ...timed(createMemoryStore(), observer.onTake), forget () {} }
  }

  // The heartbeat and the fallback report before the deny cache above them exists, when there is nothing to forget.
  let forgetDenials: DenyCache['forgetDenials'] = () => {}

  function onDifference (differ: boolean): void {
    log.info(
      { code: differ ? 'limits_differ' : 'limits_agree' },
      differ ? DIFFERENT : 'replicas hold the same limits again'
    )
    // A bucket that lacks more than the limits allow is mended by the next take.
    if (!differ) forgetDenials()
  }

  function onChange (failure: StoreUnavailable | undefined, node: string, failing: number): void {
    observer.onFallback(failure ? { to: 'fallback', reason: failure.reason } : { to: 'redis' }, failing)
    if (failure) {
      log.error(
        { code: 'redis_unavailable', err: failure, mode: onRedisFailure, ...named(node) },
        'Redis does not decide: the fallback does'
      )
      return
    }
    // What was refused meanwhile was refused by buckets that no longer count.
    forgetDenials()
    log.info({ code: 'redis_recovered', ...named(node) }, 'Redis decides again')
  }

  function onError (err: Error): void {
    log.error({ code: 'limiter_defect', err }, 'a defect of the limiter, and what it was about to do is not done')
  }

  const onTrouble = (err: Error): void => log.warn({ code: 'redis_not_connected', err }, 'no connection to Redis')
  const redis = await connect(redisUrl, onTrouble, redisTimeoutMs)
  await warnOfEviction(redis, log)
  const others = otherLimits(redis, limits, onDifference)
  const heartbeat = await startHeartbeat(redis, {
    limits: others,
    onReplicas: observer.onReplicas,
    onRefused: err => log.warn({ code: 'replicas_uncounted', err }, UNCOUNTED),
    onError
  })
  const nodeOf = (key: string): string => redis instanceof Cluster ? redis.slots[calculateSlot(key)]?.[0] ?? '' : ''

  const inRedis = timed(createRedisStore(redis, { deadlineMs: redisTimeoutMs }), observer.onTake)
  const withMode = withFallback(inRedis, {
    mode: onRedisFailure,
    replicas: heartbeat.replicas,
    nodeOf: redis instanceof Cluster ? nodeOf : undefined,
    absence: heartbeat.absence,
    join: node => heartbeat.join(node === nodeOf(REPLICAS_KEY)),
    onChange,
    onError,
    onOtherReason: (err, node) =>
      log.warn({ code: 'redis_still_unavailable', err, ...named(node) }, 'Redis still does not decide')
  })
  const cached = withDenyCache(withMode, observer.onDenyCacheHit)
  forgetDenials = cached.forgetDenials

  /** @param message what was announced; undefined if something may have been missed */
  function hear (message?: string): void {
    if (message === undefined) forgetDenials()
    else if (message.startsWith(RETURNED)) forgetDenials(message.slice(RETURNED.length))
    else cached.forget({ key: message })
  }
  const onUnheard = (err: Error): void => log.warn({ code: 'resets_unheard', err }, UNHEARD)
  const unsubscribe = await subscribe(redisUrl, hear, redisTimeoutMs, onUnheard)

  return {
    ...withOtherLimits(cached, others),
    async close () {
      unsubscribe()
      await heartbeat.close()
      await cached.close()
    }
  }
}

/** Which node of a cluster it is. */
const named = (node: string): object => node === '' ? {} : { node }

/** A full Redis should drop the bucket that is nearest to full: to drop another one resets its limit. */
async function warnOfEviction (redis: Redis | Cluster, log: StoreLog): Promise<void> {
  const memory = await redis.info('memory').catch(() => '')
  const [limit, policy] = [/^maxmemory:(\d+)/m, /^maxmemory_policy:(\S+)/m].map(line => line.exec(memory)?.[1])
  if (limit === undefined || limit === '0' || policy === 'volatile-ttl') return
  log.warn(
    { code: 'redis_eviction_policy', maxmemoryPolicy: policy },
    'when Redis is full it will not drop the buckets that are nearest to full: set its maxmemory-policy to volatile-ttl'
  )
}

/** Measures everything that a bucket is asked for. */
function timed (store: TokenStore, onTake: StoreObserver['onTake']): TokenStore {
  const verb = <Args extends unknown[]>(ask: (bucket: Bucket, ...args: Args) => Promise<Verdict>) =>
    (bucket: Bucket, ...args: Args): Promise<Verdict> => {
      const startedMs = performance.now()
      return ask(bucket, ...args).then((verdict) => {
        onTake((performance.now() - startedMs) / 1000)
        return verdict
      })
    }
  return {
    ...store,
    take: verb(store.take),
    peek: verb(store.peek),
    giveBack: verb(store.giveBack),
    charge: verb(store.charge)
  }
}
