import { ServerResponse, STATUS_CODES, type IncomingMessage, type Server } from 'node:http'
import { Socket } from 'node:net'
import type { ConnectionError, FastifyHttpOptions, FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { errorJson, unreadable, type Refusal } from '../errors.js'
import { clientOf } from '../limiter/client.js'
import type { Metrics } from '../metrics.js'
import { hasBody } from '../modules/request-body.js'
import type { Repeats } from '../repeats.js'
import { newRequestId } from '../request-id.js'

/** Time for a client to read the answer that ends its connection. */
const LINGER_MS = 1000
/** Time for earlier answers on the same connection: a login may wait in the queue of hashes. */
const EARLIER_ANSWERS_MS = 10_000
/** A client that sends more than this after bytes that are no request is cut off. */
const MAX_IGNORED_BYTES = 1024 * 1024

/** Statuses by the error codes of Node's HTTP server; every other code is a 400. */
const statuses: Record<string, 408 | 413 | 431> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431
}

const replyKey = Symbol('reply')
const handledKey = Symbol('handled')

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers what Node's HTTP parser refuses, and ends the connection. */
    answerClientError: (error: ConnectionError, socket: Socket) => void
    /** Makes requests also of what Node would answer itself, or not at all. */
    takeAllRequests: (server: Server) => void
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    [replyKey]?: FastifyReply
    /** Its handler has begun, and answers: nobody else does. */
    [handledKey]?: true
  }
}

/**
 * What both listeners need so that no client holds a connection for ever: a request must have arrived within ten
 * seconds, its headers within five, and a slow one gets 408. A connection on which nothing moves for half a minute
 * ends, so that a client that does not read its answers is not waited for. A hook refuses a missing Host.
 *
 * A FIN before the answer ends the connection. With Node's httpAllowHalfOpen, a client that has only closed its sending
 * side would be answered. But one that has closed the whole connection looks the same, and would be logged as answered,
 * not as 499. So would every client of a proxy that closes its connection to here when its client leaves.
 */
export const connectionOptions = {
  connectionTimeout: 30_000,
  requestTimeout: 10_000,
  http: { headersTimeout: 5000, connectionsCheckingInterval: 500, requireHostHeader: false },
  clientErrorHandler (this: FastifyInstance, error: ConnectionError, socket: Socket) {
    this.answerClientError(error, socket)
  }
} satisfies Partial<FastifyHttpOptions<never>>

/**
 * The events of Node's HTTP server that are not a request. Node has removed its own listeners from such a socket, or no
 * longer handles its errors, so each socket gets new ones here: it is drained, and it ends within a bounded time.
 *
 * `upgrade` has no listener here on purpose: Node then treats the request as any other. gateway-websockets.ts takes the
 * connection of a WebSocket out of HTTP.
 */
