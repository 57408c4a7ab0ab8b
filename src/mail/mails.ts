import type { RawQueries } from '../database/database.js'
import { Prisma, type Mail, type PrismaClient } from '../../prisma/client.js'
import { hasResetLink, withResetLink } from './account-mails.js'
import { isEmail } from './addresses.js'
import type { ServerFault } from './mailer.js'

/*
 * The table of mails, which the workers of all replicas share: a mail is claimed, tried, and done or tried again.
 * account-mails.ts adds mails, outbox.ts is the worker.
 */

/** How many mails one query handles at most, so that it ends before its timeout even with very many mails. */
export const AT_ONCE = 500
/**
 * The lease: how long a claimed mail belongs to its worker, which renews it while the mail server takes its time. If
 * the worker dies, the mail is claimed again after this time.
 */
export const LEASE_SECONDS = 120
const FIRST_RETRY_SECONDS = 5
const LAST_RETRY_SECONDS = 900
/** Of a mail that never came to the server. */
const LAST_RETRY_IN_OUTAGE_SECONDS = 60
/**
 * After so many recipients in a row the server is at fault: it refuses everyone. Fewer may be wrong addresses. Anyone
 * can ask for mails to three wrong addresses, so this pauses nothing.
 */
const REFUSED_IN_A_ROW = 3

export interface Recipient { id: number, username: string, email: string, hasPassword: boolean, tokenVersion: number }

export type ClaimedMail = Mail & {
  userId: number
  /** More than a day old, so that this attempt is its last. */
  overdue: boolean
  /** The mail server's faults in a row until now, if this attempt is to find out whether it works. */
  faults: number | null
}

/** Whether no worker has a mail. */
export const unclaimed = Prisma.sql`(claimed_until IS NULL OR claimed_until <= now())`
const leaseEnd = Prisma.sql`now() + make_interval(secs => ${LEASE_SECONDS}::float8)`

/** Whether there may be something to resolve or to claim. Both take longer to find nothing. */
export async function isAnyDue (db: RawQueries): Promise<boolean> {
  const [found] = await db.$queryRaw<Array<{ due: boolean }>>`
    SELECT EXISTS (SELECT FROM mails WHERE due_at <= now()) AS due`
  return found!.due
}

/** Whether another mail of the same account has to be sent before. The mails of one letter have the same place. */
const isAfter = (mail: Prisma.Sql): Prisma.Sql => Prisma.sql`EXISTS (
  SELECT FROM mails AS earlier
  WHERE earlier.user_id = ${mail}.user_id AND earlier.due_at IS NOT NULL
    AND (${withResetLink(Prisma.sql`earlier.kind`)}) = (${withResetLink(Prisma.sql`${mail}.kind`)})
    AND (earlier.created_at, coalesce(earlier.letter_id, earlier.id))
      < (${mail}.created_at, coalesce(${mail}.letter_id, ${mail}.id)))`

/** Of a letter, the first mail is claimed for all of them, when none has to wait. */
const claimable = Prisma.sql`
  user_id IS NOT NULL AND due_at <= now() AND ${unclaimed} AND NOT ${isAfter(Prisma.sql`mail`)}
  AND (letter_id IS NULL OR NOT EXISTS (
    SELECT FROM mails AS part WHERE part.letter_id = mail.letter_id AND part.due_at IS NOT NULL
      AND (part.id < mail.id OR ${isAfter(Prisma.sql`part`)})))`

/** What a user waits for, and the invitation that such a mail has to wait for. Other invitations come in thousands. */
const urgent = Prisma.sql`(kind <> 'invitation' OR user_id IN (
  SELECT user_id FROM mails WHERE kind = 'password_reset' AND due_at IS NOT NULL AND user_id IS NOT NULL))`

/**
 * Claims a mail of an account: one that a user waits for, or else the invitation that has been due for the longest
 * time. Mails that were never tried come first, so nobody's failing mail delays another user's. No other worker sees
 * the mail until its lease ends.
 * The mails with links of one account are sent in the order of their requests, because each of them invalidates the
 * link of the one before.
 * The lease is in claimed_until, so an operator may change due_at at any time. It is also written to due_at: until its
 * end the mail is not due, and then it comes behind those that waited meanwhile.
 *
 * After a fault of the mail server no worker of any replica gets a mail until the pause is over. Then one worker gets
 * one. Of the workers that have sent nothing yet, one gets a mail at a time, too: they may all have a wrong password.
 *
 * @param worker `resting` if it has failed lately: it leaves the mails to others, unless an operator wants them to be
 * tried
 * @returns the mails of one letter, mostly a single one; none if there is nothing to do
 */
