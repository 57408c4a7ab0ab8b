import { action, note, ok } from '../base/finding.js'
import { pluralize, duration } from '../base/text.js'
import type { RawQueries } from '../database/database.js'
import { Prisma, type MailKind, type PrismaClient } from '../../prisma/client.js'
import { endPause } from './mail-server.js'
import { unclaimed } from './mails.js'

/** A mail that waits, for operators. Nothing of its text is kept anywhere. */
export interface WaitingMail {
  id: string
  kind: MailKind
  /** Both are null for a request whose user has not been looked up yet: what was typed into the form is never shown. */
  username: string | null
  email: string | null
  createdAt: Date
  attempts: number
  /** Why the last attempt failed, without addresses. */
  lastFailure: string | null
  /** Null while a replica is sending it. */
  nextTryAt: Date | null
}

interface Waiting {
  mails: number
  /** How many of them were tried in vain, and the last answer to one. */
  failed: number
  cause: string | null
  /** How long the oldest has waited, an invitation at most since the last mail that went out; 0 if none waits. */
  oldestSeconds: number
}

/** Null without a fault of the mail server. */
const pausedUntil = Prisma.sql`(SELECT paused_until FROM mail_server)`

/**
 * What waits on all replicas: any of them may send it. Thousands of invitations take hours to go out, one after the
 * other. As long as mails go out, those that were not tried yet are not late.
 */
export async function waitingInAll (db: RawQueries): Promise<Waiting> {
  const [waiting] = await db.$queryRaw<Waiting[]>`
    SELECT count(DISTINCT coalesce(letter_id, id))::int AS mails, max(last_failure) AS cause,
      (count(DISTINCT coalesce(letter_id, id)) FILTER (WHERE last_failure IS NOT NULL))::int AS failed,
      coalesce(extract(epoch FROM now() - min(CASE WHEN kind = 'invitation' AND last_failure IS NULL
        THEN greatest(created_at, (SELECT max(sent_at) FROM mails)) ELSE created_at END)), 0)::float8 AS "oldestSeconds"
    FROM mails WHERE due_at IS NOT NULL`
  return waiting!
}

/** A due mail is normally claimed within seconds. One that waits this long for its first try is late. */
const LATE_SECONDS = 300

/** What each state of the outbox means, and what to do about it. */
export const outboxStates = {
  empty: ok('no mail waits'),
  waiting: ok('mails wait for the first try'),
  delayed: action('mails wait that were not sent yet',
    'see gatehouse mails list; repair the mail server, then: gatehouse mails retry'),
  unreadable: action('the outbox has a trouble of its own: mails wait',
    'search the log for outbox_unavailable; doctor\'s database-rights names a right that the role lacks, and ' +
    'pg_blocking_pids who locks a table'),
  unknown: note('the database is away, and with it the outbox')
}

/** The state of the outbox of a database that can be read. */
export function outboxState (
  { mails, failed, cause, oldestSeconds }: Waiting
): { value: keyof typeof outboxStates, reason?: string } {
  if (mails === 0) return { value: 'empty' }
  const waiting = `${pluralize(mails, 'mail')}, the oldest for ${duration(oldestSeconds * 1000)}`
  if (failed > 0) return { value: 'delayed', reason: `${waiting}; ${failed} tried in vain: ${cause}` }
  return oldestSeconds < LATE_SECONDS
    ? { value: 'waiting' }
    : { value: 'delayed', reason: `${waiting}; no replica has tried them` }
}

/** @param id of one mail. @returns the oldest mails first */
export async function waitingMails (db: PrismaClient, limit: number, id?: string): Promise<WaitingMail[]> {
  return await db.$queryRaw<WaitingMail[]>`
    SELECT mails.id::text, kind::text, users.username, users.email, mails.created_at AS "createdAt", attempts,
      last_failure AS "lastFailure",
      CASE WHEN claimed_until > now() THEN NULL ELSE greatest(due_at, ${pausedUntil}) END AS "nextTryAt"
    FROM mails LEFT JOIN users ON users.id = user_id
    WHERE due_at IS NOT NULL AND mails.id::text = coalesce(${id ?? null}, mails.id::text)
    ORDER BY mails.created_at, mails.id LIMIT ${limit}`
}

/**
 * Lets a mail with those of its letter, or all of them, be tried at once: no pause after a fault of the mail server
 * lasts.
 *
 * @returns how many
 */
export async function retryNow (db: PrismaClient, id?: string): Promise<number> {
  const retried = await db.$executeRaw`
    UPDATE mails SET due_at = now()
    WHERE due_at IS NOT NULL AND ${unclaimed} AND (
      id::text = coalesce(${id ?? null}, id::text)
      OR letter_id = (SELECT letter_id FROM mails WHERE id::text = ${id ?? null} AND due_at IS NOT NULL))`
  if (retried > 0) await endPause(db)
  return retried
}

/** @returns false if it does not wait any more, or is being sent */
export async function dropMail (db: PrismaClient, id: string): Promise<boolean> {
  return await db.$executeRaw`
    DELETE FROM mails
    WHERE id::text = ${id} AND due_at IS NOT NULL AND ${unclaimed}` > 0
}
