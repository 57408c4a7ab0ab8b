import { Prisma, type Mail, type PrismaClient } from '../generated/prisma/client.js'
import { RESET_TOKEN_MINUTES } from './reset-tokens.js'
import { isEmail } from './rules.js'

/* The table of mails, as the workers of all replicas share it. outbox.ts is the worker. */

/** However many mails there are, a query of as many is over before its time is up. */
export const AT_ONCE = 500
/** How long a claimed mail is its worker's alone. A mail whose worker died is claimed again after it. */
const LEASE_SECONDS = 120
const FIRST_RETRY_SECONDS = 5
const LAST_RETRY_SECONDS = 900

/**
 * An account gets no more reset mails than this within the window, whoever asks for them. The window is as long as a
 * link is valid, and a revocation deletes the mails whose links it voids (accounts.ts). So while an account gets no
 * further mail, its newest link is valid, or a mail waits. A mail that is being sent during a revocation counts,
 * although its link is void. There is one such mail at most, because the mails of an account are sent one after the
 * other.
 */
const MAX_RESETS = 3
const MAX_RESETS_WINDOW_MS = RESET_TOKEN_MINUTES * 60_000

export interface Recipient { id: number, username: string, email: string }

/** A mail, and whether its day is over. */
export type ClaimedMail = Mail & { overdue: boolean }

/**
 * Asks for a reset mail. This is all that happens within the request: whether there is such an account, and what it may
 * get, is found out by a worker, so the request takes the same time whatever the answer.
 */
export async function requestReset (
  db: PrismaClient, whose: { username: string } | { email: string }, requestId: string
): Promise<void> {
  const { username = null, email = null } = whose as { username?: string, email?: string }
  // Not through Prisma, which would fill in the times from this process's clock.
  await db.$executeRaw`
    INSERT INTO mails (kind, username, email, request_id)
    VALUES ('password_reset', ${username}, ${email}, ${requestId})`
}

/**
 * Takes the mail that has been due for longest, which no other worker sees from now on until its lease is over. The
 * reset mails of one account go out in the order in which they were asked for, because each makes the link of the last
 * one void. Its lease is claimed_until, so that an operator may set due_at at any time; due_at follows it for replicas
 * of the last release, which know no other lease.
 */
export async function claim (db: PrismaClient): Promise<ClaimedMail | undefined> {
  const [claimed] = await db.$queryRaw<Array<{ id: string, overdue: boolean }>>`
    UPDATE mails SET attempts = attempts + 1, claimed_until = lease.over, due_at = lease.over
    FROM (SELECT now() + make_interval(secs => ${LEASE_SECONDS}::float8) AS over) AS lease
    WHERE id = (
      SELECT id FROM mails AS mail
      WHERE due_at <= now() AND (claimed_until IS NULL OR claimed_until <= now()) AND NOT EXISTS (
        SELECT FROM mails AS earlier
        WHERE earlier.user_id = mail.user_id AND earlier.kind = mail.kind AND earlier.due_at IS NOT NULL
          AND (earlier.created_at, earlier.id) < (mail.created_at, mail.id))
      ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, created_at < now() - interval '1 day' AS overdue`
  const mail = claimed && await db.mail.findUnique({ where: { id: claimed.id } })
  return mail ? { ...mail, overdue: claimed.overdue } : undefined
}

/** 5 s, 10 s, 20 s … 15 minutes, give or take a quarter, so that replicas do not come back together. */
export async function retryLater (db: PrismaClient, { id, attempts }: Mail): Promise<void> {
  const seconds = Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), LAST_RETRY_SECONDS) * (0.75 + Math.random() / 2)
  // Unless the lease has run out and another worker has it, or has sent it.
  await db.$executeRaw`
    UPDATE mails SET due_at = now() + make_interval(secs => ${seconds}::float8), claimed_until = NULL
    WHERE id = ${id}::uuid AND attempts = ${attempts} AND due_at IS NOT NULL`
}

/**
 * Resolves many requests in four statements: those for an account that may get a mail become that account's, all others
 * are deleted. What is locked, or is for an account whose row is, is left.
 *
 * @returns how many it resolved
 */
export async function resolveRequests (db: PrismaClient): Promise<number> {
  return await db.$transaction(async (tx) => {
    const mails = await tx.$queryRaw<Array<{ id: string, createdAt: Date, userId: number | null }>>`
      SELECT id::text, created_at AS "createdAt", CASE WHEN username IS NOT NULL
        THEN (SELECT users.id FROM users WHERE users.username = mails.username AND users.email IS NOT NULL
          AND disabled_at IS NULL)
        ELSE (SELECT users.id FROM users WHERE users.email = mails.email AND disabled_at IS NULL) END AS "userId"
      FROM mails
      WHERE user_id IS NULL AND due_at <= now() AND (claimed_until IS NULL OR claimed_until <= now())
      ORDER BY due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED`
    if (mails.length === 0) return 0
    const isOf = new Map(mails.flatMap(({ id, userId }): Array<[string, number]> =>
      userId === null ? [] : [[id, userId]]))
    const earlier = await grantsOf(tx, [...new Set(isOf.values())])
    const [granted, refused]: [Array<{ id: string, userId: number }>, Array<{ id: string }>] = [[], []]
    for (const { id, createdAt } of mails) {
      const userId = isOf.get(id)
      const grants = userId === undefined ? undefined : earlier.get(userId)
      if (userId !== undefined && !grants) continue
      const since = createdAt.getTime() - MAX_RESETS_WINDOW_MS
      if (userId === undefined || grants!.filter(atMs => atMs > since).length >= MAX_RESETS) {
        refused.push({ id })
      } else {
        granted.push({ id, userId })
        grants!.push(createdAt.getTime())
      }
    }
    if (refused.length > 0) {
      await tx.$executeRaw`
        DELETE FROM mails USING jsonb_to_recordset(${JSON.stringify(refused)}::jsonb) AS refused (id uuid)
        WHERE mails.id = refused.id`
    }
    if (granted.length > 0) {
      await tx.$executeRaw`
        UPDATE mails SET user_id = granted."userId", claimed_until = NULL
        FROM jsonb_to_recordset(${JSON.stringify(granted)}::jsonb) AS granted (id uuid, "userId" int)
        WHERE mails.id = granted.id`
    }
    return granted.length + refused.length
  })
}

