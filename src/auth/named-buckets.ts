import { accountAddress } from './account-throttle.js'
import { accountKey } from './username.js'
import type { Bucket, BucketStore, Policy, Verdict } from '../limiter/bucket/bucket.js'
import { parseAddress, parseClient } from '../limiter/limits/client.js'
import { bucketOf, isUserOwner, parseBucketKey } from '../limiter/bucket/key.js'
import {
  isAccountPolicy, isLimited, limitFor, sharedName, sharedPolicyName, type AddressPolicy, type Limits, type Override
} from '../limiter/limits/policies.js'

/*
 * Buckets as operators name them: by a policy and an address, a user's number, or a username.
 */

/** How many addresses with failed logins are shown for one account at most. Nobody reads more. */
const MAX_ADDRESSES = 100

/** A bucket as operators see it. */
export interface BucketView {
  policy: string
  client: string
  tokens: number
  /** While Redis is unavailable, that of this replica's share. */
  capacity: number
  refill: number
  periodMs: number
  /** ISO 8601; null if the bucket is full. */
  nextTokenAt: string | null
  fullAt: string | null
}

/** A bucket, its verdict, and when the verdict came. */
export interface Found {
  bucket: Bucket
  verdict: Verdict
  atMs: number
}

export const lookAt = (store: Pick<BucketStore, 'peek'>, bucket: Bucket): Promise<Found> =>
  store.peek(bucket).then(verdict => ({ bucket, verdict, atMs: Date.now() }))

/** The instants are never too early, because they are counted from the arrival of the verdict. */
export function viewOf ({ bucket: { key, policy }, verdict, atMs }: Found): BucketView {
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

/**
 * The owner that a text names. A bucket of `account` belongs to a user, and one of `account-address` to a user at an
 * address. All others belong to an address, or to `user:17` if the policy counts by user. An account can also be named
 * by the hash that lists show.
 *
 * @returns undefined for a text that names no owner
 */
export function ownerNamed (policyName: string, text: string): string | undefined {
  if (!isAccountPolicy(policyName)) return isUser(text) ? text : parseClient(text)?.key
  if (policyName === 'account') return accountNamed(text)
  // A username may contain an @, but an address cannot.
  const [, username, address] = /^(.+)@([^@]+)$/.exec(text) ?? []
  const client = parseClient(address ?? '')
  return client && accountAddress(accountNamed(username!), client.key)
}

const isUser = (text: string): boolean => /^user:\d{1,15}$/.test(text)

const accountNamed = (text: string): string => /^[0-9a-f]{32}$/.test(text) ? text : accountKey(text)

/** @returns undefined for an owner that the policy does not limit anywhere */
export function limitOf (limits: Limits, name: string, owner: string): Override | undefined {
  const policyName = sharedPolicyName(name) ?? name
  if (!isLimited(limits, policyName)) return undefined
  if (isAccountPolicy(policyName)) return limits.policies[policyName]
  if (isUserOwner(owner)) return userLimitFor(limits, policyName)
  // For a million owners, parsing addresses costs more than all the rest.
  const address = parseAddress(owner.replace(/\/\d\d$/, ''))
  const limit = address && limitFor(limits, policyName, { key: owner, address })
  return name === policyName || typeof limit === 'string' ? limit : limit?.address
}

/** @returns the bucket of an owner; or, in words, why it has none */
export function bucketUnder (limits: Limits, name: string, owner: string): Bucket | string {
  const limit = limitOf(limits, name, owner)
  if (typeof limit === 'object') return bucketOf(limit, owner)
  if (limit === undefined) return `${name} counts by user nowhere, so ${owner} has no bucket`
  return `${owner} is ${limit === 'exempt' ? 'exempt from' : 'blocked by'} ${name} and has no bucket`
}

/** The limit of a user under a policy, from any address; undefined if the policy does not count by user anywhere. */
function userLimitFor (limits: Limits, name: AddressPolicy): Policy | undefined {
  const all = [limits.policies[name], ...limits.networks.map(({ overrides }) => overrides[name])]
  return all.filter(limit => typeof limit === 'object').find(({ address }) => address !== undefined)
}

/**
 * Refills a bucket. For the bucket of an account, it also refills those of the account's failed logins from each
 * address.
 *
 * @returns false if there was nothing to refill
 */
export async function resetBucket (store: BucketStore, bucket: Bucket): Promise<boolean> {
  const existed = await store.reset(bucket)
  const account = accountOf(bucket)
  return account === undefined ? existed : await resetAddressesOf(store, new Set([account])) || existed
}

/** The account whose failed logins from all addresses together a bucket counts; undefined for every other bucket. */
export function accountOf ({ key }: Bucket): string | undefined {
  const { policyName, owner } = parseBucketKey(key)!
  return policyName === 'account' ? owner : undefined
}

/**
 * Refills the buckets that count the failed logins of these accounts from each address.
 *
 * @returns false if there were none
 */
export async function resetAddressesOf (store: BucketStore, accounts: ReadonlySet<string>): Promise<boolean> {
  let existed = false
  for await (const ofAddress of store.list({ policyName: 'account-address' })) {
    const [account] = ofAddress.owner.split('@', 1)
    if (accounts.has(account!)) existed = await store.reset(ofAddress) || existed
  }
  return existed
}

/**
 * The buckets of a client, including full ones. An address or `user:17` has one under every policy from which it is not
 * exempt. A username has those of its failed logins, for the account and for each address.
 */
export async function bucketsOf (store: BucketStore, limits: Limits, client: string): Promise<Bucket[]> {
  const owner = ownerNamed('general', client)
  if (owner === undefined) return await bucketsOfAccount(store, limits.policies, accountNamed(client))
  const names = Object.keys(limits.policies).filter(name => !isAccountPolicy(name))
  const shared = isUserOwner(owner) ? [] : names.map(sharedName)
  return [...names, ...shared].flatMap((name) => {
    const limit = limitOf(limits, name, owner)
    return typeof limit === 'object' ? [bucketOf(limit, owner)] : []
  })
}

async function bucketsOfAccount (store: BucketStore, policies: Limits['policies'], account: string): Promise<Bucket[]> {
  const found = new Map<string, Bucket>()
  for await (const { key, owner } of store.list({ policyName: 'account-address' })) {
    if (owner.startsWith(accountAddress(account, ''))) found.set(key, { key, policy: policies['account-address'] })
    if (found.size === MAX_ADDRESSES) break
  }
  return [bucketOf(policies.account, account), ...found.values()]
}
