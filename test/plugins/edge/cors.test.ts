// Pages of allowed origins may read every answer, and other pages none. A preflight takes no token.

import type { InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import { freePort } from '../../fixtures/redis.js'
import { startApp } from '../../fixtures/app.js'
import { noChromium, openBrowser } from '../../fixtures/chromium.js'
import { newDatabase } from '../../fixtures/shared-postgres.js'
import { listen } from '../../fixtures/upstream.js'

const page = 'https://erp.example'
const balancer = '198.51.100.7'
const DATABASE_URL = await newDatabase()
const { app, client, logs, user } = await startApp(t, {
  DATABASE_URL,
  CORS_ORIGINS: `${page},http://erp.example:8080,capacitor://localhost,ionic://localhost:8100,moz-extension://a-b`,
  CORS_HEADERS: 'X-Tenant',
  PUBLIC_URL: 'https://gate.example',
  TRUST_PROXY: `${balancer}/32`
})

const ask = (origin: string | undefined, options: InjectOptions = {}) =>
  app.inject({
    url: '/api/auth/me',
    remoteAddress: client(),
    ...options,
    headers: { ...origin !== undefined && { origin }, ...options.headers }
  })

const preflight = (origin: string, headers: Record<string, string> = {}, options: InjectOptions = {}) =>
  ask(origin, {
    method: 'OPTIONS',
    url: '/api/auth/login',
    ...options,
    headers: { 'access-control-request-method': 'POST', ...headers }
  })

// S74
t.test('the answer to an allowed page names exactly its origin and varies by it', async (t) => {
  for (const origin of [
    page, 'http://erp.example:8080', 'https://gate.example', 'capacitor://localhost', 'ionic://localhost:8100',
    'moz-extension://a-b'
  ]) {
    const { statusCode, headers } = await ask(origin)
    t.equal(statusCode, 401)
    t.equal(headers['access-control-allow-origin'], origin)
    t.equal(headers.vary, 'Origin')
  }
})

t.test('the log line of a refused origin names it', async (t) => {
  const { headers } = await ask('capacitor://other host')

  t.match(logs.find(({ reqId }) => reqId === headers['x-request-id']), { status: 403, origin: 'capacitor://other?host' })
})

// As a proxy of a development server sends it that replaces Host: Vite's does for a target that is written as a string.
t.test('the answer to a refused page names the setting that lists origins', async (t) => {
  const origin = await ask('http://localhost:5173', { headers: { host: 'localhost:3000' } })
  const headers = await preflight(page, { 'access-control-request-headers': 'x-unlisted' })

  t.match(origin.json(), { status: 403, message: /CORS_ORIGINS does not list it/ })
  t.match(headers.json(), { status: 403, message: /CORS_HEADERS does not list them/ })
})

// S74
t.test('a page of any other origin gets 403 in the common shape and may not read it', async (t) => {
  const foreign = [
    'https://evil.example', 'null', '', 'capacitor://localhost:1', 'capacitor://evil', 'ionic://localhost',
    'https://erp.example.evil', 'https://evilerp.example',
    'https://sub.erp.example', 'http://erp.example',
    'https://erp.example:8443', 'https://erp.example:443', 'http://erp.example:80', 'https://ERP.example',
    'https://erp.example/', 'https://erp.example.',
    `${page}, https://evil.example`, '*'
  ]
  for (const origin of foreign) {
    for (const reply of [await ask(origin), await preflight(origin)]) {
      t.match(reply.json(), { status: 403, error: 'Forbidden' }, `"${origin}" is refused`)
      t.equal(reply.headers['access-control-allow-origin'], undefined)
      t.equal(reply.headers.vary, 'Origin', 'a cache keeps it from pages of other origins')
    }
  }
})

t.test('with PUBLIC_URL set, no Host makes a page same-origin, not even an address', async (t) => {
  for (const host of ['evil.example', 'localhost', '127.0.0.1:3000', '[::1]']) {
    for (const origin of [`http://${host}`, `https://${host}`]) {
      t.equal((await ask(origin, { headers: { host } })).statusCode, 403, origin)
    }
  }
})

t.test('without PUBLIC_URL a page of this host passes, over http only if the request came by http', async (t) => {
  const { app } = await startApp(t, { DATABASE_URL, TRUST_PROXY: `${balancer}/32` })
  const cases: Array<[origin: string, host: string, proto: string, status: number]> = [
    ['http://192.0.2.7', '192.0.2.7', 'http', 401],
    ['https://192.0.2.7', '192.0.2.7', 'https', 401],
    ['http://localhost:3000', 'LocalHost:3000', 'http', 401],
    ['http://[2001:db8::1]', '[2001:db8::1]', 'http', 401],
    ['http://192.0.2.7', '192.0.2.7', 'https', 403],
    ['http://192.0.2.7', '192.0.2.7:3000', 'http', 403],
    ['http://192.0.2.7/x', '192.0.2.7', 'http', 403],
    ['http://user@192.0.2.7', '192.0.2.7', 'http', 403],
    ['ftp://192.0.2.7', '192.0.2.7', 'http', 403],
    // The owner of a name can point it to this service (DNS rebinding).
    ['http://evil.example', 'evil.example', 'http', 403],
    ['http://localhost.evil.example', 'localhost.evil.example', 'http', 403],
    ['http://192.0.2.7.', '192.0.2.7.', 'http', 403],
    ['http://gate.internal', 'gate.internal', 'http', 403]
  ]
  for (const [origin, host, proto, status] of cases) {
    const headers = { origin, host, 'x-forwarded-for': client(), 'x-forwarded-proto': proto }
    const { statusCode } = await app.inject({ url: '/api/auth/me', remoteAddress: balancer, headers })
    t.equal(statusCode, status, `${origin} at ${proto}://${host}`)
  }
})

t.test('X-Forwarded-Host makes no page same-origin', async (t) => {
  const headers = { host: 'gate.internal', 'x-forwarded-for': client(), 'x-forwarded-host': 'evil.example' }
  t.equal((await ask('https://evil.example', { remoteAddress: balancer, headers })).statusCode, 403)
})

t.test('a request without an Origin passes, and no page may read its answer', async (t) => {
  const { statusCode, headers } = await ask(undefined)
  t.equal(statusCode, 401)
  t.equal(headers['access-control-allow-origin'], undefined)
  t.equal(headers.vary, 'Origin')
})

t.test('a page of another origin takes no token, and its body is not read', async (t) => {
  const remoteAddress = client()
  const post = (origin?: string) => ask(origin, {
    method: 'POST', url: '/api/auth/login', remoteAddress, payload: '{', headers: { 'content-type': 'application/json' }
  })
  for (let i = 0; i < 10; i++) t.equal((await post('https://evil.example')).statusCode, 403)
  for (let i = 0; i < 5; i++) t.equal((await post()).statusCode, 400)
  t.equal((await post()).statusCode, 429)
})

// S76
t.test('an allowed preflight gets 204 on every path, with the permitted methods and headers', async (t) => {
  for (const url of ['/api/auth/login', '/api/auth/me', '/auth/UserCreation', '/nowhere', '/%zz', '*']) {
    const { statusCode, headers, body } = await preflight(page, {}, { url })
    t.equal(statusCode, 204, url)
    t.equal(body, '')
    t.match(headers, {
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
      'access-control-max-age': '600',
      vary: 'Origin'
    })
  }
})

// L47 S76
t.test('no preflight takes a token, allowed or refused, and none needs one', async (t) => {
  const remoteAddress = client()
  for (let i = 0; i < 40; i++) {
    t.equal((await preflight(page, {}, { remoteAddress, url: '/api/auth/me' })).statusCode, 204)
    t.equal((await preflight(page, {}, { remoteAddress, url: `/nowhere/${i}` })).statusCode, 204)
    for (const refused of [{ 'access-control-request-method': 'PUT' }, { 'access-control-request-headers': 'x-a' }]) {
      t.equal((await preflight(page, refused, { remoteAddress })).statusCode, 403)
    }
  }
  const statuses = []
  for (let i = 0; i < 101; i++) statuses.push((await ask(page, { remoteAddress })).statusCode)
  t.strictSame(statuses, [...Array(100).fill(401), 429])
  t.equal((await preflight(page, {}, { remoteAddress, url: '/api/auth/me' })).statusCode, 204)
})

t.test('a preflight for another method gets 403 in the common shape', async (t) => {
  const method = 'access-control-request-method'
  for (const refused of ['PUT', 'PATCH', 'post', 'PROPFIND', '']) {
    const reply = await preflight(page, { [method]: refused })
    t.match(reply.json(), { status: 403, error: 'Forbidden', path: '/api/auth/login' }, refused)
    t.equal(reply.headers['access-control-allow-methods'], undefined)
  }
  for (const allowed of ['GET', 'HEAD']) {
    t.equal((await preflight(page, { [method]: allowed })).statusCode, 204, allowed)
  }
})

t.test('a page whose tools add headers of their own to each request can log in', async (t) => {
  for (const added of [
    'content-type,sentry-trace,baggage', 'traceparent, tracestate', 'x-requested-with', 'X-DATADOG-Trace-Id',
    'newrelic', 'request-context,request-id', 'b3', 'x-b3-spanid', 'range', 'if-none-match', 'x-tenant', ',', ''
  ]) {
    const { statusCode, headers } = await preflight(page, { 'access-control-request-headers': added })
    t.equal(statusCode, 204, added)
    const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(', ')
    t.strictSame(added.split(/, ?/).filter(name => name !== '' && !allowed.includes(name.toLowerCase())), [])
  }
})

t.test('a preflight for another header gets 403 in the common shape, and its log line names it', async (t) => {
  for (const [refused, named] of [
    ['x-other', 'x-other'], ['authorization,x-api-key', 'x-api-key'], ['cookie', 'cookie'], ['*', '*'],
    ['x-tenant\u00e9, x-"', 'x-tenant?,x-"'], ['x-datadog-*', 'x-datadog-*']
  ] as const) {
    const reply = await preflight(page, { 'access-control-request-headers': refused })
    t.match(reply.json(), { status: 403, error: 'Forbidden', path: '/api/auth/login' }, refused)
    t.equal(reply.headers['access-control-allow-headers'], undefined)
    t.match(logs.find(({ reqId }) => reqId === reply.headers['x-request-id']), { status: 403, header: named })
  }
})

// S75
t.test('no answer allows credentials, and none is open to every page', async (t) => {
  const { username, password } = await user()
  const success = await ask(page, { method: 'POST', url: '/api/auth/login', payload: { username, password } })
  t.equal(success.statusCode, 200)
  for (const { headers } of [
    success, await ask(page), await preflight(page), await ask('https://evil.example'), await ask(undefined)
  ]) {
    t.equal(headers['access-control-allow-credentials'], undefined)
    t.not(headers['access-control-allow-origin'], '*')
  }
})

// S79
t.test('a preflight is not granted private network access', async (t) => {
  const { statusCode, headers } = await preflight(page, { 'access-control-request-private-network': 'true' })
  t.equal(statusCode, 204)
  t.equal(headers['access-control-allow-private-network'], undefined)
})

// S78
t.test('an OPTIONS request that is not a preflight gets the common error shape', async (t) => {
  const cases: Array<[url: string, status: number]> = [
    ['/api/auth/login', 405], ['/auth/resetPassword', 405], ['/', 404], ['/nowhere', 404], ['*', 404], ['/%zz', 400]
  ]
  const incomplete = [{}, { origin: page }, { 'access-control-request-method': 'POST' }]
  for (const [url, status] of cases) {
    for (const headers of incomplete) {
      const reply = await ask(undefined, {
        method: 'OPTIONS', url, headers: { ...headers, 'content-type': 'application/json' }, payload: '{'
      })
      t.match(reply.json(), {
        timestamp: String, status, error: String, message: String, path: String
      }, `${url} ${JSON.stringify(headers)}`)
      t.equal(reply.statusCode, status)
    }
  }
})

const exposed = [
  'Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-RateLimit-Retry-After',
  'X-Request-Id'
]

function isReadable (t: Test, { statusCode, headers }: Awaited<ReturnType<typeof ask>>, status: number) {
  t.equal(statusCode, status)
  t.equal(headers['access-control-allow-origin'], page, `${status} names the page`)
  t.strictSame(String(headers['access-control-expose-headers']).split(', '), exposed, `${status} exposes what it says`)
}

// L48
t.test('a page that gets 429 may read why', async (t) => {
  const remoteAddress = client()
  const post = () => ask(page, { method: 'POST', url: '/api/auth/login', remoteAddress, payload: {} })
  for (let i = 0; i < 5; i++) await post()
  const reply = await post()
  isReadable(t, reply, 429)
  for (const name of exposed) t.ok(reply.headers[name.toLowerCase()], `${name} is there to be read`)
})

// S77
t.test('an allowed page may read a 503', async (t) => {
  const { app } = await startApp(t, {
    CORS_ORIGINS: page,
    DATABASE_URL,
    REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
    LIMITER_ON_REDIS_FAILURE: 'closed'
  })
  isReadable(t, await app.inject({ url: '/api/auth/me', headers: { origin: page } }), 503)
})
t.test('a browser sends a page\'s known headers, and no other', { skip: noChromium }, async (t) => {
  const origin = await listen(t, (_request, response) => { response.end('a page') })
  const { app } = await startApp(t, { DATABASE_URL, CORS_ORIGINS: origin })
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/auth/me`
  const tab = await (await openBrowser(t)).newPage()
  await tab.goto(origin)

  const statusWith = (headers: Record<string, string>) => tab.evaluate(
    `fetch('${url}', { headers: ${JSON.stringify(headers)} }).then(({ status }) => status, () => 'failed')`
  )

  t.equal(await statusWith({ traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`, baggage: 'a=b' }), 401)
  t.equal(await statusWith({ authorization: 'Bearer x', 'x-datadog-trace-id': '1', pragma: 'no-cache' }), 401)
  t.equal(await statusWith({ traceparent: '1', 'x-other': '1' }), 'failed')
})

t.end()
