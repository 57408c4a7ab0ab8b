/**
 * The token bucket, interval refill: a bucket holds at most `capacity` tokens; `refill` tokens are added together every
 * `periodMs`, counted from the moment a full bucket is first taken from, until it is full again. What is kept of a
 * bucket is how many tokens it lacked after its last take, and the instant at which it is full; a bucket of which
 * nothing is kept is full. lua/take.lua holds the algorithm, memory-store.ts the same one for a single process.
 */

/** The limits of one kind of request, as they hold for one client. */
export interface Policy {
  name: string
  /** Tokens in a full bucket: 1 to 1e6. */
  capacity: number
  /** Tokens added together every period: 1 to capacity. */
  refill: number
  /** 1 second to 30 days. */
  periodMs: number
}

/** The answer to one take or peek. A refusal is a verdict, never an exception. */
export interface Verdict {
  allowed: boolean
  capacity: number
  /** Tokens in the bucket after this take. */
  remaining: number
  /** Until a take of the same cost is admitted, if no one else takes; 0 if this one was. */
  waitMs: number
  /** Until the next refill; 0 if the bucket is full. */
  nextMs: number
  /** Until the bucket is full; 0 if it is. */
  fullMs: number
}

export interface BucketId { policy: string, client: string }

export interface BucketStore {
  /**
   * Takes `cost` tokens, or none at all. A cost of 0 looks and changes nothing; a negative one gives tokens back that
   * were taken for something that in the end costs nothing, and never fills a bucket beyond its capacity.
   *
   * @param cost from -capacity to the policy's capacity
   * @throws {RangeError} a cost that no bucket of this policy can ever meet
   * @throws {StoreUnavailable} the store could not decide; the tokens may or may not have been taken
   */
  take: (policy: Policy, client: string, cost?: number) => Promise<Verdict>
  /** Refills a bucket at once, for every replica. @returns false if there was nothing to refill */
  reset: (id: BucketId) => Promise<boolean>
  /** The buckets that are not full, in no order; one that is taken from meanwhile may be missed or listed twice. */
  list: (filter?: Partial<BucketId>) => AsyncIterable<BucketId>
  close: () => Promise<void>
}

/** The store gave no answer. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /** The message in a word, of which there are few: `no_connection`, `no_reply`, or Redis's own, such as `READONLY`. */
  readonly reason: string
  /** Whether the take may have counted nevertheless, so that it must not be sent again. */
  readonly mayHaveCounted: boolean

  constructor (message: string, { reason = 'unknown', mayHaveCounted = false, ...options }: ErrorOptions & { reason?: string, mayHaveCounted?: boolean } = {}) {
    super(message, options)
    this.reason = reason
    this.mayHaveCounted = mayHaveCounted
  }
}

/**
 * The verdict that follows from a bucket's state after a take.
 *
 * @param lacking tokens that a full bucket would have more
 * @param fullMs until the bucket is full
 */
export function verdictOf (policy: Policy, cost: number, allowed: boolean, lacking: number, fullMs: number): Verdict {
  const { capacity, refill, periodMs } = policy
  const nextMs = lacking === 0 ? 0 : fullMs - (Math.ceil(lacking / refill) - 1) * periodMs
  const refillsToWait = Math.ceil((lacking + cost - capacity) / refill)
  return {
    allowed,
    capacity,
    remaining: capacity - lacking,
    waitMs: allowed ? 0 : nextMs + (refillsToWait - 1) * periodMs,
    nextMs,
    fullMs
  }
}

export function assertCost (policy: Policy, cost: number): void {
  if (!Number.isInteger(cost) || Math.abs(cost) > policy.capacity) {
    throw new RangeError(`cost must be an integer of at most ${policy.capacity}, the capacity of ${policy.name}; it is ${cost}`)
  }
}
