import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Set first of all when the service is to stop: it wants no more requests, and answers those that come. */
    draining: boolean
  }
}

/** Below the grace period of server.ts, above what any answer takes: a request that still arrives by then is cut. */
const DRAIN_MS = 6000
/** For the last answers to leave. */
const LINGER_MS = 100

/**
 * While the service stops, each answer tells its client to take its next request elsewhere. When none is under way any
 * more, or after a while, what is left of the connections is closed: Node itself would wait for ever for a socket that
 * never sent a request, or only half of one.
 */
export default fp(async (app) => {
  app.decorate('draining', false)
  let closing = false
  const timers: NodeJS.Timeout[] = []

  /** What has begun by then is answered first: its end is the next call of this. */
  function closeConnectionsIfIdle (): void {
    if (app.requestsUnderWay() > 0) return
    timers.push(setTimeout(() => {
      if (app.requestsUnderWay() === 0) app.destroyConnections()
    }, LINGER_MS))
  }

  app.onRequestEnd(() => () => { if (closing) closeConnectionsIfIdle() })

  app.onAnswer((reply) => {
    if (app.draining) reply.header('connection', 'close')
  })

  app.addHook('preClose', (done) => {
    app.draining = true
    closing = true
    timers.push(setTimeout(() => app.destroyConnections(), DRAIN_MS))
    closeConnectionsIfIdle()
    done()
  })

  app.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer)
  })
}, { name: 'drain', dependencies: ['request-end'] })
