import { setTimeout } from 'node:timers/promises'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import type { Config } from './config.js'
import { notFound } from './errors.js'
import errorShape from './plugins/error-shape.js'

/** A probe that has to wait longer takes the database for gone. */
const DATABASE_MS = 1000

/**
 * The second listener, for those who run the service and for no client: is it alive, does it want requests, and what
 * Prometheus asks. It goes on answering while the app drains.
 */
export function buildOps (app: FastifyInstance, config: Config, log: FastifyBaseLogger): FastifyInstance {
  const ops = fastify({ loggerInstance: log, logController: new LogController({ disableRequestLogging: true }), forceCloseConnections: true })

  ops.register(errorShape)
  ops.setNotFoundHandler(() => { throw notFound() })

  ops.addHook('onRequest', (_request, reply, done) => {
    reply.header('Cache-Control', 'no-store')
    done()
  })

  ops.get('/livez', async () => ({ status: 'alive' }))

  ops.get('/readyz', async (_request, reply) => {
    const wanting = app.server.listening && !app.draining
    const databaseReachable = await isReachable(app)
    const ready = wanting && databaseReachable
    reply.code(ready ? 200 : 503)
    return {
      status: !ready ? 'not ready' : app.fallbackActive ? 'degraded' : 'ready',
      started: app.server.listening || app.draining,
      draining: app.draining,
      database: databaseReachable ? 'reachable' : 'unreachable',
      redis: config.redisUrl === undefined ? 'not used' : app.fallbackActive ? `does not decide: LIMITER_ON_REDIS_FAILURE=${config.onRedisFailure} does` : 'decides'
    }
  })

  ops.get('/metrics', async (_request, reply) => {
    reply.type(app.metrics.registry.contentType)
    return await app.metrics.registry.metrics()
  })

  return ops
}

async function isReachable (app: FastifyInstance): Promise<boolean> {
  const timeUp = new AbortController()
  try {
    return await Promise.race([
      app.db.$queryRaw`SELECT 1`.then(() => true),
      setTimeout(DATABASE_MS, false, { signal: timeUp.signal })
    ])
  } catch {
    return false
  } finally {
    timeUp.abort()
  }
}
