// Traces as a collector gets them, from the service as it runs.

import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import { json } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { newClient, newUsername, startApp, startListening } from '../../fixtures/app.js'
import { startCollector } from '../../fixtures/collector.js'
import { newDirectory } from '../../fixtures/lifetime.js'
import { startServer, type RunningServer } from '../../fixtures/process.js'
import { freePort, startRedis } from '../../fixtures/redis.js'
import { newDatabase } from '../../fixtures/shared-postgres.js'
import { open, startTcp } from '../../fixtures/socket.js'
import { ownTime, until } from '../../fixtures/until.js'
import { startRawUpstream, startUpstream } from '../../fixtures/upstream.js'

const password = 'correct horse battery staple'
const headers = { 'content-type': 'application/json' }
/** The flag says that it is sampled. */
const given = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' }
const traceparent = (flags = '01'): string => `00-${given.trace}-${given.span}-${flags}`

/** The SDK reads the environment of this process. */
function setEnvironment (t: Test, environment: NodeJS.ProcessEnv): void {
  Object.assign(process.env, environment)
  t.after(() => { for (const name in environment) delete process.env[name] })
}

t.test('a service with a collector', async (t) => {
  const collector = await startCollector(t)
  const { url: redisUrl } = await startRedis(t)
  const upstream = await startUpstream(t, (arrived, response) => {
    // The first request breaks off, as a server that stops makes it do.
    const again = upstream.arrived.filter(({ url }) => url === arrived.url).length > 1
    if (arrived.url.includes('break') && !again) response.destroy()
    else response.end('{}')
  })
  const server = await startServer(t, {
    ...collector.environment,
    DATA_DIR: newDirectory(t),
    DATABASE_URL: await newDatabase(),
    REDIS_URL: redisUrl,
    TRUST_PROXY: '127.0.0.1',
    MODULES: `/api/student=${upstream.url};public`,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=exam'
  })
  /** The line of the log of the only request of a route with this status. */
  const lineOf = async (route: string, status: number): Promise<Record<string, unknown>> => {
    const isIt = (line: Record<string, unknown>): boolean => line.route === route && line.status === status
    await until(() => server.logs.some(isIt))
    return server.logs.find(isIt)!
  }

  /** The tree of a trace, without commands that another run of the canary may have shared. */
  const ownTree = async (traceId: string): Promise<string[]> =>
    (await collector.tree(traceId)).filter(line => !line.includes('EVALSHA'))

  // If the canary and a request take in the same turn of the event loop, both takes are one command, which may be in no
  // trace. The next run of the canary is in 10 s.
  await until(async () => (await (await fetch(`${server.opsUrl}/metrics`)).text()).includes('gatehouse_canary_ok 1'))

  t.test('the trace of a login has its takes and queries, and its id is in the log', async (t) => {
    const client = newClient()
    const username = newUsername()
    const post = (path: string, body: object): Promise<Response> =>
      fetch(server.url + path, {
        method: 'POST', headers: { ...headers, 'x-forwarded-for': client }, body: JSON.stringify(body)
      })
    t.equal((await post('/auth/UserCreation', { username, password, email: `${username}@school.example` })).status, 201)
    t.equal((await post('/api/auth/login', { username, password })).status, 200)

    const { traceId } = await lineOf('/api/auth/login', 200)
    t.match(traceId, /^[0-9a-f]{32}$/)
    const tree = await ownTree(traceId as string)
    t.same(tree.slice(0, -2), [
      'POST /api/auth/login',
      '  take login',
      '  SELECT users',
      '  take account-address',
      '  take account',
      '  SELECT users',
      '  hash password',
      '  give back account-address',
      '  give back account'
    ])
    t.same(tree.slice(-2).sort(), ['  INSERT known_addresses', '  SELECT users'], 'both at once, a session among them')
    const spans = collector.spans.filter(span => span.traceId === traceId)
    t.match(spans.find(({ parentSpanId }) => parentSpanId === ''), {
      kind: 2,
      failed: false,
      attributes: {
        'http.request.method': 'POST', 'http.route': '/api/auth/login', 'http.response.status_code': 200
      },
      resource: { 'service.name': 'gatehouse', 'service.version': '0.1.0', 'deployment.environment.name': 'exam' }
    })
    t.match(spans.find(({ name }) => name === 'SELECT users'), {
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': /\$1::text\)\) AS attempt/ }
    })
    for (const text of [client, username, password]) t.notMatch(collector.written(), text, 'nothing of a client')
  })

  t.test('a refused request has its code, and only the take that refused it', async (t) => {
    const ask = (): Promise<Response> => fetch(`${server.url}/auth/forgot-password`, {
      method: 'POST', headers: { ...headers, 'x-forwarded-for': client }, body: '{"username":"nobody"}'
    })
    const client = newClient()
    for (let i = 0; i < 3; i++) await ask()
    t.equal((await ask()).status, 429)
    const { traceId } = await lineOf('/auth/forgot-password', 429)
    t.same(await collector.tree(traceId as string), [
      'POST /auth/forgot-password', '  take forgot-password', '    EVALSHA'
    ])
    t.match(collector.spans.findLast(span => span.traceId === traceId && span.parentSpanId === ''), {
      attributes: { 'http.response.status_code': 429, 'gatehouse.code': 'TOO_MANY_REQUESTS' }
    })
  })

  t.test('a path that does not exist is in no span', async (t) => {
    await fetch(`${server.url}/secret-of-somebody`, { headers: { 'x-forwarded-for': newClient() } })
    await until(() => collector.spans.some(({ name }) => name === 'GET'))
    t.notMatch(collector.written(), 'secret-of-somebody')
  })

  t.test('a module continues the trace, also one that a trusted proxy began', async (t) => {
    await fetch(`${server.url}/api/student/7?name=asha`, {
      headers: { 'x-forwarded-for': newClient(), traceparent: traceparent(), tracestate: 'vendor=1' }
    })
    t.same(await ownTree(given.trace), ['GET /api/student/*', '  take general', '  GET'])
    const [{ headers: arrived }] = upstream.arrived.slice(-1) as [typeof upstream.arrived[number]]
    const spans = collector.spans.filter(({ traceId }) => traceId === given.trace)
    const sent = spans.find(({ name }) => name === 'GET')!
    t.equal(spans.find(({ name }) => name === 'GET /api/student/*')!.parentSpanId, given.span)
    t.match(arrived, { traceparent: `00-${given.trace}-${sent.spanId}-01`, tracestate: 'vendor=1' })
    t.match(sent.attributes, { 'server.address': '127.0.0.1', 'http.response.status_code': 200 })
    t.notMatch(collector.written(), 'asha')
  })

  t.test('a request that is sent once more has a span for each time', async (t) => {
    await fetch(`${server.url}/api/student/break`, { headers: { 'x-forwarded-for': newClient() } })
    const [first, second] = upstream.arrived.slice(-2).map(({ headers }) => String(headers.traceparent))
    t.not(first, second)
    const [, traceId] = first!.split('-')
    t.same((await collector.tree(traceId!)).filter(line => line === '  GET').length, 2)
    const sent = (header: string | undefined): object | undefined =>
      collector.spans.find(({ spanId }) => spanId === header?.split('-')[2])
    t.match(sent(first), { traceId, failed: true, attributes: { 'error.type': 'UND_ERR_SOCKET' } })
    t.match(sent(second), { traceId, failed: false })
  })

  t.test('requests that share a command to Redis have takes of their own', async (t) => {
    const before = upstream.arrived.length
    await Promise.all(Array.from({ length: 10 }, () =>
      fetch(`${server.url}/api/student/many`, { headers: { 'x-forwarded-for': newClient() } })))
    for (const { headers } of upstream.arrived.slice(before)) {
      const [, traceId] = String(headers.traceparent).split('-')
      t.same(await ownTree(traceId!), ['GET /api/student/*', '  take general', '  GET'])
    }
  })

  t.test('what a trusted proxy does not sample is not recorded, and a module is told so', async (t) => {
    const trace = 'a'.repeat(32)
    await fetch(`${server.url}/api/student/quiet`, {
      headers: { 'x-forwarded-for': newClient(), traceparent: `00-${trace}-${given.span}-00` }
    })
    t.match(upstream.arrived.at(-1)!.headers.traceparent, new RegExp(`^00-${trace}-(?!${given.span})[0-9a-f]{16}-00$`))
    await until(() => server.logs.some(({ traceId }) => traceId === trace))
    await fetch(`${server.url}/api/student/loud`, { headers: { 'x-forwarded-for': newClient() } })
    await until(() => collector.spans.some(({ traceId }) =>
      traceId === String(upstream.arrived.at(-1)!.headers.traceparent).split('-')[1]))
    t.notOk(collector.spans.some(({ traceId }) => traceId === trace))
  })

  t.test('nobody else can choose a trace, nor can what is no traceparent', async (t) => {
    const outsiders = [
      ['127.0.0.2', traceparent()],
      ['127.0.0.1', `${traceparent()}, ${traceparent()}`],
      ['127.0.0.1', `00-${'0'.repeat(32)}-${given.span}-01`],
      ['127.0.0.1', 'ff'.repeat(5000)]
    ] as const
    for (const [peer, header] of outsiders) {
      await askFrom(server, peer, '/api/student/9', { traceparent: header, tracestate: 'vendor=2' })
      const { traceparent: passed, tracestate } = upstream.arrived.at(-1)!.headers
      t.match(passed, /^00-(?!4bf92f|0{32})[0-9a-f]{32}-[0-9a-f]{16}-01$/, header.slice(0, 60))
      t.equal(tracestate, undefined)
    }
  })

  t.test('a stop sends what is left', async (t) => {
    await fetch(`${server.url}/api/student/last`, { headers: { 'x-forwarded-for': newClient() } })
    const [, traceId] = String(upstream.arrived.at(-1)!.headers.traceparent).split('-')
    t.equal(await server.stop(), 0)
    t.same(await ownTree(traceId!), ['GET /api/student/*', '  take general', '  GET'])
    t.notOk(server.logs.some(({ code }) => code === 'tracing_unavailable'))
  })
})

