import type { StoreUnavailable } from './bucket/bucket.js'
import type { DetailsLog } from '../base/log.js'
import { limiterStates } from './states.js'
import type { FailureMode } from './layers/fallback.js'

/**
 * What the store logs. Each kind of line has a code, which docs/reference.md explains. A node is '' if it is the only
 * one.
 */
export function createNotices (log: DetailsLog, onRedisFailure: FailureMode) {
  return {
    unavailable: (err: StoreUnavailable, node: string) => log.error(
      { code: 'redis_unavailable', err, mode: onRedisFailure, ...named(node) },
      limiterStates.redis['does not decide'].found
    ),
    stillUnavailable: (err: Error, node: string) =>
      log.warn({ code: 'redis_still_unavailable', err, ...named(node) }, 'Redis is still unavailable'),
    recovered: (node: string) =>
      log.info({ code: 'redis_recovered', ...named(node) }, limiterStates.redis.decides.found),
    notConnected: (err: Error) => log.warn({ code: 'redis_not_connected', err }, 'no connection to Redis'),
    defect: (err: Error) =>
      log.error({ code: 'limiter_defect', err }, 'a defect of the limiter, and what it was about to do is not done'),
    uncounted: (err: Error) => log.warn(
      { code: 'replicas_uncounted', err },
      limiterStates.replicas['as last counted'].found
    ),
    undescribed: (err: Error) => log.warn(
      { code: 'replica_undescribed', err },
      'Redis does not keep what this replica says of itself: gatehouse doctor and the console miss it'
    ),
    unheard: (err: Error) => log.warn(
      { code: 'resets_unheard', err },
      'resets by other replicas are not heard: ' +
      'a client that was refused here may be refused for up to a minute after one'
    ),
    unproved: () => log.warn(
      { code: 'resets_missed' },
      'what replicas announce did not arrive for some seconds: the subscription begins again, in a cluster at ' +
      'another node'
    ),
    unwatched: (err: Error) => log.warn(
      { code: 'watchers_unheard', err },
      'operators who watch are not heard: gatehouse buckets top sees nothing of this replica'
    ),
    evicts: (maxmemoryPolicy: string) => log.warn(
      { code: 'redis_eviction_policy', maxmemoryPolicy },
      'when Redis is full it will not drop the buckets that are nearest to full: ' +
      'while it has room, set its maxmemory-policy to volatile-ttl'
    )
  }
}

/** Names the node of a cluster. */
const named = (node: string): object => node === '' ? {} : { node }
