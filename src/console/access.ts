import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asRefusal, forbidden, serviceUnavailable, tooManyRequests, unauthorized } from '../base/errors.js'
import type { Policy } from '../limiter/bucket/bucket.js'
import { bucketOf } from '../limiter/bucket/key.js'
import { createMemoryStore } from '../limiter/bucket/memory-store.js'
import { createSessions, type ConsoleSession } from './session.js'

const COOKIE = 'gatehouse-console'

/**
 * Limits wrong tokens of one address. A person who mistypes has a few tries, and someone who guesses gets ten a minute.
 */
const WRONG_TOKENS: Policy = { name: 'ops-token', capacity: 10, refill: 1, periodMs: 6000 }

const FOREIGN = 'Requests from pages of other origins are refused.'
const NOT_SIGNED_IN = 'Send OPS_TOKEN as a Bearer token, or sign in at /console.'
const WRONG_TOKEN = 'This is not the OPS_TOKEN of the service.'

/** Who may use the console and the bucket API: holders of the token. */
export function createAccess (token: string, app: Pick<FastifyInstance, 'ended' | 'limits' | 'recordOperator'>) {
  const sessions = createSessions(token, app.ended)
  const wrongTokens = createMemoryStore()

  /**
   * The right token always passes, even if the address is over the limit. It is too long to be guessed, and behind a
   * proxy operators may share an address with someone who sends wrong tokens.
   */
  async function mustBeToken (text: string, request: FastifyRequest): Promise<void> {
    if (sessions.isToken(text)) return
    const client = app.limits.clients.fromAddress(request.raw.socket.remoteAddress)
    const { allowed, waitMs } = await wrongTokens.take(bucketOf(WRONG_TOKENS, client?.key ?? 'gone'))
    if (!allowed) throw asRefusal(tooManyRequests({ capacity: WRONG_TOKENS.capacity, waitMs }, {}))
    app.recordOperator({ event: 'operator_login_fail', client: client?.key, reqId: request.id })
    throw unauthorized(WRONG_TOKEN)
  }

  const sessionOf = (request: FastifyRequest): ConsoleSession | undefined =>
    bearerOf(request) === undefined
      ? cookiesOf(request.headers.cookie).map(sessions.read).find(session => session !== undefined)
      : undefined

  return {
    async refuseForeign (request: FastifyRequest): Promise<void> {
      if (isForeign(request)) throw forbidden(FOREIGN)
    },

    async mustBeOperator (request: FastifyRequest): Promise<void> {
      const bearer = bearerOf(request)
      if (bearer !== undefined) return await mustBeToken(bearer, request)
      const session = sessionOf(request)
      if (!session || await sessions.hasEnded(session)) throw unauthorized(NOT_SIGNED_IN)
    },

    async signIn (text: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
      await mustBeToken(text, request)
      const { value, maxAgeSeconds } = sessions.issue()
      setCookie(request, reply, value, maxAgeSeconds)
      const client = app.limits.clients.fromAddress(request.raw.socket.remoteAddress)?.key
      app.recordOperator({ event: 'operator_login_success', client, reqId: request.id })
    },

    /** @throws {Refusal} 503 if Redis does not answer: only this replica has ended the session */
    async signOut (request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const session = sessionOf(request)
      if (session) await sessions.end(session).catch((error) => { throw serviceUnavailable(1, error) })
      // The cookie is cleared last: a client that has to try again still needs it.
      setCookie(request, reply, '', 0)
    },

    /** The session of a request's cookie; undefined for a request with the token. */
    sessionOf,
    hasEnded: sessions.hasEnded
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

/** A proxy may pass on another scheme of authorization, which is ignored. */
const bearerOf = ({ headers }: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]

/** Another service of this host may have set one of the same name. */
const cookiesOf = (header = ''): string[] =>
  [...header.matchAll(new RegExp(`(?:^|; *)${COOKIE}=([^;]*)`, 'g'))].map(([, value]) => value!)

/**
 * Browsers send cookies of one port to all ports of a host, so its path holds only the console. The page's origin shows
 * whether the browser uses TLS, which a proxy then terminates.
 */
function setCookie (request: FastifyRequest, reply: FastifyReply, value: string, maxAgeSeconds: number): void {
  const secure = request.headers.origin?.startsWith('https:') ? '; Secure' : ''
  const attributes = `Path=/console; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
  reply.header('set-cookie', `${COOKIE}=${value}; ${attributes}`)
}
