// With any fault of PostgreSQL, logins get 503 in time and recover by themselves. No connection is lost permanently,
// and no query gets the answer of another.

import { setImmediate, setTimeout } from 'node:timers/promises'
import bcrypt from 'bcrypt'
import type { LightMyRequestResponse } from 'fastify'
import pg from 'pg'
import t, { type Test } from 'tap'
import { newSession } from '#src/auth/sessions.js'
import { openDatabase } from '#src/database/database.js'
import { newUsername, type TestApp } from '../fixtures/app.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { startNetwork } from '../fixtures/network.js'
import { startOps, type TestOps } from '../fixtures/ops.js'
import { startPostgres } from '../fixtures/postgres.js'
import { startServer } from '../fixtures/process.js'
import { remember } from '../fixtures/secrets.js'
import { startTcp } from '../fixtures/socket.js'
import { markOf } from '../fixtures/tokens.js'
import { ownTime, until } from '../fixtures/until.js'

/**
 * Two seconds are the guarantee, and the tests print the times. A machine that runs other tests may take longer, but
 * not as long as a hang would.
 */
const PATIENCE_MS = 15_000
const POOL_SIZE = 10

const password = 'correct horse battery'
remember(password)

/** One server for faults of single databases, roles and connections, and two that are broken as a whole. */
const [shared, mortal, small] = await Promise.all([
  startPostgres(t), startPostgres(t),
  startPostgres(t, {
    max_connections: 14, superuser_reserved_connections: 0, reserved_connections: 0, max_wal_senders: 0
  })
])
/** The mark of each server's databases, by its port. */
const marks = new Map<string, string>()
await Promise.all([shared, mortal, small].map(async ({ url }) => {
  const { prisma, close } = await openDatabase({ databaseUrl: url, dataDir: '', databaseTimeoutMs: 20_000 })
  const fields = { userType: 'STUDENT', role: 'USER' }
  await prisma.user.create({
    data: { username: 'asha', passwordHash: await bcrypt.hash(password, 4), email: 'asha@school.example', ...fields }
  })
  await prisma.user.create({ data: { username: 'outdated', passwordHash: await bcrypt.hash(password, 5), ...fields } })
  marks.set(new URL(url).port, await markOf(prisma))
  await close()
}))
const admin = await shared.connect('template1')
// A database can be copied only while no client is connected to it.
await endConnections({ name: 'postgres' })

// Most of these tests mostly wait.
t.jobs = 3

interface Service extends TestOps {
  me: () => Promise<LightMyRequestResponse>
  refresh: () => Promise<LightMyRequestResponse>
}

async function startService (t: Test, url: string, databaseTimeoutMs = 1000): Promise<Service> {
  const service = await startOps(t, {
    DATABASE_URL: url, DATABASE_TIMEOUT_MS: String(databaseTimeoutMs), JWT_SECRET: 'Wn4-secret-of-every-replica-k82dq1'
  })
  const { app, client } = service
  await app.listen({ port: 0 })
  // A replica that has never read the database can make no token. Another one, of the same key, has made it.
  const mark = marks.get(new URL(url).port) ?? marks.get(String(shared.port))!
  const { id: sid, startedAt } = newSession()
  const authorization = `Bearer ${app.jwt.sign(
    { name: 'asha', role: 'USER', userType: 'STUDENT', tv: 0, db: mark, sid, auth_time: startedAt },
    { sub: '1', jti: sid }
  )}`
  const ask = (method: 'GET' | 'POST', url: string) =>
    app.inject({ method, url, remoteAddress: client(), headers: { authorization } })
  return { ...service, me: () => ask('GET', '/api/auth/me'), refresh: () => ask('POST', '/api/auth/refresh') }
}

let databases = 0

/** A copy of the shared server's database, for one test to break. */
async function newDatabase (
  port = shared.port, account = 'gatehouse:gatehouse'
): Promise<{ name: string, url: string }> {
  const name = `faults${++databases}`
  await admin.query(`CREATE DATABASE ${name} TEMPLATE postgres STRATEGY file_copy`)
  return { name, url: `postgresql://${account}@127.0.0.1:${port}/${name}` }
}

