import { setTimeout as sleep } from 'node:timers/promises'
import type { BucketStore, Policy, Verdict } from '../bucket/bucket.js'
import { bucketOf } from '../bucket/key.js'
import { CANARY_NAME } from '../limits/policies.js'

/** A run takes one second, and its bucket is full again three seconds after the run began. */
export const CANARY: Policy = { name: CANARY_NAME, capacity: 2, refill: 1, periodMs: 1000 }

/** How far the clocks of Redis and of this process may drift apart in a second, plus rounding. */
const SLACK_MS = 20
/** The pause before a failed run is repeated. The circuit breaker has tried Redis several times by then. */
const PAUSE_MS = 1000
/** A timer of Node may fire a fraction of a ms too early, and Redis counts whole ms. */
const ROUNDING_MS = 5

/** What answers: Redis, the local share of an outage, or the memory of a process without Redis. */
export type AnsweredBy = 'redis' | 'local' | 'memory'

export interface CanaryOptions {
  /** The replica's own store: what clients take from. */
  store: BucketStore
  /** The replica's name, so that no two replicas use the same bucket. */
  name: string
  /** What answers for this key at the moment. */
  source: (key: string) => AnsweredBy
  /** The expiry of the key in Redis, in ms. It is called only while Redis answers. */
  expiryMs: (key: string) => Promise<number>
  /** Why some clients were admitted without a limit since the last call; undefined if none were. */
  unlimited: () => string | undefined
}

/**
 * The canary: this replica tests a bucket of its own in the same way as clients use theirs.
 *
 * @returns a function that runs the canary, and throws an error that says what is wrong. A failed run is repeated once,
 * because a single fault may be a coincidence, such as a lost reply. Clients that were admitted without a limit since
 * the last run are no coincidence, so they cause no repetition
 */
export function createCanary (options: CanaryOptions): (signal: AbortSignal) => Promise<AnsweredBy> {
  return async (signal) => {
    const by = await provenAtLast(options, signal)
    const reason = options.unlimited()
    if (reason !== undefined) throw new Error(reason)
    return by
  }
}

async function provenAtLast (options: CanaryOptions, signal: AbortSignal): Promise<AnsweredBy> {
  try {
    return await tryLimits(options, signal)
  } catch {
    await sleep(PAUSE_MS, undefined, { signal })
    return await tryLimits(options, signal)
  }
}

async function tryLimits (
  { store, name, source, expiryMs }: CanaryOptions, signal: AbortSignal
): Promise<AnsweredBy> {
  const bucket = bucketOf(CANARY, name)
  const wait = (ms: number): Promise<void> => sleep(ms + ROUNDING_MS, undefined, { signal })

  // The bucket may still lack the tokens of the last run. No cached denial can answer afterwards, because each of them
  // ends within a period.
  const { fullMs } = await store.peek(bucket)
  await wait(fullMs)

  // The takes are sent together, so that they are one script call and no refill comes between them.
  const sentAtMs = performance.now()
  const verdicts = await Promise.all(Array.from({ length: CANARY.capacity + 1 }, () => store.take(bucket)))
  const by = source(bucket.key)
  const refusal = mustRefuse(verdicts, by, performance.now() - sentAtMs)
  if (by === 'redis') mustExpire(await expiryMs(bucket.key), refusal, performance.now() - sentAtMs)

  // A client that waits for this time has to be admitted.
  await wait(refusal.waitMs)
  const { allowed } = await store.take(bucket)
  if (!allowed) throw new Error('a take was refused although it waited for its token')
  return by
}

/** @returns the refusal, after checking its wait */
function mustRefuse (verdicts: Verdict[], by: AnsweredBy, elapsedMs: number): Verdict {
  const { capacity, periodMs } = CANARY
  const admitted = verdicts.filter(({ allowed }) => allowed).length
  // During an outage the local share may be smaller than the capacity.
  const fits = by === 'local' ? admitted >= 1 && admitted <= capacity : admitted === capacity
  if (!fits) throw new Error(`${admitted} of ${verdicts.length} takes from a bucket of ${capacity} were admitted`)
  const refusal = verdicts.find(({ allowed }) => !allowed)!
  if (refusal.waitMs > periodMs || refusal.waitMs < periodMs - elapsedMs - SLACK_MS) {
    const after = `${Math.round(elapsedMs)} ms after the first take`
    throw new Error(`a refusal said to wait ${refusal.waitMs} ms, ${after} from a bucket that gets a token a second`)
  }
  return refusal
}

/** @param expiryMs negative for a key without an expiry, or for no key */
function mustExpire (expiryMs: number, { fullMs }: Verdict, elapsedMs: number): void {
  if (expiryMs <= fullMs && expiryMs >= fullMs - elapsedMs - SLACK_MS) return
  throw new Error(`a bucket that is full in ${fullMs} ms has in Redis the expiry ${expiryMs} ms`)
}
