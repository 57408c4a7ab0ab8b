import { randomUUID } from 'node:crypto'
import type { PrismaClient } from '../../prisma/client.js'
import type { Claims } from './tokens.js'

/*
 * A login begins a session. Its tokens name it, and a valid one gets another without the password, until SESSION_HOURS
 * after the login. A session ends before that when it is ended, or when its user's token version is raised.
 * docs/sessions.md says what ends when. revocations.ts tells every replica.
 */

/** A user's sessions at one time. A login that begins another one ends the one that was used longest ago. */
export const MAX_SESSIONS = 100
const MAX_USER_AGENT_LENGTH = 200
/** How many rows one query deletes at most. */
const AT_ONCE = 500
const USAGE_MS = 1000

/** A session as its tokens name it. */
export interface Session {
  id: string
  /** The login, in seconds since 1970. */
  startedAt: number
}

export const newSession = (): Session => ({ id: randomUUID(), startedAt: Math.floor(Date.now() / 1000) })

/** A token without a session, such as one of an earlier release, is a session of its own. */
export const sessionIdOf = ({ sid, jti }: Pick<Claims, 'sid' | 'jti'>): string => sid ?? jti

/**
 * @returns how many others it ended, because the user has too many
 * @throws if another transaction changes a key of the user's row, such as the username: a login waits for nobody
 */
export async function beginSession (
  db: PrismaClient, user: { id: number, tokenVersion: number }, { id }: Session,
  { client, userAgent = '' }: { client: string, userAgent?: string | undefined }
): Promise<number> {
  const shown = userAgent.slice(0, MAX_USER_AGENT_LENGTH).replace(/[^\x20-\x7e]/g, '?')
  const [begun] = await db.$queryRaw<Array<{ ended: number }>>`
    WITH owner AS (
      SELECT id FROM users WHERE id = ${user.id} FOR KEY SHARE SKIP LOCKED
    ), replaced AS (
      UPDATE sessions SET ended_at = now() WHERE id IN (
        SELECT id FROM sessions
        WHERE user_id = (SELECT id FROM owner) AND token_version = ${user.tokenVersion} AND ended_at IS NULL
        ORDER BY last_used_at DESC OFFSET ${MAX_SESSIONS - 1}::int)
      RETURNING 1
    )
    INSERT INTO sessions (id, user_id, token_version, client, user_agent)
    SELECT ${id}::uuid, id, ${user.tokenVersion}::int, ${client}, ${shown} FROM owner
    RETURNING (SELECT count(*)::int FROM replaced) AS ended`
  if (!begun) throw new Error('another transaction is changing the user')
  return begun.ended
}

/** How long the session's tokens may still be valid, in seconds; at most 0 once it has ended by SESSION_HOURS. */
export const secondsLeft = (startedAt: number, hours: number): number =>
  startedAt + hours * 3600 - Math.floor(Date.now() / 1000)

/**
 * Writes when sessions were last used, to the minute: a second later, in one query for all of that second. A failure
 * loses only that.
 */
export function createUsageLog (db: PrismaClient): (id: string) => void {
  const used = new Set<string>()

  async function write (): Promise<void> {
    const ids = [...used]
    used.clear()
    // A row that is locked is used or ended by another request right now.
    await db.$executeRaw`
      UPDATE sessions SET last_used_at = now() WHERE id IN (
        SELECT id FROM sessions WHERE id = ANY(${ids}::uuid[]) AND last_used_at < now() - interval '1 minute'
        FOR UPDATE SKIP LOCKED)`
  }

  return (id) => {
    if (used.size === 0) setTimeout(() => { write().catch(() => {}) }, USAGE_MS).unref()
    used.add(id)
  }
}

/**
 * Ends the session of a token. Once it is known everywhere, its tokens are refused.
 *
 * @returns false if it had ended already
 */
export async function endOwnSession (db: PrismaClient, claims: Claims): Promise<boolean> {
  // A token without a session has no row yet.
  return await db.$executeRaw`
    INSERT INTO sessions (id, user_id, token_version, ended_at, client, user_agent)
    SELECT ${sessionIdOf(claims)}::uuid, id, token_version, now(), '', '' FROM users WHERE id = ${Number(claims.sub)}
    ON CONFLICT (id) DO UPDATE SET ended_at = now() WHERE sessions.ended_at IS NULL` > 0
}

/** Those of the token's user, the newest first. */
export async function listSessions (db: PrismaClient, { sub, tv }: Claims, hours: number) {
  return await db.session.findMany({
    where: {
      userId: Number(sub), tokenVersion: tv, endedAt: null, startedAt: { gt: new Date(Date.now() - hours * 3_600_000) }
    },
    orderBy: [{ startedAt: 'desc' }, { id: 'asc' }],
    take: MAX_SESSIONS
  })
}

/** @returns false unless the token's user has such a session */
export async function endSession (db: PrismaClient, { sub, tv }: Claims, id: string, hours: number): Promise<boolean> {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return false
  return await db.$executeRaw`
    UPDATE sessions SET ended_at = now()
    WHERE id = ${id}::uuid AND user_id = ${Number(sub)} AND token_version = ${tv} AND ended_at IS NULL
      AND started_at > now() - make_interval(hours => ${hours}::int)` > 0
}

/**
 * Deletes sessions whose tokens have all expired. Until then, the row of an ended one is what refuses them.
 *
 * @returns whether there may be more
 */
export async function deleteOldSessions (db: PrismaClient, hours: number): Promise<boolean> {
  return await db.$executeRaw`
    DELETE FROM sessions WHERE id IN (
      SELECT id FROM sessions
      WHERE ended_at < now() - interval '2 hours'
        OR (ended_at IS NULL AND started_at < now() - make_interval(hours => ${hours + 2}::int))
      LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)` === AT_ONCE
}
