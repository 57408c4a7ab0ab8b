import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import type { Bucket, BucketStore, Policy, Verdict } from '../bucket/bucket.js'

const MAX_DENIALS = 10_000
/** Redis is asked again at least this often, in case an announcement was missed. One call a minute costs nothing. */
const MAX_TRUST_MS = 60_000

interface CachedDenial {
  policy: Policy
  verdict: Verdict
  /**
   * From this instant the bucket may have a token. It is counted from before the take was sent, so it is never too
   * late.
   */
  untilMs: number
  /**
   * From this instant the client is certainly admitted. It is counted from after the reply, so it is never too early.
   */
  admittedAtMs: number
}

export interface DenyCache extends BucketStore {
  /** Drops the cached denial of one bucket, or all of them, and nothing else. */
  forgetDenials: (key?: string) => void
}

/**
 * Refills come at known instants, so a refusal holds until the next refill. Until then it is answered from memory.
 *
 * @param onHit called for each refusal that was answered from memory
 */
export function withDenyCache (store: BucketStore, onHit: () => void = () => {}): DenyCache {
  const denials = new LRUCache<string, CachedDenial>({ max: MAX_DENIALS })
  // If denials are forgotten while a take is under way, its verdict may be outdated. It is then not cached.
  let generation = 0

  return {
    ...store,
    forgetDenials,
    knownRefusal,

    // These functions are not `async`: each `async` function on the path of a take adds a tenth to the cost of a take.
    take (bucket) {
      const known = knownRefusal(bucket)
      if (known) return Promise.resolve(known)
      const sentAtMs = performance.now()
      const generationSent = generation
      return store.take(bucket).then((verdict) => {
        if (!verdict.allowed && generationSent === generation) remember(bucket, verdict, sentAtMs)
        return verdict
      })
    },

    async takeBoth (...buckets) {
      for (const bucket of buckets) {
        const known = knownRefusal(bucket)
        if (known) return [bucket, known]
      }
      const sentAtMs = performance.now()
      const generationSent = generation
      const [bucket, verdict] = await store.takeBoth(...buckets)
      if (!verdict.allowed && generationSent === generation) remember(bucket, verdict, sentAtMs)
      return [bucket, verdict]
    },

    async giveBack (bucket) {
      const verdict = await store.giveBack(bucket)
      // Only a bucket that had no token before this can have a cached denial.
      if (verdict.remaining <= 1) forgetDenials(bucket.key)
      return verdict
    },

    async reset (bucket) {
      const existed = await store.reset(bucket)
      forgetDenials(bucket.key)
      return existed
    },

    forget (bucket) {
      forgetDenials(bucket.key)
      store.forget(bucket)
    }
  }

  function remember ({ key, policy }: Bucket, verdict: Verdict, sentAtMs: number): void {
    denials.set(key, {
      policy,
      verdict,
      untilMs: sentAtMs + Math.min(verdict.waitMs, MAX_TRUST_MS),
      admittedAtMs: performance.now() + verdict.waitMs
    })
  }

  function forgetDenials (key?: string): void {
    generation++
    if (key === undefined) denials.clear()
    else denials.delete(key)
  }

  function knownRefusal ({ key, policy }: Bucket): Verdict | undefined {
    const known = denials.get(key)
    if (known === undefined) return undefined
    const nowMs = performance.now()
    if (known.untilMs <= nowMs || !sameLimits(known.policy, policy)) return undefined
    onHit()
    return stillRefused(known, nowMs)
  }
}

/** Every member is named, because V8 uses a slow path for a spread that later members override. */
function stillRefused ({ verdict, admittedAtMs }: CachedDenial, nowMs: number): Verdict {
  const { allowed, capacity, remaining, fullMs } = verdict
  const waitMs = Math.ceil(admittedAtMs - nowMs)
  const elapsedMs = verdict.waitMs - waitMs
  return { allowed, capacity, remaining, waitMs, nextMs: waitMs, fullMs: fullMs - elapsedMs }
}

function sameLimits (a: Policy, b: Policy): boolean {
  return a === b || (a.capacity === b.capacity && a.refill === b.refill && a.periodMs === b.periodMs)
}
