import { performance } from 'node:perf_hooks'
import { every } from '../base/every.js'
import type { DetailsLog } from '../base/log.js'
import type { RawQueries } from '../database/database.js'
import { DatabaseUnavailable } from '../database/outage.js'
import { watchOwnTrouble } from '../database/own-trouble.js'
import type { Ended } from './ended.js'
import { EVERYONE } from './account-changes.js'
import { isKnown } from './login-records.js'
import { sessionIdOf } from './sessions.js'
import { TOKEN_TTL_SECONDS, type Claims } from './tokens.js'

const POLL_MS = 500
/** How often it is seen whether PostgreSQL still answers. If not, Redis is asked for what others have read. */
const LOOK_MS = 250
/** PostgreSQL has not answered the last poll. */
const UNREAD_MS = POLL_MS + LOOK_MS / 2
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

/** A user whose tokens were just revoked, and the addresses that are still known: see login-records.ts. */
interface Revoked {
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

interface RevocationHooks {
  /** Called once for each revocation that comes after the start, on every replica. */
  onRevoked?: (revoked: Revoked) => void
  /** Called after each look for news, several times a second, also while PostgreSQL or Redis is away. */
  onRead?: () => void
  /** Whether the database answers queries. While it does not, nothing is logged here. */
  isReadable?: () => boolean
}

/**
 * Keeps in memory which users' tokens were revoked and which sessions ended in the last two hours, who was deleted, and
 * before when everything was revoked. Each replica reads the list from PostgreSQL with one short query twice a second.
 * This does not depend on the number of requests.
 *
 * While PostgreSQL is away nobody can revoke anything, so the list in memory stays complete. A replica that alone has
 * lost PostgreSQL gets new revocations from the others, through Redis.
 *
 * Users and versions are numbers of one database. So its mark comes with each list: an operator may restore another
 * database under a running replica.
 */
export class Revocations {
  #versions = new Map<number, number>()
  #endedSessions = new Set<string>()
  /** In seconds since 1970: `gatehouse tokens revoke --all` ended what was issued before. */
  #endedBefore = -Infinity
  #mark: string | undefined
  /** Whether tokens that name no mark are accepted. */
  #acceptsUnmarked = false
  /** What other replicas have read since the start of this one, through Redis. */
  readonly #announced = new Map<number, number>()
  #announcedAtMs = Date.now()
  #reloadedAtMs = -Infinity
  #readAtMs = -Infinity
  readonly #trouble: ReturnType<typeof watchOwnTrouble>
  /** Resolves when the list was read, or could not be read, for the first time. */
  readonly first: Promise<void>
  readonly #ends: Promise<Array<() => Promise<void>>>
  #isClosing = false

