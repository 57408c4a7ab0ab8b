import { audit, type Action } from '../../audit.js'
import type { CommonFlags } from '../../options.js'
import { Failure, failureOf, printable, UsageError } from '../../output.js'
import { createPasswords } from '../../../auth/passwords.js'
import { pluralize, inOneLine } from '../../../base/text.js'
import type { Config } from '../../../config/config.js'
import { loadConfig } from '../../../config/load.js'
import type { PrismaClient } from '../../../../prisma/client.js'
import { endProgress, showProgress } from '../progress.js'
import { withDatabase } from '../with-database.js'
import { createColumns, type Columns } from './columns.js'
import { imported, type Imported } from './imported.js'
import { hasNoNumbers } from './new-accounts.js'
import { fingerprint, makePlan, type Plan } from './plan.js'
import { countsOf, report } from './report.js'
import { readRows, Unreadable, type Fault, type Source } from './rows.js'
import { readSource } from './source-file.js'
import { createValues, type Values } from './values.js'
import { writePlan } from './writes.js'

const QUERY_MS = 30_000
/** Of accounts that are missing, without --at-most. */
const AT_MOST = '5%'

interface Options extends CommonFlags {
  map?: string[]
  value?: string[]
  source?: string
  'dry-run'?: boolean
  plan?: string
  update?: boolean
  'disable-missing'?: boolean
  'at-most'?: string
  'skip-faults'?: boolean
  passwords?: boolean
  'keep-passwords'?: boolean
  invite?: boolean
  'list-without'?: boolean
}

/** What a run that was refused is called in the audit log, by its exit status. */
const outcomes = { 1: 'refused', 3: 'no file', 4: 'too many missing', 5: 'stopped' } as const

/** @param file its path; `-` for standard input. It may be a folder or a zip with a roster */
export async function importUsers (options: Options, file: string): Promise<void> {
  const { source, 'dry-run': isDry } = options
  if (options.passwords && !options.update) throw new UsageError('--passwords goes with --update')
  if (options['disable-missing'] && source === undefined) throw new UsageError('--disable-missing goes with --source')
  if (options['at-most'] && !options['disable-missing']) throw new UsageError('--at-most goes with --disable-missing')
  const columns = createColumns(options.map ?? [], source !== undefined)
  const values = createValues(options.value ?? [])
  const config = loadConfig()
  const importEvent = { event: 'users_imported', ...source !== undefined && { source } }
  /** Of the accounts of a part that is written. Those of the last part go into the log together with `importEvent`. */
  const events: Action[] = []
  try {
    const counts = await importFrom(file, options, columns, values, config, events)
    if (!isDry) audit(config, ...events, { ...importEvent, outcome: 'done', ...counts })
  } catch (error) {
    const { message, exitCode = 1 } = error as Failure & { exitCode: keyof typeof outcomes }
    const reason = inOneLine(message.split('\n')[0]!)
    if (!isDry) audit(config, ...events, { ...importEvent, outcome: outcomes[exitCode], reason })
    throw error
  }
}

async function importFrom (
  file: string, options: Options, columns: Columns, values: Values, config: Config, events: Action[]
): Promise<object> {
  const { source: roster, 'dry-run': isDry = false } = options
  const title = file === '-' ? 'standard input' : file
  const source = await readSource(file).catch((error) => {
    if (error instanceof Unreadable) mustBeFree([{ line: error.line, fault: error.message }], title)
    throw error instanceof Failure ? error : failureOf(title, error)
  })
  let counts = {}
  await withDatabase(async (db) => {
    const read = accountsIn(source, columns, values, config, options)
    const { accounts: { length: rows }, faults, format } = read
    if (rows === 0) mustBeFree(faults, title)
    if (rows === 0) throw new Failure(`${title} has no rows`)
    const plan = await planOf(db, read, source, options, title)
    if (options.plan !== undefined && options.plan !== fingerprint(plan)) {
      throw new Failure(`this is no longer plan ${options.plan}, but ${fingerprint(plan)}: nothing was written`, 5)
    }
    const all = plan.created.length + plan.changed.length + plan.missing.length
    const hooks = {
      hash: hasher(config),
      onWritten (ofPart: Action[], done: number) {
        events.push(...ofPart)
        if (done < all) audit(config, ...events.splice(0))
        showProgress('written', done, all)
      }
    }
    const invited = isDry ? plan.ways.invited.length : await writePlan(db, plan, hooks)
    endProgress()
    if (!isDry && options['disable-missing']) await rememberRoster(db, roster!)
    const reported = { plan, rows, invited, faults, isDry, options, format }
    report(title, { ...reported, ignored: [...columns.ignored], emptyTexts: values.emptyTexts })
    counts = countsOf(reported)
  }, QUERY_MS, config)
  return counts
}

interface Read {
  /** Of every row, also of those with faults. */
  accounts: Imported[]
  faults: Fault[]
  /** The file cannot be read to its end, or lacks a column: no option leaves that out. */
  isDamaged: boolean
  format: string
}

