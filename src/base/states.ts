import { isoNow } from './iso-time.js'
import { action, note, ok, type Judgement } from './judgement.js'

/** What a replica found a part of the service to be. */
interface State<Value extends string = string> {
  value: Value
  /** When it became this, in ISO 8601, by the replica's clock. */
  since: string
  /** Why, where there is more to say. It never holds a secret. */
  reason?: string
}

/** The states of a replica. docs/reference.md says where each is seen. */
export interface States {
  database: State<
    'reachable' | 'read-only' | 'commits hang' | 'no new connections' | 'not migrated' | 'unreachable'
  >
  redis: State<'decides' | 'does not decide' | 'not used'>
  replicas: State<'counted' | 'as last counted'>
  limits: State<'agree' | 'differ'>
  canary: State<'passed' | 'failed' | 'hangs' | 'not ended yet'>
  outbox: State<'empty' | 'waiting' | 'delayed' | 'unreadable' | 'unknown'>
  signIn: State<'not used' | 'no provider fails' | 'a provider fails'>
}

/** What each value means, and what to do about it: for the log, doctor, and docs/reference.md. */
export const stateMeanings: { readonly [Part in keyof States]: Readonly<Record<States[Part]['value'], Judgement>> } = {
  database: {
    reachable: ok('PostgreSQL answers, and accepts new connections'),
    'read-only': action('PostgreSQL is read-only: logins work, and what writes gets 503',
      'let DATABASE_URL name the primary; for a role or a database: ALTER … SET default_transaction_read_only = off'),
    'commits hang': action('PostgreSQL answers, and its commits hang: what writes gets 503',
      'see "PostgreSQL" in docs/runbook.md'),
    'no new connections': action('PostgreSQL accepts no new connections: some requests get 503',
      'see "PostgreSQL" in docs/runbook.md'),
    'not migrated': action('the database lacks a table or column of this release',
      'npx gatehouse migrate (docker compose run --rm migrate)'),
    unreachable: action('PostgreSQL is unreachable', 'see "PostgreSQL" in docs/runbook.md')
  },
  redis: {
    decides: ok('Redis is available, and decides takes'),
    'does not decide': action('Redis is unavailable, and LIMITER_ON_REDIS_FAILURE decides takes',
      'search the log for redis_unavailable, whose err says why; see "Redis" in docs/runbook.md'),
    'not used': note('without REDIS_URL, buckets are in the memory of the process')
  },
  replicas: {
    counted: ok('the last heartbeat counted the replicas'),
    'as last counted': note('the last heartbeat did not count the replicas: an outage of Redis divides limits by the ' +
      'last count', 'search the log for replicas_uncounted')
  },
  limits: {
    agree: ok('all replicas hold the same limits'),
    differ: action('replicas hold different limits, and each limits by its own',
      'finish the release, or give all replicas one LIMITS_FILE and the same MODULES, then SIGHUP or restart them')
  },
  canary: {
    passed: ok('the canary is limited as its policy says'),
    failed: action('the limiter does not limit as it should', 'see "The canary" in docs/runbook.md'),
    hangs: action('no run of the canary has ended for a minute: it hangs', 'see the log, then restart the replica'),
    'not ended yet': note('no run of the canary has ended yet')
  },
  outbox: {
    empty: ok('no mail waits'),
    waiting: ok('mails wait for the first try'),
    delayed: action('mails wait that were not sent yet',
      'see gatehouse mails list; repair the mail server, then: gatehouse mails retry'),
    unreadable: action('the outbox has a trouble of its own: mails wait',
      'search the log for outbox_unavailable; doctor\'s database-rights names a right that the role lacks, and ' +
      'pg_blocking_pids who locks a table'),
    unknown: note('the database is away, and with it the outbox')
  },
  signIn: {
    'not used': ok('OIDC_FILE names no provider'),
    'no provider fails': ok('no OpenID provider fails'),
    'a provider fails': action('an OpenID provider fails: nobody can sign in there',
      'see "Nobody can sign in at a provider" in docs/runbook.md')
  }
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
    signIn: { value: 'not used', since: startedAt },
    set (name, value, reason) {
      const former = states[name]
      const since = value === former.value ? former.since : isoNow()
      Object.assign(states, { [name]: { value, since, ...reason !== undefined && { reason } } })
    }
  }
  return states
}
