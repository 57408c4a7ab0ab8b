import type { TakeFeed } from '../limiter/fleet/take-feed.js'

const SLOT_MS = 5000
const SLOTS = 12
/** A client that was refused within this many slots counts as refused now. */
const RECENT_SLOTS = 3
/** Each replica reports its hundred most refused buckets every second. */
const MAX_ROWS = 10_000
const MAX_SHOWN = 50

/** A bucket whose client is being refused. */
export interface RefusedRow {
  policy: string
  client: string
  /** Refusals of the last minute, by all replicas. */
  count: number
}

/** Adds up the refusals of all replicas from now until it is ended. */
export function watchRefused (takes: Pick<TakeFeed, 'watchRefusals'>): { rows: () => RefusedRow[], end: () => void } {
  /** By the number of the slot, and by the name of the bucket. */
  const slots = new Map<number, Map<string, RefusedRow>>()
  const slotNow = (): number => Math.floor(performance.now() / SLOT_MS)

  const end = takes.watchRefusals(({ entries }) => {
    const now = slotNow()
    const slot = slots.get(now) ?? new Map<string, RefusedRow>()
    slots.set(now, slot)
    for (const { policy, owner: client, count } of entries) add(slot, { policy, client, count })
    for (const old of slots.keys()) if (old <= now - SLOTS) slots.delete(old)
  })

  return {
    end,
    rows () {
      const now = slotNow()
      const sums = new Map<string, RefusedRow>()
      const recent = new Set<string>()
      for (const [number, slot] of slots) {
        if (number <= now - SLOTS) continue
        for (const row of slot.values()) add(sums, row)
        if (number > now - RECENT_SLOTS) for (const key of slot.keys()) recent.add(key)
      }
      const rows = [...sums].filter(([key]) => recent.has(key)).map(([, row]) => row)
      return rows.sort((a, b) => b.count - a.count).slice(0, MAX_SHOWN)
    }
  }
}

function add (rows: Map<string, RefusedRow>, { policy, client, count }: RefusedRow): void {
  const key = `${policy}:${client}`
  const known = rows.get(key)
  if (known) known.count += count
  else if (rows.size < MAX_ROWS) rows.set(key, { policy, client, count })
}
