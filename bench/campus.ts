import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import bcrypt from 'bcrypt'
import { setPassword } from '#src/auth/password-changes.js'
import { openDatabase } from '#src/database/database.js'
import { newDirectory, type Lifetime } from '../test/fixtures/lifetime.js'
import { startPostgres } from '../test/fixtures/postgres.js'
import { runCommand, type Used } from './command.js'
import { atMost, fixed, median, type Part } from './report.js'
import { bcryptCost, startService, type Service } from './service.js'

const USERS = 30_000
/** A file whose memory is compared. */
const MANY_USERS = 5 * USERS
/** A night on which every row changes: in 60,000, the role and the address. */
const CHANGED_USERS = 2 * USERS
const PASSWORD = 'correct horse battery'
const LOGINS = 3000
const WITHIN_SECONDS = 600
/** The rate is that of the whole ten minutes. */
const SECONDS = 60
const CAMPUS = '198.51.100.7'

/**
 * The first day of a school behind one address. Its accounts are imported, with the hashes of another system. Then its
 * pupils log in at random times, each once. The network's limit is large enough for all of them.
 */
export async function measureCampus (t: Lifetime, redisUrl: string): Promise<Part[]> {
  const limits = {
    networks: { [`${CAMPUS}/32`]: { login: { capacity: 600, refill: LOGINS / (WITHIN_SECONDS / 60), period: '1m' } } }
  }
  const passwordHash = await bcrypt.hash(PASSWORD, bcryptCost)
  const directory = newDirectory(t, {
    'campus.json': JSON.stringify(limits),
    'pupils.csv': pupils(USERS, passwordHash),
    'many.csv': pupils(MANY_USERS, passwordHash),
    'year.csv': roster(CHANGED_USERS, 'pupil'),
    'next.csv': roster(CHANGED_USERS, 'graduate')
  })
  const service = await startService(t, redisUrl, { LIMITS_FILE: join(directory, 'campus.json') })
  const fromFile = async (name: string, ...options: string[]): Promise<Used> => await runCommand(
    ['users', 'import', join(directory, name), ...options], { DATABASE_URL: service.databaseUrl })

  const imports = {
    [`${USERS} new accounts`]: await fromFile('pupils.csv'),
    'the same file again': await fromFile('pupils.csv'),
    [`${MANY_USERS} new accounts, --dry-run`]: await fromFile('many.csv', '--dry-run')
  }
  return [importPart(imports), await loginPart(service), await nightPart(t, directory)]
}

/** Changes passwords, one after the other, while every account of a roster changes. No replica runs beside it. */
async function nightPart (t: Lifetime, directory: string): Promise<Part> {
  const { url: databaseUrl } = await startPostgres(t)
  const fromFile = async (name: string, ...options: string[]): Promise<Used> => await runCommand(
    ['users', 'import', join(directory, name), '--source', 'sis', ...options], { DATABASE_URL: databaseUrl })
  const database = await openDatabase({ databaseUrl, dataDir: '', databaseTimeoutMs: 60_000 })
  const created = await fromFile('year.csv')
  const ms: number[] = []
  const over = new AbortController()
  const night = fromFile('next.csv', '--update').finally(() => over.abort())
  while (!over.signal.aborted) {
    const startedMs = performance.now()
    await setPassword(database.prisma, `year.${Math.floor(Math.random() * CHANGED_USERS)}`, 'not a hash')
    ms.push(performance.now() - startedMs)
    await setTimeout(20)
  }
  const changed = await night
  await database.close()
  const worst = Math.max(...ms)
  return {
    title: 'users import, a night on which everything changes',
    note: `${CHANGED_USERS} accounts of a roster get another role and address. Meanwhile passwords are changed.`,
    header: ['', 'seconds', 'CPU seconds', 'peak MiB'],
    rows: Object.entries({ [`${CHANGED_USERS} new accounts`]: created, [`${CHANGED_USERS} changed accounts`]: changed })
      .map(([name, { wallS, cpuS, peakMiB }]) => [name, fixed(wallS), fixed(cpuS), String(peakMiB)]),
    aims: [
      atMost('times as long for changed accounts as for new ones', 2, changed.wallS / created.wallS),
      atMost(`seconds for the slowest of ${ms.length} changes of a password`, 1, worst / 1000)
    ]
  }
}