/** Every connection that the pool may have is open. */
const fillPool = ({ app }: Service) => until(
  async () => (await together(POOL_SIZE, () => app.db.$queryRaw`SELECT 1 FROM pg_sleep(0.1)`)).length > 0,
  'the pool is full'
)

async function endConnections ({ name }: { name: string }): Promise<void> {
  await admin.query('SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity WHERE datname = $1', [name])
}

/**
 * Starts many at once, but not in the same turn of the event loop: Prisma would combine similar queries of one turn.
 */
async function together<T> (count: number, start: (i: number) => Promise<T>): Promise<T[]> {
  const all: Array<Promise<T>> = []
  for (let i = 0; i < count; i++) {
    all.push(start(i))
    await setImmediate()
  }
  return await Promise.all(all)
}

async function timed<T> (work: Promise<T>): Promise<[result: T, ms: number]> {
  const started = ownTime()
  const result = await work
  return [result, Math.round(ownTime() - started)]
}

interface Fault {
  name: string
  happen: () => unknown
  /** What logins and /api/auth/me answer meanwhile. */
  status: 200 | 503
  /** What /readyz soon says; undefined if it depends on what else waits for a connection. */
  database?: 'reachable' | 'read-only' | 'unreachable'
  mend: () => unknown
}

/** Checks everything that has to hold during any fault of PostgreSQL, in parallel. */
async function suffer (
  t: Test, service: Service, { name, happen, status, database, mend }: Fault
): Promise<void> {
  const { app, client, login, me, ops, logs } = service
  await happen()
  const firstLine = logs.length
  const [address, other] = [client(), client()]
  const [one, self, logins] = await Promise.all([
    timed(login(client(), 'asha', password)),
    timed(me()),
    timed(together(6, () => login(address, 'asha', password)))
  ])
  const strays = await Promise.all(Array.from({ length: 101 }, () => app.inject({
    url: '/nowhere', remoteAddress: other
  })))

  for (const [what, [reply, ms]] of Object.entries({ login: one, me: self })) {
    t.equal(reply.statusCode, status, `${name}, ${what}: ${reply.body}`)
    t.ok(ms < PATIENCE_MS || status === 200, `${name}, ${what}: ${ms} ms`)
  }
  for (const reply of [one[0], self[0], ...logins[0]].filter(({ statusCode }) => statusCode === 503)) {
    isTold(t, reply, name)
  }
  await until(
    async () => [undefined, (await ops.inject('/readyz')).json().database].includes(database), `${name}: /readyz`,
    PATIENCE_MS
  )
  t.same(logins[0].map(({ statusCode }) => statusCode)
    .sort(), [...Array(5).fill(status), 429].sort(), `${name}: the sixth login is refused`)
  t.ok(logins[1] < PATIENCE_MS || status === 200, `${name}, six logins: ${logins[1]} ms`)
  t.same(strays.map(({ statusCode }) => statusCode)
    .sort(), [...Array(100).fill(404), 429], `${name}: the general bucket counts`)

  areLogged(t, logs.slice(firstLine), name)
  await mend()
  await until(
    async () => (await login(client(), 'asha', password)).statusCode === 200, `${name}: a login succeeds`, PATIENCE_MS
  )
  // A replica that started without the list of revocations accepts tokens once it has read it.
  await until(async () => (await service.me()).statusCode === 200, `${name}: a token is accepted`, PATIENCE_MS)
  const failed = (await oneByOne(service)).filter(answer => answer !== 200)
  // On a busy machine one query may take too long.
  t.ok(failed.length <= 1, `${name}: nothing of it is left afterwards; ${JSON.stringify(failed)}`)
}

