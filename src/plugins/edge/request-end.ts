import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { clientLeft } from '../../base/errors.js'
import type { RouteRecord } from './entry.js'

/** @param ms from the request's arrival to its end */
type EndListener = (request: FastifyRequest, reply: FastifyReply, ms: number) => void
type ListenerOfRoute = (route: RouteRecord) => EndListener

const repliesKey = Symbol('replies')

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Calls back exactly once for each request, when everything that it did is known: when its answer was sent. If the
     * client left before that, or does not read, it is when the answer is known. `listenerOf` is called once for each
     * route. `onRequestEnd` has to be called before any route is added.
     */
    onRequestEnd: (listenerOf: ListenerOfRoute) => void
    /** Calls back for each answer before its headers leave. */
    onAnswer: (listener: (reply: FastifyReply) => void) => void
    /** How many requests have begun and not ended. */
    requestsUnderWay: () => number
    /**
     * Closes every connection, including those with requests in flight. Node's `closeAllConnections` leaves WebSockets
     * open.
     */
    destroyConnections: () => void
    /** Resolves when no request is in flight, or after `timeoutMs`. */
    allRequestsEnded: (timeoutMs: number) => Promise<void>
  }

  interface FastifyRequest {
    /** Whether the connection was closed before the answer was sent, or the client does not read. */
    clientLeft: boolean
    /** Whether its body or its answer is streamed, which may take any time. */
    streamed: boolean
  }

  interface FastifyReply {
    /** Whether the answer is known. The request does nothing after this. */
    settled: boolean
    /** How many sweeps have found that the answer is known but not sent. */
    unreadSweeps: number
    ended: boolean
  }
}

declare module 'node:net' {
  interface Socket {
    /** The replies to the requests on this connection that have not ended, oldest first. */
    [repliesKey]?: FastifyReply[]
  }
}

/** A client that has not read its answer after this many sweeps may never do so. Its request ends without waiting. */
const UNREAD_SWEEPS = 5
const SWEEP_MS = 1000

/**
 * Fastify calls onResponse only on 'finish', so never if the client has left. If there are pipelined requests, Node
 * closes only the first response. So each connection has a list of its replies, and when it closes, all of them are
 * closed.
 */
export default fp(async (app) => {
  const ofAllRoutes: ListenerOfRoute[] = []
  const listeners = new Map<RouteRecord, EndListener[]>()
  const ofAnswers: Array<(reply: FastifyReply) => void> = []
  const sockets = new Set<Socket>()
  let underWay = 0
  let onIdle = (): void => {}

  app.decorateRequest('clientLeft', false)
  app.decorateRequest('streamed', false)
  app.decorateReply('settled', false)
  app.decorateReply('unreadSweeps', 0)
  app.decorateReply('ended', false)
  app.decorate('onRequestEnd', (listenerOf) => { ofAllRoutes.push(listenerOf) })
  app.decorate('onAnswer', (listener) => { ofAnswers.push(listener) })
  app.decorate('requestsUnderWay', () => underWay)
  app.decorate('destroyConnections', () => { for (const socket of sockets) socket.destroy() })

  app.decorate('allRequestsEnded', async (timeoutMs) => {
    if (underWay === 0) return
    await new Promise<void>((resolve) => {
      onIdle = resolve
      setTimeout(resolve, timeoutMs).unref()
    })
  })

  function end (reply: FastifyReply): void {
    if (reply.ended) return
    reply.ended = true
    underWay--
    const { request, elapsedTime } = reply
    for (const listener of listeners.get(request.route)!) listener(request, reply, elapsedTime)
    if (underWay === 0) onIdle()
  }

  function repliesOn (socket: Socket): FastifyReply[] {
    const known = socket[repliesKey]
    if (known) return known
    const replies: FastifyReply[] = []
    socket[repliesKey] = replies
    socket.once('close', () => {
      sockets.delete(socket)
      for (const reply of replies) {
        // A closed connection is the normal end of a WebSocket. It also follows when a module breaks off its answer.
        if (reply.statusCode !== 101 && !reply.request.brokenOff) reply.request.clientLeft = true
        if (reply.settled) end(reply)
        closeUnassigned(reply.raw)
      }
    })
    return replies
  }

  app.server.on('connection', (socket: Socket) => {
    // Node remembers the address after this first read. Only a connection that was reset before it was accepted has
    // none.
    if (socket.remoteAddress === undefined) {
      socket.destroy()
      return
    }
    repliesOn(socket)
    sockets.add(socket)
  })

  app.onEntry((route) => {
    listeners.set(route, ofAllRoutes.map(listenerOf => listenerOf(route)))
    return (request, reply) => {
      underWay++
      repliesOn(request.raw.socket).push(reply)
      return true
    }
  })

  const sweep = setInterval(() => {
    for (const socket of sockets) {
      // Pipelined answers wait for the first one, so only the first is checked.
      const [reply] = socket[repliesKey]!
      if (!reply?.settled || reply.request.streamed || ++reply.unreadSweeps <= UNREAD_SWEEPS) continue
      reply.request.clientLeft = true
      end(reply)
    }
  }, SWEEP_MS).unref()
  app.addHook('onClose', async () => clearInterval(sweep))

  // If the client left before its body was read, the body neither ends nor fails. The request would never settle.
  app.addHook('preParsing', (request, _reply, _payload, done) => done(request.clientLeft ? clientLeft() : null))

  app.addHook('onSend', function answer (request, reply, _payload, done) {
    for (const listener of ofAnswers) listener(reply)
    reply.settled = true
    if (request.clientLeft) end(reply)
    done()
  })

  app.addHook('onResponse', function finish (request, reply, done) {
    const replies = repliesOn(request.raw.socket)
    replies.splice(replies.indexOf(reply), 1)
    end(reply)
    done()
  })
}, { name: 'request-end', dependencies: ['entry'] })

/**
 * Node closes only the response that the connection is busy with. A stream that is sent to another one would never end.
 */
function closeUnassigned (response: ServerResponse): void {
  if (response.socket || response.closed) return
  response.destroy()
  response.emit('close')
}
