import fastify, { LogController, type FastifyBaseLogger, type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { Server } from 'node:http'
import { connectionOptions } from './client-errors.js'
import { sendError } from './error-shape.js'
import { requestId } from './request-log.js'
import { rewriteUnroutable } from './routing.js'

/** A listener, with what those for clients and for operators have in common. */
export function createServer (
  log: FastifyBaseLogger, { http, ...options }: FastifyHttpOptions<Server, FastifyBaseLogger>
): FastifyInstance {
  const server = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    bodyLimit: 16 * 1024,
    ...connectionOptions,
    http: { ...connectionOptions.http, ...http },
    rewriteUrl: rewriteUnroutable,
    frameworkErrors: sendError,
    ...options
  })
  server.server.maxHeadersCount = 0
  return server
}