function importPart (imports: Record<string, Used>): Part {
  const [created, , many] = Object.values(imports)
  return {
    title: 'users import, with hashes',
    note: 'Each row has a username, an email, a role, a type and a hash.',
    header: ['', 'seconds', 'CPU seconds', 'peak MiB'],
    rows: Object.entries(imports).map(([name, { wallS, cpuS, peakMiB }]) =>
      [name, fixed(wallS), fixed(cpuS), String(peakMiB)]),
    aims: [
      atMost(`seconds for ${USERS} new accounts`, 30, created!.wallS),
      atMost('KiB for each further account', 1, (many!.peakMiB - created!.peakMiB) * 1024 / (MANY_USERS - USERS))
    ]
  }
}

async function loginPart (service: Service): Promise<Part> {
  const before = await service.metrics()
  const logins = await logInAtRandom(service, LOGINS * SECONDS / WITHIN_SECONDS)
  const after = await service.metrics()
  const spent = (name: string): number => after(name) - before(name)
  // With the wait for it.
  const hashMs = spent('gatehouse_hash_duration_seconds_sum') / spent('gatehouse_hash_duration_seconds_count') * 1000

  const ms = logins.map(({ ms }) => ms).sort((a, b) => a - b)
  const meanMs = ms.reduce((sum, one) => sum + one, 0) / ms.length
  const failed = logins.filter(({ status }) => status !== 200).length
  const p99 = ms[Math.floor(ms.length * 0.99)]!
  return {
    title: 'The first lesson: a school behind one address',
    note: `${USERS} accounts. ${LOGINS} of them log in within ${WITHIN_SECONDS / 60} minutes from one address: ` +
      `${SECONDS} s at that rate, at random times. The process took ` +
      `${fixed(spent('process_cpu_seconds_total') / SECONDS)} cores.`,
    header: ['', 'logins', 'not 200', 'p50 ms', 'p99 ms', 'worst ms', 'mean ms', 'of it for bcrypt'],
    rows: [[
      'logins', logins.length, failed, ...[median(ms), p99, ms.at(-1)!, meanMs, hashMs].map(number => number.toFixed(0))
    ].map(String)],
    aims: [
      atMost('logins that were not answered with 200', 0, failed),
      atMost('mean ms that a login spent without bcrypt and its queue', 50, meanMs - hashMs)
    ]
  }
}

function pupils (count: number, passwordHash: string): string {
  const rows = Array.from({ length: count }, (_, i) =>
    `${pupil(i)},${pupil(i)}@school.example,USER,STUDENT,${passwordHash}\n`)
  return `username,email,role,userType,passwordHash\n${rows.join('')}`
}

function roster (count: number, role: string): string {
  const rows = Array.from({ length: count }, (_, i) => `${i},year.${i},${role}.${i}@year.example,${role}\n`)
  return `sourcedId,username,email,role\n${rows.join('')}`
}

const pupil = (i: number): string => `pupil.${i}`

async function logInAtRandom ({ url }: Service, count: number): Promise<Array<{ status: number, ms: number }>> {
  const atMs = Array.from({ length: count }, () => Math.random() * SECONDS * 1000)
  return await Promise.all(atMs.map(async (dueMs, i) => {
    await setTimeout(dueMs)
    const startedMs = performance.now()
    const reply = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': CAMPUS },
      body: JSON.stringify({ username: pupil(i), password: PASSWORD })
    })
    await reply.text()
    return { status: reply.status, ms: performance.now() - startedMs }
  }))
}
