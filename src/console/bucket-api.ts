import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { badRequest, notFound, serviceUnavailable } from '../base/errors.js'
import { ResetUnannounced, type Bucket } from '../limiter/bucket/bucket.js'
import { clientOf } from '../limiter/limits/client.js'
import { parseBucketKey } from '../limiter/bucket/key.js'
import { isLimited, policyBehind } from '../limiter/limits/policies.js'
import {
  bucketNamed, bucketsOf, limitOfOwner, lookAt, ownersNamed, resetBucket, viewOf, type BucketView
} from '../auth/named-buckets.js'

/** A list of a million buckets would be useless and would fill the memory. */
const MAX_LISTED = 1000
/** The longest name of a client: a user of 64 characters at an IPv6 network. */
const MAX_NAME_LENGTH = 128

interface Filter { policy?: string, client?: string }
const filterSchema = {
  type: 'object', properties: { policy: { type: 'string' }, client: { type: 'string' } }, additionalProperties: false
}

interface Named { policy: string, client: string }

/** The bucket API: lists, shows and resets buckets, with the JSON of `gatehouse buckets … --json`. */
export const bucketApi: FastifyPluginAsync<{ app: FastifyInstance }> = async (ops, { app }) => {
  const { buckets, limits } = app

  // During an outage the answers are about the local buckets of this replica.
  ops.addHook('onSend', async (_request, reply) => {
    if (app.fallbackActive) reply.header('x-buckets-source', 'fallback')
  })

  /**
   * The buckets that are not full, the emptiest first. If there are too many, it is an arbitrary selection, and a
   * header says so.
   */
  ops.get<{ Querystring: Filter }>('/buckets', { schema: { querystring: filterSchema } }, async (request, reply) => {
    const { query: { policy, client }, raw: { socket } } = request
    const owners = client === undefined ? undefined : mustBeOwners(policy ?? 'general', client)
    const filter = {
      ...policy !== undefined && { policyName: mustBePolicy(policy) },
      ...owners?.length === 1 && { owner: owners[0]! }
    }
    const found = new Map<string, Bucket>()
    for await (const { key, policyName, owner } of buckets.list(filter)) {
      if (owners && !owners.includes(owner)) continue
      // SCAN may return a key twice, and a key may belong to a policy that no longer exists.
      const limit = limitOfOwner(limits, policyName, owner)
      if (typeof limit === 'object') found.set(key, { key, policy: limit })
      if (found.size === MAX_LISTED || socket.destroyed) break
    }
    if (found.size === MAX_LISTED) reply.header('x-buckets-truncated', 'true')
    return (await viewsOf([...found.values()])).sort((a, b) => a.tokens / a.capacity - b.tokens / b.capacity ||
      a.policy.localeCompare(b.policy) || a.client.localeCompare(b.client))
  })

  /** All buckets of one client, including full ones. The client is an address, `user:17`, or a username. */
  ops.get<{ Params: Pick<Named, 'client'> }>('/buckets/:client', async ({ params: { client } }) =>
    await viewsOf(await bucketsOf(buckets, limits, mustBeShort(client))))

  ops.get<{ Params: Named }>('/buckets/:policy/:client', async ({ params }) =>
    await look(await mustBeBucket(params)))

  ops.delete<{ Params: Named }>('/buckets/:policy/:client', async ({ params, id: reqId, raw: { socket } }) => {
    const bucket = await mustBeBucket(params)
    const { policyName: policy, owner } = parseBucketKey(bucket.key)!
    const { capacity } = bucket.policy
    const done = await resetBucket(buckets, bucket).catch((error) => {
      if (error instanceof ResetUnannounced) return error
      throw error
    })
    if (done === false) {
      throw notFound(`There is no ${policy} bucket of ${owner}: it has all its ${capacity} tokens.`)
    }
    const client = clientOf(undefined, socket.remoteAddress)?.key
    app.recordOperator({ event: 'bucket_reset', client, reqId, policy, subject: owner })
    if (done !== true) throw serviceUnavailable(1, done, `${done.message}.`)
    return { policy, client: owner, tokens: capacity }
  })

  const look = async (bucket: Bucket): Promise<BucketView> => viewOf(await lookAt(buckets, bucket))

  const viewsOf = (all: Bucket[]): Promise<BucketView[]> => Promise.all(all.map(look))

  async function mustBeBucket ({ policy, client }: Named): Promise<Bucket> {
    mustBeOwners(mustBePolicy(policy), client)
    const bucket = (await bucketNamed(buckets, limits, policy, client))!
    if (typeof bucket === 'string') throw notFound(`${bucket}.`)
    return bucket
  }

  function mustBePolicy (name: string): string {
    if (isLimited(limits, policyBehind(name))) return name
    throw notFound(`There is no such policy; there are ${Object.keys(limits.policies).join(', ')}.`)
  }
}

function mustBeOwners (policyName: string, text: string): string[] {
  const owners = ownersNamed(policyName, mustBeShort(text))
  if (owners.length > 0) return owners
  if (policyName === 'account') throw badRequest('The client must be a username, such as asha.verma.')
  throw badRequest(policyName === 'account-address'
    ? 'The client must be a user at an address, such as asha.verma@203.0.113.7.'
    : 'The client must be an address, such as 203.0.113.7 or 2001:db8:1:2::/64, or a user, such as user:17.')
}

function mustBeShort (text: string): string {
  if (text.length <= MAX_NAME_LENGTH) return text
  throw badRequest(`The name of a client has at most ${MAX_NAME_LENGTH} characters.`)
}
