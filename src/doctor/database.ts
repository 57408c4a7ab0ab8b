import bcrypt from 'bcrypt'
import { EMAIL } from '../auth/rules.js'
import type { Config } from '../config/config.js'
import { demoAccounts } from '../database/demo-accounts.js'
import { waitingInAll } from '../auth/waiting-mails.js'
import type { PrismaClient } from '../generated/prisma/client.js'
import { encodingOf, migrationNames } from '../database/migrations.js'
import { hasSchema, tables } from '../database/schema.js'
import type { Replica } from '../limiter/fleet/replicas.js'
import { action, count, duration, note, ok, type Checks, type Result } from './check.js'
import { viewsOf } from './replicas.js'

/** The maximum size of pg's pool if DATABASE_URL has no connection_limit. */
const POOL_SIZE = 10
/** Each replica opens one more connection for a moment, to see whether it can. */
const PROBES = 1
/** A due mail is normally claimed within seconds. A mail that waits this long is late. */
const LATE_SECONDS = 300
const MIGRATE = 'npx gatehouse migrate (docker compose run --rm migrate)'

/** @param replicas what is known of those that run; empty if nothing is */
export function databaseChecks (db: PrismaClient, config: Config, replicas: Promise<Replica[]>): Checks {
  return {
    'database-schema': () => judgeSchema(db),
    'database-connections': async () => judgeConnections(await limitsOf(db), config, (await replicas).length),
    'database-writable': () => judgeWritable(db),
    'database-rights': () => judgeRights(db),
    'database-encoding': () => judgeEncoding(db),
    'database-statements': () => judgeStatements(db),
    outbox: async () => {
      const unreadable = viewsOf(await replicas, 'outbox', ['unreadable'])
      const remedyOf = (view: string): string => 'search their logs for outbox_unavailable; ' +
        (/42501|permission denied/.test(view)
          ? 'database-rights names the right that the role lacks'
          : 'pg_blocking_pids names who locks the table')
      return [await judgeOutbox(db), ...unreadable.map(view => action(view, remedyOf(view)))]
    },
    'user-creation': () => judgeUserCreation(config),
    'account-logins': () => judgeLogins(db),
    'demo-accounts': () => judgeDemoAccounts(db, config)
  }
}

/**
 * The service's role may not have the right to read the table of migrations. Then the service's own tables are checked.
 */
async function judgeSchema (db: PrismaClient): Promise<Result> {
  const applied = await db.$queryRaw<Array<{ name: string }>>`
    SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`
    .then(rows => rows.map(({ name }) => name), () => undefined)
  if (!applied) return await judgeTables(db)
  const known = migrationNames()
  const pending = known.filter(name => !applied.includes(name))
  const newer = applied.filter(name => !known.includes(name))
  if (pending.length > 0) {
    return action(`${count(pending.length, 'migration')} not applied: ${pending.join(', ')}`, MIGRATE)
  }
  if (newer.length > 0) {
    return note(`the database is of a later release (${newer.join(', ')}), for which this one must be suited`)
  }
  return await judgePlace(db, `all ${known.length} migrations are applied`)
}

/** SQL finds a table by the search path, and Prisma's models look in the schema of the table `users`. */
async function judgePlace (db: PrismaClient, found: string): Promise<Result> {
  const places = await db.$queryRaw<Array<{ schema: string, names: string }>>`
    SELECT relnamespace::regnamespace::text AS schema, string_agg(object, ', ') AS names
    FROM unnest(${tables}::text[]) WITH ORDINALITY AS object (object, place)
      JOIN pg_class ON pg_class.oid = to_regclass(object)
    GROUP BY relnamespace ORDER BY min(place)`
  const [own, ...others] = places
  if (others.length === 0) return ok(`${found}, in the schema ${own?.schema}`)
  const strays = others.map(({ schema, names }) => `${names} in ${schema}`).join('; ')
  return action(`the search path leads to ${strays}, and the tables of the service are in ${own!.schema}`,
    `add schema=${own!.schema} to DATABASE_URL`)
}

