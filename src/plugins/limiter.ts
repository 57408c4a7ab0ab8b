import fp from 'fastify-plugin'
import type { Config } from '../config.js'
import { serviceUnavailable, tooManyRequests } from '../errors.js'
import { StoreUnavailable, type BucketStore } from '../limiter/bucket.js'
import { clientOf, type Client } from '../limiter/client.js'
import { limitFor, type AddressPolicy, type PolicyName } from '../limiter/policies.js'
import { openStore } from '../limiter/store.js'

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

  interface FastifyRequest {
    client: Client | undefined
    policy: PolicyName
    /** Set when the limiter refused the request: how long the client has to wait. */
    refusedForMs: number | undefined
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

  app.decorateRequest('client', undefined)
  app.decorateRequest('policy', 'general')
  app.decorateRequest('refusedForMs', undefined)

  let warned = config.trustProxy.length > 0
  function warnOfProxy (): void {
    warned = true
    app.log.warn('a request came with X-Forwarded-For, which is not believed: if a proxy of yours adds it, all its clients share one bucket until TRUST_PROXY names its address')
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (!warned && request.headers['x-forwarded-for'] !== undefined) warnOfProxy()
    request.policy = request.routeOptions.config.limit ?? 'general'
    request.client = clientOf(request.ip, request.socket.remoteAddress)
    if (!request.client) {
      // The client has gone: there is nobody to answer, and nobody to charge.
      reply.hijack()
      request.raw.destroy()
      return
    }
    const limit = limitFor(config.limits, request.policy, request.client)
    if (limit === 'exempt') return done()

    store.take(limit, request.client.key).then((verdict) => {
      decisions.inc({ policy: request.policy, outcome: verdict.allowed ? 'admitted' : 'refused' })
      if (verdict.allowed) return done()
      request.refusedForMs = verdict.waitMs
      request.audit = { event: 'excess_rate_limit_exceeded' }
      done(tooManyRequests(verdict))
    }, (error: Error) => {
      decisions.inc({ policy: request.policy, outcome: 'undecided' })
      done(error instanceof StoreUnavailable ? serviceUnavailable(1, error) : error)
    })
  })
}, { name: 'limiter', dependencies: ['cors', 'metrics'] })
