import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { LRUCache } from 'lru-cache'
import { MODULE_TOKEN_TTL_SECONDS } from '../auth/tokens.js'
import type { Config } from '../config.js'
import { clientLeft, payloadTooLarge, unreadable, type Refusal } from '../errors.js'
import { UpstreamTimeout, UpstreamUnavailable } from '../modules/failures.js'
import { headersToClient, headersToModule } from '../modules/headers.js'
import type { Module } from '../modules/module.js'
import { splitTarget } from '../modules/paths.js'
import type { UpstreamAnswer } from '../modules/upstream.js'
import { sendThrown } from './error-shape.js'
import { acceptUpgrades, asksForWebSocket, openTunnels } from './gateway-websockets.js'
import { checksOf } from './module-checks.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path belongs to this module, and so does what is answered there. */
    module?: Module
  }
}

/**
 * Passes on what comes for a module, after the limiter: who has no token or not the role goes no further. Path, body and
 * answer go through as they are, in constant memory.
 */
export default async function gateway (app: FastifyInstance, { config }: { config: Config }): Promise<void> {
  const served = config.modules.filter(({ upstream }) => upstream !== undefined)
  if (served.length > 0) acceptUpgrades(app)
  const join = openTunnels(app)
  for (const module of served) await app.register(moduleRoutes, { module, upstream: module.upstream!, config, join })
}

interface ModuleOptions { module: Module, upstream: string, config: Config, join: ReturnType<typeof openTunnels> }

async function moduleRoutes (app: FastifyInstance, { module, upstream: origin, config, join }: ModuleOptions): Promise<void> {
  // A service without modules does not load what only they need.
  const [{ default: httpProxy }, { openUpstream }] = await Promise.all([import('@fastify/http-proxy'), import('../modules/upstream.js')])
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

  const checks = checksOf(app, module)
  // After the hooks of entry: those of a plugin would come before them.
  app.addHook('onRoute', (route) => { route.onRequest = [route.onRequest ?? [], checks].flat() })

  // Bodies are the module's business: the parser of ours for JSON stays outside.
  app.removeAllContentTypeParsers()
  await app.register(httpProxy, {
    prefix: module.prefix,
    upstream: origin,
    rewritePrefix: module.prefix,
    routes: ['', '/*'],
    httpMethods: app.supportedMethods.filter(method => method !== 'CONNECT' && method !== 'TRACE') as HTTPMethods[],
    config: { limit: module.policy, module },
    // What http-proxy would do for an absolute form is to refuse it.
    preRewrite: target => target.startsWith('/') ? target : splitTarget(target).path,
    handler: (request, reply, path) => forward(request, reply, path)
  })

  /** @param path the target's path, as http-proxy has checked it */
  function forward (request: FastifyRequest, reply: FastifyReply, path: string): void {
    const { raw } = request
    if (lengthOf(raw) > module.maxBodyBytes) return fail(request, reply, tooLarge(module.maxBodyBytes))
    request.streamed = true
    const ending = new AbortController()
    const deadline = setTimeout(() => ending.abort(new UpstreamTimeout(`no answer in ${module.timeoutMs} ms`)), module.timeoutMs)
    reply.raw.once('close', () => {
      clearTimeout(deadline)
      if (!reply.raw.writableFinished) ending.abort(clientLeft())
    })

    const target = { path: path + splitTarget(raw.url!).query, headers: headersToModule(raw.headers, factsOf(request)), signal: ending.signal }
    if (asksForWebSocket(raw)) {
      return upstream.upgrade(target, (error, answer) => {
        clearTimeout(deadline)
        if (error) return fail(request, reply, error)
        join(reply, answer!.socket, answer!.headers)
      })
    }
    const body = hasBody(raw) ? passedOn(raw, module, deadline, ending) : null
    upstream.request({ ...target, method: request.method, body }, (error, answer) => {
      clearTimeout(deadline)
      try {
        if (error) throw error
        sendAnswer(request, reply, answer!)
      } catch (thrown) {
        answer?.body.destroy()
        fail(request, reply, thrown)
      }
    })
  }

  function factsOf (request: FastifyRequest): Parameters<typeof headersToModule>[1] {
    const { id, client, user, headers: { authorization, host } } = request
    return {
      requestId: id,
      client: client!.address.toString(),
      protocol: config.publicOrigin?.split(':')[0] ?? request.protocol,
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
    if (thrown instanceof UpstreamUnavailable) moduleFailures.inc({ ...labels, status: 502 })
    if (thrown instanceof UpstreamTimeout) moduleFailures.inc({ ...labels, status: 504 })
    // What the client still sends is not waited for.
    if (!request.raw.complete) reply.header('Connection', 'close')
    sendThrown(thrown, request, reply)
  }
}

function sendAnswer (request: FastifyRequest, reply: FastifyReply, { statusCode, headers, body }: UpstreamAnswer): void {
  if (statusCode > 599) throw new UpstreamUnavailable(`the answer has the status ${statusCode}`)
  reply.code(statusCode).removeHeader('Cache-Control').removeHeader('Content-Security-Policy')
  for (const [name, value] of headersToClient(headers)) {
    if (name === 'vary') reply.header(name, [reply.getHeader(name), value].flat().filter(Boolean).join(', '))
    else reply.header(name, value)
  }
  // The rest of a body that the module does not want could only be read to be thrown away.
  if (!request.raw.complete) reply.header('Connection', 'close')
  body.on('error', (error: Error) => { request.record.cause = error.message })
  reply.send(body)
}

const tooLarge = (maxBytes: number): Refusal => payloadTooLarge(`${maxBytes} bytes`)

const lengthOf = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0)

const hasBody = (raw: IncomingMessage): boolean => raw.headers['transfer-encoding'] !== undefined || lengthOf(raw) > 0

/** A request's body, chunk by chunk: each moves the time by which the answer must begin. */
async function * passedOn (raw: IncomingMessage, { maxBodyBytes, idleMs }: Module, deadline: NodeJS.Timeout, ending: AbortController): AsyncGenerator<Buffer> {
  let bytes = 0
  const idle = setTimeout(() => {
    if (raw.readableLength > 0) idle.refresh() // It is the module that pauses.
    else ending.abort(unreadable(408, new Error(`the body paused for ${idleMs} ms`)))
  }, idleMs)
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBodyBytes) return ending.abort(tooLarge(maxBodyBytes))
      idle.refresh()
      deadline.refresh()
      yield chunk
    }
  } finally {
    clearTimeout(idle)
  }
}
