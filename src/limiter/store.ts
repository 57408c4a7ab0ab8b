import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { Cluster, type Redis } from 'ioredis'
import type { DetailsLog } from '../base/log.js'
import { BucketStore, type Bucket, type Policy } from './bucket/bucket.js'
import { MemoryBuckets } from './bucket/memory-store.js'
import { createCanary, type AnsweredBy } from './fleet/canary.js'
import { startHeartbeat } from './fleet/heartbeat.js'
import { listReplicas, describeLimits, type Replica, type ReplicaSelf } from './fleet/replicas.js'
import { openTakeFeed, type TakeFeed } from './fleet/take-feed.js'
import { createLocalBus } from './fleet/watch.js'
import { DenyCache } from './layers/deny-cache.js'
import { Fallback, type FailureMode } from './layers/fallback.js'
import { LocalShare } from './layers/local-share.js'
import { Traced } from './layers/traced.js'
import { Candidates } from './layers/candidates.js'
import { readHistory, type LimitsDocument } from './limits/limits-document.js'
import { followLimits, LiveLimits } from './limits/live-limits.js'
import { defaultLimits, type Limits } from './limits/policies.js'
import { createNotices } from './notices.js'
import {
  announce, ANNOUNCEMENTS_CHANNEL, openSubscriber, parseAnnouncement, PROOF, publish
} from './redis/announcements.js'
import { keyPrefix, nodeAddress } from './redis/cluster.js'
import { connect, DEADLINE_MS } from './redis/redis-connection.js'
import { harmfulEviction, parseInfo } from './redis/info.js'
import { RedisBuckets } from './redis/redis-store.js'
import type { RedisUrl } from './redis/redis-url.js'

/** Callbacks that report the state of the store. */
interface StoreObserver {
  /** Called for each take that Redis answered, with the seconds that the call took. */
  onTake: (seconds: number) => void
  onDenyCacheHit: () => void
  /**
   * Called when a Redis node becomes unavailable, with a reason of one word, or recovers. `failing` has the reason of
   * each node that is unavailable; a node is '' if it is the only one.
   */
  onFallback: (
    change: { to: 'fallback', reason: string } | { to: 'redis' }, failing: ReadonlyMap<string, string>
  ) => void
  /** Whether all replicas hold the same limits, those included that were set at run time over others. */
  onAgree: (agree: boolean) => void
  /**
   * How many replicas share the limits in an outage, and whether Redis counted them now: called once a second, or only
   * once if there is no Redis.
   */
  onReplicas: (count: number, counted: boolean) => void
  /** Called when other limits are in force, with their version: see `LiveLimits`. */
  onLimits: (version: number) => void
  /** Called for each take that the candidate of a policy would have refused. */
  onCandidateRefused: (policy: Policy) => void
}

export interface StoreOptions {
  redisUrl: RedisUrl | string | undefined
  onRedisFailure: FailureMode
  limits?: Limits
  redisTimeoutMs?: number
  /** What this replica says of itself to operators, in Redis; by default nothing. */
  self?: () => ReplicaSelf
}

/** The buckets of a replica, the canary that tests them, and the replicas that share them. */
export interface ReplicaStore extends BucketStore<Candidates> {
  /** The name of this replica, as operators see it. */
  name: string
  /** The limits in force, from which buckets are made. */
  limits: LiveLimits
  /** The takes that watching operators see, of this replica and of all. */
  feed: TakeFeed
  /** Drops what this process holds of a bucket, without Redis: its cached denial, its local bucket of an outage. */
  forget: (bucket: Pick<Bucket, 'key'>) => void
  /** Runs the canary once. @returns what answered; @throws if limits do not work */
  runCanary: (signal: AbortSignal) => Promise<AnsweredBy>
  /** The time by Redis's clock, in ms since 1970. While Redis is unavailable, by the difference that it had last. */
  nowMs: () => number
  /** Every replica that is alive, with what it reports about itself. @throws if Redis does not answer */
  replicas: () => Promise<Replica[]>
  /** The last documents of limits that were set at run time, newest first. @throws if Redis does not answer */
  history: (count: number) => Promise<LimitsDocument[]>
  /** The connection, for what else replicas share; undefined without a Redis. */
  redis: Redis | Cluster | undefined
}

/**
 * The buckets that a replica uses. With a Redis they are a stack of layers. A take goes down until a layer answers:
 *
 *     Candidates          skips policies that are off, and tries candidates
 *     DenyCache           answers refusals that are known, from memory
 *     Fallback            one circuit breaker per Redis node. While it is open, LIMITER_ON_REDIS_FAILURE answers: the
 *                         local share, fail closed, or fail open
 *     Traced              reports takes to a tracer
 *     RedisBuckets        one script call for the takes of one policy in one turn of the event loop
 *     lua/take.lua        the token bucket
 *
 * `bucket/` has what a bucket is, `limits/` which limit is whose, `redis/` the connections, `layers/` this stack,
 * `fleet/` what replicas tell each other, and `operators/` what operators see and reset. Without a Redis, the buckets
 * are in the memory of this process.
 */
