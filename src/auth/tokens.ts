import { createHash, createPublicKey, randomBytes, type KeyObject } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publicJwk, type PrivateKeyAlgorithm, type PublicJwk } from './private-keys.js'

export const TOKEN_TTL_SECONDS = 3600
/** The tokens that modules get: for one request, and those that it makes of others. */
export const MODULE_TOKEN_TTL_SECONDS = 60
export const ISSUER = 'gatehouse'
export const AUDIENCE = 'school-erp'
/** Between the clocks of two replicas. */
export const CLOCK_TOLERANCE_SECONDS = 30

/** PostgreSQL's largest integer. */
const MAX_USER_ID = 2 ** 31 - 1

/** What a token says; the registered claims are those of RFC 7519. */
export interface Claims {
  iss: string
  aud: string
  /** The user's id, as text. */
  sub: string
  iat: number
  exp: number
  jti: string
  /** The username; not in tokens of earlier releases. */
  name?: string
  role: string
  userType: string
  /** The user's token version: tokens of a lower one than the user has now were revoked. */
  tv: number
}

export const requiredClaims = [
  'iss', 'aud', 'sub', 'iat', 'exp', 'jti', 'role', 'userType', 'tv'
] as const satisfies Array<keyof Claims>

export interface Key {
  kid: string
  algorithm: 'HS256' | PrivateKeyAlgorithm
  /** The secret, or a private key in PEM. */
  signWith: string
  /** The secret, or a public key in PEM. */
  verifyWith: string
}

/** Keys by the `kid` that tokens name them with. One signs, all verify, each with its own algorithm only. */
export interface KeyRing {
  signing: Key
  verifying: ReadonlyMap<string, Key>
  /** What others verify our tokens with; secrets are not among it. */
  jwks: { keys: PublicJwk[] }
}

/** The first private key signs; where there is none, the first secret. */
export function createKeyRing (secrets: readonly string[], privateKeys: readonly KeyObject[] = []): KeyRing {
  const keys = [...privateKeys.map(asymmetricKey), ...secrets.map(secretKey)]
  const [signing] = keys
  if (signing === undefined) throw new RangeError('at least one key is needed')
  return { signing, verifying: new Map(keys.map(key => [key.kid, key])), jwks: { keys: privateKeys.map(publicJwk) } }
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

/** The same on every replica that has the same secret; says no more about the secret than a signature made with it. */
function keyId (secret: string): string {
  return createHash('sha256').update('gatehouse kid\0').update(secret).digest('base64url').slice(0, 12)
}

/**
 * Whether claims with a good signature are ones that we could have made. The verifier checks that they are there and
 * not expired. This checks their types, and that the token lasts no longer than ours do.
 */
export function areOurClaims (
  claims: Partial<Record<keyof Claims, unknown>>, nowSeconds = Date.now() / 1000
): claims is Claims {
  const { aud, sub, iat, exp, jti, name = 'of an earlier release', role, userType, tv } = claims
  return typeof aud === 'string' &&
    [jti, name, role, userType].every(claim => typeof claim === 'string' && claim !== '') &&
    typeof sub === 'string' && /^[1-9]\d{0,9}$/.test(sub) && Number(sub) <= MAX_USER_ID &&
    Number.isInteger(iat) && Number.isInteger(exp) && Number.isInteger(tv) && (tv as number) >= 0 &&
    (iat as number) <= nowSeconds + CLOCK_TOLERANCE_SECONDS && (exp as number) - (iat as number) <= TOKEN_TTL_SECONDS
}

/**
 * The secret of an embedded service: made at the first start and kept, so that tokens outlive a restart.
 *
 * @throws when the file cannot be made, or holds less than a secret
 */
export function generatedSecret (dataDir: string): string {
  const file = join(dataDir, 'jwt-secret')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, randomBytes(48).toString('base64url'), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32) {
    throw new Error(`${file} is empty or cut off: remove it, and a new secret is made at the next start`)
  }
  return secret
}
