import { revokedJustNow, sequenceBehind } from '../../auth/accounts.js'
import { createPasswords, fits } from '../../auth/passwords.js'
import type { Config } from '../../config/config.js'
import type { PrismaClient } from '../../../prisma/client.js'
import type { Action } from '../audit.js'
import { count, Failure, printable, UsageError } from '../outcome.js'
import { createColumns, type Columns } from './columns.js'
import { change, compare, createAll, hasNoNumbers, invite, passNumbers, type Compared } from './comparison.js'
import { withDatabase } from './with-database.js'
import { imported, type Imported } from './imported.js'
import { endProgress, showProgress } from './progress.js'
import { report, type Counts, type Named, type Options } from './import-report.js'
import { readRows, Unreadable } from './csv-rows.js'
import { openSource, type Source } from './source.js'

/** How many rows one query handles. */
const AT_ONCE = 500
/** Of accounts that are named. */
const MAX_SHOWN = 100
const QUERY_MS = 30_000
const MAX_TRANSACTION_MS = 3_600_000

/** What one import knows of itself in all of its passes. */
interface Import {
  db: PrismaClient
  config: Config
  source: Source
  columns: Columns
  options: Options
}

/** How much one pass has to do. */
interface Size { rows: number, passwords: number, highestId: number }

/**
 * Reads the file several times instead of keeping it: for its faults, for the passwords that have to be hashed, and to
 * write it. What grows with the file is one name, one address and the events of each row, and the new hashes.
 */
export async function importUsers (options: Options, file: string): Promise<void> {
  if (options.passwords && !options.update) throw new UsageError('--passwords goes with --update')
  const columns = createColumns(options.map ?? [])
  const source = await openSource(file)
  try {
    await withDatabase(async (db, config) => {
      const run = { db, config, source, columns, options }
      const size = await check(run)
      const hashes = size.passwords > 0 ? await hashesOf(run, size) : new Map<number, string>()
      const named = { differing: [] as string[], selfRegistered: [] as string[] }
      const actions: Action[] = []
      const counts = options['dry-run']
        ? await apply(run, db, size, hashes, named, actions)
        : await db.$transaction(async (tx) => {
          // A plan that was made while the table was empty would read all of it for every page.
          await tx.$executeRaw`SET LOCAL plan_cache_mode = force_custom_plan`
          const counts = await apply(run, tx as PrismaClient, size, hashes, named, actions)
          await revokedJustNow(tx)
          return counts
        }, { timeout: MAX_TRANSACTION_MS }).catch(rethrow)
      report(run.source.name, config, options, { counts, named, ignored: [...columns.ignored], actions })
    }, QUERY_MS)
  } finally {
    await source.close()
  }
}

/**
 * Finds every fault of the file before anything is written.
 *
 * @returns how many rows it has, how many of them a password that is not a hash, and their highest number, or 0
 * @throws {Failure} with each fault and its line
 */
