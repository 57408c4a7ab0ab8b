import { isoNow } from './iso-time.js'

/** What a replica found a part of the service to be. */
export interface State<Value extends string = string> {
  value: Value
  /** When it became this, in ISO 8601, by the replica's clock. */
  since: string
  /** Why, where there is more to say. It never holds a secret. */
  reason?: string
}

/** The states of a replica. docs/reference.md says what each value means, and where it is seen. */
export interface States {
  database: State<
    'reachable' | 'read-only' | 'commits hang' | 'no new connections' | 'not migrated' | 'unreachable'
  >
  redis: State<'decides' | 'does not decide' | 'not used'>
  replicas: State<'counted' | 'as last counted'>
  limits: State<'agree' | 'differ'>
  canary: State<'passed' | 'failed' | 'hangs' | 'not ended yet'>
  outbox: State<'empty' | 'waiting' | 'delayed' | 'unreadable' | 'unknown'>
}

export interface KnownStates extends Readonly<States> {
  /** To be called by the one place that decides this state. @param reason why, also if only this has changed */
  set: <Name extends keyof States>(name: Name, value: States[Name]['value'], reason?: string) => void
}

/**
 * One state for each part. What decides it calls `set`, and everything that tells of it reads it here: /readyz,
 * metrics, the heartbeat with doctor and the console behind it, and the log.
 */
export function createStates (): KnownStates {
  const startedAt = isoNow()
  const states: KnownStates = {
    database: { value: 'unreachable', since: startedAt, reason: 'not asked yet' },
    redis: { value: 'not used', since: startedAt },
    replicas: { value: 'as last counted', since: startedAt },
    limits: { value: 'agree', since: startedAt },
    canary: { value: 'not ended yet', since: startedAt },
    outbox: { value: 'unknown', since: startedAt },
    set (name, value, reason) {
      const former = states[name]
      const since = value === former.value ? former.since : isoNow()
      Object.assign(states, { [name]: { value, since, ...reason !== undefined && { reason } } })
    }
  }
  return states
}
