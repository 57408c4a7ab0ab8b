import { Prisma, type MailKind, type PrismaClient } from '../../prisma/client.js'

/*
 * Why mails come and go: what people ask for, and what a change of an account means for its mails. outbox.ts sends
 * them.
 *
 * The parts of statements stand in the statement that changes the accounts, so a mail and its reason are written
 * together. They get the name of the table in it that has the ids of the accounts.
 */

/** Whether a mail has a link to set a password. */
export const hasResetLink = (kind: MailKind): boolean => kind === 'password_reset' || kind === 'invitation'
/** The same in a statement. */
export const withResetLink = (kind: Prisma.Sql): Prisma.Sql => Prisma.sql`${kind} IN ('password_reset', 'invitation')`

/** Whether one of `users` has a link to set a password that is still valid, or a mail with one waits. */
export const hasOrAwaitsLink = Prisma.sql`(
  (reset_token_hash IS NOT NULL AND reset_token_expires_at > now()) OR EXISTS (
    SELECT FROM mails WHERE user_id = users.id AND due_at IS NOT NULL AND ${withResetLink(Prisma.sql`kind`)}))`

/**
 * So many mails of a kind go out an hour. Anyone can change their own password without end, at any address.
 */
const MAX_ANNOUNCED = 3

/**
 * Asks for a reset mail. The request does nothing else. A worker finds out later whether the account exists and may get
 * a mail, so the request always takes the same time.
 *
 * @param language the code of the mail's language; English without one
 */
export async function requestReset (
  db: PrismaClient, whose: { username: string } | { email: string }, requestId: string, language: string | null = null
): Promise<void> {
  const { username = null, email = null } = whose as { username?: string, email?: string }
  // This does not use Prisma's API, which would set the times from this process's clock.
  await db.$executeRaw`
    INSERT INTO mails (kind, username, email, request_id, language)
    VALUES ('password_reset', ${username}, ${email}, ${requestId}, ${language})`
}

/**
 * Mails a link to those who have an address and no password, unless they have a link that is still valid, or a mail
 * with one waits.
 *
 * @returns how many get a mail
 */
export async function invite (
  db: Pick<PrismaClient, '$executeRaw'>, usernames: string[], requestId: string
): Promise<number> {
  return await db.$executeRaw`
    INSERT INTO mails (kind, user_id, request_id)
    SELECT 'invitation', id, ${requestId} FROM users
    WHERE username = ANY(${usernames}) AND password_hash IS NULL AND email IS NOT NULL AND disabled_at IS NULL
      AND NOT ${hasOrAwaitsLink}
    ORDER BY id`
}

/** Announces that the password was changed. */
export const insertAnnouncement = (changed: Prisma.Sql, requestId: string, language?: string): Prisma.Sql => Prisma.sql`
  INSERT INTO mails (kind, user_id, request_id, language)
  SELECT 'password_changed', id, ${requestId}, ${language ?? null} FROM ${changed}
  WHERE (
    SELECT count(*) FROM mails
    WHERE user_id = ${changed}.id AND kind = 'password_changed' AND created_at > now() - interval '1 hour'
  ) < ${MAX_ANNOUNCED}`

/**
 * Mails an account's owner what concerns the second factor, to the address that the account has.
 *
 * @returns false if it has none, or if there were such mails lately: three within an hour, or one within a minute
 */
export async function notify (
  db: Pick<PrismaClient, '$executeRaw'>, kind: 'second_factor' | 'second_factor_removed' | 'password_stolen',
  userId: number, requestId: string, language: string | null = null
): Promise<boolean> {
  return await db.$executeRaw`
    INSERT INTO mails (kind, user_id, request_id, language)
    SELECT ${kind}::mail_kind, id, ${requestId}, ${language} FROM users
    WHERE id = ${userId} AND email IS NOT NULL AND disabled_at IS NULL AND NOT EXISTS (
      SELECT FROM mails WHERE user_id = users.id AND kind = ${kind}::mail_kind
      HAVING count(*) FILTER (WHERE created_at > now() - interval '1 hour') >= ${MAX_ANNOUNCED}
        OR max(created_at) > now() - interval '1 minute')` > 0
}

/** Drops the mails that wait to begin an enrolment, after one was confirmed. Those sent count for the next ones. */
export const deleteEnrolmentMails = (userId: number): Prisma.Sql => Prisma.sql`
  DELETE FROM mails WHERE user_id = ${userId} AND kind = 'second_factor' AND due_at IS NOT NULL`

/** Drops all mails with links, which a new password makes needless. */
export const deleteLinkMails = (changed: Prisma.Sql): Prisma.Sql => Prisma.sql`
  DELETE FROM mails USING ${changed} WHERE user_id = ${changed}.id AND ${withResetLink(Prisma.sql`kind`)}`

/**
 * Drops the mails whose links are void, so that they do not count for the next ones. Those that still wait are kept,
 * because they will be sent with a valid link.
 */
export const deleteSentLinkMails = (changed: Prisma.Sql): Prisma.Sql => Prisma.sql`
  DELETE FROM mails USING ${changed} WHERE user_id = ${changed}.id AND kind = 'password_reset' AND due_at IS NULL`
