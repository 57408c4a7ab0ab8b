// gatehouse doctor and /readyz see what is wrong with a PostgreSQL that answers, and migrate refuses one that is not
// UTF-8.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo } from 'node:net'
import pg from 'pg'
import t, { type Test } from 'tap'
import { createAccount } from '#src/auth/accounts.js'
import { readConfig } from '#src/config/load.js'
import { openDatabase } from '#src/database/database.js'
import { applyMigrations } from '#src/database/migrations.js'
import { stateNow } from '#src/database/state.js'
import { runChecks, type Checks, type Deployment, type CheckResult } from '#src/doctor/run-checks.js'
import { accountChecks } from '#src/doctor/account-checks.js'
import { databaseChecks } from '#src/doctor/database-checks.js'
import type { Replica } from '#src/limiter/fleet/replicas.js'
import { newClient, startApp } from '../fixtures/app.js'
import { command } from '../fixtures/command.js'
import { noPgbouncer, startPgbouncer } from '../fixtures/pgbouncer.js'
import { startPostgres } from '../fixtures/postgres.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { until } from '../fixtures/until.js'

/** The time of checks, which is never over. */
const endless = (): AbortSignal => new AbortController().signal

/** What is found of a database while no replica runs. */
function checksAt (db: Deployment['db'], DATABASE_URL: string, replicas: Replica[] = []): Checks {
  const deployment = { db, config: readConfig({ DATABASE_URL }), replicas }
  return { ...databaseChecks(deployment), ...accountChecks(deployment) }
}

/** What the command finds of it. */
async function doctorAt (DATABASE_URL: string): Promise<(name: string) => CheckResult | undefined> {
  const { stdout } = await command(['doctor', '--json'], { DATABASE_URL, DATABASE_TIMEOUT_MS: '20000' })
  const { findings } = JSON.parse(stdout) as { findings: CheckResult[] }
  return name => findings.find(({ check }) => check === name)
}

const url = await newDatabase()
const admin = new pg.Client(url)
await admin.connect()
t.after(() => admin.end())

t.test('more accounts at one address than a letter has links for, and a stranger among them, are noted', async (t) => {
  const own = await newDatabase()
  const { prisma, close } = await openDatabase({ databaseUrl: own, dataDir: '', databaseTimeoutMs: 20_000 })
  t.after(close)
  const account = { passwordHash: null, userType: 'STUDENT', role: 'USER' }
  const found = async () => (await doctorAt(own))('account-addresses')
  t.match(await found(), { status: 'ok', found: 'no two accounts have one address' })

  const office = { ...account, email: 'office@school.example' }
  for (let i = 0; i < 11; i++) {
    await createAccount(prisma, { ...office, username: `pupil${i}` })
    if (i === 1) t.match(await found(), { status: 'ok', found: 'addresses of several accounts: 1' })
  }
  await createAccount(prisma, { ...account, email: 'ravi@school.example', username: 'stranger', selfRegistered: true })
  await createAccount(prisma, { ...account, email: 'ravi@school.example', username: 'ravi' })

  t.match(await found(), {
    status: 'note',
    found: /^addresses of several accounts: 2; 1 with more than 10, .* of pupil0: .*; 1 with .* stranger .* of ravi$/,
    remedy: /gatehouse users show USER/
  })
})

