import { Prisma, type PrismaClient } from '../../prisma/client.js'
import { STATEMENT_PART } from '../database/database.js'
import { deleteLinkMails, deleteSentLinkMails, insertAnnouncement } from '../mail/account-mails.js'
import type { Queries } from './accounts.js'
import { endLinks } from './reset-links.js'

/* Changes of accounts, each with what it means for their tokens, links, known addresses and mails. */

/**
 * The columns of every change that revokes a user's tokens (see login-records.ts for the known addresses).
 * The time is PostgreSQL's, so no replica's clock matters.
 */
export const endTokens = Prisma.sql`token_version = token_version + 1, tokens_revoked_at = now()`

/** The part of a statement that has the ids of the accounts which it changes. */
export const CHANGED = Prisma.sql`changed`

/** A change of several columns of an account at once. */
export interface AccountChange {
  id: number
  /** What columns become: one or more. Their names are code, and stand in the statement. A time may be `now`. */
  columns: Record<string, unknown>
  /** Its tokens end. */
  revokes: boolean
  /** Its links end, and the addresses that it logged in from are no longer known. */
  distrusts: boolean
  /** Its links end. */
  voidsLinks: boolean
  /** It has another password, which a mail announces. */
  announces: boolean
}

/** Changes many accounts by a few statements. It belongs into a transaction. */
export async function changeAccounts (
  db: Queries, changes: readonly AccountChange[], requestId: string
): Promise<void> {
  const names = new Set(changes.flatMap(({ columns }) => Object.keys(columns)))
  const columns = Prisma.raw([...names].join(', '))
  await db.$queryRaw`
    WITH given AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
        AS given (id int, columns jsonb, revokes bool, distrusts bool, "voidsLinks" bool)
    ), changed AS (
      UPDATE users SET (updated_at, ${columns}) = (
        SELECT now(), ${columns} FROM jsonb_populate_record(users, columns)
      ), token_version = token_version + revokes::int,
        tokens_revoked_at = CASE WHEN revokes THEN clock_timestamp() ELSE tokens_revoked_at END,
        reset_token_hash = CASE WHEN NOT "voidsLinks" THEN reset_token_hash END,
        pending_reset_token_hash = CASE WHEN NOT "voidsLinks" THEN pending_reset_token_hash END,
        pending_reset_token_version = pending_reset_token_version + revokes::int
      FROM given WHERE users.id = given.id
      RETURNING users.id, token_version, revokes AND NOT distrusts AS trusts
    )
    UPDATE known_addresses SET token_version = changed.token_version FROM changed
    WHERE trusts AND user_id = changed.id AND known_addresses.token_version = changed.token_version - 1`
  const idsOf = (what: 'voidsLinks' | 'announces'): number[] => changes.filter(one => one[what]).map(({ id }) => id)
  const changed = (ids: number[]): Prisma.Sql => Prisma.sql`WITH changed AS (SELECT unnest(${ids}::int[]) AS id)`
  const [others, announces] = [idsOf('voidsLinks'), idsOf('announces')]
  if (others.length > 0) await db.$executeRaw`${changed(others)} ${deleteSentLinkMails(CHANGED)}`
  if (announces.length > 0) {
    await db.$executeRaw`${changed(announces)} ${deleteLinkMails(CHANGED)}`
    await db.$executeRaw`${changed(announces)} ${insertAnnouncement(CHANGED, requestId)}`
  }
}

/** Each of these returns false if there is no such account. */
export const disable = (db: Queries, username: string): Promise<boolean> =>
  changeVoidingLinks(db, username, Prisma.sql`disabled_at = COALESCE(disabled_at, now()), disabled_by_source = false,
    ${endTokens}`)

export async function enable (db: Queries, username: string): Promise<boolean> {
  return await db.$executeRaw`
    UPDATE users SET disabled_at = NULL, disabled_by_source = false, updated_at = now()
    WHERE username = ${username}` > 0
}

/** Revokes the user's tokens, because they name the role. */
export const setRole = (db: Queries, username: string, role: string): Promise<boolean> =>
  revokeKeepingTrust(db, Prisma.sql`username = ${username}`, Prisma.sql`role = ${role}`)

/**
 * A change that ends an account's tokens. Known addresses and reset links stay valid, because nothing suspicious
 * happened.
 *
 * @param whose and `changes` are SQL of `users`
 */
export async function revokeKeepingTrust (db: Queries, whose: Prisma.Sql, changes: Prisma.Sql): Promise<boolean> {
  const changed = await db.$queryRaw<unknown[]>`
    WITH changed AS (
      UPDATE users SET ${changes}, ${endTokens}, updated_at = now(),
        pending_reset_token_version = pending_reset_token_version + 1
      WHERE ${whose} RETURNING id, token_version
    ), still_known AS (
      UPDATE known_addresses SET token_version = changed.token_version FROM changed
      WHERE user_id = changed.id AND known_addresses.token_version = changed.token_version - 1
    )
    SELECT id FROM changed`
  return changed.length > 0
}

export const revokeTokens = (db: Queries, username: string): Promise<boolean> =>
  changeVoidingLinks(db, username, endTokens)

/** In `deleted_users` it stands for everyone: tokens that were issued before its time are refused. */
export const EVERYONE = 0

/** The clocks of replicas may differ by a second, and a token has only the second in which it was issued. */
const MARGIN_SECONDS = 2

/**
 * Revokes every token, known address and link. Replicas refuse tokens by when they were issued, because they could not
 * read thousands of versions several times a second. That also refuses tokens that this database knows nothing of,
 * after an older one was restored.
 *
 * @param timeout of the transaction, in ms
 * @returns how many users there are
 */
export async function revokeAllTokens (db: PrismaClient, timeout: number): Promise<number> {
  return await db.$transaction(async (tx) => {
    // Behind a pooler the role may have a shorter one. PostgreSQL has to give up before the transaction does.
    await tx.$queryRaw`SELECT set_config('statement_timeout', ${String(Math.floor(STATEMENT_PART * timeout))}, true)`
    const users = await tx.$executeRaw`UPDATE users SET token_version = token_version + 1, ${endLinks}`
    // A statement of its own, which sees the mails that were sent while the other one ran.
    await tx.$executeRaw`WITH changed AS (SELECT id FROM users) ${deleteSentLinkMails(CHANGED)}`
    // A refresh may have read a session until now.
    await tx.$executeRaw`
      INSERT INTO deleted_users (id, deleted_at)
      VALUES (${EVERYONE}, clock_timestamp() + make_interval(secs => ${MARGIN_SECONDS}::float8))
      ON CONFLICT (id) DO UPDATE SET deleted_at = EXCLUDED.deleted_at`
    return users
  }, { timeout })
}

/** The links that were mailed to the former address are void. @returns false if there is no such account */
export const setEmail = (db: Queries, username: string, email: string | null): Promise<boolean> =>
  changeVoidingLinks(db, username, Prisma.sql`email = ${email}`)

/** @returns false if there is no such account */
async function changeVoidingLinks (db: Queries, username: string, changes: Prisma.Sql): Promise<boolean> {
  const changed = await db.$queryRaw<unknown[]>`
    WITH changed AS (
      UPDATE users SET ${changes}, ${endLinks}, updated_at = now() WHERE username = ${username} RETURNING id
    ), void AS (${deleteSentLinkMails(CHANGED)})
    SELECT id FROM changed`
  return changed.length > 0
}
