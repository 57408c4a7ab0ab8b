import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import type { Bucket, Layer, Policy, Verdict } from '../bucket/bucket.js'

const MAX_DENIALS = 10_000
/** Redis is asked again at least this often, in case an announcement was missed. One call a minute costs nothing. */
const MAX_TRUST_MS = 60_000

interface CachedDenial {
  policy: Policy
  verdict: Verdict
  /** From this instant the bucket may have a token: never too late, because it counts from before the take was sent. */
  untilMs: number
  /** From this instant the client is certainly admitted: never too early, because it counts from after the reply. */
  admittedAtMs: number
}

/** The refusals that are known. */
export interface Denials {
  /** The verdict, as of now. */
  of: (bucket: Bucket) => Verdict | undefined
  /** To be called before a take is sent. @returns what remembers its refusal, unless denials were forgotten since */
  begin: () => (bucket: Bucket, verdict: Verdict) => void
  /** Drops the cached denial of one bucket, or all of them. */
  forget: (key?: string) => void
}

export function createDenials (): Denials {
  const denials = new LRUCache<string, CachedDenial>({ max: MAX_DENIALS })
  let generation = 0

  return {
    of ({ key, policy }) {
      const known = denials.get(key)
      if (known === undefined) return undefined
      const nowMs = performance.now()
      return known.untilMs > nowMs && known.policy === policy ? stillRefused(known, nowMs) : undefined
    },

    begin () {
      const sentAtMs = performance.now()
      const generationSent = generation
      return ({ key, policy }, verdict) => {
        if (generationSent !== generation) return
        denials.set(key, {
          policy,
          verdict,
          untilMs: sentAtMs + Math.min(verdict.waitMs, MAX_TRUST_MS),
          admittedAtMs: performance.now() + verdict.waitMs
        })
      }
    },

    forget (key) {
      generation++
      if (key === undefined) denials.clear()
      else denials.delete(key)
    }
  }
}

/**
 * Refills come at known instants, so a refusal holds until the next refill. Until then it is answered from memory.
 *
 * @param onHit called for each refusal that was answered from memory
 */
export const denyCache = (denials: Denials, onHit?: () => void) => (next: Layer): Layer => {
  function knownRefusal (bucket: Bucket): Verdict | undefined {
    const known = denials.of(bucket)
    if (known) onHit?.()
    return known
  }

  return {
    knownRefusal,
    peek: next.peek,

    take (bucket, resolve, reject) {
      const known = knownRefusal(bucket)
      if (known) return resolve(known)
      const remember = denials.begin()
      next.take(bucket, (verdict) => {
        if (!verdict.allowed) remember(bucket, verdict)
        resolve(verdict)
      }, reject)
    },

    giveBack: (bucket, resolve, reject) => next.giveBack(bucket, (verdict) => {
      // Only a bucket that had no token before this can have a cached denial.
      if (verdict.remaining <= 1) denials.forget(bucket.key)
      resolve(verdict)
    }, reject),

    async reset (bucket) {
      try {
        return await next.reset(bucket)
      } finally {
        // Also after a reset that failed, because it may have taken effect.
        denials.forget(bucket.key)
      }
    }
  }
}

/** Every member is named, because V8 uses a slow path for a spread that later members override. */
function stillRefused ({ verdict, admittedAtMs }: CachedDenial, nowMs: number): Verdict {
  const { allowed, capacity, remaining, fullMs } = verdict
  const waitMs = Math.ceil(admittedAtMs - nowMs)
  const elapsedMs = verdict.waitMs - waitMs
  return { allowed, capacity, remaining, waitMs, nextMs: waitMs, fullMs: fullMs - elapsedMs }
}
