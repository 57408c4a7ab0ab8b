// The service starts with nothing but npm, reports why it cannot start, and stops in time whatever clients, mails and
// its log do.

import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { newKeyPair } from './fixtures/keys.js'
import { newDirectory } from './fixtures/lifetime.js'
import { startPostgres } from './fixtures/postgres.js'
import { run, startServer, type RunningServer } from './fixtures/process.js'
import { freePort, startRedis } from './fixtures/redis.js'
import { demoDatabase } from './fixtures/shared-postgres.js'
import { hang, startSmtp } from './fixtures/smtp.js'
import { until } from './fixtures/until.js'
import { listen } from './fixtures/upstream.js'

// Opening an embedded database takes seconds of CPU time. Only the first test does that.
const { url: DATABASE_URL, connect: connectToPostgres } = await startPostgres(t)
await demoDatabase(DATABASE_URL)

const start = (t: Test, environment: NodeJS.ProcessEnv = {}): Promise<RunningServer> =>
  startServer(t, { DATA_DIR: newDirectory(t), DATABASE_URL, ...environment })

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

/** A client that sends this, and no more. */
async function sayOnly (port: number | string, text: string): Promise<Socket> {
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

const halfBody =
  'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'

t.test('a newcomer logs in with the demo account, and the token and its secret outlive a restart', async (t) => {
  const dataDir = join(newDirectory(t), 'data')
  const secretFile = join(dataDir, 'jwt-secret')
  const server = await startServer(t, { DATA_DIR: dataDir }, { fresh: true })
  const lines = (code: string) => server.logs.filter(line => line.code === code)
  t.match(lines('demo_account_created'), [{ username: 'demo', role: 'USER' }, { username: 'admin', role: 'ADMIN' }])
  t.match(lines('limit')[0], { policy: 'login', capacity: 5, refill: 1, periodMs: 60_000 })

  const login = await post(`${server.url}/api/auth/login`, { username: 'demo', password: 'gatehouse-demo' })
  t.equal(login.status, 200)
  const { data: { token } } = await login.json() as { data: { token: string } }
  t.equal(await server.stop(), 0)
  t.equal(statSync(secretFile).mode & 0o777, 0o600)
  const secret = readFileSync(secretFile, 'utf8')

  const again = await startServer(t, { DATA_DIR: dataDir })
  t.notOk(again.logs.some(({ code }) => code === 'demo_account_created'))
  t.equal((await fetch(`${again.url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status, 200)
  t.equal(readFileSync(secretFile, 'utf8'), secret)

  const second = await run('server', [], { DATA_DIR: dataDir, PORT: '0' })
  t.match(second, { code: 1, stdout: /in use by process \d+/ }, 'no other service has this database')
})

t.test('a running service', async (t) => {
  const { server, write, hangUp, tokenOf, statusOf, module, smtp, verifyPort } = await startReloadable(t)
  const modules = (settings: object) => JSON.stringify({ modules: settings })
  const upstream = module.url

  // B15
  await t.test('SIGHUP adds a module, changes its roles over the same connection, and removes it', async (t) => {
    const token = await tokenOf('demo')
    const ask = (): Promise<number> => statusOf('/api/hostel/x', token)
    t.equal(await ask(), 404)

    write('modules.json', modules({ '/api/hostel': { upstream, roles: ['USER'] } }))
    t.match(await hangUp('settings_reloaded'), { changed: ['MODULES_FILE'] })
    t.equal(await ask(), 200)
    const underWay = statusOf('/api/hostel/slow', token)
    await until(() => module.waiting.length === 1)
    write('modules.json', modules({ '/api/hostel': { upstream, roles: ['ADMIN'] } }))
    await hangUp('settings_reloaded')
    t.equal(await ask(), 403)
    t.equal(await statusOf('/api/hostel/x', await tokenOf('admin')), 200)
    t.equal(module.connections(), 2, 'one for each request under way')
    write('modules.json', modules({}))
    await hangUp('settings_reloaded')

    t.equal(await ask(), 404)
    module.waiting[0]!.end()
    t.equal(await underWay, 200, 'a request under way finishes')
  })

  await t.test('SIGHUP rotates keys, and tokens of a key that is still listed stay valid', async (t) => {
    const [one, other] = [newKey(), newKey()]
    const listed = async (): Promise<number> =>
      (await (await fetch(`${server.url}/.well-known/jwks.json`)).json() as { keys: unknown[] }).keys.length
    write('keys', one)
    t.match(await hangUp('settings_reloaded'), { changed: ['JWT_PRIVATE_KEY_FILE'] })
    const old = await tokenOf('demo')

    write('keys', other + one)
    await hangUp('settings_reloaded')
    const young = await tokenOf('demo')
    t.same([await statusOf('/api/auth/me', old), await statusOf('/api/auth/me', young), await listed()], [200, 200, 2])

    write('keys', other)
    await hangUp('settings_reloaded')
    t.same([await statusOf('/api/auth/me', old), await statusOf('/api/auth/me', young), await listed()], [401, 200, 1])
  })

  await t.test('SIGHUP takes over the password of PostgreSQL, for the next connection', async (t) => {
    const client = await connectToPostgres()
    await client.query("ALTER ROLE rotated PASSWORD 'two'")
    await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'rotated'")
    write('database', databaseUrl('two'))

    await hangUp('settings_reloaded')

    t.ok(await tokenOf('demo'))
  })

  await t.test('SIGHUP changes nothing if a file has a fault or needs a restart, and names every fault', async (t) => {
    write('limits.json', limits('many'))
    write('modules.json', modules({ '/api/hostel': { upstream: 'hostel' } }))
    write('keys', 'no key')
    t.match(await hangUp('settings_not_reloaded'), {
      faults: [/^MODULES_FILE: .*upstream/, /^JWT_PRIVATE_KEY: /, /^LIMITS_FILE: policies.login.capacity/]
    })

    write('limits.json', limits(8))
    write('modules.json', modules({ '/api/hostel': { upstream } }))
    write('keys', newKey())
    write('token', 'bT5vRz8Wn2Qx7Lb4Ys9Hd6Jc3Fm1GpAe')
    t.match(await hangUp('settings_not_reloaded'), { faults: [/^OPS_TOKEN_FILE: has changed, which needs a restart/] })

    const bucket = await fetch(`${server.opsUrl}/buckets/login/192.0.2.1`, { headers: { authorization } })
    t.match(await bucket.json(), { tokens: 70 })
    t.equal(await statusOf('/api/hostel/x', ''), 404)
  })

  await t.test('has its port, which another one reports', async (t) => {
    t.match(await run('server', [], {
      PORT: new URL(server.url).port, DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', DATA_DIR: newDirectory(t)
    }), { code: 1, stdout: /EADDRINUSE/ })
  })

  await t.test('stops in time, whatever a slow mail server and half requests on each listener do', async (t) => {
    t.ok(server.logs.some(({ msg }) => msg === `proxies may ask http://127.0.0.1:${verifyPort}/verify`))
    t.equal((await post(`${server.url}/auth/forgot-password`, { username: 'demo' })).status, 200)
    await until(() => smtp.connections() > 0)
    t.equal(smtp.connections(), 1)
    await sayOnly(new URL(server.url).port, halfBody)
    await sayOnly(verifyPort, 'GET /verify HTTP/1.1\r\nHost:')
    await setTimeout(300)

    t.equal(await server.stop(), 0)

    t.match(server.logs.find(({ code }) => code === 'mail_delayed'), { cause: /aborted/ },
      'the mail waits for another replica')
  })
})

const authorization = 'Bearer kT5vRz8Wn2Qx7Lb4Ys9Hd6Jc3Fm1GpAe'
const limits = (capacity: unknown) => JSON.stringify({ policies: { login: { capacity, refill: 1, period: '1m' } } })
const newKey = (): string =>
  newKeyPair('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const databaseUrl = (password: string): string =>
  Object.assign(new URL(DATABASE_URL), { username: 'rotated', password }).href

/** A service whose settings are in files, a module whose path /slow waits, and a mail server that hangs. */
async function startReloadable (t: Test) {
  const client = await connectToPostgres()
  await client.query("CREATE ROLE rotated LOGIN SUPERUSER PASSWORD 'one'")
  const directory = newDirectory(t)
  const write = (name: string, text: string): void => writeFileSync(join(directory, name), text)
  const files = {
    LIMITS_FILE: ['limits.json', limits(70)],
    MODULES_FILE: ['modules.json', '{"modules":{}}'],
    JWT_PRIVATE_KEY_FILE: ['keys', newKey()],
    DATABASE_URL_FILE: ['database', databaseUrl('one')],
    OPS_TOKEN_FILE: ['token', authorization.slice('Bearer '.length)]
  } as const
  for (const [name, text] of Object.values(files)) write(name!, text!)
  const environment = Object.entries(files).map(([name, [file]]) => [name, join(directory, file)])
  const [smtp, verifyPort] = [await startSmtp(t), await freePort()]
  smtp.on.data = hang
  const server = await start(t, {
    DATABASE_URL: '',
    SMTP_URL: smtp.url,
    PUBLIC_URL: 'https://login.school.example',
    VERIFY_PORT: String(verifyPort),
    TRUST_PROXY: '127.0.0.1',
    ...Object.fromEntries(environment)
  })

  const waiting: ServerResponse[] = []
  const sockets = new Set<unknown>()
  const url = await listen(t, (request, response) => {
    sockets.add(request.socket)
    if (request.url!.endsWith('/slow')) waiting.push(response)
    else response.end()
  })
  return {
    server,
    write,
    smtp,
    verifyPort,
    module: { url, waiting, connections: () => sockets.size },
    async hangUp (code: string): Promise<object | undefined> {
      const before = server.logs.length
      server.signal('SIGHUP')
      await until(() => server.logs.slice(before).some(line => line.code === code))
      return server.logs.slice(before).find(line => line.code === code)
    },
    async tokenOf (username: string): Promise<string> {
      const reply = await post(`${server.url}/api/auth/login`, { username, password: `gatehouse-${username}` })
      return (await reply.json() as { data: { token: string } }).data.token
    },
    async statusOf (path: string, token: string): Promise<number> {
      return (await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status
    }
  }
}

t.test('the log', async (t) => {
  const redis = await startRedis(t, { args: ['--requirepass', 'the right one'] })
  const server = await start(t, {
    REDIS_URL: `redis://:hunter2hunter2@127.0.0.1:${redis.port}`, TRUST_PROXY: '127.0.0.1'
  })

  await t.test('never contains the password of Redis', async (t) => {
    const login = await post(`${server.url}/api/auth/login`, { username: 'demo', password: 'gatehouse-demo' })
    t.equal(login.status, 200)
    await until(() => /WRONGPASS/.test(JSON.stringify(server.logs)))
    t.notMatch(JSON.stringify(server.logs), /hunter2/)
  })

  await t.test('that is no longer read holds nothing up, and the service stops on SIGTERM', async (t) => {
    server.stallOutput()

    // Far more lines than the 64 KiB of a pipe.
    for (let i = 0; i < 30; i++) {
      const replies = await Promise.all(Array.from({ length: 30 }, (_, j) =>
        fetch(`${server.url}/nowhere`, { headers: { 'x-forwarded-for': `10.0.${i}.${j}` } })))
      if (!replies.every(({ status }) => status === 404)) t.fail('a request failed')
    }

    t.equal(await server.stop(), 0)
  })
})

t.test('all faults of a configuration are reported at once, before anything listens', async (t) => {
  const { code, stdout, stderr } = await run('server', [], {
    PORT: 'x', TRUST_PROXY: 'all', NODE_ENV: 'production', DATA_DIR: newDirectory(t)
  })

  t.equal(code, 1)
  t.equal(stdout, '')
  t.match(stderr, /^The configuration has 5 faults:\n/)
  t.match(stderr, /PORT: must be a port from 0 to 65535\n/)
  t.match(stderr, /See \.env\.example for every variable\.\n$/)
})

t.test('a Redis that hangs delays the shutdown to eleven seconds at most, whatever its timeout', async (t) => {
  const redis = await startRedis(t)
  const server = await start(t, { REDIS_URL: redis.url, REDIS_TIMEOUT_MS: '10000' })
  redis.process.kill('SIGSTOP')

  t.equal(await server.stop(), 0)

  t.ok(server.logs.some(({ code }) => code === 'stopped_waiting'))
})

t.end()