export async function claim (
  db: PrismaClient, { lastTrySucceeded, resting }: { lastTrySucceeded: boolean, resting: boolean }
): Promise<ClaimedMail[]> {
  const [claimed] = await db.$queryRaw<Array<Pick<ClaimedMail, 'id' | 'overdue' | 'faults'>>>`
    WITH worker AS (
      SELECT ${lastTrySucceeded}::boolean AS proven, ${resting}::boolean AS resting,
        ${leaseEnd} AS lease
    ), server AS (
      SELECT faults, (paused_until <= now() OR (faults = 0 AND proven)) AND (faults = 0 OR NOT resting) AS open
      FROM mail_server, worker FOR UPDATE OF mail_server
    ), claimed AS (
      UPDATE mails SET attempts = attempts + 1, claimed_until = lease, due_at = lease FROM worker
      WHERE coalesce((SELECT open FROM server), NOT resting) AND id = coalesce(
        (SELECT id FROM mails AS mail WHERE ${urgent} AND ${claimable}
          ORDER BY attempts > 0, due_at LIMIT 1 FOR UPDATE SKIP LOCKED),
        (SELECT id FROM mails AS mail WHERE ${claimable} ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED))
      RETURNING id, created_at < now() - interval '1 day' AS overdue,
        coalesce((SELECT faults FROM server), CASE WHEN NOT proven THEN 0 END) AS faults
    ), alone AS (
      INSERT INTO mail_server (id, faults, paused_until)
      SELECT 1, faults, lease FROM claimed, worker WHERE faults > 0 OR NOT proven
      ON CONFLICT (id) DO UPDATE SET paused_until = EXCLUDED.paused_until
    )
    SELECT id, overdue, faults FROM claimed`
  const mail = claimed && await db.mail.findUnique({ where: { id: claimed.id } })
  if (!mail) return []
  const others = mail.letterId === null ? [] : await claimOthers(db, mail.letterId)
  return [{ ...mail, ...claimed }, ...others.map(other => ({ ...other, ...claimed, id: other.id, faults: null }))] as
    ClaimedMail[]
}

/**
 * Claims the other mails of a letter. One that is locked goes out later on its own, or is being deleted: to wait for it
 * could be a deadlock with an import, which changes accounts in another order.
 */
async function claimOthers (db: PrismaClient, letterId: string): Promise<Mail[]> {
  const claimed = await db.$queryRaw<Array<{ id: string }>>`
    UPDATE mails SET attempts = attempts + 1, claimed_until = ${leaseEnd}, due_at = ${leaseEnd}
    WHERE id IN (
      SELECT id FROM mails WHERE letter_id = ${letterId}::uuid AND due_at IS NOT NULL AND ${unclaimed}
      FOR UPDATE SKIP LOCKED)
    RETURNING id::text`
  return await db.mail.findMany({ where: { id: { in: claimed.map(({ id }) => id) } } })
}

/** Makes a letter of its own of some mails of a letter. It is due at once. Each row is written alone: see above. */
export async function split (db: PrismaClient, mails: readonly Mail[]): Promise<void> {
  for (const { id } of mails) {
    await db.$executeRaw`
      UPDATE mails SET letter_id = ${mails[0]!.id}::uuid, due_at = now(), claimed_until = NULL WHERE id = ${id}::uuid`
  }
}

/** Renews the lease of a mail, and the pause of all other workers if this one finds out about the mail server. */
export async function renew (db: PrismaClient, { id, attempts, faults }: ClaimedMail): Promise<void> {
  await db.$executeRaw`
    UPDATE mails SET claimed_until = ${leaseEnd}, due_at = ${leaseEnd}
    WHERE id = ${id}::uuid AND attempts = ${attempts} AND claimed_until > now()`
  if (faults === null) return
  await db.$executeRaw`
    UPDATE mail_server SET paused_until = ${leaseEnd}
    WHERE faults = ${faults} AND paused_until > now()`
}

/**
 * The backoff is 5 s, 10 s, 20 s … 15 minutes, with ±25 % jitter so that replicas do not retry together. A mail that
 * never came to the server waits for a minute at most, apart from the pause: it is sent soon after an outage.
 *
 * @param failure why this attempt failed, without addresses
 * @returns when the next attempt begins; undefined if the mail is not this worker's any more
 */
