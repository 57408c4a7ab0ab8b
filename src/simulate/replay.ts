import type { Bucket } from '../limiter/bucket/bucket.js'
import { giveBack, peek, take, type Stored } from '../limiter/bucket/algorithm.js'
import { bucketOf, userOwner } from '../limiter/bucket/key.js'
import { createBucketTable } from './kept-buckets.js'
import type { TimedRequest } from '../access-log/requests.js'

/** About 40 MB when full. */
const MAX_BUCKETS = 200_000

/** Why a limit refuses nothing of a client: it is off, or the client's network is exempt. */
export type Unenforced = 'off' | 'exempt'

export interface Replayed {
  /** How many of its `count` requests were admitted. */
  admitted: number
  /**
   * The buckets that they took from. It is empty if the client is exempt or blocked, or if the limit is off. For a
   * user, it includes the shared bucket of the address.
   */
  buckets: Bucket[]
  unenforced?: Unenforced
}

/** Does what the limiter of the service does with a request, at the time in the log. */
export class Replay {
  readonly #kept = createBucketTable<Stored>(MAX_BUCKETS)
  /** How many buckets were forgotten before they were full. */
  readonly dropped = this.#kept.dropped

  take (request: TimedRequest): Replayed {
    const { client, policy, count, timeMs } = request
    if (client?.isBlocked(policy)) return { admitted: 0, buckets: [] }
    const buckets = bucketsFor(request)
    const unenforced = buckets.length === 0 ? 'exempt' : buckets[0]!.policy.off && 'off'
    if (unenforced) return { admitted: count, buckets: [], unenforced }
    const admitted = count === 1 ? Number(this.#takeOne(buckets, timeMs)) : this.#takeMany(buckets, count, timeMs)
    return { admitted, buckets }
  }

  /** Takes a token from every bucket in turn. A refusal gives back what the ones before gave. */
  #takeOne (buckets: Bucket[], nowMs: number): boolean {
    const refusing = buckets.findIndex(bucket => this.#takeFrom(bucket, 1, nowMs) === 0)
    if (refusing === -1) return true
    for (const { key, policy } of buckets.slice(0, refusing)) {
      const before = this.#kept.get(key)
      this.#keep(key, before, giveBack(before, policy, nowMs).stored, nowMs)
    }
    return false
  }

  /** Takes several times at the same instant, so after the first refusal all others are refused, too. */
  #takeMany (buckets: Bucket[], count: number, nowMs: number): number {
    const remaining = buckets.map(({ key, policy }) => peek(this.#kept.get(key), policy, nowMs).remaining)
    const room = Math.min(count, ...remaining)
    if (room > 0) for (const bucket of buckets) this.#takeFrom(bucket, room, nowMs)
    return room
  }

  /** @returns how many of the wanted tokens were taken */
  #takeFrom ({ key, policy }: Bucket, wanted: number, nowMs: number): number {
    const before = this.#kept.get(key)
    const { stored, taken } = take(before, policy, nowMs, wanted)
    this.#keep(key, before, stored, nowMs)
    return taken
  }

  #keep (key: string, before: Stored | undefined, after: Stored | undefined, nowMs: number): void {
    if (after === undefined) this.#kept.delete(key)
    else if (after !== before) this.#kept.set(key, after, nowMs)
  }
}

/** As in plugins/limiter/limiter.ts: a request without a known user takes only from the bucket of its address. */
function bucketsFor ({ client, policy, user }: TimedRequest): Bucket[] {
  const bucket = client?.bucketFor(policy)
  if (!bucket) return []
  const shared = client!.sharedBucketFor(policy)
  if (!shared || user === undefined) return [bucket]
  return [bucketOf(bucket.policy, userOwner(user)), shared]
}
