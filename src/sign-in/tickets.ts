import { createHash, randomBytes } from 'node:crypto'
import type { PrismaClient, User } from '../../prisma/client.js'
import { challengeOf } from './flow.js'

/*
 * The page that wants the token gets a ticket in the fragment of its URL. It exchanges the ticket together with its
 * verifier, so a ticket alone, such as one that somebody else was given, is of no use.
 */

const TICKET_SECONDS = 60
/** How many expired rows a sign-in removes at most. */
const EXPIRED_AT_ONCE = 100

const hashOf = (ticket: string): string => createHash('sha256').update(ticket).digest('hex')

/** What a login needs of a user. */
export type SignedInUser = Pick<
  User,
  'id' | 'username' | 'userType' | 'role' | 'adpStatus' | 'bookChapterApproverDesignation' | 'tokenVersion'
>

/** @returns 256 random bits in base64url */
export async function issueTicket (
  db: PrismaClient, { id, tokenVersion }: Pick<User, 'id' | 'tokenVersion'>, challenge: string
): Promise<string> {
  const ticket = randomBytes(32).toString('base64url')
  await db.$executeRaw`
    WITH expired AS (
      DELETE FROM sign_in_tickets WHERE hash IN (
        SELECT hash FROM sign_in_tickets WHERE expires_at < now() LIMIT ${EXPIRED_AT_ONCE} FOR UPDATE SKIP LOCKED)
    )
    INSERT INTO sign_in_tickets (hash, user_id, token_version, challenge, expires_at)
    VALUES (${hashOf(ticket)}, ${id}, ${tokenVersion}, ${challenge},
      now() + make_interval(secs => ${TICKET_SECONDS}::float8))`
  return ticket
}

/**
 * Spends a ticket. Of several uses at once, one succeeds.
 *
 * @returns undefined if it is not valid, or not with this verifier
 */
export async function redeemTicket (
  db: PrismaClient, ticket: string, verifier: string
): Promise<SignedInUser | undefined> {
  const [user] = await db.$queryRaw<SignedInUser[]>`
    DELETE FROM sign_in_tickets AS ticket USING users
    WHERE hash = ${hashOf(ticket)} AND challenge = ${challengeOf(verifier)} AND expires_at > now()
      AND users.id = user_id AND users.token_version = ticket.token_version AND disabled_at IS NULL
    RETURNING users.id, username, user_type AS "userType", role, adp_status AS "adpStatus",
      book_chapter_approver_designation AS "bookChapterApproverDesignation", users.token_version AS "tokenVersion"`
  return user
}
