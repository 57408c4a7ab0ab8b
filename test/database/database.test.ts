// The migrations make the schema of prisma/schema.prisma.

import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import t from 'tap'
import { openDatabase, type Database, type RawQueries } from '#src/database/database.js'
import { applyMigrations } from '#src/database/migrations.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { startPostgres } from '../fixtures/postgres.js'
import { migrations } from '../fixtures/migrations.js'
import { schemaDrift } from '../fixtures/schema-drift.js'

t.test('the migrations make exactly the schema of schema.prisma, embedded and on a server', async (t) => {
  const dataDir = newDirectory(t)
  const embedded = await openDatabase({ databaseUrl: undefined, dataDir })
  const { url } = await startPostgres(t)
  const server = await openDatabase({ databaseUrl: url, dataDir: '', databaseTimeoutMs: 20_000 })
  t.teardown(() => server.close())

  t.same(await applyMigrations(embedded), migrations)
  t.same(await applyMigrations(embedded), [], 'the second time there is nothing to do')

  const found = await columns(embedded)
  t.ok(found.length > 10)
  t.same(await columns(server), found)
  for (const { prisma, polls } of [embedded, server]) {
    t.strictSame(await someValues(polls), await someValues(prisma), 'without its engine Prisma answers the same')
  }
  await embedded.close()
  const database = await PGlite.create(join(dataDir, 'postgres'))
  t.teardown(() => database.close())
  t.match(await schemaDrift(database), /^-- This is an empty migration/)
  await database.exec('ALTER TABLE users ADD COLUMN stray TEXT')
  t.match(await schemaDrift(database), /DROP COLUMN "stray"/, 'a difference is seen')
})

/** Of the types that polls ask for. */
const someValues = (db: RawQueries): Promise<unknown> => db.$queryRaw`
  SELECT 1 AS "int", ${2.5}::float8 AS "float", true AS "bool", ${'x'}::text AS "text", NULL AS "null",
    ARRAY['a', 'b,c'] AS "texts"`

const columns = ({ prisma }: Database): Promise<unknown[]> => prisma.$queryRaw`
  SELECT table_name::text, column_name::text, data_type::text, is_nullable::text, column_default::text
  FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`
