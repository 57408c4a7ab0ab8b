import fp from 'fastify-plugin'
import { HashQueueFull } from '../auth/passwords.js'
import type { Config } from '../config.js'
import { clientLeft, tooManyRequests } from '../errors.js'
import { StoreUnavailable, type BucketStore, type Policy, type Verdict } from '../limiter/bucket.js'
import { bucketOf } from '../limiter/key.js'
import { limitFor, returnedBudget, type AddressPolicy } from '../limiter/policies.js'
import { openStore } from '../limiter/store.js'
import { sendError, sendThrown } from './error-shape.js'
import { watchForProxies } from './proxy-warnings.js'

declare module 'fastify' {
  interface FastifyInstance {
    buckets: BucketStore
    /** Whether Redis does not decide, and LIMITER_ON_REDIS_FAILURE does. */
    fallbackActive: boolean
  }

  interface FastifyContextConfig {
    /** Whose bucket a request of this route takes from; `general` where none is named. */
    limit?: AddressPolicy
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
    onDenyCacheHit: () => denyCacheHits.inc(),
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
  app.addHook('onRequest', (request, reply, done) => {
    const { client, record, route: { config: { limit: policy = 'general' } } } = request
    record.policy = policy
    // Nobody is left to be answered, or charged.
    if (!client) return done(clientLeft())
    const limit = limitFor(config.limits, policy, client)
    if (limit === 'exempt') {
      record.admitted = true
      return done()
    }
    noticeProxy(request, client)

    /** Sent from here: to throw it would cost more than to admit the request. */
    function refuse (verdict: Verdict): void {
      decisions.inc({ policy, outcome: 'refused' })
      sendError(tooManyRequests(verdict, { event: 'excess_rate_limit_exceeded' }), request, reply)
    }

    const bucket = bucketOf(limit, client.key)
    const known = store.knownRefusal(bucket)
    if (known) return refuse(known)

    function decided (verdict: Verdict): void {
      if (!verdict.allowed) return refuse(verdict)
      record.admitted = true
      decisions.inc({ policy, outcome: 'admitted' })
      done()
    }

    function undecided (error: Error): void {
      decisions.inc({ policy, outcome: 'undecided' })
      done(error)
    }

    // `done` runs the rest of the request. What that throws finds a request that may have been answered already.
    store.take(bucket).then(decided, undecided).catch((error: unknown) => {
      if (!reply.sent) return sendThrown(error, request, reply)
      request.log.error({ code: 'request_failed', err: error }, 'request failed on its way')
    }).catch(() => request.raw.destroy())
  })

  // A request that is shed after it took a token gives it back.
  app.addHook('onError', (request, _reply, error, done) => {
    const { client, route } = request
    if (!(error instanceof HashQueueFull) || !client) return done()
    const limit = limitFor(config.limits, route.config.limit ?? 'general', client)
    if (limit === 'exempt') return done()
    returnToken(limit, client.key).catch((error: Error) => {
      if (!(error instanceof StoreUnavailable)) request.log.error({ code: 'token_not_returned', err: error }, 'token not returned')
    })
    // Not awaited: until its answer is being written, whoever answers a broken connection could answer a second time.
    done()
  })

  const budgets = new Map<Policy, Policy>()

  /**
   * An attacker who provokes load shedding must not get tokens without end, so what comes back comes out of a bucket of
   * the client's own, for all replicas: at most `capacity` tokens a period.
   */
  async function returnToken (limit: Policy, client: string): Promise<void> {
    const budget = budgets.get(limit) ?? returnedBudget(limit)
    budgets.set(limit, budget)
    const { allowed } = await store.take(bucketOf(budget, client))
    if (!allowed) return
    await store.giveBack(bucketOf(limit, client))
    decisions.inc({ policy: limit.name, outcome: 'returned' })
  }
}, { name: 'limiter', dependencies: ['cors', 'metrics', 'request-log'] })
