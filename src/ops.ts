import { setTimeout } from 'node:timers/promises'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Config } from './config.js'
import { notFound } from './errors.js'
import clientErrors, { connectionOptions } from './plugins/client-errors.js'
import errorShape, { sendError } from './plugins/error-shape.js'
import { requestId } from './plugins/request-log.js'
import { rewriteUnroutable } from './plugins/routing.js'

/**
 * The second listener, for those who run the service and for no client: is it alive, does it want requests, and what
 * Prometheus asks. It goes on answering while the app drains.
 */
export function buildOps (app: FastifyInstance, config: Config, log: FastifyBaseLogger): FastifyInstance {
  const ops = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    forceCloseConnections: true,
    bodyLimit: 16 * 1024,
    ...connectionOptions,
    rewriteUrl: rewriteUnroutable,
    frameworkErrors: sendError
  })

  ops.register(errorShape)
  ops.register(clientErrors, { metrics: app.metrics, repeats: app.repeats })
  ops.setNotFoundHandler(() => { throw notFound() })

  ops.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'Cache-Control': 'no-store', 'X-Request-Id': request.id })
    done()
  })

  ops.get('/livez', async () => ({ status: 'alive' }))

  ops.get('/readyz', async (_request, reply) => {
    const wanting = app.server.listening && !app.draining
    const databaseReachable = await isReachable(app, config.databaseTimeoutMs)
    const ready = wanting && databaseReachable
    reply.code(ready ? 200 : 503)
    return {
      status: !ready ? 'not ready' : app.fallbackActive ? 'degraded' : 'ready',
      started: app.server.listening || app.draining,
      draining: app.draining,
      database: databaseReachable ? 'reachable' : 'unreachable',
      redis: config.redisUrl === undefined
        ? 'not used'
        : app.fallbackActive ? `does not decide: LIMITER_ON_REDIS_FAILURE=${config.onRedisFailure} does` : 'decides'
    }
  })

  ops.get('/metrics', async (_request, reply) => {
    reply.type(app.metrics.registry.contentType)
    return await app.metrics.registry.metrics()
  })

  return ops
}

/** A probe that has to wait longer than a query may take reports the database as unreachable. */
async function isReachable (app: FastifyInstance, patienceMs: number): Promise<boolean> {
  const timeUp = new AbortController()
  try {
    return await Promise.race([
      app.db.$queryRaw`SELECT 1`.then(() => true),
      setTimeout(patienceMs, false, { signal: timeUp.signal })
    ])
  } catch {
    return false
  } finally {
    timeUp.abort()
  }
}
