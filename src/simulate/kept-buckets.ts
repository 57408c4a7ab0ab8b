import { LRUCache } from 'lru-cache'

/**
 * At most `max` buckets by key. Those that were not used for longest are dropped: most of them are full by then, and a
 * bucket that is not kept is full, too. The others are counted, because their clients are admitted too often then.
 */
export function keepBuckets<Kept extends { fullAtMs: number }> (max: number) {
  let nowMs = 0
  let dropped = 0
  const buckets = new LRUCache<string, Kept>({
    max,
    dispose ({ fullAtMs }, _key, reason) {
      if (reason === 'evict' && fullAtMs > nowMs) dropped++
    }
  })

  return {
    get: (key: string): Kept | undefined => buckets.get(key),
    set (key: string, value: Kept, atMs: number): void {
      nowMs = atMs
      buckets.set(key, value)
    },
    delete: (key: string): boolean => buckets.delete(key),
    dropped: (): number => dropped
  }
}
