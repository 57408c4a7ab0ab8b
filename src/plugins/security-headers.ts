import fp from 'fastify-plugin'

/** Every answer is data for one client: nothing to store, to sniff, to frame or to run. */
export default fp(async (app) => {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff'
    })
    done()
  })
}, { name: 'security-headers' })
