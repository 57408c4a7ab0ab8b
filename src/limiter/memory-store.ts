import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import {
  assertTokens, lackingBy, verdictOf, type Bucket, type Policy, type TokenStore, type Verdict
} from './bucket.js'
import { parseBucketKey } from './key.js'

/** About 20 MB when full. The bucket that has not been used for longest goes first, and is thereby full. */
export const MAX_BUCKETS = 100_000

interface Stored { lacking: number, fullAtMs: number }

/** Buckets of this process alone, with the verdicts of lua/take.lua. Time is monotonic: no clock step touches it. */
export function createMemoryStore (): TokenStore {
  const buckets = new LRUCache<string, Stored>({ max: MAX_BUCKETS })

  /** @param cost as in lua/take.lua: 0 looks, a negative one gives back */
  function decide ({ key, policy }: Bucket, cost: number, dueMs?: number): Verdict {
    const nowMs = Math.floor(performance.now())
    const bucket = stateOf(buckets.get(key), policy, nowMs)
    const room = policy.capacity - bucket.lacking
    const taken = dueMs === undefined ? cost : Math.min(cost, Math.max(0, room))
    const allowed = taken <= room || taken <= 0
    const lacking = allowed ? Math.max(0, bucket.lacking + taken) : bucket.lacking
    const nextMs = Math.min(bucket.nextMs, dueMs ?? Infinity)
    const fullMs = lacking === 0 ? 0 : nextMs + (Math.ceil(lacking / policy.refill) - 1) * policy.periodMs
    const verdict = verdictOf(policy, cost, allowed, lacking, fullMs)
    if (lacking === 0 && cost < 0) buckets.delete(key)
    else if (cost !== 0 && (allowed || bucket.misfit)) buckets.set(key, { lacking, fullAtMs: nowMs + fullMs })
    return verdict
  }

  return {
    async take (bucket, tokens = 1) {
      assertTokens(bucket.policy, tokens)
      return decide(bucket, tokens)
    },

    async peek (bucket) {
      return decide(bucket, 0)
    },

    async giveBack (bucket, tokens = 1) {
      assertTokens(bucket.policy, tokens)
      return decide(bucket, -tokens)
    },

    async charge (bucket, tokens, dueMs) {
      assertTokens(bucket.policy, tokens)
      return decide(bucket, tokens, dueMs)
    },

    knownRefusal: () => undefined,

    async reset ({ key }) {
      return buckets.delete(key)
    },

    forget ({ key }) {
      buckets.delete(key)
    },

    async * list ({ policyName, owner } = {}) {
      const nowMs = Math.floor(performance.now())
      for (const [key, { fullAtMs }] of buckets.entries()) {
        const name = parseBucketKey(key)
        if (!name || fullAtMs <= nowMs) continue
        if (policyName !== undefined && policyName !== name.policyName) continue
        if (owner !== undefined && owner !== name.owner) continue
        yield name
      }
    },

    async close () {
      buckets.clear()
    }
  }
}

/**
 * What a stored bucket means now, under the policy that holds now. A misfit does not fit its policy, and a refusal may
 * mend it.
 */
function stateOf (
  stored: Stored | undefined, policy: Policy, nowMs: number
): { lacking: number, nextMs: number, misfit: boolean } {
  const { capacity, periodMs, rivals } = policy
  const full = { lacking: 0, nextMs: periodMs, misfit: false }
  const fullMs = stored ? stored.fullAtMs - nowMs : 0
  if (!stored || fullMs <= 0) return full

  const own = lackingBy(policy, stored.lacking, fullMs)
  const nextMs = (fullMs - 1) % periodMs + 1
  const lacking = Math.min(own, stored.lacking)
  if (rivals) {
    const byRivals = rivals.map(rival => lackingBy(rival, stored.lacking, fullMs))
    const most = Math.max(...byRivals.filter(tokens => tokens <= stored.lacking))
    return most > lacking ? { lacking: most, nextMs: periodMs, misfit: false } : { lacking, nextMs, misfit: false }
  }
  return { lacking: Math.min(lacking, capacity), nextMs, misfit: own > stored.lacking || lacking > capacity }
}
