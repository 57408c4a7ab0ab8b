import type { Prisma, PrismaClient } from '../../../../prisma/client.js'
import { changeAccounts } from '../../../auth/account-changes.js'
import { isTaken, sequenceBehind } from '../../../auth/accounts.js'
import { isSameHash } from '../../../auth/stored-hash.js'
import { pluralize } from '../../../base/text.js'
import { invite } from '../../../mail/account-mails.js'
import type { Action } from '../../audit.js'
import { Failure } from '../../output.js'
import { changeOf, eventsOf } from './changed-accounts.js'
import type { Step } from './decision.js'
import type { Field } from './fields.js'
import type { Imported } from './imported.js'
import { createAll, passNumbers } from './new-accounts.js'
import { pagesOf } from './pages.js'
import type { Plan } from './plan.js'
import { existing, type Existing } from './stored.js'

/* What an import writes: parts of a plan, each in a transaction of its own, so that nobody waits long. */

/** Stands in the place of a request, with the mails that an import causes. */
const REQUEST_ID = 'gatehouse users import'
const PART_MS = 30_000
/** Somebody changes an account while its part is written. */
const MAX_TRIES = 10

type Transaction = Prisma.TransactionClient

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
      await release(tx, steps.filter(moves))
      await changeAccounts(tx, steps.map(step => changeOf(step, hashes.get(step))), REQUEST_ID)
      return steps.flatMap(eventsOf)
    })
  }

  const moves = ({ user: { userId } }: Step): boolean => plan.moved.has(userId)
  if (plan.moved.size > 0) await changePart(plan.changed.filter(moves))
  const others = plan.changed.filter(step => !moves(step))
  for (const steps of pagesOf([...others, ...plan.missing])) await changePart(steps)
  const { keepsNumbers } = plan
  const highest = plan.created.reduce((highest, { userId = 0 }) => Math.max(highest, userId), 0)
  if (keepsNumbers) await write(0, async tx => await passNumbers(tx, highest))
  for (const page of pagesOf(plan.created)) {
    const rows = (await hashed(page)).map(({ userId, ...row }) => ({ ...row, ...keepsNumbers && userId && { userId } }))
    await write(rows.length, async tx => await createAll(tx, rows))
  }
  let invited = 0
  for (const names of pagesOf(plan.ways.invited)) {
    await write(0, async (tx) => { invited += await invite(tx, names, REQUEST_ID) })
  }
  return invited
}

/** In the words of Prisma and of PostgreSQL: an account was written since the part began, or there was a deadlock. */
const isConflict = ({ code, message }: Error & { code?: unknown }): boolean =>
  code === 'P2034' || /\b(40001|40P01)\b/.test(message)

/** @throws {Failure} if something was changed that the plan changes, too */
async function mustBeAsPlanned (tx: Transaction, steps: readonly Step[]): Promise<void> {
  const now = new Map((await tx.$queryRaw<Existing[]>`${existing} WHERE id = ANY(${idsOf(steps)})`)
    .map(user => [user.userId, user]))
  for (const { user, changes } of steps) {
    const found = now.get(user.userId)
    const other = !found
      ? 'which is deleted'
      : (Object.keys(changes) as Field[]).find(change => isOther(change, found, user))
    if (other) throw new Failure(`${user.username} was changed meanwhile (${other})`, 5)
  }
}

function isOther (change: Field, now: Existing, planned: Existing): boolean {
  if (change === 'password') return !isSameHash(now.passwordHash, planned.passwordHash)
  // A person may have ended the access that a roster had ended before.
  if (change === 'disabled' && now.disabledBySource !== planned.disabledBySource) return true
  return now[change] !== planned[change]
}

/** Takes the names that these accounts will pass on to each other from all of them. */
async function release (tx: Transaction, steps: readonly Step[]): Promise<void> {
  if (steps.length === 0) return
  await tx.$executeRaw`UPDATE users SET username = '~' || id WHERE id = ANY(${idsOf(steps)})`
}

const idsOf = (steps: readonly Step[]): number[] => steps.map(({ user: { userId } }) => userId)

function rethrow (error: Error, done: number): never {
  const written = `${done === 0 ? 'Nothing was written' : `${pluralize(done, 'account')} are written`}: run it again`
  if (error instanceof Failure) throw new Failure(`${error.message}. ${written}`, 5)
  if (!isTaken(error)) throw error
  throw sequenceBehind(error) ??
    new Failure(`another account has taken a username of the file, or is linked to the same person. ${written}`, 5)
}
