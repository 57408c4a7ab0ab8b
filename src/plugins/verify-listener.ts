import { once } from 'node:events'
import { createServer, METHODS, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import fp from 'fastify-plugin'
import type { Config } from '../config.js'
import { forbidden } from '../errors.js'
import { trustIn } from '../limiter/known-clients.js'
import { connectionOptions } from './client-errors.js'

/** The constraint of routes that the verify listener alone reaches. It reaches no others. */
export const onVerifyListener = { listener: 'verify' } as const

/** Set for what came to the verify listener: what is wrong with the question, or an empty text. */
const faultKey = Symbol('fault')

declare module 'node:http' {
  interface IncomingMessage {
    [faultKey]?: string
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Begins to answer proxies, and returns the port; undefined without VERIFY_PORT. */
    listenForVerify: (() => Promise<number>) | undefined
  }
}

/**
 * A listener for proxies that ask whether a request of theirs may go on. The question becomes that request, as the
 * proxy describes it, and takes the way of every other: the same client, bucket, token and role.
 */
export default fp<{ config: Config }>(async (app, { config: { verifyHost, verifyPort, trustProxy } }) => {
  app.decorate('listenForVerify', undefined)
  if (verifyPort === undefined) return
  const isTrusted = trustIn(trustProxy)

  const { http, requestTimeout, connectionTimeout } = connectionOptions
  const server = createServer({ ...http, requestTimeout, keepAliveTimeout: 65_000 }, (question, response) => {
    // As at the main listener: Node remembers the address from now on.
    question[faultKey] = isTrusted(question.socket.remoteAddress)
      ? becomeOriginal(question)
      : 'the peer is not in TRUST_PROXY'
    // Whether a page may ask is for the proxy to say. A preflight of ours would end with a 204, and the proxy would let
    // a request without a token go on.
    delete question.headers.origin
    app.routing(question, response)
  })
  server.setTimeout(connectionTimeout)
  server.on('clientError', app.answerClientError)
  app.takeAllRequests(server)

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
}, { name: 'verify-listener', dependencies: ['client-errors', 'request-log'] })

/** @returns what is missing, or an empty text */
function becomeOriginal (question: IncomingMessage): string {
  const {
    'x-forwarded-method': method,
    'x-forwarded-uri': uri,
    'x-forwarded-host': host,
    'x-forwarded-for': client
  } = question.headers
  if (typeof method !== 'string' || !METHODS.includes(method)) return 'X-Forwarded-Method is missing or no method'
  if (typeof uri !== 'string' || uri === '') return 'X-Forwarded-Uri is missing'
  // Without it, all clients would share the proxy's bucket.
  if (!client) return 'X-Forwarded-For is missing'
  question.method = method
  question.url = uri
  if (typeof host === 'string' && host !== '') question.headers.host = host
  return ''
}
