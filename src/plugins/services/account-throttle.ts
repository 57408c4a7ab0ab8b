import fp from 'fastify-plugin'
import { createAccountThrottle, type AccountThrottle } from '../../auth/account-throttle.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Limits the failed logins of each account. */
    accountThrottle: AccountThrottle
  }
}

export default fp(async (app) => {
  app.decorate('accountThrottle', createAccountThrottle(app.buckets, app.limits))
}, { name: 'account-throttle', dependencies: ['limiter'] })
