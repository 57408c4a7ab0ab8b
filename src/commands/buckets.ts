import { accountAddress } from '../auth/account-throttle.js'
import { accountKey } from '../auth/username.js'
import { loadConfig, type Config } from '../config.js'
import { StoreUnavailable, type Bucket, type BucketStore, type Policy } from '../limiter/bucket.js'
import { parseClient, type Client } from '../limiter/client.js'
import { bucketOf, isUserOwner, parseBucketKey } from '../limiter/key.js'
import {
  formatPeriod, isAccountPolicy, isLimited, isPolicyName, limitFor, sharedPolicyName, userLimitFor
} from '../limiter/policies.js'
import { createRedisStore } from '../limiter/redis-store.js'
import { connect } from '../limiter/redis.js'
import type { Options } from './options.js'
import { Failure, NotFound, print, table, UsageError } from './outcome.js'

/** A person waits longer than a request, and a script call of hundreds of buckets takes longer than one of a few. */
const PATIENCE = 10
const LOOKS_AT_ONCE = 500

interface BucketView {
  policy: string
  client: string
  tokens: number
  capacity: number
  refill: number
  periodMs: number
  /** ISO 8601; null if the bucket is full. */
  nextTokenAt: string | null
  fullAt: string | null
}

export async function list (_args: string[], { json, policy, client }: Options): Promise<void> {
  const filter = {
    ...policy !== undefined && { policyName: policyNamed(policy) },
    ...client !== undefined && { owner: addressNamed(client).key }
  }
  await withStore(async (store, config) => {
    const found = new Map<string, Bucket>()
    for await (const { key, policyName, owner } of store.list(filter)) {
      // SCAN may name a key twice, and a key may belong to a policy that the configuration no longer has.
      const limit = limitOf(config, policyName, owner)
      if (limit && limit !== 'exempt') found.set(key, { key, policy: limit })
    }
    const buckets: BucketView[] = []
    const rest = [...found.values()]
    while (rest.length > 0) {
      buckets.push(...await Promise.all(rest.splice(-LOOKS_AT_ONCE).map(bucket => viewOf(store, bucket))))
    }
    buckets.sort((a, b) => a.tokens / a.capacity - b.tokens / b.capacity || a.policy.localeCompare(b.policy) ||
      a.client.localeCompare(b.client))
    print(json, buckets, () => buckets.length === 0 ? 'No bucket lacks a token.\n' : tableOf(buckets))
  })
}

export async function peek ([policy = '', owner = '']: string[], { json }: Options): Promise<void> {
  const [name, ownerKey] = bucketNamed(policy, owner)
  await withStore(async (store, config) => {
    const view = await viewOf(store, mustHaveBucket(config, name, ownerKey))
    print(json, view, () => tableOf([view]))
  })
}

export async function reset ([policy = '', owner = '']: string[], { json }: Options): Promise<void> {
  const [name, ownerKey] = bucketNamed(policy, owner)
  const shown = isAccountPolicy(name) ? owner : ownerKey
  await withStore(async (store, config) => {
    const bucket = mustHaveBucket(config, name, ownerKey)
    const { capacity } = bucket.policy
    const existed = await (name === 'account' ? resetAccount(store, config, ownerKey) : store.reset(bucket))
    if (!existed) {
      throw new NotFound(`there is no ${name} bucket of ${shown}: it has all its ${capacity} tokens`)
    }
    print(json, { policy: name, client: ownerKey, tokens: capacity }, () =>
      `The ${name} bucket of ${shown} is full: ${capacity} tokens.\n`)
  })
}

/**
 * Forgets every failed login of an account: those from all addresses together, and those from each.
 *
 * @param account the owner of its bucket: see `accountKey`
 * @returns false if there was none
 */
export async function resetAccount (store: BucketStore, { limits }: Config, account: string): Promise<boolean> {
  let existed = await store.reset(bucketOf(limits.policies.account, account))
  for await (const bucket of store.list({ policyName: 'account-address' })) {
    if (bucket.owner.startsWith(accountAddress(account, ''))) existed = await store.reset(bucket) || existed
  }
  return existed
}

