/**
 * A token bucket with interval refill. A bucket holds at most `capacity` tokens. Every `periodMs`, `refill` tokens are
 * added together, until the bucket is full. The periods start with the first take from a full bucket. A bucket
 * describes itself: it says by which refill it was taken, so that everyone who reads it reads the same. lua/bucket.lua
 * has the algorithm for Redis, and algorithm.ts for the memory of one process.
 */

/** How a bucket is refilled. */
export interface Refill {
  /** Tokens added together every period: 1 to 99,999. */
  refill: number
  /** 1 second to 30 days: 1 to 999 seconds, minutes, hours or days. */
  periodMs: number
}

/** A bucket has five digits for its refill: see lua/bucket.lua. */
export const MAX_REFILL = 99_999

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
  /** Set for a policy that takes nothing and refuses nothing. */
  off?: true
  /** Another limit that is tried beside this one. Requests that it would refuse are only counted. See candidates.ts. */
  candidate?: Policy
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
  /** Until the bucket is full, by the refill of the policy for a take, else by that of the bucket; 0 if it is. */
  fullMs: number
}

/**
 * What a take asks for: a token of one owner under one policy. Layers pass it on unchanged, so a new property of a take
 * changes only the layers that use it. `bucketOf` makes it.
 */
export interface Bucket {
  /** Its name, in Redis and in memory alike. */
  key: string
  /** The limit that a take applies to it. */
  policy: Policy
}

/** What the key of a bucket says about it. */
export interface BucketName {
  key: string
  policyName: string
  owner: string
}

/** Selects buckets: all, or those of one policy, or of one owner. A part of a name selects nothing. */
export type BucketFilter = Partial<Omit<BucketName, 'key'>>

/** A verdict, and its bucket. */
export type Decided = [bucket: Bucket, verdict: Verdict]

/**
 * Asks for a verdict. Either callback is called once, perhaps before the function returns. `reject` gets a
 * `StoreUnavailable`, or a defect. It is not a promise, because takes are many.
 */
export type Ask = (bucket: Bucket, ...waiting: Waiting) => void

/** The callbacks of a caller who waits for a verdict. */
export type Waiting = [resolve: (verdict: Verdict) => void, reject: (error: Error) => void]

/**
 * What every store and every layer above it does. A layer gets the next one when it is made. The verbs of a class are
 * fields, so that the layer above can hand one on as it is.
 */
export interface Layer {
  /** Takes one token, or none if the bucket is empty. After a failure the token may or may not have been taken. */
  take: Ask
  /** Takes nothing and writes nothing. The verdict always allows. */
  peek: Ask
  /** Returns a token, because the request turned out to cost nothing. A full bucket stays full. */
  giveBack: Ask
  /**
   * Refills a bucket at once, for every replica.
   *
   * @returns false if there was nothing to refill
   * @throws {ResetUnannounced} if the bucket is full, and other replicas may still hold a refusal
   * @throws {StoreUnavailable} if nothing was reset
   */
  reset: (bucket: Pick<Bucket, 'key'>) => Promise<boolean>
}

/** A layer above the cache of denials, or the cache itself. */
export interface Front extends Layer {
  /**
   * A take that is refused at once, without asking Redis; undefined if the store has to be asked by `take`. A candidate
   * counts it like any other take.
   */
  refuseAtOnce?: (bucket: Bucket) => Verdict | undefined
}

/** The lowest layer: where the buckets are. */
export interface Buckets extends Layer {
  /**
   * The buckets that are not full, in no order. A bucket that is taken from meanwhile may be missed or listed twice.
   */
  list: (filter?: BucketFilter) => AsyncIterable<BucketName>
  close: () => Promise<void>
}

/** The same verbs as promises, which reject with `StoreUnavailable` if the store fails, and what is there. */
export class BucketStore<Top extends Front = Front> {
  /** @param layer the verbs without promises, for the way of a request */
  constructor (readonly layer: Top, readonly buckets: Pick<Buckets, 'list' | 'close'>) {}

  readonly take = (bucket: Bucket): Promise<Verdict> => promised(this.layer.take, bucket)
  readonly peek = (bucket: Bucket): Promise<Verdict> => promised(this.layer.peek, bucket)
  readonly giveBack = (bucket: Bucket): Promise<Verdict> => promised(this.layer.giveBack, bucket)
  readonly reset: Layer['reset'] = bucket => this.layer.reset(bucket)
  readonly refuseAtOnce = (bucket: Bucket): Verdict | undefined => this.layer.refuseAtOnce?.(bucket)
  readonly list: Buckets['list'] = filter => this.buckets.list(filter)
  readonly close: Buckets['close'] = () => this.buckets.close()
}

const promised = (ask: Ask, bucket: Bucket): Promise<Verdict> =>
  new Promise((resolve, reject) => ask(bucket, resolve, reject))

/** A token that cannot be returned in an outage is lost. A refill soon replaces it. */
export function ignoreOutage (error: unknown): void {
  if (!(error instanceof StoreUnavailable)) throw error
}

/** The store gave no answer. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /**
   * The reason in one word, from a small set: `no_connection`, `no_reply`, `bad_reply`, or an error code of Redis such
   * as `READONLY`.
   */
  readonly reason: string
  /** Whether the command may have been carried out in spite of the failure. A take must not be sent again then. */
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

/** A bucket was reset, and the other replicas could not be informed. */
export class ResetUnannounced extends StoreUnavailable {}
