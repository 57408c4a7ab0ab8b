import { Prisma, type PrismaClient } from '../../prisma/client.js'
import type { Recipient } from '../mail/mails.js'
import { INVITATION_DAYS, RESET_TOKEN_MINUTES, linkTokenHash } from '../mail/link-tokens.js'

/* Links to set a password, by the hashes of their tokens in the user's row. */

/** The change of columns that ends an account's links. The statements with it also drop the mails with these links. */
export const endLinks = Prisma.sql`reset_token_hash = NULL, pending_reset_token_hash = NULL`

/**
 * Both hashes are in the user's row, so if a token is used twice at once, the second use sees the change of the first.
 * A pending token is valid, too: its mail may have arrived although the worker died before it could record that.
 */
export const hasResetToken = (hash: string): Prisma.Sql => Prisma.sql`disabled_at IS NULL AND (
  (reset_token_hash = ${hash} AND reset_token_expires_at > now()) OR
  (pending_reset_token_hash = ${hash} AND pending_reset_token_expires_at > now()
    AND pending_reset_token_version = token_version))`

/**
 * Stores the token of a mail that is about to be sent. The token of the last sent mail stays valid until this mail is
 * known to be sent.
 *
 * @param origin of the page for a new password
 * @returns the link, whose fragment has the token: browsers never send that to a server
 * @throws if the account has another address meanwhile, whose owner alone may get the link
 */
export async function beginReset (
  db: PrismaClient, { id, username, email, hasPassword }: Recipient, token: string, origin: string
): Promise<URL> {
  const minutes = hasPassword ? RESET_TOKEN_MINUTES : INVITATION_DAYS * 24 * 60
  const stored = await db.$executeRaw`
    UPDATE users SET pending_reset_token_hash = ${linkTokenHash(token)}, pending_reset_token_version = token_version,
      pending_reset_token_expires_at = now() + make_interval(mins => ${minutes}::int)
    WHERE id = ${id} AND email = ${email}`
  if (stored === 0) throw new Error('the address was changed')
  // The page shows the username to password managers. Whoever has the link has read it in the mail already.
  return new URL(`/reset-password#${new URLSearchParams({ token, username }).toString()}`, origin)
}

/**
 * Replaces the token of the last sent mail by this one, unless a change of the password has revoked this one meanwhile.
 */
export async function confirmReset (db: PrismaClient, token: string): Promise<void> {
  await db.$executeRaw`
    UPDATE users SET reset_token_hash = pending_reset_token_hash,
      reset_token_expires_at = pending_reset_token_expires_at,
      pending_reset_token_hash = NULL, pending_reset_token_expires_at = NULL, pending_reset_token_version = NULL
    WHERE pending_reset_token_hash = ${linkTokenHash(token)} AND pending_reset_token_version = token_version`
}
