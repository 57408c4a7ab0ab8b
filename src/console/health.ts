import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Config } from '../config/config.js'
import { databaseProbe } from '../database/state.js'

export interface Health {
  status: 'ready' | 'degraded' | 'not ready'
  started: boolean
  draining: boolean
  database: Awaited<ReturnType<ReturnType<typeof databaseProbe>>>
  /** Whether Redis decides takes; otherwise, what does. */
  redis: string
}

/** Balancers wait 2 or 3 s for an answer. */
const PROBE_MS = 1000

/**
 * Checks whether the service is ready for requests, and which parts work.
 *
 * @param databaseOptional whether a database that answered once since the start may be away: the revoked tokens are
 *   then known
 */
export type HealthProbe = (databaseOptional?: boolean) => Promise<Health>

export function healthProbe (app: FastifyInstance, config: Config, log: FastifyBaseLogger): HealthProbe {
  const databaseState = databaseProbe(app.db, log, Math.min(config.databaseTimeoutMs, PROBE_MS))
  let hasAnswered = false
  return async (databaseOptional = false) => {
    const wanting = app.server.listening && !app.draining
    const database = await databaseState()
    const answers = database === 'reachable' || database === 'read-only'
    hasAnswered ||= answers
    const ready = wanting && (answers || (databaseOptional && hasAnswered))
    return {
      status: !ready ? 'not ready' : app.fallbackActive || database !== 'reachable' ? 'degraded' : 'ready',
      started: app.server.listening || app.draining,
      draining: app.draining,
      database,
      redis: config.redisUrl === undefined
        ? 'not used'
        : app.fallbackActive ? `does not decide: LIMITER_ON_REDIS_FAILURE=${config.onRedisFailure} does` : 'decides'
    }
  }
}
