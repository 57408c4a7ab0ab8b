import { createHash } from 'node:crypto'
import type { PrismaClient } from '../../../../prisma/client.js'
import { endProgress, showProgress } from '../progress.js'
import { compare, type Compared } from './comparison.js'
import { settleNames } from './contested-names.js'
import { damagedIn } from './damaged-names.js'
import { decide, type Decision, type DecisionOptions, type Skipped, type Step } from './decision.js'
import type { Imported } from './imported.js'
import { lastAdministrators, withoutEndsOf } from './last-administrator.js'
import { missingOf, type MissingOptions } from './missing.js'
import { pagesOf } from './pages.js'
import type { Fault } from './rows.js'
import { entryOf, waysOf, type Entry, type Ways } from './ways.js'

/** All that an import will write, and what it leaves alone. */
export interface Plan {
  created: Imported[]
  changed: Step[]
  /** The numbers of those of `changed` who pass a name on to each other. */
  moved: Set<number>
  missing: Step[]
  /** They differ, and nobody said --update. */
  differing: Skipped[]
  /** A stranger may have registered the account. */
  selfRegistered: string[]
  untouched: Skipped[]
  same: number
  renumbered: number
  /** Accounts get the numbers of the file. */
  keepsNumbers: boolean
  /** Of those who may log in. */
  ways: Ways
  faults: Fault[]
}

interface PlanOptions extends DecisionOptions, MissingOptions {
  /** Whether accounts get the numbers of the file. */
  keepsNumbers: boolean
  passwords?: boolean | undefined
  invite?: boolean | undefined
}

/**
 * Compares all rows with the accounts. It writes nothing. Each row is decided by itself, and then what it takes from
 * others: a name, a place among those of its roster, the last right to let others in.
 *
 * @throws {Failure} with code 4 if too many are missing
 */
export async function makePlan (db: PrismaClient, rows: readonly Imported[], options: PlanOptions): Promise<Plan> {
  const { keepsNumbers, invite, endsMissingOf } = options
  const decided = await decideAll(db, rows, options)
  const all = decided.map(({ decision }) => decision)
  const { created, changed, moved, untouched } = settleNames(all)
  const damaged = await damagedIn(db, rows, created, changed)
  const missing = endsMissingOf === undefined ? [] : await missingOf(db, endsMissingOf, rows, changed, options)
  const administrators = await lastAdministrators(db, [...changed, ...missing])

  return {
    created,
    changed: withoutEndsOf(administrators, changed),
    moved,
    missing: withoutEndsOf(administrators, missing),
    differing: all.filter(one => one.kind === 'differing'),
    selfRegistered: all.filter(one => one.kind === 'self-registered').map(({ username }) => username),
    untouched: [
      ...decided.flatMap(({ untouched }) => untouched ?? []),
      ...untouched,
      ...administrators.map(({ user: { username } }) => ({ username, why: 'the last administrator keeps the access' }))
    ],
    same: all.filter(({ kind }) => kind === 'same' || kind === 'left').length,
    renumbered: decided.filter(({ isRenumbered }) => isRenumbered).length,
    keepsNumbers,
    ways: waysOf([
      ...decided.flatMap(({ entry }) => entry ?? []),
      ...created.flatMap(account => entryOf(account, invite) ?? [])
    ]),
    faults: [...decided.flatMap(({ fault }) => fault ?? []), ...damaged]
  }
}

interface Decided {
  decision: Decision
  /** How the user of an account that exists gets in. */
  entry?: Entry | undefined
  untouched?: Skipped
  isRenumbered: boolean
  fault?: Fault
}

/** Keeps little of each row, because a file may have a million that change nothing. */
async function decideAll (db: PrismaClient, rows: readonly Imported[], options: PlanOptions): Promise<Decided[]> {
  const decided: Decided[] = []
  for (const page of pagesOf(rows)) {
    const all = await compare(db, page, options.passwords ?? false)
    decided.push(...all.map(one => decidedOf(one, options)))
    showProgress('compared', decided.length, rows.length)
  }
  endProgress()
  return decided
}

function decidedOf (compared: Compared, options: PlanOptions): Decided {
  const { account, user, endedByHand, fault } = compared
  const { line, userId } = account
  const decision = decide(compared, options)
  const step = decision.kind === 'changed' ? decision.step : user && { user, changes: {} }
  return {
    decision,
    ...step && { entry: entryOf(account, options.invite, step) },
    ...user && endedByHand && {
      untouched: { username: user.username, why: 'a person ended the access: see users enable' }
    },
    isRenumbered: userId !== undefined && (user ? user.userId !== userId : !options.keepsNumbers),
    ...fault !== undefined && { fault: { line, fault } }
  }
}

/** A short name for all that a plan will write and mail. The same plan has the same one. */
export function fingerprint ({ created, changed, missing, ways, keepsNumbers }: Plan): string {
  const hash = createHash('sha256')
  for (const { password, line, userId, ...account } of created) {
    hash.update(JSON.stringify([account, password !== undefined, keepsNumbers && userId]))
  }
  for (const { user: { userId }, changes, account } of [...changed, ...missing]) {
    hash.update(JSON.stringify([userId, changes, changes.password && account?.passwordHash]))
  }
  hash.update(JSON.stringify(ways.invited))
  return hash.digest('hex').slice(0, 12)
}
