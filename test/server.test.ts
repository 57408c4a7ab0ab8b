// The service starts with nothing but npm, reports why it cannot start, and stops in time whatever clients, mails and
// its log do.

import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { createPasswords } from '#src/auth/passwords.js'
import { openDatabase } from '#src/database/database.js'
import { createDemoAccounts } from '#src/database/demo-accounts.js'
import { newDirectory } from './fixtures/lifetime.js'
import { startPostgres } from './fixtures/postgres.js'
import { run, startServer } from './fixtures/process.js'
import { freePort, startRedis } from './fixtures/redis.js'
import { hang, startSmtp } from './fixtures/smtp.js'
import { until } from './fixtures/until.js'

// Opening an embedded database takes seconds of CPU time. Only the first test does that, and the one about a request in
// flight.
const { url: DATABASE_URL } = await startPostgres(t)
const database = await openDatabase({ databaseUrl: DATABASE_URL, dataDir: '', databaseTimeoutMs: 20_000 })
await createDemoAccounts(database, await createPasswords({ cost: 10, concurrency: 2 }))
await database.close()

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

t.test('a newcomer logs in with the demo account, uses the token, and the sixth login is refused', async (t) => {
  const dataDir = join(newDirectory(t), 'data')
  const server = await startServer(t, { DATA_DIR: dataDir }, { fresh: true })
  const lines = (code: string) => server.logs.filter(line => line.code === code)
  t.match(lines('demo_account_created'), [{ username: 'demo', role: 'USER' }, { username: 'admin', role: 'ADMIN' }])
  t.match(lines('limit')[0], { policy: 'login', capacity: 5, refill: 1, periodMs: 60_000 })

  const login = await post(`${server.url}/api/auth/login`, { username: 'demo', password: 'gatehouse-demo' })
  t.equal(login.status, 200)
  const { data } = await login.json() as { data: { token: string } }
  const me = await fetch(`${server.url}/api/auth/me`, { headers: { authorization: `Bearer ${data.token}` } })
  t.equal(me.status, 200)
  for (let i = 0; i < 4; i++) {
    t.equal((await post(`${server.url}/api/auth/login`, { username: 'demo', password: 'wrong' })).status, 401)
  }
  const refused = await post(`${server.url}/api/auth/login`, { username: 'demo', password: 'gatehouse-demo' })
  t.equal(refused.status, 429)
  t.equal(await server.stop(), 0)
  t.match(server.logs.find(line => line.status === 429), {
    method: 'POST', route: '/api/auth/login', client: '127.0.0.1', policy: 'login', verdict: 'refused'
  })

  // The second start finds the accounts and the secret again, so tokens stay valid.
  t.equal(statSync(join(dataDir, 'jwt-secret')).mode & 0o777, 0o600)
  const secret = readFileSync(join(dataDir, 'jwt-secret'), 'utf8')
  const again = await startServer(t, { DATA_DIR: dataDir })
  t.notOk(again.logs.some(({ code }) => code === 'demo_account_created'))
  t.equal((await fetch(`${again.url}/api/auth/me`, { headers: { authorization: `Bearer ${data.token}` } })).status, 200)
  t.equal(readFileSync(join(dataDir, 'jwt-secret'), 'utf8'), secret)

  const second = await run('server', [], { DATA_DIR: dataDir, PORT: '0' })
  t.equal(second.code, 1)
  t.match(second.stdout, /in use by process \d+/)
})

t.test('a service whose log has lost its reader continues to serve, and stops on SIGTERM', async (t) => {
  const server = await startServer(t, { DATA_DIR: newDirectory(t), DATABASE_URL })
  server.closeOutput()
  for (let i = 0; i < 20; i++) {
    t.equal((await fetch(`${server.url}/nowhere`, { signal: AbortSignal.timeout(10_000) })).status, 404)
    await setTimeout(20)
  }
  t.equal(await server.stop(), 0)
})

t.test('a service whose log is no longer read continues to serve, and stops on SIGTERM', async (t) => {
  const server = await startServer(t, { DATA_DIR: newDirectory(t), DATABASE_URL, TRUST_PROXY: '127.0.0.1' })
  server.stallOutput()
  for (let i = 0; i < 100; i++) {
    const replies = await Promise.all(Array.from({ length: 30 }, (_, j) =>
      fetch(`${server.url}/nowhere`, {
        headers: { 'x-forwarded-for': `10.0.${i}.${j}` }, signal: AbortSignal.timeout(10_000)
      })))
    if (!replies.every(({ status }) => status === 404)) t.fail('a request failed')
  }
  t.equal(await Promise.race([server.stop(), setTimeout(20_000, 'it still runs')]), 0)
})

t.test('a silent socket and half a body do not delay the shutdown', async (t) => {
  const server = await startServer(t, { DATA_DIR: newDirectory(t), DATABASE_URL })
  const port = Number(new URL(server.url).port)
  const silent = connect(port, '127.0.0.1')
  await once(silent, 'connect')
  const started = performance.now()
  t.equal(await server.stop(), 0)
  t.ok(performance.now() - started < 5000)

  const again = await startServer(t, { DATA_DIR: newDirectory(t), DATABASE_URL })
  const half = connect(Number(new URL(again.url).port), '127.0.0.1')
  half.on('error', () => {})
  half.write(
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
  )
  await setTimeout(300)
  t.equal(await again.stop(), 0)
})

