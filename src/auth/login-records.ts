import { Prisma, type PrismaClient } from '../../prisma/client.js'

/** An address stays known for this long after the last login from it. */
const KNOWN_DAYS = 30
/**
 * The address with the oldest login is dropped first. This limits how many passwords can be guessed from known
 * addresses.
 */
const MAX_KNOWN_ADDRESSES = 20
/** How many expired rows of other users one login removes at most. */
const EXPIRED_AT_ONCE = 100

/** Whether a row of `known_addresses AS known` is still valid for the user in `users`. */
export const isKnown = Prisma.sql`(known.user_id = users.id AND known.token_version = users.token_version
  AND known.last_login_at > now() - make_interval(days => ${KNOWN_DAYS}::int))`

/** What is known of a login before its password is compared. */
export interface Origin {
  /** The user of this name, as log lines have them; undefined if there is none. */
  owner: { actor: string, userId: number } | undefined
  /** Whether this user has logged in from this address and nothing has revoked the user's tokens since. */
  known: boolean
}

/**
 * One query and one row, whether the user exists or not.
 *
 * @param username normalised
 * @param client an IPv4 address or an IPv6 network (/64 by default), as in the keys of buckets
 */
export async function originOfLogin (db: PrismaClient, username: string, client: string): Promise<Origin> {
  const [row] = await db.$queryRaw<Array<{ id: number | null, username: string | null, known: boolean }>>`
    SELECT users.id, users.username, known.client IS NOT NULL AS known
    FROM (VALUES (${username}::text)) AS attempt (username) LEFT JOIN users USING (username)
    LEFT JOIN known_addresses AS known ON known.client = ${client} AND ${isKnown}`
  const { id, username: actor, known } = row!
  return { owner: id === null ? undefined : { actor: actor!, userId: id }, known }
}

/**
 * Remembers a login. The token version was read together with the password. So a login that overlaps a reset neither
 * adds its address under the new password nor removes one.
 *
 * A login waits for nobody: while another transaction changes the user, such as an import that takes minutes, nothing
 * is remembered. Whoever changes rows of known addresses for long has changed their user first. A login that changed a
 * column of `users` would lock the row, and another one at the same time would not be remembered.
 */
export async function recordLogin (
  db: PrismaClient, user: { id: number, tokenVersion: number }, client: string
): Promise<void> {
  await db.$executeRaw`
    WITH remembered AS (
      INSERT INTO known_addresses (user_id, client, token_version)
      SELECT id, ${client}, ${user.tokenVersion}::int FROM users WHERE id = ${user.id} FOR SHARE SKIP LOCKED
      ON CONFLICT (user_id, client) DO UPDATE SET token_version = EXCLUDED.token_version, last_login_at = now()
        WHERE known_addresses.token_version <= EXCLUDED.token_version
    ), expired AS (
      DELETE FROM known_addresses WHERE (user_id, client) IN (
        SELECT user_id, client FROM known_addresses
        WHERE last_login_at < now() - make_interval(days => ${KNOWN_DAYS}::int) AND user_id <> ${user.id}
        LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED)
    )
    DELETE FROM known_addresses WHERE user_id = ${user.id} AND client IN (
      SELECT client FROM known_addresses WHERE user_id = ${user.id} AND client IN (
        SELECT client FROM known_addresses WHERE user_id = ${user.id} AND client <> ${client}
        ORDER BY last_login_at DESC OFFSET ${MAX_KNOWN_ADDRESSES - 1}::int)
      FOR UPDATE SKIP LOCKED)`
}

/** The users whose accounts have these keys (see `accountKey`), and how many addresses are known to each. */
export async function knownAddressesOf (
  db: PrismaClient, accounts: string[]
): Promise<Array<{ account: string, username: string, known: number }>> {
  return await db.$queryRaw`
    SELECT account, username, (
      SELECT count(*)::int FROM known_addresses AS known WHERE ${isKnown}
    ) AS known
    FROM users, left(encode(sha256(convert_to(username, 'UTF8')), 'hex'), 32) AS account
    WHERE account = ANY(${accounts})`
}
