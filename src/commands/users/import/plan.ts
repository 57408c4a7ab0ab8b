import { createHash } from 'node:crypto'
import { fits } from '../../../auth/passwords.js'
import { ADMIN_ROLE } from '../../../auth/rules.js'
import { normalizeUsername } from '../../../auth/username.js'
import { pluralize } from '../../../base/text.js'
import type { PrismaClient } from '../../../../prisma/client.js'
import { Failure } from '../../output.js'
import { endProgress, showProgress } from '../progress.js'
import { compare, existing, type Changes, type Compared, type Existing } from './comparison.js'
import { damagedNames } from './damaged-names.js'
import type { Imported } from './imported.js'

/** How many rows one query handles, and one transaction writes. */
const AT_ONCE = 500
/** Of those who are missing, if they are too many. */
const MAX_NAMED = 10

/** What happens to an account that exists. */
export interface Step {
  user: Existing
  changes: Changes
  /** Its row; an account that is missing has none. */
  account?: Imported
}

/** An account that is not changed as the file says, and why. */
export interface Named {
  username: string
  why: string
}

export interface Fault {
  line: number
  fault: string
}

/** All that an import will write, and what it leaves alone. */
export interface Plan {
  created: Imported[]
  changed: Step[]
  /** Those of `changed` that pass a name on to each other. */
  moved: Set<Step>
  missing: Step[]
  /** They differ, and nobody said --update. */
  differing: Named[]
  /** A stranger may have registered the account. */
  strange: string[]
  untouched: Named[]
  same: number
  renumbered: number
  /** Accounts get the numbers of the file. */
  keepsNumbers: boolean
  /** Of those who may log in: they have a password or get the file's, get its hash, or have a link. */
  ways: { password: number, hash: number, link: number }
  /** Those who get a link by mail, and those who can't get in. */
  invited: string[]
  without: string[]
  faults: Fault[]
}

interface Planning {
  /** Rows that were left out for their faults: their accounts are in the file. */
  leftOut: readonly Imported[]
  /** Whether accounts get the numbers of the file. */
  keepsNumbers: boolean
  update?: boolean | undefined
  passwords?: boolean | undefined
  invite?: boolean | undefined
  /** The roster whose other accounts end. */
  endsMissingOf?: string | undefined
  /** A number, or a part of them as `5%`. */
  atMost: string
}

/** As many as one query handles. */
export function * pagesOf <T> (all: readonly T[]): Generator<T[]> {
  for (let i = 0; i < all.length; i += AT_ONCE) yield all.slice(i, i + AT_ONCE)
}

/**
 * Compares all rows with the accounts. It writes nothing.
 *
 * @throws {Failure} with code 4 if too many are missing
 */
export async function makePlan (db: PrismaClient, rows: readonly Imported[], planning: Planning): Promise<Plan> {
  const plan: Plan = {
    created: [],
    changed: [],
    moved: new Set(),
    missing: [],
    differing: [],
    strange: [],
    untouched: [],
    same: 0,
    renumbered: 0,
    keepsNumbers: planning.keepsNumbers,
    ways: { password: 0, hash: 0, link: 0 },
    invited: [],
    without: [],
    faults: []
  }
  const contests: Contest[] = []
  const formerNames = new Set<string>()
  let done = 0
  for (const page of pagesOf(rows)) {
    const all = await compare(db, page, planning.passwords ?? false)
    if (planning.passwords) await Promise.all(all.map(comparePassword))
    for (const one of all) {
      if (!one.user && one.account.formerName !== undefined) formerNames.add(one.account.formerName)
      const written = decide(one, plan, planning)
      if (written && one.owner) contests.push({ written, owner: one.owner })
    }
    showProgress('compared', done += page.length, rows.length)
  }
  endProgress()
  keepFromSuccessors(plan, formerNames)
  settle(plan, contests)
  for (const account of plan.created) countWay(plan, account, planning)
  await findDamaged(db, rows, plan)
  if (planning.endsMissingOf !== undefined) plan.missing = await missingOf(db, rows, plan, planning)
  await keepLastAdministrator(db, plan)
  return plan
}

/** A password that the account has already is no change. This takes the time of a login. */
async function comparePassword ({ account: { password }, user, isStrange, changes }: Compared): Promise<void> {
  if (!user || isStrange || password === undefined) return
  const { passwordHash, selfRegistered } = user
  if (!selfRegistered && passwordHash !== null && await fits(password, passwordHash)) return
  changes.password = { before: passwordHash && 'one', after: 'another' }
}

