import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { clientLeft } from '../errors.js'

type EndListener = (request: FastifyRequest, reply: FastifyReply) => void

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Calls back exactly once for each request: when its answer was sent or, if its client left before that or does not
     * read, when there would have been an answer, so that everything that the request did is known.
     */
    onRequestEnd: (listener: EndListener) => void
    /** How many requests have begun and not ended. */
    requestsUnderWay: () => number
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
    ended: boolean
  }
}

/** A client that has not read its answer by then may never do so: what it did must not wait for that. */
const UNREAD_MS = 5000

/**
 * Fastify's onResponse comes on 'finish' only, so never if the client has left. And of pipelined requests only the first
 * gets a 'close' on its response. So each connection has a list of its requests, and its end is the end of all of them.
 */
export default fp(async (app) => {
  const listeners: EndListener[] = []
  const repliesOf = new WeakMap<Socket, Set<FastifyReply>>()
  /** Answers that are known and not sent yet, by when they were known: the oldest first. */
  const unread = new Map<FastifyReply, number>()
  let underWay = 0
  let onIdle = (): void => {}

  app.decorateRequest('clientLeft', false)
  app.decorateRequest('streamed', false)
  app.decorateReply('settled', false)
  app.decorateReply('ended', false)
  app.decorate('onRequestEnd', (listener) => { listeners.push(listener) })
  app.decorate('requestsUnderWay', () => underWay)

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
    unread.delete(reply)
    underWay--
    for (const listener of listeners) listener(reply.request, reply)
    if (underWay === 0) onIdle()
  }

  function repliesOn (socket: Socket): Set<FastifyReply> {
    const known = repliesOf.get(socket)
    if (known) return known
    const replies = new Set<FastifyReply>()
    repliesOf.set(socket, replies)
    socket.once('close', () => {
      for (const reply of replies) {
        // A WebSocket ends with its connection.
        if (reply.statusCode !== 101) reply.request.clientLeft = true
        if (reply.settled) end(reply)
      }
    })
    return replies
  }

  app.server.on('connection', (socket: Socket) => {
    // Node remembers the address from now on. Here only a connection that was reset before it was accepted has none.
    if (socket.remoteAddress === undefined) socket.destroy()
    else repliesOn(socket)
  })

  app.addHook('onRequest', (request, reply, done) => {
    underWay++
    repliesOn(request.raw.socket).add(reply)
    done()
  })

  const sweep = setInterval(() => {
    const nowMs = performance.now()
    for (const [reply, settledAtMs] of unread) {
      if (nowMs - settledAtMs < UNREAD_MS) return
      reply.request.clientLeft = true
      end(reply)
    }
  }, UNREAD_MS / 5).unref()
  app.addHook('onClose', async () => clearInterval(sweep))

  // A body whose client left before anyone read it neither ends nor fails: the request would never settle.
  app.addHook('preParsing', (request, _reply, _payload, done) => done(request.clientLeft ? clientLeft() : null))

  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.settled = true
    if (request.clientLeft) end(reply)
    else if (!request.streamed) unread.set(reply, performance.now())
    done()
  })

  app.addHook('onResponse', (request, reply, done) => {
    repliesOf.get(request.raw.socket)?.delete(reply)
    end(reply)
    done()
  })
}, { name: 'request-end' })
