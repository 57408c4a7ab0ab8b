// DATABASE_URL means to pg and to Prisma what it says, TLS and schema included, and a fault is named without the
// password.

import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parseDatabaseUrl } from '#src/database/database-url.js'
import { openDatabase, type Database } from '#src/database/database.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { noOpenssl } from '../fixtures/openssl.js'
import { noPgbouncer, startPgbouncer } from '../fixtures/pgbouncer.js'
import { startPostgres, type Postgres } from '../fixtures/postgres.js'
import { newDatabase } from '../fixtures/shared-postgres.js'

const files = newDirectory(t, { 'empty.pem': '' })
const file = (name: string): string => join(files, name)
/** A server that offers TLS, unless openssl is absent. That of the other test files does not. */
const postgres = await startPostgres(t)
if (!noOpenssl) await switchTlsOn(postgres)

t.test('every part of a URL reaches pg as written, decoded once', async (t) => {
  t.same(parseDatabaseUrl('postgresql://asha:secret@db/school'), {
    server: {
      host: 'db',
      port: 5432,
      user: 'asha',
      password: 'secret',
      database: 'school',
      ssl: false,
      sslnegotiation: undefined,
      enableChannelBinding: false,
      application_name: 'gatehouse',
      max: undefined,
      options: ''
    },
    schema: undefined,
    pooled: false,
    unused: []
  })
  t.match(parseDatabaseUrl('postgres://u:p%23%2F%3F%40%3A%25%20:,w@[2001:db8::1]:6000/a%20b'), {
    server: { host: '2001:db8::1', port: 6000, user: 'u', password: 'p#/?@:% :,w', database: 'a b' }
  })
  t.match(parseDatabaseUrl('postgresql://u@h/d?schema=School_1&application_name=a%26b&connection_limit=3'), {
    server: { max: 3, application_name: 'a&b', options: ' -c search_path="School_1"' }, schema: 'School_1'
  })
  for (const url of [
    'postgresql://u@/d?host=/run/pg', 'postgresql://u@localhost/d?host=%2Frun%2Fpg', 'postgresql://u@%2Frun%2Fpg/d'
  ]) {
    t.match(parseDatabaseUrl(url).server, { host: '/run/pg', port: 5432, ssl: false }, url)
  }
})