t.test('the log never contains the password of Redis, even when Redis refuses it [S91]', async (t) => {
  const redis = await startRedis(t, { args: ['--requirepass', 'the right one'] })
  const server = await startServer(t, {
    DATA_DIR: newDirectory(t), DATABASE_URL, REDIS_URL: `redis://:hunter2hunter2@127.0.0.1:${redis.port}`
  })
  t.equal((await post(`${server.url}/api/auth/login`, { username: 'demo', password: 'gatehouse-demo' })).status, 200)
  const everything = JSON.stringify(server.logs)
  t.match(everything, /WRONGPASS/)
  t.notMatch(everything, /hunter2/)
})

t.test('when failing closed, the log reports the first refusal at once and counts the others', async (t) => {
  const server = await startServer(t, {
    DATA_DIR: newDirectory(t),
    DATABASE_URL,
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    LIMITER_ON_REDIS_FAILURE: 'closed'
  })
  const before = server.logs.length
  for (let i = 0; i < 20; i++) t.equal((await fetch(`${server.url}/api/auth/me`)).status, 503)
  await server.stop()
  const after = server.logs.slice(before)
  const refusals = after.filter(({ code }) => code === 'SERVICE_UNAVAILABLE')
  t.match(refusals[0], { status: 503, cause: /Redis is unavailable/ })
  t.equal(
    refusals.reduce((sum, { count = 1 }) => sum + Number(count), 0),
    20,
    'one line at once, and those that follow are counted'
  )
  t.ok(after.length < 8)
})

t.test('all faults of a configuration are reported at once, before anything listens [S95]', async (t) => {
  const { code, stdout, stderr } = await run('server', [], {
    PORT: 'x', TRUST_PROXY: 'all', NODE_ENV: 'production', DATA_DIR: newDirectory(t)
  })
  t.equal(code, 1)
  t.equal(stdout, '')
  t.match(stderr, /^The configuration has 5 faults:\n/)
  t.match(stderr, /PORT: must be a port from 0 to 65535\n/)
  t.match(stderr, /See \.env\.example for every variable\.\n$/)
})

t.test('a port in use is reported in the log, and the exit code is 1', async (t) => {
  const server = await startServer(t, { DATA_DIR: newDirectory(t), DATABASE_URL })
  const { port } = new URL(server.url)
  const { code, stdout } = await run('server', [], {
    PORT: port, DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', DATA_DIR: newDirectory(t)
  })
  t.equal(code, 1)
  t.match(stdout, /EADDRINUSE/)
})

t.test('a request in flight at SIGTERM is answered', async (t) => {
  const server = await startServer(t, { DATA_DIR: newDirectory(t), BCRYPT_COST: '13' })
  const login = post(`${server.url}/api/auth/login`, { username: 'demo', password: 'gatehouse-demo' })
  await until(async () => /login",outcome="admitted"} 1$/m.test(await (await fetch(`${server.opsUrl}/metrics`)).text()))
  const code = server.stop()
  t.equal((await login).status, 200)
  t.equal(await code, 0)
})

t.test('a mail to a slow server and half a request do not delay the shutdown beyond its time', async (t) => {
  const smtp = await startSmtp(t)
  smtp.on.data = hang
  const server = await startServer(t, {
    DATA_DIR: newDirectory(t), DATABASE_URL, SMTP_URL: smtp.url, PUBLIC_URL: 'https://login.school.example'
  })
  t.equal((await post(`${server.url}/auth/forgot-password`, { username: 'demo' })).status, 200)
  await until(() => smtp.connections() > 0)
  t.equal(smtp.connections(), 1)
  const half = connect(Number(new URL(server.url).port), '127.0.0.1')
  half.on('error', () => {})
  half.write(
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
  )
  await setTimeout(300)
  t.equal(await server.stop(), 0)
  t.match(
    server.logs.find(({ code }) => code === 'mail_delayed'), { cause: /aborted/ }, 'the mail waits for another replica'
  )
})

t.test('a Redis that hangs delays the shutdown to eleven seconds at most, whatever its timeout', async (t) => {
  const redis = await startRedis(t)
  const server = await startServer(t, {
    DATA_DIR: newDirectory(t), DATABASE_URL, REDIS_URL: redis.url, REDIS_TIMEOUT_MS: '10000'
  })
  redis.process.kill('SIGSTOP')
  t.equal(await server.stop(), 0)
  t.ok(server.logs.some(({ code }) => code === 'stopped_waiting'))
})

t.test('proxies may ask on a listener of its own, which opens and closes with the service', async (t) => {
  const port = await freePort()
  const server = await startServer(t, {
    DATABASE_URL,
    DATA_DIR: newDirectory(t),
    VERIFY_PORT: String(port),
    TRUST_PROXY: '127.0.0.1',
    MODULES: '/api/student'
  })
  const said = server.logs.map(({ msg }) => String(msg))
  const verifySaid = said.indexOf(`proxies may ask http://127.0.0.1:${port}/verify`)
  t.ok(verifySaid < said.findIndex(msg => msg.startsWith('listening on')))
  const ask = (headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/verify`, { headers })
  t.equal((await ask()).status, 403)
  t.equal((await ask({
    'x-forwarded-method': 'GET', 'x-forwarded-uri': '/api/student/1', 'x-forwarded-for': '198.18.200.1'
  })).status, 401)
  const halfRequest = connect(port, '127.0.0.1').on('error', () => {})
  halfRequest.write('GET /verify HTTP/1.1\r\nHost:')
  t.equal(await server.stop(), 0)
  await t.rejects(ask())
})

t.end()
