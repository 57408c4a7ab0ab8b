import { randomUUID } from 'node:crypto'
import { Cluster, type Redis } from 'ioredis'
import type { Bucket, BucketStore, Policy, StoreUnavailable } from './bucket/bucket.js'
import { createCanary, type Source } from './fleet/canary.js'
import { withDenyCache, type DenyCache } from './layers/deny-cache.js'
import { digestOf, otherLimits, withOtherLimits } from './layers/differing-limits.js'
import { withFallback, type FailureMode } from './layers/fallback.js'
import { formerLimits } from './layers/former-limits.js'
import { GIVEN_UP_AFTER_MS, KEY as REPLICAS_KEY, startHeartbeat } from './fleet/heartbeat.js'
import { LIMITS_CHANGED } from './limits/document.js'
import { LimitsError } from './limits/limits-file.js'
import { editIn, followLimits, liveLimits, type LiveLimits } from './limits/live-limits.js'
import { createMemoryStore } from './bucket/memory-store.js'
import { withModes } from './layers/modes.js'
import { noticesIn, type Notices, type StoreLog } from './notices.js'
import { defaultLimits, type Limits } from './limits/policies.js'
import { connect } from './redis/connection.js'
import type { RedisUrl } from './redis/redis-url.js'
import { createRedisStore, DEADLINE_MS, RESET_CHANNEL, RETURNED } from './redis/redis-store.js'
import { trusted } from './redis/redis-trust.js'
import { describeReplica, listReplicas, type Described, type Replica, type ReplicaSelf } from './fleet/replicas.js'
import { checkedExpiry } from './redis/replies.js'
import { slotOf } from './redis/slots.js'
import { openSubscriber } from './fleet/subscriber.js'
import { openTakeFeed, type TakeFeed } from './fleet/take-feed.js'
import { timed } from './layers/timed.js'
import { createLocalBus } from './fleet/watch.js'

/** Callbacks that report the state of the store. */
export interface StoreObserver {
  /** Called after each answer of Redis, or of memory if there is no Redis; not after a failure. */
  onTake: (seconds: number) => void
  onDenyCacheHit: () => void
  /**
   * Called when a Redis node becomes unavailable, with a reason of one word, or recovers; `failing` nodes are
   * unavailable.
   */
  onFallback: (change: { to: 'fallback', reason: string } | { to: 'redis' }, failing: number) => void
  /** How many replicas share the limits in an outage: called once a second, or only once if there is no Redis. */
  onReplicas: (count: number) => void
  /** Called when other limits are in force: see `LiveLimits`. */
  onLimits: (version: number) => void
  /** Called for each take that the candidate of a policy would have refused. */
  onCandidateRefused: (policy: Policy) => void
}

const UNLIMITED = 'Redis is unavailable, or was since the last run, and LIMITER_ON_REDIS_FAILURE=open admits every ' +
  'request then'

const unobserved: StoreObserver = {
  onTake () {},
  onDenyCacheHit () {},
  onFallback () {},
  onReplicas () {},
  onLimits () {},
  onCandidateRefused () {}
}

export interface StoreOptions {
  redisUrl: RedisUrl | string | undefined
  onRedisFailure: FailureMode
  limits?: Limits
  redisTimeoutMs?: number
  /** What this replica says of itself to operators, in Redis; by default nothing. */
  self?: ReplicaSelf
}

/** The buckets of a replica, the canary that tests them, and the replicas that share them. */
export interface ReplicaStore extends BucketStore {
  /** The limits in force, from which buckets are made. */
  limits: LiveLimits
  /** The takes that watching operators see, of this replica and of all. */
  feed: TakeFeed
  /** Runs the canary once. @returns what answered; @throws if limits do not work */
  prove: (signal: AbortSignal) => Promise<Source>
  /** Every replica that is alive, with what it reports about itself. @throws if Redis does not answer */
  replicas: () => Promise<Replica[]>
}

