import {
  BucketsApart, StoreUnavailable, verdictOf, type Bucket, type BucketStore, type Decided, type Policy, type TokenStore,
  type Verdict
} from '../bucket/bucket.js'
import { createCircuitBreaker, type CircuitBreaker } from './circuit-breaker.js'
import { probeKey } from '../bucket/key.js'
import { createLocalShare } from './local-share.js'

/**
 * What answers while Redis is unavailable. `local`: this replica's local share of every limit, in memory. `closed`:
 * fail closed, with 503. `open`: fail open, so every request is admitted.
 */
export type FailureMode = 'local' | 'closed' | 'open'

/** So large that every probe is admitted. A refused take writes nothing, and only a write shows whether Redis works. */
const PROBE: Policy = { name: 'probe', capacity: 1000, refill: 1000, periodMs: 1000 }

const FAIL_CLOSED = 'Redis is unavailable, and LIMITER_ON_REDIS_FAILURE is closed'

export interface FallbackOptions {
  mode: FailureMode
  /** How many replicas share each limit, by the last count. */
  replicas?: () => number
  /** The node that has the bucket of this key. Each node has a circuit breaker. By default there is one node. */
  nodeOf?: ((key: string) => string) | undefined
  /** Why the store must not be used although it may answer; undefined if it may be used. Called before every take. */
  absence?: () => StoreUnavailable | undefined
  /** Called when a node answers again. @returns how many ms must pass until takes may be sent to it */
  join?: (node: string) => Promise<number>
  /** Called when a node becomes unavailable, with the reason, and when it recovers; `failing` nodes are unavailable. */
  onChange: (failure: StoreUnavailable | undefined, node: string, failing: number) => void
  /** Called when a probe fails for a reason that was not reported in this outage. */
  onOtherReason?: (failure: Error, node: string) => void
  /** Called with an error that no caller would see and that is not a failure of the store: a defect. */
  onError?: (error: Error) => void
}

/** The verbs that work in an outage, too. */
type Verb = 'take' | 'peek' | 'giveBack'

/**
 * One circuit breaker per node of the store. While it is open, the failure mode answers at once, without asking the
 * node. After recovery, the resets of the outage are carried out first. Then the local takes are reconciled: they are
 * charged to the store.
 */
