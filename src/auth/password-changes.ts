import { Prisma, type PrismaClient, type User } from '../../prisma/client.js'
import { deleteLinkMails, insertAnnouncement } from '../mail/account-mails.js'
import { CHANGED, endTokens } from './account-changes.js'
import type { Queries } from './accounts.js'
import { endLinks, hasResetToken } from './reset-links.js'

export interface NewPassword {
  passwordHash: string
  /** The request that asked for the change. It is stored with the mail that announces the change. */
  requestId: string
  /** The address that the change came from, which becomes a known address. A command has none. */
  client?: string
  /** The code of the language of that mail; English without one. */
  language?: string
}

interface Changed {
  id: number
  username: string
  /** How many sessions ended. */
  sessions: number
}

/**
 * Uses up a reset token: sets the password, revokes all earlier tokens, and announces it by mail. Only one of several
 * uses succeeds.
 *
 * @returns undefined if the token is not valid
 */
export async function redeemResetToken (
  db: PrismaClient, tokenHash: string, change: NewPassword
): Promise<Changed | undefined> {
  return await changePassword(db, hasResetToken(tokenHash), change)
}

/**
 * The same for a user whose current password was checked. Only one of several changes at once succeeds, because each
 * raises the token version.
 */
export async function changeOwnPassword (
  db: PrismaClient, { id, tokenVersion }: Pick<User, 'id' | 'tokenVersion'>, change: NewPassword
): Promise<Changed | undefined> {
  const whose = Prisma.sql`id = ${id} AND token_version = ${tokenVersion} AND disabled_at IS NULL`
  return await changePassword(db, whose, change)
}

/** @returns false if there is no such account */
export async function setPassword (
  db: Queries, username: string, passwordHash: string
): Promise<boolean> {
  const change = { passwordHash, requestId: 'gatehouse users set-password' }
  return await changePassword(db, Prisma.sql`username = ${username}`, change) !== undefined
}

/**
 * Stores a newer hash of the same password. Only the verified hash is replaced, so a password that was changed
 * meanwhile stays changed. Tokens and links stay valid. A row that is locked is left as it is.
 */
export async function replaceHash (
  db: Queries, id: number, outdatedHash: string, passwordHash: string
): Promise<void> {
  await db.$executeRaw`
    UPDATE users SET password_hash = ${passwordHash}, updated_at = now() WHERE id IN (
      SELECT id FROM users WHERE id = ${id} AND password_hash = ${outdatedHash}
      FOR NO KEY UPDATE SKIP LOCKED)`
}

/** The username of the account with this reset token. */
export async function ownerOfResetToken (db: PrismaClient, tokenHash: string): Promise<string | undefined> {
  const [owner] = await db.$queryRaw<Array<{ username: string }>>`
    SELECT username FROM users WHERE ${hasResetToken(tokenHash)}`
  return owner?.username
}

async function changePassword (
  db: Queries, whose: Prisma.Sql, { passwordHash, requestId, client, language }: NewPassword
): Promise<Changed | undefined> {
  const [changed] = await db.$queryRaw<Changed[]>`
    WITH changed AS (
      UPDATE users SET password_hash = ${passwordHash}, password_temporary = false, ${endTokens}, ${endLinks},
        updated_at = now()
      WHERE ${whose} RETURNING id, username, token_version
    ), known AS (
      INSERT INTO known_addresses (user_id, client, token_version)
      SELECT id, address, token_version
      FROM changed, (VALUES (${client ?? null}::text)) AS its (address) WHERE address IS NOT NULL
      ON CONFLICT (user_id, client) DO UPDATE SET token_version = EXCLUDED.token_version, last_login_at = now()
    ), needless AS (${deleteLinkMails(CHANGED)}), announced AS (${insertAnnouncement(CHANGED, requestId, language)})
    SELECT id, username, (
      SELECT count(*)::int FROM sessions
      WHERE user_id = changed.id AND sessions.token_version = changed.token_version - 1 AND ended_at IS NULL
    ) AS sessions
    FROM changed`
  return changed
}