async function check (run: Import): Promise<Size> {
  const faults: Array<{ line: number, fault: string }> = []
  let [rows, passwords, highestId] = [0, 0, 0]
  const lines = {
    userId: new Map<unknown, number>(), username: new Map<unknown, number>(), email: new Map<unknown, number>()
  }
  const add = (line: number, fault: string): void => {
    faults.push({ line, fault })
  }

  try {
    for await (const page of pagesOf(run, add)) {
      for (const { line, password, ...account } of page) {
        if (password !== undefined) passwords++
        highestId = Math.max(highestId, account.userId ?? 0)
        for (const field of ['userId', 'username', 'email'] as const) {
          const { [field]: value } = account
          if (!value) continue
          const first = lines[field].get(value)
          if (first === undefined) lines[field].set(value, line)
          else add(line, `${field} ${value} is also in line ${first}`)
        }
      }
      for (const { account, fault } of await compare(run.db, page, false)) {
        if (fault !== undefined) add(account.line, fault)
      }
      showProgress('read', rows += page.length)
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    add(error.line, `${error.message}. Nothing after it was read`)
  }
  endProgress()
  for (const column of run.columns.unseen) add(1, `has no ${column} in any row, which --map names`)
  if (faults.length > 0) {
    const texts = faults.sort((a, b) => a.line - b.line).map(({ line, fault }) => `  line ${line}: ${printable(fault)}`)
    throw new Failure(
      `${run.source.name} has ${count(faults.length, 'fault')}, and nothing was written:\n${texts.join('\n')}`)
  }
  if (rows === 0) throw new Failure(`${run.source.name} has no rows`)
  return { rows, passwords, highestId }
}

/** Some hundred rows at a time. Those with a fault are only among them for who asks for faults. */
async function * pagesOf (
  { source, columns, config, options }: Import, onFault?: (line: number, fault: string) => void
): AsyncGenerator<Imported[]> {
  let page: Imported[] = []
  let unreadable: unknown
  try {
    for await (const row of readRows(source.read(), columns.fieldsOf)) {
      const { account, faults } = imported(row, config, options['keep-passwords'])
      for (const fault of faults) onFault?.(row.line, fault)
      if (faults.length === 0 || onFault) page.push(account)
      if (page.length < AT_ONCE) continue
      yield page
      page = []
    }
  } catch (error) {
    unreadable = error
  }
  if (page.length > 0) yield page
  if (unreadable !== undefined) throw unreadable
}

/**
 * The hashes of new passwords, by line. They are made before the transaction, which would otherwise last for as long as
 * bcrypt takes. A password that an account has already is not among them.
 */
async function hashesOf (run: Import, size: Size): Promise<Map<number, string>> {
  const { db, config: { bcryptCost: cost, bcryptConcurrency: concurrency }, options } = run
  const passwords = await createPasswords({ cost, concurrency })
  const hashes = new Map<number, string>()
  let done = 0

  async function hash ({ account: { line, password }, user }: Compared): Promise<void> {
    if (user && !user.selfRegistered) {
      if (user.passwordHash !== null && await fits(password!, user.passwordHash)) return
    }
    hashes.set(line, options['dry-run'] ? 'not made' : await passwords.hash(password!))
  }

  for await (const page of pagesOf(run)) {
    const withPassword = page.filter(({ password }) => password !== undefined)
    const found = (await compare(db, withPassword, false)).filter(({ user }) => !user || options.passwords)
    done += withPassword.length - found.length
    while (found.length > 0) {
      const batch = found.splice(0, passwords.room)
      await Promise.all(batch.map(hash))
      showProgress('hashed', done += batch.length, size.passwords)
    }
  }
  endProgress()
  return hashes
}

/** Compares all rows with the accounts, and writes what differs unless it is a dry run. */
async function apply (
  run: Import, db: PrismaClient, size: Size, hashes: Map<number, string>, named: Named, actions: Action[]
): Promise<Counts> {
  const { options: { update, passwords = false, invite: invites, 'dry-run': dry } } = run
  const counts = {
    rows: 0, created: 0, changed: 0, differing: 0, selfRegistered: 0, same: 0, renumbered: 0, invited: 0
  }
  // In a database with accounts, a number of the file may belong to another user already.
  const keepsNumbers = size.highestId > 0 && await hasNoNumbers(db)
  if (keepsNumbers && !dry) await passNumbers(db, size.highestId)
  for await (const page of pagesOf(run)) {
    const rows = await compare(db, page.map(account => withHash(account, hashes)), passwords)
    const fresh = rows.filter(({ user }) => !user)
      .map(({ account: { userId, ...account } }) => ({ ...account, ...keepsNumbers && userId && { userId } }))
    const renumbered = rows.filter(({ account: { userId }, user }) =>
      userId !== undefined && (user ? user.id !== userId : !keepsNumbers))
    const others = rows.filter(({ changes }) => changes.length > 0)
    const strange = rows.filter(({ isStrange }) => isStrange)
    if (!dry) actions.push(...await createAll(db, fresh))
    for (const row of others) {
      if (update && !dry) actions.push(...await change(db, row))
      if (!update) name(named.differing, `${row.account.username} (${row.changes.join(', ')})`)
    }
    for (const { account: { username } } of strange) name(named.selfRegistered, username)
    if (invites && !dry) counts.invited += await invite(db, page)
    counts.rows += page.length
    counts.created += fresh.length
    counts[update ? 'changed' : 'differing'] += others.length
    counts.selfRegistered += strange.length
    counts.renumbered += renumbered.length
    counts.same += page.length - fresh.length - others.length - strange.length
    showProgress(dry ? 'compared' : 'written', counts.rows, size.rows)
  }
  endProgress()
  return counts
}

function name (names: string[], user: string): void {
  if (names.length < MAX_SHOWN) names.push(user)
}

function withHash (account: Imported, hashes: Map<number, string>): Imported {
  const { line, password, passwordHash, ...rest } = account
  const hash = password === undefined ? passwordHash : hashes.get(line)
  return { line, ...rest, ...hash !== undefined && { passwordHash: hash } }
}

function rethrow (error: Error & { code?: unknown }): never {
  // 23505 is PostgreSQL's code for what must be unique.
  if (error.code !== 'P2002' && !/`23505`/.test(error.message)) throw error
  throw sequenceBehind(error) ??
    new Failure('another account has taken a username or an email of the file. Nothing was written; run it again')
}
