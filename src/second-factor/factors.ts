import { createHash } from 'node:crypto'
import { revokeKeepingTrust } from '../auth/account-changes.js'
import { serviceUnavailable } from '../base/errors.js'
import type { Sealing } from '../base/sealing.js'
import { notify } from '../mail/account-mails.js'
import { Prisma, type PrismaClient, type SecondFactor, type User } from '../../prisma/client.js'
import { isInWindow, readCode, stepAt, stepOf, type Typed } from './codes.js'
import { ofUser } from './sealing.js'

/*
 * The second factor of a login. What counts guesses is in PostgreSQL, because a bucket is void while Redis is away.
 * docs/account-throttle.md has the arithmetic.
 */

/** After this many wrong codes with one password, it counts as stolen: who has it lacks the phone. */
export const MAX_OF_PASSWORD = 10
/** After this many since the last accepted one, only an operator can help: who has the mailbox changes passwords. */
export const MAX_WRONG = 100
/** A code of so many steps before or after now is named as late or early: the clock is off by five minutes at most. */
const NAMED_STEPS = 10

/** How a login with a factor ended. `none` was typed; `stolen` and `locked` are refused whatever was typed. */
export type CodeOutcome =
  | 'accepted' | 'recovery' | 'none' | 'wrong' | 'late' | 'early' | 'used' | 'stolen' | 'locked'

type Counted = Pick<SecondFactor, 'wrongCodes' | 'wrongOfPassword' | 'passwordDigest'>
type Enrolled = Counted & Pick<SecondFactor, 'secret' | 'lastStep'> & { now: number }

/** SQL of the time at PostgreSQL, in seconds: no replica's clock matters. */
const seconds = Prisma.sql`extract(epoch FROM clock_timestamp())::float8`

/**
 * Checks the code of a login whose password is right, and counts it. The user's row of `second_factors` is locked
 * meanwhile, so of many at once each sees what the others did, and no code is accepted twice.
 *
 * @param user as it was read together with the password
 * @throws {Refusal} 503 if no key opens the secret
 * @throws {DatabaseUnavailable} also while PostgreSQL is read-only, because a code could be used twice
 */
export async function checkCode (
  db: PrismaClient, sealing: Sealing, user: Pick<User, 'id' | 'passwordHash'>, text: string | undefined,
  { requestId, language }: { requestId: string, language: string }
): Promise<CodeOutcome> {
  const { outcome, isLast } = await judgeAndCount(db, sealing, user, readCode(text ?? ''))
  if (isLast) await notify(db, 'password_stolen', user.id, requestId, language)
  return outcome
}

/** @returns `isLast` of the wrong code with which the password counts as stolen */
async function judgeAndCount (
  db: PrismaClient, sealing: Sealing, user: Pick<User, 'id' | 'passwordHash'>, typed: Typed | undefined
): Promise<{ outcome: CodeOutcome, isLast?: boolean }> {
  const digest = digestOf(user)
  return await db.$transaction(async (tx) => {
    const [factor] = await tx.$queryRaw<Enrolled[]>`
      SELECT secret, last_step AS "lastStep", wrong_codes AS "wrongCodes", wrong_of_password AS "wrongOfPassword",
        password_digest AS "passwordDigest", ${seconds} AS now
      FROM second_factors WHERE user_id = ${user.id} AND secret IS NOT NULL FOR UPDATE`
    // It was removed after the user was read, which ended this login, too.
    if (!factor) return { outcome: 'wrong' }
    const barred = barOf(factor, digest)
    if (barred || !typed) return { outcome: barred ?? 'none' }
    const { outcome, step = 0, sealed = factor.secret } = await judge(tx, sealing, user.id, factor, typed)
    if (outcome === 'accepted' || outcome === 'recovery') {
      await tx.$executeRaw`
        UPDATE second_factors SET last_step = greatest(last_step, ${step}::int), secret = ${sealed},
          last_used_at = now(), wrong_codes = 0, wrong_of_password = 0, password_digest = NULL
        WHERE user_id = ${user.id}`
      return { outcome }
    }
    const wrong = outcome === 'used' ? 0 : 1
    const wrongOfPassword = wrong + (factor.passwordDigest === digest ? factor.wrongOfPassword : 0)
    await tx.$executeRaw`
      UPDATE second_factors SET last_refusal = ${outcome}, last_refused_at = now(),
        wrong_codes = wrong_codes + ${wrong}::int, wrong_of_password = ${wrongOfPassword}::int,
        password_digest = ${digest}
      WHERE user_id = ${user.id}`
    return { outcome, isLast: wrong === 1 && wrongOfPassword === MAX_OF_PASSWORD }
  })
}

