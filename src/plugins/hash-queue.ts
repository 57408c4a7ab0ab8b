import type {
  FastifyBaseLogger, FastifyRequest, onRequestHookHandler, onSendHookHandler, preHandlerHookHandler
} from 'fastify'
import fp from 'fastify-plugin'
import { costlierHashes } from '../auth/hash-costs.js'
import { createPasswords, HashQueueFull, type CostlierHashes, type Passwords } from '../auth/passwords.js'
import type { Config } from '../config.js'

declare module 'fastify' {
  interface FastifyInstance {
    passwords: Passwords
    /** Gives up the request's place in the queue of hashes before its answer: no hash of it is left to compute. */
    leaveHashQueue: (request: FastifyRequest) => void
  }

  interface FastifyContextConfig {
    /** Whether a password is hashed or compared on the way. */
    hashes?: boolean
  }
}

/** On average: it is from half of that to one and a half times as long. */
const REFUSED_AFTER_MS = 500

/**
 * Load shedding: no more requests wait for a hash than the queue has capacity for. Those beyond it are refused before
 * their bodies are read; the 503 is delayed, so that clients that retry at once cannot monopolise the process.
 *
 * A request counts from the moment its body is complete and valid, so that half-sent bodies hold no place. What bounds
 * those is the limiter (each has taken a token), the body limit of 16 KiB, and the request timeout of ten seconds.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const { hashSeconds, hashesWaiting } = app.metrics
  const passwords = await createPasswords({
    cost: config.bcryptCost,
    concurrency: config.bcryptConcurrency,
    costlierHashes: async () => await costlierHashes(app.db, config.bcryptCost),
    onCostlier: (found, failureMs) => tellCosts(app.log, found, failureMs),
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
  // Hashes of clients that have left are in the queue, too.
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

  // Once its answer is known a request needs no hash, however long its client takes to read.
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

  // Asked whenever Prometheus asks.
  Object.assign(hashesWaiting, { collect: () => hashesWaiting.set(passwords.waiting()) })
}, { name: 'hash-queue', dependencies: ['metrics', 'limiter', 'request-end'] })

function tellCosts (log: FastifyBaseLogger, found: CostlierHashes, failureMs: number): void {
  const accounts = found.reduce((sum, { accounts }) => sum + accounts, 0)
  if (accounts === 0) log.info({ code: 'hash_costs_recovered' }, 'no hash costs more than BCRYPT_COST any more')
  else {
    log.warn(
      { code: 'hash_costs_high', accounts, costs: found, failureMs: Math.round(failureMs) || undefined },
      'hashes that cost more than BCRYPT_COST make every failed login take as long as they do'
    )
  }
}
