import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { badRequest, notFound, serviceUnavailable } from '../base/errors.js'
import { ResetUnannounced, type Bucket } from '../limiter/bucket/bucket.js'
import { parseBucketKey } from '../limiter/bucket/key.js'
import { isAccountPolicy, hasPolicy, basePolicyName } from '../limiter/limits/policies.js'
import {
  chooseBucket, bucketsOfOwner, bucketsOfAccounts, resetBuckets, bucketView, peekViews, type PeekedBucket
} from '../limiter/operators/bucket-views.js'
import { emptiestFirst, selectBuckets } from '../limiter/operators/selection.js'
import { ownerExpected, ownersNamed, subjectNamed } from '../auth/owner-names.js'

/** A list of a million buckets would be useless and would fill the memory. */
const MAX_LISTED = 1000
/** The longest name of a client: a user of 64 characters at an IPv6 network. */
const MAX_NAME_LENGTH = 128

interface Filter { policy?: string, client?: string }
const filterSchema = {
  type: 'object', properties: { policy: { type: 'string' }, client: { type: 'string' } }, additionalProperties: false
}

interface BucketParameters { policy: string, client: string }

/** The bucket API: lists, shows and resets buckets, with the JSON of `gatehouse buckets … --json`. */
export const bucketApi: FastifyPluginAsync<{ app: FastifyInstance }> = async (ops, { app }) => {
  const { buckets, limits } = app

  // During an outage the answers are about the local buckets of this replica.
  ops.addHook('onSend', async (_request, reply) => {
    if (app.states.redis.value === 'does not decide') reply.header('x-buckets-source', 'fallback')
  })

  /**
   * The buckets that are not full, the emptiest first. If there are too many, it is an arbitrary selection, and a
   * header says so.
   */
  ops.get<{ Querystring: Filter }>('/buckets', { schema: { querystring: filterSchema } }, async (request, reply) => {
    const { query: { policy, client }, raw: { socket } } = request
    const owners = client === undefined ? undefined : mustBeOwners(policy ?? 'general', client)
    const pages = selectBuckets(buckets, limits, {
      ...policy !== undefined && { policyName: mustBePolicy(policy) },
      ...owners?.length === 1 && { owner: owners[0]! },
      ...owners && { owns: owner => owners.includes(owner) }
    })
    const found: PeekedBucket[] = []
    for await (const page of pages) {
      found.push(...page)
      if (found.length >= MAX_LISTED || socket.destroyed) break
    }
    if (found.length >= MAX_LISTED) reply.header('x-buckets-truncated', 'true')
    return emptiestFirst(found).slice(0, MAX_LISTED).map(bucketView)
  })

  /** All buckets of one client, including full ones. The client is an address, `user:17`, or a username. */
  ops.get<{ Params: Pick<BucketParameters, 'client'> }>('/buckets/:client', async ({ params: { client } }) => {
    const owner = subjectNamed(limits.clients, mustBeShort(client))?.owner
    return await peekViews(buckets, owner === undefined
      ? await bucketsOfAccounts(buckets, limits, ownersNamed(limits.clients, 'account', client))
      : bucketsOfOwner(limits, owner))
  })

  ops.get<{ Params: BucketParameters }>('/buckets/:policy/:client', async ({ params }) =>
    (await peekViews(buckets, [await mustBeBucket(params)]))[0])

  ops.delete<{ Params: BucketParameters }>('/buckets/:policy/:client', async (request) => {
    const { params, id: reqId, raw: { socket } } = request
    const bucket = await mustBeBucket(params)
    const { policyName: policy, owner } = parseBucketKey(bucket.key)!
    const { capacity } = bucket.policy
    const done = await resetBuckets(buckets, [[bucket]]).catch((error) => {
      if (error instanceof ResetUnannounced) return error
      throw error
    })
    const failed = done instanceof Error
    if (!failed && done.reset + done.ofAddresses === 0) {
      throw notFound(`There is no ${policy} bucket of ${owner}: it has all its ${capacity} tokens.`)
    }
    const client = limits.clients.fromAddress(socket.remoteAddress)?.key
    app.recordOperator({ event: 'bucket_reset', client, reqId, policy, subject: owner })
    if (failed) throw serviceUnavailable(1, done, `${done.message}.`)
    return { policy, client: owner, tokens: capacity }
  })

  async function mustBeBucket ({ policy, client }: BucketParameters): Promise<Bucket> {
    const bucket = await chooseBucket(buckets, limits, policy, mustBeOwners(mustBePolicy(policy), client))
    if (typeof bucket === 'string') throw notFound(`${bucket}.`)
    return bucket
  }

  function mustBePolicy (name: string): string {
    if (hasPolicy(limits, basePolicyName(name))) return name
    throw notFound(`There is no such policy; there are ${Object.keys(limits.policies).join(', ')}.`)
  }

  function mustBeOwners (policyName: string, text: string): string[] {
    const owners = ownersNamed(limits.clients, policyName, mustBeShort(text))
    if (owners.length > 0) return owners
    throw badRequest(`The client must be ${ownerExpected(policyName)}` +
      (isAccountPolicy(policyName) ? '.' : ', or a user, such as user:17.'))
  }
}

function mustBeShort (text: string): string {
  if (text.length <= MAX_NAME_LENGTH) return text
  throw badRequest(`The name of a client has at most ${MAX_NAME_LENGTH} characters.`)
}
