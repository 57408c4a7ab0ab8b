import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.js'
import { isPrivate } from '../../base/networks.js'
import { proxySigns, type ProxySignCode, type SeenSigns } from '../../limiter/fleet/proxy-signs.js'
import type { KnownClient } from '../../limiter/limits/known-clients.js'

/** How many requests are counted together, and how many of them from one address are nearly all. */
const WINDOW = 1000
const NEARLY_ALL = 950

/** With fewer requests of people, it may be an operator who tries something. */
const SOME = 10
/** With fewer clients of a trusted network, they may be the health checks of two proxies. */
const SEVERAL = 3

const HOUR_MS = 3_600_000

type Asked = Pick<FastifyRequest, 'method' | 'headers' | 'viaProxy' | 'socket'>
type Client = Pick<KnownClient, 'key' | 'address' | 'isTrusted'>

/**
 * Warns once for each sign that a proxy is treated as the client, or a client as a proxy. It costs three comparisons
 * and two additions a request, and keeps a few addresses.
 */
export function watchForProxies (
  { trustProxy, production, limits: { clients } }: Pick<Config, 'trustProxy' | 'production' | 'limits'>,
  log: FastifyBaseLogger
) {
  const seen = new Map<ProxySignCode, { address: string, atMs: number }>()
  const isPeer = (key: string, { socket }: Asked): boolean => clients.fromAddress(socket.remoteAddress)?.key === key
  /** In development, everything comes from this machine. */
  const isSuspected = (address: Client['address']): boolean =>
    isPrivate(address) && (production || address.range() !== 'loopback')
  const warned = new Set<ProxySignCode>()
  let window = newWindow()

  function warn (code: ProxySignCode, address: string): void {
    if (warned.has(code)) return
    warned.add(code)
    const { found, remedy } = proxySigns[code]
    log.warn({ code, client: address }, `${found(address)}: ${remedy}`)
  }

  function notice (code: ProxySignCode, address: string): void {
    seen.set(code, { address, atMs: performance.now() })
    warn(code, address)
  }

  /** A peer that is not trusted claims to pass requests on. A client can claim that, too. */
  function noticeClaim (claimed: Asked['headers'][string], peer: string): void {
    const { claim } = window
    claim.peer ??= peer
    if (claim.peer !== peer) return
    claim.first ??= String(claimed)
    claim.differ ||= String(claimed) !== claim.first
    if (trustProxy.length === 0) warn('forwarded_header_ignored', peer)
    // Several addresses, and a tenth of all requests.
    if (++claim.requests >= SOME && claim.differ && claim.requests * 10 >= window.requests) {
      notice('forwarded_header_ignored', peer)
    }
  }

  /** The client has an address of TRUST_PROXY: a proxy named no client, or a client has a proxy's address. */
  function noticeTrusted (request: Asked, { key }: Client): void {
    if (!isOfPeople(request)) return
    if (request.viaProxy && !isPeer(key, request)) {
      if (window.trusted.size < SEVERAL) window.trusted.add(key)
      if (window.trusted.size === SEVERAL) notice('clients_trusted', key)
    } else if (++window.unnamed >= SOME && window.unnamed * 2 >= window.requests) {
      notice('forwarded_header_missing', key)
    }
  }

  function closeWindow (): void {
    const { candidate, ofCandidate } = window
    if (ofCandidate > NEARLY_ALL && isSuspected(candidate!.address)) {
      notice('proxy_suspected', candidate!.key)
    }
    window = newWindow()
  }

  return {
    /** To be called for each request that is limited. */
    request (request: Asked, client: Client): void {
      if (client.isTrusted) noticeTrusted(request, client)
      else if (!request.viaProxy && request.headers['x-forwarded-for'] !== undefined) {
        noticeClaim(request.headers['x-forwarded-for'], client.key)
      }
      // A client that sends nearly all requests also begins nearly every window.
      window.candidate ??= client
      if (client.key === window.candidate.key) window.ofCandidate++
      if (++window.requests === WINDOW) closeWindow()
    },

    /** To be called for each client that is refused with 429. */
    refused ({ isTrusted, key }: Client): void {
      if (isTrusted) notice('proxy_refused', key)
    },

    /** What was seen in the last hour. */
    signs (): SeenSigns {
      const since = performance.now() - HOUR_MS
      return Object.fromEntries([...seen].flatMap(([code, { address, atMs }]) => atMs > since ? [[code, address]] : []))
    }
  }
}

interface Window {
  requests: number
  /** The client of the first request, and how many are from it. */
  candidate: Client | undefined
  ofCandidate: number
  /** Clients in TRUST_PROXY that proxies have named. */
  trusted: Set<string>
  /** Requests of people from proxies that named nobody. */
  unnamed: number
  /** The first peer that sent X-Forwarded-For without being trusted. */
  claim: { peer: string | undefined, first: string | undefined, differ: boolean, requests: number }
}

const newWindow = (): Window => ({
  requests: 0,
  candidate: undefined,
  ofCandidate: 0,
  trusted: new Set(),
  unnamed: 0,
  claim: { peer: undefined, first: undefined, differ: false, requests: 0 }
})

/** Health checks only look. People log in and have tokens. */
const isOfPeople = ({ method, headers }: Asked): boolean =>
  headers.authorization !== undefined || !['GET', 'HEAD', 'OPTIONS'].includes(method)
