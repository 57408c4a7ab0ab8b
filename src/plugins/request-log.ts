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
import type { AuditEvent, RequestRecord } from '../request-record.js'

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
    /** Undefined for a request that is answered before any hook. */
    record: RequestRecord
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
  app.decorateRequest('record', undefined as never)

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    request.route = request.routeOptions
    request.record = {}
    request.client = clientOf(request.ip, request.socket.remoteAddress)
    done()
  })

  app.onRequestEnd((request, reply) => {
    const { client, clientLeft, record: { admitted, policy, waitMs, cause, event, actor, userId, subject, ...record } } = request
    // What ends before the limiter and is not refused is a preflight.
    const code = record.code ?? (admitted ? undefined : 'PREFLIGHT')
    if (!admitted && !app.repeats.isFirst(client?.key, policy, code!)) return

    const line = {
      reqId: request.id,
      method: request.method,
      route: request.is404 ? null : request.route.url,
      status: clientLeft ? CLIENT_LEFT : reply.statusCode,
      answer: clientLeft && reply.statusCode !== CLIENT_LEFT ? reply.statusCode : undefined,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      client: client?.key,
      code,
      event,
      actor,
      userId,
      subject,
      cause,
      ...waitMs !== undefined && { policy, verdict: 'refused', waitMs }
    }
    writeLine(JSON.stringify(line).slice(1, -1), 'request', event !== undefined)
    if (event && concernsAccount(event)) auditLog?.info(line, 'request')
  })
}, { name: 'request-log', dependencies: ['request-end'] })

/** A client over its limit is no event of an account. It costs nothing to cause, so it must not fill the audit log. */
const concernsAccount = (event: AuditEvent): boolean => event !== 'excess_rate_limit_exceeded'
