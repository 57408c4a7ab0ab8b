import type { Policy, Refill, Verdict } from './bucket.js'

/*
 * The algorithm of lua/bucket.lua for a bucket in memory. Time is in ms, of the process's clock or of a log. A bucket
 * that is full is undefined.
 */

/** What memory holds for a bucket that is not full. */
export interface Stored extends Refill {
  /** The tokens that it lacked after its last take, which was by this refill. */
  lacked: number
  fullAtMs: number
}

/** What a bucket lacks now. */
interface Lack {
  lacking: number
  /** The tokens that it lacked after its last take; 0 if it is full. */
  lacked: number
  /** Until the next refill; 0 if it is full. */
  nextMs: number
}

interface Outcome {
  verdict: Verdict
  /** What to store from now on: `stored` itself if nothing changes. */
  stored: Stored | undefined
}

const FULL: Lack = { lacking: 0, lacked: 0, nextMs: 0 }

/** What a bucket lacks now, by the refill that took last: the tokens of all refills that are still to come. */
function lackOf (stored: Stored | undefined, nowMs: number): Lack {
  const fullMs = stored ? stored.fullAtMs - nowMs : 0
  if (!stored || fullMs <= 0) return FULL
  const { lacked, refill, periodMs } = stored
  const nextMs = (fullMs - 1) % periodMs + 1
  const lacking = (fullMs - nextMs) / periodMs * refill + (lacked - 1) % refill + 1
  // If it is full later than all refills take, the clock stepped back.
  return lacking > lacked ? { lacking: lacked, lacked, nextMs: periodMs } : { lacking, lacked, nextMs }
}

/**
 * Takes up to `wanted` tokens, one after another. A refusal changes nothing but an expiry that is too far away.
 *
 * @returns also how many of them were taken; the verdict is that of the last one
 */
export function take (
  stored: Stored | undefined, policy: Policy, nowMs: number, wanted = 1
): Outcome & { taken: number } {
  const before = lackOf(stored, nowMs)
  const { lacking, nextMs } = before
  const taken = Math.min(wanted, tokensIn(before, policy))
  if (taken === 0) {
    const mended = storedAs(before, stored!, nowMs)
    const isFullTooLate = mended.fullAtMs < stored!.fullAtMs
    return { verdict: verdictOf(policy, false, before, policy), stored: isFullTooLate ? mended : stored, taken }
  }
  const goesOn = lacking > 0 && stored!.refill === policy.refill && stored!.periodMs === policy.periodMs
  const after = { lacking: lacking + taken, lacked: lacking + taken, nextMs: goesOn ? nextMs : policy.periodMs }
  return {
    verdict: verdictOf(policy, taken === wanted, after, policy),
    stored: storedAs(after, policy, nowMs),
    taken
  }
}

export const peek = (stored: Stored | undefined, policy: Policy, nowMs: number): Verdict =>
  verdictOf(policy, true, lackOf(stored, nowMs), stored ?? policy)

/** Returns a token. The next refill stays where it is. */
export function giveBack (stored: Stored | undefined, policy: Policy, nowMs: number): Outcome {
  const { lacking, lacked, nextMs } = lackOf(stored, nowMs)
  if (lacking <= 1) return { verdict: fullVerdict(policy), stored: undefined }
  // After a cut of the capacity, the token that a refill brought stays.
  const after = { lacking: lacking - 1, lacked: lacked - 1, nextMs }
  return { verdict: verdictOf(policy, true, after, stored!), stored: storedAs(after, stored!, nowMs) }
}

/**
 * How many tokens a bucket has under a policy. After a cut of the capacity a bucket may lack more than it holds. It
 * then has one token after each refill.
 */
function tokensIn ({ lacking, lacked }: Lack, { capacity }: Pick<Policy, 'capacity'>): number {
  if (lacking < capacity) return capacity - lacking
  return lacked > capacity && lacking < lacked ? 1 : 0
}

/** @param by the refill that fills the bucket */
export function verdictOf (policy: Policy, allowed: boolean, after: Lack, by: Refill): Verdict {
  const { lacking, nextMs } = after
  return {
    allowed,
    capacity: policy.capacity,
    remaining: tokensIn(after, policy),
    waitMs: allowed ? 0 : nextMs,
    nextMs,
    fullMs: fullIn(lacking, nextMs, by)
  }
}

/** The verdict of a take that no bucket counts, such as one of a policy that is off. */
export const fullVerdict = (policy: Policy): Verdict => verdictOf(policy, true, FULL, policy)

/** Until a bucket is full: the next refill comes in `nextMs`, and each later one a period after the one before. */
const fullIn = (lacking: number, nextMs: number, { refill, periodMs }: Refill): number =>
  lacking === 0 ? 0 : nextMs + (Math.ceil(lacking / refill) - 1) * periodMs

function storedAs ({ lacking, lacked, nextMs }: Lack, { refill, periodMs }: Refill, nowMs: number): Stored {
  return { lacked, refill, periodMs, fullAtMs: nowMs + fullIn(lacking, nextMs, { refill, periodMs }) }
}
