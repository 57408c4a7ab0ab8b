import type { Bucket, BucketFilter, BucketName, Policy } from './bucket.js'

/*
 * Every key of a bucket is made here: `gatehouse:bucket:<policy name>:<owner>`, in Redis and in memory alike. A
 * policy's name has no colon, so the first colon after it ends it. An owner is never a client-supplied text.
 */

const PREFIX = 'gatehouse:bucket:'
const PROBE_PREFIX = 'gatehouse:probe:'

/**
 * The bucket of one owner under one policy.
 *
 * @param owner a client, which is a canonical address; a user (see `userOwner`); an account (see `accountKey`); or
 * `account@client`
 */
export function bucketOf (policy: Policy, owner: string): Bucket {
  return { key: `${PREFIX}${policy.name}:${owner}`, policy }
}

const USER = 'user:'

/** The owner for a user. It cannot be confused with an address. */
export const userOwner = (id: number | string): string => `${USER}${id}`

export const isUserOwner = (owner: string): boolean => owner.startsWith(USER)

/** The account of an owner of `account` or `account-address`, which is `account@client`. */
export const accountOfOwner = (owner: string): string => owner.split('@', 1)[0]!

/** @returns undefined for a key that does not belong to a bucket */
export function parseBucketKey (key: string): BucketName | undefined {
  if (!key.startsWith(PREFIX)) return undefined
  const colon = key.indexOf(':', PREFIX.length)
  if (colon === -1) return undefined
  return { key, policyName: key.slice(PREFIX.length, colon), owner: key.slice(colon + 1) }
}

export const matchesFilter = (
  name: BucketName, { policyName = name.policyName, owner = name.owner }: BucketFilter
): boolean => name.policyName === policyName && name.owner === owner

/** The pattern of keys for Redis's SCAN. More keys than those of the filter may fit it. */
export function bucketPattern ({ policyName, owner }: BucketFilter): string {
  const literal = (text?: string): string => text?.replace(/[*?[\]\\^]/g, '\\$&') ?? '*'
  return `${PREFIX}${literal(policyName)}:${literal(owner)}`
}

/**
 * The key that a probe of a node writes. The braces are a hash tag, so in a cluster the key is in the slot of that
 * bucket.
 *
 * @param bucketName the bucket's key with the prefix that it has in Redis
 */
export function probeKey (bucketName: string): string {
  return `${PROBE_PREFIX}{${bucketName}}`
}
