import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-gcm'
const [NONCE_BYTES, TAG_BYTES] = [12, 16]

/** Encrypts what leaves this process. The first key seals, and all open, so that a key can be replaced. */
export class Sealing {
  readonly #keys: Buffer[]

  /**
   * @param texts the secrets that keys are derived from; with none nothing can be sealed or opened
   * @param purpose what is sealed: with another purpose a secret gives other keys
   */
  constructor (texts: readonly string[], purpose: string) {
    this.#keys = texts.map(text => Buffer.from(hkdfSync('sha256', text, '', `gatehouse ${purpose}`, 32)))
  }

  /** Whether anything can be sealed. */
  get works (): boolean {
    return this.#keys.length > 0
  }

  /** @returns base64url, which opens only with the same context */
  seal (content: Buffer, context: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.#keys[0]!, nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(content), cipher.final()])
    return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url')
  }

  /** @returns undefined if no key opens it, or if it has another context */
  open (sealed: string, context: string): Buffer | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
    for (const key of this.#keys) {
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
      } catch {
        // Sealed with another key.
      }
    }
    return undefined
  }
}
