import fp from 'fastify-plugin'
import { createPasswords, type Passwords } from '../auth/passwords.js'
import type { Config } from '../config.js'

declare module 'fastify' {
  interface FastifyInstance {
    passwords: Passwords
  }
}

export default fp<{ config: Config }>(async (app, { config }) => {
  app.decorate('passwords', await createPasswords({ cost: config.bcryptCost, concurrency: config.bcryptConcurrency }))
}, { name: 'passwords' })
