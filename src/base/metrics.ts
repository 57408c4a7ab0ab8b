import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { lostLines } from './log.js'
import { counterOf, histogramOf } from './series.js'
import { version } from './version.js'

/** From a fast local Redis to one that hits the deadline of 100 ms. */
const TAKE_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25]
/** From a cached denial to a login that waited in the hash queue. */
const HTTP_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const HASH_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export type Metrics = ReturnType<typeof createMetrics>

/**
 * The metrics for Prometheus. They use base units, and their labels have few values and never name a client or a user.
 */
export function createMetrics () {
  const registers = [new Registry()]
  // The delay of the event loop is sampled every 20 ms. Every 10, it would be a fifth of an idle replica's CPU.
  collectDefaultMetrics({ register: registers[0]!, eventLoopMonitoringPrecision: 20 })
  new Gauge({ name: 'gatehouse_build_info', help: '1, with the version', labelNames: ['version', 'node'], registers })
    .set({ version, node: process.version }, 1)

  /**
   * When the last run of the canary ended, by `performance.now`. Until the first run ends, it is the start of the
   * service.
   */
  const canary = { endedAtMs: performance.now() }

  return {
    registry: registers[0]!,
    canary,
    canaryAge: new Gauge({
      name: 'gatehouse_canary_age_seconds',
      help: 'Since a run of the canary ended, or since the start if none has',
      registers,
      collect () { this.set((performance.now() - canary.endedAtMs) / 1000) }
    }),
    canaryOk: new Gauge({
      name: 'gatehouse_canary_ok',
      help: '1 if the last run of the canary was limited as its policy says; absent until one has ended',
      registers
    }),
    decisions: counterOf({
      name: 'gatehouse_limiter_decisions_total',
      help: 'Requests that were to take a token: admitted, refused, blocked, undecided, returned',
      labelNames: ['policy', 'outcome'],
      registers
    }),
    takeSeconds: histogramOf({
      name: 'gatehouse_limiter_take_duration_seconds',
      help: 'How long Redis took to answer a take; nothing is measured without Redis',
      labelNames: [],
      registers
    }, TAKE_SECONDS)({}),
    denyCacheHits: counterOf({
      name: 'gatehouse_limiter_deny_cache_hits_total',
      help: 'Refusals that were known without asking Redis',
      labelNames: [],
      registers
    })({}),
    fallbackActive: new Gauge({
      name: 'gatehouse_limiter_fallback_active',
      help: '1 while Redis is unavailable and LIMITER_ON_REDIS_FAILURE applies; in a cluster, how many nodes are',
      registers
    }),
    replicas: new Gauge({
      name: 'gatehouse_limiter_replicas',
      help: 'Replicas that share the limits while Redis is unavailable, as it last counted them',
      registers
    }),
    limitsVersion: new Gauge({
      name: 'gatehouse_limits_version',
      help: 'The version of the limits that were set at run time, as this replica holds them; 0 if none were set',
      registers
    }),
    limitsAgree: new Gauge({
      name: 'gatehouse_limits_agree',
      help: '1 if all replicas hold the same limits, in LIMITS_FILE and in force, when Redis last said so; else 0',
      registers
    }),
    candidateRefusals: new Counter({
      name: 'gatehouse_limiter_candidate_refused_total',
      help: 'Requests that the candidate of a policy would have refused',
      labelNames: ['policy'] as const,
      registers
    }),
    fallbackChanges: new Counter({
      name: 'gatehouse_limiter_fallback_changes_total',
      help: 'How often Redis became unavailable or available again',
      labelNames: ['to', 'reason'] as const,
      registers
    }),
    logins: new Counter({
      name: 'gatehouse_logins_total',
      help: 'Logins that got as far as an outcome: success, failure, temporary, throttled, unavailable',
      labelNames: ['outcome'] as const,
      registers
    }),
    passwordChanges: new Counter({
      name: 'gatehouse_password_changes_total',
      help: 'Changes of a password by changePassword, with the outcomes of logins',
      labelNames: ['outcome'] as const,
      registers
    }),
    sessions: new Counter({
      name: 'gatehouse_sessions_total',
      help: 'Sessions: begun, refreshed; ended by logout, deleted, password, or replaced by a newer one',
      labelNames: ['event'] as const,
      registers
    }),
    hashSeconds: new Histogram({
      name: 'gatehouse_hash_duration_seconds',
      help: 'How long a password waited for its hash and was hashed',
      buckets: HASH_SECONDS,
      registers
    }),
    databaseReachable: new Gauge({
      name: 'gatehouse_database_reachable',
      help: '1 while the state of the database is reachable or read-only, else 0',
      registers
    }),
    oldestMailSeconds: new Gauge({
      name: 'gatehouse_outbox_oldest_mail_seconds',
      help: 'For how long the oldest mail of all replicas has waited; 0 if none does, absent without PostgreSQL',
      registers
    }),
    rosterAge: new Gauge({
      name: 'gatehouse_roster_age_seconds',
      help: 'Since the roster of a source was imported (users import --source); absent without PostgreSQL',
      labelNames: ['source'] as const,
      registers
    }),
    unreadRequests: new Counter({
      name: 'gatehouse_http_unread_requests_total',
      help: 'Answers to bytes that are not HTTP, or that came too slowly to become a request',
      labelNames: ['status'] as const,
      registers
    }),
    lostLines: new Counter({
      name: 'gatehouse_log_lines_lost_total',
      help: 'Lines that could not be written: of the log (output), or of AUDIT_LOG (audit)',
      labelNames: ['log'] as const,
      registers,
      collect () {
        this.reset()
        for (const [log, lines] of Object.entries(lostLines)) this.inc({ log }, lines)
      }
    }),
    modulesUnavailable: new Gauge({
      name: 'gatehouse_module_breaker_open',
      help: '1 while no connection to a module succeeds, and its requests get 502 at once',
      labelNames: ['module'] as const,
      registers
    }),
    moduleFailures: new Counter({
      name: 'gatehouse_module_failures_total',
      help: 'Requests that a module did not answer',
      labelNames: ['module', 'status'] as const,
      registers
    }),
    hashesWaiting: new Gauge({
      name: 'gatehouse_hash_queue_length', help: 'Passwords that wait to be hashed', registers
    }),
    requestSeconds: histogramOf({
      name: 'gatehouse_http_request_duration_seconds',
      help: 'From a request to its answer',
      labelNames: ['method', 'route', 'status'],
      registers
    }, HTTP_SECONDS)
  }
}
