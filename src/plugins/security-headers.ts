import fp from 'fastify-plugin'

/** Every answer is data for one client: nothing to store, to sniff, to frame or to run. */
export default fp(async (app) => {
  app.onEntry(() => (_request, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff'
    })
    return true
  })
}, { name: 'security-headers', dependencies: ['entry'] })
