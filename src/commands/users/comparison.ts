import type { Prisma, PrismaClient, User } from '../../../prisma/client.js'
import * as accounts from '../../auth/accounts.js'
import { isSameHash } from '../../auth/passwords.js'
import { DEFAULT_USER_TYPE, LOWEST_ROLE, USERNAME_RULE } from '../../auth/rules.js'
import type { Action } from '../audit.js'
import type { Field } from './columns.js'
import { isNewUsername, type Imported } from './imported.js'

const REQUEST_ID = 'gatehouse users import'

/** A change of an existing account. */
type Change = Exclude<Field, 'userId' | 'username' | 'selfRegistered' | 'passwordHash'>

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
  const emails = rows.flatMap(({ email }) => email ?? [])
  // Prisma's own queries take ten times as long for many rows.
  const users = await db.$queryRaw<Existing[]>`
    SELECT id, username, email, role, user_type AS "userType", adp_status AS "adpStatus",
      disabled_at AS "disabledAt", book_chapter_approver_designation AS "bookChapterApproverDesignation",
      password_hash AS "passwordHash", password_temporary AS "passwordTemporary", self_registered AS "selfRegistered"
    FROM users WHERE username = ANY(${names}) OR email = ANY(${emails})`
  const byName = new Map(users.map(user => [user.username, user]))
  const byEmail = new Map(users.map(user => [user.email, user]))
  return rows.map((account) => {
    const user = byName.get(account.username)
    const owner = account.email === undefined ? undefined : byEmail.get(account.email)
    const taken = owner && owner.username !== account.username
    const isStrange = user?.selfRegistered === true && !withPasswords
    const row = user?.selfRegistered ? withoutOthers(account) : account
    return {
      account: row,
      ...user && { user },
      changes: user && !isStrange ? changesOf(row, user, withPasswords) : [],
      isStrange,
      ...taken && { fault: `email ${account.email} is the address of ${owner.username} already` },
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

type Transaction = Prisma.TransactionClient

/** Whether nobody has a number here, nor is refused by one, as who was deleted in the last day. */
export async function hasNoNumbers (db: Pick<PrismaClient, '$queryRaw'>): Promise<boolean> {
  const [found] = await db.$queryRaw<Array<{ none: boolean }>>`
    SELECT NOT EXISTS (SELECT FROM users) AND NOT EXISTS (
      SELECT FROM deleted_users WHERE id <> ${accounts.EVERYONE}::int AND deleted_at > now() - interval '1 day'
    ) AS none`
  return found!.none
}

/** Later accounts get higher numbers. The service's role may use the sequence, but not set it. */
export async function passNumbers (tx: Transaction, highest: number): Promise<void> {
  await tx.$queryRaw`
    SELECT count(nextval('users_id_seq'))
    FROM generate_series(1, ${highest}::int - COALESCE(pg_sequence_last_value('users_id_seq'), 0))`
}

/**
 * Accounts without a number get the next ones.
 *
 * @returns the events of the new accounts
 */
export async function createAll (tx: Transaction, rows: readonly Imported[]): Promise<Action[]> {
  const created = await tx.$queryRaw<Array<Pick<User, 'id' | 'username' | 'role' | 'userType' | 'email'> & Disabled>>`
    INSERT INTO users (id, username, email, role, user_type, adp_status, book_chapter_approver_designation,
      password_hash, password_temporary, self_registered, disabled_at)
    SELECT COALESCE("userId", nextval('users_id_seq')), username, email, COALESCE(role, ${LOWEST_ROLE}),
      COALESCE("userType", ${DEFAULT_USER_TYPE}), "adpStatus", "bookChapterApproverDesignation", "passwordHash",
      COALESCE("passwordTemporary", false), COALESCE("selfRegistered", false), CASE WHEN disabled THEN now() END
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (
      line int, "userId" int, username text, email text, role text, "userType" text, "adpStatus" text,
      "bookChapterApproverDesignation" text, "passwordHash" text, "passwordTemporary" bool,
      "selfRegistered" bool, disabled bool)
    ORDER BY line
    RETURNING id, username, role, user_type AS "userType", email, disabled_at IS NOT NULL AS disabled`
  return created.map(({ id, username, ...after }) =>
    ({ event: 'user_created', subject: username, subjectId: id, role: after.role, after }))
}

interface Disabled { disabled: boolean }

/**
 * The same as the commands for one account do, with the same revocations and mails.
 *
 * @returns its events
 */
export async function change (tx: Transaction, { account, user, changes }: Compared): Promise<Action[]> {
  const { username, email, role, userType, adpStatus, bookChapterApproverDesignation, disabled } = account
  const changed = (change: Change): boolean => changes.includes(change)
  if (changed('password')) await accounts.setPassword(tx, username, account.passwordHash!, REQUEST_ID)
  else if (changed('passwordTemporary') && account.passwordTemporary) await accounts.revokeTokens(tx, username)
  // Tokens also name the type of user.
  if (changed('role') || changed('userType')) await accounts.setRole(tx, username, role ?? user!.role)
  if (changed('disabled')) await (disabled ? accounts.disable : accounts.enable)(tx, username)
  if (changed('email')) await accounts.setEmail(tx, username, email!)
  const rest = {
    ...changed('userType') && { userType: userType! },
    ...changed('adpStatus') && { adpStatus: adpStatus! },
    ...changed('book_chapter_approver_designation') && {
      bookChapterApproverDesignation: bookChapterApproverDesignation!
    },
    ...(changed('password') || changed('passwordTemporary')) && {
      passwordTemporary: account.passwordTemporary ?? false
    },
    ...user!.selfRegistered && { selfRegistered: account.selfRegistered ?? false }
  }
  if (Object.keys(rest).length > 0) await tx.user.update({ where: { username }, data: rest })
  return eventsOf({ account, user: user!, changes })
}

/** The fields whose change is an event, which is that of the command for one account. */
const events: Array<[event: string, fields: Change[]]> = [
  ['privilege_permissions_changed', ['role', 'userType']],
  ['user_disabled', ['disabled']],
  ['authn_password_change', ['password', 'passwordTemporary']],
  ['user_updated', ['email', 'adpStatus', 'book_chapter_approver_designation']]
]

function eventsOf ({ account, user, changes }: Required<Pick<Compared, 'account' | 'user' | 'changes'>>): Action[] {
  const { username: subject, id: subjectId } = user
  const { passwordHash: _, ...former } = { ...user, disabled: user.disabledAt !== null }
  return events.flatMap(([event, fields]) => {
    const changed = fields.filter(field => changes.includes(field))
    if (changed.length === 0) return []
    const withoutPassword = (values: object): object => Object.fromEntries(changed.filter(field => field !== 'password')
      .map(field => [field, (values as Record<string, unknown>)[columnOf(field)]]))
    return [{
      event: event === 'user_disabled' && !account.disabled ? 'user_enabled' : event,
      subject,
      subjectId,
      ...changed.includes('role') && { role: account.role },
      before: withoutPassword(former),
      after: withoutPassword(account)
    }]
  })
}

const columnOf = (field: Change): string =>
  field === 'book_chapter_approver_designation' ? 'bookChapterApproverDesignation' : field

/**
 * Mails a link to those who have an address and no password, unless they have a link that is still valid, or a mail
 * with one waits.
 *
 * @returns how many get a mail
 */
export async function invite (tx: Transaction, rows: readonly Imported[]): Promise<number> {
  return await tx.$executeRaw`
    INSERT INTO mails (kind, user_id, request_id)
    SELECT 'invitation', id, ${REQUEST_ID} FROM users
    WHERE username = ANY(${rows.map(({ username }) => username)})
      AND password_hash IS NULL AND email IS NOT NULL AND disabled_at IS NULL
      AND (reset_token_expires_at IS NULL OR reset_token_hash IS NULL OR reset_token_expires_at <= now())
      AND NOT EXISTS (SELECT FROM mails WHERE user_id = users.id AND due_at IS NOT NULL AND kind <> 'password_changed')
    ORDER BY id`
}
