import type { PrismaClient } from '../../../../prisma/client.js'
import { fits, isSameHash } from '../../../auth/stored-hash.js'
import { USERNAME_RULE } from '../../../auth/rules.js'
import { fieldTable, fields, type Field } from './fields.js'
import type { Imported } from './imported.js'
import { isNewUsername } from './name-cells.js'
import { existing, type Existing } from './stored.js'

/** What becomes different of an existing account. */
export type Changes = Partial<Record<Field, { before: unknown, after: unknown }>>

/** A row beside the account that it means. */
export interface Compared {
  account: Imported
  user?: Existing
  changes: Changes
  /** A stranger may have the account. It is only changed together with its password and address. */
  isOffLimits: boolean
  /** Another account that has the name of the row. */
  owner?: Existing
  /** A person ended the access, and the row alone does not give it back. */
  endedByHand: boolean
  fault?: string
}

/**
 * Finds the accounts of some rows in one query: by source and id, and then by username.
 *
 * @param withPasswords whether passwords are compared
 */
export async function compare (
  db: Pick<PrismaClient, '$queryRaw'>, rows: readonly Imported[], withPasswords: boolean
): Promise<Compared[]> {
  const names = rows.map(({ username }) => username)
  const sources = rows.map(({ source }) => source ?? '')
  const ids = rows.map(({ sourcedId }) => sourcedId ?? '')
  // OFFSET 0 looks each row up by an index. Otherwise PostgreSQL may read the whole table for every page.
  const users = await db.$queryRaw<Existing[]>`${existing}
    WHERE id = ANY(ARRAY(
      SELECT id FROM unnest(${names}::text[]) AS own (name),
        LATERAL (SELECT id FROM users WHERE username = own.name OFFSET 0) AS found
      UNION SELECT id FROM unnest(${sources}::text[], ${ids}::text[]) AS own (source, id_there),
        LATERAL (SELECT id FROM users WHERE source = own.source AND sourced_id = own.id_there OFFSET 0) AS found
    ))`
  const byName = new Map(users.map(user => [user.username, user]))
  const byId = new Map(users.map(user => [keyOf(user), user]))
  const compared = rows.map((account): Compared => {
    const namesake = byName.get(account.username)
    const user = (account.source === undefined ? undefined : byId.get(keyOf(account))) ??
      (namesake && isTakenOver(namesake, account) ? namesake : undefined)
    const isOffLimits = user?.selfRegistered === true && !withPasswords
    const row = user?.selfRegistered ? withoutOthers(account) : account
    const fault = faultBeside(account, user)
    return {
      account: row,
      ...user && { user },
      changes: user && !isOffLimits ? changesOf(row, user, withPasswords) : {},
      isOffLimits,
      ...namesake && namesake.userId !== user?.userId && { owner: namesake },
      endedByHand: !!user?.disabled && row.disabled === false && !mayBegin(row, user),
      ...fault !== undefined && { fault }
    }
  })
  return withPasswords ? await Promise.all(compared.map(comparePassword)) : compared
}

/** What is only right of an account that exists: a name of earlier releases, and no role in a roster. */
function faultBeside ({ username, lacksRole, hasLeft }: Imported, user?: Existing): string | undefined {
  if (user?.username !== username && username !== '' && !isNewUsername(username)) {
    return `username ${username} ${USERNAME_RULE}`
  }
  if (user || hasLeft || !lacksRole) return undefined
  return `role is empty: --value role:=ROLE says what it is then (${username})`
}

/** A password that the account has already is no change. This takes the time of a login. */
async function comparePassword (compared: Compared): Promise<Compared> {
  const { account: { password }, user, isOffLimits, changes } = compared
  if (!user || isOffLimits || password === undefined) return compared
  const { passwordHash, selfRegistered } = user
  if (!selfRegistered && passwordHash !== null && await fits(password, passwordHash)) return compared
  return { ...compared, changes: { ...changes, password: { before: passwordHash && 'one', after: 'another' } } }
}

const keyOf = ({ source = null, sourcedId = null }: { source?: string | null, sourcedId?: string | null }): string =>
  `${source}\0${sourcedId}`

/** A roster may take an account that was made otherwise. It never takes one of another source or id. */
const isTakenOver = (user: Existing, { source }: Imported): boolean => source === undefined || user.source === null

/** Neither the password nor the address of a stranger is kept. */
const withoutOthers = (row: Imported): Imported =>
  ({ ...row, email: row.email ?? null, ...row.password === undefined && { passwordHash: row.passwordHash ?? null } })

/** Whether the row may give the access back: a roster only if a roster has ended it. */
const mayBegin = ({ source }: Imported, user: Existing): boolean => source === undefined || user.disabledBySource

function changesOf (account: Imported, user: Existing, withPasswords: boolean): Changes {
  const { source, passwordHash, disabled } = account
  // Who is in the roster again, and is not said to be disabled, comes back.
  const isBack = source !== undefined && user.disabled && user.disabledBySource
  const wanted: Imported = { ...account, ...isBack && { disabled: disabled ?? false } }
  if (user.disabled && !wanted.disabled && !mayBegin(account, user)) delete wanted.disabled
  if (!withPasswords) delete wanted.passwordTemporary
  const changes: Changes = {}
  for (const field of changeable) {
    const [before, after] = [user[field], wanted[field]]
    if (field === 'password') {
      const isOther = withPasswords && passwordHash !== undefined && !isSameHash(passwordHash, user.passwordHash)
      // No report and no log has a hash.
      if (isOther) changes.password = { before: user.passwordHash && 'one', after: passwordHash && 'another' }
    } else if (after !== undefined && after !== before && after !== '') {
      changes[field] = { before, after }
    }
  }
  return changes
}

const changeable = fields.filter(field => fieldTable[field].event !== undefined)
