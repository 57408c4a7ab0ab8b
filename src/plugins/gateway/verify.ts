import type { FastifyInstance, onRequestHookHandler } from 'fastify'
import type { Config } from '../../config/config.js'
import { identityHeaders } from '../../modules/headers.js'
import type { Module } from '../../modules/module.js'
import { moduleChecks } from './module-checks.js'
import { routeModules } from './module-routes.js'
import { onVerifyListener } from './verify-listener.js'

/** The maximum keeps all headers of an answer below 16 KiB, which is the space that proxies have for them. */
const MAX_BODY_HEADER_LENGTH = 8000

/**
 * Answers 200 with the identity of the user for a request that passes the limiter and the checks of its module. The
 * gateway uses the same checks, and a refusal here is the same as there. A module needs no upstream for this.
 */
export default async function verify (app: FastifyInstance, { config }: { config: Config }): Promise<void> {
  if (!app.listenForVerify) return

  // nginx discards the body of a refusal, but can make a new body from a header.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.statusCode >= 400 && typeof payload === 'string') {
      const text = inAscii(payload)
      if (text.length <= MAX_BODY_HEADER_LENGTH) reply.header('x-error-body', text)
    }
    done()
  })

  // A hook answers, so that the body is never read: only the module needs it.
  const serve = routeModules(app, module => ({
    config: { policy: module.policy, name: `/verify/${module.name}` },
    onRequest: [...moduleChecks(app, module), answerFor(module)]
  }), onVerifyListener)
  serve(config.modules)
  app.onReload(({ modules }) => serve(modules))
}

function answerFor ({ public: isPublic }: Module): onRequestHookHandler {
  return (request, reply) => {
    reply.headers(isPublic ? noIdentity : { ...noIdentity, ...identityHeaders(request.user) }).send()
  }
}

/** All four headers are always sent. A proxy might otherwise keep the value that the client sent. */
const noIdentity = { 'x-user-id': '', 'x-user-name': '', 'x-user-role': '', 'x-user-type': '' }

/** Escapes every character that is not printable ASCII. The JSON keeps its meaning. */
const inAscii = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
