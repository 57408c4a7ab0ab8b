import fp from 'fastify-plugin'

/** While the service stops, each answer tells its client to take its next request elsewhere. */
export default fp(async (app) => {
  let draining = false

  app.addHook('preClose', (done) => {
    draining = true
    done()
  })

  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining) reply.header('Connection', 'close')
    done()
  })
}, { name: 'drain' })
