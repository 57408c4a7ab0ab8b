import { finished } from 'node:stream'
import fp from 'fastify-plugin'
import { createPasswords, HashQueueFull, type Passwords } from '../auth/passwords.js'
import type { Config } from '../config.js'
import { serviceUnavailable } from '../errors.js'

declare module 'fastify' {
  interface FastifyInstance {
    passwords: Passwords
  }

  interface FastifyContextConfig {
    /** Whether a password is hashed or compared on the way. */
    hashes?: boolean
  }
}

/** On average: it is from half of that to one and a half times as long. */
const REFUSED_AFTER_MS = 500

/**
 * No more requests that hash are on their way than the queue of hashes has room for: those beyond are refused before they
 * cost a query, or a turn of their account's bucket. The refusal takes its time, so that who comes back at once, again and
 * again, does not keep the process from the others.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const { hashSeconds, hashesWaiting } = app.metrics
  const passwords = await createPasswords({
    cost: config.bcryptCost, concurrency: config.bcryptConcurrency, onDone: seconds => hashSeconds.observe(seconds)
  })
  app.decorate('passwords', passwords)

  let onTheirWay = 0
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.routeOptions.config.hashes) return done()
    // Hashes of clients that have left are in the queue, too.
    if (onTheirWay >= passwords.room || passwords.full()) {
      setTimeout(() => done(serviceUnavailable(2, new HashQueueFull())), REFUSED_AFTER_MS * (0.5 + Math.random()))
      return
    }
    onTheirWay++
    finished(reply.raw, () => { onTheirWay-- })
    done()
  })

  // Asked whenever Prometheus asks.
  Object.assign(hashesWaiting, { collect: () => hashesWaiting.set(passwords.waiting()) })
}, { name: 'passwords', dependencies: ['metrics', 'limiter'] })
