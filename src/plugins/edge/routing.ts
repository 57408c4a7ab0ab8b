import { METHODS, type IncomingMessage } from 'node:http'
import type { FastifyRequest, HTTPMethods } from 'fastify'
import fp from 'fastify-plugin'
import { badRequest, methodNotAllowed, notFound, type ErrorResponse } from '../../base/errors.js'
import { OTHER_PATHS } from './entry.js'
import { sendAnswer } from './error-shape.js'

/** Each path stands for one kind of request that the router cannot read. */
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
 * Used as Fastify's `rewriteUrl`. Fastify answers a request before any hook if its router cannot read it: a path such
 * as `/%zz`, or an absolute form that is not a URL. It does the same with the methods of RTSP and the `PRI` of HTTP/2,
 * which Node's parser accepts. With these paths they are handled like any other request.
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
 * Answers 404 for a path without a route, and 405 with the allowed methods if the path has other routes. This happens
 * right after the limiter, so the body of such a request is never read.
 */
export default fp(async (app) => {
  const methodsByPath = new Map<string, Set<string>>()

  // Fastify knows only the common methods, but a path should refuse all others with 405, too.
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)

  app.onEntry(({ url }) => (request, reply, goOn) => {
    const fault = hostFault(request.raw)
    if (fault !== undefined) goOn(badRequest(fault))
    else if (url !== undefined) return true
    else sendAnswer(nothingAt(request), request, reply)
    return false
  })

  app.addHook('onRoute', ({ url, method, config }) => {
    if (url === OTHER_PATHS || config?.refused) return
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
  })
}, { name: 'routing', dependencies: ['limiter'] })

/** `uri-host [ ":" port ]` of RFC 9112, 3.2. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(?::\d*)?$/i
export const isHost = (text: string): boolean => HOST.test(text)

/** Node would answer a missing Host with an empty body, and takes the first of several. */
function hostFault ({ httpVersion, headers: { host }, rawHeaders }: IncomingMessage): string | undefined {
  let lines = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host' && ++lines > 1) {
      return 'There are several Host headers.'
    }
  }
  if (!host) return httpVersion === '1.1' ? 'The Host header is missing.' : undefined
  return isHost(host) ? undefined : 'The Host header is not valid.'
}

const NOTHING_HERE: ErrorResponse = notFound()

function nothingAt ({ url, originalUrl }: FastifyRequest): ErrorResponse {
  const fault = url === originalUrl ? undefined : faults.get(url)
  return fault === undefined ? NOTHING_HERE : badRequest(fault)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set for a route that only answers 405 for its method. */
    refused?: boolean
  }

  interface FastifyInstance {
    /** To be called once, after the last route. */
    refuseOtherMethods: () => void
  }
}
