import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import { giveBack, peek, take, type Stored } from './algorithm.js'
import {
  BucketStore, type Ask, type Bucket, type BucketFilter, type BucketName, type Buckets, type Layer, type Verdict
} from './bucket.js'
import { matchesFilter, parseBucketKey } from './key.js'

/** About 20 MB when full. When there are more, the least recently used bucket is dropped, which makes it full. */
const MAX_BUCKETS = 100_000

/** Buckets in the memory of this process, with the same verdicts as lua/take.lua. Their clock is monotonic. */
export class MemoryBuckets implements Buckets {
  readonly #buckets = new LRUCache<string, Stored>({ max: MAX_BUCKETS })

  readonly take: Ask = (bucket, resolve) => resolve(this.#change(take, bucket))
  readonly peek: Ask = ({ key, policy }, resolve) => resolve(peek(this.#buckets.get(key), policy, nowMs()))
  readonly giveBack: Ask = (bucket, resolve) => resolve(this.#change(giveBack, bucket))

  readonly reset: Layer['reset'] = async (bucket) => {
    const { fullAtMs = 0 } = this.#buckets.peek(bucket.key) ?? {}
    return this.forget(bucket) && fullAtMs > nowMs()
  }

  /** Drops a bucket, which makes it full. @returns false if there was none */
  readonly forget = ({ key }: Pick<Bucket, 'key'>): boolean => this.#buckets.delete(key)

  async * list (filter: BucketFilter = {}): AsyncIterable<BucketName> {
    for (const [key, { fullAtMs }] of this.#buckets.entries()) {
      const name = parseBucketKey(key)
      if (name && fullAtMs > nowMs() && matchesFilter(name, filter)) yield name
    }
  }

  async close (): Promise<void> { this.#buckets.clear() }

  #change (change: typeof giveBack, { key, policy }: Bucket): Verdict {
    const before = this.#buckets.get(key)
    const { verdict, stored } = change(before, policy, nowMs())
    if (stored === undefined) this.#buckets.delete(key)
    else if (stored !== before) this.#buckets.set(key, stored)
    return verdict
  }
}

export function createMemoryStore (): BucketStore {
  const buckets = new MemoryBuckets()
  return new BucketStore(buckets, buckets)
}

const nowMs = (): number => Math.floor(performance.now())
