import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { HashQueueFull } from '../auth/passwords.js'
import type { Config } from '../config.js'
import { clientLeft, tooManyRequests } from '../errors.js'
import { StoreUnavailable, type Bucket, type BucketStore, type Policy, type Verdict } from '../limiter/bucket.js'
import { bucketOf, userOwner } from '../limiter/key.js'
import { returnedBudget } from '../limiter/policies.js'
import { openStore } from '../limiter/store.js'
import { takeBoth } from '../limiter/take-both.js'
import { sendAnswer, sendThrown } from './error-shape.js'
import { watchForProxies } from './proxy-warnings.js'

declare module 'fastify' {
  interface FastifyInstance {
    buckets: BucketStore
    /** Whether Redis does not decide, and LIMITER_ON_REDIS_FAILURE does. */
    fallbackActive: boolean
  }
}

/**
 * Takes one token for every request, before its body is read. The policy is the matched route's, never the URL's, so
 * every spelling of a path meets the same bucket, and all paths that do not exist share one.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const { decisions, denyCacheHits, fallbackActive, fallbackChanges, replicas, takeSeconds } = app.metrics
  const store = await openStore(config, app.log, {
    onTake: seconds => takeSeconds.observe(seconds),
    onDenyCacheHit: () => { denyCacheHits.value++ },
    onReplicas: count => replicas.set(count),
    onFallback (change, failing) {
      app.fallbackActive = failing > 0
      fallbackActive.set(failing)
      fallbackChanges.inc(change)
    }
  })
  app.decorate('fallbackActive', false)
  app.decorate('buckets', store)
  app.addHook('onClose', () => store.close())

  const noticeProxy = watchForProxies(config, app.log)

  app.onEntry(({ policy }) => {
    const [admitted, refused, undecided] = ['admitted', 'refused', 'undecided']
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
        record.admitted = true
        return done()
      }
      noticeProxy(request, client)
      const known = store.knownRefusal(bucket)
      const shared = client.sharedBucketFor(policy)
      if (known && !shared) return refuse(known, request, reply)

      // `done` runs the rest of the request, and what that throws finds nobody here who would catch it.
      const verdict = shared ? takeByUser(request, bucket, shared) : store.take(bucket)
      verdict.then(guarded(request, reply, (verdict) => {
        if (!verdict.allowed) return refuse(verdict, request, reply)
        record.admitted = true
        admitted!.value++
        done()
      }), guarded(request, reply, (error) => {
        undecided!.value++
        done(error)
      }))
    }
  })

  /**
   * A signature is all that is checked of a token here, and nothing else is asked of anyone: whether it was revoked, a
   * request learns after the limiter.
   */
  async function takeByUser (request: FastifyRequest, ofAddress: Bucket, shared: Bucket): Promise<Verdict> {
    const userId = await app.signedUserId(request)
    if (userId === undefined) return await store.take(ofAddress)
    request.record.userId = userId
    const ofUser = bucketOf(ofAddress.policy, userOwner(userId))
    return store.knownRefusal(ofUser) ?? store.knownRefusal(shared) ?? await takeBoth(store, shared, ofUser)
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

  const budgets = new Map<Policy, Policy>()

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
}, { name: 'limiter', dependencies: ['cors', 'metrics', 'request-log'] })

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
