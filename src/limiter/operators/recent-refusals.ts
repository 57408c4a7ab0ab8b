import { isAccountPolicy } from '../limits/policies.js'
import type { RefusedTakes, TakeReport } from '../fleet/watch.js'

/** Older refusals are no longer an incident. */
const WINDOW_SECONDS = 10

/** How often the client of a bucket was refused by all replicas. */
export interface RefusedClient {
  policy: string
  client: string
  count: number
  /** What refused: a limit, the block of a network, or the account throttle. */
  outcome: 'refused' | 'blocked' | 'throttled'
}

/** Who was refused lately. */
export interface RecentRefusals {
  /** How many replicas have reported. */
  replicas: number
  /** How long ago the oldest refusals may be. */
  seconds: number
  /** The most refused first. */
  refused: RefusedClient[]
  /** How many refusals the reports name no bucket of. */
  more: number
}

/** Keeps the reports of the last ten seconds. */
export function createRecentRefusals () {
  let reports: Array<TakeReport<RefusedTakes> & { atMs: number }> = []

  return {
    add (report: TakeReport<RefusedTakes>): void {
      reports.push({ ...report, atMs: performance.now() })
    },

    now (): RecentRefusals {
      const sinceMs = performance.now() - WINDOW_SECONDS * 1000
      reports = reports.filter(({ atMs }) => atMs >= sinceMs)
      return {
        replicas: new Set(reports.map(({ replica }) => replica)).size,
        seconds: WINDOW_SECONDS,
        refused: summedUp(reports.flatMap(({ entries }) => entries)),
        more: reports.reduce((sum, { more }) => sum + more, 0)
      }
    }
  }
}

export const outcomeOf = ({ policy, blocked }: Pick<RefusedTakes, 'policy' | 'blocked'>): RefusedClient['outcome'] =>
  blocked ? 'blocked' : isAccountPolicy(policy) ? 'throttled' : 'refused'

function summedUp (refusals: RefusedTakes[]): RefusedClient[] {
  const sums = new Map<string, RefusedClient>()
  for (const refusal of refusals) {
    const { policy, owner: client, count } = refusal
    const outcome = outcomeOf(refusal)
    const key = `${policy}:${client}:${outcome}`
    sums.set(key, { policy, client, count: count + (sums.get(key)?.count ?? 0), outcome })
  }
  return [...sums.values()].sort((a, b) => b.count - a.count)
}
