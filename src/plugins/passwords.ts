import fp from 'fastify-plugin'
import { createPasswords, type Passwords } from '../auth/passwords.js'
import type { Config } from '../config.js'

declare module 'fastify' {
  interface FastifyInstance {
    passwords: Passwords
  }
}

export default fp<{ config: Config }>(async (app, { config }) => {
  const { hashSeconds, hashesWaiting } = app.metrics
  const passwords = await createPasswords({
    cost: config.bcryptCost, concurrency: config.bcryptConcurrency, onDone: seconds => hashSeconds.observe(seconds)
  })
  app.decorate('passwords', passwords)
  // Asked whenever Prometheus asks.
  Object.assign(hashesWaiting, { collect: () => hashesWaiting.set(passwords.waiting()) })
}, { name: 'passwords', dependencies: ['metrics'] })
