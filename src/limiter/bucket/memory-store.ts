import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import { giveBack, peek, take, type Outcome, type Stored } from './algorithm.js'
import { storeOf, type Ask, type Bucket, type BucketStore, type Policy } from './bucket.js'
import { fits, parseBucketKey } from './key.js'

/** About 20 MB when full. When there are more, the least recently used bucket is dropped, which makes it full. */
export const MAX_BUCKETS = 100_000

/**
 * Buckets in the memory of this process, with the same verdicts as lua/take.lua. Their clock is monotonic. `forget`
 * drops a bucket, which makes it full.
 */
export function createMemoryStore (): BucketStore & { forget: (bucket: Pick<Bucket, 'key'>) => boolean } {
  const buckets = new LRUCache<string, Stored>({ max: MAX_BUCKETS })
  const forget = ({ key }: Pick<Bucket, 'key'>): boolean => buckets.delete(key)

  type Change = (stored: Stored | undefined, policy: Policy, nowMs: number) => Outcome
  const changedBy = (change: Change): Ask => ({ key, policy }, resolve) => {
    const before = buckets.get(key)
    const { verdict, stored } = change(before, policy, nowMs())
    if (stored === undefined) buckets.delete(key)
    else if (stored !== before) buckets.set(key, stored)
    resolve(verdict)
  }

  const store = storeOf({
    take: changedBy(take),
    peek: ({ key, policy }, resolve) => resolve(peek(buckets.get(key), policy, nowMs())),
    giveBack: changedBy(giveBack),
    async reset ({ key }) {
      const { fullAtMs = 0 } = buckets.peek(key) ?? {}
      return forget({ key }) && fullAtMs > nowMs()
    },
    knownRefusal: () => undefined
  }, {
    async * list (filter = {}) {
      for (const [key, { fullAtMs }] of buckets.entries()) {
        const name = parseBucketKey(key)
        if (name && fullAtMs > nowMs() && fits(name, filter)) yield name
      }
    },

    async close () { buckets.clear() }
  })
  return { ...store, forget }
}

const nowMs = (): number => Math.floor(performance.now())