/** @returns what will be written of a row, if anything */
function decide (compared: Compared, plan: Plan, planning: Planning): Step | Imported | undefined {
  const { account, user, isStrange, endedByHand, fault } = compared
  const { update, keepsNumbers, endsMissingOf } = planning
  const { userId } = account
  if (fault !== undefined) plan.faults.push({ line: account.line, fault })
  if (userId !== undefined && (user ? user.id !== userId : !keepsNumbers)) plan.renumbered++
  if (!user) {
    if (account.hasLeft) plan.same++
    else plan.created.push(account)
    return account.hasLeft ? undefined : account
  }
  if (endedByHand) plan.untouched.push({ username: user.username, why: 'a person ended the access: see users enable' })
  const { disabled } = compared.changes
  // Coming back belongs to what --disable-missing does.
  const changes = update ? compared.changes : endsMissingOf && disabled?.after === false ? { disabled } : {}
  const step = { user, changes, account }
  const others = Object.keys(compared.changes)
  countWay(plan, account, planning, step)
  if (isStrange) plan.strange.push(user.username)
  else if (others.length === 0) plan.same++
  else if (Object.keys(changes).length === 0) {
    plan.differing.push({ username: user.username, why: others.join(', ') })
  } else {
    plan.changed.push(step)
    return step
  }
  return undefined
}

/** Counts how the account gets in, if it may. */
function countWay (plan: Plan, account: Imported, { invite }: Planning, step?: Step): void {
  const { user, changes: { disabled, email, password } = {} } = step ?? {}
  const username = user?.username ?? account.username
  if (disabled ? disabled.after : user?.disabled ?? account.disabled) return
  if (!user && account.passwordHash) plan.ways.hash++
  else if (password && account.passwordHash) plan.ways.hash++
  else if (password ? password.after : user?.passwordHash ?? account.password) plan.ways.password++
  else if (user?.hasLink) plan.ways.link++
  else if (invite && (email ? email.after : user ? user.email : account.email)) plan.invited.push(username)
  else plan.without.push(username)
}

/**
 * An account that no roster has yet is perhaps that of who has left, and not of who has the name now.
 *
 * @param formerNames of those who have left and whose ids are those of no account
 */
function keepFromSuccessors (plan: Plan, formerNames: ReadonlySet<string>): void {
  const isKept = ({ user, changes }: Step): boolean => changes.source !== undefined && formerNames.has(user.username)
  for (const { user: { username }, account } of plan.changed.filter(isKept)) {
    plan.untouched.push({ username, why: `it may be that of who has left, and not of ${account?.sourcedId}` })
  }
  plan.changed = plan.changed.filter(step => !isKept(step))
}

/** A row needs the name of an account that is not its own. */
interface Contest {
  written: Step | Imported
  owner: Existing
}

/** An account may give its name away within a file. Otherwise the row is left. */
function settle (plan: Plan, contests: readonly Contest[]): void {
  const steps = new Map(plan.changed.map(step => [step.user.id, step]))
  const losers = new Set<Step | Imported>()
  const givesAway = ({ owner }: Contest): boolean => {
    const step = steps.get(owner.id)
    return step?.changes.username !== undefined && !losers.has(step)
  }
  const isOpen = ({ written }: Contest): boolean =>
    !losers.has(written) && (!('changes' in written) || written.changes.username !== undefined)
  function lose ({ written, owner }: Contest): void {
    const account = 'changes' in written ? written.account! : written
    losers.add(written)
    // Whoever has left loses the access, whatever becomes of the name.
    if ('changes' in written) written.changes = endOf(written)
    const whose = owner.source === null ? 'another account' : `${owner.sourcedId} of ${owner.source}`
    plan.untouched.push({ username: account.username, why: `${account.sourcedId} cannot have the name of ${whose}` })
  }

  // One that is left keeps what others may wait for.
  for (let before = -1; before < losers.size;) {
    before = losers.size
    for (const contest of contests) if (isOpen(contest) && !givesAway(contest)) lose(contest)
  }
  plan.created = plan.created.filter(account => !losers.has(account))
  plan.changed = plan.changed.filter(step => !losers.has(step) || step.changes.disabled)
  for (const contest of contests) {
    if (!isOpen(contest) || !('changes' in contest.written)) continue
    plan.moved.add(contest.written).add(steps.get(contest.owner.id)!)
  }
}

const endOf = ({ changes: { disabled } }: Step): Changes => disabled?.after ? { disabled } : {}

