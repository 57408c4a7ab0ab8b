import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { generatedSecret } from './generated-secret.js'
import { publicJwk, type PrivateKeyAlgorithm, type PublicJwk } from './private-keys.js'

export const TOKEN_TTL_SECONDS = 3600
/** The lifetime of module tokens: enough for one request, and for the module's own requests to other modules. */
export const MODULE_TOKEN_TTL_SECONDS = 60
export const ISSUER = 'gatehouse'
export const AUDIENCE = 'school-erp'
/** The largest tolerated difference between two clocks: those of replicas, or of a replica and a module. */
export const CLOCK_TOLERANCE_SECONDS = 30

/** PostgreSQL's largest integer. */
const MAX_USER_ID = 2 ** 31 - 1

/** The claim `amr` of a login with a password and a code. */
export const WITH_CODE = ['pwd', 'otp', 'mfa'] as const
/** The same of a sign-in at a provider, which has its own second factor. RFC 8176 has no name for it. */
export const AT_PROVIDER = ['fed'] as const

/** The claims of a token. The registered claims are those of RFC 7519. */
export interface Claims {
  iss: string
  aud: string
  /** The user's id, as text. */
  sub: string
  iat: number
  exp: number
  jti: string
  /** The username. Tokens of earlier releases do not have it. */
  name?: string
  role: string
  userType: string
  /** The user's token version. Tokens with a lower version than the current one are revoked. */
  tv: number
  /** The mark of the database that has numbered the user. Tokens of earlier releases do not have it. */
  db?: string
  /** The session. Tokens of earlier releases, and those of SESSION_HOURS=0, do not have it. */
  sid?: string
  /** When the session began. */
  auth_time?: number
  /** How its user logged in, unless by the password alone. */
  amr?: typeof WITH_CODE | typeof AT_PROVIDER
}

/** Whose token it is, as lines of the log say it. */
export const actorOf = ({ sub, name }: Pick<Claims, 'sub' | 'name'>): { actor?: string, userId: number } =>
  ({ ...name !== undefined && { actor: name }, userId: Number(sub) })

export const requiredClaims = [
  'iss', 'aud', 'sub', 'iat', 'exp', 'jti', 'role', 'userType', 'tv'
] as const satisfies Array<keyof Claims>

export const ALGORITHMS = ['HS256', 'EdDSA', 'ES256', 'RS256'] as const satisfies Array<'HS256' | PrivateKeyAlgorithm>

interface Key {
  kid: string
  algorithm: typeof ALGORITHMS[number]
  /** The secret, or a private key in PEM. */
  signWith: string
  /** The secret, or a public key in PEM. */
  verifyWith: string
}

/** Keys by the `kid` in tokens. One key signs, and all verify, each with only its own algorithm. */
export interface KeyRing {
  signing: Key
  verifying: ReadonlyMap<string, Key>
  /** The public keys with which others verify our tokens. Secrets are not included. */
  jwks: { keys: PublicJwk[] }
}

/** The first private key signs; where there is none, the first secret. There has to be one of them. */
export function createKeyRing (secrets: readonly string[], privateKeys: readonly KeyObject[] = []): KeyRing {
  const keys = [...privateKeys.map(asymmetricKey), ...secrets.map(secretKey)]
  return {
    signing: keys[0]!,
    verifying: new Map(keys.map(key => [key.kid, key])),
    jwks: { keys: privateKeys.map(publicJwk) }
  }
}

/** The keys of the settings. Without any there is one secret, which the first start makes. */
export function keysOf (
  { jwtSecrets, jwtPrivateKeys, dataDir }: {
    jwtSecrets: readonly string[], jwtPrivateKeys: readonly KeyObject[], dataDir: string
  }
): KeyRing {
  const isSet = jwtSecrets.length > 0 || jwtPrivateKeys.length > 0
  return createKeyRing(isSet ? jwtSecrets : [generatedSecret(dataDir, 'jwt-secret')], jwtPrivateKeys)
}

function asymmetricKey (privateKey: KeyObject): Key {
  const { kid, alg } = publicJwk(privateKey)
  return {
    kid,
    algorithm: alg,
    signWith: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    verifyWith: createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
  }
}

function secretKey (secret: string): Key {
  return { kid: keyId(secret), algorithm: 'HS256', signWith: secret, verifyWith: secret }
}

/**
 * The id is the same on every replica with the same secret. It reveals no more about the secret than a signature does.
 */
function keyId (secret: string): string {
  return createHash('sha256').update('gatehouse kid\0').update(secret).digest('base64url').slice(0, 12)
}

/**
 * Whether gatehouse could have made these claims, whose signature is valid. The verifier checks that they exist and are
 * not expired. This checks their types, and that the token does not live longer than ours.
 */
export function areOurClaims (
  claims: Partial<Record<keyof Claims, unknown>>, nowSeconds = Date.now() / 1000
): claims is Claims {
  const { aud, sub, iat, exp, jti, role, userType, tv } = claims
  const { name = 'of an earlier release', db = name } = claims
  const { sid = jti, auth_time: startedAt = iat } = claims
  return typeof aud === 'string' &&
    [jti, name, role, userType, db, sid].every(claim => typeof claim === 'string' && claim !== '') &&
    typeof sub === 'string' && /^[1-9]\d{0,9}$/.test(sub) && Number(sub) <= MAX_USER_ID &&
    [iat, exp, tv, startedAt].every(Number.isInteger) && (tv as number) >= 0 &&
    (iat as number) <= nowSeconds + CLOCK_TOLERANCE_SECONDS && (exp as number) - (iat as number) <= TOKEN_TTL_SECONDS
}
