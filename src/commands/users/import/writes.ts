import type { Prisma, PrismaClient, User } from '../../../../prisma/client.js'
import * as accounts from '../../../auth/accounts.js'
import { isSameHash } from '../../../auth/passwords.js'
import { DEFAULT_USER_TYPE, LOWEST_ROLE } from '../../../auth/rules.js'
import { pluralize } from '../../../base/text.js'
import { invite } from '../../../mail/account-mails.js'
import type { Action } from '../../audit.js'
import { Failure } from '../../output.js'
import { valueIn } from './fields.js'
import { existing, type Change, type Existing } from './comparison.js'
import type { Imported } from './imported.js'
import { pagesOf, type Plan, type Step } from './plan.js'

/* What an import writes: parts of a plan, each in a transaction of its own, so that nobody waits long. */

/** Stands in the place of a request, with the mails that an import causes. */
const REQUEST_ID = 'gatehouse users import'
const PART_MS = 30_000
/** Somebody changes an account while its part is written. */
const MAX_TRIES = 10

type Transaction = Prisma.TransactionClient

/** Whether nobody has a number here, nor is refused by one, as who was deleted in the last day. */
export async function hasNoNumbers (db: Pick<PrismaClient, '$queryRaw'>): Promise<boolean> {
  const [found] = await db.$queryRaw<Array<{ none: boolean }>>`
    SELECT NOT EXISTS (SELECT FROM users) AND NOT EXISTS (
      SELECT FROM deleted_users WHERE id <> ${accounts.EVERYONE}::int AND deleted_at > now() - interval '1 day'
    ) AS none`
  return found!.none
}

interface Hooks {
  /** @returns a hash for each password */
  hash: (passwords: string[]) => Promise<string[]>
  /** Called with the events of each part, after it is written. */
  onWritten: (events: Action[], accounts: number) => void
}

/**
 * Writes a plan, first what frees names. Whoever runs the import again goes on where it was ended.
 *
 * @returns how many are invited
 * @throws {Failure} with code 5 if an account is no longer as it was when the plan was made
 */
export async function writePlan (db: PrismaClient, plan: Plan, hooks: Hooks): Promise<number> {
  let done = 0
  async function write (accounts: number, part: (tx: Transaction) => Promise<Action[] | void>): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const events = await db.$transaction(async (tx) => {
          // A plan that was made while the table was empty would read all of it each time.
          await tx.$executeRaw`SET LOCAL plan_cache_mode = force_custom_plan`
          return await part(tx)
        }, { timeout: PART_MS, maxWait: PART_MS, isolationLevel: 'RepeatableRead' })
        done += accounts
        return hooks.onWritten(events ?? [], done)
      } catch (error) {
        if (tries === MAX_TRIES || !isConflict(error as Error)) rethrow(error as Error, done)
      }
    }
  }

  async function hashed (rows: readonly Imported[]): Promise<Imported[]> {
    const hashes = await hooks.hash(rows.flatMap(({ password }) => password ?? []))
    return rows.map(({ password, ...row }) => password === undefined ? row : { ...row, passwordHash: hashes.shift()! })
  }

  async function changePart (steps: Step[]): Promise<void> {
    const withPassword = steps.filter(({ changes }) => changes.password)
    const rows = await hashed(withPassword.map(({ account }) => account!))
    const hashes = new Map(withPassword.map((step, i) => [step, rows[i]!.passwordHash ?? null]))
    await write(steps.length, async (tx) => {
      await mustBeAsPlanned(tx, steps)
      await release(tx, steps.filter(step => plan.moved.has(step)))
      await accounts.changeAccounts(tx, steps.map(step => changeOf(step, hashes.get(step))), REQUEST_ID)
      return steps.flatMap(eventsOf)
    })
  }

  if (plan.moved.size > 0) await changePart([...plan.moved])
  const others = plan.changed.filter(step => !plan.moved.has(step))
  for (const steps of pagesOf([...others, ...plan.missing])) await changePart(steps)
  const { keepsNumbers } = plan
  const highest = plan.created.reduce((highest, { userId = 0 }) => Math.max(highest, userId), 0)
  if (keepsNumbers) await write(0, async tx => await passNumbers(tx, highest))
  for (const page of pagesOf(plan.created)) {
    const rows = (await hashed(page)).map(({ userId, ...row }) => ({ ...row, ...keepsNumbers && userId && { userId } }))
    await write(rows.length, async tx => await createAll(tx, rows))
  }
  let invited = 0
  for (const names of pagesOf(plan.invited)) {
    await write(0, async (tx) => { invited += await invite(tx, names, REQUEST_ID) })
  }
  return invited
}

/** Later accounts get higher numbers. The service's role may use the sequence, but not set it. */
async function passNumbers (tx: Transaction, highest: number): Promise<void> {
  await tx.$queryRaw`
    SELECT count(nextval('users_id_seq'))
    FROM generate_series(1, ${highest}::int - COALESCE(pg_sequence_last_value('users_id_seq'), 0))`
}

