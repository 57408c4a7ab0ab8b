import type { StoreUnavailable } from './bucket/bucket.js'
import type { FailureMode } from './layers/fallback.js'

/** The log that the store uses: the part of pino's interface that it needs. */
export interface StoreLog {
  info: (details: object, message: string) => void
  warn: (details: object, message: string) => void
  error: (details: object, message: string) => void
}

/** What the store logs. Each kind of line has a code, which docs/operations.md explains. */
export interface Notices {
  /** A node of Redis is unavailable, or is available again; '' names the only one. */
  unavailable: (failure: StoreUnavailable, node: string) => void
  stillUnavailable: (err: Error, node: string) => void
  recovered: (node: string) => void
  notConnected: (err: Error) => void
  defect: (err: Error) => void
  limitsDiffer: (differ: boolean) => void
  uncounted: (err: Error) => void
  undescribed: (err: Error) => void
  unheard: (err: Error) => void
  unwatched: (err: Error) => void
  evicts: (maxmemoryPolicy: string | undefined) => void
}

export function noticesIn (log: StoreLog, mode: FailureMode): Notices {
  return {
    unavailable: (err, node) => log.error(
      { code: 'redis_unavailable', err, mode, ...named(node) }, 'Redis is unavailable: the fallback limits'
    ),
    stillUnavailable: (err, node) =>
      log.warn({ code: 'redis_still_unavailable', err, ...named(node) }, 'Redis is still unavailable'),
    recovered: node => log.info({ code: 'redis_recovered', ...named(node) }, 'Redis is available again'),
    notConnected: err => log.warn({ code: 'redis_not_connected', err }, 'no connection to Redis'),
    defect: err =>
      log.error({ code: 'limiter_defect', err }, 'a defect of the limiter, and what it was about to do is not done'),
    limitsDiffer: differ => differ
      ? log.info(
        { code: 'limits_differ' },
        'replicas hold different limits: until they agree, all use the refill of the limit with the largest capacity'
      )
      : log.info({ code: 'limits_agree' }, 'replicas hold the same limits again'),
    uncounted: err => log.warn(
      { code: 'replicas_uncounted', err },
      'replicas cannot be counted: while Redis is gone each will admit whole limits, or its share of the number last ' +
      'known; until they are, others may hold different limits, and no refusal mends a bucket'
    ),
    undescribed: err => log.warn(
      { code: 'replica_undescribed', err },
      'Redis does not keep what this replica says of itself: gatehouse doctor and the console miss it'
    ),
    unheard: err => log.warn(
      { code: 'resets_unheard', err },
      'resets by other replicas are not heard: ' +
      'a client that was refused here may be refused for up to a minute after one'
    ),
    unwatched: err => log.warn(
      { code: 'watchers_unheard', err },
      'operators who watch are not heard: gatehouse buckets watch and top see nothing of this replica'
    ),
    evicts: maxmemoryPolicy => log.warn(
      { code: 'redis_eviction_policy', maxmemoryPolicy },
      'when Redis is full it will not drop the buckets that are nearest to full: ' +
      'while it has room, set its maxmemory-policy to volatile-ttl'
    )
  }
}

/** Names the node of a cluster. */
const named = (node: string): object => node === '' ? {} : { node }
