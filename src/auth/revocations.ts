import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import type { PrismaClient } from '../generated/prisma/client.js'
import { CLOCK_TOLERANCE_SECONDS, TOKEN_TTL_SECONDS } from './tokens.js'

const POLL_MS = 400
/** An older list is not used, so that a revocation takes effect on every replica within a second. */
const MAX_AGE_MS = 1000
/** No token is older than this, so no earlier revocation matters any more. */
const LIFETIME_SECONDS = TOKEN_TTL_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS
/** A revocation becomes visible later than its own time, by the duration of its transaction. */
const OVERLAP_SECONDS = 30
/** How often the whole list is read again. This also drops revocations that are older than any valid token. */
const RELOAD_MS = 60_000

export interface Revocations {
  /**
   * Whether a token of this version was revoked. Usually memory answers at once. If the list could not be read for a
   * second, it returns a promise of PostgreSQL's answer.
   *
   * @throws if PostgreSQL then does not answer either
   */
  isRevoked: (userId: number, tokenVersion: number) => boolean | Promise<boolean>
  /** The same as far as memory knows, which is never wrong about a revoked token, however old the list is. */
  isRevokedInMemory: (userId: number, tokenVersion: number) => boolean
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

/**
 * Keeps in memory which users' tokens were revoked in the last hour. Each replica reads the list from PostgreSQL with
 * one short query a few times a second. This does not depend on the number of requests or on Redis.
 *
 * @param onRevoked called once for each revocation that comes after the start, on every replica
 */
export async function watchRevocations (
  db: PrismaClient, log: RevocationLog, onRevoked: (revoked: Revoked) => void = () => {}
): Promise<Revocations> {
  let versions = new Map<number, number>()
  let reloadedAtMs = -Infinity
  let readAtMs = -Infinity
  let failing = false
  const closing = new AbortController()

  async function read (): Promise<void> {
    const startedAtMs = performance.now()
    const whole = startedAtMs - reloadedAtMs > RELOAD_MS
    const seconds = whole ? LIFETIME_SECONDS : (startedAtMs - readAtMs) / 1000 + OVERLAP_SECONDS
    const users = await db.$queryRaw<Array<Revoked & { id: number, version: number }>>`
      SELECT id, token_version AS version, username, ARRAY(
        SELECT client FROM known_addresses AS known
        WHERE known.user_id = users.id AND known.token_version = users.token_version
      ) AS "knownClients"
      FROM users WHERE tokens_revoked_at > now() - make_interval(secs => ${seconds}::float8)`
    const before = versions
    const first = readAtMs === -Infinity
    if (whole) [versions, reloadedAtMs] = [new Map(), startedAtMs]
    for (const { id, version, ...revoked } of users) {
      const isNew = !first && (before.get(id) ?? 0) < version
      versions.set(id, version)
      if (isNew) onRevoked(revoked)
    }
    readAtMs = startedAtMs
  }

  async function poll (): Promise<void> {
    try {
      await read()
      if (failing) log.info({ code: 'revocations_recovered' }, 'revoked tokens are known again')
      failing = false
    } catch (error) {
      if (!failing && !closing.signal.aborted) {
        const details = { code: 'revocations_unavailable', err: error }
        log.warn(details, 'revoked tokens cannot be read: every token is looked up by itself')
      }
      failing = true
    }
  }

  async function watch (): Promise<void> {
    while (!closing.signal.aborted) {
      await setTimeout(POLL_MS, undefined, { signal: closing.signal }).catch(() => {})
      if (!closing.signal.aborted) await poll()
    }
  }

  async function isRevokedInDatabase (userId: number, tokenVersion: number): Promise<boolean> {
    const user = await db.user.findUnique({ where: { id: userId }, select: { tokenVersion: true } })
    return user === null || user.tokenVersion > tokenVersion
  }

  function isRevokedInMemory (userId: number, tokenVersion: number): boolean {
    return (versions.get(userId) ?? 0) > tokenVersion
  }

  await poll()
  const watching = watch()

  return {
    isRevoked (userId, tokenVersion) {
      if (performance.now() - readAtMs <= MAX_AGE_MS) return isRevokedInMemory(userId, tokenVersion)
      return isRevokedInDatabase(userId, tokenVersion)
    },

    isRevokedInMemory,

    async close () {
      closing.abort()
      await watching
    }
  }
}
