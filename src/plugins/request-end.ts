import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { clientLeft } from '../errors.js'
import type { RouteRecord } from './entry.js'

/** @param ms from the request's arrival to its end */
type EndListener = (request: FastifyRequest, reply: FastifyReply, ms: number) => void
type ListenerOfRoute = (route: RouteRecord) => EndListener

const repliesKey = Symbol('replies')

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Calls back exactly once for each request: when its answer was sent or, if its client left before that or does not
     * read, when there would have been an answer. Everything that the request did is known then. A listener is made
     * once for each route. To be called before any route is added.
     */
    onRequestEnd: (listenerOf: ListenerOfRoute) => void
    /** Calls back for each answer before its headers leave. */
    onAnswer: (listener: (reply: FastifyReply) => void) => void
    /** How many requests have begun and not ended. */
    requestsUnderWay: () => number
    /** Closes every connection, whatever is under way on it. Node's `closeAllConnections` leaves WebSockets open. */
    destroyConnections: () => void
    /** Resolves when no request is under way, at the latest after `timeoutMs`. */
    allRequestsEnded: (timeoutMs: number) => Promise<void>
  }

  interface FastifyRequest {
    /** The connection was closed before the answer was sent, or its client does not read. */
    clientLeft: boolean
    /** Its body or its answer is passed on as it comes, however long that takes. */
    streamed: boolean
  }

  interface FastifyReply {
    /** The answer is known. Nothing that belongs to the request happens after this. */
    settled: boolean
    /** How often the sweep has found the answer known and not sent. */
    unreadSweeps: number
    ended: boolean
  }
}

declare module 'node:net' {
  interface Socket {
    /** Of the requests that came over this connection and have not ended: the oldest first. */
    [repliesKey]?: FastifyReply[]
  }
}

/** A client that has not read its answer by then may never do so: what it did must not wait for that. */
const UNREAD_SWEEPS = 5
const SWEEP_MS = 1000

/**
 * Fastify's onResponse comes on 'finish' only, so never if the client has left. And of pipelined requests Node closes
 * only the response to the first. So each connection has a list of its requests, and its end closes the responses to
 * all of them.
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
        // A WebSocket ends with its connection, and a module that breaks off takes the connection with it.
        if (reply.statusCode !== 101 && !reply.request.brokenOff) reply.request.clientLeft = true
        if (reply.settled) end(reply)
        closeUnassigned(reply.raw)
      }
    })
    return replies
  }

  app.server.on('connection', (socket: Socket) => {
    // Node remembers the address from now on. Here only a connection that was reset before it was accepted has none.
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
      // Answers to later requests wait for the first one.
      const [reply] = socket[repliesKey]!
      if (!reply?.settled || reply.request.streamed || ++reply.unreadSweeps <= UNREAD_SWEEPS) continue
      reply.request.clientLeft = true
      end(reply)
    }
  }, SWEEP_MS).unref()
  app.addHook('onClose', async () => clearInterval(sweep))

  // A body whose client left before anyone read it neither ends nor fails: the request would never settle.
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

/** As Node does with the response that the connection is busy with. A stream that is sent to it would never end. */
function closeUnassigned (response: ServerResponse): void {
  if (response.socket || response.closed) return
  response.destroy()
  response.emit('close')
}
