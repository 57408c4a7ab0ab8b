import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { LRUCache } from 'lru-cache'
import { MODULE_TOKEN_TTL_SECONDS } from '../../auth/tokens.js'
import type { Config } from '../../config/config.js'
import {
  clientLeft, isRefusal, notFound, serviceUnavailable, unreadableRequest, type Refusal
} from '../../base/errors.js'
import { startClocks } from '../../modules/clocks.js'
import { UpstreamTimeout, UpstreamUnavailable } from '../../modules/failures.js'
import { unremovedCoding, headersToModule } from '../../modules/headers.js'
import { modulesDigest, type Module } from '../../modules/module.js'
import { pathUnder } from '../../modules/paths.js'
import { requestBody, isArriving, isTooLong, bodyTooLarge } from '../../modules/request-body.js'
import { RequestsInProgress } from '../../modules/in-flight.js'
import type { Upstream } from '../../modules/upstream.js'
import { dropRestOfBody } from '../edge/client-errors.js'
import { sendAnswer, sendThrown } from '../edge/error-shape.js'
import { isHost } from '../edge/routing.js'
import { acceptUpgrades, asksForWebSocket, openTunnels } from './websockets.js'
import { moduleChecks } from './module-checks.js'
import { routeModules, type ModuleRoute } from './module-routes.js'
import { passOnAnswer } from './pass-on.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The module that the path belongs to. It also makes the answer, unless gatehouse refuses the request or the module
     * fails.
     */
    module?: Module
    /** Passes a request on to the module. */
    forward?: RouteHandlerMethod
  }

  interface FastifyRequest {
    /** Whether the answer comes from the module, and not from gatehouse. */
    passedOn: boolean
    /** Whether the module broke off its answer. If so, a closed connection does not mean that the client left. */
    brokenOff: boolean
  }
}

/**
 * The maximum of in-flight requests from one user or client to one module: an eighth of the connections to the module.
 */
const MOST_UNDER_WAY = 32
/** The maximum of WebSockets to one module. They are no pooled connections, so only this bounds their memory. */
const MOST_WEBSOCKETS = 1000

/**
 * Passes requests on to their modules, after the limiter. A request without the token or the role that its module needs
 * is refused. The path below the prefix, the body and the body of the answer pass unchanged, in constant memory.
 */
export default async function gateway (app: FastifyInstance, { config }: { config: Config }): Promise<void> {
  acceptUpgrades(app)
  const join = openTunnels(app)
  app.decorateRequest('passedOn', false)
  app.decorateRequest('brokenOff', false)
  // Only the module parses a body. The body stays unread until it is passed on.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))

  let connections = new Map<string, Connected>()
  let digest = ''
  const serve = routeModules(app, (module) => {
    const connected = connections.get(module.name)
    return connected ? moduleRoute(app, { module, ...connected, config, join }) : nothingAt(module)
  })
  const takeOver = async ({ modules }: Config): Promise<void> => {
    connections = await connectTo(app, modules.filter(({ upstream }) => upstream !== undefined), connections)
    serve(modules)
    digest = modulesDigest(modules)
  }
  await takeOver(config)
  app.onReload(takeOver)
  app.addReplicaFacts(() => ({ modules: digest }))
  app.addHook('onClose', async () => { for (const { upstream } of connections.values()) await upstream.close() })
}

/** What outlives a reload of a module whose address stays the same. */
interface Connected { origin: string, upstream: Upstream, underWay: RequestsInProgress, webSockets: RequestsInProgress }

/**
 * @param before those that may be kept. The others finish the requests under way, and then become idle and end
 * @returns the connections by the module's name
 */
async function connectTo (
  app: FastifyInstance, modules: readonly Module[], before: ReadonlyMap<string, Connected>
): Promise<Map<string, Connected>> {
  const after = new Map<string, Connected>()
  for (const { name, upstream } of modules) {
    const kept = before.get(name)
    after.set(name, kept?.origin === upstream ? kept! : await connect(app, name, upstream!))
  }
  for (const [name, { upstream }] of before) {
    if (after.get(name)?.upstream === upstream) continue
    upstream.retire()
    if (!after.has(name)) app.metrics.modulesUnavailable.remove({ module: name })
  }
  return after
}

async function connect ({ metrics, log }: FastifyInstance, module: string, origin: string): Promise<Connected> {
  // A service without modules does not load undici, the HTTP client.
  const { Upstream } = await import('../../modules/upstream.js')
  metrics.modulesUnavailable.set({ module }, 0)
  const upstream = new Upstream(origin, {
    onOpen (failure) {
      metrics.modulesUnavailable.set({ module }, 1)
      log.warn({ code: 'module_unavailable', module, err: failure }, 'module cannot be reached')
    },
    onClose () {
      metrics.modulesUnavailable.set({ module }, 0)
      log.info({ code: 'module_recovered', module }, 'module can be reached again')
    }
  })
  return {
    origin,
    upstream,
    underWay: new RequestsInProgress(MOST_UNDER_WAY),
    webSockets: new RequestsInProgress(MOST_WEBSOCKETS)
  }
}

const NOTHING_HERE = notFound()

/** A module without an upstream is limited and logged like the others. */
const nothingAt = ({ policy }: Module): ModuleRoute =>
  ({ config: { policy }, onRequest: [(request, reply) => sendAnswer(NOTHING_HERE, request, reply)] })

