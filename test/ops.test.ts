// Health and metrics tell the truth on a listener of their own: at the start, in an outage and during shutdown.

import { once } from 'node:events'
import { Agent, METHODS, request, type IncomingMessage } from 'node:http'
import t, { type Test } from 'tap'
import { createPasswords } from '#src/auth/passwords.js'
import { readConfig } from '#src/config/config.js'
import { openDatabase } from '#src/database/database.js'
import { createDemoAccounts } from '#src/database/demo-accounts.js'
import { buildOps } from '#src/ops.js'
import { startApp } from './fixtures/app.js'
import { end, newDirectory } from './fixtures/lifetime.js'
import { startPostgres } from './fixtures/postgres.js'
import { run, startServer, type RunningServer } from './fixtures/process.js'
import { freePort, startRedis } from './fixtures/redis.js'
import { until } from './fixtures/until.js'

async function probe ({ opsUrl }: RunningServer, path: string): Promise<{
  status: number
  body: Record<string, unknown>
}> {
  const reply = await fetch(`${opsUrl}${path}`)
  return { status: reply.status, body: await reply.json() as Record<string, unknown> }
}

async function metric (server: RunningServer, name: string, labels: Record<string, string> = {}): Promise<number> {
  const text = await (await fetch(`${server.opsUrl}/metrics`)).text()
  const values = text.split('\n').filter(line => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter(line => Object.entries(labels).every(([key, value]) => line.includes(`${key}="${value}"`)))
  return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

/**
 * Every series that Prometheus would keep, without its value; but none of the garbage collector and of open handles,
 * whose labels are Node's own kinds of them.
 */
async function series ({ opsUrl }: RunningServer): Promise<string[]> {
  const text = await (await fetch(`${opsUrl}/metrics`)).text()
  return text.split('\n').filter(line => line !== '' && !/^(#|nodejs_gc|nodejs_active_\w+\{)/.test(line))
    .map(line => line.slice(0, line.lastIndexOf(' '))).sort()
}

const methods = METHODS.filter(method => method !== 'CONNECT')

/** Four requests of each of as many clients: paths and methods of its own, known to Node or not. */
async function flood (t: Test, { url }: RunningServer, clients: number): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  for (let i = 0; i < clients; i++) {
    const method = methods[i % methods.length]!
    const headers = { 'x-forwarded-for': `198.51.${i >> 8}.${i & 255}` }
    for (const [name, path] of [
      [i % 2 ? 'GET' : 'PUT', `/api/${i}/${Math.random()}?x=${i}`], [method, '/api/auth/me'],
      [method, `/api/student/${Math.random()}`], [`INVENTED${i}`, '/api/auth/me']
    ]) {
      const outgoing = request(new URL(path!, url), { method: name!, headers, agent }).end()
      const [reply] = await once(outgoing, 'response') as [IncomingMessage]
      await once(reply.resume(), 'end')
    }
  }
}

const login = (
  server: RunningServer, username: string, password: string
): Promise<Response> => fetch(`${server.url}/api/auth/login`, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ username, password })
})

const postgres = await startPostgres(t)
const { url: DATABASE_URL } = postgres
const database = await openDatabase({ databaseUrl: DATABASE_URL, dataDir: '', databaseTimeoutMs: 20_000 })
await createDemoAccounts(database, await createPasswords({ cost: 10, concurrency: 2 }))
await database.close()

t.test('a network that OPS_NETWORKS does not list reads nothing', async (t) => {
  const { app } = await startApp(t)
  const config = readConfig({ OPS_NETWORKS: '10.1.0.0/16,fd00::/8', DATABASE_URL })
  const ops = buildOps(app, config, app.log)
  t.after(() => ops.close())
  const cases: Array<[remoteAddress: string, status: number]> = [
    ['10.1.2.3', 200], ['fd00::1', 200], ['127.0.0.1', 200], ['::1', 200], ['::ffff:10.1.2.3', 200],
    ['10.2.0.1', 403], ['::ffff:10.2.0.1', 403], ['fe80::1', 403]
  ]
  for (const [remoteAddress, status] of cases) {
    const headers = { 'x-forwarded-for': '10.1.2.3' }
    for (const url of ['/metrics', '/livez']) {
      const reply = await ops.inject({ url, remoteAddress, headers })
      t.equal(reply.statusCode, status, remoteAddress)
      if (status === 403) t.match(reply.json(), { status, path: url, message: /OPS_NETWORKS/ })
    }
  }
  t.equal((await ops.inject({ url: '/nowhere', remoteAddress: '10.2.0.1' })).statusCode, 403)
})

