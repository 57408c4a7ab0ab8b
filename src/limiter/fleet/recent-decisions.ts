import type { Count, Counters } from '../../base/series.js'

const COLUMN_MS = 5000
/** Five minutes, and the column that is not over yet. */
const COLUMNS = 61

/** How many takes were decided in each column of the last five minutes, for each policy that was used in them. */
export interface RecentDecisions {
  /** The number of the last column, which is not over yet: columns of 5 s since 1970, by the replica's clock. */
  column: number
  /** Oldest column first. */
  policies: Record<string, Partial<Record<'admitted' | 'refused', number[]>>>
}

/** @returns a function that counts what was decided since its last call; to be called about once a second */
export function createRecentDecisions (decisions: Counters): () => RecentDecisions {
  const kept = new Map<Count, { total: number, columns: number[] }>()
  let column = columnNow()

  return () => {
    const passed = Math.min(COLUMNS, Math.max(0, columnNow() - column))
    column += passed
    const policies: RecentDecisions['policies'] = {}
    for (const count of decisions.all()) {
      const { policy, outcome } = count.labels
      if (outcome !== 'admitted' && outcome !== 'refused') continue
      const { total, columns } = kept.get(count) ?? { total: 0, columns: Array<number>(COLUMNS).fill(0) }
      const moved = [...columns.slice(passed), ...Array<number>(passed).fill(0)]
      moved[COLUMNS - 1]! += count.value - total
      kept.set(count, { total: count.value, columns: moved })
      if (moved.some(decided => decided > 0)) (policies[policy!] ??= {})[outcome] = moved
    }
    return { column, policies }
  }
}

const columnNow = (): number => Math.floor(Date.now() / COLUMN_MS)
