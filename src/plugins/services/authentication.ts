import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { actorOf, CLOCK_TOLERANCE_SECONDS, type Claims } from '../../auth/tokens.js'
import { createUserLookup, type FoundUser } from '../../auth/user-lookup.js'
import { invalidToken, serviceUnavailable, type Refusal } from '../../base/errors.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** A hook for routes that need a token: it sets `request.user` to the claims, or answers 401. */
    authenticate: onRequestHookHandler
    /**
     * The id of the user whose token `authenticate` would accept, as far as memory knows; undefined for every other
     * request. It asks no server.
     */
    acceptedUserId: (request: FastifyRequest) => number | undefined | Promise<number | undefined>
    /** The current database row of the token's user, who may be disabled. A removed user gets 401. */
    loggedUser: (request: FastifyRequest) => Promise<FoundUser>
  }
}

/** How many tokens' claims are remembered. */
const MAX_VERIFIED = 10_000

/** Whose request it is, by the token in its Authorization header. */
export default fp(async (app) => {
  const { revocations, secondFactors } = app
  /**
   * Claims by Authorization header, for valid tokens. Verifying a signature takes longer than the rest of a request.
   */
  const verified = new LRUCache<string, Claims>({ max: MAX_VERIFIED })
  app.onReload(() => verified.clear())

  function rememberedClaims (request: FastifyRequest): Claims | undefined {
    const known = verified.get(request.headers.authorization ?? '')
    if (!known || known.exp + CLOCK_TOLERANCE_SECONDS <= Date.now() / 1000) return undefined
    request.user = known
    return known
  }

  /** @throws an error that says what is wrong with the token */
  async function claimsOf (request: FastifyRequest): Promise<Claims> {
    const known = rememberedClaims(request)
    if (known) return known
    const claims = await request.jwtVerify<Claims>()
    verified.set(request.headers.authorization!, claims)
    return claims
  }

  app.decorate('acceptedUserId', (request) => {
    if (request.headers.authorization === undefined) return undefined
    const known = rememberedClaims(request)
    return known ? unlessRevoked(known) : claimsOf(request).then(unlessRevoked, () => undefined)
  })

  const unlessRevoked = (claims: Claims): number | undefined =>
    revocations.refuses(claims) || secondFactors.lacksCode(claims) ? undefined : Number(claims.sub)

  app.decorate('authenticate', (request, _reply, done) => {
    const known = rememberedClaims(request)
    // A promise would cost more than the rest of this hook.
    if (known) return done(refusalOf(request, known))
    verify(request).then(claims => done(refusalOf(request, claims)), done)
  })

  function refusalOf (request: FastifyRequest, claims: Claims): Refusal | undefined {
    if (revocations.refuses(claims)) {
      // In this database the number belongs to another user, so the log must not name it.
      if (revocations.isForeign(claims.db)) return invalidToken({ cause: 'the token is of another database' })
      return reused(request, 'the token was revoked, or its session has ended')
    }
    if (secondFactors.lacksCode(claims)) return invalidToken({ cause: 'the role needs a login with a second factor' })
    if (!revocations.isUsable()) return serviceUnavailable(2, new Error('revoked tokens are not known'))
  }

  async function verify (request: FastifyRequest): Promise<Claims> {
    try {
      return await claimsOf(request)
    } catch (error) {
      // The message of an error with a code may quote the token. Our own errors have none.
      const { code, message } = error as Error & { code?: string }
      throw invalidToken({ cause: code ?? message })
    }
  }

  const findUser = createUserLookup(app.db)
  app.decorate('loggedUser', async (request) => {
    const user = await findUser(Number(request.user.sub))
    if (!user) throw reused(request, 'the account is deleted')
    return user
  })
}, { name: 'authentication', dependencies: ['jwt', 'second-factor'] })

/** A token with a good signature whose user has revoked it, or was removed. */
function reused (request: FastifyRequest, cause: string): Refusal {
  return invalidToken({ event: 'authn_token_reuse', ...actorOf(request.user), cause })
}
