import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { DatabaseUnavailable } from '../database/outage.js'
import { ownTrouble } from '../database/own-trouble.js'
import type { PrismaClient } from '../../prisma/client.js'
import type { Ended } from '../limiter/fleet/ended.js'
import { EVERYONE } from './accounts.js'
import { TOKEN_TTL_SECONDS } from './tokens.js'

const POLL_MS = 400
/** With TOKENS_ON_DATABASE_FAILURE=closed, an older list is not used. */
const MAX_AGE_MS = 1000
/** No earlier revocation matters. A token may be issued long after its user was read, because a login has to wait. */
const LIFETIME_SECONDS = 2 * TOKEN_TTL_SECONDS
/** The version of a deleted user: every token has a lower one. */
const NO_VERSION = 2 ** 31 - 1
/** A revocation becomes visible later than its own time, by the duration of its transaction. */
const OVERLAP_SECONDS = 30
/** How often the whole list is read again. This also drops revocations that are older than any valid token. */
const RELOAD_MS = 60_000

/** What happens to tokens while the list cannot be read: TOKENS_ON_DATABASE_FAILURE. */
export type DatabaseFailureMode = 'known' | 'closed'

export interface Revocations {
  /**
   * Whether a token of this version was revoked, or its session has ended, as far as memory knows: never wrong about a
   * revoked token.
   *
   * @param issuedAt in seconds since 1970
   */
  isRevoked: (userId: number, tokenVersion: number, sessionId?: string, issuedAt?: number) => boolean
  /**
   * The mark of the database that was read last. Its users have other numbers than those of another one.
   *
   * @throws {DatabaseUnavailable} if none was read yet
   */
  mark: () => string
  /**
   * Whether a token names another database than the one that was read last.
   *
   * @param mark undefined for a token that names none
   */
  isForeign: (mark: string | undefined) => boolean
  /** Whether other tokens may be accepted: the list was read, and within the last second if the mode is `closed`. */
  isUsable: () => boolean
  close: () => Promise<void>
}

export interface RevocationLog {
  info: (details: object, message: string) => void
  warn: (details: object, message: string) => void
}

/** A user whose tokens were just revoked, and the addresses that are still known: see known-addresses.ts. */
export interface Revoked {
  username: string
  knownClients: string[]
}

/** One of several: a user, a session, or in one row the mark of the database, whose version says what is accepted. */
interface Row extends Revoked {
  id: number
  version: number
  session: string | null
  mark: string | null
}

export interface RevocationHooks {
  /** Called once for each revocation that comes after the start, on every replica. */
  onRevoked?: (revoked: Revoked) => void
  /** Called after each look for news, several times a second, also while PostgreSQL or Redis is away. */
  onRead?: () => void
  /** Whether the database is reachable. While it is not, nothing is logged here. */
  isReachable?: () => boolean
}

/**
 * Keeps in memory which users' tokens were revoked and which sessions ended in the last two hours, who was deleted, and
 * before when everything was revoked. Each replica reads the list from PostgreSQL with one short query a few times a
 * second. This does not depend on the number of requests.
 *
 * While PostgreSQL is away nobody can revoke anything, so the list in memory stays complete. A replica that alone has
 * lost PostgreSQL gets new revocations from the others, through Redis.
 *
 * Users and versions are numbers of one database. So its mark comes with each list: an operator may restore another
 * database under a running replica.
 */
