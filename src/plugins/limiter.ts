import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { HashQueueFull } from '../auth/passwords.js'
import type { Config } from '../config.js'
import { clientLeft, networkBlocked, tooManyRequests } from '../errors.js'
import { StoreUnavailable, type Bucket, type Policy, type Verdict } from '../limiter/bucket.js'
import { bucketOf, userOwner } from '../limiter/key.js'
import type { KnownClient } from '../limiter/known-clients.js'
import { returnedBudget } from '../limiter/policies.js'
import { takeBoth } from '../limiter/take-both.js'
import { sendAnswer, sendThrown } from './error-shape.js'
import { watchForProxies } from './proxy-warnings.js'

/** In the log, of what a policy in shadow mode would refuse. */
const SHADOW_REFUSED = 'shadow_refused'

/**
 * Takes one token for every request, before its body is read. The policy is the matched route's, never the URL's, so
 * every spelling of a path meets the same bucket, and all paths that do not exist share one.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const { buckets: store, takes: feed, replica, metrics: { decisions } } = app
  const noticeProxy = watchForProxies(config, app.log, (client) => { replica.proxySuspected = client })

  app.onEntry(({ policy }) => {
    const [admitted, refused, undecided, wouldRefuse, blocked] =
      ['admitted', 'refused', 'undecided', 'shadow_refused', 'blocked']
        .map(outcome => decisions({ policy, outcome }))

    function refuse (verdict: Verdict, request: FastifyRequest, reply: FastifyReply): void {
      refused!.value++
      sendAnswer(tooManyRequests(verdict, { event: 'excess_rate_limit_exceeded' }), request, reply)
    }

    return (request, reply, done) => {
      const { client, record } = request
      record.policy = policy
      // Nobody is left to be answered, or charged.
      if (!client) return done(clientLeft())
      const bucket = client.bucketFor(policy)
      if (!bucket) {
        if (client.isBlocked(policy)) {
          blocked!.value++
          return sendAnswer(networkBlocked(), request, reply)
        }
        record.admitted = true
        return done()
      }
      noticeProxy(request, client)
      const shared = client.sharedBucketFor(policy)
      // To ask for a known refusal is a take for the candidate, so nothing asks twice.
      const known = shared ? undefined : store.knownRefusal(bucket)
      if (known) {
        report(request, bucket, known, true)
        return refuse(known, request, reply)
      }

      // `done` runs the rest of the request, and what that throws finds nobody here who would catch it.
      const verdict = shared ? takeByUser(request, bucket, shared) : store.take(bucket)
      verdict.then(guarded(request, reply, (verdict) => {
        if (!shared) report(request, bucket, verdict)
        if (!verdict.allowed) return refuse(verdict, request, reply)
        record.admitted = true
        if (verdict.shadow) reportShadow(verdict, policy, client)
        const outcome = verdict.shadow ? wouldRefuse : admitted
        outcome!.value++
        done()
      }), guarded(request, reply, (error) => {
        undecided!.value++
        done(error)
      }))
    }
  })

  /** As seldom as a refusal is logged: what a policy in shadow mode would refuse can come in any number, too. */
  function reportShadow ({ waitMs }: Verdict, policy: string, { key: client }: KnownClient): void {
    if (!app.repeats.isFirst(client, policy, SHADOW_REFUSED)) return
    const details = { code: SHADOW_REFUSED, client, policy, waitMs }
    app.log.info(details, 'the policy would refuse a request, but is in shadow mode')
  }

  /**
   * A signature is all that is checked of a token here, and nothing else is asked of anyone: whether it was revoked, a
   * request learns after the limiter.
   */
  async function takeByUser (request: FastifyRequest, ofAddress: Bucket, shared: Bucket): Promise<Verdict> {
    const userId = await app.signedUserId(request)
    if (userId === undefined) return report(request, ofAddress, await store.take(ofAddress))
    request.record.userId = userId
    const ofUser = bucketOf(ofAddress.policy, userOwner(userId))
    for (const [bucket, behind] of [[ofUser], [shared, ofUser]] as const) {
      const known = store.knownRefusal(bucket, behind)
      if (known) return report(request, bucket, known, true)
    }
    return report(request, ...await takeBoth(store, shared, ofUser))
  }

  /** To those who watch. */
  function report (request: FastifyRequest, { key }: Bucket, verdict: Verdict, cached = false): Verdict {
    const { client, method, route: { url: route = null } } = request
    feed.report?.({ client: client!.key, method, route, cached }, key, verdict)
    return verdict
  }

  // A request that is shed after it took a token gives it back.
  app.addHook('onError', (request, _reply, error, done) => {
    const bucket = error instanceof HashQueueFull ? request.client?.bucketFor(request.route.policy) : undefined
    if (!bucket) return done()
    returnToken(bucket, request.client!.key).catch((error: Error) => {
      if (error instanceof StoreUnavailable) return
      request.log.error({ code: 'token_not_returned', err: error }, 'token not returned')
    })
    // Not awaited: until its answer is being written, whoever answers a broken connection could answer a second time.
    done()
  })

  const budgets = new WeakMap<Policy, Policy>()

  /**
   * An attacker who provokes load shedding must not get tokens without end, so what comes back comes out of a bucket of
   * the client's own, for all replicas: at most `capacity` tokens a period.
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

/** Nothing that is thrown while a request goes on may be unhandled: it may have been answered already. */
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
