import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import fp from 'fastify-plugin'
import type { Logger } from 'pino'
import type { Config } from '../config.js'
import { CLIENT_LEFT } from '../errors.js'
import type { Client } from '../limiter/client.js'
import { rememberClients } from '../limiter/known-texts.js'
import { lineWriter, openAuditLog } from '../log.js'
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
    /** The matched route. Fastify's `routeOptions` would be made anew for each look. */
    route: FastifyRequest['routeOptions']
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

/** Fastify's `childLoggerFactory`. A child logger costs more than a request's line, and few requests log anything else. */
export function createRequestLogger (parent: FastifyBaseLogger, bindings: object): FastifyBaseLogger {
  return new RequestLogger(parent, bindings) as unknown as FastifyBaseLogger
}

class RequestLogger {
  #parent
  #bindings
  #child: FastifyBaseLogger | undefined

  constructor (parent: FastifyBaseLogger, bindings: object) {
    this.#parent = parent
    this.#bindings = bindings
  }

  get #log (): FastifyBaseLogger {
    this.#child ??= this.#parent.child(this.#bindings)
    return this.#child
  }

  get level (): string { return this.#parent.level }
  trace (...args: [object, string]): void { this.#log.trace(...args) }
  debug (...args: [object, string]): void { this.#log.debug(...args) }
  info (...args: [object, string]): void { this.#log.info(...args) }
  warn (...args: [object, string]): void { this.#log.warn(...args) }
  error (...args: [object, string]): void { this.#log.error(...args) }
  fatal (...args: [object, string]): void { this.#log.fatal(...args) }
  silent (): void {}
  child (bindings: object): FastifyBaseLogger { return this.#log.child(bindings) }
}

/**
 * One line a request, when it has ended. The path is not in it, because it is client-supplied text: the route is.
 *
 * Requests that cost no token are summarised: preflights, CORS refusals, and what the limiter refuses. Events of accounts
 * all cost one, and are in the audit log besides, if there is one.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const clientOf = rememberClients()
  const writeLine = lineWriter(app.log as FastifyBaseLogger & Pick<Logger, 'isLevelEnabled'>)
  const auditLog = openAuditLog(config.auditLog, app.log)
  app.addHook('onClose', async () => auditLog?.close())
  app.decorate('repeats', countRepeats(repeats => app.log.info(repeats, 'repeated requests')))
  app.addHook('onClose', async () => app.repeats.close())

  app.decorateRequest('route', undefined as never)
  app.decorateRequest('client', undefined)
  app.decorateRequest('code', undefined)
  app.decorateRequest('cause', undefined)
  app.decorateRequest('audit', undefined)

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    request.route = request.routeOptions
    request.client = clientOf(request.ip, request.socket.remoteAddress)
    done()
  })

  app.onRequestEnd((request, reply) => {
    const { admitted, audit, cause, client, clientLeft, policy, refusedForMs } = request
    // What ends before the limiter and is not refused is a preflight.
    const code = request.code ?? (admitted ? undefined : 'PREFLIGHT')
    if (!admitted && !app.repeats.isFirst(client?.key, policy, code!)) return

    const line = {
      reqId: request.id,
      method: request.method,
      route: request.is404 ? null : request.route.url,
      status: clientLeft ? CLIENT_LEFT : reply.statusCode,
      ...clientLeft && reply.statusCode !== CLIENT_LEFT && { answer: reply.statusCode },
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      client: client?.key,
      ...code !== undefined && { code },
      ...audit,
      ...cause !== undefined && { cause },
      ...refusedForMs !== undefined && { policy, verdict: 'refused', waitMs: refusedForMs }
    }
    writeLine(JSON.stringify(line).slice(1, -1), 'request', audit !== undefined)
    if (audit && concernsAccount(audit)) auditLog?.info(line, 'request')
  })
}, { name: 'request-log', dependencies: ['request-end'] })

/** A client over its limit is no event of an account. It costs nothing to cause, so it must not fill the audit log. */
const concernsAccount = ({ event }: Audit): boolean => event !== 'excess_rate_limit_exceeded'
