import { randomUUID } from 'node:crypto'
import { ServerResponse, STATUS_CODES, type IncomingMessage, type Server } from 'node:http'
import { Socket } from 'node:net'
import type { ConnectionError, FastifyHttpOptions, FastifyInstance, FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { errorJson, unreadable, type Refusal } from '../../base/errors.js'
import { clientOf } from '../../limiter/limits/client.js'
import type { Metrics } from '../../base/metrics.js'
import { hasBody } from '../../modules/request-body.js'
import type { Repeats } from '../../base/repeats.js'

/** How long a client has to read the answer that ends its connection. */
const LINGER_MS = 1000
/** How long earlier answers on the same connection may take. A login, for example, may wait in the hash queue. */
const EARLIER_ANSWERS_MS = 10_000
/**
 * The maximum of bytes that are discarded after an invalid request or a CONNECT. If the client sends more, its
 * connection is destroyed.
 */
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
    /**
     * Handles CONNECT and unknown expectations like any other request. Node would close the connection of a CONNECT
     * without an answer, and would answer an unknown expectation itself. No header line of a request is dropped.
     */
    takeAllRequests: (server: Server) => void
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    [replyKey]?: FastifyReply
    /** Set once the handler of the request has begun. From then on only the handler answers. */
    [handledKey]?: true
  }
}

/**
 * Options of every listener, so that no client holds a connection without a time limit. Headers must arrive within 5 s
 * and the whole request within 10 s; a slower request gets 408. For a request that is passed on, a minimum rate
 * replaces the 10 s. The idle timeout is 30 s, so a client that does not read its answers loses its connection. A
 * missing Host is refused by routing.ts, not by Node.
 *
 * A FIN before the answer ends the connection. With Node's httpAllowHalfOpen, a client that has only closed its sending
 * side would be answered. But a client that has closed the whole connection looks the same. It would be logged as
 * answered, not as 499. The same applies to a proxy that closes its connection to gatehouse when its own client leaves.
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
 * Handles the events of Node's HTTP server that are not a request. Node has removed its own listeners from the sockets
 * of these events, or no longer handles their errors. So each such socket gets new listeners here. They discard its
 * input and end it within a bounded time.
 *
 * On purpose, `upgrade` has no listener here, so Node treats such a request like any other. Only gateway-websockets.ts
 * has one, which takes the connection of a WebSocket out of HTTP.
 */
export default fp<{ metrics: Metrics, repeats: Repeats }>(async (app, { metrics, repeats }) => {
  const taken = new WeakSet<Socket>()

  // The parser may fail in the middle of a request. The reply is kept, so that the refusal goes through the hooks of
  // that request.
  app.addHook('onRequest', function begin (request, reply, done) {
    request.raw[replyKey] = reply
    // Node's parser discards the bytes that follow such a request in the same packet. The connection closes, so that
    // the client does not wait for an answer to these bytes.
    if (request.headers.upgrade !== undefined) reply.header('connection', 'close')
    if (hasBody(request.headers)) letReadLastAnswer(request.raw)
    done()
  })

  app.addHook('preHandler', function handle (request, _reply, done) {
    request.raw[handledKey] = true
    done()
  })

  app.decorate('answerClientError', (error: ConnectionError, socket: Socket) => {
    // This connection is already being answered and ended. A further error changes nothing.
    if (taken.has(socket)) return
    // A request that is passed on has a minimum rate instead: see modules/request-body.ts.
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
        // An error that an event listener throws would end the process.
        app.log.error({ code: 'request_failed', err }, 'broken request not answered')
        socket.destroy()
      }
    })
  })

  app.decorate('takeAllRequests', (server) => {
    // By default Node drops every header line after about a thousand, such as a proxy's X-Forwarded-For. Their number
    // needs no limit: names and values over 16 KiB get 431.
    server.maxHeadersCount = 0

    // RFC 9110 lets a server ignore an unknown expectation. Node would answer 417 with an empty body.
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      server.emit('request', request, response)
    })

    // Node would close the connection of a CONNECT without an answer. As a request, it is limited, logged and refused.
    server.on('connect', (request: IncomingMessage, socket: Socket) => {
      takeOver(socket)
      // The target of a CONNECT is a host and a port, without a path.
      request.url = '/'
      answerAsRequest(app, request, socket, server)
    })
  })
  app.takeAllRequests(app.server)

  /**
   * Node closes a connection after its last answer. A client that is still sending its body would get a reset, perhaps
   * before it has read the answer. So the rest of the body is read and discarded for up to LINGER_MS.
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
    // A socket destroys itself after an error. Without a listener, the error would end the process.
    socket.on('error', () => {})
    // From now on this listener, and not the parser, reads the data of the client.
    socket.removeAllListeners('data')
    let ignoredBytes = 0
    socket.on('data', (chunk: Buffer) => {
      ignoredBytes += chunk.length
      if (ignoredBytes > mostBytes) socket.destroy()
    })
    socket.resume()
    destroyIn(socket, EARLIER_ANSWERS_MS + LINGER_MS)
  }

  /** Answers bytes that never became a request. */
  function answerUnread (socket: Socket, refusal: Refusal, code = refusal.code): void {
    if (!socket.writable) return
    const { statusCode: status, message } = refusal
    const reqId = randomUUID()
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
    // Such bytes cost no token. Repeats are only counted, so that they cannot fill the log.
    if (!repeats.isFirst(client, undefined, code)) return
    app.log.info({ reqId, method: null, route: null, status, client, code }, 'request')
  }
}, { name: 'client-errors' })

