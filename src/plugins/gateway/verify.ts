import type { FastifyInstance, HTTPMethods, onRequestHookHandler } from 'fastify'
import { methodNotAllowed } from '../../base/errors.js'
import type { Config } from '../../config/config.js'
import { identityHeaders } from '../../modules/headers.js'
import type { Module } from '../../modules/module.js'
import { OTHER_PATHS } from '../edge/entry.js'
import { checksOf } from './module-checks.js'
import { onVerifyListener } from './verify-listener.js'

/** The maximum keeps all headers of an answer below 16 KiB, which is the space that proxies have for them. */
const MAX_BODY_HEADER_LENGTH = 8000

/**
 * Answers 200 with the identity of the user for a request that passes the limiter and the checks of its module. The
 * gateway uses the same checks, and a refusal here is the same as there. A module needs no upstream for this.
 */
export default async function verify (
  app: FastifyInstance, { config: { modules } }: { config: Config }
): Promise<void> {
  if (!app.listenForVerify) return

  // nginx discards the body of a refusal, but can make a new body from a header.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.statusCode >= 400 && typeof payload === 'string') {
      const text = inAscii(payload)
      if (text.length <= MAX_BODY_HEADER_LENGTH) reply.header('x-error-body', text)
    }
    done()
  })

  const shared = { constraints: onVerifyListener, exposeHeadRoute: false, handler: () => {} }
  const passable = app.supportedMethods.filter(method => method !== 'CONNECT' && method !== 'TRACE') as HTTPMethods[]
  for (const module of modules) {
    const { name, prefix, policy } = module
    for (const url of [prefix, `${prefix}/*`]) {
      // A hook answers, so that the body is never read: only the module needs it.
      app.route({
        ...shared,
        url,
        method: passable,
        config: { limit: policy, name: `/verify/${name}` },
        onRequest: [...checksOf(app, module), answerFor(module)]
      })
      app.route({
        ...shared,
        url,
        method: 'TRACE',
        config: { limit: policy, name: `/verify/${name}` },
        onRequest: (_request, _reply, done) => done(methodNotAllowed([...passable].sort()))
      })
    }
  }
  app.route({ ...shared, url: OTHER_PATHS, method: app.supportedMethods as HTTPMethods[] })
}

function answerFor ({ public: isPublic }: Module): onRequestHookHandler {
  return (request, reply) => {
    reply.headers(isPublic ? nobody : { ...nobody, ...identityHeaders(request.user) }).send()
  }
}

/** All four headers are always sent. A proxy might otherwise keep the value that the client sent. */
const nobody = { 'x-user-id': '', 'x-user-name': '', 'x-user-role': '', 'x-user-type': '' }

/** Escapes every character that is not printable ASCII. The JSON keeps its meaning. */
const inAscii = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
