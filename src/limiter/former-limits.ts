import type { Bucket, FormerRefill, Policy } from './bucket.js'
import { policyOf } from './differing-limits.js'
import { parseBucketKey } from './key.js'
import type { LimitsState } from './limits-hash.js'
import { overridden } from './overrides.js'
import { returnedPolicyName, sharedPolicyName, type Limits } from './policies.js'

/*
 * A bucket is read by the refill that wrote it. After a change to a slower refill, an emptied bucket that was read by
 * the new refill would be nearly full. So the former limits are taken from the history, for as long as one of their
 * buckets can exist. lua/take.lua recognises such a bucket by its expiry.
 */

/** How many former limits of one policy are considered. */
const MAX_FORMER = 8
/** This process's clock decides whether a bucket can still exist, and Redis's clock may differ by this much. */
const CLOCKS_APART_MS = 3_600_000

interface Former { limits: Limits, endedAtMs: number }

/** @returns the bucket with the former refills that may have written it */
export type WithFormer = (bucket: Bucket) => Bucket

/** @param base the limits that those of the history override */
export function formerLimits ({ history }: Pick<LimitsState, 'history'>, base: Limits): WithFormer {
  const formerOf = new Map<string, Former[]>()
  for (const { at, before } of history) {
    for (const [name, text] of Object.entries(before)) {
      const known = formerOf.get(name) ?? []
      if (known.length === MAX_FORMER || Number.isNaN(Date.parse(at))) continue
      const fields = new Map(typeof text === 'string' ? [[name, text]] : [])
      formerOf.set(name, [...known, { limits: overridden(base, fields), endedAtMs: Date.parse(at) }])
    }
  }
  const interned = new Map<string, Policy>()

  if (formerOf.size === 0) return bucket => bucket
  return (bucket) => {
    const { key, policy } = bucket
    const formers = formerOf.get(sharedPolicyName(policy.name) ?? returnedPolicyName(policy.name) ?? policy.name)
    if (!formers) return bucket
    const { owner } = parseBucketKey(key)!
    const former = formers.flatMap(({ limits, endedAtMs }): FormerRefill[] => {
      const was = policyOf(limits, policy.name, owner)
      if (!was || !isSlower(policy, was) || !mayLive(was, endedAtMs)) return []
      return [{ refill: was.refill, periodMs: was.periodMs, endedAtMs }]
    })
    if (former.length === 0) return bucket
    const withFormer = { ...policy, former }
    // One object for one policy: takes are batched by it.
    const text = JSON.stringify(withFormer)
    const same = interned.get(text) ?? withFormer
    interned.set(text, same)
    return { key, policy: same }
  }
}

const isSlower = (policy: Policy, was: Policy): boolean => policy.refill * was.periodMs < was.refill * policy.periodMs

const mayLive = ({ capacity, refill, periodMs }: Policy, endedAtMs: number): boolean =>
  Date.now() < endedAtMs + Math.ceil(capacity / refill) * periodMs + CLOCKS_APART_MS
