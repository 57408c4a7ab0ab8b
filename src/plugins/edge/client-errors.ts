import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyHttpOptions, FastifyInstance } from 'fastify'
import { errorJson, unreadableRequest } from '../../base/errors.js'
import { latestReply } from './request-end.js'

/**
 * How long a client that is still sending has to read its answer. If the connection ended at once, the client would see
 * a reset instead.
 */
const LINGER_MS = 1000

/** Ends the connection of a request that was answered, unless the rest of its body comes soon. The rest is dropped. */
export function dropRestOfBody (raw: IncomingMessage): void {
  const end = setTimeout(() => raw.destroy(), LINGER_MS).unref()
  raw.once('close', () => clearTimeout(end)).resume()
}

/** Statuses by the error codes of Node's HTTP server; every other code is a 400. */
const statuses: Record<string, 408 | 413 | 431> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431
}

/**
 * Options of every listener, so that no client holds a connection without a time limit. Headers must arrive within 5 s
 * and the whole request within 10 s; a slower request gets 408. For a request that is passed on, a minimum rate
 * replaces the 10 s. The idle timeout is 30 s, so a client that does not read its answers loses its connection. A
 * missing Host is refused by routing.ts, not by Node. Each server also needs `maxHeadersCount = 0`: by default Node
 * drops every header line after about a thousand, such as a proxy's X-Forwarded-For. Names and values over 16 KiB are
 * 431.
 *
 * A FIN before the answer ends the connection. A client that has closed the whole connection looks the same as one that
 * has only closed its sending side, and is logged with 499.
 */
export const connectionOptions = {
  connectionTimeout: 30_000,
  requestTimeout: 10_000,
  http: { headersTimeout: 5000, connectionsCheckingInterval: 500, requireHostHeader: false }
} satisfies Partial<FastifyHttpOptions<never>>

const refused = new WeakSet<Socket>()

/** What Node's HTTP parser refuses gets one short answer, one line and one count, and its connection ends. */
export function answerClientError (app: FastifyInstance, error: ConnectionError, socket: Socket): void {
  if (refused.has(socket)) return
  const reply = latestReply(socket)
  const body = reply?.request.raw.complete === false ? reply.request.raw : undefined
  // A request that is passed on has a minimum rate instead: see modules/clocks.ts.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && body && reply!.request.streamed) return
  // A FIN within a body means that the client has left.
  const hasLeft = error.code === 'ECONNRESET' || (error.code === 'HPE_INVALID_EOF_STATE' && body)
  if (hasLeft || !socket.writable) {
    socket.destroy()
    return
  }
  refused.add(socket)
  const refusal = unreadableRequest(statuses[error.code ?? ''] ?? 400, error)
  if (!body || reply!.sent) answerUnread(app, socket, error.code ?? refusal.code, refusal)
  else if (body.listenerCount('error') === 0) reply!.send(refusal)
  else body.emit('error', refusal) // Who reads the body answers.
}

/** Answers bytes that never became a request. */
function answerUnread (
  { limits, log, metrics, repeats }: FastifyInstance, socket: Socket, code: string,
  { statusCode: status, message }: ReturnType<typeof unreadableRequest>
): void {
  const reqId = randomUUID()
  metrics.unreadRequests.inc({ status })
  const client = limits.clients.fromAddress(socket.remoteAddress)?.key
  // Such bytes cost no token. Repeats are only counted, so that they cannot fill the log.
  if (repeats.isFirst(client, undefined, code)) {
    log.info({ reqId, method: null, route: null, status, client, code }, 'request')
  }
  // The client would take the answer for that of its earlier request.
  if (latestReply(socket)) {
    socket.destroy()
    return
  }
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
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