async function findDamaged (db: PrismaClient, rows: readonly Imported[], plan: Plan): Promise<void> {
  const renamed = plan.changed.flatMap(({ changes, account }) => changes.username ? [account!] : [])
  const others = [...plan.created, ...renamed]
  const damaged = await damagedNames(db, others.map(({ username }) => username))
  const names = damaged.size > 0 ? new Set(rows.map(({ username }) => username)) : undefined
  for (const { line, username } of others) {
    const original = damaged.get(username)
    if (original === undefined || names?.has(original)) continue
    const fault = `username ${username} may be the account ${original} as a spreadsheet writes it`
    plan.faults.push({ line, fault })
  }
}

/**
 * The accounts of a roster that may log in and are not in its file.
 *
 * @throws {Failure} with code 4 if these and those that the file ends are too many
 */
async function missingOf (
  db: PrismaClient, rows: readonly Imported[], { changed }: Plan, { leftOut, endsMissingOf: source, atMost }: Planning
): Promise<Step[]> {
  const users = await db.$queryRaw<Array<Pick<Existing, 'id' | 'username' | 'sourcedId'>>>`
    SELECT id, username, sourced_id AS "sourcedId" FROM users
    WHERE source = ${source} AND disabled_at IS NULL ORDER BY id`
  const there = new Set([...rows, ...leftOut].flatMap(({ sourcedId, cells = [] }) => [sourcedId, ...cells]))
  const names = new Set(leftOut.flatMap(({ username, named = '', cells = [] }) =>
    [username || normalizeUsername(named), ...cells.map(normalizeUsername)]))
  const missing = users.filter(({ sourcedId, username }) => !there.has(sourcedId!) && !names.has(username))
  const most = atMost.endsWith('%') ? Math.floor(users.length * parseInt(atMost) / 100) : Number(atMost)
  const unknown = leftOut.find(({ sourcedId, username, named }) => sourcedId === undefined && !username && !named)
  if (unknown && missing.length > 0) {
    throw new Failure(`line ${unknown.line} does not say who it is, so nobody can be missing. Nothing was written`, 4)
  }
  const leavers = changed.flatMap(({ user, changes }) =>
    user.source === source && changes.disabled?.after ? [user] : [])
  const ending = [...missing, ...leavers]
  if (ending.length > most) {
    const names = ending.slice(0, MAX_NAMED).map(({ username }) => username).join(', ')
    const more = ending.length > MAX_NAMED ? ' and others' : ''
    throw new Failure(
      `${ending.length} of ${pluralize(users.length, 'account')} of ${source} are not in the file or have left by ` +
      `it, and --at-most ${atMost} allows ${most}. Nothing was written. They are ${names}${more}`, 4)
  }
  const steps: Step[] = []
  for (const page of pagesOf(missing)) {
    const found = await db.$queryRaw<Existing[]>`${existing} WHERE id = ANY(${page.map(({ id }) => id)}) ORDER BY id`
    steps.push(...found.map(user => ({ user, changes: { disabled: { before: false, after: true } } })))
  }
  return steps
}

/** Someone has to be left who can let others in. A new administrator counts from the next night on. */
async function keepLastAdministrator (db: PrismaClient, plan: Plan): Promise<void> {
  const admins = await db.user.findMany({ where: { role: ADMIN_ROLE, disabledAt: null }, select: { id: true } })
  const ended = new Map([...plan.changed, ...plan.missing]
    .flatMap(step => endsAdministrator(step.changes) ? [[step.user.id, step] as const] : []))
  if (!admins.every(({ id }) => ended.has(id))) return
  for (const { id } of admins) {
    const { user: { username }, changes } = ended.get(id)!
    delete changes.disabled
    delete changes.role
    plan.untouched.push({ username, why: 'the last administrator keeps the access' })
  }
  plan.missing = plan.missing.filter(({ changes }) => changes.disabled)
  plan.changed = plan.changed.filter(({ changes }) => Object.keys(changes).length > 0)
}

const endsAdministrator = ({ disabled, role }: Changes): boolean =>
  disabled?.after === true || (role !== undefined && role.after !== ADMIN_ROLE)

/** A short name for all that a plan will write and mail. The same plan has the same one. */
export function fingerprint ({ created, changed, missing, invited, keepsNumbers }: Plan): string {
  const hash = createHash('sha256')
  for (const { password, line, userId, ...account } of created) {
    hash.update(JSON.stringify([account, password !== undefined, keepsNumbers && userId]))
  }
  for (const { user: { id }, changes, account } of [...changed, ...missing]) {
    hash.update(JSON.stringify([id, changes, changes.password && account?.passwordHash]))
  }
  hash.update(JSON.stringify(invited))
  return hash.digest('hex').slice(0, 12)
}