/**
 * Handles a request whose connection Node has taken out of HTTP, like any other request. It waits for the answers to
 * earlier requests on the connection, and runs every hook. The connection ends after the answer, unless it became a
 * WebSocket.
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
      // An error that an event listener throws would end the process.
      app.log.error({ code: 'request_failed', err }, 'request of its own connection not answered')
      socket.destroy()
    }
  })
}

/** Whether the bytes that still arrive are the body of a request that is passed on, and not a later request. */
function isPassedOn (socket: Socket): boolean {
  const request = responseOn(socket)?.req
  return request?.complete === false && request[replyKey]?.request.streamed === true
}

/** `_httpMessage` is Node's name for the response that the connection is busy with. */
const responseOn = (socket: Socket): ServerResponse | null | undefined =>
  (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage

/**
 * Waits until the earlier requests on the connection are answered. A client would take anything that is sent before
 * these answers for one of them.
 *
 * @param next gets the response to a request that has begun but has no answer yet, if there is one
 */
function afterEarlierAnswers (socket: Socket, next: (begun?: ServerResponse) => void): void {
  const response = responseOn(socket)
  if (!response || !isBeingAnswered(response)) return next(response ?? undefined)
  response.once('close', () => afterEarlierAnswers(socket, next))
}

/**
 * Whether the answer comes regardless of further input. Either the request is complete, or the rest of its body is not
 * read.
 */
function isBeingAnswered ({ req, headersSent }: ServerResponse): boolean {
  return req.complete || ((headersSent || req[handledKey] === true) && req.listenerCount('error') === 0)
}

/** @returns false if the request already has an answer, or has not reached its first hook */
function refuseBegun ({ req: raw }: ServerResponse, refusal: Refusal): boolean {
  const reply = raw[replyKey]
  if (!reply || reply.sent) return false
  // The reader of a body waits for its end or its error, and then answers. Without a reader, the answer is sent here.
  if (raw.listenerCount('error') > 0) raw.emit('error', refusal)
  else reply.send(refusal)
  return true
}

/**
 * Ends the sending side of the connection. After LINGER_MS the connection is closed, even if the client has not closed
 * it.
 */
function endSoon (socket: Socket): void {
  socket.end()
  destroyIn(socket, LINGER_MS)
}

function destroyIn (socket: Socket, ms: number): void {
  const timer = setTimeout(() => socket.destroy(), ms).unref()
  socket.once('close', () => clearTimeout(timer))
}
