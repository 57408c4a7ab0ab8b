import type { Ask, Bucket, Layer, Policy } from '../bucket/bucket.js'
import { createMemoryStore } from '../bucket/memory-store.js'

/** This replica's local share of every limit, in buckets in memory. */
export interface LocalShare extends Pick<Layer, 'take' | 'peek' | 'giveBack'> {
  /** Drops what was taken from a bucket, because it was reset. */
  forget: (bucket: Pick<Bucket, 'key'>) => void
}

/**
 * The buckets are kept after an outage. Otherwise each of several short outages would admit a whole share.
 *
 * @param replicas how many replicas share each limit
 */
export function createLocalShare (replicas: () => number): LocalShare {
  const local = createMemoryStore()
  /** The share of each policy, and how many replicas it is for. */
  const shares = new WeakMap<Policy, { count: number, share: Policy }>()

  function shareOf (policy: Policy): Policy {
    const count = replicas()
    const known = shares.get(policy)
    if (known?.count === count) return known.share
    const share = divided(policy, count)
    shares.set(policy, { count, share })
    return share
  }

  const shared = (ask: Ask): Ask => (bucket, resolve, reject) =>
    ask({ ...bucket, policy: shareOf(bucket.policy) }, resolve, reject)

  /** Clients see the capacity of the whole limit. Operators, who peek, see that of the share. */
  const stated = (ask: Ask): Ask => (bucket, resolve, reject) =>
    ask(bucket, verdict => resolve({ ...verdict, capacity: bucket.policy.capacity }), reject)

  return {
    take: stated(shared(local.layer.take)),
    peek: shared(local.layer.peek),
    giveBack: stated(shared(local.layer.giveBack)),
    forget: local.forget
  }
}

/** One replica's part of a limit, rounded up: at least one token, and at least one a period. */
const divided = ({ name, capacity, refill, periodMs }: Policy, replicas: number): Policy =>
  ({ name, capacity: Math.ceil(capacity / replicas), refill: Math.ceil(refill / replicas), periodMs })
