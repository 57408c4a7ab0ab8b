// Whatever the server, the database or the role say: values mean the same, and all queries and migrations use the same
// schema.

import pg from 'pg'
import t, { type Test } from 'tap'
import { openDatabase, type Database } from '#src/database/database.js'
import type { CheckResult } from '#src/doctor/run-checks.js'
import { command } from '../fixtures/command.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { noPgbouncer, startPgbouncer } from '../fixtures/pgbouncer.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { until } from '../fixtures/until.js'

const admin = new pg.Client(await newDatabase())
await admin.connect()
t.after(() => admin.end())

/** A database of a school in Newfoundland, half an hour off every other zone, with dates as they are written there. */
async function abroad (): Promise<string> {
  const url = await newDatabase()
  const name = new URL(url).pathname.slice(1)
  await admin.query(`ALTER DATABASE ${name} SET timezone = 'America/St_Johns'`)
  await admin.query(`ALTER DATABASE ${name} SET DateStyle = 'SQL, DMY'`)
  return url
}

async function open (t: Test, databaseUrl: string | undefined): Promise<Database> {
  const database = await openDatabase({ databaseUrl, dataDir: newDirectory(t), databaseTimeoutMs: 20_000 })
  t.after(() => database.close())
  return database
}

const account = { userType: 'STUDENT', role: 'USER' }

/** A time goes in and comes out by a model and by SQL, and one that PostgreSQL takes itself is now. */
async function keepsTimes (t: Test, url: string): Promise<void> {
  const { prisma } = await open(t, url)
  const disabledAt = new Date('2026-02-03T04:05:06.789Z')

  const made = await prisma.user.create({ data: { username: 'asha', disabledAt, ...account } })
  const [row] = await prisma.$queryRaw<Array<{ seconds: number, disabledAt: Date }>>`
    SELECT extract(epoch FROM disabled_at)::float8 AS seconds, disabled_at AS "disabledAt" FROM users`

  t.strictSame([made.disabledAt, row!.disabledAt, row!.seconds * 1000], [disabledAt, disabledAt, disabledAt.getTime()])
  t.ok(Math.abs(made.createdAt.getTime() - Date.now()) < 60_000, made.createdAt.toISOString())
  await prisma.user.deleteMany()
}

t.test('a time is the same to all, and the own options of DATABASE_URL apply as well', async (t) => {
  const url = await abroad()
  const options = encodeURIComponent('-c work_mem=7MB -c TimeZone=Asia/Kathmandu')

  await keepsTimes(t, url)
  await keepsTimes(t, `${url}?options=${options}`)
  await keepsTimes(t, `${url}?pgbouncer=true`)

  const { prisma } = await open(t, `${url}?options=${options}`)
  t.strictSame(await prisma.$queryRaw`SELECT current_setting('work_mem') AS memory`, [{ memory: '7MB' }])
})

t.test('a time is the same behind PgBouncer, which hands out connections of other zones', {
  skip: noPgbouncer
}, async (t) => {
  const pooler = await startPgbouncer(t, await abroad())
  const other = new pg.Client(pooler)
  await other.connect()
  t.after(() => other.end())

  for (let i = 0; i < 3; i++) {
    await other.query("SET TimeZone = 'Asia/Tokyo'")
    await keepsTimes(t, `${pooler}?pgbouncer=true`)
  }
})

t.test('a time that no Date can be does not end the list of users', async (t) => {
  const DATABASE_URL = await newDatabase()
  const { prisma } = await open(t, DATABASE_URL)
  for (const time of ['infinity', '-infinity', '0044-03-15 12:00:00 BC', '12026-01-01', '2026-01-01']) {
    await prisma.$executeRaw`
      INSERT INTO users (username, user_type, role, created_at)
      VALUES (${`user ${time}`}, 'STUDENT', 'USER', ${time}::text::timestamptz)`
  }

  const { stdout } = await command(['users', 'list', '--json'], { DATABASE_URL })

  const users = JSON.parse(stdout) as Array<{ username: string, createdAt: string }>
  t.strictSame(Object.fromEntries(users.map(({ username, createdAt }) => [username, createdAt.slice(0, 10)])), {
    'user infinity': '9999-12-31',
    'user -infinity': '0001-01-01',
    'user 0044-03-15 12:00:00 BC': '0001-01-01',
    'user 12026-01-01': '9999-12-31',
    'user 2026-01-01': '2026-01-01'
  })
})

let roles = 0

/**
 * An empty database, and a role of its own, for whom `prepare` is run in it.
 *
 * @returns the URL for the role
 */
