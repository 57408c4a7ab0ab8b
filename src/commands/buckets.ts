import type { Options } from '../cli.js'
import { loadConfig, type Config } from '../config.js'
import { StoreUnavailable, type BucketStore, type Policy } from '../limiter/bucket.js'
import { parseClient, type Client } from '../limiter/client.js'
import { formatPeriod, isPolicyName, limitFor, policyNames, type PolicyName } from '../limiter/policies.js'
import { createRedisStore } from '../limiter/redis-store.js'
import { connect, parseRedisUrl } from '../limiter/redis.js'
import { Failure, NotFound, print, table, UsageError } from './outcome.js'

/** A person waits longer than a request, and a script call of hundreds of buckets takes longer than one of a few. */
const PATIENCE_MS = 1000
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
    ...policy !== undefined && { policy: policyNamed(policy) },
    ...client !== undefined && { client: clientNamed(client).key }
  }
  await withStore(async (store, config) => {
    const found = new Map<string, [Policy, Client]>()
    for await (const id of store.list(filter)) {
      const client = parseClient(id.client)
      // SCAN may name a key twice; and a key that is no bucket of today's policies is not ours to judge.
      if (!client || !isPolicyName(id.policy)) continue
      const limit = limitFor(config.limits, id.policy, client)
      if (limit !== 'exempt') found.set(`${id.policy} ${id.client}`, [limit, client])
    }
    const buckets: BucketView[] = []
    const rest = [...found.values()]
    while (rest.length > 0) buckets.push(...await Promise.all(rest.splice(-LOOKS_AT_ONCE).map(bucket => look(store, ...bucket))))
    buckets.sort((a, b) => a.tokens / a.capacity - b.tokens / b.capacity || a.policy.localeCompare(b.policy) || a.client.localeCompare(b.client))
    print(json, buckets, () => buckets.length === 0 ? 'No bucket lacks a token.\n' : tableOf(buckets))
  })
}

export async function peek ([policy = '', address = '']: string[], { json }: Options): Promise<void> {
  const [name, client] = [policyNamed(policy), clientNamed(address)]
  await withStore(async (store, config) => {
    const view = await look(store, limitOf(config, name, client), client)
    print(json, view, () => tableOf([view]))
  })
}

export async function reset ([policy = '', address = '']: string[], { json }: Options): Promise<void> {
  const [name, client] = [policyNamed(policy), clientNamed(address)]
  await withStore(async (store, config) => {
    const { capacity } = limitOf(config, name, client)
    if (!await store.reset({ policy: name, client: client.key })) {
      throw new NotFound(`there is no ${name} bucket of ${client.key}: it has all its ${capacity} tokens`)
    }
    print(json, { policy: name, client: client.key, tokens: capacity }, () => `The ${name} bucket of ${client.key} is full: ${capacity} tokens.\n`)
  })
}

async function look (store: BucketStore, limit: Policy, client: Client): Promise<BucketView> {
  const { remaining, nextMs, fullMs } = await store.take(limit, client.key, 0)
  const now = Date.now()
  return {
    policy: limit.name,
    client: client.key,
    tokens: remaining,
    capacity: limit.capacity,
    refill: limit.refill,
    periodMs: limit.periodMs,
    nextTokenAt: nextMs === 0 ? null : new Date(now + nextMs).toISOString(),
    fullAt: fullMs === 0 ? null : new Date(now + fullMs).toISOString()
  }
}

function tableOf (buckets: BucketView[]): string {
  return table(['policy', 'client', 'tokens', 'capacity', 'refill', 'next token at', 'full at'], buckets.map(bucket => [
    bucket.policy, bucket.client, bucket.tokens, bucket.capacity, `${bucket.refill} every ${formatPeriod(bucket.periodMs)}`,
    bucket.nextTokenAt ?? '-', bucket.fullAt ?? '-'
  ]))
}

async function withStore (use: (store: BucketStore, config: Config) => Promise<void>): Promise<void> {
  const config = loadConfig()
  if (config.redisUrl === undefined) {
    throw new Failure('REDIS_URL is not set, so the buckets are inside the server process. Set it to the Redis that the service uses.')
  }
  let trouble: Error | undefined
  const store = createRedisStore(await connect(config.redisUrl, (error) => { trouble = error }), { deadlineMs: PATIENCE_MS })
  try {
    await use(store, config)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    const nodes = parseRedisUrl(config.redisUrl).nodes.map(({ host, port }) => `${host}:${port}`).join(', ')
    throw new Failure(`Redis at ${nodes}, from REDIS_URL, does not answer: ${(trouble ?? error).message}`, 1, { cause: error })
  } finally {
    await store.close()
  }
}

function policyNamed (name: string): PolicyName {
  if (!isPolicyName(name)) throw new UsageError(`there is no policy "${name}"; there are ${policyNames.join(', ')}`)
  return name
}

function clientNamed (text: string): Client {
  const client = parseClient(text)
  if (!client) throw new UsageError(`"${text}" is not an address such as 203.0.113.7 or 2001:db8:1:2::/64`)
  return client
}

function limitOf (config: Config, name: PolicyName, client: Client): Policy {
  const limit = limitFor(config.limits, name, client)
  if (limit === 'exempt') throw new NotFound(`${client.key} is exempt from ${name} by LIMITS_FILE and has no bucket`)
  return limit
}
