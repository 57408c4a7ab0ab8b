import type { Bucket, BucketStore, Policy, Verdict } from '../bucket/bucket.js'
import { accountOfOwner, bucketOf, isUserOwner, parseBucketKey } from '../bucket/key.js'
import { parseAddress } from '../../base/networks.js'
import {
  basePolicyName, hasPolicy, isAccountPolicy, limitFor, toSharedName, type AddressPolicy, type Limits,
  type ModulePolicy, type Override, type PolicyName
} from '../limits/policies.js'

/*
 * Buckets as operators see and reset them: by a policy and an owner. auth/owner-names.ts says which owner a text names.
 */

/** How many addresses with failed logins are shown for one account at most. Nobody reads more. */
const MAX_ADDRESSES = 100

/** A bucket as operators see it. */
export interface BucketView {
  policy: string
  client: string
  tokens: number
  /** While Redis is unavailable, the capacity of this replica's local share. */
  capacity: number
  refill: number
  periodMs: number
  /** ISO 8601; null if the bucket is full. */
  nextTokenAt: string | null
  fullAt: string | null
}

/** A bucket, its verdict, and when the verdict came. */
export interface PeekedBucket {
  bucket: Bucket
  verdict: Verdict
  atMs: number
}

type Peeks = Pick<BucketStore, 'peek'>

export const peekBucket = (store: Peeks, bucket: Bucket): Promise<PeekedBucket> =>
  store.peek(bucket).then(verdict => ({ bucket, verdict, atMs: Date.now() }))

/** The instants are never too early, because they are counted from the arrival of the verdict. */
export function bucketView ({ bucket: { key, policy }, verdict, atMs }: PeekedBucket): BucketView {
  const { policyName, owner } = parseBucketKey(key)!
  const { refill, periodMs } = policy
  const { capacity, remaining, nextMs, fullMs } = verdict
  return {
    policy: policyName,
    client: owner,
    tokens: remaining,
    capacity,
    refill,
    periodMs,
    nextTokenAt: nextMs === 0 ? null : new Date(atMs + nextMs).toISOString(),
    fullAt: fullMs === 0 ? null : new Date(atMs + fullMs).toISOString()
  }
}

export const peekViews = async (store: Peeks, buckets: Bucket[]): Promise<BucketView[]> =>
  (await Promise.all(buckets.map(bucket => peekBucket(store, bucket)))).map(bucketView)

/** @returns undefined for an owner that the policy does not limit anywhere */
export function limitForOwner (limits: Limits, name: string, owner: string): Override | undefined {
  const policyName = basePolicyName(name)
  const limit = hasPolicy(limits, policyName) ? ownLimitOf(limits, policyName, owner) : undefined
  if (typeof limit !== 'object') return limit
  return [limit, limit.address, limit.candidate].find(one => one?.name === name)
}

function ownLimitOf (limits: Limits, policyName: PolicyName | ModulePolicy, owner: string): Override | undefined {
  if (isAccountPolicy(policyName)) return limits.policies[policyName]
  if (isUserOwner(owner)) return userLimitFor(limits, policyName)
  // For a million owners, parsing addresses costs more than all the rest.
  const address = parseAddress(owner.replace(/\/\d\d$/, ''))
  return address && limitFor(limits, policyName, { key: owner, address })
}

/** The limit of a user under a policy, from any address; undefined if the policy does not count by user anywhere. */
function userLimitFor (limits: Limits, name: AddressPolicy): Policy | undefined {
  const all = [limits.policies[name], ...limits.networks.map(({ overrides }) => overrides[name])]
  return all.filter(limit => typeof limit === 'object').find(({ address }) => address !== undefined)
}

/**
 * The bucket of the first owner whose bucket is not full, or else of the last one.
 *
 * @param owners at least one
 * @returns or, in words, why there is none
 */
export async function chooseBucket (
  store: Peeks, limits: Limits, policyName: string, owners: string[]
): Promise<Bucket | string> {
  const all = owners.map(owner => bucketUnder(limits, policyName, owner))
  for (const bucket of all.slice(0, -1)) {
    if (typeof bucket === 'object' && (await store.peek(bucket)).fullMs > 0) return bucket
  }
  return all.at(-1)!
}

function bucketUnder (limits: Limits, name: string, owner: string): Bucket | string {
  const limit = limitForOwner(limits, name, owner)
  if (typeof limit === 'object') return bucketOf(limit, owner)
  if (limit === undefined) return `${name} counts by user nowhere, so ${owner} has no bucket`
  return `${owner} is ${limit === 'exempt' ? 'exempt from' : 'blocked by'} ${name} and has no bucket`
}

/** The buckets of an address or of `user:17`, also full ones: one under every policy from which it is not exempt. */
export function bucketsOfOwner (limits: Limits, owner: string): Bucket[] {
  const names = Object.keys(limits.policies).filter(name => !isAccountPolicy(name))
  const shared = isUserOwner(owner) ? [] : names.map(toSharedName)
  return [...names, ...shared].map(name => bucketUnder(limits, name, owner)).filter(found => typeof found === 'object')
}

/**
 * The buckets of failed logins, for the account and for each address: of the first account that has some that are not
 * full, or else of the last one.
 */
export async function bucketsOfAccounts (
  store: BucketStore, { policies }: Limits, accounts: string[]
): Promise<Bucket[]> {
  let found: Bucket[] = []
  for (const account of accounts) {
    found = await bucketsOfAccount(store, policies, account)
    if (found.length > 1 || (await store.peek(found[0]!)).fullMs > 0) return found
  }
  return found
}

async function bucketsOfAccount (store: BucketStore, policies: Limits['policies'], account: string): Promise<Bucket[]> {
  const found = new Map<string, Bucket>()
  for await (const { key, owner } of store.list({ policyName: 'account-address' })) {
    if (accountOfOwner(owner) === account) found.set(key, { key, policy: policies['account-address'] })
    if (found.size === MAX_ADDRESSES) break
  }
  return [bucketOf(policies.account, account), ...found.values()]
}

/**
 * Refills buckets. With the bucket of an account, those of the account's failed logins from each address are refilled.
 *
 * @returns how many of these buckets were not full, and how many of the addresses'
 */
export async function resetBuckets (
  store: BucketStore, pages: AsyncIterable<Bucket[]> | Iterable<Bucket[]>
): Promise<{ reset: number, ofAddresses: number }> {
  const done = { reset: 0, ofAddresses: 0 }
  const accounts = new Set<string>()
  for await (const page of pages) {
    const existed = await Promise.all(page.map(bucket => store.reset(bucket)))
    done.reset += existed.filter(Boolean).length
    for (const { key } of page) {
      const { policyName, owner } = parseBucketKey(key)!
      if (policyName === 'account') accounts.add(owner)
    }
  }
  if (accounts.size === 0) return done
  for await (const ofAddress of store.list({ policyName: 'account-address' })) {
    if (accounts.has(accountOfOwner(ofAddress.owner)) && await store.reset(ofAddress)) done.ofAddresses++
  }
  return done
}
