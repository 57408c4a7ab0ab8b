import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { CLIENT_LEFT, clientLeft } from '../../base/errors.js'
import type { RouteRecord } from './entry.js'

/** @param ms from the request's arrival to its end */
type EndListener = (request: FastifyRequest, reply: FastifyReply, ms: number) => void
type ListenerOfRoute = (route: RouteRecord) => EndListener

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Calls back exactly once for each request, when its answer was sent. If the client left before, it is when the
     * answer is known. `listenerOf` is called once for each route, and `onRequestEnd` before any route is added.
     */
    onRequestEnd: (listenerOf: ListenerOfRoute) => void
    /** How many requests have begun and not ended. */
    requestsUnderWay: () => number
  }

  interface FastifyRequest {
    /** Whether the connection was closed before the answer was sent. */
    clientLeft: boolean
    /** Whether its body or its answer is streamed, which may take any time. */
    streamed: boolean
  }

  interface FastifyReply {
    /** Whether the answer is known. The request does nothing after this. */
    settled: boolean
    /** The replies on its connection that have not ended, oldest first. A destroyed request has no connection. */
    onSameConnection: FastifyReply[]
  }
}

/** The status for the log, the metrics and the traces. */
export const statusOf = (request: FastifyRequest, reply: FastifyReply): number =>
  request.clientLeft ? CLIENT_LEFT : reply.statusCode

const repliesOf = new WeakMap<Socket, FastifyReply[]>()

/** The reply to the last request of a connection. Undefined if every request has ended. */
export const latestReply = (socket: Socket): FastifyReply | undefined => repliesOf.get(socket)?.at(-1)

/**
 * Fastify calls onResponse only if the answer was sent. If the client left, the response is closed instead. Of
 * pipelined requests, Node closes only the first response, so each connection has a list of its replies.
 */
export default fp(async (app) => {
  const ofAllRoutes: ListenerOfRoute[] = []
  const listeners = new WeakMap<RouteRecord, EndListener[]>()
  let underWay = 0

  app.decorateRequest('clientLeft', false)
  app.decorateRequest('streamed', false)
  app.decorateReply('settled', false)
  app.decorateReply('onSameConnection', undefined as never)
  app.decorate('onRequestEnd', (listenerOf) => { ofAllRoutes.push(listenerOf) })
  app.decorate('requestsUnderWay', () => underWay)

  // Node remembers the address after this first read. A connection that was reset before has none.
  app.server.on('connection', (socket: Socket) => { if (socket.remoteAddress === undefined) socket.destroy() })

  app.onEntry((route) => {
    listeners.set(route, ofAllRoutes.map(listenerOf => listenerOf(route)))
    return ({ raw: { socket } }, reply) => {
      underWay++
      reply.onSameConnection = repliesOf.get(socket) ?? beginOn(socket)
      reply.onSameConnection.push(reply)
      return true
    }
  })

  function beginOn (socket: Socket): FastifyReply[] {
    const replies: FastifyReply[] = []
    repliesOf.set(socket, replies)
    socket.once('close', () => {
      for (const reply of [...replies]) {
        // A closed connection is the normal end of a WebSocket. It also follows when a module breaks off its answer.
        if (reply.statusCode !== 101 && !reply.request.brokenOff) reply.request.clientLeft = true
        if (reply.settled) end(reply)
        if (!reply.raw.socket) reply.raw.destroy().emit('close')
      }
    })
    return replies
  }

  function end (reply: FastifyReply): void {
    const { request, elapsedTime, onSameConnection } = reply
    const position = onSameConnection.indexOf(reply)
    if (position === -1) return
    onSameConnection.splice(position, 1)
    underWay--
    for (const listener of listeners.get(request.route)!) listener(request, reply, elapsedTime)
  }

  // If the client left before its body was read, the body neither ends nor fails. The request would never settle.
  app.addHook('preParsing', (request, _reply, _payload, done) => done(request.clientLeft ? clientLeft() : null))

  app.addHook('onSend', function settle (request, reply, _payload, done) {
    reply.settled = true
    if (request.clientLeft) end(reply)
    done()
  })

  app.addHook('onResponse', function finish (_request, reply, done) {
    end(reply)
    done()
  })
}, { name: 'request-end', dependencies: ['entry'] })
