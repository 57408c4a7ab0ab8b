import type { PrismaClient, User } from '../../prisma/client.js'
import { DatabaseUnavailable } from '../database/outage.js'

/** The username belongs to another account, or the email of who registers by themselves does, or who signs in. */
export class AlreadyTaken extends Error {
  override readonly name = 'AlreadyTaken'
}

type NewAccount = Pick<User, 'username' | 'email' | 'passwordHash' | 'userType' | 'role'> &
  Partial<Pick<User,
    'adpStatus' | 'bookChapterApproverDesignation' | 'passwordTemporary' | 'selfRegistered' |
    'signInIssuer' | 'signInSubject'>>

/** The database, or a transaction in it. */
export type Queries = Pick<PrismaClient, '$queryRaw' | '$executeRaw'>

/** Whether a statement failed because something must be unique, in the words of Prisma or PostgreSQL. */
export function isTaken (error: unknown): boolean {
  const { code, message } = error as Error & { code?: unknown }
  return code === 'P2002' || /\b23505\b/.test(message)
}

/**
 * An administrator may give several accounts one address. Who registers by themselves may not take one that any account
 * has: nobody has proved that it is theirs.
 *
 * @throws {AlreadyTaken}
 * @throws {DatabaseUnavailable} also if the sequence is behind
 */
export async function createAccount (db: PrismaClient, account: NewAccount): Promise<User> {
  try {
    return account.selfRegistered ? await register(db, account) : await db.user.create({ data: account })
  } catch (error) {
    if (!isTaken(error)) throw error
    throw sequenceBehind(error) ?? new AlreadyTaken('the username is another account\'s', { cause: error })
  }
}

/** Of two registrations with one address at once, the second waits until it can see the first. */
async function register (db: PrismaClient, account: NewAccount): Promise<User> {
  const { email } = account
  return await db.$transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${email}, 0))`
    if (email !== null && await tx.user.findFirst({ where: { email }, select: { id: true } })) {
      throw new AlreadyTaken('the email is another account\'s')
    }
    return await tx.user.create({ data: account })
  })
}

/**
 * A restore or a replication of the rows alone leaves the sequence of numbers behind. Each try moves it by one, so a
 * later one succeeds.
 *
 * @returns undefined if something else was taken
 */
export function sequenceBehind (error: unknown): DatabaseUnavailable | undefined {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: { originalMessage?: string } } } }
  // The name of the constraint is the same in every language of PostgreSQL's.
  if (!/users_pkey/.test(meta?.driverAdapterError?.cause?.originalMessage ?? '')) return undefined
  return new DatabaseUnavailable(
    'the sequence users_id_seq is behind: it gave the number of an account. gatehouse doctor prints the cure',
    { cause: error })
}

/** How many accounts are named that have the same address as another. A whole school may have that of its office. */
const MAX_SHARERS = 100

/** The usernames of the other accounts with the address of this one, the first 100. */
export async function sharersOf (db: PrismaClient, { id, email }: Pick<User, 'id' | 'email'>): Promise<string[]> {
  if (email === null) return []
  const sharers = await db.user.findMany({
    where: { email, id: { not: id } }, select: { username: true }, orderBy: { id: 'asc' }, take: MAX_SHARERS
  })
  return sharers.map(({ username }) => username)
}

/**
 * Deletes an account with all that belongs to it. Its number stays for a day, for the replicas that would accept its
 * tokens.
 *
 * @returns false if there is no such account
 */
export async function deleteAccount (db: Queries, username: string): Promise<boolean> {
  const deleted = await db.$queryRaw<unknown[]>`
    WITH deleted AS (
      DELETE FROM users WHERE username = ${username} RETURNING id
    ), forgotten AS (
      DELETE FROM deleted_users WHERE deleted_at < now() - interval '1 day'
    )
    INSERT INTO deleted_users (id) SELECT id FROM deleted
    ON CONFLICT (id) DO UPDATE SET deleted_at = now() RETURNING id`
  return deleted.length > 0
}
