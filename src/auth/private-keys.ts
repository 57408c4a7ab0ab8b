import {
  createHash, createPrivateKey, createPublicKey, sign, verify, type JsonWebKey, type KeyObject
} from 'node:crypto'

export type PrivateKeyAlgorithm = 'EdDSA' | 'ES256' | 'RS256'

/** A public key in the format of RFC 7517, with the members by which a verifier selects it. */
export interface PublicJwk extends JsonWebKey {
  kid: string
  alg: PrivateKeyAlgorithm
  use: 'sig'
}

const PEM = /-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g

/**
 * Reads private keys: PEM blocks one after the other (a newline may be written as `\n`), a JWK, or a JWK set.
 *
 * @throws {RangeError} saying what is expected, without quoting the key
 */
export function parsePrivateKeys (text: string): KeyObject[] {
  const keys = /^[[{]/.test(text.trim()) ? readJwks(text) : readPems(text)
  keys.forEach(mustSign)
  if (new Set(keys.map(key => publicJwk(key).kid)).size < keys.length) throw new RangeError('has the same key twice')
  return keys
}

function readPems (text: string): KeyObject[] {
  const unescaped = text.replaceAll('\\n', '\n')
  const blocks = unescaped.match(PEM) ?? []
  // A truncated block must not be overlooked beside a complete one.
  if (blocks.length === 0 || blocks.length !== unescaped.match(/-----BEGIN /g)?.length) {
    throw new RangeError(
      'must be whole private keys in PEM, a JWK or a JWK set; make one with: ' +
      'openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256'
    )
  }
  if (!blocks.every(block => /^-----BEGIN [A-Z ]+-----\r?\n[^]*\n-----END/.test(block))) {
    throw new RangeError(
      'has lost its newlines: write each as \\n, or put the text into a file that JWT_PRIVATE_KEY_FILE names')
  }
  // openssl ecparam prints a block with the curve before the key. Without -genkey it prints only that block.
  const keys = blocks.filter(block => !block.startsWith('-----BEGIN EC PARAMETERS'))
  if (keys.length === 0) throw new RangeError('has the parameters of a key, but no key')
  return keys.map(block => mustRead(() => createPrivateKey(block)))
}

function readJwks (text: string): KeyObject[] {
  const value: unknown = mustRead(() => JSON.parse(text))
  const jwks = Array.isArray(value) ? value : (value as { keys?: unknown }).keys ?? [value]
  if (!Array.isArray(jwks) || jwks.length === 0) throw new RangeError('has no keys in its JWK set')
  return jwks.map((key: JsonWebKey) => mustRead(() => createPrivateKey({ key, format: 'jwk' })))
}

function mustRead<T> (attempt: () => T): T {
  try {
    return attempt()
  } catch {
    throw new RangeError('has a key that cannot be read: each must be an unencrypted private key')
  }
}

/** The two halves of a JWK may belong to different keys. No one could verify signatures of such a key. */
function mustSign (privateKey: KeyObject): void {
  const hash = algorithmOf(privateKey) === 'EdDSA' ? null : 'sha256'
  const text = Buffer.from('gatehouse')
  const verified = mustRead(() => verify(hash, text, createPublicKey(privateKey), sign(hash, text, privateKey)))
  if (!verified) throw new RangeError('has a key whose private and public part are not of one pair')
}

/** @throws {RangeError} for a key of an unsupported algorithm */
function algorithmOf ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): PrivateKeyAlgorithm {
  if (asymmetricKeyType === 'ed25519') return 'EdDSA'
  if (asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1') return 'ES256'
  if (asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048) return 'RS256'
  throw new RangeError('has a key that is none of: Ed25519, P-256, RSA of at least 2048 bits')
}

/** @returns the public key. Its `kid` is the thumbprint of RFC 7638, so it is the same on every replica */
export function publicJwk (privateKey: KeyObject): PublicJwk {
  const jwk = createPublicKey(privateKey).export({ format: 'jwk' })
  const { crv, e, kty, n, x, y } = jwk
  // The required members of the key's type, in lexicographic order: JSON leaves out those that are undefined.
  const kid = createHash('sha256').update(JSON.stringify({ crv, e, kty, n, x, y })).digest('base64url')
  return { ...jwk, kid, alg: algorithmOf(privateKey), use: 'sig' }
}
