// Health and metrics tell the truth on a listener of their own: at the start, in an outage and during shutdown.

import { spawn } from 'node:child_process'
import dns from 'node:dns'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, METHODS, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { command } from './fixtures/command.js'
import { end, newDirectory } from './fixtures/lifetime.js'
import { startOps, type TestOps } from './fixtures/ops.js'
import { startPostgres } from './fixtures/postgres.js'
import { startServer } from './fixtures/process.js'
import { startRedis } from './fixtures/redis.js'
import { until } from './fixtures/until.js'

const postgres = await startPostgres(t)

interface Service extends TestOps { url: string }

/** The app on a real port, with its second listener. */
async function serve (t: Test, environment: NodeJS.ProcessEnv = {}): Promise<Service> {
  const service = await startOps(t, { DATABASE_URL: postgres.url, ...environment })
  return { ...service, url: await service.app.listen({ host: '127.0.0.1', port: 0 }) }
}

async function probe ({ ops }: Service, url: string): Promise<{ status: number, body: Record<string, unknown> }> {
  const reply = await ops.inject({ url })
  return { status: reply.statusCode, body: reply.json() }
}

const metricsOf = async ({ ops }: Service): Promise<string> => (await ops.inject('/metrics')).body

async function metric (service: Service, name: string, labels: Record<string, string> = {}): Promise<number> {
  const values = (await metricsOf(service)).split('\n')
    .filter(line => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter(line => Object.entries(labels).every(([key, value]) => line.includes(`${key}="${value}"`)))
  return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

/**
 * Every series that Prometheus would keep, without its value; but none of the garbage collector and of open handles,
 * whose labels are Node's own kinds of them.
 */
const seriesOf = async (service: Service): Promise<string[]> => (await metricsOf(service)).split('\n')
  .filter(line => line !== '' && !/^(#|nodejs_gc|nodejs_active_\w+\{)/.test(line))
  .map(line => line.slice(0, line.lastIndexOf(' '))).sort()

const methods = METHODS.filter(method => method !== 'CONNECT')

/** Five requests of each of as many clients: paths and methods of its own, known to Node or not. */
async function flood (t: Test, { url }: Service, clients: number): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  t.after(() => agent.destroy())
  for (let i = 0; i < clients; i++) {
    const method = methods[i % methods.length]!
    const headers = { 'x-forwarded-for': `198.51.${i >> 8}.${i & 255}` }
    for (const [name, path] of [
      [i % 2 ? 'GET' : 'PUT', `/api/${i}/${Math.random()}?x=${i}`], [method, '/api/auth/me'],
      [method, `/api/student/${Math.random()}`], [method, `/api/hostel/${Math.random()}`],
      [`INVENTED${i}`, '/api/auth/me']
    ]) {
      const outgoing = request(new URL(path!, url), { method: name!, headers, agent }).end()
      const [reply] = await once(outgoing, 'response') as [IncomingMessage]
      await once(reply.resume(), 'end')
    }
  }
}

t.test('a network that OPS_NETWORKS does not list reads nothing', async (t) => {
  const { ops } = await startOps(t, { DATABASE_URL: postgres.url, OPS_NETWORKS: '10.1.0.0/16,fd00::/8' })
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

// L80 S25
t.test('metrics count what happened, with labels that no client can choose', async (t) => {
  const service = await serve(t, { TRUST_PROXY: '127.0.0.1', MODULES: '/api/student=http://127.0.0.1:9;public' })
  const { login, client, user } = service
  const [{ username, password }, visitor] = [await user(), client()]
  t.equal((await login(visitor, username, password)).statusCode, 200)
  for (let i = 0; i < 5; i++) await login(visitor, username, 'wrong horse')
  await until(async () => (await seriesOf(service)).includes('gatehouse_canary_ok'), 'a canary has ended')
  await flood(t, service, methods.length)
  const before = await seriesOf(service)

  await flood(t, service, 100)

  t.same(await seriesOf(service), before, '100 clients, paths and methods more are no series more')
  const text = await metricsOf(service)
  t.notMatch(text, /method="(PROPFIND|PURGE)"/, 'nor does a module without an upstream bring methods')
  t.notMatch(text, new RegExp(`127\\.0\\.0\\.1|${username}|horse`))
  for (const [name, labels, value] of [
    ['logins_total', { outcome: 'success' }, 1],
    ['logins_total', { outcome: 'failure' }, 4],
    ['logins_total', { outcome: 'throttled' }, 1],
    ['limiter_decisions_total', { policy: 'login', outcome: 'admitted' }, 5],
    ['limiter_decisions_total', { policy: 'login', outcome: 'refused' }, 1],
    ['limiter_decisions_total', { policy: 'account', outcome: 'admitted' }, 5],
    // There is no Redis.
    ['limiter_take_duration_seconds_count', {}, 0],
    ['hash_duration_seconds_count', {}, 5],
    ['http_request_duration_seconds_count', { route: 'none', status: '404' }, methods.length + 100]
  ] as const) {
    t.equal(await metric(service, `gatehouse_${name}`, labels), value, `${name} ${JSON.stringify(labels)}`)
  }
  for (const name of [
    'gatehouse_hash_queue_length', 'gatehouse_build_info', 'gatehouse_limiter_deny_cache_hits_total',
    'gatehouse_limiter_replicas', 'nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total'
  ]) {
    t.match(text, new RegExp(`^${name}[ {]`, 'm'))
  }
})

// S94
t.test('health and metrics are on their own listener only, with the common error shape', async (t) => {
  const service = await serve(t)

  for (const url of ['/livez', '/readyz', '/metrics']) {
    t.equal((await service.app.inject({ url, remoteAddress: service.client() })).statusCode, 404, url)
    t.equal((await service.ops.inject({ url })).statusCode, 200, url)
  }
  const missing = await probe(service, '/api/auth/login?x=1')
  t.strictSame({ ...missing.body, timestamp: '' }, {
    timestamp: '', status: 404, error: 'Not Found', message: 'There is nothing at this path.', path: '/api/auth/login'
  })
})

t.test('after SIGTERM /readyz fails first, requests that still come are served, and the exit code is 0', async (t) => {
  const redis = await startRedis(t)
  const server = await startServer(t, {
    NODE_ENV: 'production',
    DATA_DIR: newDirectory(t),
    REDIS_URL: redis.url,
    DATABASE_URL: postgres.url,
    JWT_SECRET: 'Fj3kd0-asd92kLsdk3jf92-akd83jfkal9'
  })
  const login = (): Promise<Response> => fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"username":"nobody","password":"wrong horse"}'
  })
  // The first login takes longest, and a shutdown gives load balancers only two and a half seconds to notice.
  t.equal((await login()).status, 401)
  const underWay = login()
  await new Promise(resolve => setTimeout(resolve, 50))

  const stopped = server.stop()

  await until(async () => (await fetch(`${server.opsUrl}/readyz`)).status === 503, '/readyz fails')
  const [late, ready] = await Promise.all([login(), fetch(`${server.opsUrl}/readyz`)])
  t.equal(late.status, 401, 'a balancer has not noticed yet')
  t.match(await ready.json(), { status: 'not ready', draining: true, database: 'reachable' })
  t.equal((await underWay).status, 401)
  t.equal(late.headers.get('connection'), 'close')
  t.equal(await stopped, 0)
})

t.test('a replica that starts before the schema is there waits for it, and says so once', async (t) => {
  await (await postgres.connect()).query('CREATE DATABASE unmigrated TEMPLATE template0')
  const { href: DATABASE_URL } = Object.assign(new URL(postgres.url), { pathname: '/unmigrated' })
  const service = await serve(t, { DATABASE_URL })
  const waiting = { status: 503, body: { status: 'not ready', started: true, database: 'not migrated' } }
  for (let i = 0; i < 3; i++) t.match(await probe(service, '/readyz'), waiting)
  t.match(await probe(service, '/livez'), { status: 200 })

  t.match(await command(['migrate'], { DATABASE_URL }), { code: 0 })

  await until(async () => (await probe(service, '/readyz')).body.database === 'reachable')
  t.match(await probe(service, '/readyz'), { status: 200 })
  t.equal((await service.login(service.client(), 'nobody', 'wrong horse')).statusCode, 401)
  const codes = service.logs.map(({ code }) => code).filter(code => /schema|database|revocations/.test(String(code)))
  t.strictSame(codes, ['schema_missing', 'database_recovered'])
})

// B14
t.test('/readyz is 503 until every address of HOST accepts connections', async (t) => {
  const service = await startOps(t, { DATABASE_URL: postgres.url })
  const status = async (): Promise<number> => (await service.ops.inject('/readyz')).statusCode
  // Fastify asks for the second address of localhost when it listens at the first.
  let answer: (() => void) | undefined
  const { lookup } = dns
  t.after(() => { dns.lookup = lookup })
  dns.lookup = ((...asked: [string, { all: true }, (error: null, addresses: []) => void]) => {
    const isSecond = asked[0] === 'localhost' && asked[1].all && service.app.server.listening
    if (isSecond) answer = () => asked[2](null, [])
    else lookup(...asked as unknown as Parameters<typeof lookup>)
  }) as unknown as typeof lookup

  const listening = service.app.listen({ host: 'localhost', port: 0 })
  await until(() => service.app.server.listening && answer !== undefined)
  await until(() => service.app.states.database.value === 'reachable')
  const early = await status()
  answer!()
  await listening

  t.same([early, await status()], [503, 200])
})

t.test('the health check of the image passes with a 200 of /readyz alone', async (t) => {
  const { app, ops } = await startOps(t, { DATABASE_URL: postgres.url })
  await until(() => app.states.database.value === 'reachable')
  await ops.listen({ host: '127.0.0.1', port: 0 })
  const { port } = ops.server.address() as AddressInfo
  const dockerfile = readFileSync(new URL('../Dockerfile', import.meta.url), 'utf8').replaceAll('\\\n', '')
  const [program, ...args] = JSON.parse(/^HEALTHCHECK .* CMD (.*)$/m.exec(dockerfile)![1]!) as [string, ...string[]]
  const code = async (): Promise<unknown> =>
    (await once(spawn(program, args.map(arg => arg.replace('9464', String(port)))), 'exit'))[0]

  const early = await code()
  await app.listen({ host: '127.0.0.1', port: 0 })
  const ready = await code()
  await ops.close()
  t.same([early, ready, await code()], [1, 0, 1])
})

// The last one, because it ends PostgreSQL.
t.test('/readyz is degraded without Redis, and without PostgreSQL 503 unless the database is optional', async (t) => {
  const redis = await startRedis(t)
  const service = await serve(t, { REDIS_URL: redis.url, DATABASE_URL: postgres.url })
  await until(async () => (await probe(service, '/readyz')).body.status === 'ready')
  t.strictSame([await probe(service, '/readyz'), await metric(service, 'gatehouse_limiter_fallback_active')], [
    { status: 200, body: { status: 'ready', started: true, draining: false, database: 'reachable', redis: 'decides' } },
    0
  ])
  await redis.client.zadd('gatehouse:replicas', Date.now() + 60_000, 'another replica')
  await until(async () => await metric(service, 'gatehouse_limiter_replicas') === 2, 'it knows of two replicas')

  await end(redis.process)
  t.equal((await service.login(service.client(), 'nobody', 'wrong horse')).statusCode, 401)
  t.match(await probe(service, '/readyz'), {
    status: 200, body: { status: 'degraded', redis: 'does not decide' }
  })
  t.equal(await metric(service, 'gatehouse_limiter_fallback_active'), 1)
  await startRedis(t, { port: redis.port })
  await until(async () => (await probe(service, '/readyz')).body.status === 'ready', 'Redis decides again')
  t.equal(await metric(service, 'gatehouse_limiter_fallback_changes_total', { to: 'redis' }), 1)
  t.equal(await metric(service, 'gatehouse_limiter_fallback_changes_total', {
    to: 'fallback', reason: 'no_connection'
  }), 1)

  await postgres.stop()
  await until(async () => (await probe(service, '/readyz')).body.database === 'unreachable')
  t.match(await probe(service, '/readyz'), { status: 503, body: { status: 'not ready' } })
  t.strictSame(await probe(service, '/livez'), { status: 200, body: { status: 'alive' } })
  // What it still serves is in tokens-in-outages.test.ts.
  t.match(await probe(service, '/readyz?database=optional'), {
    status: 200, body: { status: 'degraded', database: 'unreachable' }
  })
  const late = await serve(t)
  t.match(await probe(late, '/readyz?database=optional'), { status: 503 }, 'it has never read the revoked tokens')
})

t.end()
