import { createRequire } from 'node:module'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { counterOf, histogramOf } from './series.js'

/** From a local Redis to one that is given up after 100 ms. */
const TAKE_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25]
/** From a look into memory to a login that waited in the queue of hashes. */
const HTTP_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const HASH_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const { version } = createRequire(import.meta.url)('#package.json') as { version: string }

export type Metrics = ReturnType<typeof createMetrics>

/** What Prometheus reads: base units, and labels with few values, never a client or a user. */
export function createMetrics () {
  const registers = [new Registry()]
  collectDefaultMetrics({ register: registers[0]! })
  new Gauge({ name: 'gatehouse_build_info', help: '1, with the version', labelNames: ['version', 'node'], registers })
    .set({ version, node: process.version }, 1)

  return {
    registry: registers[0]!,
    /** By `policy` and `outcome`. */
    decisions: counterOf({
      name: 'gatehouse_limiter_decisions_total', help: 'Requests that were to take a token', registers
    }),
    takeSeconds: histogramOf({
      name: 'gatehouse_limiter_take_duration_seconds',
      help: 'How long Redis, or memory without one, took to decide',
      registers
    }, TAKE_SECONDS)({}),
    denyCacheHits: counterOf({
      name: 'gatehouse_limiter_deny_cache_hits_total', help: 'Refusals that were known without asking Redis', registers
    })({}),
    fallbackActive: new Gauge({
      name: 'gatehouse_limiter_fallback_active',
      help: '1 while Redis does not decide and LIMITER_ON_REDIS_FAILURE does; of a cluster, for how many nodes',
      registers
    }),
    replicas: new Gauge({
      name: 'gatehouse_limiter_replicas',
      help: 'Replicas that share the limits while Redis does not decide, as it last counted them',
      registers
    }),
    fallbackChanges: new Counter({
      name: 'gatehouse_limiter_fallback_changes_total',
      help: 'How often Redis stopped or began again to decide',
      labelNames: ['to', 'reason'] as const,
      registers
    }),
    logins: new Counter({
      name: 'gatehouse_logins_total',
      help: 'Logins that got as far as an outcome',
      labelNames: ['outcome'] as const,
      registers
    }),
    hashSeconds: new Histogram({
      name: 'gatehouse_hash_duration_seconds',
      help: 'How long a password waited for its hash and was hashed',
      buckets: HASH_SECONDS,
      registers
    }),
    unreadRequests: new Counter({
      name: 'gatehouse_http_unread_requests_total',
      help: 'Answers to bytes that are not HTTP, or that came too slowly to become a request',
      labelNames: ['status'] as const,
      registers
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
    /** By `method`, `route` and `status`. */
    requestSeconds: histogramOf({
      name: 'gatehouse_http_request_duration_seconds', help: 'From a request to its answer', registers
    }, HTTP_SECONDS)
  }
}
