import { revokeKeepingTrust } from '../auth/account-changes.js'
import type { Sealing } from '../base/sealing.js'
import { deleteEnrolmentMails } from '../mail/account-mails.js'
import { RESET_TOKEN_MINUTES } from '../mail/link-tokens.js'
import { Prisma, type PrismaClient, type User } from '../../prisma/client.js'
import {
  isInWindow, newRecoveryCodes, newSecret, readCode, recoveryHash, STEP_SECONDS, stepAt, stepOf
} from './codes.js'
import { ofUser } from './sealing.js'

/** How far a phone's clock may be off to be named: an hour, as of a wrong summer time. */
const FAR_STEPS = 3600 / STEP_SECONDS

/** An enrolment that has begun, by its link. */
export interface Enrolment {
  userId: number
  username: string
  secret: Buffer
  /** Which secret of the user it is, from 1. */
  generation: number
}

/**
 * What became of a code: recovery codes, or by how many seconds the phone's clock is off, or that it is `wrong`.
 * Undefined for a link that is not valid.
 */
export type Confirmed = { username: string, userId: number, recoveryCodes: string[] } | { offSeconds: number } | 'wrong'

/** Where the page of an enrolment is. */
export const enrolmentPage = (origin: string, token: string): URL => new URL(`/second-factor?token=${token}`, origin)

/** The link is void when the user's tokens are revoked, or when the user has another address than it was mailed to. */
const isLink = (hash: string): Prisma.Sql => Prisma.sql`link_hash = ${hash} AND link_expires_at > now()
  AND link_version = token_version AND (link_email IS NULL OR link_email = email) AND disabled_at IS NULL`

/**
 * Makes a secret for a link, whose token has this hash. The factor of before stays until a code of the new one is
 * accepted. A mail that is tried again has the same link, and keeps the secret.
 *
 * @param email the address that the link is mailed to; null for one that is printed
 */
export async function beginEnrolment (
  db: PrismaClient, sealing: Sealing, { id, tokenVersion }: Pick<User, 'id' | 'tokenVersion'>, linkHash: string,
  email: string | null
): Promise<void> {
  const sealed = sealing.seal(newSecret(), ofUser(id))
  await db.$executeRaw`
    INSERT INTO second_factors AS factor
      (user_id, new_secret, link_hash, link_expires_at, link_version, link_email, beginnings)
    VALUES (${id}, ${sealed}, ${linkHash}, now() + make_interval(mins => ${RESET_TOKEN_MINUTES}::int),
      ${tokenVersion}, ${email}, 1)
    ON CONFLICT (user_id) DO UPDATE SET
      new_secret = CASE WHEN factor.link_hash = EXCLUDED.link_hash THEN factor.new_secret ELSE EXCLUDED.new_secret END,
      beginnings = factor.beginnings + (factor.link_hash IS DISTINCT FROM EXCLUDED.link_hash)::int,
      link_hash = EXCLUDED.link_hash, link_expires_at = EXCLUDED.link_expires_at,
      link_version = EXCLUDED.link_version, link_email = EXCLUDED.link_email`
}

/** @returns undefined for a link that is not valid */
export async function findEnrolment (
  db: Prisma.TransactionClient, sealing: Sealing, linkHash: string
): Promise<Enrolment | undefined> {
  const [row] = await db.$queryRaw<Array<Omit<Enrolment, 'secret'> & { sealed: string }>>`
    SELECT user_id AS "userId", username, new_secret AS sealed, beginnings AS generation
    FROM second_factors JOIN users ON users.id = user_id WHERE ${isLink(linkHash)}`
  const secret = row && sealing.open(row.sealed, ofUser(row.userId))
  return secret && { userId: row.userId, username: row.username, generation: row.generation, secret }
}

/**
 * A right code makes the secret of the link the user's factor. It ends all sessions, and cannot be used for a login any
 * more. Of several uses of a link at once, one succeeds.
 */
export async function confirmEnrolment (
  db: PrismaClient, sealing: Sealing, linkHash: string, text: string
): Promise<Confirmed | undefined> {
  return await db.$transaction(async (tx) => {
    // The user's row comes first, as in a deletion.
    const [locked] = await tx.$queryRaw<Array<{ now: number }>>`
      SELECT extract(epoch FROM clock_timestamp())::float8 AS now FROM users
      WHERE id = (SELECT user_id FROM second_factors WHERE link_hash = ${linkHash}) FOR NO KEY UPDATE`
    const enrolment = locked && await findEnrolment(tx, sealing, linkHash)
    if (!enrolment) return undefined
    const { userId, username, secret } = enrolment
    const typed = readCode(text)
    const now = stepAt(locked.now)
    const step = typeof typed === 'object' && 'digits' in typed
      ? stepOf(typed.digits, secret, now, FAR_STEPS)
      : undefined
    if (step === undefined) return 'wrong'
    if (!isInWindow(step, now)) return { offSeconds: (step - now) * STEP_SECONDS }
    // Another link may replace this one until here, and the secret with it.
    const confirmed = await tx.$executeRaw`
      UPDATE second_factors SET secret = new_secret, last_step = ${step}::int, new_secret = NULL, link_hash = NULL,
        last_used_at = NULL, wrong_codes = 0, wrong_of_password = 0, last_refusal = NULL
      WHERE user_id = ${userId} AND link_hash = ${linkHash}`
    if (confirmed === 0) return undefined
    const recoveryCodes = newRecoveryCodes()
    await tx.recoveryCode.deleteMany({ where: { userId } })
    await tx.recoveryCode.createMany({ data: recoveryCodes.map(code => ({ userId, hash: recoveryHash(code) })) })
    await revokeKeepingTrust(tx, Prisma.sql`id = ${userId}`, Prisma.sql`second_factor_since = now()`)
    await tx.$executeRaw`${deleteEnrolmentMails(userId)}`
    return { username, userId, recoveryCodes }
  })
}
