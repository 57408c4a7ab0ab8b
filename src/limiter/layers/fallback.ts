import { fullVerdict } from '../bucket/algorithm.js'
import { StoreUnavailable, type Ask, type Bucket, type Layer, type Policy, type Waiting } from '../bucket/bucket.js'
import { probeKey } from '../bucket/key.js'
import { CircuitBreaker } from '../../base/circuit-breaker.js'
import type { LocalShare } from './local-share.js'

/**
 * What answers while Redis is unavailable. `local`: this replica's local share of every limit, in memory. `closed`:
 * fail closed, with 503. `open`: fail open, so every request is admitted.
 */
export type FailureMode = 'local' | 'closed' | 'open'

/**
 * So large that every probe is admitted. A refused take writes nothing, and only a write shows whether Redis works. One
 * token comes back at a time, so that the second probe moves the expiry, and needs every command that a take may need.
 */
const PROBE: Policy = { name: 'probe', capacity: 1_000_000, refill: 1, periodMs: 1000 }

const FAIL_CLOSED = 'Redis is unavailable, and LIMITER_ON_REDIS_FAILURE is closed'

interface FallbackOptions {
  onRedisFailure: FailureMode
  share: LocalShare
  /** The node that has the bucket of this key. Each node has a circuit breaker. By default there is one node. */
  nodeOf?: (key: string) => string
  /** What stands before this key in Redis. */
  prefix?: string
  /** Called when a node becomes unavailable, with the reason, and when it recovers. */
  onChange: (failure: StoreUnavailable | undefined, node: string) => void
  /** Called when a probe fails for a reason that was not reported in this outage. */
  onOtherReason: (failure: Error, node: string) => void
}

/**
 * One circuit breaker per node of the store. While it is open, the failure mode answers at once, without asking the
 * node. Nothing is charged after an outage.
 */
export class Fallback implements Layer {
  readonly #breakers = new Map<string, CircuitBreaker<StoreUnavailable>>()
  #failedMeanwhile = false

  constructor (private readonly next: Layer, private readonly options: FallbackOptions) {}

  readonly take: Ask = (bucket, resolve, reject) => this.#ask('take', bucket, resolve, reject)
  readonly peek: Ask = (bucket, resolve, reject) => this.#ask('peek', bucket, resolve, reject)
  readonly giveBack: Ask = (bucket, resolve, reject) => this.#ask('giveBack', bucket, resolve, reject)

  readonly reset: Layer['reset'] = async (bucket) => {
    const { failure } = this.#breakerOf(bucket.key)
    if (failure) throw failure
    return await this.next.reset(bucket)
  }

  /** The reason, in one word, of each node that is unavailable. */
  failing (): ReadonlyMap<string, string> {
    return new Map([...this.#breakers].flatMap(([node, { failure }]) => failure ? [[node, failure.reason]] : []))
  }

  /** Whether any node was unavailable since the last call. One may fail and recover between two. */
  failedMeanwhile (): boolean {
    const failed = this.#failedMeanwhile
    this.#failedMeanwhile = this.failing().size > 0
    return failed
  }

  close (): void {
    for (const breaker of this.#breakers.values()) breaker.stop()
  }

  #ask (verb: Verb, bucket: Bucket, ...[resolve, reject]: Waiting): void {
    const breaker = this.#breakerOf(bucket.key)
    if (breaker.failure) return this.#fallBack(breaker.failure, verb, bucket, resolve, reject)
    this.next[verb](bucket, (verdict) => {
      breaker.succeeded()
      resolve(verdict)
    }, (error) => {
      if (!(error instanceof StoreUnavailable)) return reject(error)
      this.#open(error, bucket.key)
      this.#fallBack(error, verb, bucket, resolve, reject)
    })
  }

  #fallBack (cause: StoreUnavailable, verb: Verb, bucket: Bucket, ...[resolve, reject]: Waiting): void {
    const { onRedisFailure, share } = this.options
    if (onRedisFailure === 'local') share[verb](bucket, resolve, reject)
    else if (onRedisFailure === 'closed') reject(new StoreUnavailable(FAIL_CLOSED, { cause }))
    else resolve(fullVerdict(bucket.policy))
  }

  #breakerOf (key: string): CircuitBreaker<StoreUnavailable> {
    const node = this.options.nodeOf?.(key) ?? ''
    const known = this.#breakers.get(node)
    if (known) return known
    const { onChange, onOtherReason } = this.options
    const breaker = new CircuitBreaker<StoreUnavailable>({
      onOpen: (failure) => {
        this.#failedMeanwhile = true
        onChange(failure, node)
      },
      onClose: () => onChange(undefined, node),
      onOtherReason: failure => onOtherReason(failure, node)
    })
    this.#breakers.set(node, breaker)
    return breaker
  }

  /** Looks the node up again: after a redirection, the bucket may belong to another node than the one first asked. */
  #open (failure: StoreUnavailable, key: string): void {
    // The slot of the bucket that failed may move to another node meanwhile, and the probe follows it.
    const { prefix = '' } = this.options
    const probe = { key: probeKey(prefix + key), policy: PROBE }
    this.#breakerOf(key).open(failure, () => new Promise((resolve, reject) =>
      this.next.take(probe, () => resolve(), reject)))
  }
}

type Verb = 'take' | 'peek' | 'giveBack'
