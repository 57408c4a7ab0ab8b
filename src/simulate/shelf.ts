/** What is kept of a bucket, or of several that belong together. */
export interface Kept { fullAtMs: number }

/** Buckets by key, of which there are never more than `max`. */
export interface Shelf<Value extends Kept> {
  get: (key: string) => Value | undefined
  set: (key: string, value: Value, nowMs: number) => void
  delete: (key: string) => void
  /** How many were dropped although they were not full: their clients are admitted too often. */
  dropped: () => number
}

/** Fewer are not worth looking for full ones. */
const MIN_SWEPT = 4096

/** When there is no more room, so much of it stays in use. */
const SHARE_KEPT = 0.9

/**
 * Full buckets go whenever there are twice as many as were left the last time. That changes nothing, since a bucket of
 * which nothing is kept is full. If there is still no room, those go that are full soonest.
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
