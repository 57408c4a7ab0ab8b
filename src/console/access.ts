import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asRefusal, forbidden, tooManyRequests, unauthorized } from '../base/errors.js'
import type { Policy } from '../limiter/bucket/bucket.js'
import { clientOf } from '../limiter/limits/client.js'
import { bucketOf } from '../limiter/bucket/key.js'
import { createMemoryStore } from '../limiter/bucket/memory-store.js'
import { isLoopback } from '../base/loopback.js'
import { createSessions } from './session.js'

const COOKIE = 'gatehouse-console'

/**
 * Limits wrong tokens of one address. A person who mistypes has a few tries, and someone who guesses gets ten a minute.
 */
const WRONG_TOKENS: Policy = { name: 'ops-token', capacity: 10, refill: 1, periodMs: 6000 }

const FOREIGN = 'Requests from pages of other origins are refused.'
const NOT_SIGNED_IN = 'Send OPS_TOKEN as a Bearer token, or sign in at /console.'
const WRONG_TOKEN = 'This is not the OPS_TOKEN of the service.'
const NOT_HERE = 'Without OPS_TOKEN only this machine may use this, at localhost. ' +
  'Set OPS_TOKEN to use it from elsewhere or through a proxy.'

/** Who may use the console and the bucket API: holders of OPS_TOKEN, or, if it is not set, users of this machine. */
export function createAccess (token: string | undefined, app: Pick<FastifyInstance, 'recordOperator'>) {
  const sessions = token === undefined ? undefined : createSessions(token)
  const wrongTokens = createMemoryStore()

  /**
   * The right token always passes, even if the address is over the limit. It is too long to be guessed, and behind a
   * proxy operators may share an address with someone who sends wrong tokens.
   */
  async function mustBeToken (text: string, request: FastifyRequest): Promise<void> {
    if (sessions?.isToken(text) ?? true) return
    const client = clientOf(undefined, request.raw.socket.remoteAddress)
    const { allowed, waitMs } = await wrongTokens.take(bucketOf(WRONG_TOKENS, client?.key ?? 'gone'))
    if (!allowed) throw asRefusal(tooManyRequests({ capacity: WRONG_TOKENS.capacity, waitMs }, {}))
    app.recordOperator({ event: 'operator_login_fail', client: client?.key, reqId: request.id })
    throw unauthorized(WRONG_TOKEN)
  }

  const endOfCookie = (request: FastifyRequest): number | undefined =>
    sessions?.endOf(cookieOf(request.headers.cookie) ?? '')

  return {
    async refuseForeign (request: FastifyRequest): Promise<void> {
      if (isForeign(request)) throw forbidden(FOREIGN)
      if (!sessions && !isHere(request)) throw forbidden(NOT_HERE)
    },

    async mustBeOperator (request: FastifyRequest): Promise<void> {
      if (!sessions) return
      const bearer = bearerOf(request)
      if (bearer !== undefined) return await mustBeToken(bearer, request)
      if (endOfCookie(request) === undefined) throw unauthorized(NOT_SIGNED_IN)
    },

    async signIn (text: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
      await mustBeToken(text, request)
      if (!sessions) return
      const { value, maxAgeSeconds } = sessions.issue()
      setCookie(request, reply, value, maxAgeSeconds)
      const client = clientOf(undefined, request.raw.socket.remoteAddress)?.key
      app.recordOperator({ event: 'operator_login_success', client, reqId: request.id })
    },

    signOut: (request: FastifyRequest, reply: FastifyReply): void => setCookie(request, reply, '', 0),

    /** In ms since 1970; Infinity for a request that needs no session. */
    endOfSession: (request: FastifyRequest): number =>
      bearerOf(request) === undefined ? endOfCookie(request) ?? Infinity : Infinity
  }
}

/**
 * Whether it is a cross-origin request of a page. On a connection that the browser trusts, a header says so. On others,
 * a browser sends the page's Origin with every request that could change something. Following a link is allowed.
 */
function isForeign ({ method, headers }: FastifyRequest): boolean {
  if (method === 'GET' && headers['sec-fetch-mode'] === 'navigate') return false
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const { origin } = headers
  return origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== headers.host)
}

/**
 * Whether only this machine can have sent it. The peer's address does not prove that. The host name of a foreign page
 * may resolve to this machine (DNS rebinding). A proxy on this machine passes on requests of others.
 */
function isHere ({ headers, raw: { socket: { remoteAddress: peer } } }: FastifyRequest): boolean {
  const isForwarded = ['x-forwarded-for', 'forwarded', 'via'].some(name => headers[name] !== undefined)
  const client = clientOf(undefined, peer)
  return !isForwarded && client?.address.range() === 'loopback' && isLoopback((headers.host ?? '').replace(/:\d+$/, ''))
}

/** A proxy may pass on another scheme of authorization, which is ignored. */
const bearerOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]

const cookieOf = (header = ''): string | undefined => new RegExp(`(?:^|; *)${COOKIE}=([^;]*)`).exec(header)?.[1]

/** The page's origin shows whether the browser uses TLS, which a proxy then terminates. */
function setCookie (request: FastifyRequest, reply: FastifyReply, value: string, maxAgeSeconds: number): void {
  const secure = request.headers.origin?.startsWith('https:') ? '; Secure' : ''
  reply.header('set-cookie', `${COOKIE}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`)
}
