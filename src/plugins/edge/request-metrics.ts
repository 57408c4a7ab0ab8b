import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { createMetrics, type Metrics } from '../../health/metrics.js'
import type { Distribution } from '../../base/series.js'
import { statusOf } from './request-end.js'

declare module 'fastify' {
  interface FastifyInstance {
    metrics: Metrics
  }
  interface FastifyContextConfig {
    /** Which metric counts the outcomes of this route's check of a password. */
    counts?: 'logins' | 'passwordChanges'
  }
}

/** Clients of a module can use dozens of methods, so the unusual ones share a label. */
const usualMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** How the check of a password ended, by its status. */
const outcomes: Record<number, string> = { 200: 'success', 401: 'failure', 429: 'throttled', 503: 'unavailable' }

/** The same, of refusals after a right password. */
const outcomesOfCodes: Record<string, string> = { PASSWORD_TEMPORARY: 'temporary', CODE_REQUIRED: 'code_required' }

const outcomeOf = ({ record }: FastifyRequest, { statusCode }: FastifyReply): string | undefined =>
  outcomesOfCodes[record.code ?? ''] ?? outcomes[statusCode]

/** Counts and times every request. Other plugins add their own values to `app.metrics`. */
export default fp(async (app) => {
  const metrics = createMetrics()
  const { requestSeconds } = metrics
  app.decorate('metrics', metrics)

  // Clients choose paths and can invent methods, so these become labels only if they match a route.
  app.onRequestEnd(({ url: route = 'none' }) => {
    const series = new Map<string, Distribution[]>()
    const isLabel = (method: string): boolean => route !== 'none' && usualMethods.has(method)
    return (request, reply, ms) => {
      const method = isLabel(request.method) ? request.method : '-'
      const status = statusOf(request, reply)
      let ofMethod = series.get(method)
      if (!ofMethod) series.set(method, ofMethod = [])
      const seconds = ofMethod[status] ??= requestSeconds({ method, route, status })
      seconds.observe(ms / 1000)
    }
  })

  // A login has an outcome even if its client did not wait for it.
  app.onRequestEnd(({ config = {} }) => (request, reply) => {
    const outcome = config.counts && outcomeOf(request, reply)
    if (outcome !== undefined) metrics[config.counts!].inc({ outcome })
  })
}, { name: 'metrics', dependencies: ['request-end'] })
