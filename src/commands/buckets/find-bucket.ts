import { ownerExpected, ownersNamed, subjectNamed } from '../../auth/owner-names.js'
import { contains, parseNetwork, type Network } from '../../base/networks.js'
import type { Config } from '../../config/config.js'
import type { Bucket, BucketStore } from '../../limiter/bucket/bucket.js'
import { userOwner } from '../../limiter/bucket/key.js'
import { addressOfKey, type Clients } from '../../limiter/limits/client.js'
import { canCountByUser, isAccountPolicy, type Limits } from '../../limiter/limits/policies.js'
import { chooseBucket } from '../../limiter/operators/bucket-views.js'
import type { Selection } from '../../limiter/operators/selection.js'
import { NotFound, UsageError } from '../output.js'
import { policyNamed } from '../policy-named.js'
import { mustFindUser } from '../users/find-user.js'

/** The options that select buckets. */
export interface Filter {
  policy?: string
  client?: string
  limited?: boolean
}

export const selectionOf = ({ limits }: Config, { policy, client, limited = false }: Filter): Selection => ({
  ...policy !== undefined && { policyName: policyNamed(limits, policy) },
  ...client !== undefined && { owns: ownerFilter(limits.clients, client) },
  limited
})

/** @returns the owner of buckets: an address as in keys, or `user:17` for a policy that counts by user */
export function clientNamed (clients: Clients, text: string): string {
  const owner = subjectNamed(clients, text)?.owner
  if (owner !== undefined) return owner
  throw new UsageError(`"${text}" is not ${ownerExpected('general')}`)
}

/**
 * @returns a function that checks an owner: whether it is this client, is in this network, or is an account at such an
 * address
 */
function ownerFilter (clients: Clients, text: string): (owner: string) => boolean {
  if (!text.includes('/') || clients.parse(text)) {
    const key = clientNamed(clients, text)
    return owner => addressIn(owner) === key
  }
  const network = networkNamed(clients, text)
  return (owner) => {
    const address = addressOfKey(addressIn(owner))
    return address !== undefined && contains(network, address)
  }
}

/** An owner of `account-address` is `account@address`. */
const addressIn = (owner: string): string => owner.slice(owner.lastIndexOf('@') + 1)

function networkNamed (clients: Clients, text: string): Network {
  try {
    const network = parseNetwork(text)
    if (!clients.isPart(network)) return network
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
  throw new UsageError(`"${text}" is a part of a client: ` +
    `the buckets of an IPv6 address are those of its /${clients.ipv6Prefix}`)
}

/** A bucket as a command names it. */
interface NamedBucket {
  policy: string
  /** Who can be meant. */
  owners: string[]
  /** How to show its owner. */
  shown: string
}

/** @throws {UsageError} for a policy or an owner that cannot be. @throws {NotFound} */
export async function bucketNamed (config: Config, policy: string, text: string): Promise<NamedBucket> {
  const { clients } = config.limits
  const name = policyNamed(config.limits, policy)
  const owners = ownersNamed(clients, name, text)
  if (owners.length > 0) return { policy: name, owners, shown: isAccountPolicy(name) ? text : owners[0]! }
  const username = canCountByUser(name) ? subjectNamed(clients, text)?.user : undefined
  const user = username === undefined ? undefined : await userNamed(config, username)
  if (user !== undefined) return { policy: name, owners: [user], shown: `${text} (${user})` }
  throw new UsageError(`"${text}" is not ${ownerExpected(name)}` +
    (canCountByUser(name) ? ', and DATABASE_URL is not set, which knows the users' : ''))
}

/**
 * The owner of a user's buckets under policies that count by user. The database client is loaded only here.
 *
 * @returns undefined without a database
 * @throws {NotFound}
 */
export async function userNamed (config: Config, text: string): Promise<string | undefined> {
  if (config.databaseUrl === undefined) return undefined
  const { withDatabase } = await import('../users/with-database.js')
  let owner: string | undefined
  await withDatabase(async (db) => {
    const { id } = await mustFindUser(db, text)
    owner = userOwner(id)
  }, 0, config)
  return owner
}

/** @throws {NotFound} for a client that is exempt or blocked */
export async function mustHaveBucket (
  store: BucketStore, limits: Limits, { policy, owners }: NamedBucket
): Promise<Bucket> {
  const bucket = await chooseBucket(store, limits, policy, owners)
  if (typeof bucket === 'object') return bucket
  throw new NotFound(bucket)
}