t.test('a collector that is gone costs requests nothing, and is one line until it is back', async (t) => {
  const port = await freePort()
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    // Long enough for a healthy collector on a busy machine.
    OTEL_EXPORTER_OTLP_TIMEOUT: '3000',
    OTEL_BSP_SCHEDULE_DELAY: '20'
  }
  setEnvironment(t, environment)
  const { app, client, logs } = await startApp(t, environment)
  const coded = (code: string): object[] => logs.filter(line => line.code === code)
  const ask = async (): Promise<number> =>
    (await app.inject({ url: '/nowhere', remoteAddress: client() })).statusCode
  t.equal(await ask(), 404)
  await until(() => coded('tracing_unavailable').length > 0)
  t.equal(await ask(), 404)

  const collector = await startCollector(t, port)
  await until(async () => {
    await ask()
    return coded('tracing_recovered').length > 0
  })
  t.match(coded('tracing_recovered'), [{ lost: Number }])
  t.equal(coded('tracing_unavailable').length, 1)
  await until(() => collector.spans.length > 0)

  // A refusal of it is a failure, too.
  collector.status = 401
  await until(async () => {
    await ask()
    return coded('tracing_unavailable').length === 2
  })
})

t.test('a collector that says nothing does not hold up a stop', async (t) => {
  let connections = 0
  const port = await startTcp(t, () => { connections++ })
  const environment = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_BSP_SCHEDULE_DELAY: '20' }
  setEnvironment(t, environment)
  const { app } = await startApp(t, environment)
  await app.inject('/nowhere')
  await until(() => connections > 0)
  const startedMs = ownTime()
  await app.close()
  // The bound allows for a busy machine. The exporter alone would wait for ten seconds.
  t.ok(ownTime() - startedMs < 5000)
})

