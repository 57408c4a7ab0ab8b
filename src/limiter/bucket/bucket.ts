/**
 * A token bucket with interval refill. A bucket holds at most `capacity` tokens. Every `periodMs`, `refill` tokens are
 * added together, until the bucket is full. The periods start with the first take from a full bucket. Two numbers are
 * stored: how many tokens the bucket lacked after its last take, and the instant at which it is full. If nothing is
 * stored, the bucket is full. lua/take.lua implements this in Redis, and decide.ts in the memory of one process.
 */

/** How a bucket is refilled. */
export interface Refill {
  /** Tokens added together every period: 1 to the capacity of their limit. */
  refill: number
  /** 1 second to 30 days. */
  periodMs: number
}

/** The limits of one kind of request for one owner. */
export interface Policy extends Refill {
  name: string
  /** Tokens in a full bucket: 1 to 1e6. */
  capacity: number
  /**
   * Set for a limit that counts requests with a valid token by user. It is the limit that all users of one address
   * share. Requests without a valid token are counted by address, under the limit itself.
   */
  address?: Policy
  /** Set for a policy that refuses nothing: `shadow` takes and counts what it would refuse, `off` takes nothing. */
  mode?: 'shadow' | 'off'
  /** Other limits that are tried beside this one. Requests that they would refuse are only counted. See modes.ts. */
  candidate?: Policy
  /**
   * Set while replicas hold different limits for the owner. These are the other refills by which its bucket may have
   * been written. The bucket is then read by the refill that makes it the emptiest, and a refusal repairs only a lost
   * expiry.
   */
  rivals?: readonly Refill[]
  /**
   * Set after a change to a slower refill: the former refills that may have written the bucket. If the new refill read
   * such a bucket, it would seem to have regained tokens.
   */
  former?: readonly FormerRefill[]
}

export interface FormerRefill extends Refill {
  /** When this refill was replaced, in ms since 1970 by Redis's clock. */
  endedAtMs: number
}

/** The answer to one verb. A refusal is a verdict, never an exception. */
export interface Verdict {
  allowed: boolean
  capacity: number
  /** Tokens in the bucket afterwards. */
  remaining: number
  /** Ms until the same take would be admitted, if there is no other take until then; 0 if this take was admitted. */
  waitMs: number
  /** Until the next refill; 0 if the bucket is full. */
  nextMs: number
  /** Until the bucket is full; 0 if it is. */
  fullMs: number
  /** Set if the bucket refused the take, but it is allowed because the policy is in shadow mode. */
  shadow?: true
}

/** Identifies the tokens of one owner under one policy, and holds none of their state. `bucketOf` makes it. */
export interface Bucket {
  /** Its name, in Redis and in memory alike. */
  key: string
  /** The limit by which it is read and written. */
  policy: Policy
}

/** A verdict, and its bucket. */
export type Decided = [bucket: Bucket, verdict: Verdict]

/** What the key of a bucket says about it. */
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
  /** Returns a token, because the request turned out to cost nothing. A full bucket stays full. */
  giveBack: (bucket: Bucket) => Promise<Verdict>
  /**
   * A refusal that is known without asking Redis; undefined if the store has to be asked.
   *
   * @param behind the bucket behind this one: nothing is taken from it, but a refusal by its candidate is counted
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
   * Drops what this process remembers about a bucket that was reset elsewhere. That is its cached denial, its local
   * bucket of an outage, and the local takes that are not yet charged. Redis is not asked.
   */
  forget: (bucket: Pick<Bucket, 'key'>) => void
  /**
   * The buckets that are not full, in no order. A bucket that is taken from meanwhile may be missed or listed twice.
   *
   * @param onScanned called after each batch of keys, with about how many were looked at
   */
  list: (
    filter?: Partial<Omit<BucketName, 'key'>>, onScanned?: (keys: number) => void
  ) => AsyncIterable<BucketName>
  close: () => Promise<void>
}

/** A store that holds the buckets itself, in Redis or in memory. It also takes or returns several tokens at once. */
export interface TokenStore extends BucketStore {
  /**
   * Takes all the tokens, or none.
   *
   * @param tokens at most the policy's capacity; 1 by default
   * @throws {RangeError} a number of tokens that no bucket of this policy ever has
   */
  take: (bucket: Bucket, tokens?: number) => Promise<Verdict>
  /** @throws {BucketsApart} the buckets are in two places: nothing was taken */
  takeBoth: (bucket: Bucket, front: Bucket) => Promise<Decided>
  giveBack: (bucket: Bucket, tokens?: number) => Promise<Verdict>
  /**
   * Charges takes that were decided elsewhere. It takes as many of the tokens as the bucket has, and always allows.
   *
   * @param dueMs the next refill comes in so many ms, or earlier
   */
  charge: (bucket: Bucket, tokens: number, dueMs: number) => Promise<Verdict>
}

/** The two buckets are in different places, such as two nodes of a cluster, so no atomic take from both is possible. */
export class BucketsApart extends Error {
  override readonly name = 'BucketsApart'
}

/** The store gave no answer. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /**
   * The reason in one word, from a small set: `no_connection`, `no_reply`, `bad_reply`, `not_known`, or an error code
   * of Redis such as `READONLY`.
   */
  readonly reason: string
  /** Whether the take may have counted in spite of the failure. It must not be sent again then. */
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
 * @param lacking how many more tokens a full bucket has
 * @param fullMs until the bucket is full
 * @throws {RangeError} the numbers of the policy give no finite wait
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
 * The tokens that a bucket lacks now if this refill wrote it: the tokens of all refills that are still to come.
 *
 * @param written tokens that it lacked after its last take
 * @param fullMs until it is full
 * @returns more than `written` if this refill cannot have written the bucket, because the bucket is full too late
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
