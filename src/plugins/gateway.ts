import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { LRUCache } from 'lru-cache'
import { MODULE_TOKEN_TTL_SECONDS } from '../auth/tokens.js'
import type { Config } from '../config.js'
import { clientLeft, isRefusal, payloadTooLarge, serviceUnavailable, unreadable, type Refusal } from '../errors.js'
import type { UpstreamAnswer } from '../modules/answer.js'
import { UpstreamTimeout, UpstreamUnavailable } from '../modules/failures.js'
import { headersToClient, headersToModule } from '../modules/headers.js'
import type { Module } from '../modules/module.js'
import { pathUnder } from '../modules/paths.js'
import { UnderWay } from '../modules/under-way.js'
import { sendThrown } from './error-shape.js'
import { acceptUpgrades, asksForWebSocket, openTunnels } from './gateway-websockets.js'
import { checksOf } from './module-checks.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path belongs to this module, and so does what is answered there. */
    module?: Module
  }

  interface FastifyRequest {
    /** The request no longer counts as one that its client has under way; undefined for one that does not count. */
    letGo: (() => void) | undefined
    /** The module broke off in the middle of its answer: it was not the client that left. */
    brokenOff: boolean
  }
}

/** Of one client to one module at a time: far below the connections of the module, so that no client holds them all. */
const MOST_UNDER_WAY = 32

/**
 * Passes on what comes for a module, after the limiter: who has no token or not the role goes no further. Path, body and
 * answer go through as they are, in constant memory.
 */
export default async function gateway (app: FastifyInstance, { config }: { config: Config }): Promise<void> {
  const served = config.modules.filter(({ upstream }) => upstream !== undefined)
  if (served.length > 0) acceptUpgrades(app)
  const join = openTunnels(app)
  app.decorateRequest('letGo', undefined)
  app.decorateRequest('brokenOff', false)
  app.onRequestEnd(({ config }) => config.module ? (request) => { request.letGo?.() } : () => {})
  for (const module of served) await app.register(moduleRoutes, { module, upstream: module.upstream!, config, join })
}

interface ModuleOptions { module: Module, upstream: string, config: Config, join: ReturnType<typeof openTunnels> }

async function moduleRoutes (app: FastifyInstance, { module, upstream: origin, config, join }: ModuleOptions): Promise<void> {
  // A service without modules does not load their client.
  const { openUpstream } = await import('../modules/upstream.js')
  const { modulesUnavailable, moduleFailures } = app.metrics
  const labels = { module: module.name }
  modulesUnavailable.set(labels, 0)
  const upstream = openUpstream(origin, module, {
    onOpen (failure) {
      modulesUnavailable.set(labels, 1)
      app.log.warn({ ...labels, err: failure }, 'module cannot be reached')
    },
    onClose () {
      modulesUnavailable.set(labels, 0)
      app.log.info(labels, 'module can be reached again')
    }
  })
  app.addHook('onClose', () => upstream.close())

  const underWay = new UnderWay(MOST_UNDER_WAY)
  const checks = checksOf(app, module)
  // After the hooks of entry: those of a plugin would come before them.
  app.addHook('onRoute', (route) => { route.onRequest = [route.onRequest ?? [], checks].flat() })

  // Bodies are the module's business: they stay unread until they are passed on.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  for (const url of [module.prefix, `${module.prefix}/*`]) {
    app.route({
      url,
      method: app.supportedMethods.filter(method => method !== 'CONNECT' && method !== 'TRACE') as HTTPMethods[],
      config: { limit: module.policy, module },
      handler: forward
    })
  }

  function forward (request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = request
    if (lengthOf(raw) > module.maxBodyBytes) return fail(request, reply, tooLarge(module.maxBodyBytes))
    if (!mayBegin(request)) return fail(request, reply, serviceUnavailable(1, new Error(`${MOST_UNDER_WAY} requests under way`)))
    request.streamed = true
    // Node, which ends connections on which nothing moves, must not be the first: it sets its own time for the next request.
    // The socket of an injected request has no such time.
    raw.socket.setTimeout?.(Math.max(module.timeoutMs, module.idleMs) + 1000)
    let end = (_reason: Error): void => {}
    const deadline = setTimeout(() => end(new UpstreamTimeout(`no answer in ${module.timeoutMs} ms`)), module.timeoutMs)
    reply.raw.once('close', () => {
      clearTimeout(deadline)
      if (!reply.raw.writableFinished) end(clientLeft())
    })

    end = upstream.request({
      method: request.method,
      path: pathUnder(module.prefix, raw.url!),
      headers: headersToModule(raw.headers, factsOf(request)),
      body: hasBody(raw) ? passedOn(raw, module, deadline, reason => end(reason)) : null,
      onHeaders: () => clearTimeout(deadline),
      ...asksForWebSocket(raw) && { upgrade: 'websocket' }
    }, (error, answer) => {
      clearTimeout(deadline)
      try {
        if (error) throw error
        if (answer!.socket) {
          // It is no longer one of the module's pool of connections.
          request.letGo?.()
          return join(reply, answer!.socket, answer!.headers)
        }
        // Of pipelined requests, only the first hears that the connection closed.
        if (request.clientLeft) throw clientLeft()
        passOnAnswer(request, reply, answer!, brokenOff)
      } catch (thrown) {
        end(thrown as Error)
        fail(request, reply, thrown)
      }
    })
  }

  function mayBegin (request: FastifyRequest): boolean {
    const key = request.client!.key
    if (!underWay.begin(key)) return false
    request.letGo = () => {
      request.letGo = undefined
      underWay.end(key)
    }
    return true
  }

  function factsOf (request: FastifyRequest): Parameters<typeof headersToModule>[1] {
    const { id, client, user, headers: { authorization, host } } = request
    return {
      requestId: id,
      client: client!.address.toString(),
      // A client, or a proxy that a proxy trusts, may have written anything.
      protocol: (config.publicOrigin?.split(':')[0] ?? request.protocol) === 'https' ? 'https' : 'http',
      host: config.publicOrigin?.split('://')[1] ?? host,
      user: module.public ? undefined : user,
      authorization: module.token === 'pass' ? authorization : module.token === 'own' ? `Bearer ${ownToken(request)}` : undefined
    }
  }

  // A signature costs more than all the rest, so a module gets the same token for a while.
  const ownTokens = new LRUCache<string, string>({ max: 10_000, ttl: MODULE_TOKEN_TTL_SECONDS * 1000 / 2 })

  function ownToken ({ user }: FastifyRequest): string {
    const token = ownTokens.get(user.jti) ?? app.issueModuleToken(user, module.name)
    if (!ownTokens.has(user.jti)) ownTokens.set(user.jti, token)
    return token
  }

  function fail (request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
    countFailure(thrown)
    // The client's own fault may have been answered before the request to the module ended.
    if (reply.sent) return
    // What the client still sends is not waited for.
    if (!request.raw.complete) reply.header('Connection', 'close')
    sendThrown(thrown, request, reply)
  }

  function brokenOff (request: FastifyRequest, failure: Error): void {
    if (isRefusal(failure)) return
    request.brokenOff = true
    request.record.cause = failure.message
    countFailure(failure)
  }

  function countFailure (thrown: unknown): void {
    if (thrown instanceof UpstreamUnavailable) moduleFailures.inc({ ...labels, status: 502 })
    if (thrown instanceof UpstreamTimeout) moduleFailures.inc({ ...labels, status: 504 })
  }
}

