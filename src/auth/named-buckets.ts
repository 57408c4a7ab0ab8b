import { accountAddress } from './account-throttle.js'
import { accountKey } from './username.js'
import type { Bucket, BucketStore, Policy, Verdict } from '../limiter/bucket/bucket.js'
import { parseAddress, parseClient } from '../limiter/limits/client.js'
import { bucketOf, isUserOwner, parseBucketKey } from '../limiter/bucket/key.js'
import {
  isAccountPolicy, isLimited, limitFor, policyBehind, sharedName, type AddressPolicy, type Limits,
  type ModulePolicy, type Override, type PolicyName
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

/** Who a text names: the owner of buckets, which is an address or `user:17`; or a username. */
export type Subject = { owner: string, user?: undefined } | { user: string, owner?: undefined }

/**
 * A text is an address if it reads as one, and else a username. `address:` and `user:` say which it is; digits alone
 * behind `user:` are the number of a user.
 *
 * @returns undefined for `address:` without an address, and for `user:` without a name
 */
export function subjectNamed (text: string): Subject | undefined {
  if (/^user:\d{1,15}$/.test(text)) return { owner: text }
  const [, kind, name = ''] = /^(user|address):(.*)$/.exec(text) ?? []
  if (kind === 'user') return name === '' ? undefined : { user: name }
  const owner = parseClient(kind === 'address' ? name : text)?.key
  if (owner !== undefined) return { owner }
  return kind === 'address' ? undefined : { user: text }
}

/**
 * The owners that a text can name under a policy. A bucket of `account` belongs to a user, and one of `account-address`
 * to a user at an address. All others belong to an address, or to `user:17` if the policy counts by user.
 *
 * @returns none for a text that names no owner; the last one is that of the name itself
 */
export function ownersNamed (policyName: string, text: string): string[] {
  if (!isAccountPolicy(policyName)) {
    const owner = subjectNamed(text)?.owner
    return owner === undefined ? [] : [owner]
  }
  if (policyName === 'account') return accountsNamed(text)
  // A username may contain an @, but an address cannot.
  const [, username, address] = /^(.+)@([^@]+)$/.exec(text) ?? []
  const client = parseClient(address ?? '')
  return client ? accountsNamed(username!).map(account => accountAddress(account, client.key)) : []
}

function accountsNamed (text: string): string[] {
  const [, kind, name = ''] = /^(user|address):(.*)$/.exec(text) ?? []
  if (kind === undefined) return accountsCalled(text)
  return kind === 'address' || /^\d*$/.test(name) ? [] : [accountKey(name)]
}

/**
 * The accounts that lists and logs can mean by a name. They show an account that no user has by its hash, so 32
 * hexadecimal digits are a hash or a username.
 *
 * @returns at least one; the last one is that of the name itself
 */
export const accountsCalled = (name: string): string[] =>
  /^[0-9a-f]{32}$/.test(name) ? [name, accountKey(name)] : [accountKey(name)]

/**
 * The bucket that a text names.
 *
 * @returns undefined if it names none; or, in words, why there is none
 */
export const bucketNamed = (
  store: Pick<BucketStore, 'peek'>, limits: Limits, policyName: string, text: string
): Promise<Bucket | string | undefined> => bucketAmong(store, limits, policyName, ownersNamed(policyName, text))

/** The bucket of the first owner whose bucket is not full, or else of the last one. */
export async function bucketAmong (
  store: Pick<BucketStore, 'peek'>, limits: Limits, policyName: string, owners: string[]
): Promise<Bucket | string | undefined> {
  const all = owners.map(owner => bucketUnder(limits, policyName, owner))
  for (const bucket of all.slice(0, -1)) {
    if (typeof bucket === 'object' && (await store.peek(bucket)).fullMs > 0) return bucket
  }
  return all.at(-1)
}

/** @returns undefined for an owner that the policy does not limit anywhere */
export function limitOfOwner (limits: Limits, name: string, owner: string): Override | undefined {
  const policyName = policyBehind(name)
  const limit = isLimited(limits, policyName) ? ownLimitOf(limits, policyName, owner) : undefined
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

/** @returns the bucket of an owner; or, in words, why it has none */
export function bucketUnder (limits: Limits, name: string, owner: string): Bucket | string {
  const limit = limitOfOwner(limits, name, owner)
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
  const owner = subjectNamed(client)?.owner
  if (owner === undefined) return await bucketsOfAccounts(store, limits, accountsNamed(client))
  const names = Object.keys(limits.policies).filter(name => !isAccountPolicy(name))
  const shared = isUserOwner(owner) ? [] : names.map(sharedName)
  return [...names, ...shared].flatMap((name) => {
    const limit = limitOfOwner(limits, name, owner)
    return typeof limit === 'object' ? [bucketOf(limit, owner)] : []
  })
}

/** Those of the failed logins of the first account that has buckets that are not full, or else of the last one. */
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
    if (owner.startsWith(accountAddress(account, ''))) found.set(key, { key, policy: policies['account-address'] })
    if (found.size === MAX_ADDRESSES) break
  }
  return [bucketOf(policies.account, account), ...found.values()]
}
