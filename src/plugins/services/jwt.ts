import { randomUUID } from 'node:crypto'
import fastifyJwt from '@fastify/jwt'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { secondsLeft, type Session } from '../../auth/sessions.js'
import {
  ALGORITHMS, areOurClaims, AUDIENCE, CLOCK_TOLERANCE_SECONDS, ISSUER, keysOf, MODULE_TOKEN_TTL_SECONDS, requiredClaims,
  TOKEN_TTL_SECONDS, type Claims, type KeyRing
} from '../../auth/tokens.js'
import type { Config } from '../../config/config.js'

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: Pick<Claims, 'name' | 'role' | 'userType'> &
      Partial<Pick<Claims, 'iat' | 'tv' | 'db' | 'sid' | 'auth_time' | 'amr'>>
    user: Claims
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * @param amr the claim of that name
     * @returns a signed token that is valid for one hour, or until the end of the session if that comes first
     * @throws {DatabaseUnavailable} before the database was read for the first time
     */
    issueToken: (
      user: { id: number, username: string, role: string, userType: string, tokenVersion: number }, session?: Session,
      amr?: Claims['amr']
    ) => string
    /**
     * @returns a signed token for one module, valid for one minute by each clock that differs from ours by at most
     * CLOCK_TOLERANCE_SECONDS. Gatehouse and other modules refuse it
     */
    issueModuleToken: (user: Claims, moduleName: string) => string
    /** The public keys, with which others verify our tokens. */
    jwks: () => KeyRing['jwks']
  }
}

/** The result of `decode: { complete: true }`, before anything is verified. */
interface DecodedToken { header: { kid?: unknown, alg?: unknown }, signature: string }

/** Tokens in the Authorization header, signed with the first key and verified with the one that `kid` names. */
export default fp<{ config: Config }>(async (app, { config }) => {
  const { sessionHours } = config
  let keys = keysOf(config)
  app.addReplicaFacts(() => ({ keys: [...keys.verifying.keys()] }))
  app.onReload((next) => {
    const former = keys
    keys = keysOf(next)
    // A removed key may be one that leaked. What does not know its key ends, too: clients connect again.
    if ([...former.verifying.keys()].some(kid => !keys.verifying.has(kid))) app.endOutliving()
  })

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

  app.decorate('issueToken', ({ id, username, role, userType, tokenVersion }, session, amr) => {
    const ofSession = session && { sid: session.id, auth_time: session.startedAt }
    const left = session ? secondsLeft(session.startedAt, sessionHours) : TOKEN_TTL_SECONDS
    return app.jwt.sign(
      { name: username, role, userType, tv: tokenVersion, db: app.revocations.mark(), ...ofSession, ...amr && { amr } },
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
}, { name: 'jwt', dependencies: ['revocations', 'reload'] })
