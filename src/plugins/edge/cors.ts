import { isIP } from 'node:net'
import { promisify } from 'node:util'
import fastifyCors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../config/config.js'
import { forbidden, originRefused } from '../../base/errors.js'
import { isLoopback } from '../../base/loopback.js'
import { KNOWN_HEADERS, refusedHeaders } from './cors-headers.js'

const methods = ['GET', 'HEAD', 'POST', 'DELETE']
const exposedHeaders = [
  'Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-RateLimit-Retry-After',
  'X-Request-Id'
]
/** Headers that a page may also read in a module's answers. */
const exposedOfModules = [
  ...exposedHeaders, 'ETag', 'Location', 'Content-Disposition', 'Content-Encoding', 'Content-Language',
  'Content-Length', 'Content-Location', 'Content-Range'
]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether pages of any origin may read the answers of this route. */
    anyOrigin?: true
  }
}

/**
 * A page from an origin that is not allowed gets 403 before anything else happens. A preflight for a method that we do
 * not have, or for a header that is not in the list, also gets 403. Preflights are answered here. A request without an
 * Origin passes, because no page of another origin can read its answer.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const allowed = new Set(config.corsOrigins)
  if (config.publicOrigin !== undefined) allowed.add(config.publicOrigin)
  // Of the routes with `anyOrigin`. Their preflights have the same paths.
  const publicPaths = new Set<string | undefined>()

  const allowedHeaders = [...KNOWN_HEADERS, ...config.corsHeaders].join(', ')
  const refused = refusedHeaders(config.corsHeaders)

  const passing: FastifyCorsOptions = { origin: true, methods, allowedHeaders, exposedHeaders, maxAge: 600 }
  const ofModules: FastifyCorsOptions = { ...passing, exposedHeaders: exposedOfModules }
  const anyPage: FastifyCorsOptions = { ...passing, origin: '*', methods: ['GET', 'HEAD'] }

  const options = {
    delegator (request: FastifyRequest, answer: (error: Error | null, options?: FastifyCorsOptions) => void) {
      const { origin, 'access-control-request-headers': headers } = request.headers
      const method = request.headers['access-control-request-method']
      const isPreflight = request.method === 'OPTIONS' && method !== undefined
      if (origin === undefined || publicPaths.has(request.route.url)) {
        return answer(null, { ...anyPage, preflight: origin !== undefined && Boolean(method) })
      }
      const isAllowed = allowed.has(origin) || (config.publicOrigin === undefined && isSameOrigin(origin, request))
      if (!isAllowed) return answer(originRefused({ origin: shown(origin) }))

      const unknown = isPreflight ? refused(headers) : []
      if (unknown.length > 0) {
        const record = { header: shown(unknown.join(',')) }
        const message = 'Pages of other origins may not send these headers: CORS_HEADERS does not list them.'
        return answer(forbidden(message, record))
      }
      // A module itself refuses methods that it does not accept: the preflight allows what it asks for.
      if (request.route.config.module) {
        return answer(null, { ...ofModules, ...isPreflight && method ? { methods: [method] } : { preflight: false } })
      }
      if (isPreflight && !methods.includes(method)) {
        return answer(forbidden('Pages of other origins may not use this method.'))
      }
      answer(null, isPreflight ? passing : { ...passing, preflight: false })
    }
  }
  const hook = await hookOf(fastifyCors, app, options)
  app.onEntry(({ url, config: { anyOrigin } }) => {
    if (anyOrigin) publicPaths.add(url)
    const isPublic = publicPaths.has(url)
    return function (request, reply, goOn) {
      // Refusals need it, too: a cache must not serve one to a page of another origin.
      if (!isPublic) reply.header('vary', 'Origin')
      if (!isPublic && (request.headers.origin === undefined || isOwnPage(request))) return true
      hook.call(this, request, reply, goOn)
      return false
    }
  })
}, { name: 'cors', dependencies: ['entry'] })

/**
 * A page whose policy is to send no referrer, as helmet's default is, calls its origin `null`, also to that origin. The
 * browser says which it is by a header that no page can set.
 */
const isOwnPage = ({ headers }: FastifyRequest): boolean =>
  headers.origin === 'null' && headers['sec-fetch-site'] === 'same-origin'

/** For the log: what CORS_ORIGINS or CORS_HEADERS would have to name. */
const shown = (text: string): string => text.slice(0, 200).replace(/[^\x21-\x7e]/g, '?')

/**
 * The hook of @fastify/cors. Only requests that need it run it, because it reads its options for each request, which
 * costs as much as a take. Its route for preflights is left out, because the hook answers them.
 */
async function hookOf (
  plugin: typeof fastifyCors, app: FastifyInstance, options: Parameters<typeof fastifyCors>[1]
): Promise<onRequestHookHandler> {
  let found: onRequestHookHandler | undefined
  const taking = Object.create(app, {
    addHook: { value: (_name: 'onRequest', hook: onRequestHookHandler) => { found = hook } },
    options: { value: () => {} }
  }) as FastifyInstance
  await promisify(plugin)(taking, options)
  return found!
}

/**
 * Whether the page came from this host. Only an address or `localhost` proves that. The owner of any other name can
 * point it to this service (DNS rebinding), and their page would then count as ours. Behind a proxy that terminates
 * TLS, https looks like http here. So an https page passes on an http connection, but not the other way round.
 */
function isSameOrigin (origin: string, { protocol, headers: { host } }: FastifyRequest): boolean {
  if (!host || !isOwnAddress(host.toLowerCase())) return false
  return origin === `https://${host.toLowerCase()}` || (protocol === 'http' && origin === `http://${host.toLowerCase()}`)
}

function isOwnAddress (host: string): boolean {
  const name = host.replace(/:\d+$/, '')
  return isLoopback(name) || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
}
