// A user's number is another person's in another database. So a token counts only at the database that it names, also
// if an operator exchanges the database under a running replica.

import { randomUUID } from 'node:crypto'
import pg from 'pg'
import t, { type Test } from 'tap'
import { revokeTokens } from '#src/auth/account-changes.js'
import { watchRevocations } from '#src/auth/revocations.js'
import { openDatabase, type Database } from '#src/database/database.js'
import { endedInMemory } from '#src/auth/ended.js'
import { startApp, type TestApp } from '../fixtures/app.js'
import { command } from '../fixtures/command.js'
import { startPostgres } from '../fixtures/postgres.js'
import { claimsOf, hmac, kidOfSecret, markOf } from '../fixtures/tokens.js'
import { until } from '../fixtures/until.js'

const JWT_SECRET = 'Mk2-secret-of-both-databases-qq71z3'
const postgres = await startPostgres(t)

async function runIn (databaseUrl: string, sql: string): Promise<void> {
  const connection = new pg.Client(databaseUrl)
  await connection.connect()
  try {
    await connection.query(sql)
  } finally {
    await connection.end()
  }
}

/** A database that was not made as a copy, as those of the other tests are. */
async function anotherDatabase (): Promise<string> {
  const url = await postgres.newDatabase()
  await runIn(url, 'UPDATE database_mark SET mark = gen_random_uuid()')
  return url
}

const serve = (t: Test, DATABASE_URL: string): Promise<TestApp> => startApp(t, { DATABASE_URL, JWT_SECRET })

const tokenOf = async ({ login, client }: TestApp, { username, password }: { username: string, password: string }) =>
  (await login(client(), username, password)).json().data.token as string

const ask = async ({ app, client }: TestApp, token: string, url = '/api/auth/me') => await app.inject({
  method: url.endsWith('me') ? 'GET' : 'POST',
  url,
  remoteAddress: client(),
  headers: { authorization: `Bearer ${token}` }
})

const statusOf = async (at: TestApp, token: string): Promise<number> => (await ask(at, token)).statusCode

/** As a release without marks issues it, for the first user. */
const unmarked = (): string => hmac(
  JWT_SECRET, { alg: 'HS256', typ: 'JWT', kid: kidOfSecret(JWT_SECRET) }, claimsOf({ sub: '1', jti: randomUUID() }))

t.test('a token of another database with the same key is 401, and ends nothing of who has its number', async (t) => {
  const [here, there] = [await serve(t, await anotherDatabase()), await serve(t, await anotherDatabase())]
  const [own, other] = [await here.user(), await there.user()]
  t.equal(own.id, other.id)
  const token = await tokenOf(here, own)
  const foreign = await tokenOf(there, other)

  for (const path of ['/api/auth/me', '/api/auth/refresh', '/api/auth/logout', '/auth/UserCreation']) {
    const reply = await ask(here, foreign, path)
    t.equal(reply.statusCode, 401, path)
    t.equal(reply.json().message, 'A valid token is required. Please log in.')
  }
  t.equal(await statusOf(here, token), 200)
  const line = here.logs.find(({ cause }) => cause === 'the token is of another database')
  t.ok(line)
  t.notOk('userId' in line!, 'the log names nobody')
})

t.test('another database under a running replica: tokens of before are 401, those of it count', async (t) => {
  const [url, another] = [await anotherDatabase(), await anotherDatabase()]
  const [name, otherName] = [url, another].map(one => new URL(one).pathname.slice(1))
  const replica = await serve(t, url)
  const deleted = await replica.user()
  const token = await tokenOf(replica, await replica.user())
  t.equal((await command(['users', 'delete', deleted.username, '--yes'], { DATABASE_URL: url })).code, 0)
  const restored = await serve(t, another)
  const [owner] = [await restored.user(), await restored.user()]
  const ofRestored = await tokenOf(restored, owner)
  await restored.app.close()
  t.equal(owner.id, deleted.id, 'who was deleted had the number')
  t.equal(await statusOf(replica, ofRestored), 401)

  const admin = await postgres.connect('template1')
  await admin.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name])
  await admin.query(`ALTER DATABASE ${name} RENAME TO ${name}_of_before`)
  await admin.query(`ALTER DATABASE ${otherName} RENAME TO ${name}`)

  await until(async () => await statusOf(replica, token) === 401)
  await until(async () => await statusOf(replica, ofRestored) === 200)
  t.equal(await statusOf(replica, await tokenOf(replica, owner)), 200)
})

t.test('what ended in another database that shares the Redis, or was here before, ends nothing here', async (t) => {
  const [database, other] = await Promise.all([await anotherDatabase(), await anotherDatabase()].map(databaseUrl =>
    openDatabase({ databaseUrl, dataDir: '', databaseTimeoutMs: 20_000 }))) as [Database, Database]
  const ended = endedInMemory()
  const silent = { info () {}, warn () {} }
  let looks = 0
  const there = await watchRevocations(other.prisma, ended, 'known', silent)
  const here = await watchRevocations(database.prisma, ended, 'known', silent, { onRead: () => { looks++ } })
  t.after(async () => {
    await Promise.all([here.close(), there.close()])
    await Promise.all([database.close(), other.close()])
  })

  const data = { username: 'of.another', role: 'USER', userType: 'STUDENT' }
  const namesake = await other.prisma.user.create({ data })
  await revokeTokens(other.prisma, namesake.username)
  await until(async () => (await ended.since(0)).length > 0)
  // Of two looks in a row that begin later, at least one reads what is announced.
  const before = looks
  await until(() => looks >= before + 4)
  t.equal(there.isRevoked(namesake.id, 0), true)
  t.equal(here.isRevoked(namesake.id, 0), false)
})

t.test('tokens without a mark count for a day where accounts were before it, and nowhere else', async (t) => {
  const upgrade = async (accounts: string): Promise<string> => {
    const url = await postgres.newDatabase()
    await runIn(url, `
      DROP TABLE database_mark;
      DELETE FROM _prisma_migrations WHERE migration_name LIKE '%database_mark';
      ${accounts}`)
    t.match(await command(['migrate'], { DATABASE_URL: url }), { code: 0, stdout: /database_mark/ })
    return url
  }
  const insert = "INSERT INTO users (username, role, user_type) VALUES ('of.before', 'USER', 'STUDENT')"
  const [upgraded, fresh] = [await serve(t, await upgrade(insert)), await serve(t, await upgrade(''))]
  await fresh.user()
  t.not(await markOf(upgraded.app.db), await markOf(fresh.app.db))

  t.equal(await statusOf(upgraded, unmarked()), 200)
  t.equal(await statusOf(fresh, unmarked()), 401)
  await upgraded.app.db.$executeRaw`UPDATE database_mark SET unmarked_until = unmarked_until - interval '1 day'`
  await until(async () => await statusOf(upgraded, unmarked()) === 401)
})

t.test('a database whose mark is gone issues and accepts no token until it has one', async (t) => {
  const url = await anotherDatabase()
  await runIn(url, 'DELETE FROM database_mark')
  const replica = await serve(t, url)
  const { username, password } = await replica.user()

  t.equal((await replica.login(replica.client(), username, password)).statusCode, 503)
  t.equal(await statusOf(replica, unmarked()), 503)
  await replica.app.db.$executeRaw`INSERT INTO database_mark DEFAULT VALUES`
  await until(async () => (await replica.login(replica.client(), username, password)).statusCode === 200)
})

t.end()
