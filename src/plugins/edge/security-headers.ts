import fp from 'fastify-plugin'

const noSniffing = { 'x-content-type-options': 'nosniff' }
const nothingToKeepOrRun = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
}

/**
 * Every answer is data for one client, so browsers must not store, sniff, frame or run it. Answers of modules get only
 * `nosniff`, and a module itself sets the other headers.
 */
export default fp(async (app) => {
  app.onEntry(({ config }) => {
    const headers = config.module ? noSniffing : { ...nothingToKeepOrRun, ...noSniffing }
    return (_request, reply) => {
      reply.headers(headers)
      return true
    }
  })

  app.addHook('onSend', function secure ({ route, passedOn }, reply, _payload, done) {
    if (route?.config.module && !passedOn) reply.headers(nothingToKeepOrRun)
    done()
  })
}, { name: 'security-headers', dependencies: ['entry'] })
