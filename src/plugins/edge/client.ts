import fp from 'fastify-plugin'
import type { Config } from '../../config/config.js'
import { createNetworkMatcher } from '../../base/networks.js'
import { createClientCache, type KnownClient } from '../../limiter/limits/known-clients.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the address of a peer is in TRUST_PROXY. */
    isTrusted: (peer: string | undefined) => boolean
  }

  interface FastifyRequest {
    /** Undefined if the connection was closed before the request was handled. */
    client: KnownClient | undefined
    /** Whether a trusted proxy sent it, with X-Forwarded-For. */
    viaProxy: boolean
  }
}

/** Who the client of a request is: the peer, or the address that trusted proxies name. */
export default fp<{ config: Config }>(async (app, { config }) => {
  const isTrusted = createNetworkMatcher(config.trustProxy)
  let clientOf = createClientCache(app.limits, config.trustProxy)
  app.limits.onChange(() => { clientOf = createClientCache(app.limits, config.trustProxy) })

  app.decorate('isTrusted', isTrusted)
  app.decorateRequest('client', undefined)
  app.decorateRequest('viaProxy', false)
  app.onEntry(() => (request) => {
    const { headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress: peer } } = request.raw
    request.viaProxy = forwarded !== undefined && isTrusted(peer)
    // `request.ip` makes a list of all proxies. Usually there is only one, and it names one address.
    const oneAddress = typeof forwarded === 'string' && !forwarded.includes(',')
    request.client = clientOf(!request.viaProxy ? peer : oneAddress ? forwarded : request.ip, peer)
    return true
  })
}, { name: 'client', dependencies: ['buckets', 'entry'] })
