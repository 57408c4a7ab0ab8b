import { lackingBy, verdictOf, type Policy, type Verdict } from './bucket.js'

/** What memory holds for a bucket that is not full. */
export interface Stored {
  /** Tokens that it lacked after its last take. */
  lacking: number
  fullAtMs: number
}

/**
 * The algorithm of lua/take.lua for a bucket in memory. `nowMs` may come from the process's clock or from a log.
 *
 * @param stored undefined for a full bucket
 * @param cost as in lua/take.lua: 0 looks, a negative one gives back
 * @param dueMs for a charge: the next refill comes in so many ms, or earlier
 * @returns the verdict, and what to store from now on: `stored` itself if nothing changes
 */
export function decide (
  stored: Stored | undefined, policy: Policy, cost: number, nowMs: number, dueMs?: number
): { verdict: Verdict, kept: Stored | undefined } {
  const bucket = stateOf(stored, policy, nowMs)
  const room = policy.capacity - bucket.lacking
  const taken = dueMs === undefined ? cost : Math.min(cost, Math.max(0, room))
  const allowed = taken <= room || taken <= 0
  const lacking = allowed ? Math.max(0, bucket.lacking + taken) : bucket.lacking
  const nextMs = Math.min(bucket.nextMs, dueMs ?? Infinity)
  const fullMs = lacking === 0 ? 0 : nextMs + (Math.ceil(lacking / policy.refill) - 1) * policy.periodMs
  const verdict = verdictOf(policy, cost, allowed, lacking, fullMs)
  if (lacking === 0 && cost < 0) return { verdict, kept: undefined }
  const changes = cost !== 0 && (allowed || bucket.misfit)
  return { verdict, kept: changes ? { lacking, fullAtMs: nowMs + fullMs } : stored }
}

/**
 * What a stored bucket means now, under the current policy. A misfit does not fit its policy, and a refusal repairs it.
 */
function stateOf (
  stored: Stored | undefined, policy: Policy, nowMs: number
): { lacking: number, nextMs: number, misfit: boolean } {
  const { capacity, periodMs, rivals } = policy
  const full = { lacking: 0, nextMs: periodMs, misfit: false }
  const fullMs = stored ? stored.fullAtMs - nowMs : 0
  if (!stored || fullMs <= 0) return full

  const own = lackingBy(policy, stored.lacking, fullMs)
  const lacking = Math.min(own, stored.lacking)
  // If the bucket is full later than all refills take, the time of the next refill is not known.
  const nextMs = own > stored.lacking ? periodMs : (fullMs - 1) % periodMs + 1
  if (rivals) {
    const byRivals = rivals.map(rival => lackingBy(rival, stored.lacking, fullMs))
    const most = Math.max(...byRivals.filter(tokens => tokens <= stored.lacking))
    return most > lacking ? { lacking: most, nextMs: periodMs, misfit: false } : { lacking, nextMs, misfit: false }
  }
  return { lacking: Math.min(lacking, capacity), nextMs, misfit: own > stored.lacking || lacking > capacity }
}
