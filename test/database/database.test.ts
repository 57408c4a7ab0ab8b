// The migrations make the schema of prisma/schema.prisma, and a login survives a database that is down.

import t from 'tap'
import { openDatabase, type Database } from '#src/database/database.js'
import { applyMigrations, schemaDrift } from '#src/database/migrations.js'
import { startApp } from '../fixtures/app.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { startPostgres } from '../fixtures/postgres.js'
import { freePort } from '../fixtures/redis.js'
import { migrations } from '../fixtures/migrations.js'
import { impatient } from '../fixtures/timeouts.js'
import { until } from '../fixtures/until.js'

t.test('the migrations make exactly the schema of schema.prisma, embedded and on a server', async (t) => {
  const embedded = await openDatabase({ databaseUrl: undefined, dataDir: newDirectory(t) })
  t.teardown(() => embedded.close())
  t.same(await applyMigrations(embedded.adapter), migrations)
  t.same(await applyMigrations(embedded.adapter), [], 'the second time there is nothing to do')
  t.match(await schemaDrift(embedded.adapter), /^-- This is an empty migration/)

  const { url } = await startPostgres(t)
  const server = await openDatabase({ databaseUrl: url, dataDir: '', databaseTimeoutMs: 20_000 })
  t.teardown(() => server.close())
  const columns = ({ prisma }: Database) => prisma.$queryRaw`
    SELECT table_name::text, column_name::text, data_type::text, is_nullable::text, column_default::text
    FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`
  const found = await columns(server) as unknown[]
  t.ok(found.length > 10)
  t.same(found, await columns(embedded))

  await embedded.prisma.$executeRawUnsafe('ALTER TABLE users ADD COLUMN stray TEXT')
  t.match(await schemaDrift(embedded.adapter), /DROP COLUMN "stray"/, 'a difference is seen')
})

t.test('a database that is down costs a login two seconds at most, and the next one finds it again', async (t) => {
  const { url, stop } = await startPostgres(t)
  const { app, client, login, user, logs } = await startApp(t, { DATABASE_URL: url, ...impatient })
  const { username, password } = await user()
  // The first query takes longest, on a busy machine more than its second.
  await until(async () => (await login(client(), username, password)).statusCode === 200)

  await stop()
  const started = performance.now()
  const down = await login(client(), username, password)
  t.ok(performance.now() - started < 2000)
  t.equal(down.statusCode, 503)
  t.match(down.headers['retry-after'], /^\d+$/)
  t.match(down.json(), { status: 503, error: 'Service Unavailable', message: /try again/, path: '/api/auth/login' })
  t.notMatch(down.body, /prisma|postgres|127\.0\.0\.1|P\d{4}/i, 'nothing of the inside is told [S87]')
  t.match(
    logs.find(line => line.status === 503),
    { cause: /reach database server/ },
    'but it is in the log, in the request\'s own line'
  )

  const address = client()
  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push((await login(address, username, password)).statusCode)
  t.same(statuses, [503, 503, 503, 503, 503, 429], 'the limits hold meanwhile')
  t.equal((await app.inject({ url: '/nowhere', remoteAddress: client() })).statusCode, 404)
})

t.test('a service starts even if its database was never there', async (t) => {
  const { client, login } = await startApp(t, { DATABASE_URL: `postgresql://u:p@127.0.0.1:${await freePort()}/x` })
  t.equal((await login(client(), 'anyone', 'x')).statusCode, 503)
})
