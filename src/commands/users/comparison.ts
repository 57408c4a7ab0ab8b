import type { PrismaClient, User } from '../../../prisma/client.js'
import { isSameHash } from '../../auth/passwords.js'
import { USERNAME_RULE } from '../../auth/rules.js'
import type { Field } from './columns.js'
import { isNewUsername, type Imported } from './imported.js'

/** A change of an existing account. */
export type Change = Exclude<Field, 'userId' | 'username' | 'selfRegistered' | 'passwordHash'>

type Existing = Pick<User, 'id' | 'username' | 'email' | 'role' | 'userType' | 'adpStatus' |
  'bookChapterApproverDesignation' | 'disabledAt' | 'passwordHash' | 'passwordTemporary' | 'selfRegistered'>

/** A row beside the account that has its name. */
export interface Compared {
  account: Imported
  user?: Existing
  changes: Change[]
  /** A stranger may have the account. It is only changed together with its password and address. */
  isStrange: boolean
  fault?: string
}

/**
 * Finds the accounts of some rows in one query.
 *
 * @param withPasswords whether passwords are compared
 */
export async function compare (
  db: Pick<PrismaClient, '$queryRaw'>, rows: readonly Imported[], withPasswords: boolean
): Promise<Compared[]> {
  const names = rows.map(({ username }) => username)
  // Prisma's own queries take ten times as long for many rows.
  const users = await db.$queryRaw<Existing[]>`
    SELECT id, username, email, role, user_type AS "userType", adp_status AS "adpStatus",
      disabled_at AS "disabledAt", book_chapter_approver_designation AS "bookChapterApproverDesignation",
      password_hash AS "passwordHash", password_temporary AS "passwordTemporary", self_registered AS "selfRegistered"
    FROM users WHERE username = ANY(${names})`
  const byName = new Map(users.map(user => [user.username, user]))
  return rows.map((account) => {
    const user = byName.get(account.username)
    const isStrange = user?.selfRegistered === true && !withPasswords
    const row = user?.selfRegistered ? withoutOthers(account) : account
    return {
      account: row,
      ...user && { user },
      changes: user && !isStrange ? changesOf(row, user, withPasswords) : [],
      isStrange,
      ...!user && account.username !== '' && !isNewUsername(account.username) && { fault: `username ${USERNAME_RULE}` }
    }
  })
}

/** Neither the password nor the address of a stranger is kept. */
const withoutOthers = (row: Imported): Imported =>
  ({ ...row, email: row.email ?? null, passwordHash: row.passwordHash ?? null })

function changesOf (account: Imported, user: Existing, withPasswords: boolean): Change[] {
  const differs = (value: unknown, current: unknown): boolean => value !== undefined && value !== current
  const changes: Record<Change, boolean> = {
    email: differs(account.email, user.email),
    role: differs(account.role, user.role),
    userType: differs(account.userType, user.userType),
    adpStatus: differs(account.adpStatus, user.adpStatus),
    book_chapter_approver_designation:
      differs(account.bookChapterApproverDesignation, user.bookChapterApproverDesignation),
    disabled: differs(account.disabled, user.disabledAt !== null),
    password: withPasswords && account.passwordHash !== undefined &&
      !isSameHash(account.passwordHash, user.passwordHash),
    passwordTemporary: withPasswords && differs(account.passwordTemporary, user.passwordTemporary)
  }
  return (Object.keys(changes) as Change[]).filter(change => changes[change])
}
