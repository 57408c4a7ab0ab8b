import type {
  FastifyBaseLogger, FastifyRequest, onRequestHookHandler, onSendHookHandler, preHandlerHookHandler
} from 'fastify'
import fp from 'fastify-plugin'
import { costlierHashes, type CostlierHashes } from '../../auth/hash-costs.js'
import { createPasswords, HashQueueFull, type Passwords } from '../../auth/passwords.js'
import type { Config } from '../../config/config.js'

declare module 'fastify' {
  interface FastifyInstance {
    passwords: Passwords
    /** Gives up the request's place in the hash queue before its answer, because it needs no further hash. */
    leaveHashQueue: (request: FastifyRequest) => void
  }

  interface FastifyContextConfig {
    /** Whether requests of this route hash or compare a password. */
    hashes?: boolean
  }
}

/** The average delay. With jitter it is 50 to 150 % of this. */
const REFUSED_AFTER_MS = 500

/**
 * Load shedding: requests that exceed the capacity of the hash queue are refused before their bodies are read. The 503
 * is delayed, so that clients that retry at once cannot monopolise the process.
 *
 * A request takes a place only when its body is complete and valid, so that half-sent bodies hold none. Half-sent
 * bodies are bounded by the limiter (each has taken a token), the body limit of 16 KiB, and the request timeout of ten
 * seconds.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const { hashSeconds, hashesWaiting } = app.metrics
  const passwords = await createPasswords({
    cost: config.bcryptCost,
    concurrency: config.bcryptConcurrency,
    costlierHashes: async () => await costlierHashes(app.db, config.bcryptCost),
    onCostlier: (found, failureMs) => reportCosts(app.log, found, failureMs),
    onDone: seconds => hashSeconds.observe(seconds)
  })
  app.decorate('passwords', passwords)
  app.addHook('onReady', (done) => {
    passwords.learnCosts()
    done()
  })
  app.addHook('preClose', (done) => {
    passwords.close()
    done()
  })

  const underWay = new Set<FastifyRequest>()
  app.decorate('leaveHashQueue', (request) => { underWay.delete(request) })
  // The queue also holds hashes of clients that have left.
  const isFull = (): boolean => underWay.size >= passwords.room || passwords.full()
  const shed = (done: (error: Error) => void): void => {
    setTimeout(() => done(new HashQueueFull()), REFUSED_AFTER_MS * (0.5 + Math.random()))
  }

  const shedIfFull: onRequestHookHandler = (_request, _reply, done) => {
    if (isFull()) shed(done)
    else done()
  }

  // Others may have taken the last places while this body arrived.
  const takePlace: preHandlerHookHandler = (request, _reply, done) => {
    if (isFull()) return shed(done)
    underWay.add(request)
    done()
  }

  // When its answer is known, a request needs no hash any more, even if its client reads slowly.
  const leavePlace: onSendHookHandler = (request, _reply, _payload, done) => {
    app.leaveHashQueue(request)
    done()
  }

  app.addHook('onRoute', (route) => {
    if (!route.config?.hashes) return
    route.onRequest = [route.onRequest ?? [], shedIfFull].flat()
    route.preHandler = [takePlace, route.preHandler ?? []].flat()
    route.onSend = [leavePlace, route.onSend ?? []].flat()
  })

  // Prometheus reads the current value at each scrape.
  Object.assign(hashesWaiting, { collect: () => hashesWaiting.set(passwords.waiting()) })
}, { name: 'hash-queue', dependencies: ['metrics', 'limiter', 'request-end'] })

function reportCosts (log: FastifyBaseLogger, found: CostlierHashes, failureMs: number): void {
  const accounts = found.reduce((sum, { accounts }) => sum + accounts, 0)
  if (accounts === 0) log.info({ code: 'hash_costs_recovered' }, 'no hash costs more than BCRYPT_COST any more')
  else {
    log.warn(
      { code: 'hash_costs_high', accounts, costs: found, failureMs: Math.round(failureMs) || undefined },
      'hashes that cost more than BCRYPT_COST make every failed login take as long as they do'
    )
  }
}
