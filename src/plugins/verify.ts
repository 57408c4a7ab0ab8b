import type { FastifyInstance, HTTPMethods, onRequestHookHandler } from 'fastify'
import type { Config } from '../config.js'
import { identityHeaders } from '../modules/headers.js'
import type { Module } from '../modules/module.js'
import { OTHER_PATHS } from './entry.js'
import { checksOf } from './module-checks.js'
import { onVerifyListener } from './verify-listener.js'

/** Together with the other headers of an answer, less than the 16 KiB that proxies have for them. */
const MAX_BODY_HEADER_LENGTH = 8000

/**
 * Says 200, and who asks, for a request that the gateway would pass on; a module needs no upstream for that. What it
 * would refuse is refused in the same way.
 */
export default async function verify (
  app: FastifyInstance, { config: { modules } }: { config: Config }
): Promise<void> {
  if (!app.listenForVerify) return

  // nginx throws the body of such an answer away, but can make another one of a header.
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
      // A hook answers, so that the body, which is not for us, is never read.
      app.route({
        ...shared,
        url,
        method: passable,
        config: { limit: policy, name: `/verify/${name}` },
        onRequest: [...checksOf(app, module), answerFor(module)]
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

/** Always sent: what is missing, a proxy might leave as the client wrote it. */
const nobody = { 'x-user-id': '', 'x-user-name': '', 'x-user-role': '', 'x-user-type': '' }

/** JSON that is ASCII means the same. */
const inAscii = (json: string): string =>
  json.replace(/[^\x20-\x7e]/g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
