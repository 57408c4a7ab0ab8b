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

/** @returns a function that checks whether the service is ready for requests, and which parts work */
export function healthProbe (app: FastifyInstance, config: Config, log: FastifyBaseLogger): () => Promise<Health> {
  const databaseState = databaseProbe(app.db, log, config.databaseTimeoutMs)
  return async () => {
    const wanting = app.server.listening && !app.draining
    const database = await databaseState()
    const ready = wanting && ['reachable', 'read-only'].includes(database)
    return {
      status: !ready ? 'not ready' : app.fallbackActive || database === 'read-only' ? 'degraded' : 'ready',
      started: app.server.listening || app.draining,
      draining: app.draining,
      database,
      redis: config.redisUrl === undefined
        ? 'not used'
        : app.fallbackActive ? `does not decide: LIMITER_ON_REDIS_FAILURE=${config.onRedisFailure} does` : 'decides'
    }
  }
}
