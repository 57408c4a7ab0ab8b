import { Prisma, type PrismaClient, type User } from '../../prisma/client.js'
import { DatabaseUnavailable } from '../database/outage.js'
import { insertAnnouncement, deleteLinkMails, deleteSentLinkMails } from '../mail/account-mails.js'
import { hasResetToken, endLinks } from './reset-links.js'

/** The username belongs to another account, or the email of who registers by themselves does, or who signs in. */
export class AlreadyTaken extends Error {
  override readonly name = 'AlreadyTaken'
}

type NewAccount = Pick<User, 'username' | 'email' | 'passwordHash' | 'userType' | 'role'> &
  Partial<Pick<User,
    'adpStatus' | 'bookChapterApproverDesignation' | 'passwordTemporary' | 'selfRegistered' |
    'signInIssuer' | 'signInSubject'>>

/** The database, or a transaction in it. */
export type Queries = Pick<PrismaClient, '$queryRaw' | '$executeRaw'>

/** Whether a statement failed because something must be unique, in the words of Prisma or PostgreSQL. */
export function isTaken (error: unknown): boolean {
  const { code, message } = error as Error & { code?: unknown }
  return code === 'P2002' || /\b23505\b/.test(message)
}

/**
 * An administrator may give several accounts one address. Who registers by themselves may not take one that any account
 * has: nobody has proved that it is theirs.
 *
 * @throws {AlreadyTaken}
 * @throws {DatabaseUnavailable} also if the sequence is behind
 */
export async function createAccount (db: PrismaClient, account: NewAccount): Promise<User> {
  try {
    return account.selfRegistered ? await register(db, account) : await db.user.create({ data: account })
  } catch (error) {
    if (!isTaken(error)) throw error
    throw sequenceBehind(error) ?? new AlreadyTaken('the username is another account\'s', { cause: error })
  }
}

/** Of two registrations with one address at once, the second waits until it can see the first. */
async function register (db: PrismaClient, account: NewAccount): Promise<User> {
  const { email } = account
  return await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${email}, 0))`
    if (email !== null && await tx.user.findFirst({ where: { email }, select: { id: true } })) {
      throw new AlreadyTaken('the email is another account\'s')
    }
    return await tx.user.create({ data: account })
  })
}

/**
 * A restore or a replication of the rows alone leaves the sequence of numbers behind. Each try moves it by one, so a
 * later one succeeds.
 *
 * @returns undefined if something else was taken
 */
export function sequenceBehind (error: unknown): DatabaseUnavailable | undefined {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: { originalMessage?: string } } } }
  // The name of the constraint is the same in every language of PostgreSQL's.
  if (!/users_pkey/.test(meta?.driverAdapterError?.cause?.originalMessage ?? '')) return undefined
  return new DatabaseUnavailable(
    'the sequence users_id_seq is behind: it gave the number of an account. gatehouse doctor prints the cure',
    { cause: error })
}

/**
 * The columns of every change that revokes a user's tokens (see login-records.ts for the known addresses).
 * The time is PostgreSQL's, so no replica's clock matters.
 */
const endTokens = Prisma.sql`token_version = token_version + 1, tokens_revoked_at = now()`

/** The part of a statement that has the ids of the accounts which it changes. */
const CHANGED = Prisma.sql`changed`

export interface NewPassword {
  /** Null for an account that nobody may log in to until a password is set. */
  passwordHash: string | null
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
  db: Queries, username: string, passwordHash: string | null, requestId = 'gatehouse users set-password'
): Promise<boolean> {
  const change = { passwordHash, requestId }
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
  changeRevoking(db, Prisma.sql`username = ${username}`, Prisma.sql`role = ${role}`)

/**
 * A change that ends an account's tokens. Known addresses and reset links stay valid, because nothing suspicious
 * happened.
 *
 * @param whose and `changes` are SQL of `users`
 */
export async function changeRevoking (db: Queries, whose: Prisma.Sql, changes: Prisma.Sql): Promise<boolean> {
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
 * @returns how many users there are
 */
export async function revokeAllTokens (db: PrismaClient, timeout: number): Promise<number> {
  return await db.$transaction(async (tx) => {
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

/** How many accounts are named that have the same address as another. A whole school may have that of its office. */
const MAX_SHARERS = 100

/** The usernames of the other accounts with the address of this one, the first 100. */
export async function sharersOf (db: PrismaClient, { id, email }: Pick<User, 'id' | 'email'>): Promise<string[]> {
  if (email === null) return []
  const sharers = await db.user.findMany({
    where: { email, id: { not: id } }, select: { username: true }, orderBy: { id: 'asc' }, take: MAX_SHARERS
  })
  return sharers.map(({ username }) => username)
}

/** The links that were mailed to the former address are void. @returns false if there is no such account */
export const setEmail = (db: Queries, username: string, email: string | null): Promise<boolean> =>
  changeVoidingLinks(db, username, Prisma.sql`email = ${email}`)

/**
 * Deletes an account with all that belongs to it. Its number stays for a day, for the replicas that would accept its
 * tokens.
 *
 * @returns false if there is no such account
 */
export async function deleteAccount (db: Queries, username: string): Promise<boolean> {
  const deleted = await db.$queryRaw<unknown[]>`
    WITH deleted AS (
      DELETE FROM users WHERE username = ${username} RETURNING id
    ), forgotten AS (
      DELETE FROM deleted_users WHERE deleted_at < now() - interval '1 day'
    )
    INSERT INTO deleted_users (id) SELECT id FROM deleted RETURNING id`
  return deleted.length > 0
}

/** @returns false if there is no such account */
async function changeVoidingLinks (db: Queries, username: string, changes: Prisma.Sql): Promise<boolean> {
  const changed = await db.$queryRaw<unknown[]>`
    WITH changed AS (
      UPDATE users SET ${changes}, ${endLinks}, updated_at = now() WHERE username = ${username} RETURNING id
    ), void AS (${deleteSentLinkMails(CHANGED)})
    SELECT id FROM changed`
  return changed.length > 0
}
