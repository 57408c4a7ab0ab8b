import bcrypt from 'bcrypt'
import type pg from 'pg'
import { PASSWORD, statusOf } from './clients.js'
import { roleOfService } from './database.js'
import type { Fleet } from './fleet.js'
import type { Rehearsal } from './rehearsal.js'

/** Entries of "PostgreSQL" and "Slow failed logins". */
const nobodyLogsIn = async (fleet: Fleet): Promise<boolean> => await statusOf(fleet.logIn()) !== 200

const databaseStates = async ({ replicas }: Fleet): Promise<string[]> => await Promise.all(replicas.map(
  async ({ opsUrl }) => (await (await fetch(`${opsUrl}/readyz`)).json() as { database: string }).database))

const isAnywhere = (...states: string[]) => async (fleet: Fleet): Promise<boolean> =>
  (await databaseStates(fleet)).some(state => states.includes(state))

/** The first session that a command of the entry printed. */
const pidIn = (output: string): Record<string, string> => ({ PID: /^(\d+) \| /m.exec(output)?.[1] ?? 'PID' })

export const postgres: Rehearsal[] = [
  {
    name: 'postgres-frozen',
    entry: 'Logins 503 with `Retry-After`; `/readyz` 503',
    alert: 'GatehouseDatabaseUnreachable',
    critical: true,
    stagedBy: 'SIGSTOP to PostgreSQL',
    stage: async ({ postgres }) => postgres.pause(),
    lasts: nobodyLogsIn,
    logs: ['database_unavailable'],
    finds: { database: /unreachable/ },
    answers: [503],
    cure: ['docker compose restart postgres'],
    recovers: 'within 5 s after it answers'
  },
  {
    name: 'postgres-down',
    entry: 'Logins 503 with `Retry-After`; `/readyz` 503',
    stagedBy: 'SIGINT to PostgreSQL',
    stage: ({ postgres }) => postgres.stop(),
    lasts: nobodyLogsIn,
    logs: ['database_unavailable'],
    finds: { database: /unreachable/ },
    answers: [503],
    cure: ['docker compose up --detach --wait postgres'],
    recovers: 'within 5 s after it answers'
  },
  {
    name: 'postgres-no-new-connections',
    entry: 'Old connections of PostgreSQL work, new ones hang',
    alert: 'GatehouseDatabaseUnreachable',
    critical: true,
    stagedBy: 'a network in which new connections hang',
    stage: async ({ databaseNetwork }) => { databaseNetwork.mute = true },
    lasts: isAnywhere('no new connections', 'unreachable'),
    logs: ['database_unavailable'],
    finds: { database: /no new connections|unreachable/ },
    answers: [503],
    cure: [{
      words: 'Repair what drops connections',
      async act ({ databaseNetwork }) { databaseNetwork.mute = false }
    }],
    recovers: 'within 5 s'
  },
  {
    name: 'postgres-too-many-clients',
    entry: '`too many clients already`',
    stagedBy: 'an application that opens connections and keeps them',
    stage: takeAllConnections,
    lasts: isAnywhere('no new connections', 'unreachable'),
    logs: ['database_unavailable'],
    finds: { database: /too many clients|remaining connection slots/ },
    answers: [503],
    shows: { 'SELECT usename, client_addr, count': /^erp \| .* \| \d\d/ },
    cure: ['ALTER ROLE USER CONNECTION LIMIT 20', 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity'],
    values: () => ({ USER: 'erp' }),
    recovers: 'within 5 s'
  },
  {
    name: 'postgres-table-locked',
    entry: 'Logins 503, `/readyz` 200',
    critical: true,
    stagedBy: 'LOCK TABLE users, mails in a transaction that stays open',
    stage: fleet => holdOpen(fleet, 'LOCK TABLE users, mails'),
    lasts: nobodyLogsIn,
    logs: ['revocations_unavailable', 'outbox_unavailable'],
    answers: [503],
    shows: { 'SELECT pid, usename, state': /LOCK TABLE users/ },
    cure: ['SELECT pg_terminate_backend(PID)'],
    values: pidIn,
    recovers: 'within 2 s'
  },
  {
    name: 'postgres-right-lacks',
    entry: '`permission denied for table` (42501) in the log',
    stagedBy: 'REVOKE INSERT, UPDATE ON sessions',
    stage: ({ sql }) => sql('REVOKE INSERT, UPDATE ON sessions FROM gatehouse'),
    lasts: nobodyRefreshes,
    logs: ['known_addresses_unavailable'],
    finds: { 'database-rights': /INSERT, UPDATE on sessions -> .*: GRANT INSERT, UPDATE ON sessions TO gatehouse$/ },
    cure: ['GRANT INSERT, UPDATE ON sessions TO gatehouse'],
    recovers: 'within 5 s'
  },
  {
    name: 'postgres-not-migrated',
    entry: '`/readyz` 503, `database: not migrated`',
    stagedBy: 'a replica of a database without tables',
    async stage (fleet) {
      await fleet.sql('CREATE DATABASE fresh TEMPLATE template0')
      const fresh = (url: string): string => url.replace(/\/gatehouse$/, '/fresh')
      fleet.environment.OWNER_DATABASE_URL = fresh(fleet.postgres.ownerUrl)
      const owner = await fleet.postgres.connect(fresh(fleet.postgres.ownerUrl))
      for (const statement of roleOfService().filter(one => one.includes('PRIVILEGES'))) await owner.query(statement)
      await owner.end()
      await fleet.restart(fleet.replicas[2]!, { DATABASE_URL: fresh(fleet.environment.DATABASE_URL!) })
    },
    lasts: isAnywhere('not migrated'),
    logs: ['schema_missing'],
    // Nobody has an account in that database.
    answers: [401, 503],
    cure: ['docker compose run --rm migrate'],
    recovers: 'within 5 s',
    after: [{
      words: '`schema_missing` in the log',
      async act ({ environment, restart, replicas }) {
        delete environment.OWNER_DATABASE_URL
        await restart(replicas[2]!)
      }
    }]
  },
  {
    name: 'postgres-schema-old',
    entry: '500 or 503, and `does not exist` in the log',
    stagedBy: 'a table of one migration is dropped',
    stage: takeBackMigration,
    lasts: isPending,
    logs: ['revocations_unavailable'],
    finds: { database: /lacks a table or column/ },
    answers: [500, 503],
    cure: ['docker compose run --rm migrate'],
    recovers: 'within 5 s'
  },
  {
    name: 'migrate-table-in-use',
    entry: '`migrate` says `a table is in use by others`',
    stagedBy: 'a transaction that changes a user and stays open',
    async stage (fleet) {
      await takeBackMigration(fleet)
      await holdOpen(fleet, 'UPDATE users SET email = email WHERE username = \'pupil.18\'')
      fleet.shell('docker compose run --rm migrate').catch(() => {})
    },
    lasts: isPending,
    answers: [500, 503],
    shows: { 'SELECT pid, usename, xact_start': /UPDATE users/ },
    cure: ['SELECT pg_terminate_backend(PID)'],
    values: pidIn,
    recovers: 'within 5 s'
  },
  {
    name: 'migrate-another',
    entry: '`migrate` says `another migration is running`',
    stagedBy: 'a connection that holds the lock of migrations',
    stage: fleet => holdOpen(fleet, 'SELECT pg_advisory_lock(72707369)'),
    lasts: async ({ sql }) => (await sql('SELECT pg_try_advisory_lock(72707369) AS free'))[0]!.free === false,
    cure: ['SELECT pg_terminate_backend(pid) FROM pg_locks'],
    recovers: 'within 2 s',
    after: ['docker compose run --rm migrate']
  },
  {
    name: 'postgres-read-only',
    entry: 'A read-only database',
    stagedBy: 'ALTER SYSTEM SET default_transaction_read_only',
    async stage ({ sql }) {
      await sql('ALTER SYSTEM SET default_transaction_read_only = on')
      await sql('SELECT pg_reload_conf()')
    },
    lasts: isAnywhere('read-only'),
    logs: ['database_read_only'],
    finds: { database: /read-only/ },
    cure: ['ALTER SYSTEM RESET default_transaction_read_only', 'SELECT pg_reload_conf()'],
    recovers: 'within 5 s'
  },
  {
    name: 'hash-costs',
    entry: 'Slow failed logins',
    stagedBy: 'an unused account with a hash of the cost 14',
    stage: async ({ sql }) =>
      sql(`UPDATE users SET password_hash = '${await bcrypt.hash(PASSWORD, 14)}' WHERE username = 'pupil.19'`),
    lasts: failedLoginsAreSlow,
    logs: ['hash_costs_high'],
    shows: { 'SELECT username FROM users': /^pupil\.19$/m },
    cure: ['gatehouse users disable', 'UPDATE users SET password_hash = NULL'],
    values: () => ({ USER: 'pupil.19' }),
    recovers: 'within 15 s'
  }
]

async function nobodyRefreshes ({ ask, tokenOf }: Fleet): Promise<boolean> {
  const headers = { authorization: `Bearer ${await tokenOf()}` }
  return await statusOf(ask('/api/auth/refresh', { method: 'POST', headers })) !== 200
}

/** A transaction in a session of somebody else, who does nothing more. */
async function holdOpen ({ postgres, t }: Fleet, statement: string): Promise<void> {
  const session = await postgres.connect()
  await session.query('BEGIN')
  await session.query(statement)
  t.after(() => session.end())
}

async function takeAllConnections ({ postgres, sql, databaseNetwork, t }: Fleet): Promise<void> {
  await sql('CREATE ROLE erp LOGIN PASSWORD \'gatehouse\'')
  const url = postgres.url.replace('//gatehouse:', '//erp:')
  const open: pg.Client[] = []
  t.after(() => Promise.all(open.map(client => client.end())))
  try {
    for (;;) open.push(await postgres.connect(url))
  } catch {
    databaseNetwork.tear()
    // What the replicas had is taken as well, before they have it again.
    for (let i = 0; i < 40; i++) await postgres.connect(url).then(client => open.push(client), () => {})
  }
}

async function takeBackMigration ({ sql }: Fleet): Promise<void> {
  await sql('DROP TABLE IF EXISTS known_addresses')
  await sql('DELETE FROM _prisma_migrations WHERE migration_name LIKE \'%known_addresses\'')
}

async function isPending ({ sql }: Fleet): Promise<boolean> {
  return (await sql('SELECT FROM _prisma_migrations WHERE migration_name LIKE \'%known_addresses\'')).length === 0
}

async function failedLoginsAreSlow (fleet: Fleet): Promise<boolean> {
  const startedMs = performance.now()
  await statusOf(fleet.logIn({ username: 'nobody', password: 'wrong horse' }))
  return performance.now() - startedMs > 600
}
