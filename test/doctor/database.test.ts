// gatehouse doctor and /readyz see what is wrong with a PostgreSQL that answers, and migrate refuses one that is not
// UTF-8.

import pg from 'pg'
import t from 'tap'
import { createAccount } from '#src/auth/accounts.js'
import { readConfig } from '#src/config/config.js'
import { openDatabase, type Database } from '#src/database/database.js'
import { watchDatabase, type DatabaseState } from '#src/database/state.js'
import { runAll } from '#src/doctor/check.js'
import { databaseChecks } from '#src/doctor/database.js'
import { newClient, startApp } from '../fixtures/app.js'
import { command } from '../fixtures/command.js'
import { startPostgres } from '../fixtures/postgres.js'
import { newDatabase } from '../fixtures/shared-postgres.js'

const url = await newDatabase()
const admin = new pg.Client(url)
await admin.connect()
t.after(() => admin.end())

/** What the first probe finds. */
async function stateOf (database: Database): Promise<DatabaseState | undefined> {
  let state: DatabaseState | undefined
  const { first, close } = watchDatabase(database, 20_000, (value) => { state = value })
  await first
  await close()
  return state
}

// B11
t.test('a read-only database and accounts that can never log in need action, and /readyz says read-only', async (t) => {
  const before = await openDatabase({ databaseUrl: url, dataDir: '', databaseTimeoutMs: 20_000 })
  const account = { email: null, userType: 'STUDENT', role: 'USER' }
  await createAccount(before.prisma, { ...account, username: 'Asha', passwordHash: `$2y$10$${'a'.repeat(53)}` })
  await createAccount(before.prisma, { ...account, username: 'devi', passwordHash: '{noop}secret' })
  const passwordHash = `$2b$10$${'a'.repeat(53)}`
  const [longest, tooLong] = ['a'.repeat(64), 'a'.repeat(65)].map(local => `${local}@school.example`)
  const emails = { esha: 'Esha@School.example', jose: 'josé@school.example', gita: longest!, hari: tooLong! }
  for (const [username, email] of Object.entries(emails)) {
    await createAccount(before.prisma, { ...account, username, email, passwordHash })
  }
  t.equal(await stateOf(before), 'reachable')
  await before.close()
  await admin.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`)
  const database = await openDatabase({ databaseUrl: url, dataDir: '', databaseTimeoutMs: 20_000 })
  t.after(() => database.close())

  const findings = await runAll(databaseChecks(database.prisma, readConfig({ DATABASE_URL: url }), Promise.resolve([])))

  const of = (name: string) => findings.find(({ check }) => check === name)
  t.match(of('database-writable'), { status: 'action', found: /read-only/, remedy: /default_transaction_read_only/ })
  t.match(of('account-logins'), {
    status: 'action', found: /^1 account with a hash .*, 1 with a name .*; 3 with an email/
  })
  t.match(of('database-encoding'), { status: 'ok' })
  t.match(of('database-statements'), { status: 'ok' })
  t.equal(await stateOf(database), 'read-only')
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
    databaseChecks(database.prisma, readConfig({ DATABASE_URL: url }), Promise.resolve([]))
  const { rows } = await admin.query<{ names: string[] }>(`SELECT array_agg(tablename::text) AS names FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`)

  const [rights] = await runAll({ check: check!, statements: statements! })
  const grants = rights!.remedy!.replace('as the owner: ', '')
  await admin.query(grants)

  const all = rows[0]!.names.map(name => `GRANT SELECT, INSERT, UPDATE, DELETE ON ${name} TO ${role}`)
  t.same(grants.split('; ').sort(), [...all, `GRANT USAGE ON SEQUENCE users_id_seq TO ${role}`].sort())
  t.match(await check!(), { status: 'ok' })
  await admin.query(`REVOKE INSERT, UPDATE ON sessions FROM ${role}`)
  t.match(await check!(), { status: 'action', found: `the role ${role} lacks INSERT, UPDATE on sessions` })
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
    databaseChecks(app.db, readConfig({ DATABASE_URL }), Promise.resolve([]))

  const statuses = [await create('free.name'), await create('free.name')]
  await app.db.$executeRaw`SELECT setval('users_id_seq', 1)`
  const imported = await command(['users', 'import', '-'], { DATABASE_URL }, 'username\nfree.too\n')
  const [found] = await runAll({ check: check! })
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

  const findings = await runAll(databaseChecks(database.prisma, readConfig({ DATABASE_URL }), Promise.resolve([])))

  t.match(findings.find(({ check }) => check === 'database-writable'), { status: 'action', found: /standby/ })
  t.equal(await stateOf(database), 'read-only')
})

// B8
t.test('migrate refuses a database that is not UTF-8, and changes nothing', async (t) => {
  const name = `latin${process.pid}`
  await admin.query('SET default_transaction_read_only = off')
  await admin.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'`)

  const migrated = await command(['migrate'], { DATABASE_URL: url.replace(/[^/]+$/, name) })

  t.match(migrated, { code: 1, stderr: /it is LATIN1, and names need UTF-8; create one with ENCODING 'UTF8'/ })
})

t.end()