export async function openStore (
  { redisUrl, onRedisFailure, limits: base = defaultLimits, redisTimeoutMs = DEADLINE_MS, self }: StoreOptions,
  log: DetailsLog, observer: Partial<StoreObserver> = {}
): Promise<ReplicaStore> {
  const name = newReplicaName()
  const limits = new LiveLimits(base)
  let ofLimits = describeLimits(limits)
  limits.onChange(() => { ofLimits = describeLimits(limits) })
  const describe = () => ({ at: new Date().toISOString(), ...self?.(), ...ofLimits })
  if (redisUrl === undefined) return await openInMemory(name, limits, observer, describe)

  const notices = createNotices(log, onRedisFailure)
  const redis = await connect(redisUrl, notices.notConnected, redisTimeoutMs)
  const eviction = harmfulEviction(parseInfo(await redis.info('memory').catch(() => '')))
  if (eviction !== undefined) notices.evicts(eviction)
  const refreshLimits = followLimits(redis, limits, log, notices.defect)
  await refreshLimits()
  const heartbeat = await startHeartbeat(redis, {
    name,
    describe,
    onBeat: refreshLimits,
    onReplicas: observer.onReplicas,
    onAgree: observer.onAgree,
    onUncounted: notices.uncounted,
    onUndescribed: notices.undescribed
  })

  const nodeOf = (key: string): string => redis instanceof Cluster ? nodeAddress(redis, key) : ''
  const share = new LocalShare(heartbeat.replicas)
  const inRedis = new RedisBuckets(redis, redisTimeoutMs, observer.onTake)
  const guarded = new Fallback(new Traced(inRedis), {
    onRedisFailure,
    share,
    nodeOf,
    prefix: keyPrefix(redis),
    onChange (failure, node) {
      observer.onFallback?.(failure ? { to: 'fallback', reason: failure.reason } : { to: 'redis' }, guarded.failing())
      if (failure) return notices.unavailable(failure, node)
      // Denials that were cached during the outage came from local buckets, which no longer count.
      cached.forget()
      notices.recovered(node)
    },
    onOtherReason: notices.stillUnavailable
  })
  const cached = new DenyCache(guarded, observer.onDenyCacheHit)
  const layers = new Candidates(cached, observer.onCandidateRefused, notices.defect)

  const subscriber = await openSubscriber(redisUrl, redisTimeoutMs, {
    send: () => announce(redis, PROOF), onUnproved: notices.unproved
  })
  const onMessage = (message?: string): void => follow(message, refreshLimits, cached, share)
  await subscriber.subscribe(ANNOUNCEMENTS_CHANNEL, onMessage, notices.unheard)
  const feed = await openTakeFeed({
    subscribe: subscriber.subscribe, publish: (channel, text) => publish(redis, channel, text)
  }, name, notices.unwatched)
  const store = new BucketStore(layers, {
    list: filter => inRedis.list(filter),
    async close () {
      feed.close()
      subscriber.close()
      guarded.close()
      await heartbeat.close()
      await inRedis.close()
    }
  })
  observer.onLimits?.(limits.version)
  limits.onChange(() => {
    // A cached denial may be wrong under the changed limits.
    cached.forget()
    observer.onLimits?.(limits.version)
    heartbeat.beat()
  })

  return {
    ...store,
    name,
    limits,
    feed,
    forget: bucket => forget(bucket, cached, share),
    runCanary: createCanary({
      store,
      name,
      source: key => guarded.failing().has(nodeOf(key)) ? 'local' : 'redis',
      expiryMs: key => redis.pttl(key),
      // The canary's bucket is on one node, but another node may fail, and any node may fail between two runs.
      unlimited: () => guarded.failedMeanwhile() && onRedisFailure === 'open' ? UNLIMITED : undefined
    }),
    nowMs: () => Date.now() + heartbeat.aheadMs(),
    replicas: () => listReplicas(redis),
    history: count => readHistory(redis, count),
    redis
  }
}

/** A new name for each run, made of the host (in a container, the container's), the process, and a random part. */
const newReplicaName = (): string => `${hostname().slice(0, 40)}-${process.pid}-${randomBytes(2).toString('hex')}`

/** @param message what was announced; undefined if something may have been missed */
function follow (message: string | undefined, refresh: () => void, cached: DenyCache, share: LocalShare): void {
  const announced = message === undefined ? undefined : parseAnnouncement(message)
  if (!announced || 'limits' in announced) refresh()
  if (!announced) cached.forget()
  else if ('returned' in announced) cached.forget(announced.returned)
  else if ('reset' in announced) forget({ key: announced.reset }, cached, share)
}

function forget (bucket: Pick<Bucket, 'key'>, cached: DenyCache, share: LocalShare): void {
  cached.forget(bucket.key)
  share.forget(bucket)
}

const UNLIMITED = 'Redis is unavailable, or was since the last run, and LIMITER_ON_REDIS_FAILURE=open admits every ' +
  'request then'

/** All state is in this process, so no call can fail and nothing is out of date. */
async function openInMemory (
  name: string, limits: LiveLimits, { onReplicas, onAgree, onCandidateRefused }: Partial<StoreObserver>,
  describe: () => Omit<Replica, 'name'>
): Promise<ReplicaStore> {
  onReplicas?.(1, true)
  onAgree?.(true)
  const memory = new MemoryBuckets()
  const onDefect = (error: Error): never => { throw error }
  const store = new BucketStore(new Candidates(new Traced(memory), onCandidateRefused, onDefect), memory)
  return {
    ...store,
    name,
    limits,
    feed: await openTakeFeed(createLocalBus(), name),
    // A reset reaches the bucket itself, and what was taken since then counts.
    forget () {},
    runCanary: createCanary({
      store, name, source: () => 'memory', expiryMs: async () => 0, unlimited: () => undefined
    }),
    nowMs: () => Date.now(),
    replicas: async () => [{ ...describe(), name }],
    history: async () => [],
    redis: undefined
  }
}
