import { once } from 'node:events'
import { createServer, METHODS, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { ConnectionError } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../config/config.js'
import { forbidden } from '../../base/errors.js'
import { answerClientError, connectionOptions } from '../edge/client-errors.js'

/**
 * The constraint of the routes of the verify listener. Only this listener reaches them, and it reaches no other routes.
 */
export const onVerifyListener = { listener: 'verify' } as const

/**
 * A proxy sends the client's headers with its question. If gatehouse cannot read them, nginx answers an empty 503. By
 * default nginx takes 33 kB of headers, and Envoy 60 kB.
 */
const MAX_HEADERS_BYTES = 96 * 1024

/** Set for each request to the verify listener: what is wrong with it, or an empty string. */
const faultKey = Symbol('fault')

declare module 'node:http' {
  interface IncomingMessage {
    [faultKey]?: string
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Starts the verify listener and returns its port. Undefined without VERIFY_PORT. */
    listenForVerify: (() => Promise<number>) | undefined
  }
}

/**
 * A listener for proxies that ask whether they may pass on a client's request. The question is turned into that
 * request, as the proxy describes it. It then takes the same steps as every other request, with the same client,
 * bucket, token and role.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const { verifyHost, verifyPort, keepAliveSeconds } = config
  app.decorate('listenForVerify', undefined)
  if (verifyPort === undefined) return

  const { http, requestTimeout, connectionTimeout } = connectionOptions
  const keepAliveTimeout = keepAliveSeconds * 1000
  const options = { ...http, requestTimeout, keepAliveTimeout, maxHeaderSize: MAX_HEADERS_BYTES }
  const server = createServer(options, (question, response) => {
    // Node remembers the address after this first read, as it does at the main listener.
    question[faultKey] = app.isTrusted(question.socket.remoteAddress)
      ? becomeOriginal(question)
      : 'the peer is not in TRUST_PROXY'
    // CORS is the proxy's task. Our answer to a preflight would be 204, and the proxy would then pass on a request
    // without a token.
    delete question.headers.origin
    app.routing(question, response)
  })
  server.setTimeout(connectionTimeout)
  server.maxHeadersCount = 0
  server.on('clientError', (error: ConnectionError, socket: Socket) => answerClientError(app, error, socket))

  app.listenForVerify = async () => {
    await once(server.listen(verifyPort, verifyHost), 'listening')
    return (server.address() as AddressInfo).port
  }
  app.addHook('preClose', (done) => {
    server.close()
    done()
  })
  app.addHook('onClose', async () => server.closeAllConnections())

  app.addConstraintStrategy({
    name: 'listener',
    mustMatchWhenDerived: true,
    storage: () => {
      const routes = new Map<unknown, never>()
      return { get: value => routes.get(value) ?? null, set: (value, route) => { routes.set(value, route as never) } }
    },
    deriveConstraint: request =>
      (request as IncomingMessage)[faultKey] === undefined ? undefined : onVerifyListener.listener
  })

  app.onEntry(() => ({ raw: { [faultKey]: fault } }, _reply, goOn) => {
    if (!fault) return true
    goOn(forbidden('Only a trusted proxy may ask here.', { cause: fault }))
    return false
  })
}, { name: 'verify-listener', dependencies: ['client', 'request-log'] })

/** @returns what is missing or invalid, or an empty string */
function becomeOriginal (question: IncomingMessage): string {
  const {
    'x-forwarded-method': method,
    'x-forwarded-uri': uri,
    'x-forwarded-host': host,
    'x-forwarded-for': client
  } = question.headers
  if (typeof method !== 'string' || !METHODS.includes(method)) return 'X-Forwarded-Method is missing or no method'
  if (typeof uri !== 'string' || uri === '') return 'X-Forwarded-Uri is missing'
  // Without X-Forwarded-For, all clients would share the proxy's bucket.
  if (!client) return 'X-Forwarded-For is missing'
  question.method = method
  question.url = uri
  if (typeof host === 'string' && host !== '') question.headers.host = host
  return ''
}
