import { randomUUID } from 'node:crypto'
import fastifyJwt from '@fastify/jwt'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { createAccountThrottle } from '../../auth/account-throttle.js'
import { watchRevocations } from '../../auth/revocations.js'
import { secondsLeft, sessionIdOf, type Session } from '../../auth/sessions.js'
import {
  actorOf, ALGORITHMS, areOurClaims, AUDIENCE, CLOCK_TOLERANCE_SECONDS, ISSUER, keysOf, MODULE_TOKEN_TTL_SECONDS,
  requiredClaims, TOKEN_TTL_SECONDS, type Claims, type KeyRing
} from '../../auth/tokens.js'
import { createUserLookup, type FoundUser } from '../../auth/user-lookup.js'
import { accountKey } from '../../auth/username.js'
import type { Config } from '../../config/config.js'
import { invalidToken, serviceUnavailable, type Refusal } from '../../base/errors.js'

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: Pick<Claims, 'name' | 'role' | 'userType'> &
      Partial<Pick<Claims, 'iat' | 'tv' | 'db' | 'sid' | 'auth_time'>>
    user: Claims
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * @returns a signed token that is valid for one hour, or until the end of the session if that comes first
     * @throws {DatabaseUnavailable} before the database was read for the first time
     */
    issueToken: (
      user: { id: number, username: string, role: string, userType: string, tokenVersion: number }, session?: Session
    ) => string
    /**
     * @returns a signed token for one module, valid for one minute by each clock that differs from ours by at most
     * CLOCK_TOLERANCE_SECONDS. Gatehouse and other modules refuse it
     */
    issueModuleToken: (user: Claims, moduleName: string) => string
    /**
     * For what outlives its request: calls `end` within a second after the session of these claims has ended, or the
     * token was revoked.
     *
     * @returns a function that cancels it
     */
    endWithSession: (claims: Claims, end: () => void) => () => void
    /** A hook for routes that need a token: it sets `request.user` to the claims, or answers 401. */
    authenticate: onRequestHookHandler
    /**
     * The id of the user whose token `authenticate` would accept, as far as memory knows; undefined for every other
     * request. It asks no server.
     */
    acceptedUserId: (request: FastifyRequest) => number | undefined | Promise<number | undefined>
    /** The current database row of the token's user, who may be disabled. A removed user gets 401. */
    loggedUser: (request: FastifyRequest) => Promise<FoundUser>
    /** The public keys, with which others verify our tokens. */
    jwks: () => KeyRing['jwks']
  }
}

/** How many tokens' claims are remembered. */
const MAX_VERIFIED = 10_000

/** The result of `decode: { complete: true }`, before anything is verified. */
interface DecodedToken { header: { kid?: unknown, alg?: unknown }, signature: string }

