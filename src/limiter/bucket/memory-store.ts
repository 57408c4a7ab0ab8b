import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import { assertTokens, type Bucket, type TokenStore, type Verdict } from './bucket.js'
import { decide, type Stored } from './algorithm.js'
import { parseBucketKey } from './key.js'

/** About 20 MB when full. When there are more, the least recently used bucket is dropped, which makes it full. */
export const MAX_BUCKETS = 100_000

/** Buckets in the memory of this process, with the same verdicts as lua/take.lua. Their clock is monotonic. */
export function createMemoryStore (): TokenStore {
  const buckets = new LRUCache<string, Stored>({ max: MAX_BUCKETS })

  /** @param cost as in lua/take.lua: 0 looks, a negative one gives back */
  function change (bucket: Bucket, cost: number, dueMs?: number): Verdict {
    const { verdict, keep } = decided(bucket, cost, dueMs)
    keep()
    return verdict
  }

  function decided ({ key, policy }: Bucket, cost: number, dueMs?: number): { verdict: Verdict, keep: () => void } {
    const stored = buckets.get(key)
    const { verdict, kept } = decide(stored, policy, cost, Math.floor(performance.now()), dueMs)
    return {
      verdict,
      keep () {
        if (kept === undefined) buckets.delete(key)
        else if (kept !== stored) buckets.set(key, kept)
      }
    }
  }

  return {
    async take (bucket, tokens = 1) {
      assertTokens(bucket.policy, tokens)
      return change(bucket, tokens)
    },

    async takeBoth (bucket, front) {
      const ofFront = decided(front, 1)
      const own = ofFront.verdict.allowed ? decided(bucket, 1) : undefined
      if (!own || own.verdict.allowed) ofFront.keep()
      own?.keep()
      return own ? [bucket, own.verdict] : [front, ofFront.verdict]
    },

    async peek (bucket) {
      return change(bucket, 0)
    },

    async giveBack (bucket, tokens = 1) {
      assertTokens(bucket.policy, tokens)
      return change(bucket, -tokens)
    },

    async charge (bucket, tokens, dueMs) {
      assertTokens(bucket.policy, tokens)
      return change(bucket, tokens, dueMs)
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