// B11
t.test('a read-only database and accounts that can never log in need action, and /readyz says read-only', async (t) => {
  const before = await openDatabase({ databaseUrl: url, dataDir: '', databaseTimeoutMs: 20_000 })
  const account = { email: null, userType: 'STUDENT', role: 'USER' }
  await createAccount(before.prisma, { ...account, username: 'Asha', passwordHash: `$2y$10$${'a'.repeat(53)}` })
  await createAccount(before.prisma, { ...account, username: 'devi', passwordHash: '{noop}secret' })
  await createAccount(before.prisma, { ...account, username: 'hema ', passwordHash: null })
  const passwordHash = `$2b$10$${'a'.repeat(53)}`
  const [longest, tooLong] = ['a'.repeat(64), 'a'.repeat(65)].map(local => `${local}@school.example`)
  const emails = { esha: 'Esha@School.example', jose: 'josé@school.example', gita: longest!, hari: tooLong! }
  for (const [username, email] of Object.entries(emails)) {
    await createAccount(before.prisma, { ...account, username, email, passwordHash })
  }
  t.equal((await stateNow(before, 20_000)).value, 'reachable')
  await before.close()
  await admin.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`)
  const database = await openDatabase({ databaseUrl: url, dataDir: '', databaseTimeoutMs: 20_000 })
  t.after(() => database.close())

  const of = await doctorAt(url)

  t.match(of('database'), { status: 'action', found: /read-only/, remedy: /default_transaction_read_only/ })
  t.match(await checksOf(t, url, 'account-logins'), [
    { status: 'action', found: /^1 account with a hash .*, 2 with a name .*; 3 with an email/ },
    { status: 'note', found: /^1 account without a password, an address and a sign-in/ }
  ])
  t.match(of('database-encoding'), { status: 'ok' })
  t.match(of('database-statements'), { status: 'ok' })
  t.same(await stateNow(database, 20_000), { value: 'read-only', reason: 'default_transaction_read_only is on' })
})

t.test('each right that the role lacks is named with its GRANT, which is enough', async (t) => {
  await admin.query('SET default_transaction_read_only = off')
  const role = `lacking${process.pid}`
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'gatehouse'`)
  const ofRole = Object.assign(new URL(url), { username: role, password: 'gatehouse' })
  ofRole.searchParams.set('options', '-c default_transaction_read_only=off')
  const database = await openDatabase({ databaseUrl: ofRole.href, dataDir: '', databaseTimeoutMs: 20_000 })
  t.after(async () => {
    await database.close()
    await admin.query(`DROP OWNED BY ${role}`)
    await admin.query(`DROP ROLE ${role}`)
  })
  const { 'database-rights': check, 'database-statements': statements } =
    checksAt(database.prisma, url)
  const { rows } = await admin.query<{ names: string[] }>(`SELECT array_agg(tablename::text) AS names FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`)

  const [rights] = await runChecks({ check: check!, statements: statements! }, endless())
  const grants = rights!.remedy!.replace('as the owner: ', '')
  await admin.query(grants)

  const all = rows[0]!.names.map(name => `GRANT SELECT, INSERT, UPDATE, DELETE ON ${name} TO ${role}`)
  t.same(grants.split('; ').sort(), [...all, `GRANT USAGE ON SEQUENCE users_id_seq TO ${role}`].sort())
  t.match(await check!(), { status: 'ok' })
  await admin.query(`REVOKE INSERT, UPDATE ON sessions FROM ${role}`)
  t.match(await check!(), { status: 'action', found: `the role ${role} lacks INSERT, UPDATE on sessions` })
})

t.test('a schema that the role may not use is named, and no check calls tables good that it cannot see', async (t) => {
  const url = await newDatabase()
  const { role, owner, ofRole } = await newRole(url)
  await command(['migrate'], { DATABASE_URL: `${url}?schema=school` })
  await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA school TO ${role}`)
  await owner.query('DROP SCHEMA public CASCADE')
  const names = ['database-rights', 'database-schema', 'database-readers']
  const found = async () => await checksOf(t, `${ofRole}?schema=school`, ...names)

  t.match(await found(), [
    {
      status: 'action',
      found: `the role ${role} lacks USAGE on SCHEMA school`,
      remedy: `as the owner: GRANT USAGE ON SCHEMA school TO ${role}`
    },
    { status: 'note' }, { status: 'note' }
  ])
  await owner.query(`GRANT USAGE ON SCHEMA school TO ${role}`)
  t.match(await found(), [{ found: `the role ${role} lacks USAGE on SEQUENCE users_id_seq` }, { status: 'ok' }, {}])
})

t.test('a sequence that is behind is 503, never 409, and what doctor prints cures it', async (t) => {
  const DATABASE_URL = await newDatabase()
  const { app, user, logs } = await startApp(t, { DATABASE_URL })
  const create = async (username: string): Promise<number> => (await app.inject({
    method: 'POST',
    url: '/auth/UserCreation',
    remoteAddress: newClient(),
    payload: { username, password: 'three quiet lamps', email: `${username}@school.example` }
  })).statusCode
  const deleted = [await user(), await user(), await user(), await user()].at(-1)!
  await command(['users', 'delete', deleted.username, '--yes'], { DATABASE_URL })
  await app.db.$executeRaw`SELECT setval('users_id_seq', 1)`
  const { 'database-numbers': check } =
    checksAt(app.db, DATABASE_URL)

  const statuses = [await create('free.name'), await create('free.name')]
  await app.db.$executeRaw`SELECT setval('users_id_seq', 1)`
  const imported = await command(['users', 'import', '-'], { DATABASE_URL }, 'username\nfree.too\n')
  const [found] = await runChecks({ check: check! }, endless())
  await app.db.$executeRawUnsafe(found!.remedy!.replace('as the owner: ', ''))

  t.same(statuses, [503, 503])
  t.match(logs.find(({ status }) => status === 503), { cause: /^the sequence users_id_seq is behind/ })
  t.match(imported, { code: 1, stderr: /the sequence users_id_seq is behind/ })
  t.match(found, { status: 'action', found: /is at 2, and accounts have them up to 4/ })
  t.match(await check!(), { status: 'ok' })
  t.equal(await create('free.name'), 201)
  const { id } = await app.db.user.findUniqueOrThrow({ where: { username: 'free.name' } })
  t.equal(id, deleted.id + 1, 'the number of who was deleted is not free')
})

// B11
t.test('a hot standby needs action, and /readyz says read-only', async (t) => {
  const DATABASE_URL = (await startPostgres(t, {}, true)).url
  const database = await openDatabase({ databaseUrl: DATABASE_URL, dataDir: '', databaseTimeoutMs: 20_000 })
  t.after(() => database.close())

  const of = await doctorAt(DATABASE_URL)

  t.match(of('database'), { status: 'action', found: /read-only.* \(it is a standby\)/, remedy: /primary/ })
  t.match(of('database-writable'), { status: 'action', found: /^8 of 8 connections/ })
  t.same(await stateNow(database, 20_000), { value: 'read-only', reason: 'it is a standby' })
})

// B8
t.test('migrate refuses a database that is not UTF-8, and changes nothing', async (t) => {
  const name = `latin${process.pid}`
  await admin.query('SET default_transaction_read_only = off')
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`)

  const migrated = await command(['migrate'], { DATABASE_URL: url.replace(/[^/]+$/, name) })

  t.match(migrated, { code: 1, stderr: /it is LATIN1, and names need UTF-8; create one with ENCODING 'UTF8'/ })
})