async function judgeTables (db: PrismaClient): Promise<Result> {
  return await hasSchema(db)
    ? await judgePlace(
      db, 'every table has the columns of this release (the record of migrations is not this role\'s to read)'
    )
    : action('the database\'s schema is not this release\'s: a table or column is missing', MIGRATE)
}

interface Limits { max: number, reserved: number }

async function limitsOf (db: PrismaClient): Promise<Limits> {
  const [limits] = await db.$queryRaw<Limits[]>`
    SELECT current_setting('max_connections')::int AS max,
      current_setting('superuser_reserved_connections')::int AS reserved`
  return limits!
}

function judgeConnections ({ max, reserved }: Limits, { databaseUrl }: Config, replicas: number): Result {
  const ofEach = (databaseUrl?.server.max ?? POOL_SIZE) + PROBES
  const free = max - reserved
  if (replicas === 0) {
    return note(`enough for ${Math.floor(free / ofEach)} replicas of ${ofEach} connections; how many run is unknown`)
  }
  const found = `${count(replicas, 'replica')} may open ${replicas * ofEach} connections, and PostgreSQL takes ${free}`
  const remedy = 'raise max_connections and restart PostgreSQL, or set connection_limit in DATABASE_URL'
  if (replicas * ofEach > free) return action(`${found}: under load logins fail with 503`, remedy)
  if (2 * replicas * ofEach > free) return note(`${found}: not enough for a release, when twice as many run`, remedy)
  return ok(found)
}

async function judgeWritable (db: PrismaClient): Promise<Result> {
  const [server] = await db.$queryRaw<Array<{ standby: boolean, readOnly: boolean }>>`
    SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only')::bool AS "readOnly"`
  const { standby, readOnly } = server!
  if (standby) {
    return action('it is a standby, which writes nothing: creations and resets fail with 503',
      'let DATABASE_URL name the primary')
  }
  return readOnly
    ? action('it is read-only for this role: creations and resets fail with 503', 'ALTER ROLE … SET ' +
      'default_transaction_read_only = off, or the same for the database')
    : ok('it is the primary, and can be written')
}

async function judgeRights (db: PrismaClient): Promise<Result> {
  const lacking = await db.$queryRaw<Array<{ role: string, object: string, rights: string }>>`
    SELECT quote_ident(current_user) AS role, object, string_agg(privilege, ', ' ORDER BY place) AS rights
    FROM unnest(${tables}::text[]) AS object,
      unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) WITH ORDINALITY AS needed (privilege, place)
    WHERE NOT has_table_privilege(to_regclass(object), privilege) GROUP BY object
    UNION ALL
    SELECT quote_ident(current_user), 'SEQUENCE users_id_seq', 'USAGE'
    WHERE NOT has_sequence_privilege(to_regclass('users_id_seq'), 'USAGE')
    ORDER BY object`
  if (lacking.length === 0) return ok('the role may read and write every table')
  const { role } = lacking[0]!
  return action(
    `the role ${role} lacks ${lacking.map(({ object, rights }) => `${rights} on ${object}`).join('; ')}`,
    `as the owner: ${lacking.map(({ object, rights }) => `GRANT ${rights} ON ${object} TO ${role}`).join('; ')}`
  )
}

async function judgeEncoding (db: PrismaClient): Promise<Result> {
  const encoding = await encodingOf(db)
  return encoding === 'UTF8'
    ? ok('the database is UTF-8')
    : action(`the database is ${encoding}: names in other scripts are errors`, 'create one with ENCODING \'UTF8\' ' +
      'TEMPLATE template0, and restore a dump there')
}

