import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import fp from 'fastify-plugin'

/** What happened, named as in OWASP's logging vocabulary, where that has a name for it. */
export type AuditEvent =
  | 'authn_login_success' | 'authn_login_fail' | 'authn_login_fail_max'
  | 'authn_password_reset_request' | 'authn_password_change' | 'authn_password_change_fail'
  | 'authn_token_reuse' | 'authz_fail' | 'user_created' | 'excess_rate_limit_exceeded'

export interface Audit {
  event: AuditEvent
  /** Who did it: a username that exists, or the name of its `account` bucket; nothing else that a client wrote. */
  actor?: string
  /** His id, if he is known. */
  userId?: number
  /** To whom it was done, if that is another. */
  subject?: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Makes the request's line in the log the record of an event. */
    audit: Audit | undefined
    /** What inside the service a refusal comes from: for the log, never for the client. */
    cause: string | undefined
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** A caller's id is kept if it is a UUID, so that a request can be followed through services; else it gets a new one. */
export function requestId ({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && UUID.test(given) ? given.toLowerCase() : randomUUID()
}

/** One line a request, when it has been answered. The path is not in it, because a client wrote it: the route is. */
export default fp(async (app) => {
  app.decorateRequest('cause', undefined)
  app.decorateRequest('audit', undefined)

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    done()
  })

  app.addHook('onResponse', (request, reply, done) => {
    const { audit, cause, client, policy, refusedForMs } = request
    request.log.info({
      method: request.method,
      route: request.is404 ? null : request.routeOptions.url,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      client: client?.key,
      ...audit,
      ...cause !== undefined && { cause },
      ...refusedForMs !== undefined && { policy, verdict: 'refused', waitMs: refusedForMs }
    }, 'request')
    done()
  })
}, { name: 'request-log' })
