import type { Prisma, PrismaClient, User } from '../../../prisma/client.js'
import * as accounts from '../../auth/accounts.js'
import { DEFAULT_USER_TYPE, LOWEST_ROLE } from '../../auth/rules.js'
import type { Action } from '../audit.js'
import { valueIn } from './columns.js'
import type { Change, Compared } from './comparison.js'
import type { Imported } from './imported.js'

/* What an import writes, in its transaction. `createAll` and `change` return events for the audit log. */

/** Stands in the place of a request, with the mails that an import causes. */
export const REQUEST_ID = 'gatehouse users import'

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

/** Accounts without a number get the next ones. */
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

/** The same as the commands for one account do, with the same revocations and mails. */
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
    const withoutPassword = (values: object): object =>
      Object.fromEntries(changed.filter(field => field !== 'password').map(field => [field, valueIn(values, field)]))
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
