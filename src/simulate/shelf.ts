/** What is stored for a bucket, or for several that belong together. */
export interface Kept { fullAtMs: number }

/** At most `max` buckets, by key. */
export interface Shelf<Value extends Kept> {
  get: (key: string) => Value | undefined
  set: (key: string, value: Value, nowMs: number) => void
  delete: (key: string) => void
  /** How many were dropped before they were full. Their clients are then admitted too often. */
  dropped: () => number
}

/** With fewer buckets, it is not worth searching for full ones. */
const MIN_SWEPT = 4096

/** How much stays in use when there is no room left. */
const SHARE_KEPT = 0.9

/**
 * Full buckets are dropped whenever there are twice as many buckets as after the last sweep. That changes nothing,
 * because a bucket that is not stored is full. If there is still no room, the buckets that will be full soonest are
 * dropped.
 */
export function createShelf<Value extends Kept> (max: number): Shelf<Value> {
  const buckets = new Map<string, Value>()
  let sweptAt = Math.min(max, MIN_SWEPT)
  let dropped = 0

  function sweep (nowMs: number): void {
    for (const [key, { fullAtMs }] of buckets) if (fullAtMs <= nowMs) buckets.delete(key)
    if (buckets.size >= max * SHARE_KEPT) makeRoom()
    sweptAt = Math.min(max, Math.max(MIN_SWEPT, 2 * buckets.size))
  }

  function makeRoom (): void {
    const surplus = buckets.size - Math.floor(max * SHARE_KEPT)
    if (surplus <= 0) return
    const lastMs = Float64Array.from(buckets.values(), ({ fullAtMs }) => fullAtMs).sort()[surplus - 1]!
    for (const [key, { fullAtMs }] of buckets) {
      if (fullAtMs > lastMs) continue
      buckets.delete(key)
      dropped++
    }
  }

  return {
    get: key => buckets.get(key),
    set (key, value, nowMs) {
      if (buckets.size >= sweptAt && !buckets.has(key)) sweep(nowMs)
      buckets.set(key, value)
    },
    delete (key) {
      buckets.delete(key)
    },
    dropped: () => dropped
  }
}
