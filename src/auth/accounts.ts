import { Prisma, type PrismaClient, type User } from '../generated/prisma/client.js'

export const LOWEST_ROLE = 'USER'
export const ADMIN_ROLE = 'ADMIN'
export const DEFAULT_USER_TYPE = 'STUDENT'

/**
 * What letters a new username may have: none that look like another, and nothing with a meaning in an address, a path or
 * a key. Old accounts may have others.
 */
export const USERNAME = '^[A-Za-z0-9][A-Za-z0-9._-]{1,62}[A-Za-z0-9]$'
export const USERNAME_RULE = 'must have 3 to 64 letters from a to z, digits, dots, hyphens and underscores, and begin and end with a letter or digit'

/** An address as HTML's forms take it, with a dot in its domain. Every repetition is bounded, so no text takes long. */
export const EMAIL = '^[A-Za-z0-9.!#$%&\'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?){1,8}$'
export const EMAIL_RULE = 'must be an address such as asha@school.example'
export const MAX_EMAIL_LENGTH = 254

/** Whether a text is one address and no list of them, which mail software would also read. */
export function isEmail (text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && new RegExp(EMAIL).test(text)
}

/** A role or a user type. */
export const CODE = '^[A-Z][A-Z0-9_]{0,63}$'
export const CODE_RULE = 'must have capital letters, digits and underscores only, such as TEACHER'

/** The username or the email is another account's. */
export class AlreadyTaken extends Error {
  override readonly name = 'AlreadyTaken'
}

export type NewAccount = Pick<User, 'username' | 'email' | 'passwordHash' | 'userType' | 'role'> &
  Partial<Pick<User, 'adpStatus' | 'bookChapterApproverDesignation'>>

/** @throws {AlreadyTaken} */
export async function createAccount (db: PrismaClient, account: NewAccount): Promise<User> {
  try {
    return await db.user.create({ data: account })
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'P2002') throw error
    throw new AlreadyTaken('the username or the email is another account\'s', { cause: error })
  }
}

/**
 * What every change sets after which a user's earlier tokens and reset links are void. The time is PostgreSQL's, so no
 * replica's clock matters.
 */
const revoked = Prisma.sql`
  token_version = token_version + 1, tokens_revoked_at = now(), updated_at = now(), reset_token_hash = NULL`

/**
 * Uses a reset token up, once however many try: sets the password, voids every earlier token, and announces it by mail.
 *
 * @returns the account's username; undefined if the token is none that is valid now
 */
export async function resetPassword (db: PrismaClient, tokenHash: string, passwordHash: string, requestId: string): Promise<string | undefined> {
  return await changePassword(db, Prisma.sql`reset_token_hash = ${tokenHash} AND reset_token_expires_at > now() AND disabled_at IS NULL`, passwordHash, requestId)
}

/** @returns false if there is no such account */
export async function setPassword (db: PrismaClient, username: string, passwordHash: string): Promise<boolean> {
  return await changePassword(db, Prisma.sql`username = ${username}`, passwordHash, 'gatehouse users set-password') !== undefined
}

/** Whose reset token this is now. */
export async function ownerOfResetToken (db: PrismaClient, tokenHash: string): Promise<string | undefined> {
  const [owner] = await db.$queryRaw<Array<{ username: string }>>`
    SELECT username FROM users WHERE reset_token_hash = ${tokenHash} AND reset_token_expires_at > now() AND disabled_at IS NULL`
  return owner?.username
}

async function changePassword (db: PrismaClient, whose: Prisma.Sql, passwordHash: string, requestId: string): Promise<string | undefined> {
  const [changed] = await db.$queryRaw<Array<{ username: string }>>`
    WITH changed AS (
      UPDATE users SET password_hash = ${passwordHash}, ${revoked} WHERE ${whose} RETURNING id, username
    ), overtaken AS (
      DELETE FROM mails USING changed WHERE user_id = changed.id AND kind = 'password_reset' AND due_at IS NOT NULL
    ), announced AS (
      INSERT INTO mails (kind, user_id, request_id) SELECT 'password_changed', id, ${requestId} FROM changed
    )
    SELECT username FROM changed`
  return changed?.username
}

/** Each of these returns false if there is no such account. */
export const disable = (db: PrismaClient, username: string): Promise<boolean> =>
  change(db, username, Prisma.sql`disabled_at = COALESCE(disabled_at, now()), ${revoked}`)

export const enable = (db: PrismaClient, username: string): Promise<boolean> =>
  change(db, username, Prisma.sql`disabled_at = NULL, updated_at = now()`)

export const setRole = (db: PrismaClient, username: string, role: string): Promise<boolean> =>
  change(db, username, Prisma.sql`role = ${role}, ${revoked}`)

export const revokeTokens = (db: PrismaClient, username: string): Promise<boolean> =>
  change(db, username, revoked)

async function change (db: PrismaClient, username: string, changes: Prisma.Sql): Promise<boolean> {
  return await db.$executeRaw`UPDATE users SET ${changes} WHERE username = ${username}` > 0
}