function areLogged (t: Test, lines: TestApp['logs'], name: string): void {
  const requests = lines.filter(({ msg }) => msg === 'request')
  t.equal(requests.length, 109, `${name}: each request has its line`)
  t.ok(requests.every(line => (line.status === 503) === (line.cause !== undefined)), `${name}: and a 503 says why`)
  const besides = lines.filter(({ msg }) => msg !== 'request')
  t.ok(besides.length <= 2, `${name}: ${besides.map(({ msg }) => String(msg)).join(', ')}`)
}

/**
 * Sends requests one by one, so that each dead connection would cost a request.
 *
 * @returns their statuses, or the log's line of one that failed
 */
async function oneByOne ({ me, logs }: Service): Promise<unknown[]> {
  const statuses = []
  for (let i = 0; i < 2 * POOL_SIZE; i++) {
    const { statusCode } = await me()
    statuses.push(statusCode === 200 ? 200 : logs.at(-1))
  }
  return statuses
}

function isTold (t: Test, reply: LightMyRequestResponse, name: string): void {
  t.match(reply.headers['retry-after'], /^[1-9]\d?$/, name)
  const { timestamp, path, ...body } = reply.json()
  t.strictSame(body, {
    status: 503,
    error: 'Service Unavailable',
    message: 'The service cannot answer right now. Please try again in a few seconds.'
  }, name)
  t.notMatch(reply.body, /prisma|postgres|sql|127\.0\.0\.1|P\d{4}|faults\d/i, `${name}: nothing of the inside is told`)
}

t.test('without PostgreSQL, at the start or later, logins get 503, and 200 once it is back', async (t) => {
  await mortal.stop('SIGINT')
  // What is away refuses connections, so nothing waits. On a busy machine a second may be too short for an answer.
  const service = await startService(t, mortal.url, 3000)
  const start = () => mortal.start()
  await suffer(t, service, {
    name: 'down at boot', happen: () => {}, status: 503, database: 'unreachable', mend: start
  })
  await fillPool(service)
  await suffer(t, service, {
    name: 'killed (SIGKILL)', happen: () => mortal.stop('SIGKILL'), status: 503, database: 'unreachable', mend: start
  })

  await fillPool(service)
  await mortal.stop('SIGINT')
  await mortal.start()
  t.same(
    await oneByOne(service),
    Array(2 * POOL_SIZE).fill(200),
    'a restart between two requests costs none, though every connection of the pool is dead'
  )
})

t.test('a hanging PostgreSQL costs a login two seconds at most, and delays no start and no stop', async (t) => {
  const [service, doomed] = [await startService(t, small.url), await startService(t, small.url)]
  await fillPool(service)
  await suffer(t, service, {
    name: 'hangs (SIGSTOP)',
    happen: () => small.pause(),
    status: 503,
    database: 'unreachable',
    async mend () {
      const heap = process.memoryUsage().heapUsed
      const [flood, ms] = await timed(together(200, () => service.login(service.client(), newUsername(), password)))
      t.ok(flood.every(({ statusCode }) => statusCode === 503))
      t.ok(ms < PATIENCE_MS, `200 logins: ${ms} ms`)
      const megabytes = Math.round((process.memoryUsage().heapUsed - heap) / 1e6)
      t.comment(`200 logins while PostgreSQL hangs: ${ms} ms, heap ${megabytes} MB more`)
      const [, closing] = await timed(doomed.app.close())
      t.ok(closing < PATIENCE_MS, `stopping takes ${closing} ms`)
      t.comment(`stopping while PostgreSQL hangs: ${closing} ms`)
      const [late, starting] = await timed(startService(t, small.url))
      t.ok(starting < 2 * PATIENCE_MS, `starting takes ${starting} ms`)
      t.comment(`starting while PostgreSQL hangs: ${starting} ms`)
      await late.app.close()
      small.resume()
    }
  })
  await service.app.close()
  await sufferExhaustion(t)
})

