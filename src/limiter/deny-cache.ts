import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import type { BucketStore, Policy, Verdict } from './bucket.js'
import { bucketKey } from './key.js'

const MAX_REFUSALS = 10_000
/** A refusal is asked for anew at least this often, whatever was announced or missed: one call a minute costs nothing. */
const MAX_TRUST_MS = 60_000

interface KnownRefusal {
  policy: Policy
  verdict: Verdict
  /** From here on the bucket may have a token: counted from before the take was sent, so never too late. */
  untilMs: number
  /** From here on the client is sure to be admitted: counted from after the reply, so never too early. */
  admittedAtMs: number
}

export interface DenyCache extends BucketStore {
  /** Forgets one bucket's refusal, or all of them, and nothing else. */
  forgetDenials: (key?: string) => void
}

/**
 * Refills come at known instants, so a refusal holds until the next one: until then it is answered from memory. Only
 * takes of one token, the cost of every request, are kept, because a refusal of more says nothing about fewer.
 *
 * @param onHit called for each refusal that was answered from memory
 */
export function withDenyCache (store: BucketStore, onHit: () => void = () => {}): DenyCache {
  const refusals = new LRUCache<string, KnownRefusal>({ max: MAX_REFUSALS })
  // A verdict that was under way while something was forgotten is from before, and is not kept.
  let generation = 0

  function forgetDenials (key?: string): void {
    generation++
    if (key === undefined) refusals.clear()
    else refusals.delete(key)
  }

  async function giveBack (policy: Policy, client: string, cost: number, key: string): Promise<Verdict> {
    const verdict = await store.take(policy, client, cost)
    // Only a bucket that had no token can have been refused from.
    if (verdict.remaining <= -cost) forgetDenials(key)
    return verdict
  }

  function knownRefusal (policy: Policy, client: string): Verdict | undefined {
    const known = refusals.get(bucketKey({ policy: policy.name, client }))
    if (known === undefined) return undefined
    const nowMs = performance.now()
    if (known.untilMs <= nowMs || !sameLimits(known.policy, policy)) return undefined
    onHit()
    return stillRefused(known, nowMs)
  }

  return {
    ...store,
    forgetDenials,
    knownRefusal,

    forget (id) {
      forgetDenials(bucketKey(id))
      store.forget(id)
    },

    async take (policy, client, cost = 1) {
      if (cost === 0 || cost > 1) return await store.take(policy, client, cost)
      const key = bucketKey({ policy: policy.name, client })
      if (cost < 0) return await giveBack(policy, client, cost, key)
      const known = knownRefusal(policy, client)
      if (known) return known
      const sentAtMs = performance.now()
      const generationSent = generation
      const verdict = await store.take(policy, client)
      if (!verdict.allowed && generationSent === generation) {
        refusals.set(key, {
          policy,
          verdict,
          untilMs: sentAtMs + Math.min(verdict.waitMs, MAX_TRUST_MS),
          admittedAtMs: performance.now() + verdict.waitMs
        })
      }
      return verdict
    },

    async reset (id) {
      const existed = await store.reset(id)
      forgetDenials(bucketKey(id))
      return existed
    }
  }
}

function stillRefused ({ verdict, admittedAtMs }: KnownRefusal, nowMs: number): Verdict {
  const waitMs = Math.ceil(admittedAtMs - nowMs)
  const elapsedMs = verdict.waitMs - waitMs
  return { ...verdict, waitMs, nextMs: waitMs, fullMs: verdict.fullMs - elapsedMs }
}

function sameLimits (a: Policy, b: Policy): boolean {
  return a === b || (a.capacity === b.capacity && a.refill === b.refill && a.periodMs === b.periodMs)
}
