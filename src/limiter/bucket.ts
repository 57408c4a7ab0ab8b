/**
 * The token bucket, interval refill: a bucket holds at most `capacity` tokens; `refill` tokens are added together every
 * `periodMs`, counted from the moment a full bucket is first taken from, until it is full again. What is kept of a
 * bucket is how many tokens it lacked after its last take, and the instant at which it is full; a bucket of which
 * nothing is kept is full. lua/take.lua holds the algorithm, decide.ts the same one for a single process.
 */

/** How tokens come. */
export interface Refill {
  /** Tokens added together every period: 1 to the capacity of their limit. */
  refill: number
  /** 1 second to 30 days. */
  periodMs: number
}

/** The limits of one kind of request, as they hold for one owner. */
export interface Policy extends Refill {
  name: string
  /** Tokens in a full bucket: 1 to 1e6. */
  capacity: number
  /**
   * Set for a limit that counts requests with a valid token by user: what all users of one address share. A request
   * without a valid token is counted by address, under the limit itself.
   */
  address?: Policy
  /** Set for a policy that refuses nothing: `shadow` takes and counts what it would refuse, `off` takes nothing. */
  mode?: 'shadow' | 'off'
  /** Other limits that are tried beside this one: what they would refuse is counted. See modes.ts. */
  candidate?: Policy
  /**
   * Set while replicas hold different limits for the owner: the other refills by which its bucket may have been
   * written. A bucket is then read as the emptiest that any of them makes of it, and a refusal mends nothing but a lost
   * expiry.
   */
  rivals?: readonly Refill[]
  /**
   * Set after a change to a slower refill: the former refills, one of which may have written the bucket. Read by the
   * new refill, the bucket would seem to have regained tokens.
   */
  former?: readonly FormerRefill[]
}

export interface FormerRefill extends Refill {
  /** When it was changed, in ms since 1970 by Redis's clock. */
  endedAtMs: number
}

/** The answer to one verb. A refusal is a verdict, never an exception. */
export interface Verdict {
  allowed: boolean
  capacity: number
  /** Tokens in the bucket afterwards. */
  remaining: number
  /** Until the same take is admitted, if no one else takes; 0 if this one was. */
  waitMs: number
  /** Until the next refill; 0 if the bucket is full. */
  nextMs: number
  /** Until the bucket is full; 0 if it is. */
  fullMs: number
  /** Set if it allows what the bucket refused, because the policy is in shadow mode. */
  shadow?: true
}

/** The tokens of one owner under one policy, by identity. It is made once per use, by `bucketOf`. */
export interface Bucket {
  /** Its name, in Redis and in memory alike. */
  key: string
  /** The limit by which it is read and written. */
  policy: Policy
}

/** A verdict, and its bucket. */
export type Decided = [bucket: Bucket, verdict: Verdict]

/** A bucket as its key alone describes it. */
export interface BucketName {
  key: string
  policyName: string
  owner: string
}

/** Where buckets are. Every verb that asks the store rejects with `StoreUnavailable` if the store fails. */
export interface BucketStore {
  /** Takes one token, or none if the bucket is empty. After a failure the token may or may not have been taken. */
  take: (bucket: Bucket) => Promise<Verdict>
  /**
   * Takes one token from a bucket and one from the bucket in front of it, or none from either. If both are in one
   * place, no other take sees one of them without the other.
   *
   * @returns the verdict of the bucket, or the refusal of the one in front
   */
  takeBoth: (bucket: Bucket, front: Bucket) => Promise<Decided>
  /** Takes nothing and writes nothing. The verdict always allows. */
  peek: (bucket: Bucket) => Promise<Verdict>
  /** Returns a token that was taken for something that costs nothing in the end. A full bucket stays full. */
  giveBack: (bucket: Bucket) => Promise<Verdict>
  /**
   * A refusal that is known without asking, at once; undefined if the store has to be asked.
   *
   * @param behind the bucket that this one stands in front of: nothing is taken from it, but its candidate counts
   */
  knownRefusal: (bucket: Bucket, behind?: Bucket) => Verdict | undefined
  /**
   * Refills a bucket at once, for every replica. While Redis is unavailable the bucket is refilled here at once, and in
   * Redis after it recovers.
   *
   * @returns false if there was nothing to refill
   */
  reset: (bucket: Pick<Bucket, 'key'>) => Promise<boolean>
  /**
   * Drops what this process alone knows of a bucket that was reset elsewhere: a cached denial, the local bucket of an
   * outage, and what was taken from it and is still to be charged. Redis is not asked.
   */
  forget: (bucket: Pick<Bucket, 'key'>) => void
  /**
   * The buckets that are not full, in no order; one that is taken from meanwhile may be missed or listed twice.
   *
   * @param onScanned called with how many keys were looked at, about, each time that some were
   */
  list: (
    filter?: Partial<Omit<BucketName, 'key'>>, onScanned?: (keys: number) => void
  ) => AsyncIterable<BucketName>
  close: () => Promise<void>
}

/** A store that holds the buckets itself, in Redis or in memory. It also decides about several tokens at once. */
export interface TokenStore extends BucketStore {
  /**
   * Takes all the tokens, or none.
   *
   * @param tokens 1, unless stated: up to the policy's capacity
   * @throws {RangeError} a number of tokens that no bucket of this policy ever has
   */
  take: (bucket: Bucket, tokens?: number) => Promise<Verdict>
  /** @throws {BucketsApart} the buckets are in two places: nothing was taken */
  takeBoth: (bucket: Bucket, front: Bucket) => Promise<Decided>
  giveBack: (bucket: Bucket, tokens?: number) => Promise<Verdict>
  /**
   * Charges takes that were decided elsewhere: takes as many of the tokens as there are, and always allows.
   *
   * @param dueMs the next refill comes in so many ms, or earlier
   */
  charge: (bucket: Bucket, tokens: number, dueMs: number) => Promise<Verdict>
}

/** Two buckets that are in two places, such as nodes of a cluster, cannot be taken from at the same moment. */
export class BucketsApart extends Error {
  override readonly name = 'BucketsApart'
}

/** The store gave no answer. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /**
   * The message in a word, of which there are few: `no_connection`, `no_reply`, `bad_reply`, `not_known`, or Redis's
   * own, such as `READONLY`.
   */
  readonly reason: string
  /** Whether the take may have counted nevertheless, so that it must not be sent again. */
  readonly mayHaveCounted: boolean

  constructor (
    message: string,
    { reason = 'unknown', mayHaveCounted = false, ...options }:
      ErrorOptions & { reason?: string, mayHaveCounted?: boolean } = {}
  ) {
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
  if (!Number.isFinite(capacity + lacking + fullMs + nextMs + waitMs)) {
    throw new RangeError(`${policy.name} is no policy: a verdict by it has no numbers`)
  }
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

/** @throws {RangeError} a number of tokens that no bucket of this policy ever has */
export function assertTokens (policy: Policy, tokens: number): void {
  if (!Number.isInteger(tokens) || tokens < 1 || tokens > policy.capacity) {
    const range = `from 1 to ${policy.capacity}, the capacity of ${policy.name}`
    throw new RangeError(`the number of tokens must be an integer ${range}; it is ${tokens}`)
  }
}
