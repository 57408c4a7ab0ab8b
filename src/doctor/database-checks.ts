import { randomUUID } from 'node:crypto'
import type { Config } from '../config/config.js'
import { Connection } from '../database/connection.js'
import { action, note, ok, type Finding } from '../base/finding.js'
import { stateMeanings } from '../health/states.js'
import { pluralize } from '../base/text.js'
import { outboxState, waitingInAll } from '../mail/waiting-mails.js'
import type { PrismaClient } from '../../prisma/client.js'
import { APPLIED, databaseEncoding, migrationNames } from '../database/migrations.js'
import { OWN_COLUMN, tables } from '../database/schema.js'
import type { Checks, Deployment } from './run-checks.js'
import { judgeState, describeState } from './replica-states.js'

/** The maximum size of pg's pool if DATABASE_URL has no connection_limit. */
const POOL_SIZE = 10
/** Each replica opens one more connection for a moment, to see whether it can. */
const PROBES = 1

/** Checks of what replicas do not look at. Replicas themselves report whether PostgreSQL can be used. */
export function databaseChecks ({ db, config, replicas }: Pick<Deployment, 'db' | 'config' | 'replicas'>): Checks {
  if (!db) return { outbox: () => judgeState('outbox', replicas) }
  return {
    'database-schema': () => judgeSchema(db),
    'database-connections': async () => judgeConnections(await limitsOf(db), config, replicas.length),
    'database-writable': () => judgeWritable(db),
    'database-rights': () => judgeRights(db),
    'database-numbers': () => judgeNumbers(db),
    'database-readers': () => judgeReaders(db),
    'database-encoding': () => judgeEncoding(db),
    'database-times': () => judgeTimes(db),
    'database-statements': () => judgeStatements(config),
    outbox: async () => {
      const said = judgeState('outbox', replicas)
      return said.length > 0 ? said : describeState('outbox', outboxState(await waitingInAll(db)))
    }
  }
}

/** A replica only sees whether a table or column is missing. Its role may not have the right to read the record. */
async function judgeSchema (db: PrismaClient): Promise<Finding> {
  const known = migrationNames()
  const applied = await db.$queryRawUnsafe<Array<{ name: string }>>(APPLIED)
    .then(rows => rows.map(({ name }) => name), () => undefined)
  if (!applied) return await judgePlace(db, 'the record of migrations is not this role\'s to read; the tables are')
  const pending = known.filter(name => !applied.includes(name))
  const newer = applied.filter(name => !known.includes(name))
  if (pending.length > 0) {
    const found = `${pluralize(pending.length, 'migration')} not applied: ${pending.join(', ')}`
    return action(found, stateMeanings.database['not migrated'].remedy!)
  }
  if (newer.length > 0) {
    return note(`the database is of a later release (${newer.join(', ')}), for which this one must be suited`)
  }
  return await judgePlace(db, `all ${known.length} migrations are applied`)
}

/** SQL finds a table by the search path, and Prisma's models look in the schema of the table `users`. */
async function judgePlace (db: PrismaClient, found: string): Promise<Finding> {
  const places = await db.$queryRaw<Array<{ schema: string, names: string }>>`
    SELECT relnamespace::regnamespace::text AS schema, string_agg(object, ', ') AS names
    FROM unnest(${tables}::text[]) WITH ORDINALITY AS object (object, place)
      JOIN pg_class ON pg_class.oid = to_regclass(object)
    GROUP BY relnamespace ORDER BY min(place)`
  const [own, ...others] = places
  if (!own) return noTables
  if (others.length === 0) return ok(`${found}, in the schema ${own.schema}`)
  const strays = others.map(({ schema, names }) => `${names} in ${schema}`).join('; ')
  return action(`the search path leads to ${strays}, and the tables of the service are in ${own.schema}`,
    `add schema=${own.schema} to DATABASE_URL`)
}

/**
 * The lowest limit of connections: how many are `free` for the service, `who` sets it, and the command that raises it.
 */
interface Limit { free: number, who: string, remedy: string }

async function limitsOf (db: PrismaClient): Promise<Limit> {
  const limits = await db.$queryRaw<Limit[]>`
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) AS free,
      'PostgreSQL' AS who, 'raise max_connections and restart PostgreSQL' AS remedy
    UNION ALL
    SELECT datconnlimit, 'the database', format('ALTER DATABASE %I CONNECTION LIMIT -1', datname)
    FROM pg_database WHERE datname = current_database() AND datconnlimit >= 0
    UNION ALL
    SELECT rolconnlimit, 'the role', format('ALTER ROLE %I CONNECTION LIMIT -1', rolname)
    FROM pg_roles WHERE rolname = session_user AND rolconnlimit >= 0 AND NOT rolsuper
    ORDER BY free LIMIT 1`
  return limits[0]!
}

