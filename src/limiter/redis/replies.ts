import { verdictOf } from '../bucket/algorithm.js'
import type { Policy, Verdict } from '../bucket/bucket.js'

/*
 * What lua/take.lua and lua/adjust.lua answer. A reply of another shape, or with the number of another call, fails the
 * call: Redis, or a proxy in front of it, has then lost the order of replies.
 */

/** A reply that the script cannot have given to this call. Its message never quotes the reply. */
export class BadReply extends Error {
  override readonly name = 'BadReply'
}

/** Two numbers are packed into one integer: the tokens lacking, and below them the ms until the next refill. */
const NEXT = 2 ** 32
/** The reply for a bucket that another node of the cluster has. */
const ELSEWHERE = -1

/**
 * @param wanted how many takes want each bucket of the call
 * @returns for each bucket the verdicts of its takes, in their order; undefined if another node has the bucket
 * @throws {BadReply}
 */
export function parseTakes (
  reply: unknown, call: number, policy: Policy, wanted: readonly number[]
): Array<Verdict[] | undefined> {
  const counted = wanted.filter(takes => takes > 1).length
  const count = wanted.length
  if (!Array.isArray(reply) || reply.length !== count + 1 + counted || reply[count] !== String(call)) throw notTo(call)
  let next = count + 1
  return wanted.map((takes, i) => {
    const packed = reply[i] as number
    const granted = takes > 1 ? reply[next++] as number : Number(packed >= 0)
    if (!Number.isSafeInteger(packed) || !(granted >= 0 && granted <= takes)) throw notTo(call)
    if (packed === ELSEWHERE) return undefined
    const nextMs = Math.abs(packed) % NEXT
    const lacking = (Math.abs(packed) - nextMs) / NEXT
    const verdicts: Verdict[] = []
    for (let take = 1; take <= takes; take++) {
      const allowed = take <= granted
      const after = allowed ? lacking - granted + take : lacking
      verdicts.push(verdictOf(policy, allowed, { lacking: after, lacked: after, nextMs }, policy))
    }
    return verdicts
  })
}

/** The numbers for each bucket in a reply of lua/adjust.lua. */
const ADJUSTED = 5

/**
 * @param policies of each bucket of the call
 * @throws {BadReply}
 */
export function parseAdjusted (reply: unknown, call: number, policies: readonly Policy[]): Verdict[] {
  const [number, ...numbers] = Array.isArray(reply) ? reply as unknown[] : []
  const isWhole = numbers.length === ADJUSTED * policies.length && numbers.every(Number.isSafeInteger)
  if (number !== String(call) || !isWhole) throw notTo(call)
  return policies.map((policy, i) => {
    const [lacking, lacked, nextMs, refill, periodMs] =
      numbers.slice(ADJUSTED * i, ADJUSTED * (i + 1)) as [number, number, number, number, number]
    return verdictOf(policy, true, { lacking, lacked, nextMs }, lacking === 0 ? policy : { refill, periodMs })
  })
}

const notTo = (call: number): BadReply => new BadReply(`what came is not the reply to call ${call}`)
