// An outage of PostgreSQL is distinguished from a fault of a query, of its data or of the schema.

import { createServer, type Socket } from 'node:net'
import t from 'tap'
import {
  DriverAdapterError, type MappedError, type SqlDriverAdapter, type SqlQuery
} from '@prisma/driver-adapter-utils'
import { DatabaseUnavailable, reportOutages } from '#src/database/outage.js'
import { openDatabase, type Database } from '#src/database/database.js'
import { startPostgres } from '../fixtures/postgres.js'
import { freePort } from '../fixtures/redis.js'

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

t.test('an unreachable or silent database is unavailable for every query, and the error says why', async (t) => {
  const chatter = createServer((socket: Socket) => {
    socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n')
  })
  await new Promise<void>(resolve => chatter.listen(0, '127.0.0.1', resolve))
  t.after(() => chatter.close())
  const { port: chatterPort } = chatter.address() as { port: number }
  const mute = createServer(socket => { socket.on('error', () => {}).destroy() })
  await new Promise<void>(resolve => mute.listen(0, '127.0.0.1', resolve))
  t.after(() => mute.close())
  const { port: mutePort } = mute.address() as { port: number }
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

t.test('a fault of a query, of its data or of the schema is not an outage', async (t) => {
  const { prisma } = await open(postgres.url)
  await t.rejects(prisma.$queryRaw`SELEC 1`, { code: 'P2010', message: /42601/ })
  await t.rejects(prisma.$queryRaw`SELECT * FROM nothing`, { code: 'P2010', message: /42P01/ })
  await t.rejects(prisma.$queryRaw`SELECT 1/0`, { code: 'P2010', message: /22012/ })
  await t.rejects(prisma.$executeRaw`INSERT INTO mails (kind) VALUES ('password_reset')`, {
    code: 'P2010', message: /23502/
  })
  const user = { username: 'asha', userType: 'STUDENT', role: 'USER' }
  await prisma.user.create({ data: user })
  await t.rejects(prisma.user.create({ data: user }), { code: 'P2002' })
  await t.rejects(prisma.user.findMany({ where: { nothing: 1 } as never }), { name: 'PrismaClientValidationError' })
  await t.rejects(prisma.$transaction(async () => { throw new TypeError('ours') }), {
    name: 'TypeError', message: 'ours'
  })
})

/** An adapter whose only query fails. */
function failing (error: unknown): SqlDriverAdapter {
  const fail = async (): Promise<never> => { throw error }
  return reportOutages({
    provider: 'postgres',
    adapterName: 'failing',
    queryRaw: fail,
    executeRaw: fail,
    executeScript: fail,
    startTransaction: fail,
    dispose: fail
  })
}

t.test('each error code is or is not an outage, as listed', async (t) => {
  const sqlState = (code: string): Error => new DriverAdapterError({
    kind: 'postgres',
    code,
    severity: 'ERROR',
    message: 'x',
    detail: undefined,
    column: undefined,
    hint: undefined,
    originalCode: code,
    originalMessage: 'x'
  })
  const mapped = (error: MappedError): Error => new DriverAdapterError(error)
  const coded = (code: unknown): Error => Object.assign(new Error('x'), { code })
  const outages = [
    ...[
      '08006', '08P01', '26000', '42P05', '25006', '25P03', '25P04', '28000', '28P01', '3D000', '40001',
      '40P01', '53100', '53200', '53300', '55P03', '57014', '57P01', '57P02', '57P03', '58030'
    ].map(sqlState),
    mapped({ kind: 'DatabaseNotReachable' }), mapped({ kind: 'ConnectionClosed' }), mapped({ kind: 'SocketTimeout' }),
    mapped({ kind: 'TlsConnectionError', reason: 'x' }),
    ...[
      'ECONNRESET', 'EPIPE', 'EHOSTUNREACH', 'EAI_AGAIN', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_STREAM_DESTROYED'
    ].map(coded),
    ...[
      'Query read timeout', 'timeout expired', 'timeout exceeded when trying to connect', 'Connection terminated',
      'Connection terminated unexpectedly',
      'Connection terminated due to connection timeout',
      'Client has encountered a connection error and is not queryable', 'Client was closed and is not queryable',
      'Cannot use a pool after calling end on the pool', 'PGlite is closed',
      'SASL: SCRAM-SERVER-FIRST-MESSAGE: server nonce is too short',
      'Received unexpected dataRow message from backend.'
    ].map(text => new Error(text))
  ]
  const faults = [
    ...[
      '0A000', '22001', '22P02', '23502', '25001', '25P02', '42501', '42601', '42703', '42P01', '55000',
      'P0001', 'XX000', 'XX002'
    ].map(sqlState),
    mapped({ kind: 'UniqueConstraintViolation' }), mapped({ kind: 'GenericJs', id: 1 }),
    mapped({ kind: 'UnsupportedNativeDataType', type: 'x' }),
    ...['ERR_INVALID_ARG_TYPE', 'P2002', '', 42].map(coded),
    new Error('x'), new TypeError('Query read timeout of undefined'), new RangeError('x'), undefined, null,
    'Query read timeout', { message: 'Query read timeout' }
  ]
  const query: SqlQuery = { sql: '', args: [], argTypes: [] }
  const thrown = async (error: unknown): Promise<unknown[]> => {
    const adapter = failing(error)
    return await Promise.all([
      adapter.queryRaw(query), adapter.executeRaw(query), adapter.startTransaction()
    ].map(asked => asked.then(() => 'nothing', (error: unknown) => error)))
  }
  for (const error of outages) {
    t.ok((await thrown(error)).every(thrown =>
      thrown instanceof DatabaseUnavailable && thrown.cause === error && thrown.message !== ''), String(error))
  }
  for (const error of faults) t.ok((await thrown(error)).every(thrown => thrown === error), String(error))
})

t.end()
