// The migrations make the schema of prisma/schema.prisma.

import t from 'tap'
import { openDatabase, type Database } from '#src/database/database.js'
import { applyMigrations, schemaDrift } from '#src/database/migrations.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { startPostgres } from '../fixtures/postgres.js'
import { migrations } from '../fixtures/migrations.js'

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
