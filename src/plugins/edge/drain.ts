import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * The first step of a graceful shutdown sets this. /readyz then fails, but requests that still arrive are answered.
     */
    draining: boolean
  }
}

/**
 * Below the grace period of server.ts. Requests that are still in flight after this time are cut. One reason is that a
 * module may take longer to answer: up to 25 s by default. If the answer has not begun, a load balancer can retry a GET
 * on another replica.
 */
const DRAIN_MS = 6000
/** How long the last answers have to reach their clients. */
const LINGER_MS = 100

/**
 * During a graceful shutdown, each answer has `Connection: close`, so that its client sends the next request elsewhere.
 * The remaining connections are closed when no request is in flight, or after DRAIN_MS. Node itself would wait for a
 * connection without a complete request until its idle timeout.
 */
export default fp(async (app) => {
  app.decorate('draining', false)
  let closing = false
  const timers: NodeJS.Timeout[] = []

  /**
   * A request that begins before the timer fires is answered first. The end of that request calls this function again.
   */
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
