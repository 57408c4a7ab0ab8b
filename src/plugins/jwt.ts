import { randomUUID } from 'node:crypto'
import fastifyJwt from '@fastify/jwt'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import {
  areOurClaims, AUDIENCE, CLOCK_TOLERANCE_SECONDS, createKeyRing, generatedSecret, ISSUER, requiredClaims, TOKEN_TTL_SECONDS,
  type Claims
} from '../auth/tokens.js'
import type { Config } from '../config.js'
import { unauthorized } from '../errors.js'

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: Pick<Claims, 'role' | 'userType'>
    user: Claims
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    /** @returns a signed token of one hour */
    issueToken: (user: { id: number, role: string, userType: string }) => string
    /** A hook for routes that need a token: `request.user` holds its claims afterwards; every fault of it is 401. */
    authenticate: (request: FastifyRequest) => Promise<void>
  }
}

/** What `decode: { complete: true }` makes of a token before anything of it is believed. */
interface DecodedToken { header: { kid?: unknown }, signature: string }

/** Tokens in the Authorization header, signed with the first secret and verified with the one that `kid` names. */
export default fp<{ config: Config }>(async (app, { config }) => {
  const { signing, verifying } = createKeyRing(config.jwtSecrets.length > 0 ? config.jwtSecrets : [generatedSecret(config.dataDir)])

  await app.register(fastifyJwt, {
    secret: {
      private: signing.secret,
      public: async (_request: FastifyRequest, token: object) => secretFor(token as DecodedToken)
    },
    decode: { complete: true },
    sign: { algorithm: 'HS256', kid: signing.kid, iss: ISSUER, aud: AUDIENCE, expiresIn: TOKEN_TTL_SECONDS },
    verify: {
      algorithms: ['HS256'],
      allowedIss: ISSUER,
      allowedAud: AUDIENCE,
      requiredClaims: [...requiredClaims],
      checkTyp: 'JWT',
      clockTolerance: CLOCK_TOLERANCE_SECONDS * 1000
    },
    trusted: (_request: FastifyRequest, claims: object) => areOurClaims(claims)
  })

  function secretFor ({ header, signature }: DecodedToken): string {
    const secret = typeof header.kid === 'string' ? verifying.get(header.kid) : undefined
    if (secret === undefined) throw new Error('the token names no key of ours')
    // The last two bits of a signature's text say nothing: without this, four texts would be the same token.
    if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) throw new Error('the signature is written in another way')
    return secret
  }

  app.decorate('issueToken', ({ id, role, userType }) =>
    app.jwt.sign({ role, userType }, { sub: String(id), jti: randomUUID() }))

  app.decorate('authenticate', async (request) => {
    try {
      await request.jwtVerify()
    } catch (error) {
      request.log.debug({ err: error }, 'token refused')
      throw unauthorized('A valid token is required. Please log in.')
    }
  })
}, { name: 'jwt' })
