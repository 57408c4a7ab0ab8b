import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyRequest {
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

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id)
    done()
  })

  app.addHook('onResponse', (request, reply, done) => {
    const { cause, client, policy, refusedForMs } = request
    request.log.info({
      method: request.method,
      route: request.is404 ? null : request.routeOptions.url,
      status: reply.statusCode,
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
      client: client?.key,
      ...cause !== undefined && { cause },
      ...refusedForMs !== undefined && { policy, verdict: 'refused', waitMs: refusedForMs }
    }, 'request')
    done()
  })
}, { name: 'request-log' })