export function withFallback (
  store: TokenStore,
  {
    mode, replicas = () => 1, nodeOf = () => '', absence = () => undefined, join = async () => 0,
    onChange, onOtherReason = () => {}, onError = () => {}
  }: FallbackOptions
): BucketStore {
  const share = createLocalShare(replicas)
  const breakers = new Map<string, CircuitBreaker<StoreUnavailable>>()
  /** Keys of buckets that are to be reset in the store. */
  const resets = new Set<string>()
  let failing = 0
  let closed = false

  return {
    take: bucket => decide('take', bucket),
    takeBoth,
    peek: bucket => decide('peek', bucket),
    giveBack: bucket => decide('giveBack', bucket),
    knownRefusal: bucket => store.knownRefusal(bucket),
    list: filter => store.list(filter),
    forget,

    async reset (bucket) {
      const { key } = bucket
      forget(bucket)
      try {
        if (!breakerOf(key).failure) return await store.reset(bucket)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        open(error, key)
      }
      resets.add(key)
      return true
    },

    async close () {
      closed = true
      for (const breaker of breakers.values()) breaker.stop()
      await share.close()
      await store.close()
    }
  }

  function decide (verb: Verb, bucket: Bucket): Promise<Verdict> {
    const breaker = usableBreakerOf(bucket.key)
    if (breaker.failure) return fallBack(verb, bucket, breaker.failure)
    return store[verb](bucket).then((verdict) => {
      breaker.succeeded()
      return verdict
    }, (error) => {
      if (!(error instanceof StoreUnavailable)) throw error
      open(error, bucket.key)
      return fallBack(verb, bucket, error)
    })
  }

  async function takeBoth (bucket: Bucket, front: Bucket): Promise<Decided> {
    const breaker = usableBreakerOf(front.key)
    if (breakerOf(bucket.key) !== breaker) return await takeInTurn(bucket, front)
    if (breaker.failure) return await fallBackToBoth(bucket, front, breaker.failure)
    try {
      const decided = await store.takeBoth(bucket, front)
      breaker.succeeded()
      return decided
    } catch (error) {
      if (error instanceof BucketsApart) return await takeInTurn(bucket, front)
      if (!(error instanceof StoreUnavailable)) throw error
      open(error, front.key)
      return await fallBackToBoth(bucket, front, error)
    }
  }

  /**
   * For buckets on two nodes. If the second take is refused, the first token is returned. Until then the bucket in
   * front may refuse others.
   */
  async function takeInTurn (bucket: Bucket, front: Bucket): Promise<Decided> {
    const ofFront = await decide('take', front)
    if (!ofFront.allowed) return [front, ofFront]
    let own: Verdict | undefined
    try {
      own = await decide('take', bucket)
      return [bucket, own]
    } finally {
      if (!own?.allowed) await decide('giveBack', front)
    }
  }

  async function fallBackToBoth (bucket: Bucket, front: Bucket, cause: StoreUnavailable): Promise<Decided> {
    return mode === 'local' ? await share.takeBoth(bucket, front) : [bucket, await fallBack('take', bucket, cause)]
  }

  async function fallBack (verb: Verb, bucket: Bucket, cause: StoreUnavailable): Promise<Verdict> {
    switch (mode) {
      case 'local': return await share[verb](bucket)
      case 'open': return verdictOf(bucket.policy, 0, true, 0, 0)
      case 'closed': throw new StoreUnavailable(FAIL_CLOSED, { cause })
    }
  }

  /** The circuit breaker of this bucket's node; it is open if the node must not be asked now. */
  function usableBreakerOf (key: string): CircuitBreaker<StoreUnavailable> {
    const breaker = breakerOf(key)
    const absent = breaker.failure ? undefined : absence()
    if (absent) open(absent, key)
    return breaker
  }

  function breakerOf (key: string): CircuitBreaker<StoreUnavailable> {
    const node = nodeOf(key)
    const existing = breakers.get(node)
    if (existing) return existing
    const breaker = createCircuitBreaker<StoreUnavailable>({
      onOpen: failure => onChange(failure, node, ++failing),
      async onClose () {
        onChange(undefined, node, --failing)
        await carryOutResets()
        await reconcile()
      },
      onOtherReason: failure => onOtherReason(failure, node),
      onError
    })
    breakers.set(node, breaker)
    return breaker
  }

  /** Looks the node up again: after a redirection, the bucket may belong to another node than the one first asked. */
  function open (failure: StoreUnavailable, key: string): void {
    if (closed) return
    const node = nodeOf(key)
    // The slot of the bucket that failed may move to another node meanwhile, and the probe follows it.
    const probe: Bucket = { key: probeKey(key), policy: PROBE }
    breakerOf(key).open(failure, async () => {
      await store.take(probe)
      return await join(node)
    })
  }

  /** Resets come before charges, so that only takes since the reset count. */
  async function carryOutResets (): Promise<void> {
    for (const key of resets) {
      if (closed || breakerOf(key).failure) continue
      resets.delete(key)
      try {
        await store.reset({ key })
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) {
          onError(error as Error)
          continue
        }
        resets.add(key)
        open(error, key)
      }
    }
  }

  async function reconcile (): Promise<void> {
    await share.reconcile({
      charge: store.charge,
      isReachable: ({ key }) => !closed && !breakerOf(key).failure,
      onUnavailable: (failure, { key }) => open(failure, key),
      onError
    })
    // While any node is unavailable, each policy keeps the local share of its first use in the outage.
    if (failing === 0) share.endOutage()
  }

  function forget (bucket: Pick<Bucket, 'key'>): void {
    share.forget(bucket)
    store.forget(bucket)
  }
}
