import { IncomingMessage, ServerResponse, STATUS_CODES, type IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { clientLeft } from '../../base/errors.js'
import { UpstreamUnavailable } from '../../modules/failures.js'
import { headersToClient } from '../../modules/headers.js'
import type { Module } from '../../modules/module.js'
import { hasBody } from '../../modules/request-body.js'
import { Frames } from '../../modules/websocket-frames.js'

/** How long a client or a module has to close its connection, after a close frame or the end of the other side. */
const LINGER_MS = 1000
/**
 * TCP keep-alive probes begin after this time without data. They detect a client that disappeared without closing its
 * connection.
 */
const KEEP_ALIVE_MS = 60_000
/** The idle timeout of a WebSocket. The program that opened it may have forgotten it. */
const IDLE_MS = 600_000
/**
 * Reading pauses when a client has sent more than this before the module agrees to the WebSocket. A client should send
 * nothing until then.
 */
const MAX_EARLY_BYTES = 16 * 1024

const upgradeKey = Symbol('upgrade')
const joinKey = Symbol('join')

declare module 'node:http' {
  interface IncomingMessage {
    /**
     * Stops `readAhead` on the connection of a request for a WebSocket. Returns the bytes that followed the request's
     * headers. Undefined for every other request.
     */
    [joinKey]?: () => Buffer
    [upgradeKey]?: boolean
  }
}

/**
 * Node's IncomingMessage class. Apart from CONNECT, only a request for a WebSocket of a module upgrades. Once `upgrade`
 * has a listener, Node takes every request with an Upgrade header out of HTTP. All other offers are ignored (RFC 9110,
 * 7.8): h2c, an offer in HTTP/1.0, and an offer with a body. Such a body could be mistaken for frames.
 */
export function upgradable (modules: readonly Module[]): typeof IncomingMessage {
  const prefixes = modules.filter(({ upstream }) => upstream !== undefined).map(({ prefix }) => `${prefix}/`)

  return class extends IncomingMessage {
    get upgrade (): boolean {
      if (!this[upgradeKey]) return false
      if (this.method === 'CONNECT') return true
      return isHandshake(this) && prefixes.some(prefix => this.url!.startsWith(prefix))
    }

    set upgrade (value: boolean) {
      this[upgradeKey] = value
    }
  }
}

function isHandshake ({ method, httpVersion, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && httpVersion === '1.1' &&
    !hasBody(headers)
}

export const asksForWebSocket = (request: IncomingMessage): boolean => request[joinKey] !== undefined

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
    request[joinKey] = readAhead(socket, head)
    app.server.emit('request', request, response)
  })
}

/**
 * Reads from a connection until it is joined with a module. Without this reading, the departure of the client would go
 * unnoticed, and the request to the module would continue. A half-closed connection counts as closed: see
 * docs/operations.md.
 *
 * @returns a function that stops the reading and returns the bytes that have arrived
 */
function readAhead (socket: Socket, head: Buffer): () => Buffer {
  const chunks = [head]
  let bytes = head.length
  const keep = (chunk: Buffer): void => {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MAX_EARLY_BYTES) socket.pause()
  }
  const leave = (): void => { socket.destroy() }
  socket.on('data', keep).once('end', leave)
  return () => {
    socket.off('data', keep).off('end', leave)
    return Buffer.concat(chunks)
  }
}

/** Keeps the open WebSockets of one app, and closes them when the app stops. */
export function openTunnels (app: FastifyInstance) {
  const goAways = new Set<() => void>()
  let stopping = false
  app.addHook('preClose', (done) => {
    stopping = true
    for (const goAway of goAways) goAway()
    done()
  })

  /**
   * Joins a client that asks for a WebSocket with a module that has agreed.
   *
   * @param headers of the module's answer
   * @throws if the module switches to another protocol, or the client has left
   */
  return function join (reply: FastifyReply, module: Duplex, headers: IncomingHttpHeaders): void {
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
    reply.raw.detachSocket(client)
    client.setKeepAlive(true, KEEP_ALIVE_MS)
    // Node's own timeout listener would close the connection without a close frame.
    client.removeAllListeners('timeout').setTimeout(IDLE_MS, () => goAway())
    client.write(answerOf(reply, headers), 'latin1')

    const [toClient, toModule] = [new Frames(false), new Frames(true)]
    const early = raw[joinKey]!()
    if (early.length > 0) toModule.write(early)
    client.pipe(toModule).pipe(module)
    module.pipe(toClient).pipe(client)

    const endSoon = (): void => { setTimeout(end, LINGER_MS).unref() }
    const goAway = (): void => {
      toClient.goAway()
      toModule.goAway()
      endSoon()
    }
    function end (): void {
      goAways.delete(goAway)
      client.destroy()
      module.destroy()
    }
    goAways.add(goAway)
    // The module may have agreed only after the shutdown began.
    if (stopping) goAway()
    // Once one side has ended, both connections are closed, even if the other side keeps its half open.
    client.once('end', endSoon).once('close', end)
    module.once('end', endSoon).once('close', endSoon)
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