function passOnAnswer (
  request: FastifyRequest, reply: FastifyReply, { statusCode, headers, body }: UpstreamAnswer, onBroken: (request: FastifyRequest, failure: Error) => void
): void {
  if (statusCode > 599) throw new UpstreamUnavailable(`the answer has the status ${statusCode}`)
  reply.code(statusCode).removeHeader('Cache-Control').removeHeader('Content-Security-Policy')
  const passed = headersToClient(headers)
  if (passed.vary !== undefined) passed.vary = [reply.getHeader('vary'), passed.vary].flat().filter(Boolean).join(', ')
  reply.headers(passed)
  // The rest of a body that the module does not want could only be read to be thrown away.
  if (!request.raw.complete) reply.header('Connection', 'close')
  if (body instanceof Readable) body.on('error', failure => onBroken(request, failure))
  reply.send(body instanceof Readable || isSelfDescribing(request, statusCode, passed) ? body : Readable.from([body]))
}

/** Of other answers, Fastify would add to the headers of a Buffer what it makes of it. */
function isSelfDescribing ({ method }: FastifyRequest, statusCode: number, headers: IncomingHttpHeaders): boolean {
  return method !== 'HEAD' && statusCode !== 304 && headers['content-type'] !== undefined
}

const tooLarge = (maxBytes: number): Refusal => payloadTooLarge(`${maxBytes} bytes`)

const lengthOf = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0)

const hasBody = (raw: IncomingMessage): boolean => raw.headers['transfer-encoding'] !== undefined || lengthOf(raw) > 0

/** A request's body, chunk by chunk: each moves the time by which the answer must begin. */
async function * passedOn (raw: IncomingMessage, { maxBodyBytes, idleMs }: Module, deadline: NodeJS.Timeout, end: (reason: Error) => void): AsyncGenerator<Buffer> {
  let bytes = 0
  const idle = setTimeout(() => {
    if (raw.readableLength > 0) idle.refresh() // It is the module that pauses.
    else end(unreadable(408, new Error(`the body paused for ${idleMs} ms`)))
  }, idleMs)
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBodyBytes) return end(tooLarge(maxBodyBytes))
      idle.refresh()
      deadline.refresh()
      yield chunk
    }
  } catch (error) {
    // What the client sends is broken, or it has left.
    end(isRefusal(error as Error) ? error as Error : clientLeft())
  } finally {
    clearTimeout(idle)
  }
}
