import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { revokedJustNow, sequenceBehind } from '../../auth/accounts.js'
import { createPasswords, fits } from '../../auth/passwords.js'
import { count } from '../../base/text.js'
import type { Config } from '../../config/config.js'
import type { PrismaClient } from '../../../prisma/client.js'
import { invite } from '../../mail/account-mails.js'
import { audit, type Action } from '../audit.js'
import type { Common } from '../options.js'
import { Failure, failureOf, printable, UsageError } from '../outcome.js'
import { createColumns, type Columns } from './columns.js'
import { compare, type Compared } from './comparison.js'
import { withDatabase } from './with-database.js'
import { change, createAll, hasNoNumbers, passNumbers, REQUEST_ID } from './import-changes.js'
import { imported, type Imported } from './imported.js'
import { endProgress, showProgress } from './progress.js'
import { report, type Counts, type Named } from './import-report.js'
import { readRows, Unreadable } from './csv-rows.js'

/** How many rows one query handles. */
const AT_ONCE = 500
/** Of accounts that are named. */
const MAX_SHOWN = 100
const QUERY_MS = 30_000
const MAX_TRANSACTION_MS = 3_600_000

interface Options extends Common {
  map?: string[]
  'dry-run'?: boolean
  update?: boolean
  passwords?: boolean
  'keep-passwords'?: boolean
  invite?: boolean
}

/** What one import knows of itself. */
interface Import {
  db: PrismaClient
  config: Config
  /** Each row of the file. */
  accounts: Imported[]
  options: Options
}

/** @param file its path; `-` for standard input */
export async function importUsers (options: Options, file: string): Promise<void> {
  if (options.passwords && !options.update) throw new UsageError('--passwords goes with --update')
  const columns = createColumns(options.map ?? [])
  const name = file === '-' ? 'standard input' : file
  const bytes = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch((error) => {
    throw failureOf(name, error)
  })
  await withDatabase(async (db, config) => {
    const { accounts, faults } = accountsIn(bytes, columns, config, options)
    mustBeFree([...faults, ...await conflicts(db, accounts)], name)
    if (accounts.length === 0) throw new Failure(`${name} has no rows`)
    const run = { db, config, accounts, options }
    const hashes = await hashesOf(run)
    const named = { differing: [] as string[], selfRegistered: [] as string[] }
    const actions: Action[] = []
    const counts = options['dry-run']
      ? await apply(run, db, hashes, named, actions)
      : await db.$transaction(async (tx) => {
        // A plan that was made while the table was empty would read all of it for every page.
        await tx.$executeRaw`SET LOCAL plan_cache_mode = force_custom_plan`
        const counts = await apply(run, tx as PrismaClient, hashes, named, actions)
        await revokedJustNow(tx)
        return counts
      }, { timeout: MAX_TRANSACTION_MS }).catch(rethrow)
    const { json, 'dry-run': dryRun = false, invite: invites = false } = options
    report(json, name, { dryRun, invites, counts, named, ignored: [...columns.ignored] })
    if (!dryRun) audit(config, ...actions, { event: 'users_imported', ...counts })
  }, QUERY_MS)
}

interface Fault { line: number, fault: string }

