import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const TOKEN_TTL_SECONDS = 3600
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
  role: string
  userType: string
}

export const requiredClaims = ['iss', 'aud', 'sub', 'iat', 'exp', 'jti', 'role', 'userType'] as const satisfies Array<keyof Claims>

/** Secrets by the `kid` that tokens name them with. The first signs, all verify. */
export interface KeyRing {
  signing: { kid: string, secret: string }
  verifying: ReadonlyMap<string, string>
}

export function createKeyRing (secrets: readonly string[]): KeyRing {
  const [first] = secrets
  if (first === undefined) throw new RangeError('at least one secret is needed')
  return {
    signing: { kid: keyId(first), secret: first },
    verifying: new Map(secrets.map(secret => [keyId(secret), secret]))
  }
}

/** The same on every replica that has the same secret; says no more about the secret than a signature made with it. */
function keyId (secret: string): string {
  return createHash('sha256').update('gatehouse kid\0').update(secret).digest('base64url').slice(0, 12)
}

/**
 * Whether claims with a good signature are ones that we could have made: the verifier checks that they are there and
 * not expired, this their types and that no one gave himself more time than a token has.
 */
export function areOurClaims (claims: Partial<Record<keyof Claims, unknown>>, nowSeconds = Date.now() / 1000): claims is Claims {
  const { aud, sub, iat, exp, jti, role, userType } = claims
  return typeof aud === 'string' && [jti, role, userType].every(claim => typeof claim === 'string' && claim !== '') &&
    typeof sub === 'string' && /^[1-9]\d{0,9}$/.test(sub) && Number(sub) <= MAX_USER_ID &&
    Number.isInteger(iat) && Number.isInteger(exp) &&
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
  if (secret.length < 32) throw new Error(`${file} is empty or cut off: remove it, and a new secret is made at the next start`)
  return secret
}
