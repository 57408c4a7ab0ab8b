import type { Bucket, FormerRefill, Policy } from '../bucket/bucket.js'
import { digestOf, policyOf } from './differing-limits.js'
import { parseBucketKey } from '../bucket/key.js'
import type { LimitsState } from '../limits/document.js'
import { overridden } from '../limits/overrides.js'
import {
  returnedPolicyName, sharedPolicyName, type AddressPolicy, type Limits, type PolicyName
} from '../limits/policies.js'

/*
 * A bucket is read by the refill that wrote it. After a change to a slower refill, an emptied bucket would look nearly
 * full if the new refill read it. So the former limits are taken from the history for as long as one of their buckets
 * can exist. lua/take.lua recognises such a bucket by its expiry.
 */

/**
 * How many former limits of one policy are considered. A change without new numbers, such as a change of the mode, does
 * not add one.
 */
const MAX_FORMER = 8
/** This process's clock decides whether a bucket can still exist, and Redis's clock may differ by this much. */
const CLOCKS_APART_MS = 3_600_000

interface Former {
  limits: Limits
  endedAtMs: number
  /** By then every bucket that they wrote is full. */
  overAtMs: number
}

/** @returns the bucket, with the former refills that may have written it */
export type WithFormer = (bucket: Bucket) => Bucket

/** @param base the limits that the history's overrides are laid over */
export function formerLimits ({ history }: Pick<LimitsState, 'history'>, base: Limits): WithFormer {
  const formerOf = new Map<string, Map<string, Former>>()
  for (const { at, before } of history) {
    for (const [name, text] of Object.entries(before)) {
      const known = formerOf.get(name) ?? new Map<string, Former>()
      if (known.size === MAX_FORMER || Number.isNaN(Date.parse(at))) continue
      const limits = overridden(base, new Map(typeof text === 'string' ? [[name, text]] : []))
      const digest = digestOf(limits)
      const endedAtMs = Date.parse(at)
      // The newest change comes first. If the same limits occur again, the latest end counts.
      if (!known.has(digest)) known.set(digest, { limits, endedAtMs, overAtMs: endedAtMs + longestMs(limits, name) })
      formerOf.set(name, known)
    }
  }
  const interned = new Map<string, Policy>()

  if (formerOf.size === 0) return bucket => bucket
  return (bucket) => {
    const { key, policy } = bucket
    const formers = formerOf.get(sharedPolicyName(policy.name) ?? returnedPolicyName(policy.name) ?? policy.name)
    const since = Date.now() - CLOCKS_APART_MS
    const living = [...formers?.values() ?? []].filter(({ overAtMs }) => since < overAtMs)
    if (living.length === 0) return bucket
    const { owner } = parseBucketKey(key)!
    const former = living.flatMap(({ limits, endedAtMs }): FormerRefill[] => {
      const was = policyOf(limits, policy.name, owner)
      if (!was || !isSlower(policy, was)) return []
      return [{ refill: was.refill, periodMs: was.periodMs, endedAtMs }]
    })
    if (former.length === 0) return bucket
    const withFormer = { ...policy, former }
    // Equal policies have to be the same object, because batches and local shares are looked up by identity.
    const text = JSON.stringify(withFormer)
    const same = interned.get(text) ?? withFormer
    interned.set(text, same)
    return { key, policy: same }
  }
}

const isSlower = (policy: Policy, was: Policy): boolean => policy.refill * was.periodMs < was.refill * policy.periodMs

/** The longest time that a bucket of this policy takes to become full, for any owner. */
function longestMs ({ policies, networks }: Limits, name: string): number {
  const rows = [policies[name as PolicyName], ...networks.map(({ overrides }) => overrides[name as AddressPolicy])]
  const all = rows.filter(row => typeof row === 'object').flatMap(row => row.address ? [row, row.address] : row)
  return Math.max(0, ...all.map(({ capacity, refill, periodMs }) => Math.ceil(capacity / refill) * periodMs))
}
