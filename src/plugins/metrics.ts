import fp from 'fastify-plugin'
import { CLIENT_LEFT } from '../errors.js'
import { createMetrics, type Metrics } from '../metrics.js'

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics
  }
}

/** A module answers to dozens of methods, of which its clients choose: the others share a label. */
const usualMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** How a login ended, by its status. */
const outcomes: Record<number, string> = { 200: 'success', 401: 'failure', 429: 'throttled', 503: 'unavailable' }

/** Counts and times every request; what only others know, they add to `app.metrics`. */
export default fp(async (app) => {
  const { logins, requestSeconds, ...metrics } = createMetrics()
  app.decorate('metrics', { logins, requestSeconds, ...metrics })

  app.onRequestEnd((request, reply) => {
    // A client chooses its path and can invent a method, so neither is a label unless there is a route.
    const { url } = request.route
    const isRouted = !request.is404 && url !== undefined
    const route = isRouted ? url : 'none'
    const method = isRouted && (!request.route.config.module || usualMethods.has(request.method)) ? request.method : '-'
    const status = request.clientLeft ? CLIENT_LEFT : reply.statusCode
    requestSeconds.observe({ method, route, status }, reply.elapsedTime / 1000)
    // A login has its outcome, whether or not its client waited for it.
    const outcome = route === '/api/auth/login' && method === 'POST' ? outcomes[reply.statusCode] : undefined
    if (outcome !== undefined) logins.inc({ outcome })
  })
}, { name: 'metrics', dependencies: ['request-end'] })
