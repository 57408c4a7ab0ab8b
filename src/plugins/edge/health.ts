import type { FastifyInstance } from 'fastify'
import type { States } from '../../base/states.js'
import type { Config } from '../../config/config.js'
import { answers } from '../../database/state.js'

export interface Health {
  status: 'ready' | 'degraded' | 'not ready'
  started: boolean
  draining: boolean
  database: States['database']['value']
  /** Whether Redis decides takes; otherwise, what does. */
  redis: string
}

/**
 * Whether the service is ready for requests, and which parts work.
 *
 * @param databaseOptional whether a database that answered once since the start may be away: the revoked tokens are
 *   then known
 */
type HealthNow = (databaseOptional?: boolean) => Health

export function createHealth (app: FastifyInstance, { onRedisFailure }: Config): HealthNow {
  return (databaseOptional = false) => {
    const { database: { value: database }, redis: { value: redis } } = app.states
    const wanting = app.listening && !app.draining
    const serves = answers(database) || database === 'no new connections' || database === 'commits hang'
    const ready = wanting && (serves || (databaseOptional && app.databaseAnswered))
    return {
      status: !ready ? 'not ready' : app.fallbackActive || database !== 'reachable' ? 'degraded' : 'ready',
      started: app.listening || app.draining,
      draining: app.draining,
      database,
      redis: redis === 'does not decide' ? `${redis}: LIMITER_ON_REDIS_FAILURE=${onRedisFailure} does` : redis
    }
  }
}
