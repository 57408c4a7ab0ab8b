// The log reports a proxy that is taken for a client, or a client for a proxy, and nothing else.

import type { FastifyRequest, InjectOptions } from 'fastify'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { parseNetwork } from '#src/base/networks.js'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { watchForProxies } from '#src/plugins/edge/proxy-warnings.js'
import { newDirectory } from '../../fixtures/lifetime.js'
import { newClient, startApp } from '../../fixtures/app.js'
import { newDatabase } from '../../fixtures/shared-postgres.js'

const DATABASE_URL = await newDatabase()

type Line = { level: number, code: string, client?: string }

/** Sends requests of clients past a watcher of its own, and gives what that wrote to the log. */
function watch (trustProxy: string[] = [], production = false): {
  send: (times: number, address: string, headers?: object) => void
  lines: Line[]
} {
  const lines: Line[] = []
  const config = { trustProxy: trustProxy.map(parseNetwork), production, limits: defaultLimits }
  const watched = watchForProxies(config, pino({}, { write: text => lines.push(JSON.parse(text)) }))
  const send = (times: number, address: string, headers: object = {}): void => {
    const client = Object.assign(defaultLimits.clients.parse(address)!, { isTrusted: false })
    for (let i = 0; i < times; i++) watched.request({ headers, viaProxy: false } as FastifyRequest, client)
  }
  return { send, lines }
}

// L33 L34
t.test('the log reports once that nearly all requests come from one private address', async (t) => {
  for (const address of ['10.0.0.7', '172.18.0.1', '192.168.1.1', '100.64.0.9', '169.254.1.1', 'fd00::7', 'fe80::1']) {
    const { send, lines } = watch()
    send(1, '203.0.113.1')
    send(2000, address)
    t.match(lines, [{ level: 40, client: defaultLimits.clients.parse(address)!.key, code: 'proxy_suspected' }], address)
    send(5000, address)
    t.equal(lines.length, 1, 'once')
  }
})

t.test('a share of nine tenths, a public address and this machine itself cause no warning', async (t) => {
  for (const address of ['203.0.113.1', '2001:db8::1', '127.0.0.1', '::1']) {
    const { send, lines } = watch(['10.0.0.0/8'])
    send(5000, address)
    t.same(lines, [], address)
  }
  const { send, lines } = watch()
  for (let i = 0; i < 500; i++) {
    send(9, '10.0.0.7')
    send(1, '10.0.0.8')
  }
  t.same(lines, [])
})

t.test('in production, nearly all requests from this machine are a proxy that nobody named', async (t) => {
  const { send, lines } = watch([], true)
  send(1000, '127.0.0.1')
  t.match(lines, [{ code: 'proxy_suspected', client: '127.0.0.1' }])
})

t.test('the log reports an X-Forwarded-For that is not trusted, once', async (t) => {
  const { send, lines } = watch()
  send(5, '203.0.113.1', { 'x-forwarded-for': '198.51.100.1' })
  t.match(lines, [{ level: 40, code: 'forwarded_header_ignored' }])
  t.equal(lines.length, 1)
})

t.test('an unconfigured proxy in front of the balancer is reported; an exempt client is not', async (t) => {
  const limits = newDirectory(t, { 'limits.json': '{"networks":{"10.8.0.9/32":{"general":"exempt"}}}' })
  const { app, logs } = await startApp(t, { TRUST_PROXY: '10.203.113.0/24', LIMITS_FILE: `${limits}/limits.json` })
  const warnings = (): unknown[] => logs.filter(({ level }) => level === 40)
  const send = async (address: string): Promise<void> => {
    for (let i = 0; i < 1100; i++) {
      await app.inject({ url: '/api/nothing', remoteAddress: '10.203.113.2', headers: { 'x-forwarded-for': address } })
    }
  }
  await send('10.8.0.9')
  t.same(warnings(), [])
  await send('10.8.0.4')
  t.match(warnings(), [{ client: '10.8.0.4', code: 'proxy_suspected' }])
})