async function viewOf (store: BucketStore, bucket: Bucket): Promise<BucketView> {
  const { remaining, nextMs, fullMs } = await store.peek(bucket)
  const { policyName, owner } = parseBucketKey(bucket.key)!
  const { capacity, refill, periodMs } = bucket.policy
  const now = Date.now()
  return {
    policy: policyName,
    client: owner,
    tokens: remaining,
    capacity,
    refill,
    periodMs,
    nextTokenAt: nextMs === 0 ? null : new Date(now + nextMs).toISOString(),
    fullAt: fullMs === 0 ? null : new Date(now + fullMs).toISOString()
  }
}

function tableOf (buckets: BucketView[]): string {
  return table(['policy', 'client', 'tokens', 'capacity', 'refill', 'next token at', 'full at'], buckets.map(bucket => [
    bucket.policy, bucket.client, bucket.tokens, bucket.capacity,
    `${bucket.refill} every ${formatPeriod(bucket.periodMs)}`,
    bucket.nextTokenAt ?? '-', bucket.fullAt ?? '-'
  ]))
}

/** @throws {Failure} when there is no Redis, or it does not answer */
export async function withStore (use: (store: BucketStore, config: Config) => Promise<unknown>): Promise<void> {
  const config = loadConfig()
  if (config.redisUrl === undefined) {
    throw new Failure(
      'REDIS_URL is not set, so the buckets are inside the server process. Set it to the Redis that the service uses.'
    )
  }
  let trouble: Error | undefined
  const store = createRedisStore(
    await connect(config.redisUrl, (error) => { trouble = error }, config.redisTimeoutMs),
    { deadlineMs: PATIENCE * config.redisTimeoutMs }
  )
  try {
    await use(store, config)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    const nodes = config.redisUrl.nodes.map(({ host, port }) => `${host}:${port}`).join(', ')
    throw new Failure(`Redis at ${nodes}, from REDIS_URL, does not answer: ${(trouble ?? error).message}`, 1, {
      cause: error
    })
  } finally {
    await store.close()
  }
}

/** Only a policy that is not gatehouse's own needs the configuration to be known. */
function policyNamed (name: string): string {
  if (isPolicyName(name)) return name
  const { limits } = loadConfig()
  if (!isLimited(limits, sharedPolicyName(name) ?? name)) {
    throw new UsageError(`there is no policy "${name}"; there are ${Object.keys(limits.policies).join(', ')}`)
  }
  return name
}

function addressNamed (text: string): Client {
  const client = parseClient(text)
  if (!client) throw new UsageError(`"${text}" is not an address such as 203.0.113.7 or 2001:db8:1:2::/64`)
  return client
}

/**
 * A bucket of `account` is a user's, one of `account-address` a user's at an address, every other one an address's, or
 * the `user:17` of a policy that counts by user.
 */
function bucketNamed (policy: string, owner: string): [string, string] {
  const name = policyNamed(policy)
  if (!isAccountPolicy(name)) return [name, isUserOwner(owner) ? owner : addressNamed(owner).key]
  if (name === 'account') return [name, accountKey(owner)]
  // A username may have an @ itself, an address has none.
  const [, username, address] = /^(.+)@([^@]+)$/.exec(owner) ?? []
  if (username === undefined) {
    throw new UsageError(`"${owner}" is not a user at an address, such as asha.verma@203.0.113.7`)
  }
  return [name, accountAddress(accountKey(username), addressNamed(address!).key)]
}

/** @returns undefined for an owner that the policy limits nowhere */
function limitOf ({ limits }: Config, name: string, owner: string): Policy | 'exempt' | undefined {
  const policyName = sharedPolicyName(name) ?? name
  if (!isLimited(limits, policyName)) return undefined
  if (isAccountPolicy(policyName)) return limits.policies[policyName]
  if (isUserOwner(owner)) return userLimitFor(limits, policyName)
  const client = parseClient(owner)
  const limit = client && limitFor(limits, policyName, client)
  return name === policyName || limit === 'exempt' ? limit : limit?.address
}

/** @throws {NotFound} for a client that is exempt */
function mustHaveBucket (config: Config, name: string, owner: string): Bucket {
  const limit = limitOf(config, name, owner)
  if (!limit) throw new NotFound(`${name} counts by user nowhere in LIMITS_FILE, so ${owner} has no bucket`)
  if (limit === 'exempt') throw new NotFound(`${owner} is exempt from ${name} by LIMITS_FILE and has no bucket`)
  return bucketOf(limit, owner)
}