/** Others have every connection of the server that hung before. */
async function sufferExhaustion (t: Test): Promise<void> {
  const others: pg.Client[] = []
  await until(
    async () => await small.connect().then(other => others.push(other) < 0, error => error.code === '53300'),
    'others have every connection',
    PATIENCE_MS
  )
  await suffer(t, await startService(t, small.url), {
    name: 'connections exhausted',
    happen: () => {},
    status: 503,
    database: 'unreachable',
    mend: () => Promise.all(others.map(other => other.end()))
  })
}

// 900 ms of three seconds are the same share as 300 ms of one. This leaves two seconds for delays of a busy machine.
t.test('PostgreSQL whose answers come 900 ms late, of three seconds, serves logins', async (t) => {
  const network = await startNetwork(t, shared.port)
  const service = await startService(t, (await newDatabase(network.port)).url, 3000)
  await fillPool(service)

  await suffer(t, service, {
    name: 'answers late',
    happen: () => { network.delayMs = 450 },
    status: 200,
    mend: () => { network.delayMs = 0 }
  })
})

t.test('silently dead connections cost one failed login each, and none after ten seconds', async (t) => {
  const database = await newDatabase()
  const service = await startService(t, database.url)
  await fillPool(service)
  let rows: Array<{ pid: number }> = []
  await until(async () => {
    ({ rows } = await admin.query('SELECT pid FROM pg_stat_activity WHERE datname = $1', [database.name]))
    return rows.length === POOL_SIZE
  }, 'no probe has a connection of its own just now')
  for (const { pid } of rows) process.kill(pid, 'SIGSTOP')
  t.teardown(() => { for (const { pid } of rows) process.kill(pid, 'SIGCONT') })
  let lost = 0
  const back = await until(async () => {
    const { statusCode } = await service.login(service.client(), 'asha', password)
    if (statusCode === 503) lost++
    return statusCode === 200
  }, 'a login succeeds', PATIENCE_MS)
  t.ok(lost <= POOL_SIZE)
  t.comment(`pooled connections dead without a word: ${lost} logins lost, back after ${back} ms`)
})

t.test('a locked table is a 503, and does not fill PostgreSQL with waiting connections', async (t) => {
  const database = await newDatabase()
  const [service, locker] = [await startService(t, database.url), await shared.connect(database.name)]
  let connections = 0
  await suffer(t, service, {
    name: 'table locked',
    happen: () => locker.query('BEGIN; LOCK TABLE users'),
    status: 503,
    async mend () {
      for (let wave = 0; wave < 3; wave++) {
        const waiting = together(2 * POOL_SIZE, service.me)
        await setTimeout(700)
        const { rows } = await admin.query('SELECT count(*)::int FROM pg_stat_activity WHERE datname = $1', [
          database.name
        ])
        connections = Math.max(connections, rows[0].count)
        await waiting
      }
      await locker.query('ROLLBACK')
    }
  })
  t.comment(`connections while a table is locked: ${connections}, the locker's included`)
  t.ok(connections <= POOL_SIZE + 5, `${connections} connections`)
})