t.test('a name that a database of another encoding cannot hold is that of no user', async (t) => {
  const name = `latin2${process.pid}`
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN2' LC_COLLATE 'C' LC_CTYPE 'C'`)
  const DATABASE_URL = url.replace(/[^/]+$/, name)
  const database = await openDatabase({ databaseUrl: DATABASE_URL, dataDir: '', databaseTimeoutMs: 20_000 })
  await applyMigrations(database)
  await database.close()
  const { app, client, login } = await startApp(t, { DATABASE_URL })

  const [tamil, unknown] = [await login(client(), 'தமிழ்', 'x'), await login(client(), 'nobody', 'x')]
  const asked = await app.inject({
    method: 'POST', url: '/auth/forgot-password', remoteAddress: client(), payload: { username: 'தமிழ்' }
  })

  t.equal(tamil.statusCode, 401)
  t.strictSame(tamil.json().message, unknown.json().message)
  t.match(asked.json(), { status: 400, message: /letters that the database cannot store/ })
})

/** The results of some checks of a database, by name. */
async function checksOf (t: Test, DATABASE_URL: string, ...names: string[]): Promise<CheckResult[]> {
  const config = readConfig({ DATABASE_URL })
  const database = await openDatabase({ ...config, databaseTimeoutMs: 20_000 })
  t.after(() => database.close())
  const checks = checksAt(database.prisma, DATABASE_URL, [{ name: 'one' }, { name: 'two' }])
  return await runChecks(Object.fromEntries(names.map(name => [name, checks[name]!])), endless())
}

let roles = 0

/** The URL for a new role, which may read and write every table. */
async function newRole (url: string): Promise<{ role: string, ofRole: string, owner: pg.Client }> {
  const role = `service${process.pid}x${++roles}`
  const owner = new pg.Client(url)
  await owner.connect()
  await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'gatehouse'`)
  await owner.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`)
  t.after(async () => {
    await owner.query(`DROP OWNED BY ${role}`)
    await owner.query(`DROP ROLE ${role}`)
    await owner.end()
  })
  return { role, owner, ofRole: Object.assign(new URL(url), { username: role, password: 'gatehouse' }).href }
}

t.test('another role that may read password hashes is named, and rows that a policy hides', async (t) => {
  const url = await newDatabase()
  const { role, owner, ofRole } = await newRole(url)
  const { role: other } = await newRole(url)

  const [read] = await checksOf(t, ofRole, 'database-readers')
  await owner.query(read!.remedy!.replace('as the owner: ', ''))
  const [revoked] = await checksOf(t, ofRole, 'database-readers')
  await owner.query('ALTER TABLE sessions ENABLE ROW LEVEL SECURITY')
  const [hidden] = await checksOf(t, ofRole, 'database-readers')
  await owner.query(`CREATE POLICY all_rows ON sessions TO ${role} USING (true)`)
  const [allowed] = await checksOf(t, ofRole, 'database-readers')

  t.match(read, { status: 'action', found: `other roles may read the hashes of passwords: ${other}` })
  t.match([revoked!.status, allowed!.status], ['ok', 'ok'])
  t.match(hidden, { status: 'action', found: `row-level security hides rows of sessions from the role ${role}` })
})