function accountsIn (source: Source, columns: Columns, values: Values, config: Config, options: Options): Read {
  const read: Read = { accounts: [], faults: [], isDamaged: false, format: 'CSV' }
  const context = { config, values, source: options.source, keepPasswords: options['keep-passwords'] }
  try {
    for (const row of readRows(source, columns.find)) {
      const { account, faults } = imported(row, context)
      read.format = [row.format.name, source.version, source.isDelta && '(delta)'].filter(Boolean).join(' ')
      read.accounts.push(account)
      read.faults.push(...faults.map(fault => ({ line: row.line, fault })))
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    read.faults.push({ line: error.line, fault: `${error.message}. Nothing after it was read` })
    read.isDamaged = true
  }
  giveNamesAway(read.accounts)
  read.faults.push(...twice(read.accounts))
  for (const column of columns.unseen) {
    read.faults.unshift({ line: 1, fault: `has no ${column} in any row, which --map names` })
    read.isDamaged = true
  }
  return read
}

/** A name that is used again belongs to the new person. Who has left is found by the id. */
function giveNamesAway (accounts: Imported[]): void {
  const times = new Map<string, number>()
  for (const { username } of accounts) times.set(username, (times.get(username) ?? 0) + 1)
  for (const account of accounts) {
    const { username, sourcedId, hasLeft } = account
    if (!hasLeft || sourcedId === undefined || times.get(username) === 1) continue
    Object.assign(account, { username: '', formerName: username })
  }
}

/** What of a row is in an earlier one, too. */
function twice (accounts: Imported[]): Fault[] {
  const faults: Fault[] = []
  for (const field of ['userId', 'username', 'sourcedId'] as const) {
    const lines = new Map<unknown, number>()
    for (const { line, source, [field]: value } of accounts) {
      if (!value) continue
      const key = field === 'sourcedId' ? `${source} ${value}` : value
      const first = lines.get(key)
      if (first === undefined) lines.set(key, line)
      else faults.push({ line, fault: `${field} ${value} is also in line ${first}` })
    }
  }
  return faults
}

/**
 * The plan of all rows, or with --skip-faults of those without a fault. Some faults only show beside the accounts.
 *
 * @throws {Failure} with each fault
 */
async function planOf (
  db: PrismaClient, { accounts, faults, isDamaged }: Read, { isDelta }: Source, options: Options, title: string
): Promise<Plan> {
  const highest = accounts.reduce((highest, { userId = 0 }) => Math.max(highest, userId), 0)
  // In a database with accounts, a number of the file may belong to another user already.
  const keepsNumbers = highest > 0 && await hasNoNumbers(db)
  const skips = options['skip-faults'] && !isDamaged
  while (true) {
    const wrong = new Set(faults.map(({ line }) => line))
    const leftOut = accounts.filter(({ line }) => wrong.has(line))
    const endsMissing = options['disable-missing'] && !isDelta && (skips || faults.length === 0)
    const plan = await makePlan(db, skips ? accounts.filter(({ line }) => !wrong.has(line)) : accounts, {
      ...options,
      leftOut,
      keepsNumbers,
      endsMissingOf: endsMissing ? options.source : undefined,
      atMost: options['at-most'] ?? AT_MOST
    })
    faults.push(...plan.faults)
    if (!skips || leftOut.length === accounts.length) mustBeFree(faults, title)
    if (plan.faults.length === 0) return plan
  }
}

/** @throws {Failure} with each fault and its line */
function mustBeFree (faults: Fault[], title: string): void {
  if (faults.length === 0) return
  const texts = faults.sort((a, b) => a.line - b.line).map(({ line, fault }) => `  line ${line}: ${printable(fault)}`)
  throw new Failure(`${title} has ${pluralize(faults.length, 'fault')}, and nothing was written:\n${texts.join('\n')}`)
}

/** As many at once as there is room for. */
function hasher ({ bcryptCost: cost, bcryptConcurrency: concurrency }: Config) {
  let making: ReturnType<typeof createPasswords> | undefined
  return async (passwords: string[]): Promise<string[]> => {
    const hashes: string[] = []
    while (hashes.length < passwords.length) {
      const maker = await (making ??= createPasswords({ cost, concurrency }))
      const batch = passwords.slice(hashes.length, hashes.length + maker.room)
      hashes.push(...await Promise.all(batch.map(password => maker.hash(password))))
      showProgress('hashed', hashes.length, passwords.length)
    }
    return hashes
  }
}

/** For the metric that tells when a roster of every night does not come. */
async function rememberRoster (db: PrismaClient, source: string): Promise<void> {
  await db.$executeRaw`
    INSERT INTO rosters (source) VALUES (${source})
    ON CONFLICT (source) DO UPDATE SET imported_at = EXCLUDED.imported_at`
}
