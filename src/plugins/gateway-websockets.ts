import { IncomingMessage, STATUS_CODES, type IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { clientLeft } from '../errors.js'
import { UpstreamUnavailable } from '../modules/failures.js'
import { headersToClient } from '../modules/headers.js'
import type { Module } from '../modules/module.js'
import { hasBody } from '../modules/request-body.js'
import { Frames } from '../modules/websocket-frames.js'
import { answerAsRequest } from './client-errors.js'

/** For a client or a module to close its side, after it was told to. */
const LINGER_MS = 1000
/** Finds out that the other side is gone without a word. */
const KEEP_ALIVE_MS = 60_000
/** A WebSocket on which nothing has moved for this long is closed: whoever opened it may have forgotten it. */
const IDLE_MS = 600_000
/** More than this is not read before the module has agreed. A client should send nothing before that. */
const MAX_EARLY_BYTES = 16 * 1024

const upgradeKey = Symbol('upgrade')
const joinKey = Symbol('join')

declare module 'node:http' {
  interface IncomingMessage {
    /**
     * Ends the reading ahead on the connection of a request that asks for a WebSocket, and returns what followed its
     * headers; undefined for every other request.
     */
    [joinKey]?: () => Buffer
    [upgradeKey]?: boolean
  }
}

/**
 * Node's requests, of which only those upgrade that ask a module for a WebSocket. Once anyone listens for upgrades,
 * Node takes every request with an Upgrade header out of HTTP. Any other offer is ignored (RFC 9110, 7.8): one of h2c,
 * one in HTTP/1.0, and one with a body, which could be taken for frames.
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

/** A request for a WebSocket takes the way of every other request, until it is passed on. */
export function acceptUpgrades (app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // Node has removed its own listener.
    socket.on('error', () => {})
    request[joinKey] = readAhead(socket, head)
    answerAsRequest(app, request, socket)
  })
}

/**
 * Reads from a connection until it is joined with a module: if nobody read, nobody would notice that its client has
 * left, and the request to the module would go on without one. Half a connection is none: see docs/operations.md.
 *
 * @returns ends that, and returns what has come
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

/** The WebSockets of one app, to be closed when it stops. */
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
   * @throws if the module switches to anything else, or the client has left
   */
  return function join (reply: FastifyReply, module: Duplex, headers: IncomingHttpHeaders): void {
    const { raw } = reply.request
    const client = raw.socket
    module.on('error', () => {})
    // Two such headers are a list here.
    const protocol = String(headers.upgrade ?? 'no protocol')
    if (protocol.toLowerCase() !== 'websocket') {
      module.destroy()
      throw new UpstreamUnavailable(`the answer switches to ${protocol}`)
    }
    // It may have left in the same turn of the event loop, before anyone hears that the connection closed.
    if (client.destroyed) {
      module.destroy()
      throw clientLeft()
    }
    reply.code(101).hijack()
    // Nothing follows but frames: for the log, the request ends with its connection.
    reply.settled = true
    reply.raw.detachSocket(client)
    client.setKeepAlive(true, KEEP_ALIVE_MS)
    // Node's own listener would end the connection without a word.
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
    // A module may have agreed too late.
    if (stopping) goAway()
    // A side that has ended is gone, even if the other one keeps its half of the connection.
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
