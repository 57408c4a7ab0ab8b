import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import type { Ask, Bucket, Front, Layer, Policy, Verdict } from '../bucket/bucket.js'

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

/** Refills come at known instants, so a refusal holds until the next refill. Until then it is answered from memory. */
export class DenyCache implements Front {
  readonly #denials = new LRUCache<string, CachedDenial>({ max: MAX_DENIALS })
  /** How often denials were forgotten. What was asked before that is not remembered. */
  #generation = 0

  /** @param onHit called for each refusal that was answered from memory */
  constructor (private readonly next: Layer, private readonly onHit?: () => void) {}

  readonly take: Ask = (bucket, resolve, reject) => {
    const refusal = this.refuseAtOnce(bucket)
    if (refusal) return resolve(refusal)
    const sentAtMs = performance.now()
    const generation = this.#generation
    this.next.take(bucket, (verdict) => {
      if (!verdict.allowed && generation === this.#generation) this.#remember(bucket, verdict, sentAtMs)
      resolve(verdict)
    }, reject)
  }

  readonly peek: Ask = (bucket, resolve, reject) => this.next.peek(bucket, resolve, reject)

  readonly giveBack: Ask = (bucket, resolve, reject) => this.next.giveBack(bucket, (verdict) => {
    // Only a bucket that had no token before this can have a cached denial.
    if (verdict.remaining <= 1) this.forget(bucket.key)
    resolve(verdict)
  }, reject)

  readonly reset: Layer['reset'] = async (bucket) => {
    try {
      return await this.next.reset(bucket)
    } finally {
      // Also after a reset that failed, because it may have taken effect.
      this.forget(bucket.key)
    }
  }

  readonly refuseAtOnce = ({ key, policy }: Bucket): Verdict | undefined => {
    const known = this.#denials.get(key)
    if (known === undefined) return undefined
    const nowMs = performance.now()
    if (known.untilMs <= nowMs || known.policy !== policy) return undefined
    this.onHit?.()
    return stillRefused(known, nowMs)
  }

  /** Drops the cached denial of one bucket, or all of them. */
  forget (key?: string): void {
    this.#generation++
    if (key === undefined) this.#denials.clear()
    else this.#denials.delete(key)
  }

  #remember ({ key, policy }: Bucket, verdict: Verdict, sentAtMs: number): void {
    this.#denials.set(key, {
      policy,
      verdict,
      untilMs: sentAtMs + Math.min(verdict.waitMs, MAX_TRUST_MS),
      admittedAtMs: performance.now() + verdict.waitMs
    })
  }
}

/** Every member is named, because V8 uses a slow path for a spread that later members override. */
function stillRefused ({ verdict, admittedAtMs }: CachedDenial, nowMs: number): Verdict {
  const { allowed, capacity, remaining, fullMs } = verdict
  const waitMs = Math.ceil(admittedAtMs - nowMs)
  const elapsedMs = verdict.waitMs - waitMs
  return { allowed, capacity, remaining, waitMs, nextMs: waitMs, fullMs: fullMs - elapsedMs }
}
