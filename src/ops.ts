import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from './config/config.js'
import { opsConsole } from './console/console.js'
import { forbidden, notFound } from './base/errors.js'
import { createHealth } from './health/readiness.js'
import { parseNetwork, createNetworkMatcher } from './base/networks.js'
import errorShape from './plugins/edge/error-shape.js'
import { createServer } from './plugins/edge/fastify-server.js'

const thisMachine = ['127.0.0.0/8', '::1/128'].map(parseNetwork)

/**
 * The second listener, for operators only: liveness, readiness, metrics for Prometheus, and the console with the bucket
 * API. It keeps answering while the app drains.
 */
export function buildOps (app: FastifyInstance, config: Config, log: FastifyBaseLogger): FastifyInstance {
  const ops = createServer(log, {
    forceCloseConnections: true,
    // Unknown query parameters are reported, not removed.
    ajv: { customOptions: { removeAdditional: false } },
    // Enough for a username at an IPv6 network, with every character escaped.
    routerOptions: { maxParamLength: 512 }
  }, app)

  ops.register(errorShape)
  ops.setNotFoundHandler(() => { throw notFound() })

  const isAllowed = createNetworkMatcher([...thisMachine, ...config.opsNetworks])
  ops.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'Cache-Control': 'no-store', 'X-Request-Id': request.id })
    const mayAsk = config.opsNetworks.length === 0 || isAllowed(request.socket.remoteAddress)
    done(mayAsk ? undefined : forbidden('Your network may not ask here: OPS_NETWORKS does not list it.'))
  })

  ops.get('/livez', async () => ({ status: 'alive' }))

  const healthNow = createHealth(app)

  ops.get<{ Querystring: { database?: string } }>('/readyz', async ({ query }, reply) => {
    const health = healthNow(query.database === 'optional')
    reply.code(health.status === 'not ready' ? 503 : 200)
    return health
  })

  ops.get('/metrics', async (_request, reply) => {
    reply.type(app.metrics.registry.contentType)
    return await app.metrics.registry.metrics()
  })

  // The console and the bucket API, for who has the token.
  ops.register(opsConsole, { app, config, healthNow })

  return ops
}