/** The accounts of a file, and what is wrong with each row by itself. */
function accountsIn (
  bytes: Buffer, columns: Columns, config: Config, options: Options
): { accounts: Imported[], faults: Fault[] } {
  const accounts: Imported[] = []
  const faults: Fault[] = []
  try {
    for (const row of readRows(bytes, columns.fieldsOf)) {
      const read = imported(row, config, options['keep-passwords'])
      accounts.push(read.account)
      faults.push(...read.faults.map(fault => ({ line: row.line, fault })))
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    faults.push({ line: error.line, fault: `${error.message}. Nothing after it was read` })
  }
  const unseen = [...columns.unseen].map(column => `has no ${column} in any row, which --map names`)
  return { accounts, faults: [...unseen.map(fault => ({ line: 1, fault })), ...faults] }
}

/** What is there twice in the file, and what is another account's in the database. */
async function conflicts (db: PrismaClient, accounts: Imported[]): Promise<Fault[]> {
  const faults: Fault[] = []
  for (const field of ['userId', 'username'] as const) {
    const lines = new Map<unknown, number>()
    for (const { line, [field]: value } of accounts) {
      if (!value) continue
      const first = lines.get(value)
      if (first === undefined) lines.set(value, line)
      else faults.push({ line, fault: `${field} ${value} is also in line ${first}` })
    }
  }
  for (const page of pagesOf(accounts)) {
    for (const { account: { line }, fault } of await compare(db, page, false)) {
      if (fault !== undefined) faults.push({ line, fault })
    }
  }
  return faults
}

/** @throws {Failure} with each fault and its line */
function mustBeFree (faults: Fault[], name: string): void {
  if (faults.length === 0) return
  const texts = faults.sort((a, b) => a.line - b.line).map(({ line, fault }) => `  line ${line}: ${printable(fault)}`)
  throw new Failure(`${name} has ${count(faults.length, 'fault')}, and nothing was written:\n${texts.join('\n')}`)
}

/** As many as one query handles. */
function * pagesOf (accounts: Imported[]): Generator<Imported[]> {
  for (let i = 0; i < accounts.length; i += AT_ONCE) yield accounts.slice(i, i + AT_ONCE)
}

/**
 * The hashes of new passwords, by line. They are made before the transaction, which would otherwise last for as long as
 * bcrypt takes. A password that an account has already is not among them.
 */
async function hashesOf ({ db, config, accounts, options }: Import): Promise<Map<number, string>> {
  const { bcryptCost: cost, bcryptConcurrency: concurrency } = config
  const withPassword = accounts.filter(({ password }) => password !== undefined)
  const hashes = new Map<number, string>()
  if (withPassword.length === 0) return hashes
  const passwords = await createPasswords({ cost, concurrency })
  let done = 0

  async function hash ({ account: { line, password }, user }: Compared): Promise<void> {
    if (user && !user.selfRegistered) {
      if (user.passwordHash !== null && await fits(password!, user.passwordHash)) return
    }
    hashes.set(line, options['dry-run'] ? 'not made' : await passwords.hash(password!))
  }

  for (const page of pagesOf(withPassword)) {
    const rows = (await compare(db, page, false)).filter(({ user }) => !user || options.passwords)
    done += page.length - rows.length
    while (rows.length > 0) {
      const batch = rows.splice(0, passwords.room)
      await Promise.all(batch.map(hash))
      showProgress('hashed', done += batch.length, withPassword.length)
    }
  }
  endProgress()
  return hashes
}

/** Compares all rows with the accounts, and writes what differs unless it is a dry run. */
async function apply (
  { accounts, options }: Import, db: PrismaClient, hashes: Map<number, string>, named: Named, actions: Action[]
): Promise<Counts> {
  const { update, passwords = false, invite: invites, 'dry-run': dry } = options
  const counts = {
    rows: 0, created: 0, changed: 0, differing: 0, selfRegistered: 0, same: 0, renumbered: 0, invited: 0
  }
  // In a database with accounts, a number of the file may belong to another user already.
  const highestId = accounts.reduce((highest, { userId = 0 }) => Math.max(highest, userId), 0)
  const keepsNumbers = highestId > 0 && await hasNoNumbers(db)
  if (keepsNumbers && !dry) await passNumbers(db, highestId)
  for (const page of pagesOf(accounts)) {
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
    if (invites && !dry) counts.invited += await invite(db, page.map(({ username }) => username), REQUEST_ID)
    counts.rows += page.length
    counts.created += fresh.length
    counts[update ? 'changed' : 'differing'] += others.length
    counts.selfRegistered += strange.length
    counts.renumbered += renumbered.length
    counts.same += page.length - fresh.length - others.length - strange.length
    showProgress(dry ? 'compared' : 'written', counts.rows, accounts.length)
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
    new Failure('another account has taken a username of the file. Nothing was written; run it again')
}
