import { IncomingMessage, ServerResponse, STATUS_CODES, type IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Claims } from '../../auth/tokens.js'
import { clientLeft } from '../../base/errors.js'
import { UpstreamUnavailable } from '../../modules/failures.js'
import { headersToClient } from '../../modules/headers.js'
import { hasBody } from '../../modules/request-body.js'

/** How long a client or a module has to close its connection, after the end of the other side. */
const LINGER_MS = 1000
/**
 * TCP keep-alive probes begin after this time without data. They detect a client that disappeared without closing its
 * connection.
 */
const KEEP_ALIVE_MS = 60_000
/** The idle timeout of a WebSocket. The program that opened it may have forgotten it. */
const IDLE_MS = 600_000

const upgradeKey = Symbol('upgrade')
const handshakeKey = Symbol('handshake')

declare module 'node:http' {
  interface IncomingMessage {
    [handshakeKey]?: true
    [upgradeKey]?: boolean
  }
}

/**
 * Node's IncomingMessage class. Apart from CONNECT, only a request for a WebSocket upgrades. Once `upgrade` has a
 * listener, Node takes every request with an Upgrade header out of HTTP. All other offers are ignored (RFC 9110, 7.8):
 * h2c, an offer in HTTP/1.0, and an offer with a body. Such a body could be mistaken for frames.
 */
export class Upgradable extends IncomingMessage {
  get upgrade (): boolean {
    return this[upgradeKey] === true && (this.method === 'CONNECT' || isHandshake(this))
  }

  set upgrade (value: boolean) {
    this[upgradeKey] = value
  }
}

function isHandshake ({ method, httpVersion, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && httpVersion === '1.1' &&
    !hasBody(headers)
}

export const asksForWebSocket = (request: IncomingMessage): boolean => request[handshakeKey] === true

/** A request for a WebSocket takes the same steps as every other request, until it is passed on. */
export function acceptUpgrades (app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node has removed its own error listener. Without a listener, an error would end the process.
    socket.on('error', () => {})
    const response = new ServerResponse(request)
    try {
      response.assignSocket(socket)
    } catch {
      // An earlier request on the connection has no answer yet.
      socket.destroy()
      return
    }
    response.shouldKeepAlive = false
    response.once('finish', () => socket.destroySoon())
    request[handshakeKey] = true
    if (head.length > 0) socket.unshift(head)
    // The listener makes the socket read, up to its buffer's size, so that the departure of the client is noticed. A
    // half-closed connection counts as closed: see docs/reference.md.
    socket.once('readable', () => { if (socket.readableLength === 0) socket.destroy() })
    app.server.emit('request', request, response)
  })
}

/** Joins clients with modules. When the app stops, its open WebSockets end: their clients connect again, elsewhere. */
export function openTunnels (app: FastifyInstance) {
  const ends = new Set<() => void>()
  let stopping = false
  app.addHook('preClose', (done) => {
    stopping = true
    for (const end of ends) end()
    done()
  })

  /**
   * Joins a client that asks for a WebSocket with a module that has agreed.
   *
   * @param headers of the module's answer
   * @param user whose session ends the WebSocket; undefined for a public module
   * @throws if the module switches to another protocol, or the client has left
   */
  return function join (reply: FastifyReply, module: Duplex, headers: IncomingHttpHeaders, user?: Claims): void {
    const { raw } = reply.request
    const client = raw.socket
    module.on('error', () => {})
    // If the answer has two Upgrade headers, undici gives a list.
    const protocol = String(headers.upgrade ?? 'no protocol')
    if (protocol.toLowerCase() !== 'websocket') {
      module.destroy()
      throw new UpstreamUnavailable(`the answer switches to ${protocol}`)
    }
    // The client may have left in the same turn of the event loop, before the `close` event of its connection.
    if (client.destroyed) {
      module.destroy()
      throw clientLeft()
    }
    reply.code(101).hijack()
    // Only frames follow. `settled` makes the request end, and its log line appear, when the connection closes.
    reply.settled = true
    client.setKeepAlive(true, KEEP_ALIVE_MS)
    client.removeAllListeners('timeout').setTimeout(IDLE_MS, end)
    client.write(answerOf(reply, headers), 'latin1')
    // A stream with this listener would not flow.
    client.removeAllListeners('readable').pipe(module).pipe(client)

    function endSoon (): void {
      setTimeout(() => client.destroy(), LINGER_MS).unref()
    }
    function end (): void {
      client.destroySoon()
      endSoon()
    }
    ends.add(end)
    const cancel = user && app.endWithSession(user, end)
    // The module may have agreed only after the shutdown began.
    if (stopping) end()
    // Once one side has ended, both connections are closed, even if the other side keeps its half open.
    module.once('end', endSoon).once('close', endSoon)
    client.once('end', endSoon).once('close', () => {
      ends.delete(end)
      cancel?.()
      module.destroy()
    })
  }
}

function answerOf (reply: FastifyReply, headers: IncomingHttpHeaders): string {
  const given = Object.entries(headersToClient(headers))
    .flatMap(([name, value]) => [value].flat().map(one => `${name}: ${one}`))
  return [
    `HTTP/1.1 101 ${STATUS_CODES[101]}`, 'Connection: Upgrade', 'Upgrade: websocket',
    `X-Request-Id: ${reply.request.id}`, ...given, '', ''
  ].join('\r\n')
}
