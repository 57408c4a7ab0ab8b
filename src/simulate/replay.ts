import type { Bucket, Verdict } from '../limiter/bucket/bucket.js'
import { decide, type Stored } from '../limiter/bucket/algorithm.js'
import { bucketOf, userOwner } from '../limiter/bucket/key.js'
import type { Request } from './requests.js'
import { createShelf } from './shelf.js'

/** About 40 MB when full. */
const MAX_BUCKETS = 200_000

/** The outcome of a request. */
export interface Outcome {
  /** How many of its `count` requests were admitted. */
  admitted: number
  /**
   * The buckets that they took from. It is empty if the client is exempt. For a user, it includes the shared bucket of
   * the address.
   */
  buckets: Bucket[]
}

export interface Replay {
  take: (request: Request) => Outcome
  /** How many buckets were forgotten before they were full. */
  dropped: () => number
}

/** Does what the limiter of the service does with a request, at the time in the log. */
export function createReplay (): Replay {
  const kept = createShelf<Stored>(MAX_BUCKETS)

  /** @param cost 0 looks, a negative one gives back */
  function change ({ key, policy }: Bucket, cost: number, nowMs: number): Verdict {
    const stored = kept.get(key)
    const { verdict, kept: after } = decide(stored, policy, cost, nowMs)
    if (after === undefined) kept.delete(key)
    else if (after !== stored) kept.set(key, after, nowMs)
    return verdict
  }

  /** Takes a token from every bucket, or from none. */
  function takeOne (buckets: Bucket[], nowMs: number): boolean {
    const giving = buckets.filter(bucket => change(bucket, 1, nowMs).allowed)
    if (giving.length === buckets.length) return true
    for (const bucket of giving) change(bucket, -1, nowMs)
    return false
  }

  /** Takes several times at the same instant, so after the first refusal all others are refused, too. */
  function takeMany (buckets: Bucket[], count: number, nowMs: number): number {
    const room = Math.min(count, ...buckets.map(bucket => change(bucket, 0, nowMs).remaining))
    if (room > 0) for (const bucket of buckets) change(bucket, room, nowMs)
    if (room < count) takeOne(buckets, nowMs)
    return room
  }

  return {
    take (request) {
      const { count, timeMs } = request
      const buckets = bucketsOf(request)
      if (buckets.length === 0) return { admitted: count, buckets }
      return { admitted: count === 1 ? Number(takeOne(buckets, timeMs)) : takeMany(buckets, count, timeMs), buckets }
    },
    dropped: kept.dropped
  }
}

/** As in plugins/limiter.ts: a request without a known user takes only from the bucket of its address. */
function bucketsOf ({ client, policy, user }: Request): Bucket[] {
  const bucket = client?.bucketFor(policy)
  if (!bucket) return []
  const shared = client!.sharedBucketFor(policy)
  if (!shared || user === undefined) return [bucket]
  return [shared, bucketOf(bucket.policy, userOwner(user))]
}