/**
 * The buckets that a replica uses. With a Redis it is a stack. A take goes down until a layer answers:
 *
 *     withModes           carries out modes, and tries candidates
 *      │
 *     withOtherLimits     changes the policy of a bucket while replicas hold different limits, and after a change
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
 * The heartbeat counts replicas and learns their limits. The subscriber receives resets, changes of limits at run time,
 * and what operators watch. `feed` reports takes to those operators. All of them work beside the stack. Without a
 * Redis, the buckets are in the memory of this process.
 */
export async function openStore (
  { redisUrl, onRedisFailure, limits = defaultLimits, redisTimeoutMs = DEADLINE_MS, self }: StoreOptions,
  log: StoreLog, observed: Partial<StoreObserver> = {}
): Promise<ReplicaStore> {
  const observer = { ...unobserved, ...observed }
  const name = randomUUID()
  const described = (redisAvailable: boolean): Partial<Described> =>
    ({ ...self, at: new Date().toISOString(), redisAvailable })
  if (redisUrl === undefined) return await openInMemory(name, limits, observer, () => described(false))

  const notices = noticesIn(log, onRedisFailure)
  // The heartbeat and the fallback may call this before the deny cache above them exists. Nothing is cached then.
  let forgetDenials: DenyCache['forgetDenials'] = () => {}

  function onDifference (differ: boolean): void {
    notices.limitsDiffer(differ)
    // The next take repairs a bucket that lacks more than the limits allow, so cached denials may be too long.
    if (!differ) forgetDenials()
  }

  /** The nodes of Redis that are unavailable. */
  const failingNodes = new Set<string>()
  /** Whether any of them was unavailable since the last run of the canary. */
  let failed = false

  function onChange (failure: StoreUnavailable | undefined, node: string, failing: number): void {
    failed ||= failure !== undefined
    if (failure) failingNodes.add(node)
    else failingNodes.delete(node)
    observer.onFallback(failure ? { to: 'fallback', reason: failure.reason } : { to: 'redis' }, failing)
    if (failure) return notices.unavailable(failure, node)
    // Denials that were cached during the outage came from local buckets, which no longer count.
    forgetDenials()
    notices.recovered(node)
  }

  const redis = await connect(redisUrl, notices.notConnected, redisTimeoutMs)
  await warnOfEviction(redis, notices)
  const describe = self &&
    describeReplica(redis, name, GIVEN_UP_AFTER_MS, () => described(failingNodes.size === 0), notices.undescribed)
  const live = liveLimits(limits, editIn(redis, limits))
  let settle = async (_limits: Limits, _version: number): Promise<void> => {}
  const refreshLimits = followLimits(redis, live, log, (limits, version) => settle(limits, version), notices.defect)
  await refreshLimits()
  const others = otherLimits(redis, snapshot(live), onDifference, undefined, live.state.version)
  let lookForLimits = (): void => {}
  const heartbeat = await startHeartbeat(redis, {
    limits: others,
    id: name,
    onBeat () {
      describe?.()
      lookForLimits()
    },
    onReplicas: observer.onReplicas,
    onRefused: notices.uncounted,
    onError: notices.defect,
    patienceMs: redisTimeoutMs
  })
  settle = async (limits, version) => {
    await others.announce(limits, version)
    await heartbeat.known(version)
    others.adopt()
  }
  lookForLimits = () => { refreshLimits().catch(notices.defect) }
  const nodeOf = (key: string): string => redis instanceof Cluster ? redis.slots[slotOf(key)]?.[0] ?? '' : ''

  const inRedis = timed(createRedisStore(redis, { deadlineMs: redisTimeoutMs }), observer.onTake)
  const withMode = withFallback(inRedis, {
    mode: onRedisFailure,
    replicas: heartbeat.replicas,
    nodeOf: redis instanceof Cluster ? nodeOf : undefined,
    absence: heartbeat.absence,
    join: node => heartbeat.join(node === nodeOf(REPLICAS_KEY)),
    onChange,
    onError: notices.defect,
    onOtherReason: notices.stillUnavailable
  })
  const cached = withDenyCache(withMode, observer.onDenyCacheHit)
  forgetDenials = cached.forgetDenials

  /** @param message what was announced; undefined if something may have been missed */
  function hear (message?: string): void {
    if (message === undefined || message === LIMITS_CHANGED) refreshLimits().catch(notices.defect)
    if (message === LIMITS_CHANGED) return
    if (message === undefined) forgetDenials()
    else if (message.startsWith(RETURNED)) forgetDenials(message.slice(RETURNED.length))
    else cached.forget({ key: message })
  }
  const subscriber = await openSubscriber(redisUrl, redisTimeoutMs)
  await subscriber.hear(RESET_CHANNEL, hear, notices.unheard)
  const bus = { hear: subscriber.hear, publish: (channel: string, text: string) => redis.publish(channel, text) }
  const feed = await openTakeFeed(bus, notices.unwatched)

  // While a node is unavailable, takes from its buckets do not wait for a heartbeat.
  const caughtUp = (key: string): Promise<void> | undefined =>
    failingNodes.size > 0 && failingNodes.has(nodeOf(key)) ? undefined : heartbeat.caughtUp()
  let withFormer = formerLimits(live.state, limits)
  const inForce = (bucket: Bucket): Bucket => withFormer(others.inForce(bucket))
  const store = withModes(withOtherLimits(cached, inForce, caughtUp), observer.onCandidateRefused, notices.defect)
  const prove = createCanary({
    store,
    name,
    source: key => failingNodes.has(nodeOf(key)) ? 'local' : 'redis',
    expiryMs: key => trusted(redis, key, redis.pttl(key), checkedExpiry),
    // The canary's bucket is on one node, but another node may fail, and any node may fail between two runs.
    unlimited () {
      const admitted = failed && onRedisFailure === 'open'
      failed = failingNodes.size > 0
      return admitted ? UNLIMITED : undefined
    }
  })

  observer.onLimits(live.state.version)
  live.onChange(() => {
    withFormer = formerLimits(live.state, limits)
    // A cached denial may be wrong under the changed limits.
    forgetDenials()
    observer.onLimits(live.state.version)
  })

  return {
    ...store,
    limits: live,
    feed,
    prove,
    replicas: () => listReplicas(redis),
    async close () {
      feed.close()
      subscriber.close()
      await heartbeat.close()
      await cached.close()
    }
  }
}

