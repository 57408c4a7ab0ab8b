import { METHODS, type IncomingMessage } from 'node:http'
import type { FastifyRequest, HTTPMethods } from 'fastify'
import fp from 'fastify-plugin'
import { badRequest, methodNotAllowed, notFound, type Answer } from '../errors.js'
import { OTHER_PATHS } from './entry.js'
import { sendAnswer } from './error-shape.js'

/** The paths under which requests take that way, and what is wrong with them. */
const UNDECODABLE = '/undecodable'
const NOT_A_URL = '/not-a-url'
const NOT_HTTP = '/not-http'
const faults = new Map([
  [UNDECODABLE, 'The path cannot be decoded.'],
  [NOT_A_URL, 'The request target is not a valid URL.'],
  [NOT_HTTP, 'The method is not one of HTTP.']
])

const httpMethods = new Set(METHODS)

/**
 * Fastify's `rewriteUrl`. What its router cannot read would be answered before any hook: a path such as `/%zz`, and an
 * absolute form that is no URL. So would a method of RTSP or the `PRI` of HTTP/2, which Node's parser reads. Under
 * these names they go the way of any request.
 */
export function rewriteUnroutable (request: IncomingMessage): string {
  const { url = '/', method = '' } = request
  if (!httpMethods.has(method)) {
    request.method = 'GET'
    return NOT_HTTP
  }
  if (url[0] !== '/' && isBrokenUrl(url)) return NOT_A_URL
  if (!url.includes('%')) return url
  try {
    decodeURIComponent(url.replace(/[?#].*$/s, ''))
    return url
  } catch {
    return UNDECODABLE
  }
}

/** Whether a target is in absolute form, and has no host, a fragment, or a host that no URL can have. */
const isBrokenUrl = (target: string): boolean =>
  /^https?:\/\//i.test(target) && !(/^.{4,5}:\/\/[^/?#]+[^#]*$/.test(target) && URL.canParse(target))

/**
 * 404 for a path that nothing answers, and 405 with the methods that would do for one that something does. They come
 * right after the limiter, so that the body of such a request is never read.
 */
export default fp(async (app) => {
  const methodsByPath = new Map<string, Set<string>>()

  // Fastify knows the common methods only. A path should refuse each of the others with 405, too.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)

  app.onEntry(({ url }) => (request, reply, goOn) => {
    // Node would answer this one itself, with an empty body, if `requireHostHeader` did not prevent it.
    const needsHost = request.raw.httpVersion === '1.1'
    const hostIsMissing = needsHost && !request.headers.host
    if (hostIsMissing) goOn(badRequest('The Host header is missing.'))
    else if (request.method === 'CONNECT') goOn(badRequest('This service is no proxy.'))
    else if (url !== undefined) return true
    else sendAnswer(nothingAt(request), request, reply)
    return false
  })

  app.addHook('onRoute', ({ url, method, config }) => {
    // What has a name is at this path for the verify listener only.
    if (url === OTHER_PATHS || config?.refused || config?.name) return
    const methods = methodsByPath.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    methodsByPath.set(url, methods)
  })

  app.decorate('refuseOtherMethods', () => {
    for (const [url, methods] of methodsByPath) {
      const allowed = [...methods].sort()
      app.route({
        url,
        method: app.supportedMethods.filter(method => !methods.has(method)) as HTTPMethods[],
        config: { refused: true },
        onRequest: (_request, _reply, done) => done(methodNotAllowed(allowed)),
        handler: () => {}
      })
    }
    const methods = app.supportedMethods as HTTPMethods[]
    app.route({ url: OTHER_PATHS, method: methods, exposeHeadRoute: false, handler: () => {} })
  })
}, { name: 'routing', dependencies: ['limiter'] })

const NOTHING_HERE: Answer = notFound()

function nothingAt ({ url, originalUrl }: FastifyRequest): Answer {
  const fault = url === originalUrl ? undefined : faults.get(url)
  return fault === undefined ? NOTHING_HERE : badRequest(fault)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that exists only to say that its method does not. */
    refused?: boolean
  }

  interface FastifyInstance {
    /** To be called once, after the last route. */
    refuseOtherMethods: () => void
  }
}
