import { isoNow } from '../base/iso-time.js'
import type { Finding } from '../base/finding.js'
import type { State } from '../base/state.js'
import { databaseStates } from '../database/state.js'
import { limiterStates } from '../limiter/states.js'
import { outboxStates } from '../mail/waiting-mails.js'
import { signInStates } from '../sign-in/states.js'

const meanings = { database: databaseStates, ...limiterStates, outbox: outboxStates, signIn: signInStates }

/** The states of a replica. docs/reference.md says where each is seen. */
export type States = { [Part in keyof typeof meanings]: State<keyof typeof meanings[Part] & string> }

/** What each value means, and what to do about it: for the log, doctor, and docs/reference.md. */
export const stateMeanings: { readonly [Part in keyof States]: Readonly<Record<States[Part]['value'], Finding>> } =
  meanings

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
    signIn: { value: 'not used', since: startedAt },
    set (name, value, reason) {
      const former = states[name]
      const since = value === former.value ? former.since : isoNow()
      Object.assign(states, { [name]: { value, since, ...reason !== undefined && { reason } } })
    }
  }
  return states
}
