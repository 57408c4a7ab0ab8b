import { createHash, randomBytes } from 'node:crypto'

/**
 * This is also the window in which mails are capped (mails.ts). So whenever no further mail is granted, an earlier mail
 * has a valid link or is still waiting.
 */
export const RESET_TOKEN_MINUTES = 60

/**
 * How long every link is valid that is mailed to an account without a password. A shorter life would protect nothing
 * there. And anyone can ask for a reset mail, whose link replaces that of an invitation.
 */
export const INVITATION_DAYS = 7

/** 32 random bytes in base64url. */
const FORM = /^[A-Za-z0-9_-]{43}$/

export function createResetToken (): string {
  return randomBytes(32).toString('base64url')
}

/**
 * The hash of a token that is stored. It needs no salt, because the token is random.
 *
 * @returns undefined for a value that cannot be a token
 */
export function resetTokenHash (token: unknown): string | undefined {
  if (typeof token !== 'string' || !FORM.test(token)) return undefined
  return createHash('sha256').update(token).digest('hex')
}