const faults: Array<[url: string, message: RegExp]> = [
  ['', /must look like postgresql:\/\/user:password@host:5432\/database/],
  ['postgresql://h/d', /must look like postgresql:/],
  ['postgresql://u:geheim@/d', /must look like postgresql:/],
  ['postgresql://u:geheim@a:1,b:2/d', /with one host, which leads to the primary/],
  ['postgresql://u:geheim@/d?host=/a,/b', /with one host, which leads to the primary/],
  ['jdbc:postgresql://h/d?user=u&password=geheim', /must look like postgresql:/],
  ['host=h port=5432 dbname=d user=u password=geheim sslmode=require', /must look like postgresql:/],
  ['postgresql://u@h/d?gssencmode=require', /gssencmode, which must be disable or prefer/],
  ['postgresql://u@h/d?pgbouncer=yes', /pgbouncer, which must be true or false/],
  ['postgresql://u@h/d?pgbouncer=true&schema=a', /passes on no schema .*ALTER ROLE/],
  ['postgresql://u@h/d?target_session_attrs=prefer-standby', /_attrs, which must be read-write, .* primary/],
  ['postgresql://u@h/d?sslmode=disable&sslrootcert=system', /need TLS, but no sslmode: add sslmode=verify-full/],
  ['postgresql://u@h/d?sslnegotiation=direct', /need TLS, but no sslmode/],
  ['postgresql://u:gehe#im@h/d', /has a # .* in a user or password write it as %23/],
  ['postgresql://u:gehe/im@h/d', /has a \/ .* in a user or password write it as %2F/],
  ['postgresql://u:gehe?im@h/d', /has a \? .* in a user or password write it as %3F/],
  ['postgresql://u:gehe im@h/d', /has a space .* in a user or password write it as %20/],
  ['postgresql://u:p@ss@geheim@h:99999/d', /has a @ .* in a user or password write it as %40/],
  ['postgresql://u:geheim%@h/d', /write % as %25/],
  ['postgresql://u:geheim@h:65536/d', /must look like postgresql:/],
  ['postgresql://u:geheim@::1/d', /An IPv6 address stands in brackets/],
  ['postgresql://u:geheim@h/d ', /has a space .* write it as %20/],
  ['postgresql://u:geheim@h/d#x', /has a # .* write it as %23/],
  ['postgresql://u@h/d?sslmod=require', /the unknown parameter sslmod: there are sslmode, /],
  ['postgresql://u@h/d?schema=', /schema, which must be of letters/],
  ['postgresql://u@h/d?schema=a&schema=b', /the parameter schema twice/],
  ['postgresql://u@h/d?channel_binding=require', /need TLS, but no sslmode: add sslmode=verify-full/],
  ['postgresql://u@h/d?connection_limit=0', /connection_limit, which must be a whole number/],
  ['postgresql://u@h/d?host=other', /the folder of a Unix socket; the name of a host stands before the path/],
  ['postgresql://u@h/d?host=/run/pg', /the name of a host before the path: write one of both/],
  ['postgresql://u@h/d?sslmode=prefer', /sslmode, which must be disable, require, verify-ca or verify-full/],
  ['postgresql://u@h/d?sslmode=disable&ssl=true', /the parameter sslmode twice/],
  [`postgresql://u@h/d?sslrootcert=${file('ca.crt')}`, /need TLS, but no sslmode/],
  ['postgresql://u@h/d?sslmode=verify-ca', /verify-ca requires specifying a CA with sslrootcert/],
  ['postgresql://u@h/d?sslmode=verify-full&sslrootcert=no/such.crt', /TLS cannot be used: .*no\/such\.crt/],
  [`postgresql://u@h/d?sslmode=verify-full&sslrootcert=${file('empty.pem')}`, /TLS cannot be used: .* no certificate/]
]

t.test('an error names the fault of a URL and the escape to write, and never the password', async (t) => {
  for (const [url, message] of faults) {
    t.throws(() => parseDatabaseUrl(url), { message }, url)
    t.throws(() => parseDatabaseUrl(url), { message: /^(?!.*gehe)/s }, url)
  }
})

const open = async (t: Test, url: string): Promise<Database> => {
  const database = await openDatabase({ databaseUrl: url, dataDir: '', databaseTimeoutMs: 20_000 })
  t.after(() => database.close())
  return database
}

/** @returns who is logged in, and whether over TLS; or why the login failed */
async function connection (t: Test, url: string): Promise<string> {
  const { prisma } = await open(t, url)
  const asked = prisma.$queryRaw<[{
    is: string
  }]>`SELECT current_user || CASE WHEN ssl THEN ' by TLS' ELSE ' in clear' END AS is FROM pg_stat_ssl WHERE pid =
    pg_backend_pid()`
  return await asked.then(([{ is }]) => is, (error: Error) => `refused: ${error.message}`)
}

t.test('each sslmode does what it says on a real server, and none falls back to plain text', {
  skip: noOpenssl
}, async (t) => {
  const at = (host: string, query: string, user = 'gatehouse:gatehouse'): Promise<string> =>
    connection(t, `postgresql://${user}@${host}:${postgres.port}/postgres${query}`)
  t.match(
    await connection(t, `${await newDatabase()}?sslmode=require`),
    /^refused: .*does not support SSL/s,
    'a server without TLS gets no password'
  )

  const ca = `sslrootcert=${file('ca.crt')}`
  const other = `sslrootcert=${file('other.crt')}`
  const inClear = 'gatehouse in clear'
  const byTls = 'gatehouse by TLS'
  const cases: Array<[host: string, query: string, expected: string | RegExp]> = [
    ['127.0.0.1', '', inClear],
    ['127.0.0.1', '?sslmode=disable', inClear],
    ['127.0.0.1', '?sslmode=require', byTls],
    ['127.0.0.1', `?sslmode=require&${ca}`, byTls],
    ['127.0.0.1', `?sslmode=require&${other}`, /^refused: /],
    ['127.0.0.1', `?sslmode=verify-ca&${ca}`, byTls],
    ['127.0.0.1', `?sslmode=verify-ca&${other}`, /^refused: /],
    ['localhost', `?sslmode=verify-full&${ca}`, byTls],
    ['127.0.0.1', `?sslmode=verify-full&${ca}`, /^refused: /],
    ['localhost', '?sslmode=verify-full', /^refused: /],
    ['localhost', '?sslmode=require&sslrootcert=system', /^refused: /],
    ['localhost', '?ssl=true', /^refused: /],
    ['localhost', '?ssl=no-verify', byTls],
    ['localhost', '?ssl=0', inClear]
  ]
  for (const [host, query, expected] of cases) t.match(await at(host, query), expected, `${host}${query}`)

  // This server asks for the password in clear.
  const bound = '?sslmode=require&channel_binding=require'
  t.match(await at('localhost', bound), /^refused: .*self-signed certificate.*authority's file in sslrootcert/s)
  t.match(await at('localhost', `${bound}&${other}`), /^refused: /)
  t.equal(await at('localhost', `${bound}&${ca}`), byTls)

  t.match(await at('127.0.0.1', '?sslmode=require', 'pupil'), /^refused: /, 'this user needs a certificate')
  t.equal(
    await at('127.0.0.1', `?sslmode=verify-ca&${ca}&sslcert=${file('pupil.crt')}&sslkey=${file('pupil.key')}`, 'pupil'),
    'pupil by TLS'
  )
})

t.test('a certificate that is renewed is used by the next connection', { skip: noOpenssl }, async (t) => {
  copyFileSync(file('other.crt'), file('renewed.crt'))
  const url = `postgresql://gatehouse:gatehouse@127.0.0.1:${postgres.port}/postgres?sslmode=verify-ca` +
    `&sslrootcert=${file('renewed.crt')}`
  const { prisma, takeOver } = await open(t, url)
  const before = parseDatabaseUrl(url)
  await t.rejects(prisma.$queryRaw`SELECT 1`, 'the authority of another server')

  copyFileSync(file('ca.crt'), file('renewed.crt'))
  const renewed = parseDatabaseUrl(url)
  await takeOver(renewed)

  t.notSame(renewed.server.ssl, before.server.ssl)
  await t.resolves(prisma.$queryRaw`SELECT 1`)
})

/** Its certificate is for `localhost`, from an authority of its own. The user `pupil` logs in by certificate alone. */
async function switchTlsOn (postgres: Postgres): Promise<void> {
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const make = (name: string, ...more: string[]): Buffer =>
    execFileSync('openssl', [
      'req', '-x509', ...ec, '-keyout', file(`${name}.key`), '-out', file(`${name}.crt`), ...more
    ], { stdio: 'pipe' })
  const signed = ['-CA', file('ca.crt'), '-CAkey', file('ca.key'), '-addext', 'basicConstraints=critical,CA:FALSE']
  make('ca', '-subj', '/CN=authority')
  make('other', '-subj', '/CN=another authority')
  make('server', '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', ...signed)
  make('pupil', '-subj', '/CN=pupil', ...signed)

  const client = await postgres.connect()
  const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory')
  const directory = rows[0]!.data_directory
  const { uid, gid } = statSync(directory)
  for (const name of ['ca.crt', 'server.crt', 'server.key']) {
    copyFileSync(file(name), join(directory, name))
    chmodSync(join(directory, name), 0o600)
    chownSync(join(directory, name), uid, gid)
  }
  await client.query('CREATE ROLE pupil LOGIN')
  const hba = join(directory, 'pg_hba.conf')
  execFileSync('sed', ['-i', '1i hostssl all pupil all cert\\nhost all pupil all reject', hba])
  chownSync(hba, uid, gid)
  await client.query("ALTER SYSTEM SET ssl_ca_file = 'ca.crt'")
  await client.query('ALTER SYSTEM SET ssl = on')
  await client.query('SELECT pg_reload_conf()')
  while ((await client.query<{ ssl: string }>('SHOW ssl')).rows[0]!.ssl !== 'on') {
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** As each provider prints it, with `@` for a user, password and server of the test. */
const shapes: Array<[provider: string, url: string, unused?: RegExp]> = [
  ['Neon, but for its authority', 'postgresql://@/postgres?sslmode=require&channel_binding=require&sslrootcert=CA'],
  ['Vercel', 'postgres://@/postgres?sslmode=require&pgbouncer=true&connect_timeout=15', /connect_timeout .*DATABASE_TIME/],
  ['Supabase', 'postgres://@/postgres?sslmode=require&supa=x&workaround=y&sslsni=1', /supa .*workaround .*sslsni has/],
  ['Supabase, pooled', 'postgresql://@/postgres?pgbouncer=true&connection_limit=1'],
  ['Heroku', 'postgres://@/postgres'],
  ['RDS', 'postgresql://@/postgres?sslmode=verify-full&sslrootcert=CA&target_session_attrs=read-write'],
  ['Azure', 'postgres://@/postgres?sslmode=require&gssencmode=disable'],
  ['DigitalOcean', 'postgresql://@/postgres?sslmode=no-verify&keepalives=1&load_balance_hosts=disable', /keepalives/],
  ['asyncpg', 'postgres://@/postgres?statement_cache_size=0&ssl=false'],
  ['options', 'postgresql://@/postgres?options=-c%20work_mem%3D8MB&schema=public']
]

t.test('a start connects with the URL of each provider, and names the parameters that have no effect', {
  skip: noOpenssl
}, async (t) => {
  for (const [provider, shape, unused] of shapes) {
    const url = shape.replace('@', `gatehouse:gatehouse@localhost:${postgres.port}`).replace('CA', file('ca.crt'))
    t.match(await connection(t, url), /^gatehouse (by TLS|in clear)$/, provider)
    t.match(parseDatabaseUrl(url).unused.join(), unused ?? /^$/, provider)
  }
})

t.test('with pgbouncer=true no statement has a name, and no connection begins with a setting', async (t) => {
  const url = await newDatabase()
  const { prisma } = await open(t, `${url}?pgbouncer=true&connection_limit=1`)
  await prisma.user.count()

  const [session] = await prisma.$queryRaw<[unknown]>`
    SELECT (SELECT count(*)::int FROM pg_prepared_statements) AS names,
    current_setting('statement_timeout') AS timeout`

  t.same(session, { names: 0, timeout: '0' })
})

t.test('PgBouncer in transaction mode serves with pgbouncer=true, and without it the error says so', {
  skip: noPgbouncer
}, async (t) => {
  const pooler = await startPgbouncer(t, await newDatabase())
  const whole = await open(t, `${pooler}?pgbouncer=true`)
  const lacking = await open(t, pooler)

  const counts = await Promise.all(Array.from({ length: 40 }, () => whole.prisma.user.count()))

  t.same(new Set(counts), new Set([0]))
  await t.rejects(lacking.prisma.user.count(), { message: /: a pooler .* add pgbouncer=true to DATABASE_URL$/ })
})

t.test('the bound of connections and the name of a URL are those of its connections', async (t) => {
  const client = await postgres.connect('template1')
  const { prisma } = await open(t, `${postgres.url}?application_name=erp&connection_limit=2`)

  await Promise.all(Array.from({ length: 6 }, () => prisma.$queryRaw`SELECT pg_sleep(0.02)::text`))
  const { rows } = await client.query('SELECT count(*)::int AS connections FROM pg_stat_activity WHERE ' +
    "application_name = 'erp' AND query LIKE '%pg_sleep%'")
  t.same(rows, [{ connections: 2 }])
})

t.end()
