import fp from 'fastify-plugin'
import { AccountThrottle } from '../../auth/account-throttle.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Limits the failed logins of each account. */
    accountThrottle: AccountThrottle
  }
}

export default fp(async (app) => {
  app.decorate('accountThrottle', new AccountThrottle(app.buckets, app.limits))
}, { name: 'account-throttle', dependencies: ['limiter'] })