t.test('the limit of connections that is met first counts, and how to raise it is said', async (t) => {
  const url = await newDatabase()
  const { role, owner, ofRole } = await newRole(url)
  const database = new URL(url).pathname.slice(1)

  await owner.query(`ALTER DATABASE ${database} CONNECTION LIMIT 40`)
  const [ofDatabase] = await checksOf(t, ofRole, 'database-connections')
  await owner.query(`ALTER ROLE ${role} CONNECTION LIMIT 21`)
  const [ofTheRole] = await checksOf(t, ofRole, 'database-connections')

  t.match(ofDatabase, {
    status: 'note', found: /may open 22 connections, and the database takes 40/, remedy: /^ALTER DATABASE copy/
  })
  t.match(ofTheRole, { status: 'action', found: /the role takes 21/, remedy: `ALTER ROLE ${role} CONNECTION LIMIT -1` })
  t.match(await checksOf(t, `${ofRole}?pgbouncer=true`, 'database-connections'), [{ status: 'ok', found: /a pooler/ }])
})

t.test('a second connection that is refused is a finding, and leaves no connection open', async (t) => {
  const url = await newDatabase()
  const { role, owner, ofRole } = await newRole(url)
  await owner.query(`ALTER ROLE ${role} CONNECTION LIMIT 1`)

  const [statements] = await checksOf(t, ofRole, 'database-statements')

  t.match(statements, { status: 'note', found: /too many connections/ })
  await until(async () => {
    const { rows } = await owner.query('SELECT 1 FROM pg_stat_activity WHERE usename = $1', [role])
    return rows.length === 0
  }, 'nothing of it is connected')
})

t.test('a pooler in transaction mode is seen each time, and whether it passes on how times are read', {
  skip: noPgbouncer
}, async (t) => {
  const settings = 'statement_timeout, idle_in_transaction_session_timeout'
  const pooler = await startPgbouncer(t, await newDatabase(), settings)

  for (let run = 0; run < 5; run++) {
    const [statements] = await checksOf(t, pooler, 'database-statements')
    t.match(statements, { status: 'action', remedy: /add pgbouncer=true/ })
  }
  t.match(await checksOf(t, `${pooler}?pgbouncer=true`, 'database-statements', 'database-times'), [
    { status: 'ok' }, { status: 'ok' }
  ])
})

t.test('a balancer that leads some connections to a standby is seen', async (t) => {
  const [primary, standby] = await Promise.all([startPostgres(t), startPostgres(t, {}, true)])
  let connections = 0
  const balancer = createServer((near) => {
    const far = connect(++connections % 2 ? primary.port : standby.port, '127.0.0.1')
    near.on('error', () => {}).pipe(far.on('error', () => {})).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(balancer, 'listening')
  t.after(() => balancer.close())
  const { port } = balancer.address() as AddressInfo

  const [writable] = await checksOf(
    t, primary.url.replace(`:${primary.port}/`, `:${port}/`), 'database-writable'
  )

  t.match(writable, { status: 'action', found: /lead to a standby/, remedy: /primary/ })
})

t.test('the cure for names that can never log in is right under a Turkish locale', async (t) => {
  const name = `turkish${process.pid}`
  await admin.query('SET default_transaction_read_only = off')
  await admin.query(`
    CREATE DATABASE ${name} TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'tr' ENCODING 'UTF8'`)
  const DATABASE_URL = url.replace(/[^/]+$/, name)
  await command(['migrate'], { DATABASE_URL })
  const client = new pg.Client(DATABASE_URL)
  await client.connect()
  t.after(() => client.end())
  for (const username of ['ILKER', 'ÉLODIE']) {
    await client.query("INSERT INTO users (username, user_type, role) VALUES ($1, 'STUDENT', 'USER')", [username])
  }

  const [logins] = await checksOf(t, DATABASE_URL, 'account-logins')
  await client.query(logins!.remedy!.replace(/^.*?; /, ''))

  t.match(logins, { status: 'action', found: /, 2 with a name/ })
  const { rows } = await client.query('SELECT username FROM users ORDER BY id')
  t.strictSame(rows, [{ username: 'ilker' }, { username: 'élodie' }])
})

t.end()