export async function watchRevocations (
  db: PrismaClient, ended: Ended, mode: DatabaseFailureMode, log: RevocationLog,
  { onRevoked = () => {}, onRead = () => {}, isReachable = () => true }: RevocationHooks = {}
): Promise<Revocations> {
  let versions = new Map<number, number>()
  let endedSessions = new Set<string>()
  /** In seconds since 1970: `gatehouse tokens revoke --all` ended what was issued before. */
  let endedBefore = -Infinity
  let mark: string | undefined
  /** Whether tokens that name no mark are accepted. */
  let acceptsUnmarked = false
  /** What other replicas have read since the start of this one, through Redis. */
  const announced = new Map<number, number>()
  let announcedAtMs = Date.now()
  let reloadedAtMs = -Infinity
  let readAtMs = -Infinity
  const closing = new AbortController()
  const trouble = ownTrouble(() => isReachable() && !closing.signal.aborted, (error) => {
    if (!error) return log.info({ code: 'revocations_recovered' }, 'revoked tokens are known again')
    log.warn({ code: 'revocations_unavailable', err: error }, `revoked tokens cannot be read: ${mode === 'closed'
      ? 'every token gets 503'
      : 'those that are known stay refused'}`)
  })

  async function read (): Promise<void> {
    const startedAtMs = performance.now()
    const whole = startedAtMs - reloadedAtMs > RELOAD_MS
    const seconds = whole ? LIFETIME_SECONDS : (startedAtMs - readAtMs) / 1000 + OVERLAP_SECONDS
    const rows = await db.$queryRaw<Row[]>`
      SELECT id, token_version AS version, NULL AS session, NULL AS mark, username, ARRAY(
        SELECT client FROM known_addresses AS known
        WHERE known.user_id = users.id AND known.token_version = users.token_version
      ) AS "knownClients"
      FROM users WHERE tokens_revoked_at > now() - make_interval(secs => ${seconds}::float8)
      UNION ALL
      SELECT user_id, 0, id::text, NULL, '', '{}' FROM sessions
      WHERE ended_at > now() - make_interval(secs => ${seconds}::float8)
      UNION ALL
      SELECT id, CASE id WHEN ${EVERYONE}::int THEN extract(epoch FROM deleted_at) ELSE ${NO_VERSION}::int END::float8,
        NULL, NULL, '', '{}'
      FROM deleted_users WHERE deleted_at > now() - make_interval(secs => ${seconds}::float8)
      UNION ALL
      SELECT 0, (unmarked_until > now())::int, NULL, mark::text, '', '{}'
      FROM (SELECT * FROM database_mark ORDER BY made_at, mark LIMIT 1) AS oldest`
    const its = rows.find(row => row.mark !== null)
    if (!its) throw new Error('the table database_mark is empty: INSERT INTO database_mark DEFAULT VALUES')
    if (its.mark !== mark) {
      forget(its.mark!)
      // What was read is only the end of the other database's list.
      if (!whole) return await read()
    }
    acceptsUnmarked = its.version === 1
    const [before, sessionsBefore] = [versions, endedSessions]
    const first = readAtMs === -Infinity
    if (whole) {
      [versions, endedSessions, reloadedAtMs] = [new Map(), new Set(), startedAtMs]
      announced.clear()
    }
    const fresh: string[] = []
    for (const { id, version, session, mark, ...revoked } of rows) {
      if (mark !== null) continue
      if (session !== null) {
        if (!first && !sessionsBefore.has(session)) fresh.push(`session:${session}`)
        endedSessions.add(session)
        continue
      }
      if (id === EVERYONE) {
        if (!first && version > endedBefore) fresh.push(`everyone:${version}`)
        endedBefore = version
        continue
      }
      const isNew = !first && (before.get(id) ?? 0) < version
      versions.set(id, version)
      if (!isNew) continue
      if (version !== NO_VERSION) onRevoked(revoked)
      fresh.push(`user:${id}:${version}`)
    }
    readAtMs = startedAtMs
    // Without Redis, each replica still reads PostgreSQL.
    if (fresh.length > 0) ended.add(fresh.map(name => `${mark}:${name}`)).catch(() => {})
  }

  /** Of another database, nothing that is known of this one is true. */
  function forget (newMark: string): void {
    [versions, endedSessions, endedBefore, mark] = [new Map(), new Set(), -Infinity, newMark];
    [reloadedAtMs, readAtMs] = [-Infinity, -Infinity]
    announced.clear()
  }

  async function readAnnounced (): Promise<void> {
    const startedAtMs = Date.now()
    const names = await ended.since(announcedAtMs - OVERLAP_SECONDS * 1000)
    // Those of another database name its users, and its times.
    for (const name of names.filter(name => name.startsWith(`${mark}:`)).map(name => name.slice(`${mark}:`.length))) {
      if (name.startsWith('session:')) endedSessions.add(name.slice('session:'.length))
      if (name.startsWith('everyone:')) endedBefore = Math.max(endedBefore, Number(name.slice('everyone:'.length)))
      const [, id, version] = /^user:(\d+):(\d+)$/.exec(name) ?? []
      if (id !== undefined) announced.set(Number(id), Math.max(announced.get(Number(id)) ?? 0, Number(version)))
    }
    announcedAtMs = startedAtMs
  }

  async function poll (): Promise<void> {
    try {
      await read()
      trouble.succeeded()
    } catch (error) {
      trouble.failed(error)
    }
  }

  async function repeat (action: () => Promise<void>): Promise<void> {
    while (!closing.signal.aborted) {
      await setTimeout(POLL_MS, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
      await action()
      onRead()
    }
  }

  await poll()
  const watching = Promise.all([repeat(poll), repeat(() => readAnnounced().catch(() => {}))])

  return {
    isRevoked: (userId, tokenVersion, sessionId = '', issuedAt = Infinity) =>
      issuedAt < endedBefore || endedSessions.has(sessionId) ||
      (versions.get(userId) ?? 0) > tokenVersion || (announced.get(userId) ?? 0) > tokenVersion,

    mark () {
      if (mark === undefined) throw new DatabaseUnavailable('the mark of the database was not read yet')
      return mark
    },

    isForeign: named => mark !== undefined && named !== mark && !(named === undefined && acceptsUnmarked),

    isUsable: () => readAtMs > (mode === 'closed' ? performance.now() - MAX_AGE_MS : -Infinity),

    async close () {
      closing.abort()
      await watching
    }
  }
}
