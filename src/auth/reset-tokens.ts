import { createHash, randomBytes } from 'node:crypto'

/**
 * As long as the window in which mails are capped (outbox.ts). So whenever no further mail is granted, one of those
 * that were has a valid link or still waits, whoever asked for it.
 */
export const RESET_TOKEN_MINUTES = 60

/** 32 random bytes in base64url. */
const FORM = /^[A-Za-z0-9_-]{43}$/

export function createResetToken (): string {
  return randomBytes(32).toString('base64url')
}

/**
 * What is stored of a token. It has all of SHA-256's strength without a salt, because it is random.
 *
 * @returns undefined for what cannot be a token
 */
export function resetTokenHash (token: unknown): string | undefined {
  if (typeof token !== 'string' || !FORM.test(token)) return undefined
  return createHash('sha256').update(token).digest('hex')
}
