import { verdictOf } from '../bucket/algorithm.js'
import { StoreUnavailable, type Ask, type Layer, type Policy } from '../bucket/bucket.js'
import { probeKey } from '../bucket/key.js'
import { createCircuitBreaker, type CircuitBreaker } from '../../base/circuit-breaker.js'
import type { LocalShare } from './local-share.js'

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
  share: LocalShare
  /** The node that has the bucket of this key. Each node has a circuit breaker. By default there is one node. */
  nodeOf?: (key: string) => string
  /** Called when a node becomes unavailable, with the reason, and when it recovers. */
  onChange: (failure: StoreUnavailable | undefined, node: string) => void
  /** Called when a probe fails for a reason that was not reported in this outage. */
  onOtherReason: (failure: Error, node: string) => void
}

/**
 * One circuit breaker per node of the store. While it is open, the failure mode answers at once, without asking the
 * node. Nothing is charged after an outage.
 */
export const fallback = (
  { mode, share, nodeOf = () => '', onChange, onOtherReason }: FallbackOptions
) => (next: Layer): Layer & { close: () => void } => {
  const breakers = new Map<string, CircuitBreaker<StoreUnavailable>>()

  const guarded = (verb: 'take' | 'peek' | 'giveBack'): Ask => (bucket, resolve, reject) => {
    const breaker = breakerOf(bucket.key)
    const fallBack = (cause: StoreUnavailable): void => {
      const { policy } = bucket
      if (mode === 'local') share[verb](bucket, resolve, reject)
      else if (mode === 'closed') reject(new StoreUnavailable(FAIL_CLOSED, { cause }))
      else resolve(verdictOf(policy, true, { lacking: 0, lacked: 0, nextMs: 0 }, policy))
    }
    if (breaker.failure) return fallBack(breaker.failure)
    next[verb](bucket, (verdict) => {
      breaker.succeeded()
      resolve(verdict)
    }, (error) => {
      if (!(error instanceof StoreUnavailable)) return reject(error)
      open(error, bucket.key)
      fallBack(error)
    })
  }

  return {
    take: guarded('take'),
    peek: guarded('peek'),
    giveBack: guarded('giveBack'),
    knownRefusal: next.knownRefusal,

    async reset (bucket) {
      const { failure } = breakerOf(bucket.key)
      if (failure) throw failure
      return await next.reset(bucket)
    },

    close () {
      for (const breaker of breakers.values()) breaker.stop()
    }
  }

  function breakerOf (key: string): CircuitBreaker<StoreUnavailable> {
    const node = nodeOf(key)
    let breaker = breakers.get(node)
    if (!breaker) breakers.set(node, breaker = newBreaker(node))
    return breaker
  }

  function newBreaker (node: string): CircuitBreaker<StoreUnavailable> {
    return createCircuitBreaker({
      onOpen: failure => onChange(failure, node),
      onClose: () => onChange(undefined, node),
      onOtherReason: failure => onOtherReason(failure, node)
    })
  }

  /** Looks the node up again: after a redirection, the bucket may belong to another node than the one first asked. */
  function open (failure: StoreUnavailable, key: string): void {
    // The slot of the bucket that failed may move to another node meanwhile, and the probe follows it.
    const probe = { key: probeKey(key), policy: PROBE }
    breakerOf(key).open(failure, () => new Promise((resolve, reject) => next.take(probe, () => resolve(), reject)))
  }
}
