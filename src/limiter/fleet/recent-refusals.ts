import { isAccountPolicy } from '../limits/policies.js'
import type { Refusals, Report } from './watch.js'

/** Older refusals are no longer an incident. */
export const WINDOW_MS = 10_000

/** What refused: a limit, the block of a network, or the account throttle. */
export const outcomes = ['refused', 'blocked', 'throttled'] as const

/** How often the client of a bucket was refused by all replicas. */
export interface RefusedClient { policy: string, client: string, count: number, outcome: typeof outcomes[number] }

/** Keeps the reports of the last ten seconds. */
export function recentRefusals () {
  let reports: Array<Report<Refusals> & { atMs: number }> = []

  return {
    add (report: Report<Refusals>): void {
      reports.push({ ...report, atMs: performance.now() })
    },

    /** @returns the most refused first; `more` is how many refusals the reports name no bucket of */
    now (): { replicas: number, refused: RefusedClient[], more: number } {
      const sinceMs = performance.now() - WINDOW_MS
      reports = reports.filter(({ atMs }) => atMs >= sinceMs)
      return {
        replicas: new Set(reports.map(({ replica }) => replica)).size,
        refused: summedUp(reports.flatMap(({ entries }) => entries)),
        more: reports.reduce((sum, { more }) => sum + more, 0)
      }
    }
  }
}

export const outcomeOf = ({ policy, blocked }: Pick<Refusals, 'policy' | 'blocked'>): RefusedClient['outcome'] =>
  blocked ? 'blocked' : isAccountPolicy(policy) ? 'throttled' : 'refused'

function summedUp (refusals: Refusals[]): RefusedClient[] {
  const sums = new Map<string, RefusedClient>()
  for (const refusal of refusals) {
    const { policy, owner, count } = refusal
    const outcome = outcomeOf(refusal)
    const key = `${policy}:${owner}:${outcome}`
    sums.set(key, { policy, client: owner, count: count + (sums.get(key)?.count ?? 0), outcome })
  }
  return [...sums.values()].sort((a, b) => b.count - a.count)
}