t.test('commits that hang, because a synchronous standby is away, fill nothing and are named', async (t) => {
  const postgres = await startPostgres(t)
  const service = await startService(t, postgres.url)
  const watcher = await postgres.connect('template1')
  await service.app.db.user.create({
    data: { username: 'asha', passwordHash: await bcrypt.hash(password, 4), userType: 'STUDENT', role: 'USER' }
  })
  await watcher.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
  await watcher.query('SELECT pg_reload_conf()')
  const logIn = () => service.login(service.client(), 'asha', password)
  // Commits hang as soon as the checkpointer, which may be busy, has read the setting.
  await until(async () => {
    await logIn()
    const { rowCount } = await watcher.query("SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
    return rowCount! > 0
  }, 'a commit hangs')
  let connections = 0

  for (let wave = 0; wave < 4; wave++) {
    await together(POOL_SIZE, logIn)
    const { rows } = await watcher.query("SELECT count(*)::int FROM pg_stat_activity WHERE datname = 'postgres'")
    connections = Math.max(connections, rows[0].count)
  }

  t.comment(`connections while commits hang: ${connections}`)
  t.ok(connections <= 2 * POOL_SIZE, `${connections} connections`)

  const readyz = async (): Promise<string> => (await service.ops.inject('/readyz')).json().database
  await until(async () => await readyz() === 'commits hang')
  t.match(service.logs.find(({ code }) => code === 'database_commits_hang'), { reason: /synchronous standby/ })

  await watcher.query('ALTER SYSTEM RESET synchronous_standby_names')
  await watcher.query('SELECT pg_reload_conf()')
  await until(async () => await readyz() === 'reachable', 'it recovers', 2 * PATIENCE_MS)
  t.equal((await logIn()).statusCode, 200)
})

t.test('a read-only database suffices for logins and refreshes, and writes are 503', async (t) => {
  const database = await newDatabase()
  await admin.query(`ALTER DATABASE ${database.name} SET default_transaction_read_only = on`)
  // It answers, so a busy machine may take its time.
  const databaseTimeoutMs = 20_000
  const service = await startService(t, database.url, databaseTimeoutMs)
  await suffer(t, service, {
    name: 'read-only',
    happen: async () => {
      t.equal((await service.login(service.client(), 'outdated', password)).statusCode, 200)
      t.equal((await service.refresh()).statusCode, 200)
      for (const [url, payload] of Object.entries({
        '/auth/UserCreation': { username: newUsername(), password: 'quite another horse', email: 'new@school.example' },
        '/auth/forgot-password': { username: 'asha' }
      })) isTold(t, await service.app.inject({ method: 'POST', url, remoteAddress: service.client(), payload }), url)
    },
    status: 200,
    database: 'read-only',
    async mend () {
      await admin.query(`ALTER DATABASE ${database.name} RESET default_transaction_read_only`)
      await endConnections(database)
    }
  })
})

t.test('a wrong schema is a 500 with its stack in the log, and not an outage', async (t) => {
  const { name, url } = await newDatabase()
  const [{ app, client, login, logs, me }, connection] = [await startService(t, url), await shared.connect(name)]
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload, remoteAddress: client() })
  const isFault = (reply: LightMyRequestResponse, what: RegExp): void => {
    t.equal(reply.statusCode, 500, reply.body)
    t.equal(reply.headers['retry-after'], undefined)
    t.equal(reply.json().message, 'Something went wrong on our side. Please try again later.')
    t.notMatch(reply.body, what)
    const lines = logs.filter(({ reqId }) => reqId === reply.headers['x-request-id'])
    t.match(lines.find(({ code }) => code === 'request_failed'), {
      level: 50, err: { message: what, stack: /\n +at / }
    })
    t.notOk('cause' in lines.find(({ msg }) => msg === 'request')!)
  }

  await connection.query('ALTER TABLE mails RENAME TO elsewhere')
  isFault(await post('/auth/forgot-password', { username: 'asha' }), /42P01/)
  await connection.query('ALTER TABLE known_addresses RENAME COLUMN last_login_at TO elsewhere')
  isFault(await login(client(), 'asha', password), /42703/)
  isFault(await post('/auth/resetPassword', {
    token: 'A'.repeat(43), newPassword: 'quite another horse'
  }).then(async (reply) => {
    t.equal(reply.statusCode, 400, 'what is there is still used')
    await connection.query('ALTER TABLE users RENAME COLUMN pending_reset_token_hash TO elsewhere')
    return await post('/auth/resetPassword', { token: 'A'.repeat(43), newPassword: 'quite another horse' })
  }), /42703/)
  await connection.query('ALTER TABLE users RENAME COLUMN adp_status TO elsewhere_too')
  isFault(await me(), /does not exist/)
  isFault(await post('/auth/UserCreation', {
    username: newUsername(), password: 'quite another horse', email: 'new@school.example'
  }), /does not exist/)
})

