// `gatehouse migrate` applies each migration once and whole, beside others who use the database and after any
// interruption.

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import t, { type Test } from 'tap'
import { command } from '../fixtures/command.js'
import { startPostgres } from '../fixtures/postgres.js'
import type { Finished } from '../fixtures/process.js'
import { until } from '../fixtures/until.js'

const postgres = await startPostgres(t)
const upToDate = {
  code: 0, stdout: /^The schema public of the database \w+ at 127\.0\.0\.1:\d+ is up to date\.\n$/, stderr: ''
}
const appliedOne = { code: 0, stdout: /^Applied one migration to the schema public /, stderr: '' }

const migrate = (url: string): Promise<Finished> => command(['migrate'], { DATABASE_URL: url })

interface Prepared {
  url: string
  client: pg.Client
  /** The process ids of other active connections whose query or wait event matches `like`. */
  backends: (like: string) => Promise<number[]>
  /** How many records of the missing migration there are. */
  records: () => Promise<number>
}

/** A database that lacks the last migration, whose CREATE TABLE takes two seconds if it is to be slow. */
async function lacksKnownAddresses ({ slow = false } = {}): Promise<Prepared> {
  const url = await postgres.newDatabase()
  const client = await postgres.connect(new URL(url).pathname.slice(1))
  await client.query(`
    DROP TABLE known_addresses;
    DELETE FROM _prisma_migrations WHERE migration_name LIKE '%known_addresses'`)
  if (slow) {
    await client.query(`
      CREATE FUNCTION wait() RETURNS event_trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(2); END';
      CREATE EVENT TRIGGER slow ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION wait()`)
  }
  return {
    url,
    client,
    backends: async like => (await client.query<{ pid: number }>(`
      SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'
        AND (query LIKE $1 OR wait_event = $1)`, [
      like
    ])).rows.map(({ pid }) => pid),
    records: async () =>
      (await client.query("SELECT FROM _prisma_migrations WHERE migration_name LIKE '%known_addresses'")).rowCount!
  }
}

t.test('a migration whose connection PostgreSQL ends is applied by the next run', async (t) => {
  const { url, client, backends, records } = await lacksKnownAddresses({ slow: true })
  const ended = migrate(url)
  let found: number[] = []
  await until(async () => (found = await backends('%known_addresses%')).length === 1, 'the script is under way')
  await client.query('SELECT pg_terminate_backend($1)', [found[0]])
  t.match(await ended, { code: 1, stderr: /^gatehouse: the database could not be migrated: / })
  t.match(await migrate(url), appliedOne)
  t.equal(await records(), 1)
})

t.test('a migration that finishes after its client was cut off is not applied again', async (t) => {
  const { url, backends, records } = await lacksKnownAddresses({ slow: true })
  const way = await startOneSidedCutter(t)
  const ended = migrate(url.replace(`:${postgres.port}/`, `:${way.port}/`))
  await until(async () => (await backends('%known_addresses%')).length === 1, 'the script is under way')
  way.cut()
  t.match(await ended, { code: 1, stderr: /^gatehouse: the database could not be migrated: / })
  t.equal((await backends('%known_addresses%')).length, 1, 'PostgreSQL does not know')
  await until(async () => (await backends('%known_addresses%')).length === 0, 'the script has ended')
  way.tell()
  t.match(await migrate(url), upToDate)
  t.equal(await records(), 1)
})

t.test('a failed migration is tried again by the next run, and says why each time', async (t) => {
  const { url, client, records } = await lacksKnownAddresses()
  await client.query('CREATE TABLE known_addresses (id INT)')
  const failed = { code: 1, stderr: /"known_addresses" already exists/ }
  t.match(await migrate(url), failed)
  t.match(await migrate(url), failed)
  await client.query('DROP TABLE known_addresses')
  t.match(await migrate(url), appliedOne)
  t.equal(await records(), 1)
})

t.test('a migration that waits for a reader blocks no other readers, and is applied after it', async (t) => {
  const { url, client, backends } = await lacksKnownAddresses()
  await client.query(`
    DROP INDEX users_password_cost_idx;
    ALTER TABLE mails DROP COLUMN claimed_until;
    ALTER TABLE users DROP COLUMN pending_reset_token_hash, DROP COLUMN pending_reset_token_expires_at,
      DROP COLUMN pending_reset_token_version;
    DELETE FROM _prisma_migrations WHERE migration_name LIKE '%mails_under_way'`)
  const database = new URL(url).pathname.slice(1)
  const [reader, login] = await Promise.all([postgres.connect(database), postgres.connect(database)])
  await login.query('SET statement_timeout = 900')
  await reader.query('BEGIN')
  await reader.query('LOCK TABLE users IN ACCESS SHARE MODE')
  const ended = migrate(url)
  await until(async () => (await backends('relation')).length > 0, 'it waits for the reader')
  const released = setTimeout(1500).then(() => reader.query('COMMIT'))

  const over = new AbortController()
  const migrated = ended.finally(() => over.abort())
  const took: number[] = []
  while (!over.signal.aborted) {
    // This uses PostgreSQL's clock, so that a busy process here does not matter.
    const { rows } = await login.query<{ ms: number }>(`
      SELECT extract(epoch FROM clock_timestamp() - statement_timestamp())::float8 * 1000 AS ms
      FROM (SELECT count(*) FROM users WHERE username = 'x') AS found`)
    took.push(rows[0]!.ms)
    await setTimeout(20)
  }
  await released
  t.match(await migrated, {
    code: 0, stdout: /^Applied 2 migrations to /, stderr: /^gatehouse: a table is in use by others: [^\n]*\n$/
  })
  t.ok(took.length > 20 && Math.max(...took) > 100, 'some waited')
  t.ok(Math.max(...took) < 400 + 200, `the longest wait was ${Math.round(Math.max(...took))} ms`)
  t.comment(`${took.length} reads, the slowest took ${Math.round(Math.max(...took))} ms`)
})

t.test('a migration that waits for another says so after ten seconds, and the next run applies it', async (t) => {
  const { url, client, records } = await lacksKnownAddresses()
  // Prisma's own lock, which every running migration holds.
  await client.query('SELECT pg_advisory_lock(72707369)')
  t.match(await migrate(url), {
    code: 1,
    stdout: '',
    stderr: 'gatehouse: the database could not be migrated: another migration is running; run this again when it ' +
      'has ended\n'
  })
  t.equal(await records(), 0)
  await client.query('SELECT pg_advisory_unlock_all()')
  t.match(await migrate(url), appliedOne)
  t.equal(await records(), 1)
})

/** A connection to PostgreSQL that can be cut without PostgreSQL noticing it until `tell` is called. */
async function startOneSidedCutter (t: Test): Promise<{ port: number, cut: () => void, tell: () => void }> {
  const [nears, fars]: [Socket[], Socket[]] = [[], []]
  const server = createServer((near) => {
    const far = connect(postgres.port, '127.0.0.1')
    nears.push(near.on('error', () => {}).on('data', bytes => far.write(bytes)))
    fars.push(far.on('error', () => {}).on('data', bytes => near.write(bytes)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const tell = (): void => { for (const far of fars) far.destroy() }
  t.after(() => {
    server.close()
    tell()
  })
  return {
    tell,
    port: (server.address() as AddressInfo).port,
    cut () {
      server.close()
      for (const near of nears) near.destroy()
    }
  }
}

t.end()
