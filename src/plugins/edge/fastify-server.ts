import fastify, { LogController, type FastifyBaseLogger, type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { Server } from 'node:http'
import { answerClientError, connectionOptions } from './client-errors.js'
import { sendError } from './error-shape.js'
import { requestId } from './request-log.js'
import { rewriteUnroutable } from './routing.js'

/** A listener for clients or for operators. @param app the service that counts its broken requests, if not itself */
export function createServer (
  log: FastifyBaseLogger, { http, ...options }: FastifyHttpOptions<Server, FastifyBaseLogger>, app?: FastifyInstance
): FastifyInstance {
  const server: FastifyInstance = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    bodyLimit: 16 * 1024,
    ...connectionOptions,
    http: { ...connectionOptions.http, ...http },
    clientErrorHandler: (error, socket) => answerClientError(app ?? server, error, socket),
    rewriteUrl: rewriteUnroutable,
    frameworkErrors: sendError,
    ...options
  })
  server.server.maxHeadersCount = 0
  return server
}
