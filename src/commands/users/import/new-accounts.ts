import type { Prisma, PrismaClient } from '../../../../prisma/client.js'
import { EVERYONE } from '../../../auth/account-changes.js'
import { DEFAULT_USER_TYPE, LOWEST_ROLE } from '../../../auth/rules.js'
import type { Action } from '../../audit.js'
import type { Imported } from './imported.js'
import { columnsOf, otherColumns, type Existing } from './stored.js'

/** Whether nobody has a number here, nor is refused by one, as who was deleted in the last day. */
export async function hasNoNumbers (db: Pick<PrismaClient, '$queryRaw'>): Promise<boolean> {
  const [found] = await db.$queryRaw<Array<{ none: boolean }>>`
    SELECT NOT EXISTS (SELECT FROM users) AND NOT EXISTS (
      SELECT FROM deleted_users WHERE id <> ${EVERYONE}::int AND deleted_at > now() - interval '1 day'
    ) AS none`
  return found!.none
}

/** Later accounts get higher numbers. The service's role may use the sequence, but not set it. */
export async function passNumbers (tx: Prisma.TransactionClient, highest: number): Promise<void> {
  await tx.$queryRaw`
    SELECT count(nextval('users_id_seq'))
    FROM generate_series(1, ${highest}::int - COALESCE(pg_sequence_last_value('users_id_seq'), 0))`
}

/** Accounts without a number get the next ones. */
export async function createAll (tx: Prisma.TransactionClient, rows: readonly Imported[]): Promise<Action[]> {
  const accounts = rows.map(row => columnsOf(Object.assign(defaultsOf(row), row)))
  const created = await tx.$queryRaw<Array<{ id: number } & Pick<Existing, 'username' | 'role'>>>`
    INSERT INTO users (id, ${otherColumns})
    SELECT COALESCE(id, nextval('users_id_seq')), ${otherColumns}
    FROM jsonb_populate_recordset(NULL::users, ${JSON.stringify(accounts)}::jsonb) WITH ORDINALITY
    ORDER BY ordinality
    RETURNING id, username, role, user_type AS "userType", email, disabled_at IS NOT NULL AS disabled`
  return created.map(({ id, username, ...after }) =>
    ({ event: 'user_created', subject: username, subjectId: id, role: after.role, after }))
}

const defaultsOf = ({ disabled = false, source }: Imported): Partial<Imported> => ({
  role: LOWEST_ROLE,
  userType: DEFAULT_USER_TYPE,
  passwordTemporary: false,
  selfRegistered: false,
  disabledBySource: disabled && source !== undefined
})