/** Tokens in the Authorization header, signed with the first key and verified with the one that `kid` names. */
export default fp<{ config: Config }>(async (app, { config }) => {
  let keys = keysOf(config)
  app.replica.keys = [...keys.verifying.keys()]
  app.onReload((next) => {
    const former = keys
    keys = keysOf(next)
    app.replica.keys = [...keys.verifying.keys()]
    verified.clear()
    // A removed key may be one that leaked. What does not know its key ends, too: clients connect again.
    if ([...former.verifying.keys()].some(kid => !keys.verifying.has(kid))) for (const end of dependents.keys()) end()
  })
  // After a revocation, such as a password change, each replica also forgets the failed logins that it counted locally
  // during a Redis outage.
  const { forget } = createAccountThrottle(app.buckets, app.limits)
  const { sessionHours } = config
  const dependents = new Map<() => void, Claims>()
  const revocations = await watchRevocations(
    app.db, app.buckets.ended, config.onDatabaseFailure, app.log,
    {
      onRevoked: ({ username, knownClients }) => forget(accountKey(username), knownClients),
      onRead: endDependents,
      isReachable: () => app.states.database.value === 'reachable'
    }
  )
  app.addHook('onClose', () => revocations.close())

  await app.register(fastifyJwt, {
    secret: {
      private: keys.signing.signWith,
      public: async (_request: FastifyRequest, token: object) => keyFor(token as DecodedToken)
    },
    decode: { complete: true },
    sign: { ...signer(), iss: ISSUER, aud: AUDIENCE, expiresIn: TOKEN_TTL_SECONDS },
    verify: {
      // `keyFor` checks the one algorithm of the key.
      algorithms: [...ALGORITHMS],
      allowedIss: ISSUER,
      allowedAud: AUDIENCE,
      requiredClaims: [...requiredClaims],
      checkTyp: 'JWT',
      clockTolerance: CLOCK_TOLERANCE_SECONDS * 1000
    },
    trusted: (_request: FastifyRequest, claims: object) => areOurClaims(claims)
  })

  function keyFor ({ header, signature }: DecodedToken): string {
    const key = typeof header.kid === 'string' ? keys.verifying.get(header.kid) : undefined
    if (key === undefined) throw new Error('the token names no key of ours')
    // A public key is known to everyone. If it were used as a secret, anyone could sign tokens with it.
    if (header.alg !== key.algorithm) throw new Error('the token names another algorithm than its key has')
    // The last bits of a base64url signature are unused. Without this check, several texts would be the same signature.
    if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) {
      throw new Error('the signature is written in another way')
    }
    return key.verifyWith
  }

  /** The options of a signature, which a reload changes. */
  function signer () {
    const { signWith: key, algorithm, kid } = keys.signing
    return { key, algorithm, kid }
  }

  app.decorate('jwks', () => keys.jwks)

  app.decorate('issueToken', ({ id, username, role, userType, tokenVersion }, session) => {
    const ofSession = session && { sid: session.id, auth_time: session.startedAt }
    const left = session ? secondsLeft(session.startedAt, sessionHours) : TOKEN_TTL_SECONDS
    return app.jwt.sign(
      { name: username, role, userType, tv: tokenVersion, db: revocations.mark(), ...ofSession },
      { ...signer(), sub: String(id), jti: randomUUID(), expiresIn: Math.max(1, Math.min(TOKEN_TTL_SECONDS, left)) }
    )
  })

  app.decorate('issueModuleToken', ({ sub, name, role, userType }, moduleName) => {
    // Several libraries refuse a token whose `iat` lies ahead of their clock, and few tolerate an `exp` that is over.
    const iat = Math.floor(Date.now() / 1000) - CLOCK_TOLERANCE_SECONDS
    const expiresIn = MODULE_TOKEN_TTL_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS
    return app.jwt.sign(
      { ...name !== undefined && { name }, role, userType, iat },
      { ...signer(), sub, aud: moduleName, jti: randomUUID(), expiresIn }
    )
  })

  /**
   * Claims by Authorization header, for valid tokens. Verifying a signature takes longer than the rest of a request.
   */
  const verified = new LRUCache<string, Claims>({ max: MAX_VERIFIED })

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

  const isRevoked = (claims: Claims): boolean => revocations.isForeign(claims.db) ||
    revocations.isRevoked(Number(claims.sub), claims.tv, sessionIdOf(claims), claims.iat)

  const unlessRevoked = (claims: Claims): number | undefined => isRevoked(claims) ? undefined : Number(claims.sub)

  app.decorate('endWithSession', (claims, end) => {
    dependents.set(end, claims)
    return () => dependents.delete(end)
  })

  function endDependents (): void {
    for (const [end, claims] of dependents) {
      const { auth_time: startedAt } = claims
      if (isRevoked(claims) || (startedAt !== undefined && secondsLeft(startedAt, sessionHours) <= 0)) end()
    }
  }

  app.decorate('authenticate', (request, _reply, done) => {
    const known = rememberedClaims(request)
    // A promise would cost more than the rest of this hook.
    if (known) return done(refusalOf(request, known))
    verify(request).then(claims => done(refusalOf(request, claims)), done)
  })

  function refusalOf (request: FastifyRequest, claims: Claims): Refusal | undefined {
    if (isRevoked(claims)) {
      // In this database the number belongs to another user, so the log must not name it.
      if (revocations.isForeign(claims.db)) return invalidToken({ cause: 'the token is of another database' })
      return reused(request, 'the token was revoked, or its session has ended')
    }
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
}, { name: 'jwt', dependencies: ['database', 'limiter', 'reload'] })

/** A token with a good signature whose user has revoked it, or was removed. */
function reused (request: FastifyRequest, cause: string): Refusal {
  return invalidToken({ event: 'authn_token_reuse', ...actorOf(request.user), cause })
}
