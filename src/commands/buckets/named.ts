import { normalizeUsername } from '../../auth/username.js'
import type { Config } from '../../config/config.js'
import { loadConfig } from '../../config/load.js'
import type { Bucket, BucketStore } from '../../limiter/bucket/bucket.js'
import {
  contains, ipv6Prefix, parseClient, parseNetwork, type Network
} from '../../limiter/limits/client.js'
import { userOwner } from '../../limiter/bucket/key.js'
import { canCountByUser, isAccountPolicy } from '../../limiter/limits/policies.js'
import { bucketNamed, ownersNamed, subjectNamed } from '../../auth/named-buckets.js'
import { NotFound, UsageError } from '../outcome.js'
import { policyNamed } from '../policy-named.js'

/** @returns the owner of buckets: an address as in keys, or `user:17` for a policy that counts by user */
export function clientNamed (text: string): string {
  const owner = subjectNamed(text)?.owner
  if (owner !== undefined) return owner
  throw new UsageError(`"${text}" is not an address such as 203.0.113.7 or 2001:db8:1:2::/64`)
}

/**
 * @returns a function that checks an owner: whether it is this client, is in this network, or is an account at such an
 * address
 */
export function ownerFilter (text: string): (owner: string) => boolean {
  if (!text.includes('/') || parseClient(text)) {
    const key = clientNamed(text)
    return owner => addressOf(owner) === key
  }
  const network = networkNamed(text)
  return (owner) => {
    const client = parseClient(addressOf(owner))
    return client !== undefined && contains(network, client.address)
  }
}

/** An owner of `account-address` is `account@address`. */
const addressOf = (owner: string): string => owner.slice(owner.lastIndexOf('@') + 1)

function networkNamed (text: string): Network {
  try {
    const network = parseNetwork(text)
    if (network.address.kind() === 'ipv4' || network.prefixLength <= ipv6Prefix()) return network
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  const client = `/${ipv6Prefix()}`
  throw new UsageError(`"${text}" is a part of a client: the buckets of an IPv6 address are those of its ${client}`)
}

/** A bucket as a command names it. */
export interface Named {
  policy: string
  /** What `mustHaveBucket` finds the bucket by. */
  text: string
  /** How to show its owner. */
  shown: string
}

export async function checkedName (policy: string, text: string): Promise<Named> {
  const name = policyNamed(policy)
  const [owner] = ownersNamed(name, text)
  if (owner !== undefined) return { policy: name, text, shown: isAccountPolicy(name) ? text : owner }
  if (name === 'account-address') {
    throw new UsageError(`"${text}" is not a user at an address, such as asha.verma@203.0.113.7`)
  }
  if (name === 'account') throw new UsageError(`"${text}" is not a username, and failed logins are counted by username`)
  const username = subjectNamed(text)?.user
  const user = canCountByUser(name) && username !== undefined ? await userNamed(username) : undefined
  if (user !== undefined) return { policy: name, text: user, shown: `${text} (${user})` }
  throw new UsageError(`"${text}" is not an address such as 203.0.113.7 or 2001:db8:1:2::/64` +
    (canCountByUser(name) ? ', and DATABASE_URL is not set, which knows the users' : ''))
}

/**
 * The owner of a user's buckets under policies that count by user. The database client is loaded only here.
 *
 * @returns undefined without a database
 * @throws {NotFound}
 */
export async function userNamed (text: string): Promise<string | undefined> {
  if (loadConfig().databaseUrl === undefined) return undefined
  const { withDatabase } = await import('../users/with-database.js')
  let owner: string | undefined
  await withDatabase(async (db) => {
    const user = await db.user.findUnique({ where: { username: normalizeUsername(text) }, select: { id: true } })
    if (!user) throw new NotFound(`there is no user ${text}`)
    owner = userOwner(user.id)
  })
  return owner
}

/** @throws {NotFound} for a client that is exempt or blocked */
export async function mustHaveBucket (
  store: BucketStore, { limits }: Config, { policy, text }: Named
): Promise<Bucket> {
  const bucket = await bucketNamed(store, limits, policy, text)
  if (typeof bucket === 'object') return bucket
  throw new NotFound(bucket ?? `there is no bucket of ${text}`)
}