/** A pooler in transaction mode may give a named statement to another connection. Two at once use two of them. */
async function judgeStatements (db: PrismaClient): Promise<Result> {
  const twice = (): Promise<unknown> => Promise.all([db.user.findFirst(), db.user.findFirst()])
  // A query that also fails alone has another reason.
  await db.user.findFirst()
  try {
    await twice()
    await twice()
    return ok('a prepared statement works twice over two connections')
  } catch (error) {
    return action(`a prepared statement fails the second time: ${(error as Error).message}`,
      'add pgbouncer=true to DATABASE_URL if a pooler is in between')
  }
}

function judgeUserCreation ({ production, userCreation }: Config): Result {
  return production && userCreation === 'open'
    ? note('USER_CREATION is open: anyone may create users of the lowest role', 'set it to admin, unless you want that')
    : ok(`USER_CREATION is ${userCreation}`)
}

/**
 * EMAIL without its long repetitions, which cost PostgreSQL thirty times as much. No text of at most 64 characters
 * exceeds them.
 */
const SHORT_EMAIL = EMAIL.replace('{1,64}', '+').replaceAll('{0,61}', '*')

/** As src/auth/passwords.ts and src/auth/username.ts have it, at a cost that allows for very many accounts. */
async function judgeLogins (db: PrismaClient): Promise<Result> {
  const [unable] = await db.$queryRaw<Array<{ hashes: number, names: number, emails: number }>>`
    SELECT count(*) FILTER (WHERE password_hash !~
        '^([{]bcrypt[}])?[$]2[aby][$](0[4-9]|1[0-6])[$][./A-Za-z0-9]*$'
        OR length(replace(password_hash, '{bcrypt}', '')) <> 60)::int AS hashes,
      count(*) FILTER (WHERE username <> lower(normalize(username, NFKC)))::int AS names,
      count(*) FILTER (WHERE email <> lower(email)
        OR ((length(email) > 64 OR email !~ ${SHORT_EMAIL}) AND email !~ ${EMAIL}))::int AS emails
    FROM users WHERE disabled_at IS NULL`
  const { hashes, names, emails } = unable!
  if (hashes + names + emails === 0) return ok('every account that is not disabled can log in')
  return action(`${count(hashes, 'account')} with a hash that is not bcrypt's, ${names} with a name that is not in ` +
    `lower case (NFKC): they can never log in; ${emails} with an email that is no ASCII address in lower case: ` +
    'resets by it send no mail', 'gatehouse users set-password USER; UPDATE users SET username = ' +
    'lower(normalize(username, NFKC)), email = lower(email)')
}

async function judgeOutbox (db: PrismaClient): Promise<Result> {
  const { mails, failed, cause, nextTrySeconds, oldestSeconds } = await waitingInAll(db)
  if (mails === 0) return ok('no mail waits')
  const found = `${count(mails, 'mail')} waiting, the oldest for ${duration(oldestSeconds * 1000)}`
  if (failed > 0) {
    const nextTry = nextTrySeconds > 0 ? `in ${duration(nextTrySeconds * 1000)}` : 'now'
    return action(`${found}. ${failed} not sent yet: ${cause}. The next try is ${nextTry}`,
      'see gatehouse mails list; repair the mail server, then: gatehouse mails retry')
  }
  return oldestSeconds >= LATE_SECONDS
    ? action(`${found} without an attempt: no replica works`, 'start one, or search its log for outbox_unavailable')
    : ok(found)
}

async function judgeDemoAccounts (db: PrismaClient, { production }: Config): Promise<Result> {
  const users = await db.user.findMany({
    where: { username: { in: demoAccounts.map(({ username }) => username) }, disabledAt: null },
    select: { username: true, passwordHash: true }
  })
  const open = []
  for (const { username, password } of demoAccounts) {
    const hash = users.find(user => user.username === username)?.passwordHash
    if (hash && await bcrypt.compare(password, hash)) open.push(username)
  }
  if (open.length === 0) return ok('no account has a password of the README')
  const found = `${open.join(' and ')}: anyone knows the password, from the README`
  const remedy = open.map(username => `gatehouse users disable ${username}`).join('; ')
  return production ? action(found, remedy) : note(found, remedy)
}
