import { dropLeast } from '../base/drop-least.js'

/** Full buckets are dropped when there are twice as many buckets as after the last time, and this many more. */
const MIN_KEPT = 1000

/**
 * At most `max` buckets by key. Those that are full are dropped, because a bucket that is not kept is full, too. If too
 * many are left, those that would be full soonest are dropped. They are counted, because their clients are admitted too
 * often then.
 */
export function createBucketTable<Kept extends { fullAtMs: number }> (max: number) {
  const buckets = new Map<string, Kept>()
  let dropAt = Math.min(max, MIN_KEPT)
  let dropped = 0

  function drop (nowMs: number): void {
    for (const [key, { fullAtMs }] of buckets) if (fullAtMs <= nowMs) buckets.delete(key)
    const tooMany = buckets.size - max / 2
    if (tooMany > 0) {
      dropLeast(buckets, tooMany, ({ fullAtMs }) => fullAtMs)
      dropped += tooMany
    }
    dropAt = Math.min(max, 2 * buckets.size + MIN_KEPT)
  }

  return {
    get: (key: string): Kept | undefined => buckets.get(key),
    set (key: string, value: Kept, atMs: number): void {
      if (buckets.size >= dropAt) drop(atMs)
      buckets.set(key, value)
    },
    delete: (key: string): boolean => buckets.delete(key),
    dropped: (): number => dropped
  }
}
