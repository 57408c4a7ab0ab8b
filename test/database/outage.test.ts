// An outage of PostgreSQL is distinguished from a fault of a query, of its data or of the schema.

import t, { type Test } from 'tap'
import { DatabaseUnavailable } from '#src/database/outage.js'
import { openDatabase, type Database } from '#src/database/database.js'
import { startPostgres } from '../fixtures/postgres.js'
import { freePort } from '../fixtures/redis.js'
import { startTcp } from '../fixtures/socket.js'

const postgres = await startPostgres(t)

async function open (databaseUrl: string): Promise<Database> {
  const database = await openDatabase({ databaseUrl, dataDir: '', databaseTimeoutMs: 5000 })
  t.after(() => database.close())
  return database
}

/** What is thrown, whichever way the database is asked. */
async function thrownBy ({ prisma }: Database): Promise<Error[]> {
  const ways = [
    prisma.user.findUnique({ where: { id: 1 } }),
    prisma.$queryRaw`SELECT 1`,
    prisma.$executeRaw`DELETE FROM mails WHERE false`,
    prisma.$transaction(async tx => await tx.user.count())
  ]
  const outcomes = await Promise.allSettled(ways)
  return outcomes.map(outcome => outcome.status === 'rejected' ? outcome.reason : new Error('nothing was thrown'))
}

t.test('a transaction that gets no connection is an outage, whatever the timeout', async (t) => {
  const { prisma } = await openDatabase({ databaseUrl: postgres.url, dataDir: '', databaseTimeoutMs: 2500 })
  t.teardown(() => prisma.$disconnect())
  let letGo = () => {}
  const until = new Promise<void>((resolve) => { letGo = resolve })
  const all = Array.from({ length: 10 }, async () => await prisma.$transaction(async () => await until))
  await t.rejects(prisma.$transaction(async () => {}), { name: 'DatabaseUnavailable' })
  letGo()
  await Promise.all(all)
})

t.test('an unreachable or silent database is unavailable for every query, and the error says why', async (t) => {
  const chatterPort = await startTcp(t, (socket) => { socket.end('HTTP/1.1 400 Bad Request\r\n\r\n') })
  const mutePort = await startTcp(t, (socket) => { socket.destroy() })
  const closedPort = await freePort()
  const cases: Array<[url: string, message: RegExp]> = [
    [`postgresql://u:p@127.0.0.1:${closedPort}/x`, /^Can't reach database server at 127\.0\.0\.1:\d+$/],
    [`postgresql://u:p@localhost:${closedPort}/x`, /^(Can't reach database server|ECONNREFUSED)/],
    ['postgresql://u:p@nowhere.invalid:5432/x', /nowhere\.invalid/],
    ['postgresql://u:p@localhost/x?host=/nowhere', /ENOENT/],
    [`postgresql://u:p@127.0.0.1:${chatterPort}/x`, /terminated|answers nonsense/],
    [`postgresql://u:p@127.0.0.1:${mutePort}/x`, /closed|terminated/],
    [
      `postgresql://u:p@127.0.0.1:${postgres.port}/x?sslmode=require`,
      /^Error opening a TLS connection: The server does not support SSL/
    ],
    [
      `postgresql://gatehouse:wrong@127.0.0.1:${postgres.port}/postgres`,
      /password authentication failed.*\(SQLSTATE 28P01\)$/
    ],
    [`postgresql://gatehouse:gatehouse@127.0.0.1:${postgres.port}/nowhere`, /does not exist \(SQLSTATE 3D000\)$/]
  ]
  await Promise.all(cases.map(async ([url, message]) => {
    for (const error of await thrownBy(await open(url))) {
      t.type(error, DatabaseUnavailable, `${url}: ${String(error)}`)
      t.match(error.message, message, url)
      t.ok(error.cause, 'the error of the client is its cause')
    }
  }))
})

t.test('what ends a connection is an outage, whatever its code, while it begins or later', async (t) => {
  const admin = await postgres.connect()
  await admin.query("CREATE ROLE outside LOGIN PASSWORD 'gatehouse'")
  await admin.query('CREATE DATABASE closed')
  await admin.query('REVOKE CONNECT ON DATABASE closed FROM PUBLIC')
  const pooler = await startPooler(t)

  for (const error of await thrownBy(await open(`postgresql://outside:gatehouse@127.0.0.1:${postgres.port}/closed`))) {
    t.match(error, { name: 'DatabaseUnavailable', message: /^permission denied for database .*\(SQLSTATE 42501\)$/ })
  }
  for (const when of ['connecting', 'querying']) {
    for (const error of await thrownBy(await open(`postgresql://u:p@127.0.0.1:${pooler}/${when}`))) {
      t.match(error, { name: 'DatabaseUnavailable', message: /^Max client connections reached \(SQLSTATE XX000\)$/ })
    }
  }
})

/** Answers as Supavisor does when it is full: to the first message, or to queries. @returns its port */
async function startPooler (t: Test): Promise<number> {
  const message = (type: string, body: string): Buffer => {
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, Buffer.from(body, 'latin1')])
  }
  const fatal = message('E', 'SFATAL\0VFATAL\0CXX000\0MMax client connections reached\0\0')
  return await startTcp(t, (socket) => {
    socket.once('data', (startup) => {
      if (startup.includes('connecting')) return socket.end(fatal)
      socket.write(Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')]))
      socket.once('data', () => socket.end(fatal))
    })
  })
}

t.test('a query that is ended or times out is reported as unavailable', async (t) => {
  const { prisma } = await open(postgres.url)
  const unavailable = { name: 'DatabaseUnavailable' }
  await t.rejects(prisma.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid(), 0)`, {
    ...unavailable, message: /57P01|terminated|closed/
  })
  await t.rejects(
    prisma.$transaction(async tx => await tx.$queryRaw`SELECT pg_terminate_backend(pg_backend_pid(), 0)`), unavailable
  )
  await t.rejects(prisma.$transaction([
    prisma.$executeRaw`SET LOCAL lock_timeout = 1`, prisma.$executeRaw`SET LOCAL statement_timeout = 10`,
    prisma.$queryRaw`SELECT 1 FROM pg_sleep(1)`
  ]), { ...unavailable, message: /57014/ })
  await t.rejects(prisma.$transaction([
    prisma.$executeRaw`SET TRANSACTION READ ONLY`, prisma.$executeRaw`DELETE FROM mails`
  ]), { ...unavailable, message: /25006/ })
})

t.end()
