import type { Clients } from '../limiter/limits/client.js'
import { isAccountPolicy } from '../limiter/limits/policies.js'
import { accountAddress } from './account-throttle.js'
import { accountKey } from './username.js'

/*
 * Who has a bucket, as operators name them: by an address, a user's number, or a username. login-records.ts has the
 * way back, from the owners of `account` to usernames.
 */

/** Who a text names: the owner of buckets, which is an address or `user:17`; or a username. */
type OwnerOrUser = { owner: string, user?: undefined } | { user: string, owner?: undefined }

/**
 * A text is an address if it reads as one, and else a username. `address:` and `user:` say which it is; digits alone
 * behind `user:` are the number of a user.
 *
 * @returns undefined for `address:` without an address, and for `user:` without a name
 */
export function subjectNamed (clients: Clients, text: string): OwnerOrUser | undefined {
  if (/^user:\d{1,15}$/.test(text)) return { owner: text }
  const [, kind, name = ''] = /^(user|address):(.*)$/.exec(text) ?? []
  if (kind === 'user') return name === '' ? undefined : { user: name }
  const owner = clients.parse(kind === 'address' ? name : text)?.key
  if (owner !== undefined) return { owner }
  return kind === 'address' ? undefined : { user: text }
}

/**
 * The owners that a text can name under a policy. A bucket of `account` belongs to a user, and one of `account-address`
 * to a user at an address. All others belong to an address, or to `user:17` if the policy counts by user.
 *
 * @returns none for a text that names no owner; the last one is that of the name itself
 */
export function ownersNamed (clients: Clients, policyName: string, text: string): string[] {
  if (!isAccountPolicy(policyName)) {
    const owner = subjectNamed(clients, text)?.owner
    return owner === undefined ? [] : [owner]
  }
  if (policyName === 'account') return accountsNamed(text)
  // A username may contain an @, but an address cannot.
  const [, username, address] = /^(.+)@([^@]+)$/.exec(text) ?? []
  const client = clients.parse(address ?? '')
  return client ? accountsNamed(username!).map(account => accountAddress(account, client.key)) : []
}

/** What a text must be to name an owner under a policy, in words. */
export function ownerExpected (policyName: string): string {
  if (policyName === 'account') return 'a username, such as asha.verma'
  return policyName === 'account-address'
    ? 'a user at an address, such as asha.verma@203.0.113.7'
    : 'an address such as 203.0.113.7 or 2001:db8:1:2::/64'
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
