import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * The first step of a graceful shutdown sets this. /readyz then fails, but requests that still arrive are answered.
     */
    draining: boolean
    /** Whether every address of HOST accepts connections: a name may have several, and Fastify binds them in turn. */
    listening: boolean
    /** Resolves when no request is in flight, or after `timeoutMs`. */
    allRequestsEnded: (timeoutMs: number) => Promise<void>
  }
}

/**
 * Below the grace period of server.ts. A module may take longer to answer: up to 25 s by default. If the answer has not
 * begun, a load balancer can retry a GET on another replica.
 */
const DRAIN_MS = 6000
/** How long the last answers have to reach their clients. */
const LINGER_MS = 100
const STEP_MS = 10

/**
 * During a graceful shutdown, each answer has `Connection: close`, so that its client sends the next request elsewhere.
 * The remaining connections are closed when no request is in flight, or after DRAIN_MS. Node itself would wait for a
 * connection without a request until its idle timeout, and its `closeAllConnections` leaves WebSockets open.
 */
export default fp(async (app) => {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  app.decorate('draining', false)
  app.decorate('listening', false)
  app.addHook('onListen', (done) => {
    app.listening = true
    done()
  })
  app.decorate('allRequestsEnded', async (timeoutMs) => {
    const endMs = performance.now() + timeoutMs
    while (app.requestsUnderWay() > 0 && performance.now() < endMs) await setTimeout(STEP_MS)
  })

  app.addHook('onSend', function leaveUs (_request, reply, _payload, done) {
    if (app.draining) reply.header('connection', 'close')
    done()
  })

  app.addHook('preClose', (done) => {
    app.draining = true
    const endMs = performance.now() + DRAIN_MS
    let wasIdle = false
    const checking = setInterval(() => {
      const isIdle = app.requestsUnderWay() === 0
      if (performance.now() > endMs || (isIdle && wasIdle)) for (const socket of sockets) socket.destroy()
      wasIdle = isIdle
    }, LINGER_MS)
    app.server.once('close', () => clearInterval(checking))
    done()
  })
}, { name: 'drain', dependencies: ['request-end'] })