export async function retryLater (
  db: PrismaClient, { id, attempts }: Mail, failure: string, fault?: ServerFault
): Promise<Date | undefined> {
  const most = fault === undefined || fault === 'mail' ? LAST_RETRY_SECONDS : LAST_RETRY_IN_OUTAGE_SECONDS
  const seconds = Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), most) * (0.75 + Math.random() / 2)
  // The condition fails if the lease has expired and another worker has claimed or sent the mail.
  const [retried] = await db.$queryRaw<Array<{ dueAt: Date }>>`
    UPDATE mails SET due_at = now() + make_interval(secs => ${seconds}::float8), claimed_until = NULL,
      last_failure = ${failure}
    WHERE id = ${id}::uuid AND attempts = ${attempts} AND due_at IS NOT NULL RETURNING due_at AS "dueAt"`
  return retried?.dueAt
}

/** The mail is done: the server took it. */
export async function markSent (db: PrismaClient, id: string): Promise<void> {
  await db.$executeRaw`UPDATE mails SET due_at = NULL, claimed_until = NULL, sent_at = now() WHERE id = ${id}::uuid`
}

/** The mail is done, although nobody got it. */
export async function giveUp (db: Pick<PrismaClient, '$executeRaw'>, id: string): Promise<void> {
  await db.$executeRaw`UPDATE mails SET due_at = NULL, claimed_until = NULL WHERE id = ${id}::uuid`
}

/**
 * Records that the server refused the recipient of a mail for good. Usually the mail is given up. But if the server
 * refuses one recipient after the other, it refuses the service: then this mail waits, and so do those that were given
 * up before. As soon as the server takes any mail, those that it refused before and refuses again are given up.
 *
 * @returns whether the mail is given up
 */
export async function recordRefusal (db: PrismaClient, { id, userId }: ClaimedMail): Promise<boolean> {
  return await db.$transaction(async (tx) => {
    const [row] = await tx.$queryRaw<Array<{ refusedBefore: boolean, others: number }>>`
      WITH mail AS (
        UPDATE mails SET refused_at = coalesce(refused_at, now()) WHERE id = ${id}::uuid RETURNING refused_at
      ), accepted AS (
        SELECT coalesce(max(sent_at), '-infinity') AS at FROM mails
      )
      SELECT mail.refused_at < accepted.at AS "refusedBefore", (
        SELECT count(DISTINCT users.email)::int FROM mails JOIN users ON users.id = user_id
        WHERE refused_at > accepted.at AND users.email <> (SELECT email FROM users WHERE id = ${userId})
      ) AS others
      FROM mail, accepted`
    // Without a row, a change of the password has deleted the mail meanwhile.
    if (!row || row.refusedBefore || row.others + 1 < REFUSED_IN_A_ROW) {
      await giveUp(tx, id)
      return true
    }
    await tx.$executeRaw`
      UPDATE mails SET due_at = now() + make_interval(secs => ${FIRST_RETRY_SECONDS}::float8)
      WHERE due_at IS NULL AND refused_at > (SELECT coalesce(max(sent_at), '-infinity') FROM mails)
        AND created_at > now() - interval '1 day'`
    return false
  })
}

export type HasNoPasswordLogin = (user: { signInIssuer: string | null }) => boolean

/**
 * @param hasNoPasswordLogin says that a user has no password, and signs in at an OpenID provider
 * @returns undefined for an account that does not get this mail any more
 */
export async function recipientOf (
  db: PrismaClient, { kind, userId }: ClaimedMail, hasNoPasswordLogin: HasNoPasswordLogin
): Promise<Recipient | undefined> {
  const user = await db.user.findFirst({
    where: { id: userId, email: { not: null }, disabledAt: null },
    select: { username: true, email: true, passwordHash: true, tokenVersion: true, signInIssuer: true }
  })
  if (!user || !isEmail(user.email!)) return undefined
  const { username, email, passwordHash, tokenVersion } = user
  if (hasResetLink(kind) && hasNoPasswordLogin(user)) return undefined
  return { id: userId, username, email: email!, hasPassword: passwordHash !== null, tokenVersion }
}

/**
 * Deletes sent mails that are a day old. It skips rows that a revocation is deleting: two transactions that lock rows
 * in different orders would deadlock.
 *
 * @returns whether there may be more
 */
export async function deleteOldMails (db: PrismaClient): Promise<boolean> {
  return await db.$executeRaw`
    DELETE FROM mails WHERE id IN (
      SELECT id FROM mails WHERE due_at IS NULL AND created_at < now() - interval '1 day' LIMIT ${AT_ONCE}
      FOR UPDATE SKIP LOCKED)` === AT_ONCE
}