function judgeConnections ({ free, who, remedy: raise }: Limit, { databaseUrl }: Config, replicas: number): Finding {
  if (databaseUrl?.pooled) return ok('a pooler shares its connections among the replicas: its own limits count')
  const each = (databaseUrl?.server.max ?? POOL_SIZE) + PROBES
  if (replicas === 0) {
    return note(`enough for ${Math.floor(free / each)} replicas of ${each} connections; how many run is unknown`)
  }
  const found = `${pluralize(replicas, 'replica')} may open ${replicas * each} connections, and ${who} takes ${free}`
  const remedy = `${raise}, or set connection_limit in DATABASE_URL`
  if (replicas * each > free) return action(`${found}: under load logins fail with 503`, remedy)
  if (2 * replicas * each > free) return note(`${found}: not enough for a release, when twice as many run`, remedy)
  return ok(found)
}

/** How many are asked at once, each over a connection of its own if DATABASE_URL permits so many. */
const ASKED = 8

/** A balancer sends functions that might write to the primary. A setting is read wherever a query would be. */
async function judgeWritable (db: PrismaClient): Promise<Finding> {
  const asked = await Promise.all(Array.from({ length: ASKED }, () => db.$queryRaw<Array<{ standby: boolean }>>`
    SELECT coalesce(current_setting('in_hot_standby', true) = 'on', false) AS standby`))
  const lagging = asked.filter(([row]) => row!.standby).length
  if (lagging === 0) return ok('every connection leads to the primary')
  return action(`${lagging} of ${ASKED} connections lead to a standby, which may be behind: a password or token of ` +
    'before is accepted, and a new one is not', 'let DATABASE_URL name the primary alone, or switch off the load ' +
    'balancing of what is in between (pgpool: load_balance_mode = off)')
}

/** PostgreSQL leaves a schema out of the search path that the role may not use. */
const noTables = note('unknown: no table is found, by the search path of this role', 'see database and database-rights')

async function hasTables (db: PrismaClient): Promise<boolean> {
  const [row] = await db.$queryRaw<Array<{ found: number }>>`
    SELECT count(to_regclass(object))::int AS found FROM unnest(${tables}::text[]) AS object`
  return row!.found === tables.length
}

async function judgeRights (db: PrismaClient): Promise<Finding> {
  const lacking = await db.$queryRaw<Array<{ role: string, object: string, rights: string }>>`
    SELECT quote_ident(current_user) AS role, object, string_agg(privilege, ', ' ORDER BY place) AS rights
    FROM unnest(${tables}::text[]) AS object,
      unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) WITH ORDINALITY AS needed (privilege, place)
    WHERE NOT has_table_privilege(to_regclass(object), privilege) GROUP BY object
    UNION ALL
    SELECT quote_ident(current_user), 'SEQUENCE users_id_seq', 'USAGE'
    WHERE NOT has_sequence_privilege(to_regclass('users_id_seq'), 'USAGE')
    UNION ALL
    SELECT DISTINCT quote_ident(current_user), 'SCHEMA ' || relnamespace::regnamespace, 'USAGE'
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relname = 'users' AND attname = ${OWN_COLUMN} AND NOT has_schema_privilege(relnamespace, 'USAGE')
    ORDER BY object`
  const [first] = lacking
  if (!first) return await hasTables(db) ? ok('the role may read and write every table') : noTables
  const { role } = first
  return action(
    `the role ${role} lacks ${lacking.map(({ object, rights }) => `${rights} on ${object}`).join('; ')}`,
    `as the owner: ${lacking.map(({ object, rights }) => `GRANT ${rights} ON ${object} TO ${role}`).join('; ')}`
  )
}

/**
 * The sequence is behind after a logical replication, or a restore of rows without it. The number of a user who was
 * deleted today must not be given again either.
 */
async function judgeNumbers (db: PrismaClient): Promise<Finding> {
  const [numbers] = await db.$queryRaw<Array<{ last: number, highest: number }>>`
    SELECT COALESCE(pg_sequence_last_value('users_id_seq'), 0)::int AS last, COALESCE(greatest(
      (SELECT max(id) FROM users), (SELECT max(id) FROM deleted_users)), 0) AS highest`
  const { last, highest } = numbers!
  return last >= highest
    ? ok('the sequence of user numbers is not behind the accounts')
    : action(`the sequence of user numbers is at ${last}, and accounts have them up to ${highest}: creations fail ` +
      'with 503, or get the number of who was deleted', 'as the owner: SELECT setval(\'users_id_seq\', greatest(' +
      '(SELECT max(id) FROM users), (SELECT max(id) FROM deleted_users)))')
}