  constructor (
    private readonly db: RawQueries, private readonly ended: Ended, private readonly mode: DatabaseFailureMode,
    log: Pick<DetailsLog, 'info' | 'warn'>, private readonly hooks: RevocationHooks = {}
  ) {
    const { isReadable = () => true } = hooks
    this.#trouble = watchOwnTrouble(() => isReadable() && !this.#isClosing, (error) => {
      if (!error) return log.info({ code: 'revocations_recovered' }, 'revoked tokens are known again')
      log.warn({ code: 'revocations_unavailable', err: error }, `revoked tokens cannot be read: ${mode === 'closed'
        ? 'every token gets 503'
        : 'those that are known stay refused'}`)
    })
    this.first = this.#poll()
    this.#ends = this.first.then(() => [
      every(POLL_MS, () => this.#poll().then(hooks.onRead)),
      every(LOOK_MS, () => this.#readAnnounced().then(hooks.onRead, hooks.onRead))
    ])
  }

  /**
   * Whether a token of this version was revoked, or its session has ended, as far as memory knows: never wrong about a
   * revoked token.
   *
   * @param issuedAt in seconds since 1970
   */
  isRevoked (userId: number, tokenVersion: number, sessionId = '', issuedAt = Infinity): boolean {
    return issuedAt < this.#endedBefore || this.#endedSessions.has(sessionId) ||
      (this.#versions.get(userId) ?? 0) > tokenVersion || (this.#announced.get(userId) ?? 0) > tokenVersion
  }

  /** Whether a token is of another database, was revoked, or its session has ended, as far as memory knows. */
  refuses ({ db, sub, tv, iat, ...session }: Claims): boolean {
    return this.isForeign(db) || this.isRevoked(Number(sub), tv, sessionIdOf(session), iat)
  }

  /**
   * The mark of the database that was read last. Its users have other numbers than those of another one.
   *
   * @throws {DatabaseUnavailable} if none was read yet
   */
  mark (): string {
    if (this.#mark === undefined) throw new DatabaseUnavailable('the mark of the database was not read yet')
    return this.#mark
  }

  /**
   * Whether a token names another database than the one that was read last.
   *
   * @param mark undefined for a token that names none
   */
  isForeign (mark: string | undefined): boolean {
    return this.#mark !== undefined && mark !== this.#mark && !(mark === undefined && this.#acceptsUnmarked)
  }

  /** Whether other tokens may be accepted: the list was read, and within the last second if the mode is `closed`. */
  isUsable (): boolean {
    return this.#readAtMs > (this.mode === 'closed' ? performance.now() - MAX_AGE_MS : -Infinity)
  }

  async close (): Promise<void> {
    this.#isClosing = true
    await Promise.all((await this.#ends).map(end => end()))
  }

  async #poll (): Promise<void> {
    try {
      await this.#read()
      this.#trouble.succeeded()
    } catch (error) {
      this.#trouble.failed(error)
    }
  }

  async #read (): Promise<void> {
    const startedAtMs = performance.now()
    const whole = startedAtMs - this.#reloadedAtMs > RELOAD_MS
    const rows = await rowsSince(
      this.db, whole ? LIFETIME_SECONDS : (startedAtMs - this.#readAtMs) / 1000 + OVERLAP_SECONDS
    )
    const markRow = rows.find(row => row.mark !== null)
    if (!markRow) throw new Error('the table database_mark is empty: INSERT INTO database_mark DEFAULT VALUES')
    if (markRow.mark !== this.#mark) {
      this.#forget(markRow.mark!)
      // What was read is only the end of the other database's list.
      if (!whole) return await this.#read()
    }
    this.#acceptsUnmarked = markRow.version === 1
    const fresh = this.#adopt(rows, whole)
    if (whole) this.#reloadedAtMs = startedAtMs
    this.#readAtMs = startedAtMs
    // Without Redis, each replica still reads PostgreSQL.
    if (fresh.length > 0) this.ended.add(fresh.map(name => `${this.#mark}:${name}`)).catch(() => {})
  }

  /** @returns the names of what is new */
  #adopt (rows: Row[], whole: boolean): string[] {
    const [before, sessionsBefore] = [this.#versions, this.#endedSessions]
    const first = this.#readAtMs === -Infinity
    if (whole) {
      [this.#versions, this.#endedSessions] = [new Map(), new Set()]
      this.#announced.clear()
    }
    const fresh: string[] = []
    for (const { id, version, session, mark, ...revoked } of rows) {
      if (mark !== null) continue
      if (session !== null) {
        if (!first && !sessionsBefore.has(session)) fresh.push(`session:${session}`)
        this.#endedSessions.add(session)
        continue
      }
      if (id === EVERYONE) {
        if (!first && version > this.#endedBefore) fresh.push(`everyone:${version}`)
        this.#endedBefore = version
        continue
      }
      const isNew = !first && (before.get(id) ?? 0) < version
      this.#versions.set(id, version)
      if (!isNew) continue
      if (version !== NO_VERSION) this.hooks.onRevoked?.(revoked)
      fresh.push(`user:${id}:${version}`)
    }
    return fresh
  }

  /** Of another database, nothing that is known of this one is true. */
  #forget (newMark: string): void {
    [this.#versions, this.#endedSessions, this.#endedBefore, this.#mark] = [new Map(), new Set(), -Infinity, newMark];
    [this.#reloadedAtMs, this.#readAtMs] = [-Infinity, -Infinity]
    this.#announced.clear()
  }

  async #readAnnounced (): Promise<void> {
    if (performance.now() - this.#readAtMs < UNREAD_MS) {
      // What ended before that read is in it.
      this.#announcedAtMs = Date.now() - (performance.now() - this.#readAtMs)
      return
    }
    const startedAtMs = Date.now()
    const names = await this.ended.since(this.#announcedAtMs - OVERLAP_SECONDS * 1000)
    // Those of another database name its users, and its times.
    const prefix = `${this.#mark}:`
    for (const name of names.filter(name => name.startsWith(prefix))) {
      const [kind, id = '', version] = name.slice(prefix.length).split(':')
      if (kind === 'session') this.#endedSessions.add(id)
      if (kind === 'everyone') this.#endedBefore = Math.max(this.#endedBefore, Number(id))
      if (kind === 'user') raise(this.#announced, Number(id), Number(version))
    }
    this.#announcedAtMs = startedAtMs
  }
}

export async function watchRevocations (...of: ConstructorParameters<typeof Revocations>): Promise<Revocations> {
  const revocations = new Revocations(...of)
  await revocations.first
  return revocations
}

const raise = (versions: Map<number, number>, id: number, version: number): unknown =>
  versions.set(id, Math.max(versions.get(id) ?? 0, version))

/** What was revoked and what ended in the last seconds. */
const rowsSince = (db: RawQueries, seconds: number): Promise<Row[]> => db.$queryRaw`
  SELECT id, token_version AS version, NULL AS session, NULL AS mark, username, ARRAY(
    SELECT client FROM known_addresses AS known WHERE ${isKnown}
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