t.test('without a collector nothing is stored for traces, and a traceparent passes as it is', async (t) => {
  const { run } = AsyncLocalStorage.prototype
  let runs = 0
  AsyncLocalStorage.prototype.run = function (this: object, ...args: Parameters<typeof run>) {
    runs++
    return run.apply(this, args)
  } as typeof run
  t.after(() => { AsyncLocalStorage.prototype.run = run })

  const upstream = await startUpstream(t)
  const login = async (environment: NodeJS.ProcessEnv): Promise<void> => {
    const { app, login, user, client, logs } = await startApp(t, {
      MODULES: `/api/student=${upstream.url};public`, ...environment
    })
    const { username, password } = await user()
    t.equal((await login(client(), username, password)).statusCode, 200)
    await app.inject({ url: '/api/student', remoteAddress: client(), headers: { traceparent: traceparent() } })
    t.equal(logs.some(({ traceId }) => traceId !== undefined), environment.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined)
  }

  await login({})
  t.equal(runs, 0)
  t.equal(upstream.arrived.at(-1)!.headers.traceparent, traceparent())

  const collector = await startCollector(t)
  const environment = { ...collector.environment, OTEL_EXPORTER_OTLP_PROTOCOL: '' }
  setEnvironment(t, environment)
  await login(environment)
  t.ok(runs > 0, 'where there is one, this is seen')
  await until(() => collector.headers.some(header => header['content-type'] === 'application/x-protobuf'))
})

