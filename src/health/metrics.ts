import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { createCounter, createHistogram } from '../base/series.js'
import { lostLines } from '../base/standard-output.js'
import { version } from '../base/version.js'

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
  const registry = new Registry()
  // The delay of the event loop is sampled every 20 ms. Every 10, it would be a fifth of an idle replica's CPU.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 })
  const metric = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    ({ name, help, labelNames, registers: [registry] })
  new Gauge(metric('gatehouse_build_info', '1, with the version', 'version', 'node'))
    .set({ version, node: process.version }, 1)

  /**
   * When the last run of the canary ended, by `performance.now`. Until the first run ends, it is the start of the
   * service.
   */
  const canary = { endedAtMs: performance.now() }

  return {
    registry,
    canary,
    canaryAge: new Gauge({
      ...metric('gatehouse_canary_age_seconds', 'Since a run of the canary ended, or since the start if none has'),
      collect () { this.set((performance.now() - canary.endedAtMs) / 1000) }
    }),
    canaryOk: new Gauge(metric(
      'gatehouse_canary_ok',
      '1 if the last run of the canary was limited as its policy says; absent until one has ended'
    )),
    decisions: createCounter(metric(
      'gatehouse_limiter_decisions_total',
      'Requests that were to take a token: admitted, refused, blocked, undecided, returned', 'policy', 'outcome'
    )),
    takeSeconds: createHistogram(metric(
      'gatehouse_limiter_take_duration_seconds',
      'How long Redis took to answer a take; nothing is measured without Redis'
    ), TAKE_SECONDS)({}),
    denyCacheHits: createCounter(metric(
      'gatehouse_limiter_deny_cache_hits_total', 'Refusals that were known without asking Redis'
    ))({}),
    fallbackActive: new Gauge(metric(
      'gatehouse_limiter_fallback_active',
      '1 while Redis is unavailable and LIMITER_ON_REDIS_FAILURE applies; in a cluster, how many nodes are'
    )),
    replicas: new Gauge(metric(
      'gatehouse_limiter_replicas', 'Replicas that share the limits while Redis is unavailable, as it last counted them'
    )),
    limitsVersion: new Gauge(metric(
      'gatehouse_limits_version',
      'The version of the limits that were set at run time, as this replica holds them; 0 if none were set'
    )),
    limitsAgree: new Gauge(metric(
      'gatehouse_limits_agree',
      '1 if all replicas hold the same limits, in LIMITS_FILE and in force, when Redis last said so; else 0; ' +
      'absent until Redis has said'
    )),
    candidateRefusals: new Counter(metric(
      'gatehouse_limiter_candidate_refused_total',
      'Requests that the candidate of a policy would have refused', 'policy'
    )),
    fallbackChanges: new Counter(metric(
      'gatehouse_limiter_fallback_changes_total',
      'How often Redis became unavailable or available again', 'to', 'reason'
    )),
    logins: new Counter(metric(
      'gatehouse_logins_total',
      'Logins that got as far as an outcome: success, failure, temporary, code_required, throttled, unavailable',
      'outcome'
    )),
    passwordChanges: new Counter(metric(
      'gatehouse_password_changes_total',
      'Changes of a password by changePassword, with the outcomes of logins', 'outcome'
    )),
    secondFactorCodes: new Counter(metric(
      'gatehouse_second_factor_codes_total',
      'Codes of second factors: accepted, recovery; wrong, late, early, used; none was typed; stolen, locked', 'outcome'
    )),
    signIns: new Counter(metric(
      'gatehouse_sign_ins_total',
      'Sign-ins at an OpenID provider: success, denied there, invalid, no_account, unavailable', 'provider', 'outcome'
    )),
    sessions: new Counter(metric(
      'gatehouse_sessions_total',
      'Sessions: begun, refreshed; ended by logout, deleted, password, or replaced by a newer one', 'event'
    )),
    hashSeconds: new Histogram({
      ...metric('gatehouse_hash_duration_seconds', 'How long a password waited for its hash and was hashed'),
      buckets: HASH_SECONDS
    }),
    databaseReachable: new Gauge(metric(
      'gatehouse_database_reachable', '1 while the state of the database is reachable or read-only, else 0'
    )),
    oldestMailSeconds: new Gauge(metric(
      'gatehouse_outbox_oldest_mail_seconds',
      'For how long the oldest mail of all replicas has waited; 0 if none does, absent without PostgreSQL. ' +
      'An invitation that was not tried yet waits since the last mail that went out'
    )),
    rosterAge: new Gauge(metric(
      'gatehouse_roster_age_seconds',
      'Since the roster of a source was imported (users import --source); absent without PostgreSQL', 'source'
    )),
    unreadRequests: new Counter(metric(
      'gatehouse_http_unread_requests_total',
      'Answers to bytes that are not HTTP, or that came too slowly to become a request', 'status'
    )),
    lostLines: new Counter({
      ...metric(
        'gatehouse_log_lines_lost_total',
        'Lines that could not be written: of the log (output), or of AUDIT_LOG (audit)', 'log'
      ),
      collect () {
        this.reset()
        for (const [log, lines] of Object.entries(lostLines)) this.inc({ log }, lines)
      }
    }),
    modulesUnavailable: new Gauge(metric(
      'gatehouse_module_breaker_open',
      '1 while no connection to a module succeeds, and its requests get 502 at once', 'module'
    )),
    moduleFailures: new Counter(metric(
      'gatehouse_module_failures_total', 'Requests that a module did not answer', 'module', 'status'
    )),
    hashesWaiting: new Gauge(metric('gatehouse_hash_queue_length', 'Passwords that wait to be hashed')),
    requestSeconds: createHistogram(metric(
      'gatehouse_http_request_duration_seconds', 'From a request to its answer', 'method', 'route', 'status'
    ), HTTP_SECONDS)
  }
}