/** All state is in this process, so no call can fail and nothing is out of date. */
async function openInMemory (
  name: string, limits: Limits, { onReplicas, onTake }: StoreObserver, described: () => Partial<Described>
): Promise<ReplicaStore> {
  onReplicas(1)
  const store = { ...timed(createMemoryStore(), onTake), forget () {} }
  return {
    ...store,
    limits: liveLimits(limits, withoutRedis),
    feed: await openTakeFeed(createLocalBus()),
    prove: createCanary({ store, name, source: () => 'memory', expiryMs: async () => 0, unlimited: () => undefined }),
    replicas: async () => [{ ...described(), name, limits: digestOf(limits), limitsVersion: 0 }]
  }
}

/** A copy, because `LiveLimits` change. */
const snapshot = ({ policies, networks }: Limits): Limits => ({ policies, networks })

async function withoutRedis (): Promise<never> {
  throw new LimitsError(['REDIS_URL is not set: the limits of this process are those of LIMITS_FILE'])
}

/**
 * When Redis is full, it should evict the bucket that is nearest to full. Evicting any other bucket resets its limit.
 */
async function warnOfEviction (redis: Redis | Cluster, notices: Notices): Promise<void> {
  const memory = await redis.info('memory').catch(() => '')
  const [limit, policy] = [/^maxmemory:(\d+)/m, /^maxmemory_policy:(\S+)/m].map(line => line.exec(memory)?.[1])
  if (limit === undefined || limit === '0' || policy === 'volatile-ttl') return
  notices.evicts(policy)
}
