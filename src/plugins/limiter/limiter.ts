import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { HashQueueFull } from '../../auth/passwords.js'
import type { Config } from '../../config/config.js'
import { clientLeft, networkBlocked, tooManyRequests, type ErrorResponse } from '../../base/errors.js'
import { StoreUnavailable, type Bucket, type Decided, type Policy, type Verdict } from '../../limiter/bucket/bucket.js'
import { takeInTurn } from '../../limiter/bucket/in-turn.js'
import { bucketOf, userOwner } from '../../limiter/bucket/key.js'
import { returnedBudget } from '../../limiter/limits/policies.js'
import type { TakeOrigin } from '../../limiter/fleet/take-feed.js'
import type { RequestRecord } from '../../base/request-record.js'
import { sendAnswer, sendThrown } from '../edge/error-shape.js'
import { watchForProxies } from '../edge/proxy-warnings.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counters of the takes under this policy, of requests and of failed logins. */
    decisionsUnder: (policy: string) => PolicyDecisions
  }
}

interface PolicyDecisions {
  /**
   * Counts a verdict, and shows it to operators who watch.
   *
   * @param key the key of the bucket that decided
   * @param record what the request's log line says if the request is refused
   * @param cached whether the refusal is a cached denial
   * @returns the answer to a refused request; undefined if the request goes on
   */
  recordVerdict: (
    request: FastifyRequest, key: string, verdict: Verdict, record: RequestRecord, cached?: boolean
  ) => ErrorResponse | undefined
  /** Counts a take that failed. */
  undecided: () => void
}

/** What operators who watch see of a request without a bucket. */
const BLOCKED: Verdict = { allowed: false, capacity: 0, remaining: 0, waitMs: 0, nextMs: 0, fullMs: 0 }

const OVER_LIMIT: RequestRecord = { event: 'excess_rate_limit_exceeded' }

/**
 * Takes one token for every request, before its body is read. The policy comes from the matched route and never from
 * the URL. So all spellings of a path use the same bucket, and all paths that do not exist share one bucket.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const { buckets: store, metrics: { decisions } } = app
  const proxies = watchForProxies(config, app.log)
  app.addReplicaFacts(() => ({ proxySigns: proxies.signs() }))

  app.decorate('decisionsUnder', (policy): PolicyDecisions => {
    const [admitted, refused, undecided] =
      ['admitted', 'refused', 'undecided'].map(outcome => decisions({ policy, outcome }))
    return {
      recordVerdict (request, key, verdict, record, cached = false) {
        store.feed.report?.(originOf(request, cached), key, verdict)
        const outcome = verdict.allowed ? admitted : refused
        outcome!.value++
        return verdict.allowed ? undefined : tooManyRequests(verdict, record, store.nowMs())
      },
      undecided () { undecided!.value++ }
    }
  })

  app.onEntry(({ policy }) => {
    const { recordVerdict, undecided } = app.decisionsUnder(policy)
    const blocked = decisions({ policy, outcome: 'blocked' })

    /** @returns whether the request goes on */
    function passes (
      request: FastifyRequest, reply: FastifyReply, bucket: Bucket, verdict: Verdict, cached?: boolean
    ): boolean {
      const answer = recordVerdict(request, bucket.key, verdict, OVER_LIMIT, cached)
      if (answer) {
        proxies.refused(request.client!)
        sendAnswer(answer, request, reply)
      } else request.record.admitted = true
      return !answer
    }

    return (request, reply, goOn) => {
      const { client, record } = request
      record.policy = policy
      if (!client) {
        // The client is gone, so there is no one to answer or to charge.
        goOn(clientLeft())
        return false
      }
      const bucket = client.bucketFor(policy)
      if (!bucket) {
        record.admitted = !client.isBlocked(policy)
        if (record.admitted) return true
        blocked.value++
        const { key } = bucketOf(app.limits.policies[policy]!, client.key)
        store.feed.report?.({ ...originOf(request, false), blocked: true }, key, BLOCKED)
        sendAnswer(networkBlocked(), request, reply)
        return false
      }
      proxies.request(request, client)
      const shared = client.sharedBucketFor(policy)
      // `refuseAtOnce` counts as a take for the candidate, so it is called only once.
      const refusal = shared ? undefined : store.refuseAtOnce(bucket)
      if (refusal) return passes(request, reply, bucket, refusal, true)

      // `goOn` runs the rest of the request, and an error that it throws would be unhandled here.
      const failed = guarded(request, reply, (error: Error) => {
        undecided()
        goOn(error)
      })
      if (shared) {
        takeByUser(request, bucket, shared).then(guarded(request, reply, (decided) => {
          if (passes(request, reply, ...decided)) goOn()
        }), failed)
      } else {
        store.layer.take(bucket, guarded(request, reply, (verdict) => {
          if (passes(request, reply, bucket, verdict)) goOn()
        }), failed)
      }
      return false
    }
  })

  /** A token that the JWT step refuses must not empty its owner's bucket, because a thief may still send it. */
  async function takeByUser (
    request: FastifyRequest, ofAddress: Bucket, shared: Bucket
  ): Promise<[...Decided, cached?: true]> {
    const userId = await app.acceptedUserId(request)
    if (userId === undefined) return [ofAddress, await store.take(ofAddress)]
    request.record.userId = userId
    const ofUser = bucketOf(ofAddress.policy, userOwner(userId))
    for (const bucket of [ofUser, shared]) {
      const refusal = store.refuseAtOnce(bucket)
      if (refusal) return [bucket, refusal, true]
    }
    return await takeInTurn(store, ofUser, shared)
  }

  // If load shedding refuses a request, its token is returned.
  app.addHook('onError', (request, _reply, error, done) => {
    const bucket = error instanceof HashQueueFull ? request.client?.bucketFor(request.route.policy) : undefined
    if (!bucket) return done()
    returnToken(bucket, request.client!.key).catch((error: Error) => {
      if (error instanceof StoreUnavailable) return
      request.log.error({ code: 'token_not_returned', err: error }, 'token not returned')
    })
    // This does not wait for the token: until the answer is being written, client-errors.ts could answer a broken
    // connection a second time.
    done()
  })

  const budgets = new WeakMap<Policy, Policy>()

  /**
   * An attacker who provokes load shedding must not get endless tokens. So each client has a budget of returned tokens,
   * in a bucket that all replicas share: at most `capacity` tokens a period.
   */
  async function returnToken (bucket: Bucket, client: string): Promise<void> {
    const { policy } = bucket
    const budget = budgets.get(policy) ?? returnedBudget(policy)
    budgets.set(policy, budget)
    const { allowed } = await store.take(bucketOf(budget, client))
    if (!allowed) return
    await store.giveBack(bucket)
    decisions({ policy: policy.name, outcome: 'returned' }).value++
  }
}, { name: 'limiter', dependencies: ['buckets', 'cors', 'request-log'] })

/** What watching operators see of a request. */
const originOf = ({ client, method, route }: FastifyRequest, cached: boolean): TakeOrigin =>
  ({ client: client!.key, method, route: route.url ?? null, cached })

/** Handles errors that are thrown while the rest of a request runs. The request may already be answered then. */
function guarded<Value> (
  request: FastifyRequest, reply: FastifyReply, goOn: (value: Value) => void
): (value: Value) => void {
  return (value) => {
    try {
      goOn(value)
    } catch (error) {
      fail(error, request, reply)
    }
  }
}

function fail (error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  try {
    if (!reply.sent) return sendThrown(error, request, reply)
    request.log.error({ code: 'request_failed', err: error }, 'request failed on its way')
  } catch {
    request.raw.destroy()
  }
}
