import type { Ask, Bucket, Policy, Verdict } from '../bucket/bucket.js'
import { MemoryBuckets } from '../bucket/memory-store.js'

/**
 * This replica's local share of every limit, in buckets in memory. They are kept after an outage. Otherwise each of
 * several short outages would admit a whole share.
 */
export class LocalShare {
  readonly #buckets = new MemoryBuckets()
  /** The share of each policy, and how many replicas it is for. */
  readonly #shares = new WeakMap<Policy, { count: number, share: Policy }>()

  /** @param replicas how many replicas share each limit */
  constructor (private readonly replicas: () => number) {}

  readonly take: Ask = (bucket, resolve, reject) =>
    this.#buckets.take(this.#shareOf(bucket), stating(bucket.policy, resolve), reject)

  readonly peek: Ask = (bucket, resolve, reject) => this.#buckets.peek(this.#shareOf(bucket), resolve, reject)

  readonly giveBack: Ask = (bucket, resolve, reject) =>
    this.#buckets.giveBack(this.#shareOf(bucket), stating(bucket.policy, resolve), reject)

  /** Drops what was taken from a bucket, because it was reset. */
  readonly forget = (bucket: Pick<Bucket, 'key'>): boolean => this.#buckets.forget(bucket)

  #shareOf ({ policy, ...bucket }: Bucket): Bucket {
    const count = this.replicas()
    let known = this.#shares.get(policy)
    if (known?.count !== count) this.#shares.set(policy, known = { count, share: divided(policy, count) })
    return { ...bucket, policy: known.share }
  }
}

/** Clients see the capacity of the whole limit. Operators, who peek, see that of the share. */
const stating = ({ capacity }: Policy, resolve: (verdict: Verdict) => void) => (verdict: Verdict): void =>
  resolve({ ...verdict, capacity })

/** One replica's part of a limit, rounded up: at least one token, and at least one a period. */
const divided = ({ name, capacity, refill, periodMs }: Policy, replicas: number): Policy =>
  ({ name, capacity: Math.ceil(capacity / replicas), refill: Math.ceil(refill / replicas), periodMs })