t.test('no query gets the answer of another, however late answers come', async (t) => {
  const network = await startNetwork(t, shared.port)
  const service = await startService(t, (await newDatabase(network.port)).url)
  const { app } = service
  await fillPool(service)
  let answered = 0
  for (let round = 0; round < 4; round++) {
    // Around the time after which a query is given up.
    network.delayMs = [50, 450, 550, 20][round]!
    const answers = await together(40, i => app.db.$queryRaw<Array<{
      n: number
    }>>`SELECT ${round * 100 + i}::int AS n`.then(([row]) => row!.n, () => undefined))
    for (const [i, answer] of answers.entries()) {
      if (answer === undefined) continue
      answered++
      if (answer !== round * 100 + i) t.fail(`asked for ${round * 100 + i}, got ${answer}`)
    }
  }
  t.ok(answered > 0, `${answered} were answered`)
})

t.test('a transaction whose end was lost leaves no connection in the pool', async (t) => {
  const network = await startNetwork(t, shared.port)
  const database = await newDatabase(network.port)
  const { app } = await startService(t, database.url, 3000)
  await t.rejects(app.db.$transaction(async (tx) => {
    await tx.$executeRaw`UPDATE users SET adp_status = 'lost'`
    network.cut = true
    await tx.$queryRaw`SELECT 1`
  }))
  network.cut = false
  for (let i = 0; i < POOL_SIZE; i++) {
    await t.resolves(app.db.$executeRaw`UPDATE users SET adp_status = ${`kept ${i}`} WHERE username = 'asha'`)
  }
  const { rows } = await (await shared.connect(database.name)).query(
    "SELECT adp_status FROM users WHERE username = 'asha'"
  )
  t.equal(rows[0].adp_status, `kept ${POOL_SIZE - 1}`, 'what was written afterwards is there')
})

t.test('PostgreSQL frees the locks of a vanished replica after ten seconds', async (t) => {
  const { prisma, close } = await openDatabase({ databaseUrl: (await newDatabase()).url, dataDir: '' })
  t.same(await prisma.$queryRaw`SHOW idle_in_transaction_session_timeout`, [
    { idle_in_transaction_session_timeout: '10s' }
  ])
  await close()
})

t.test('a migration may take longer than a request may', async (t) => {
  const { openScripts, close } = await openDatabase({ databaseUrl: (await newDatabase()).url, dataDir: '' })
  const { run, end } = await openScripts()
  await t.resolves(run('SELECT pg_sleep(1.7)'))
  await end()
  await close()
})

t.test('a PostgreSQL that breaks its protocol ends the process, with one fatal line', async (t) => {
  const port = await startTcp(t, (socket) => {
    // The first message is shorter than its kind can be.
    socket.once('data', () => socket.write(Buffer.from('R\0\0\0\x04', 'latin1')))
  })
  const DATABASE_URL = `postgresql://gatehouse:gatehouse@127.0.0.1:${port}/postgres`

  const ended = await startServer(t, { DATA_DIR: newDirectory(t), DATABASE_URL }).catch(String)

  t.match(ended, /the server ended with 1: /)
  t.strictSame(String(ended).match(/"level":60/g)?.length, 1, String(ended))
  t.match(ended, /stopped by an error/)
})

t.test('a large number of mails is purged in steps, and delays no other mail', async (t) => {
  const { name, url } = await newDatabase()
  const connection = await shared.connect(name)
  await connection.query(`
    INSERT INTO mails (kind, request_id, due_at, created_at)
    SELECT 'password_reset', 'x', NULL, now() - interval '2 days' FROM generate_series(1, 2500);
    CREATE FUNCTION few () RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF (SELECT count(*) FROM gone) > 1000 THEN RAISE query_canceled; END IF; RETURN NULL; END $$;
    CREATE TRIGGER few AFTER DELETE ON mails REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION few()`)
  const { app } = await startService(t, url)
  await app.inject({ method: 'POST', url: '/auth/forgot-password', payload: { username: 'nobody' } })
  await until(async () => (await connection.query(
    'SELECT FROM mails WHERE due_at IS NOT NULL OR created_at < now() - interval \'1 day\' LIMIT 1'
  )).rowCount === 0, 'all are purged, and the mail of today is done with', 8000)
})

t.end()
