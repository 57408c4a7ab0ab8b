import { stateMeanings, type States } from './states.js'

export interface Health {
  status: 'ready' | 'degraded' | 'not ready'
  started: boolean
  draining: boolean
  database: States['database']['value']
  redis: States['redis']['value']
}

/** What decides it: the app. */
interface Facts {
  states: States
  listening: boolean
  draining: boolean
  databaseAnswered: boolean
}

/**
 * Whether the service is ready for requests, and which parts work.
 *
 * @param databaseOptional whether a database that answered once since the start may be away: the revoked tokens are
 *   then known
 */
type HealthNow = (databaseOptional?: boolean) => Health

export function createHealth (app: Facts): HealthNow {
  return (databaseOptional = false) => {
    const { database: { value: database }, redis: { value: redis } } = app.states
    const acceptsRequests = app.listening && !app.draining
    const serves = database !== 'unreachable' && database !== 'not migrated'
    const ready = acceptsRequests && (serves || (databaseOptional && app.databaseAnswered))
    const impaired = [stateMeanings.database[database], stateMeanings.redis[redis]]
      .some(({ status }) => status === 'action')
    return {
      status: !ready ? 'not ready' : impaired ? 'degraded' : 'ready',
      started: app.listening || app.draining,
      draining: app.draining,
      database,
      redis
    }
  }
}
