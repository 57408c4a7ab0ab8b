// The role that the service has in docker-compose.yml can read and write rows, and nothing else.
// deploy/postgres-role.sh makes it, before the owner migrates.

import { readFileSync } from 'node:fs'
import pg from 'pg'
import t from 'tap'
import { openDatabase } from '#src/database/database.js'
import { applyMigrations } from '#src/database/migrations.js'
import { migrations } from '../fixtures/migrations.js'
import { startApp } from '../fixtures/app.js'
import { command } from '../fixtures/command.js'
import { startPostgres } from '../fixtures/postgres.js'

const script = readFileSync(new URL('../../deploy/postgres-role.sh', import.meta.url), 'utf8')
const page = new URL('../../docs/operations.md', import.meta.url)
const roleSql = (database: string): string => /<<'SQL'\n([\s\S]*)\nSQL\n/.exec(script)![1]!
  .replace(":'password'", "'secret'").replace(':"DBNAME"', `"${database}"`)

const postgres = await startPostgres(t)
const urlOf = (user: string, database: string): string =>
  `postgresql://${user}:secret@127.0.0.1:${postgres.port}/${database}`

// The superuser of the tests has the name that the service's role is to have.
const first = await postgres.connect('template1')
await first.query("CREATE ROLE owner SUPERUSER LOGIN PASSWORD 'secret'")
await first.query("CREATE ROLE plain CREATEDB LOGIN PASSWORD 'secret'")
const admin = new pg.Client(urlOf('owner', 'template1'))
await admin.connect()
t.after(() => admin.end())
await admin.query('ALTER ROLE gatehouse RENAME TO cluster_owner')

async function newDatabase (name: string, owner = 'owner'): Promise<string> {
  await admin.query(`CREATE DATABASE ${name} OWNER ${owner} TEMPLATE template0`)
  return name
}

async function runAs (user: string, database: string, ...statements: string[]): Promise<void> {
  const connection = new pg.Client(urlOf(user, database))
  await connection.connect()
  try {
    for (const statement of statements) await connection.query(statement)
  } finally {
    await connection.end()
  }
}

async function migrateAs (user: string, database: string): Promise<string[]> {
  const opened = await openDatabase({ databaseUrl: urlOf(user, database), dataDir: '', databaseTimeoutMs: 20_000 })
  return await applyMigrations(opened).finally(opened.close)
}

const denied = { code: '42501' }

t.test('without the service\'s role, the migrations change no rights', async (t) => {
  const database = await newDatabase('without_role', 'plain')
  await migrateAs('plain', database)
  const { rows } = await admin.query('SELECT datacl FROM pg_database WHERE datname = $1', [database])
  t.same(rows, [{ datacl: null }])
})

t.test('the service\'s role reads and writes rows, and has no other rights', async (t) => {
  const database = await newDatabase('fresh')
  await runAs('owner', database, roleSql(database))
  await t.rejects(
    runAs('gatehouse', database, 'CREATE TEMPORARY TABLE stray (id INT)'), denied, 'before the first migration too'
  )
  await migrateAs('owner', database)
  for (const statement of [
    'DELETE FROM _prisma_migrations', 'SELECT * FROM _prisma_migrations', 'CREATE TEMPORARY TABLE stray (id INT)',
    'CREATE TABLE stray (id INT)'
  ]) {
    await t.rejects(runAs('gatehouse', database, statement), denied, statement)
  }
  t.same(await migrateAs('owner', database), [])

  const { client, login, user } = await startApp(t, { DATABASE_URL: urlOf('gatehouse', database) })
  const { username, password } = await user()
  t.equal((await login(client(), username, password)).statusCode, 200)
  await runAs(
    'gatehouse',
    database,
    "INSERT INTO mails (kind, username, request_id) VALUES ('password_reset', 'x', 'x')",
    'DELETE FROM mails'
  )
  await runAs('owner', database, 'CREATE TABLE later (id SERIAL)')
  await runAs('gatehouse', database, 'INSERT INTO later DEFAULT VALUES')
})

t.test('the SQL of the page for an installation without containers makes both roles', async (t) => {
  const [, section = ''] = /\n## Without containers\n([^]*?)\n## /.exec(readFileSync(page, 'utf8')) ?? []
  const [roles = '', rights = ''] = [...section.matchAll(/```sql\n([^]*?)```/g)].map(([, sql]) =>
    sql!.replaceAll(/'(ONE|ANOTHER)'/g, "'secret'"))
  // The role of the service is there already. A database cannot be created within a transaction of several statements.
  const [owner = '', service = '', database = ''] = roles.split('\n')
  t.match(service, /^CREATE ROLE gatehouse LOGIN/)
  for (const statement of [owner, database]) await admin.query(statement)

  await runAs('migrator', 'gatehouse', rights)
  for (const place of ['gatehouse', 'gatehouse?schema=school']) {
    await migrateAs('migrator', place)
    const { login, client, user } = await startApp(t, { DATABASE_URL: urlOf('gatehouse', place) })
    const { username, password } = await user()
    t.equal((await login(client(), username, password)).statusCode, 200, place)
  }
  await t.rejects(runAs('gatehouse', 'gatehouse', 'SELECT * FROM _prisma_migrations'), denied)
  t.match(await command(['migrate'], { DATABASE_URL: urlOf('gatehouse', await newDatabase('of_somebody')) }), {
    code: 1, stderr: /permission denied.*The owner of the database must run this/
  })
})

t.test('the next migration withdraws rights that earlier releases granted', async (t) => {
  const database = await newDatabase('existing')
  // As deploy/postgres-role.sh did it, and the release of then.
  await runAs(
    'owner',
    database,
    'ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO gatehouse'
  )
  await migrateAs('owner', database)
  await runAs('owner', database, 'GRANT ALL ON _prisma_migrations TO gatehouse', 'GRANT TEMPORARY ON DATABASE ' +
    `${database} TO PUBLIC, gatehouse`,
  "DELETE FROM _prisma_migrations WHERE migration_name LIKE '%service_role'")
  await runAs('gatehouse', database, 'SELECT * FROM _prisma_migrations', 'CREATE TEMPORARY TABLE stray (id INT)')
  t.match(await migrateAs('owner', database), [/_service_role$/])
  for (const statement of ['DELETE FROM _prisma_migrations', 'CREATE TEMPORARY TABLE stray (id INT)']) {
    await t.rejects(runAs('gatehouse', database, statement), denied, statement)
  }
})

t.test('a database of another owner, or with gatehouse as its only role, is migrated too', async (t) => {
  const other = await newDatabase('of_another')
  await runAs('owner', other, 'GRANT ALL ON SCHEMA public TO plain')
  t.same(await migrateAs('plain', other), migrations)
  const own = await newDatabase('of_its_own', 'gatehouse')
  await migrateAs('gatehouse', own)
  t.same(await migrateAs('gatehouse', own), [], 'and it may do so again')
})

t.end()