export default fp<{ metrics: Metrics, repeats: Repeats }>(async (app, { metrics, repeats }) => {
  const taken = new WeakSet<Socket>()

  // The parser may fail in the middle of a request. Then that request is answered, not only its connection.
  app.addHook('onRequest', function begin (request, reply, done) {
    request.raw[replyKey] = reply
    // Node's parser throws away what follows in the same packet. So that no client waits for an answer to that, the
    // connection ends.
    if (request.headers.upgrade !== undefined) reply.header('connection', 'close')
    if (hasBody(request.headers)) letReadLastAnswer(request.raw)
    done()
  })

  app.addHook('preHandler', function handle (request, _reply, done) {
    request.raw[handledKey] = true
    done()
  })

  app.decorate('answerClientError', (error: ConnectionError, socket: Socket) => {
    // Whatever else is wrong with a socket that is being answered, the answer is the same.
    if (taken.has(socket)) return
    // A request that is passed on has a least rate instead: see modules/request-body.ts.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isPassedOn(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    takeOver(socket)
    const refusal = unreadable(statuses[error.code ?? ''] ?? 400, error)
    afterEarlierAnswers(socket, (begun) => {
      try {
        if (begun && refuseBegun(begun, refusal)) return
        answerUnread(socket, refusal, error.code)
      } catch (err) {
        // Nobody catches what an event throws: it would end the process.
        app.log.error({ code: 'request_failed', err }, 'broken request not answered')
        socket.destroy()
      }
    })
  })

  app.decorate('takeAllRequests', (server) => {
    // RFC 9110 lets a server ignore an unknown expectation. Node would answer 417 with an empty body.
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      server.emit('request', request, response)
    })

    // Node would close the connection without an answer. As a request, CONNECT is limited, logged and refused.
    server.on('connect', (request: IncomingMessage, socket: Socket) => {
      takeOver(socket)
      // The target is an authority, which has no path.
      request.url = '/'
      answerAsRequest(app, request, socket, server)
    })
  })
  app.takeAllRequests(app.server)

  /**
   * After the last answer of a connection, Node closes it. A client that still sends its body would get a reset, which
   * can be faster than the answer.
   */
  function letReadLastAnswer (request: IncomingMessage): void {
    const { socket } = request
    socket.destroySoon = () => {
      if (request.complete) return Socket.prototype.destroySoon.call(socket)
      takeOver(socket, Infinity)
      endSoon(socket)
    }
  }

  function takeOver (socket: Socket, mostBytes = MAX_IGNORED_BYTES): void {
    taken.add(socket)
    // A socket destroys itself after an error; without a listener the error would end the process.
    socket.on('error', () => {})
    // Only this, and no longer the parser, reads what the client still sends.
    socket.removeAllListeners('data')
    let ignoredBytes = 0
    socket.on('data', (chunk: Buffer) => {
      ignoredBytes += chunk.length
      if (ignoredBytes > mostBytes) socket.destroy()
    })
    socket.resume()
    destroyIn(socket, EARLIER_ANSWERS_MS + LINGER_MS)
  }

  /** An answer to bytes that never became a request. */
  function answerUnread (socket: Socket, refusal: Refusal, code = refusal.code): void {
    if (!socket.writable) return
    const { statusCode: status, message } = refusal
    const reqId = newRequestId()
    const body = errorJson(status, message, '')
    socket.end([
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `X-Request-Id: ${reqId}`,
      'Connection: close',
      '', body
    ].join('\r\n'))
    endSoon(socket)
    metrics.unreadRequests.inc({ status })
    const client = clientOf(undefined, socket.remoteAddress)?.key
    // Such bytes cost no token, so the log must not fill with them.
    if (!repeats.isFirst(client, undefined, code)) return
    app.log.info({ reqId, method: null, route: null, status, client, code }, 'request')
  }
}, { name: 'client-errors' })

/**
 * Answers a request that Node has taken out of HTTP together with its connection, as one of many: after the answers to
 * earlier requests on that connection, and through every hook. Afterwards the connection ends.
 */
export function answerAsRequest (
  app: FastifyInstance, request: IncomingMessage, socket: Socket, server: Server = app.server
): void {
  afterEarlierAnswers(socket, () => {
    if (!socket.writable) return
    try {
      const response = new ServerResponse(request)
      response.shouldKeepAlive = false
      response.assignSocket(socket)
      response.once('finish', () => endSoon(socket))
      server.emit('request', request, response)
    } catch (err) {
      // Nobody catches what an event throws: it would end the process.
      app.log.error({ code: 'request_failed', err }, 'request of its own connection not answered')
      socket.destroy()
    }
  })
}

/** Whether what still arrives is the body of a request that is passed on, and no later request. */
function isPassedOn (socket: Socket): boolean {
  const request = responseOn(socket)?.req
  return request?.complete === false && request[replyKey]?.request.streamed === true
}

/** `_httpMessage` is Node's name for the response that the connection is busy with. */
const responseOn = (socket: Socket): ServerResponse | null | undefined =>
  (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage

/**
 * Waits for the answers to earlier requests on the connection: a client would take what is sent before them for one of
 * them.
 *
 * @param next is given the response to a request that has begun and is still to be answered, if there is one
 */
function afterEarlierAnswers (socket: Socket, next: (begun?: ServerResponse) => void): void {
  const response = responseOn(socket)
  if (!response || !isBeingAnswered(response)) return next(response ?? undefined)
  response.once('close', () => afterEarlierAnswers(socket, next))
}

/** Whether the answer comes whatever else arrives: the request is complete, or nobody reads the rest of its body. */
function isBeingAnswered ({ req, headersSent }: ServerResponse): boolean {
  return req.complete || ((headersSent || req[handledKey] === true) && req.listenerCount('error') === 0)
}

/** @returns false when the request has been answered before, or has not come as far as its first hook */
function refuseBegun ({ req: raw }: ServerResponse, refusal: Refusal): boolean {
  const reply = raw[replyKey]
  if (!reply || reply.sent) return false
  // The reader of the body waits for its end or its error, and answers. Before there is one, nobody answers.
  if (raw.listenerCount('error') > 0) raw.emit('error', refusal)
  else reply.send(refusal)
  return true
}

/** Ends what is ours to send, and closes the connection even if the client does not. */
function endSoon (socket: Socket): void {
  socket.end()
  destroyIn(socket, LINGER_MS)
}

function destroyIn (socket: Socket, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms).unref()
  socket.once('close', () => clearTimeout(timer))
}