/**
 * Locks the rows of these users, so that of two workers that resolve requests for one account the second sees what the
 * first has granted.
 *
 * @returns for each user whose row is not locked by others: when the mails that were granted were asked for, in ms
 */
async function grantsOf (
  tx: Pick<PrismaClient, '$queryRaw' | 'mail'>, userIds: number[]
): Promise<Map<number, number[]>> {
  if (userIds.length === 0) return new Map()
  const locked = await tx.$queryRaw<Array<{ id: number }>>`
    SELECT id FROM users WHERE id IN (${Prisma.join(userIds)}) ORDER BY id FOR UPDATE SKIP LOCKED`
  const grants = new Map(locked.map(({ id }): [number, number[]] => [id, []]))
  const mails = await tx.mail.findMany({
    where: { kind: 'password_reset', userId: { in: [...grants.keys()] } }, select: { userId: true, createdAt: true }
  })
  for (const { userId, createdAt } of mails) grants.get(userId!)!.push(createdAt.getTime())
  return grants
}

/**
 * Finds out whose account was asked for, and puts the mail back as that account's, unless there is none or it has got
 * all mails of this hour.
 *
 * @returns whether it was granted
 */
export async function grantReset (db: PrismaClient, mail: Mail): Promise<boolean> {
  return await db.$transaction(async (tx) => {
    // The account's row is locked, so of two mails that are looked up at once the second one sees the first.
    const recipient = await recipientOf(tx, mail, Prisma.sql`FOR UPDATE`)
    if (!recipient) return false
    const since = new Date(mail.createdAt.getTime() - MAX_RESETS_WINDOW_MS)
    const granted = await tx.mail.count({
      where: { userId: recipient.id, kind: 'password_reset', createdAt: { gt: since } }
    })
    if (granted >= MAX_RESETS) return false
    await tx.$executeRaw`
      UPDATE mails SET user_id = ${recipient.id}, attempts = attempts - 1, due_at = now(), claimed_until = NULL
      WHERE id = ${mail.id}::uuid`
    return true
  })
}

/** Beside the token of the last mail that was sent, which stays valid until this one is known to be sent. */
export async function setPendingToken (db: PrismaClient, userId: number, tokenHash: string): Promise<void> {
  await db.$executeRaw`
    UPDATE users SET pending_reset_token_hash = ${tokenHash}, pending_reset_token_version = token_version,
      pending_reset_token_expires_at = now() + make_interval(mins => ${RESET_TOKEN_MINUTES}::int)
    WHERE id = ${userId}`
}

/** In the place of the last one that was sent, unless a change of the password has voided it meanwhile. */
export async function makeCurrent (db: PrismaClient, tokenHash: string): Promise<void> {
  await db.$executeRaw`
    UPDATE users SET reset_token_hash = pending_reset_token_hash,
      reset_token_expires_at = pending_reset_token_expires_at,
      pending_reset_token_hash = NULL, pending_reset_token_expires_at = NULL, pending_reset_token_version = NULL
    WHERE pending_reset_token_hash = ${tokenHash} AND pending_reset_token_version = token_version`
}

export async function recipientOf (
  db: Pick<PrismaClient, '$queryRaw'>, { userId, username, email }: Mail, lock = Prisma.empty
): Promise<Recipient | undefined> {
  const whose = userId !== null
    ? Prisma.sql`id = ${userId}`
    : username !== null ? Prisma.sql`username = ${username}` : Prisma.sql`email = ${email}`
  const [recipient] = await db.$queryRaw<Recipient[]>`
    SELECT id, username, email FROM users WHERE ${whose} AND email IS NOT NULL AND disabled_at IS NULL ${lock}`
  return recipient && isEmail(recipient.email) ? recipient : undefined
}

/**
 * Deletes mails that are a day old and sent. It skips what a revocation deletes at the moment: two that lock rows in
 * different orders would wait for each other.
 *
 * @returns how many
 */
export async function deleteOld (db: PrismaClient): Promise<number> {
  return await db.$executeRaw`
    DELETE FROM mails WHERE id IN (
      SELECT id FROM mails WHERE due_at IS NULL AND created_at < now() - interval '1 day' LIMIT ${AT_ONCE}
      FOR UPDATE SKIP LOCKED)`
}
