import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Logger } from 'pino'
import type { Config } from '../../config/config.js'
import { openAuditLog } from '../../base/audit-log.js'
import { lineWriter } from '../../base/log.js'
import { createRepeatCounter, type Repeats } from '../../base/repeats.js'
import type { AuditEvent, OperatorEvent, RequestRecord } from '../../base/request-record.js'
import { statusOf } from './request-end.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Decides which lines of requests that cost no token are written at once, and summarises the repeats. */
    repeats: Repeats
    /** Writes an operator's action to the log and to the audit log. */
    recordOperator: (event: OperatorEvent) => void
  }

  interface FastifyRequest {
    /** Undefined for a request that is answered before any hook. */
    record: RequestRecord
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * A client-supplied id is kept if it is a UUID, so that a request can be traced through services. Any other is
 * replaced.
 */
export function requestId ({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && UUID.test(given) ? given : randomUUID()
}

/** Fastify's `childLoggerFactory`. A child logger costs more than a request's line, and few requests log more. */
export function createRequestLogger (parent: FastifyBaseLogger, bindings: object): FastifyBaseLogger {
  return new RequestLogger(parent, bindings) as unknown as FastifyBaseLogger
}

class RequestLogger {
  private created: FastifyBaseLogger | undefined = undefined
  constructor (private readonly parent: FastifyBaseLogger, private readonly bindings: object) {}

  private get log (): FastifyBaseLogger {
    this.created ??= this.parent.child(this.bindings)
    return this.created
  }

  get level (): string { return this.parent.level }
  trace (...args: [object, string]): void { this.log.trace(...args) }
  debug (...args: [object, string]): void { this.log.debug(...args) }
  info (...args: [object, string]): void { this.log.info(...args) }
  warn (...args: [object, string]): void { this.log.warn(...args) }
  error (...args: [object, string]): void { this.log.error(...args) }
  fatal (...args: [object, string]): void { this.log.fatal(...args) }
  silent (): void {}
  child (bindings: object): FastifyBaseLogger { return this.log.child(bindings) }
}

/**
 * Writes one line for each request when it has ended. It contains the route and not the path, which is client-supplied
 * text.
 *
 * Requests that cost no token are summarised: preflights, CORS refusals, and refusals of the limiter. All events of
 * accounts cost a token, so each gets a line. They are also in the audit log, if there is one.
 */
export default fp<{ config: Config }>(async (app, { config }) => {
  const writeLine = lineWriter(app.log as FastifyBaseLogger & Pick<Logger, 'isLevelEnabled'>)
  const auditLog = openAuditLog(config.auditLog, app.log)
  app.addHook('onClose', async () => auditLog?.close())
  app.decorate('repeats', createRepeatCounter(repeats => app.log.info(repeats, 'repeated requests')))
  app.addHook('onClose', async () => app.repeats.close())
  app.decorate('recordOperator', (event) => {
    const line = { ...event, actor: 'operator' }
    app.log.info(line, 'operator')
    auditLog?.info(line, 'operator')
  })

  app.decorateRequest('record', undefined as never)

  app.onEntry(() => (request, reply) => {
    reply.header('x-request-id', request.id)
    request.record = {}
    return true
  })

  app.onRequestEnd(({ url }) => {
    const route = JSON.stringify(url ?? null)
    return (request, reply, ms) => {
      const { client, record } = request
      if (!record.admitted) {
        // A request that ends before the limiter without a refusal is a preflight.
        record.code ??= 'PREFLIGHT'
        if (!app.repeats.isFirst(client?.key, record.policy, record.code)) return
      }
      const line = lineOf(request, reply, route, ms)
      writeLine(line, 'request', record.event !== undefined)
      if (record.event && concernsAccount(record.event)) auditLog?.info(JSON.parse(`{${line}}`) as object, 'request')
    }
  })
}, { name: 'request-log', dependencies: ['client', 'request-end'] })

/** Control characters that JSON leaves as they are, and that a terminal may obey. */
const CONTROLS = /[\x7f-\x9f\u2028\u2029]/g
const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The members of a JSON object, composed by hand, because only `details` needs escaping. */
function lineOf (request: FastifyRequest, reply: FastifyReply, route: string, ms: number): string {
  const { id, method, client, record } = request
  const { code, event, actor, userId, secondFactor, provider, subject, subjectId, after } = record
  const { cause, origin, header, policy, waitMs, traceId } = record
  const status = statusOf(request, reply)
  const answer = status !== reply.statusCode ? `,"answer":${reply.statusCode}` : ''
  const details = event ?? cause ?? actor ?? userId ?? origin ?? header
    ? `,${JSON.stringify({
      event, actor, userId, secondFactor, provider, subject, subjectId, after, cause, origin, header
    }).slice(1, -1)}`
    : ''
  return `"reqId":"${id}","method":"${method}","route":${route},"status":${status}${answer}` +
    `,"durationMs":${Math.round(ms)}` + (client ? `,"client":"${client.key}"` : '') +
    (code === undefined ? '' : `,"code":"${code}"`) + details.replace(CONTROLS, escaped) +
    (traceId === undefined ? '' : `,"traceId":"${traceId}"`) +
    (waitMs === undefined ? '' : `,"policy":"${policy}","verdict":"refused","waitMs":${waitMs}`)
}

/**
 * A client over its limit is not an event of an account. Causing it costs no token, so it must not fill the audit log.
 */
const concernsAccount = (event: AuditEvent): boolean => event !== 'excess_rate_limit_exceeded'
