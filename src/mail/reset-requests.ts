import { Prisma, type PrismaClient } from '../../prisma/client.js'
import { AT_ONCE, unclaimed } from './mails.js'
import { RESET_TOKEN_MINUTES } from './link-tokens.js'

/* What people have asked for (account-mails.ts) becomes mails of accounts, or nothing. A worker does it. */

/**
 * An account gets at most this many reset mails within the window, no matter who asks for them. The window is no longer
 * than a link is valid, and a revocation deletes the mails whose links it revokes (account-mails.ts). So while an
 * account gets no further mail, its newest link is valid or a mail is waiting. A mail that is being sent during a
 * revocation counts, although its link is revoked. There is at most one such mail, because the mails of an account are
 * sent one after the other.
 */
const MAX_RESETS = 3
const MAX_RESETS_WINDOW_MS = RESET_TOKEN_MINUTES * 60_000
/** For how many of the accounts with one address a letter has links. The others have to be asked for by username. */
export const MAX_LINKS = 10

/**
 * Resolves many requests in five statements. A request for an account that may get a mail becomes a mail of that
 * account. One by an address becomes a mail of each account with it, and these are one letter. Accounts that a stranger
 * may have made come last. An address that no account has may be somebody's username. All others are deleted. Locked
 * requests, and those for an account whose row is locked, are left for the next round.
 *
 * @returns how many it resolved
 */
export async function resolveRequests (db: PrismaClient): Promise<number> {
  return await db.$transaction(async (tx) => {
    const mails = await tx.$queryRaw<Array<{ id: string, createdAt: Date, userIds: number[] }>>`
      SELECT id::text, created_at AS "createdAt", coalesce(
        nullif(ARRAY(SELECT users.id FROM users WHERE users.email = mails.email AND disabled_at IS NULL
          ORDER BY self_registered, users.id LIMIT ${MAX_LINKS}), '{}'),
        ARRAY(SELECT users.id FROM users WHERE users.username = coalesce(mails.username, mails.email)
          AND users.email IS NOT NULL AND disabled_at IS NULL)) AS "userIds"
      FROM mails
      WHERE user_id IS NULL AND due_at <= now() AND ${unclaimed}
      ORDER BY due_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED`
    if (mails.length === 0) return 0
    const earlier = await grantsOf(tx, [...new Set(mails.flatMap(({ userIds }) => userIds))])
    const [granted, others, refused]: [Granted[], Granted[], Array<{ id: string }>] = [[], [], []]
    for (const { id, createdAt, userIds } of mails) {
      if (userIds.some(userId => !earlier.has(userId))) continue
      const since = createdAt.getTime() - MAX_RESETS_WINDOW_MS
      const [first, ...rest] = userIds.filter(userId =>
        earlier.get(userId)!.filter(atMs => atMs > since).length < MAX_RESETS)
      if (first === undefined) {
        refused.push({ id })
        continue
      }
      granted.push({ id, userId: first, letterId: rest.length > 0 ? id : null })
      others.push(...rest.map(userId => ({ id, userId, letterId: id })))
      for (const userId of [first, ...rest]) earlier.get(userId)!.push(createdAt.getTime())
    }
    if (refused.length > 0) {
      await tx.$executeRaw`
        DELETE FROM mails USING jsonb_to_recordset(${JSON.stringify(refused)}::jsonb) AS refused (id uuid)
        WHERE mails.id = refused.id`
    }
    if (granted.length > 0) {
      await tx.$executeRaw`
        UPDATE mails SET user_id = granted."userId", letter_id = granted."letterId", claimed_until = NULL
        FROM jsonb_to_recordset(${JSON.stringify(granted)}::jsonb) AS granted (id uuid, "userId" int, "letterId" uuid)
        WHERE mails.id = granted.id`
    }
    if (others.length > 0) {
      await tx.$executeRaw`
        INSERT INTO mails (kind, user_id, letter_id, language, request_id, created_at, due_at)
        SELECT kind, other."userId", other."letterId", language, request_id, created_at, due_at
        FROM mails JOIN jsonb_to_recordset(${JSON.stringify(others)}::jsonb)
          AS other (id uuid, "userId" int, "letterId" uuid) USING (id)`
    }
    return granted.length + refused.length
  })
}

/** A request, the account of one of its mails, and the letter of that mail if others are in it. */
interface Granted { id: string, userId: number, letterId: string | null }

/**
 * Locks the rows of these users, but not their numbers: a login may begin a session meanwhile. If two workers resolve
 * requests for one account, the second then sees what the first has granted.
 *
 * @returns for each user whose row others have not locked: when each granted mail was asked for, in ms
 */
async function grantsOf (
  tx: Pick<PrismaClient, '$queryRaw' | 'mail'>, userIds: number[]
): Promise<Map<number, number[]>> {
  if (userIds.length === 0) return new Map()
  const locked = await tx.$queryRaw<Array<{ id: number }>>`
    SELECT id FROM users WHERE id IN (${Prisma.join(userIds)}) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`
  const grants = new Map(locked.map(({ id }): [number, number[]] => [id, []]))
  const mails = await tx.mail.findMany({
    where: { kind: 'password_reset', userId: { in: [...grants.keys()] } }, select: { userId: true, createdAt: true }
  })
  for (const { userId, createdAt } of mails) grants.get(userId!)!.push(createdAt.getTime())
  return grants
}
