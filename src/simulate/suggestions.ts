import type { Policy } from '../limiter/bucket/bucket.js'
import { take, type Stored } from '../limiter/bucket/algorithm.js'
import { numbersOf, type Limits } from '../limiter/limits/policies.js'
import type { Numbers } from '../limiter/limits/row-schema.js'
import { createBucketTable } from './kept-buckets.js'
import type { Replayed } from './replay.js'
import type { TimedRequest } from '../access-log/requests.js'

/** About 30 MB when full, if most clients send few requests. */
const MAX_BUCKETS = 50_000

const DIGITS = [10, 12, 15, 20, 25, 30, 40, 50, 60, 80]

/** The capacities that are tried: 1 to 9, then steps of about 25 % up to the largest possible one. */
export const CAPACITIES = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, ...[1, 10, 100, 1000, 10_000].flatMap(unit => DIGITS.map(digit => digit * unit)), 1_000_000
]

export interface Suggestion {
  policy: string
  /** Set for a limit that only this network has. */
  network?: string
  now: Numbers
  /** Requests that the log did not refuse (429) and that did not fail (5xx). */
  good: number
  /** The smallest capacity that refuses less than the share; null if there is none. */
  capacity: number | null
  /** How many of the good requests this capacity refuses. */
  refused: number
}

interface CapacityTrial {
  row: Pick<Suggestion, 'policy' | 'network' | 'now'>
  /** The same refill with each capacity that is tried, ascending. */
  policies: Policy[]
  good: number
  /** How many good requests each capacity refuses. */
  refused: number[]
}

/** One client's bucket under every capacity. */
interface ClientBuckets {
  largest: Stored | undefined
  /**
   * The buckets of smaller capacities that have refused since all were full. Any other one lacks the same as the
   * largest.
   */
  own: Array<Stored | undefined>
  fullAtMs: number
}

/**
 * Tries all capacities in one pass. A bucket that has refused nothing lacks as many tokens as a larger one. So a client
 * with few requests needs only one bucket here, and only a client with many requests needs several.
 */
export function createSuggestions (limits: Limits) {
  const kept = createBucketTable<ClientBuckets>(MAX_BUCKETS)
  const trials = new Map<Policy, CapacityTrial>()
  const rows = [limits.policies, ...limits.networks.map(({ overrides }) => overrides)]
  for (const [i, row] of rows.entries()) {
    for (const policy of Object.values(row)) {
      if (typeof policy !== 'object') continue
      const network = limits.networks[i - 1]?.text
      trials.set(policy, trialOf(policy, network))
      if (policy.address) trials.set(policy.address, trialOf(policy.address, network))
    }
  }

  function addTo (trial: CapacityTrial, key: string, { timeMs, count }: TimedRequest, good: boolean): void {
    const buckets = takeUnderEach(trial, kept.get(key), count, timeMs, (i, refused) => {
      if (good) trial.refused[i]! += refused
    })
    if (good) trial.good += count
    kept.set(key, buckets, timeMs)
  }

  return {
    add (request: TimedRequest, { buckets }: Replayed): void {
      const good = request.status !== 429 && request.status < 500
      for (const { key, policy } of buckets) {
        const trial = trials.get(policy)
        if (trial) addTo(trial, key, request, good)
      }
    },

    /** @param share of the good requests, from 0 to 1 */
    best: (share: number): Suggestion[] => [...trials].filter(([, { good }]) => good > 0)
      .map(([, trial]) => bestOf(trial, share)),
    dropped: kept.dropped
  }
}

function trialOf (policy: Policy, network: string | undefined): CapacityTrial {
  const { name, refill, periodMs } = policy
  const policies = CAPACITIES.filter(capacity => capacity >= refill)
    .map(capacity => ({ name, capacity, refill, periodMs }))
  const row = { policy: name, ...network !== undefined && { network }, now: numbersOf(policy) }
  return { row, policies, good: 0, refused: policies.map(() => 0) }
}

function takeUnderEach (
  { policies }: CapacityTrial, before: ClientBuckets | undefined, count: number, nowMs: number,
  onRefusal: (i: number, refused: number) => void
): ClientBuckets {
  const allFull = before === undefined || before.fullAtMs <= nowMs
  const own = allFull ? [] : before.own
  const earlier = allFull ? undefined : before.largest
  const { stored: largest, taken: most } = take(earlier, policies.at(-1)!, nowMs, count)
  if (most < count) onRefusal(policies.length - 1, count - most)
  let fullAtMs = largest?.fullAtMs ?? 0
  for (let i = 0; i < policies.length - 1; i++) {
    const policy = policies[i]!
    const parted = i < own.length
    if (!parted && largest!.lacked <= policy.capacity) break
    const { stored, taken } = take(parted ? own[i] : earlier, policy, nowMs, count)
    if (taken < count) onRefusal(i, count - taken)
    own[i] = stored
    fullAtMs = Math.max(fullAtMs, stored?.fullAtMs ?? 0)
  }
  return { largest, own, fullAtMs }
}

function bestOf ({ row, policies, good, refused }: CapacityTrial, share: number): Suggestion {
  const best = refused.findIndex(count => count < share * good)
  return {
    ...row,
    good,
    capacity: best === -1 ? null : policies[best]!.capacity,
    refused: refused.at(best)!
  }
}
