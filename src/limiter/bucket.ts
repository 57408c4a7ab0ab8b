/**
 * The token bucket, interval refill: a bucket holds at most `capacity` tokens; `refill` tokens are added together every
 * `periodMs`, counted from the moment a full bucket is first taken from, until it is full again. What is kept of a
 * bucket is how many tokens it lacked after its last take, and the instant at which it is full; a bucket of which
 * nothing is kept is full. lua/take.lua holds the algorithm, memory-store.ts the same one for a single process.
 */

/** How tokens come. */
export interface Refill {
  /** Tokens added together every period: 1 to the capacity of their limit. */
  refill: number
  /** 1 second to 30 days. */
  periodMs: number
}

/** The limits of one kind of request, as they hold for one client. */
export interface Policy extends Refill {
  name: string
  /** Tokens in a full bucket: 1 to 1e6. */
  capacity: number
  /**
   * Set while replicas hold different limits for the client: the other refills by which its bucket may have been written.
   * A bucket is then read as the emptiest that any of them makes of it, and a refusal mends nothing but a lost expiry.
   */
  rivals?: readonly Refill[]
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
   * @param dueMs set to charge takes that were decided elsewhere: as many tokens are taken as there are, up to `cost`, and
   *   the next refill comes in so many ms, or earlier
   * @throws {RangeError} a cost that no bucket of this policy can ever meet
   * @throws {StoreUnavailable} the store could not decide; the tokens may or may not have been taken
   */
  take: (policy: Policy, client: string, cost?: number, dueMs?: number) => Promise<Verdict>
  /** A refusal of one token that is known without asking, at once; undefined if the store has to be asked. */
  knownRefusal: (policy: Policy, client: string) => Verdict | undefined
  /**
   * Refills a bucket at once, for every replica; while Redis is unavailable here at once, and in Redis when it is back.
   *
   * @returns false if there was nothing to refill
   */
  reset: (id: BucketId) => Promise<boolean>
  /**
   * Drops what this process alone knows of a bucket that was reset elsewhere: a cached denial, the bucket of the fallback,
   * and what was taken from it and is still to be charged. Redis is not asked.
   */
  forget: (id: BucketId) => void
  /** The buckets that are not full, in no order; one that is taken from meanwhile may be missed or listed twice. */
  list: (filter?: Partial<BucketId>) => AsyncIterable<BucketId>
  close: () => Promise<void>
}

/** The store gave no answer. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /** The message in a word, of which there are few: `no_connection`, `no_reply`, `bad_reply`, `not_known`, or Redis's own, such as `READONLY`. */
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
 * @throws {RangeError} a policy by which no wait is a number
 */
export function verdictOf (policy: Policy, cost: number, allowed: boolean, lacking: number, fullMs: number): Verdict {
  const { capacity, refill, periodMs } = policy
  const nextMs = lacking === 0 ? 0 : fullMs - (Math.ceil(lacking / refill) - 1) * periodMs
  const refillsToWait = Math.ceil((lacking + cost - capacity) / refill)
  const waitMs = allowed ? 0 : nextMs + (refillsToWait - 1) * periodMs
  if (!Number.isFinite(capacity + lacking + fullMs + nextMs + waitMs)) throw new RangeError(`${policy.name} is no policy: a verdict by it has no numbers`)
  return {
    allowed,
    capacity,
    // While limits differ, a bucket may lack more than this replica's capacity.
    remaining: Math.max(0, capacity - lacking),
    waitMs,
    nextMs,
    fullMs
  }
}

/**
 * The tokens that a bucket lacks if it was written by these refills: those of the refills that are still to come.
 *
 * @param written tokens that it lacked after its last take
 * @param fullMs until it is full
 * @returns more than `written` if such refills cannot have written it: it is full too late
 */
export function lackingBy ({ refill, periodMs }: Refill, written: number, fullMs: number): number {
  return (Math.ceil(fullMs / periodMs) - 1) * refill + (written - 1) % refill + 1
}

export function assertCost (policy: Policy, cost: number): void {
  if (!Number.isInteger(cost) || Math.abs(cost) > policy.capacity) {
    throw new RangeError(`cost must be an integer of at most ${policy.capacity}, the capacity of ${policy.name}; it is ${cost}`)
  }
}