const secret = 'Fj3kd0-asd92kLsdk3jf92-akd83jfkal9'

// L80 S25
t.test('metrics count what happened, with labels that no client can choose', async (t) => {
  const limits = newDirectory(t, {
    'limits.json': '{"policies":{"general":{"capacity":1000,"refill":1,"period":"1m"}}}'
  })
  const server = await startServer(t, {
    DATA_DIR: newDirectory(t),
    DATABASE_URL,
    LIMITS_FILE: `${limits}/limits.json`,
    TRUST_PROXY: '127.0.0.1',
    MODULES: '/api/student=http://127.0.0.1:9;public'
  })
  t.equal((await login(server, 'demo', 'gatehouse-demo')).status, 200)
  for (let i = 0; i < 5; i++) await login(server, 'demo', 'wrong horse')
  await until(async () => (await series(server)).includes('gatehouse_canary_ok'), 'a canary has ended')
  await flood(t, server, methods.length)
  const before = await series(server)
  await flood(t, server, 500)
  t.same(await series(server), before, '500 clients, paths and methods more are no series more')
  const text = await (await fetch(`${server.opsUrl}/metrics`)).text()
  t.notMatch(text, /127\.0\.0\.1|demo|horse/)

  t.equal(await metric(server, 'gatehouse_logins_total', { outcome: 'success' }), 1)
  t.equal(await metric(server, 'gatehouse_logins_total', { outcome: 'failure' }), 4)
  t.equal(await metric(server, 'gatehouse_logins_total', { outcome: 'throttled' }), 1)
  t.equal(await metric(server, 'gatehouse_limiter_decisions_total', { policy: 'login', outcome: 'admitted' }), 5)
  t.equal(await metric(server, 'gatehouse_limiter_decisions_total', { policy: 'login', outcome: 'refused' }), 1)
  t.equal(await metric(server, 'gatehouse_limiter_decisions_total', { policy: 'account', outcome: 'admitted' }), 5)
  t.equal(await metric(server, 'gatehouse_limiter_take_duration_seconds_count'), 0, 'there is no Redis')
  t.ok(await metric(server, 'gatehouse_hash_duration_seconds_count') >= 5)
  t.equal(await metric(server, 'gatehouse_http_request_duration_seconds_count', { route: 'none', status: '404' }),
    methods.length + 500)
  for (const name of [
    'gatehouse_hash_queue_length', 'gatehouse_build_info', 'gatehouse_limiter_deny_cache_hits_total',
    'gatehouse_limiter_replicas', 'nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total'
  ]) {
    t.match(text, new RegExp(`^${name}[ {]`, 'm'))
  }
})

// S94
t.test('health and metrics are on their own listener only, with the common error shape', async (t) => {
  const server = await startServer(t, { DATA_DIR: newDirectory(t) })
  for (const path of ['/livez', '/readyz', '/metrics']) {
    t.equal((await fetch(`${server.url}${path}`)).status, 404, path)
    t.equal((await fetch(`${server.opsUrl}${path}`)).status, 200, path)
  }
  const missing = await probe(server, '/api/auth/login?x=1')
  t.strictSame({ ...missing.body, timestamp: '' }, {
    timestamp: '', status: 404, error: 'Not Found', message: 'There is nothing at this path.', path: '/api/auth/login'
  })
})