interface Options extends Connected { module: Module, config: Config, join: ReturnType<typeof openTunnels> }

function moduleRoute (
  app: FastifyInstance, { module, upstream, underWay, webSockets, config, join }: Options
): ModuleRoute {
  // A signature costs more than the rest of a request. So each user token gets the same module token for half of the
  // lifetime of that module token.
  const ownTokens = new LRUCache<string, string>({ max: 10_000, ttl: MODULE_TOKEN_TTL_SECONDS * 1000 / 2 })

  const { host: ownHost } = new URL(module.upstream!)

  return { config: { policy: module.policy, module, forward }, onRequest: moduleChecks(app, module) }

  function forward (request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = request
    const coding = unremovedCoding(raw.headers)
    if (coding !== undefined) {
      return fail(request, reply, unreadableRequest(400, new Error(`the transfer coding ${coding}`)))
    }
    reply.raw.once('finish', () => { if (isArriving(raw)) dropRestOfBody(raw) })
    if (isTooLong(raw.headers, module)) return fail(request, reply, bodyTooLarge(module))
    // A request with a token counts for its user, because a whole school may share one address.
    const owner = module.public ? request.client!.key : request.user.sub
    if (!underWay.begin(owner)) return fail(request, reply, tooMany(`${MOST_UNDER_WAY} requests under way`))
    const isWebSocket = asksForWebSocket(raw)
    if (isWebSocket && !webSockets.begin('all')) {
      underWay.end(owner)
      return fail(request, reply, tooMany(`${MOST_WEBSOCKETS} WebSockets open`))
    }
    request.streamed = true
    let end = (_reason: Error): void => {}
    const clocks = startClocks(raw, reply.raw, module, reason => end(reason))
    reply.raw.once('close', () => {
      underWay.end(owner)
      if (isWebSocket) webSockets.end('all')
      clocks.stop()
      if (!reply.raw.writableFinished) end(clientLeft())
    })

    const facts = factsOf(request)
    const hostGiven = (facts.asHost ? facts.host : undefined) ?? ownHost
    end = upstream.request({
      method: request.method,
      path: pathUnder(module.prefix, raw.url!),
      headers: headersToModule(raw.headers, facts),
      idleMs: module.idleMs,
      body: requestBody(raw, { ...module, onChunk: clocks.gave, onFault: fault => end(fault) }),
      onHeaders: clocks.answered,
      ...isWebSocket && { upgrade: 'websocket' }
    }, (error, answer) => {
      clocks.answered()
      try {
        if (error) throw error
        const user = module.public ? undefined : request.user
        if (answer!.socket) return join(reply, answer!.socket, answer!.headers, user)
        passOnAnswer(request, reply, answer!, hostGiven, brokenOff)
      } catch (thrown) {
        end(thrown as Error)
        fail(request, reply, thrown)
      }
    })
  }

  function factsOf (request: FastifyRequest): Parameters<typeof headersToModule>[1] {
    const { id, client, user } = request
    return {
      requestId: id,
      client: client!.text,
      // X-Forwarded-Proto may contain any text: a client may have written it, or a proxy that a trusted proxy trusts.
      protocol: (config.publicOrigin?.split(':')[0] ?? request.protocol) === 'https' ? 'https' : 'http',
      host: config.publicOrigin?.split('://')[1] ?? publicHostOf(request),
      asHost: module.host === 'client',
      user: module.public ? undefined : user,
      authorization: authorizationOf(request)
    }
  }

  function authorizationOf (request: FastifyRequest): string | undefined {
    if (module.token === 'own') return `Bearer ${ownToken(request)}`
    return module.token === 'pass' ? request.headers.authorization : undefined
  }

  function ownToken ({ user }: FastifyRequest): string {
    const token = ownTokens.get(user.jti) ?? app.issueModuleToken(user, module.name)
    if (!ownTokens.has(user.jti)) ownTokens.set(user.jti, token)
    return token
  }

  function fail (request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
    countFailure(thrown)
    // A fault of the client may already have been answered, before the request to the module ended.
    if (reply.sent) return
    request.passedOn = false
    sendThrown(thrown, request, reply)
  }

  function brokenOff (request: FastifyRequest, failure: Error): void {
    if (isRefusal(failure)) return
    // In HTTP/1.0, a FIN may mark the end of the answer. A reset shows the client that the answer is incomplete.
    if (request.raw.httpVersion === '1.0') request.raw.socket.resetAndDestroy()
    request.brokenOff = true
    request.record.cause = failure.message
    countFailure(failure)
  }

  function countFailure (thrown: unknown): void {
    if (thrown instanceof UpstreamUnavailable) app.metrics.moduleFailures.inc({ module: module.name, status: 502 })
    if (thrown instanceof UpstreamTimeout) app.metrics.moduleFailures.inc({ module: module.name, status: 504 })
  }
}

/** A trusted proxy may ask for another host than the client, and names the client's in X-Forwarded-Host. */
function publicHostOf (request: FastifyRequest): string | undefined {
  return isHost(request.host) ? request.host : request.headers.host
}

const tooMany = (what: string): Refusal => serviceUnavailable(1, new Error(what))