t.test('the span of a WebSocket to a module ends once, whatever becomes of it', async (t) => {
  const agreement = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'
  const leave = (client: Socket): unknown => client.destroy()
  const nothing = (): void => {}
  const ways: Record<string, [
    answer: string, then: (client: Socket, app: FastifyInstance) => unknown, span: object
  ]> = {
    'the client closes': [agreement, leave, { failed: false, attributes: { 'http.response.status_code': 101 } }],
    'the module refuses': ['HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n', nothing, {
      failed: true, attributes: { 'http.response.status_code': 403 }
    }],
    'the client leaves before the answer': ['', leave, {
      failed: true, attributes: { 'error.type': 'CLIENT_CLOSED_REQUEST' }
    }],
    'the service stops before the answer': ['', (_client, app) => app.close(), { failed: true }]
  }
  const collector = await startCollector(t)
  setEnvironment(t, collector.environment)
  for (const [way, [answer, then, span]] of Object.entries(ways)) {
    let asked = false
    const module = await startRawUpstream(t, socket => socket.once('data', () => {
      asked = true
      socket.write(answer)
    }))
    const { app, logs } = await startListening(t, { ...collector.environment, MODULES: `/api/hostel=${module};public` })
    const client = await open(app)
    client.write('GET /api/hostel/feed HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n')
    if (answer === '') await until(() => asked)
    else await once(client, 'data')
    await then(client, app)
    await until(() => logs.some(({ route }) => route === '/api/hostel/*'), way)
    const { traceId } = logs.find(({ route }) => route === '/api/hostel/*')!
    t.same(await collector.tree(traceId as string), ['GET /api/hostel/*', '  take general', '  GET'], way)
    t.match(collector.spans.filter(one => one.traceId === traceId && one.name === 'GET'), [span], way)
    client.destroy()
    await app.close()
    t.equal(collector.spans.filter(one => one.traceId === traceId).length, 3, `${way}: nothing ends later`)
  }
})

/** Sends a request from this address of the loopback network. */
async function askFrom (
  server: RunningServer, localAddress: string, path: string, headers: Record<string, string>
): Promise<unknown> {
  const asked = httpRequest(server.url + path, { localAddress, headers }).end()
  const [response] = await once(asked, 'response') as Parameters<NonNullable<Parameters<typeof httpRequest>[2]>>
  return await json(response)
}

t.end()