/** Only the service may read the hashes of passwords, and no row may be hidden from it. */
async function judgeReaders (db: PrismaClient): Promise<Finding> {
  const [row] = await db.$queryRaw<Array<{ role: string, isOwner: boolean, readers: string[], hidden: string[] }>>`
    SELECT quote_ident(current_user) AS role, pg_has_role(relowner, 'USAGE') AS "isOwner",
      ARRAY(
        SELECT quote_ident(rolname) FROM pg_roles
        WHERE has_column_privilege(pg_roles.oid, pg_class.oid, 'password_hash', 'SELECT') AND rolname !~ '^pg_'
          AND NOT rolsuper AND NOT pg_has_role(pg_roles.oid, relowner, 'MEMBER')
          AND NOT pg_has_role(pg_roles.oid, 'pg_read_all_data', 'MEMBER') AND NOT pg_has_role(pg_roles.oid, 'MEMBER')
        ORDER BY 1
      ) AS readers,
      ARRAY(
        SELECT object FROM unnest(${tables}::text[]) AS object
        WHERE row_security_active(to_regclass(object)) AND NOT EXISTS (
          SELECT FROM pg_policy WHERE polrelid = to_regclass(object) AND polpermissive AND polcmd = '*'
            AND pg_get_expr(polqual, polrelid) = 'true'
            AND (polroles = '{0}' OR EXISTS (SELECT FROM unnest(polroles) AS of WHERE pg_has_role(of, 'MEMBER')))
        )
      ) AS hidden
    FROM pg_class WHERE oid = to_regclass('users')`
  if (!row) return noTables
  const { role, isOwner, readers, hidden } = row
  if (hidden.length > 0) {
    return action(`row-level security hides rows of ${hidden.join(', ')} from the role ${role}: logins are 401`,
      `as the owner: ${hidden.map(name => `ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`).join('; ')}`)
  }
  if (readers.length === 0) return ok('no other role may read the hashes of passwords')
  const found = `other roles may read the hashes of passwords: ${readers.join(', ')}`
  const remedy = `as the owner: REVOKE ALL ON ${tables.join(', ')} FROM PUBLIC, ${readers.join(', ')}`
  return isOwner ? note(`${found}; one of them may be the service's`, remedy) : action(found, remedy)
}

async function judgeEncoding (db: PrismaClient): Promise<Finding> {
  const encoding = await databaseEncoding(db)
  return encoding === 'UTF8'
    ? ok('the database is UTF-8')
    : action(`the database is ${encoding}: names in other scripts are errors`, 'create one with ENCODING \'UTF8\' ' +
      'TEMPLATE template0, and restore a dump there')
}

/** A setting of the connection. A pooler in between may ignore it. */
async function judgeTimes (db: PrismaClient): Promise<Finding> {
  const [row] = await db.$queryRaw<Array<{ role: string, zone: string, style: string }>>`
    SELECT quote_ident(session_user) AS role, current_setting('TimeZone') AS zone,
      current_setting('DateStyle') AS style`
  const { role, zone, style } = row!
  if (/^((Etc\/)?(UTC|GMT|UCT)|Zulu)$/i.test(zone) && style.startsWith('ISO')) return ok('times are read as UTC')
  return action(`times are wrong: TimeZone is ${zone} and DateStyle ${style}, although each connection begins with ` +
    'UTC and ISO. A pooler in between does not pass them on',
  `ALTER ROLE ${role} SET TimeZone = 'UTC'; ALTER ROLE ${role} SET DateStyle = 'ISO, MDY'`)
}

/**
 * A pooler in transaction mode may give a named statement to a server connection that does not know it. Two connections
 * of ours show that. A pooler that prefers idle connections gives both the same one. A pooler that takes them in turn
 * gives the first of ours another one for its second query.
 */
async function judgeStatements ({ databaseUrl }: Config): Promise<Finding> {
  if (!databaseUrl || databaseUrl.pooled) return ok('statements have no names')
  const pair = [new Connection(databaseUrl.server), new Connection(databaseUrl.server)] as const
  try {
    for (const connection of pair) await connection.on('error', () => {}).connect()
    return await judgePair(pair)
  } finally {
    await Promise.allSettled(pair.map(connection => connection.end()))
  }
}

async function judgePair (pair: readonly [Connection, Connection]): Promise<Finding> {
  const name = `doctor_${randomUUID()}`
  try {
    for (const one of [0, 0, 1, 0, 1, 1] as const) await pair[one].query({ name, text: 'SELECT 1' })
    return ok('a prepared statement works over two connections')
  } catch (error) {
    return action(`a prepared statement fails the second time: ${(error as Error).message}`,
      'add pgbouncer=true to DATABASE_URL if a pooler is in between')
  }
}
