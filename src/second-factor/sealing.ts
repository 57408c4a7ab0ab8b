import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { generatedSecret } from '../auth/tokens.js'
import { SECRET_BYTES } from './codes.js'

const ALGORITHM = 'aes-256-gcm'
const [NONCE_BYTES, TAG_BYTES] = [12, 16]

/** Secrets at rest. The first key seals, and all open, so that a key can be replaced while factors exist. */
export class Sealing {
  readonly #keys: Buffer[]

  /** @param texts those of SECOND_FACTOR_KEY; with none nothing can be sealed or opened */
  constructor (texts: readonly string[]) {
    this.#keys = texts.map(text => Buffer.from(hkdfSync('sha256', text, '', 'gatehouse second factors', 32)))
  }

  /** Whether secrets can be sealed. Without a key there are no enrolments. */
  get works (): boolean {
    return this.#keys.length > 0
  }

  /** @returns the sealed secret in base64url, which opens only as this user's */
  seal (secret: Buffer, userId: number): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.#keys[0]!, nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(ofUser(userId))
    const sealed = Buffer.concat([cipher.update(secret), cipher.final()])
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
  }

  /** @returns undefined if no key opens it, or if it is another user's */
  open (sealed: string, userId: number): Buffer | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length !== NONCE_BYTES + SECRET_BYTES + TAG_BYTES) return undefined
    for (const key of this.#keys) {
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(ofUser(userId)).setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
      } catch {
        // Sealed with another key.
      }
    }
    return undefined
  }
}

/** With the keys of the settings. Without any there is one, which the first start makes, but not in production. */
export function sealingOf (
  { secondFactorKeys, production, dataDir }: {
    secondFactorKeys: readonly string[], production: boolean, dataDir: string
  }
): Sealing {
  if (secondFactorKeys.length > 0 || production) return new Sealing(secondFactorKeys)
  return new Sealing([generatedSecret(dataDir, 'second-factor-key')])
}

const ofUser = (userId: number): Buffer => Buffer.from(`user ${userId}`)
