import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.js'
import type { Client } from '../../limiter/limits/client.js'

/** How many requests are counted together, and how many of them from one address are nearly all. */
const WINDOW = 1000
const NEARLY_ALL = 950

const PRIVATE_RANGES = ['private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']

type Notice = (request: FastifyRequest, client: Client) => void

/**
 * Warns once for each sign that a proxy in front is treated as the client, so that everyone behind it shares a bucket.
 * It costs two comparisons and two additions a request.
 *
 * @param onSuspected called with the private address from which nearly all requests come
 * @returns a function to call for each request that is limited
 */
export function watchForProxies (
  { trustProxy }: Pick<Config, 'trustProxy'>, log: FastifyBaseLogger, onSuspected: (client: string) => void = () => {}
): Notice {
  let headerMayCome = trustProxy.length === 0
  let mayDominate = true
  let candidate: Client | undefined
  let requests = 0
  let ofCandidate = 0

  function closeWindow ({ key, address }: Client): void {
    if (ofCandidate > NEARLY_ALL && PRIVATE_RANGES.includes(address.range())) {
      mayDominate = false
      onSuspected(key)
      log.warn(
        { code: 'proxy_suspected', client: key },
        'nearly all requests come from one private address: if it is a proxy of yours, all its clients share one ' +
        'bucket until it sends X-Forwarded-For and TRUST_PROXY (docker compose: EDGE_NETWORKS) names it'
      )
    }
    candidate = undefined
    requests = ofCandidate = 0
  }

  return (request, client) => {
    if (headerMayCome && request.headers['x-forwarded-for'] !== undefined) {
      headerMayCome = false
      log.warn(
        { code: 'forwarded_header_ignored' },
        'a request came with X-Forwarded-For, which is not believed: if a proxy of yours adds it, all its clients ' +
        'share one bucket until TRUST_PROXY names its address'
      )
    }
    if (!mayDominate) return
    // A client that sends nearly all requests also begins nearly every window.
    candidate ??= client
    if (client.key === candidate.key) ofCandidate++
    if (++requests === WINDOW) closeWindow(candidate)
  }
}