/** Accounts without a number get the next ones. */
async function createAll (tx: Transaction, rows: readonly Imported[]): Promise<Action[]> {
  const created = await tx.$queryRaw<Array<Pick<User, 'id' | 'username' | 'role' | 'userType' | 'email'> & Disabled>>`
    INSERT INTO users (id, username, email, role, user_type, adp_status, book_chapter_approver_designation,
      password_hash, password_temporary, self_registered, disabled_at, disabled_by_source, source, sourced_id,
      sign_in_issuer, sign_in_subject)
    SELECT COALESCE("userId", nextval('users_id_seq')), username, email, COALESCE(role, ${LOWEST_ROLE}),
      COALESCE("userType", ${DEFAULT_USER_TYPE}), "adpStatus", "bookChapterApproverDesignation", "passwordHash",
      COALESCE("passwordTemporary", false), COALESCE("selfRegistered", false), CASE WHEN disabled THEN now() END,
      COALESCE("disabledBySource", disabled AND source IS NOT NULL, false), source, "sourcedId",
      "signInIssuer", "signInSubject"
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (
      line int, "userId" int, username text, email text, role text, "userType" text, "adpStatus" text,
      "bookChapterApproverDesignation" text, "passwordHash" text, "passwordTemporary" bool,
      "selfRegistered" bool, disabled bool, "disabledBySource" bool, source text, "sourcedId" text,
      "signInIssuer" text, "signInSubject" text)
    ORDER BY line
    RETURNING id, username, role, user_type AS "userType", email, disabled_at IS NOT NULL AS disabled`
  return created.map(({ id, username, ...after }) =>
    ({ event: 'user_created', subject: username, subjectId: id, role: after.role, after }))
}

interface Disabled { disabled: boolean }

/** In the words of Prisma and of PostgreSQL: an account was written since the part began, or there was a deadlock. */
const isConflict = ({ code, message }: Error & { code?: unknown }): boolean =>
  code === 'P2034' || /\b(40001|40P01)\b/.test(message)

/** @throws {Failure} if something was changed that the plan changes, too */
async function mustBeAsPlanned (tx: Transaction, steps: readonly Step[]): Promise<void> {
  const ids = steps.map(({ user: { id } }) => id)
  const now = new Map((await tx.$queryRaw<Existing[]>`${existing} WHERE id = ANY(${ids})`)
    .map(user => [user.id, user]))
  for (const { user, changes } of steps) {
    const found = now.get(user.id)
    const other = !found
      ? 'which is deleted'
      : (Object.keys(changes) as Change[]).find(change => isOther(change, found, user))
    if (other) throw new Failure(`${user.username} was changed meanwhile (${other})`, 5)
  }
}

function isOther (change: Change, now: Existing, planned: Existing): boolean {
  if (change === 'password') return !isSameHash(now.passwordHash, planned.passwordHash)
  // A person may have ended the access that a roster had ended before.
  if (change === 'disabled' && now.disabledBySource !== planned.disabledBySource) return true
  return valueIn(now, change) !== valueIn(planned, change)
}

/** Takes the names that these accounts will pass on to each other from all of them. */
async function release (tx: Transaction, steps: readonly Step[]): Promise<void> {
  if (steps.length === 0) return
  const ids = steps.map(({ user: { id } }) => id)
  await tx.$executeRaw`UPDATE users SET username = '~' || id WHERE id = ANY(${ids})`
}

/** As the column of a field is called. */
const columnOf = (change: string): string => change.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Revokes and mails the same as the commands for one account do. */
function changeOf (
  { user, account, changes }: Step, passwordHash: string | null | undefined
): accounts.AccountChange {
  const { password, disabled, ...ofColumns } = changes
  const { passwordTemporary, role, userType, username, email, signInIssuer, signInSubject } = ofColumns
  const columns: Record<string, unknown> = Object.fromEntries(
    Object.entries(ofColumns).map(([change, { after }]) => [columnOf(change), after]))
  if (password) {
    Object.assign(columns, { password_hash: passwordHash, password_temporary: account?.passwordTemporary ?? false })
  }
  if (disabled) {
    const byRoster = account === undefined || account.source !== undefined
    Object.assign(columns, {
      disabled_at: disabled.after ? 'now' : null, disabled_by_source: disabled.after === true && byRoster
    })
  }
  if (user.selfRegistered) columns.self_registered = account?.selfRegistered ?? false
  const distrusts = password !== undefined || passwordTemporary?.after === true || disabled?.after === true
  return {
    id: user.id,
    columns,
    distrusts,
    // Tokens also name the user and the type. Who is linked to another person has other tokens.
    revokes: distrusts || [role, userType, username, signInIssuer, signInSubject].some(change => change !== undefined),
    voidsLinks: distrusts || email !== undefined,
    announces: password !== undefined
  }
}

/** The fields whose change is an event, which is that of the command for one account. */
const events: Array<[event: string, fields: Change[]]> = [
  ['privilege_permissions_changed', ['role', 'userType']],
  ['user_disabled', ['disabled']],
  ['authn_password_change', ['password', 'passwordTemporary']],
  ['user_updated', ['username', 'email', 'adpStatus', 'book_chapter_approver_designation', 'source', 'sourcedId',
    'signInIssuer', 'signInSubject']]
]

function eventsOf ({ user, changes, account }: Step): Action[] {
  const { username: subject, id: subjectId } = user
  return events.flatMap(([event, fields]) => {
    const changed = fields.filter(field => changes[field] !== undefined)
    if (changed.length === 0) return []
    const values = (which: 'before' | 'after'): object => Object.fromEntries(
      changed.filter(field => field !== 'password').map(field => [field, changes[field]![which]]))
    return [{
      event: event === 'user_disabled' && !changes.disabled!.after ? 'user_enabled' : event,
      subject,
      subjectId,
      ...changes.role && event === 'privilege_permissions_changed' && { role: changes.role.after },
      ...event === 'user_disabled' && account === undefined && { reason: 'missing' },
      before: values('before'),
      after: values('after')
    }]
  })
}

function rethrow (error: Error, done: number): never {
  const written = `${done === 0 ? 'Nothing was written' : `${pluralize(done, 'account')} are written`}: run it again`
  if (error instanceof Failure) throw new Failure(`${error.message}. ${written}`, 5)
  if (!accounts.isTaken(error)) throw error
  throw accounts.sequenceBehind(error) ??
    new Failure(`another account has taken a username of the file, or is linked to the same person. ${written}`, 5)
}