async function emptyDatabase (prepare: string): Promise<string> {
  const role = `role${process.pid}x${++roles}`
  const url = new URL(await newDatabase())
  await admin.query(`CREATE ROLE ${role} LOGIN SUPERUSER PASSWORD 'gatehouse'`)
  await admin.query(`CREATE DATABASE db_${role} OWNER ${role} TEMPLATE template0`)
  t.after(async () => {
    await admin.query(`DROP DATABASE db_${role} WITH (FORCE)`)
    await admin.query(`DROP ROLE ${role}`)
  })
  url.pathname = `/db_${role}`
  Object.assign(url, { username: role, password: 'gatehouse' })
  const client = new pg.Client(url.href)
  await client.connect()
  await client.query(prepare)
  await client.end()
  return url.href
}

const school = 'CREATE SCHEMA school; ALTER ROLE CURRENT_USER SET search_path = school'

/** What migrate and doctor say, and what the service finds, in an empty database. */
async function schemaOf (t: Test, url: string): Promise<Array<string | undefined>> {
  const migrated = await command(['migrate', '--json'], { DATABASE_URL: url })
  if (migrated.code !== 0) return [migrated.stderr]
  const { stdout } = await command(['doctor', '--json'], { DATABASE_URL: url })
  const { found } = (JSON.parse(stdout) as { findings: CheckResult[] }).findings
    .find(({ check }) => check === 'database-schema')!
  const { prisma } = await open(t, url)
  await prisma.user.create({ data: { username: 'asha', ...account } })
  const [row] = await prisma.$queryRaw<Array<{ schema: string }>>`SELECT tableoid::regclass::text AS schema FROM users`
  t.equal(row!.schema, 'users', 'SQL and models use the same table')
  return [JSON.parse(migrated.stdout).schema, /schema (\S+)$/.exec(found)?.[1]]
}

t.test('SQL, models and migrations use one schema, whoever names it', async (t) => {
  const cases: Array<[what: string, prepare: string, query: string, schema: string]> = [
    ['the path of the role', school, '', 'school'],
    ['a schema of the role\'s name', 'CREATE SCHEMA AUTHORIZATION CURRENT_USER', '', 'ROLE'],
    ['the options of the URL', 'CREATE SCHEMA "School"', '?options=-c%20search_path%3D%22School%22', 'School'],
    ['the URL, before a role', school, '?schema=other', 'other'],
    ['the role, where a pooler passes on nothing', school, '?pgbouncer=true', 'school'],
    [
      'the role, beside tables of another application',
      `CREATE TABLE public.users (id INT); ${school}, public`, '', 'school'
    ]
  ]
  for (const [what, prepare, query, schema] of cases) {
    const url = await emptyDatabase(prepare)
    const expected = schema.replace('ROLE', new URL(url).username)
    t.strictSame((await schemaOf(t, url + query)).map(name => name?.replaceAll('"', '')), [expected, expected], what)
  }
})

t.test('migrate says that the search path leads nowhere, and the service starts once it does', async (t) => {
  const url = await emptyDatabase('ALTER ROLE CURRENT_USER SET search_path = later')
  const { prisma } = await open(t, url)
  await t.rejects(prisma.user.count(), { message: /no schema of the search path \(later\) exists/ })
  t.match(await command(['migrate'], { DATABASE_URL: url }), { code: 1, stderr: /no schema .* write schema=NAME in/ })

  const connection = new pg.Client(url)
  await connection.connect()
  await connection.query('CREATE SCHEMA later')
  await connection.end()

  t.match(await command(['migrate'], { DATABASE_URL: url }), { code: 0 })
  t.equal(await prisma.user.count(), 0)
})

t.test('a migration that finds no schema, or cannot make one, ends its connection', async (t) => {
  const url = await emptyDatabase('ALTER ROLE CURRENT_USER SET search_path = nowhere')
  const readOnly = 'options=-c%20default_transaction_read_only%3Don'
  const cases = [['search_path', /no schema of the search path/], [`x&schema=new&${readOnly}`, /read-only/]] as const

  for (const [query, message] of cases) {
    const { openScripts } = await open(t, `${url}?application_name=migrates_${query}`)
    await t.rejects(openScripts(), { message })
  }

  const left = "SELECT FROM pg_stat_activity WHERE application_name LIKE 'migrates_%'"
  await until(async () => (await admin.query(left)).rowCount === 0)
})

t.test('tables stay where they are when a schema with the name of the role is made later', async (t) => {
  const url = await emptyDatabase('')
  t.strictSame(await schemaOf(t, url), ['public', 'public'])
  const { prisma } = await open(t, url)
  await prisma.$executeRawUnsafe('CREATE SCHEMA AUTHORIZATION CURRENT_USER')

  const migrated = await command(['migrate', '--json'], { DATABASE_URL: url })
  t.strictSame(JSON.parse(migrated.stdout), { applied: [], schema: 'public' })
  t.equal(await (await open(t, url)).prisma.user.count(), 1)
})

t.end()
