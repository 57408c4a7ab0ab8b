import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import fp from 'fastify-plugin'
import type { Config } from '../config.js'
import { CLIENT_LEFT } from '../errors.js'
import { clientOf, type Client } from '../limiter/client.js'
import { openAuditLog } from '../log.js'
import { countRepeats, type Repeats } from '../repeats.js'

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
  interface FastifyInstance {
    /** Decides which lines of free requests are written at once, and writes how often each was repeated. */
    repeats: Repeats
  }

  interface FastifyRequest {
    /** Undefined if the connection was closed before the request was looked at. */
    client: Client | undefined
    /** Why the request was refused, in a stable word; undefined for one that was not. */
    code: string | undefined
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

/**
 * One line a request, when it has ended. The path is not in it, because it is client-supplied text: the route is.
 *
 * Requests that cost no token are summarised: preflights, CORS refusals, and what the limiter refuses. Events of accounts
 * all cost one, and are in the audit log besides, if there is one.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const auditLog = openAuditLog(config.auditLog, app.log)
  app.addHook('onClose', async () => auditLog?.close())
  app.decorate('repeats', countRepeats(repeats => app.log.info(repeats, 'repeated requests')))
  app.addHook('onClose', async () => app.repeats.close())

  app.decorateRequest('client', undefined)
  app.decorateRequest('code', undefined)
  app.decorateRequest('cause', undefined)
  app.decorateRequest('audit', undefined)

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    request.client = clientOf(request.ip, request.socket.remoteAddress)
    done()
  })

  app.onRequestEnd((request, reply) => {
    const { admitted, audit, cause, client, clientLeft, policy, refusedForMs } = request
    // What ends before the limiter and is not refused is a preflight.
    const code = request.code ?? (admitted ? undefined : 'PREFLIGHT')
    if (!admitted && !app.repeats.isFirst(client?.key, policy, code!)) return

    const line = {
      method: request.method,
      route: request.is404 ? null : request.routeOptions.url,
      status: clientLeft ? CLIENT_LEFT : reply.statusCode,
      ...clientLeft && reply.statusCode !== CLIENT_LEFT && { answer: reply.statusCode },
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      client: client?.key,
      ...code !== undefined && { code },
      ...audit,
      ...cause !== undefined && { cause },
      ...refusedForMs !== undefined && { policy, verdict: 'refused', waitMs: refusedForMs }
    }
    request.log.info(line, 'request')
    if (audit && concernsAccount(audit)) auditLog?.info({ reqId: request.id, ...line }, 'request')
  })
}, { name: 'request-log', dependencies: ['request-end'] })

/** A client over its limit is no event of an account. It costs nothing to cause, so it must not fill the audit log. */
const concernsAccount = ({ event }: Audit): boolean => event !== 'excess_rate_limit_exceeded'