interface Judged {
  outcome: CodeOutcome
  /** Of an accepted code: its time step, and the secret sealed again, by the newest key. */
  step?: number
  sealed?: string
}

/** A code that was used before is not counted: it is a double click, or the same person on two devices. */
async function judge (
  tx: Prisma.TransactionClient, sealing: Sealing, userId: number, { secret, lastStep, now: nowSeconds }: Enrolled,
  typed: Typed
): Promise<Judged> {
  if (typed === 'neither') return { outcome: 'wrong' }
  if ('recovery' in typed) {
    const used = await tx.$executeRaw`
      DELETE FROM recovery_codes WHERE user_id = ${userId} AND hash = ${typed.recovery}`
    return { outcome: used > 0 ? 'recovery' : 'wrong' }
  }
  const opened = sealing.open(secret!, ofUser(userId))
  if (!opened) throw serviceUnavailable(60, new Error(`no key of SECOND_FACTOR_KEY opens the factor of user ${userId}`))
  const now = stepAt(nowSeconds)
  const step = stepOf(typed.digits, opened, now, NAMED_STEPS)
  if (step === undefined) return { outcome: 'wrong' }
  if (step <= lastStep) return { outcome: 'used' }
  if (!isInWindow(step, now)) return { outcome: step < now ? 'late' : 'early' }
  return { outcome: 'accepted', step, sealed: sealing.seal(opened, ofUser(userId)) }
}

/** Why codes are not even compared; undefined if they are. */
function barOf (counted: Counted, digest: string | undefined): 'stolen' | 'locked' | undefined {
  if (counted.wrongCodes >= MAX_WRONG) return 'locked'
  return counted.wrongOfPassword >= MAX_OF_PASSWORD && counted.passwordDigest === digest ? 'stolen' : undefined
}

/** Tells one password from another. A bcrypt hash has a salt, so the same password set again is another one. */
const digestOf = ({ passwordHash }: Pick<User, 'passwordHash'>): string =>
  createHash('sha256').update(passwordHash ?? '').digest('hex')

/**
 * Removes a user's factor, ends the user's sessions, and tells the owner by mail.
 *
 * @returns false if there is none
 */
export async function removeFactor (db: PrismaClient, id: number, requestId: string): Promise<boolean> {
  return await db.$transaction(async (tx) => {
    const had = Prisma.sql`id = ${id} AND second_factor_since IS NOT NULL`
    if (!await revokeKeepingTrust(tx, had, Prisma.sql`second_factor_since = NULL`)) return false
    await tx.$executeRaw`
      UPDATE second_factors SET secret = NULL, link_hash = NULL, new_secret = NULL, wrong_codes = 0,
        wrong_of_password = 0, last_refusal = NULL WHERE user_id = ${id}`
    await tx.recoveryCode.deleteMany({ where: { userId: id } })
    await notify(tx, 'second_factor_removed', id, requestId)
    return true
  })
}

/** What operators see of a user's factor. */
export interface FactorStanding {
  since: Date
  lastUsedAt: Date | null
  recoveryCodes: number
  /** What the last refused code was, such as `late`, and when. */
  lastRefusal: string | null
  lastRefusedAt: Date | null
  wrongCodes: number
  barred: 'stolen' | 'locked' | null
}

/** @returns null without a factor */
export async function standingOf (
  db: PrismaClient, user: Pick<User, 'id' | 'passwordHash' | 'secondFactorSince'>
): Promise<FactorStanding | null> {
  const { secondFactorSince: since } = user
  const factor = await db.secondFactor.findUnique({
    where: { userId: user.id }, include: { _count: { select: { recoveryCodes: true } } }
  })
  if (!since || !factor) return null
  const { lastUsedAt, lastRefusal, lastRefusedAt, wrongCodes, _count: { recoveryCodes } } = factor
  const barred = barOf(factor, digestOf(user)) ?? null
  return { since, lastUsedAt, recoveryCodes, lastRefusal, lastRefusedAt, wrongCodes, barred }
}