t.test('after SIGTERM /readyz fails first, requests that still come are served, and the exit code is 0', async (t) => {
  const redis = await startRedis(t)
  const server = await startServer(t, {
    NODE_ENV: 'production', DATA_DIR: newDirectory(t), REDIS_URL: redis.url, DATABASE_URL, JWT_SECRET: secret
  })
  // The first login takes longest, and a shutdown gives load balancers only two and a half seconds to notice.
  t.equal((await login(server, 'nobody', 'wrong horse')).status, 401)
  const underWay = login(server, 'nobody', 'wrong horse')
  await new Promise(resolve => setTimeout(resolve, 50))
  const stopped = server.stop()
  await until(async () => (await probe(server, '/readyz')).status === 503, '/readyz fails')
  const [late, ready] = await Promise.all([login(server, 'nobody', 'wrong horse'), probe(server, '/readyz')])
  t.equal(late.status, 401, 'a balancer has not noticed yet')
  t.match(ready, { status: 503, body: { status: 'not ready', draining: true, database: 'reachable' } })
  t.equal((await underWay).status, 401)
  t.equal(late.headers.get('connection'), 'close')
  t.equal(await stopped, 0)
})

t.test('an operations port in use is reported, and nothing runs', async (t) => {
  const port = String(await freePort())
  await startServer(t, { DATA_DIR: newDirectory(t), DATABASE_URL, OPS_PORT: port })
  await t.rejects(startServer(t, {
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', DATA_DIR: newDirectory(t), OPS_PORT: port
  }), /EADDRINUSE/)
})

t.test('a replica that starts before the schema is there waits for it, and says so once', async (t) => {
  await (await postgres.connect()).query('CREATE DATABASE unmigrated TEMPLATE template0')
  const { href } = Object.assign(new URL(DATABASE_URL), { pathname: '/unmigrated' })
  const server = await startServer(t, { DATA_DIR: newDirectory(t), DATABASE_URL: href })
  const waiting = { status: 503, body: { status: 'not ready', started: true, database: 'not migrated' } }
  for (let i = 0; i < 3; i++) t.match(await probe(server, '/readyz'), waiting)
  t.match(await probe(server, '/livez'), { status: 200 })
  t.match(await run('cli', ['migrate'], { DATABASE_URL: href }), { code: 0 })
  t.match(await probe(server, '/readyz'), { status: 200, body: { database: 'reachable' } })
  t.equal((await login(server, 'nobody', 'wrong horse')).status, 401)
  const codes = server.logs.map(({ code }) => code).filter(code => String(code).startsWith('schema_'))
  t.strictSame(codes, ['schema_missing', 'schema_found'])
})

// The last one, because it ends PostgreSQL.
t.test('/readyz is degraded without Redis and 503 without PostgreSQL, while /livez stays 200', async (t) => {
  const redis = await startRedis(t)
  const server = await startServer(t, {
    DATA_DIR: newDirectory(t), REDIS_URL: redis.url, DATABASE_URL, JWT_SECRET: secret
  })
  await until(async () => (await probe(server, '/readyz')).body.status === 'ready')
  t.strictSame([await probe(server, '/readyz'), await metric(server, 'gatehouse_limiter_fallback_active')], [
    { status: 200, body: { status: 'ready', started: true, draining: false, database: 'reachable', redis: 'decides' } },
    0
  ])
  await redis.client.zadd('gatehouse:replicas', Date.now() + 60_000, 'another replica')
  await until(async () => await metric(server, 'gatehouse_limiter_replicas') === 2, 'it knows of two replicas')

  await end(redis.process)
  t.equal((await login(server, 'nobody', 'wrong horse')).status, 401)
  t.match(await probe(server, '/readyz'), {
    status: 200, body: { status: 'degraded', redis: 'does not decide: LIMITER_ON_REDIS_FAILURE=local does' }
  })
  t.equal(await metric(server, 'gatehouse_limiter_fallback_active'), 1)
  await startRedis(t, { port: redis.port })
  await until(async () => (await probe(server, '/readyz')).body.status === 'ready', 'Redis decides again')
  t.equal(await metric(server, 'gatehouse_limiter_fallback_changes_total', { to: 'redis' }), 1)
  t.equal(await metric(server, 'gatehouse_limiter_fallback_changes_total', {
    to: 'fallback', reason: 'no_connection'
  }), 1)

  await postgres.stop()
  t.match(await probe(server, '/readyz'), { status: 503, body: { status: 'not ready', database: 'unreachable' } })
  t.strictSame(await probe(server, '/livez'), { status: 200, body: { status: 'alive' } })
})

t.end()
