import { createHash, createHmac, hkdfSync } from 'node:crypto'

/**
 * This is also the window in which mails are capped (reset-requests.ts). So whenever no further mail is granted, an
 * earlier mail has a valid link or is still waiting.
 */
export const RESET_TOKEN_MINUTES = 60

/**
 * How long every link is valid that is mailed to an account without a password. A shorter life would protect nothing
 * there. And anyone can ask for a reset mail, whose link replaces that of an invitation.
 */
export const INVITATION_DAYS = 7

/** 32 bytes in base64url. */
const FORM = /^[A-Za-z0-9_-]{43}$/

interface LinkOf {
  /** The mail's id, which is random. */
  id: string
  email: string
  tokenVersion: number
}

/** The key that tokens in mails are made with. It is made of the key that signs logins' tokens, and as secret. */
export function linkTokenKey ({ signing }: { signing: { signWith: string } }): Buffer {
  return Buffer.from(hkdfSync('sha256', signing.signWith, '', 'gatehouse reset tokens', 32))
}

/**
 * Each try to send a mail gets the same token, because a mail may arrive although the try failed. The token is computed
 * and not stored, so a copy of the database contains no link that works. What revokes links changes the address or the
 * token version, so a mail that is tried once more has another token then.
 */
export function linkToken (key: Buffer, { id, email, tokenVersion }: LinkOf): string {
  return createHmac('sha256', key).update(JSON.stringify([id, email, tokenVersion])).digest('base64url')
}

/**
 * The hash of a token that is stored. It needs no salt, because nobody can guess a token.
 *
 * @returns undefined for a value that cannot be a token
 */
export function linkTokenHash (token: unknown): string | undefined {
  if (typeof token !== 'string' || !FORM.test(token)) return undefined
  return createHash('sha256').update(token).digest('hex')
}