/** The app, and the warnings that it has logged. */
async function start (t: Test, TRUST_PROXY: string, environment: NodeJS.ProcessEnv = {}) {
  const { app, logs } = await startApp(t, { DATABASE_URL, TRUST_PROXY, ...environment })
  const ask = async (remoteAddress: string, forwardedFor?: string, options: InjectOptions = {}): Promise<number> => {
    const headers = { ...options.headers, ...forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor } }
    return (await app.inject({ url: '/api/auth/me', ...options, headers, remoteAddress })).statusCode
  }
  const people = { headers: { authorization: 'Bearer x' } }
  return {
    app,
    ask,
    asPeople: async (remoteAddress: string, forwardedFor?: string) => await ask(remoteAddress, forwardedFor, people),
    warnings: () => logs.filter(({ level }) => level === 40).map(({ code, client }) => [code, client])
  }
}

t.test('a proxy beside the one that TRUST_PROXY names is reported, when it forwards several clients', async (t) => {
  const { asPeople, warnings } = await start(t, '10.0.0.5')
  const [one, other] = [newClient(), newClient()]
  for (let i = 0; i < 40; i++) await asPeople('10.0.0.5', newClient())
  for (let i = 0; i < 20; i++) await asPeople('198.51.100.9', one)
  t.same(warnings(), [], 'one client that sends the header is no sign')
  for (let i = 0; i < 20; i++) await asPeople('198.51.100.9', i % 2 ? one : other)
  t.same(warnings(), [['forwarded_header_ignored', '198.51.100.9']])
})

t.test('a few claims among many requests are no sign', async (t) => {
  const { asPeople, warnings } = await start(t, '10.0.0.5')
  for (let i = 0; i < 300; i++) await asPeople('10.0.0.5', newClient())
  for (let i = 0; i < 20; i++) await asPeople('198.51.100.9', newClient())
  t.same(warnings(), [])
})

t.test('a trusted proxy that names no client, or itself, is reported; its health checks are not', async (t) => {
  for (const named of [undefined, 'unknown', '10.0.0.5']) {
    const { ask, asPeople, warnings } = await start(t, '10.0.0.5')
    for (let i = 0; i < 50; i++) await ask('10.0.0.5', named)
    t.same(warnings(), [])
    for (let i = 0; i < 60; i++) await asPeople('10.0.0.5', named)
    t.same(warnings()[0], ['forwarded_header_missing', '10.0.0.5'], `${named}`)
  }
})

t.test('clients in TRUST_PROXY are reported, and a proxy behind another one that logs in is not', async (t) => {
  const { asPeople, warnings } = await start(t, '10.0.0.0/16')
  for (let i = 0; i < 40; i++) await asPeople('10.0.0.5', `10.0.0.${i % 2}`)
  for (let i = 0; i < 40; i++) await asPeople('10.0.0.5', `${newClient()}, 10.0.0.${i}`)
  t.same(warnings(), [])
  await asPeople('10.0.0.5', '10.0.77.7')
  t.same(warnings(), [['clients_trusted', '10.0.77.7']])
})

t.test('a health check that is refused is reported, at the proxy and behind it', async (t) => {
  const limits = newDirectory(t, { 'limits.json': '{"policies":{"general":{"capacity":2,"refill":1,"period":"1h"}}}' })
  for (const forwardedFor of [undefined, '10.0.0.9']) {
    const { app, ask, warnings } = await start(t, '10.0.0.5, 10.0.0.9', { LIMITS_FILE: `${limits}/limits.json` })
    const checker = forwardedFor ?? '10.0.0.5'
    for (let i = 0; i < 3; i++) await ask('10.0.0.5', newClient())
    await ask('10.0.0.5', forwardedFor)
    await ask('10.0.0.5', forwardedFor)
    t.same(warnings(), [])
    t.equal(await ask('10.0.0.5', forwardedFor), 429)
    await ask('10.0.0.5', forwardedFor)
    t.same(warnings(), [['proxy_refused', checker]], 'once')
    t.same(app.replica().proxySigns, { proxy_refused: checker }, 'doctor reads it')
  }
})

t.end()
