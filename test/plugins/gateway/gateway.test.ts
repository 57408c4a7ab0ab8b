// A request of a module goes on whole, with who asks. An answer comes back whole, but for what is gatehouse's own.

import { join } from 'node:path'
import type { HTTPMethods, InjectOptions } from 'fastify'
import t from 'tap'
import { startApp, startListening } from '../../fixtures/app.js'
import { newDirectory } from '../../fixtures/lifetime.js'
import { exchange } from '../../fixtures/socket.js'
import { startUpstream } from '../../fixtures/upstream.js'

const upstream = await startUpstream(t)
const answering = await startUpstream(t, ({ method, url }, response) => {
  response.writeHead(url.includes('/missing') ? 404 : 201, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'max-age=60',
    ETag: '"x"',
    Location: '/api/academic/1',
    'Set-Cookie': ['a=1', 'b=2'],
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'X-Secret',
    'X-Request-Id': 'mine',
    Vary: 'Accept',
    'X-Text': 'caf\u00e9',
    Connection: ['keep-alive', 'X-Hop, x-own-hop'],
    'X-Own-Hop': '1',
    'X-Hop': '1',
    'Keep-Alive': 'timeout=5',
    'Content-Encoding': 'x-none'
  })
  response.end(method === 'HEAD' ? undefined : `${method} ${url}`)
})
const directory = newDirectory(t, { 'limits.json': '{"policies":{"hr":{"capacity":2,"refill":1,"period":"1h"}}}' })
const { app, client, logs, login, user } = await startListening(t, {
  MODULES: `/api/student=${upstream.url},/api/employee=${upstream.url};roles=ADMIN|HR;policy=hr,` +
    `/api/academic=${answering.url};public,/api/inventory=${upstream.url};token=pass`,
  LIMITS_FILE: join(directory, 'limits.json'),
  TRUST_PROXY: '127.0.0.0/8'
})

const someone = await user()
const token = (await login(client(), someone.username, someone.password)).json().data.token as string
const tokenOf = (role: string): string =>
  app.issueToken({ id: someone.id, username: someone.username, role, userType: 'EMPLOYEE', tokenVersion: 0 })

const ask = (url: string, { method = 'GET', headers = {}, remoteAddress = client(), ...options }: InjectOptions = {}) =>
  app.inject({
    url,
    method: method as HTTPMethods,
    remoteAddress,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...options
  })

t.test('a request of a module goes on whole, by any method, with what its client sent', async (t) => {
  const { statusCode, body } = await ask('/api/student/admission?a=1&a=%20b&c', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', 'x-own': 'kept' },
    payload: 'name=asha&x=%7B'
  })
  t.equal(statusCode, 200)
  t.match(JSON.parse(body), {
    method: 'POST',
    url: '/api/student/admission?a=1&a=%20b&c',
    body: 'name=asha&x=%7B',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '15',
      accept: 'text/html',
      'x-own': 'kept'
    }
  })
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'SEARCH', 'REPORT']) {
    const reply = await ask('/api/student/1', { method: method as HTTPMethods })
    t.match(reply.json(), { method, url: '/api/student/1', body: '' }, method)
  }
  t.equal((await ask('/api/student/1', { method: 'HEAD' })).statusCode, 200)
  t.equal(upstream.arrived.at(-1)?.method, 'HEAD')
  for (const path of [
    '/api/student', '/api/student/', '/api/student?x', '/api/student/a%2Fb', '/api/student/a;b=c/d',
    '/api/student/.hidden', '/api/student/a..b', '/api/student/..a', '/api/student/a../b', '/api/student/a..%2fb',
    '/api/student/%2e.a', '/api/student/@x:y!$&\'()*+,=~'
  ]) {
    t.match((await ask(path)).json(), { url: path })
  }
})

t.test('a body goes through whatever its type says, also by a method that usually has none', async (t) => {
  for (const [type, payload] of [
    ['application/json', '{broken'],
    ['application/json; charset=utf-16', '"x"'],
    ['text/plain', '\u00ff'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['application/xml', '<a/>']
  ] as const) {
    const headers = { 'content-type': type }
    t.match((await ask('/api/student/x', { method: 'PUT', headers, payload })).json(), { body: payload, headers }, type)
  }
  const rest = `/api/student/x HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n`
  const [answer] = await exchange(app, `GET ${rest}Content-Length: 5\r\n\r\nquery`)
  t.equal(answer?.status, 200)
  t.match(upstream.arrived.at(-1), { method: 'GET', body: 'query' })
  await exchange(app, `PROPFIND ${rest}Transfer-Encoding: chunked\r\n\r\n5\r\nquery\r\n0\r\n\r\n`)
  t.match(upstream.arrived.at(-1), { method: 'PROPFIND', body: 'query', headers: { 'transfer-encoding': 'chunked' } })
})

t.test('a QUERY without a Content-Type is 400, as its RFC says, and the answer names the header', async (t) => {
  const untyped = await ask('/api/student/x', { method: 'QUERY' as never, payload: 'a=1' })
  t.match(untyped.json(), { status: 400, message: 'The Content-Type header is missing.' })
  const typed = await ask('/api/student/x', {
    method: 'QUERY' as never, payload: 'a=1', headers: { 'content-type': 'text/plain' }
  })
  t.match(typed.json(), { method: 'QUERY', body: 'a=1' })
})

t.test('a module learns who asks, from gatehouse alone', async (t) => {
  const remoteAddress = client()
  const forged = {
    'x-user-id': '1',
    'X-User-Role': 'ADMIN',
    x_user_role: 'ADMIN',
    'x-user_role': 'ADMIN',
    'X.User.Role': 'ADMIN',
    'x-user-anything': '1',
    'x-user-name': 'root',
    'x-user-type': 'X',
    'X-Forwarded-Host': 'evil',
    x_forwarded_for: '6.6.6.6',
    'x-forwarded-port': '1',
    'x-forwarded-prefix': '/x',
    'x-request-id': 'not a uuid',
    ...Object.fromEntries([
      'forwarded', 'x-real-ip', 'true-client-ip', 'x-original-url', 'x-rewrite-url', 'proxy', 'client-ip',
      'remote-user', 'x-original-forwarded-for', 'x-http-method-override', 'x-accel-redirect', 'x~user~id'
    ].map(name => [name, 'claimed']))
  }
  const reply = await ask('/api/student/1', { headers: { ...forged, host: 'erp.example' }, remoteAddress })
  const { headers } = reply.json()
  t.notMatch(reply.body, 'claimed')
  t.match(headers, {
    'x-user-id': String(someone.id),
    'x-user-name': someone.username,
    'x-user-role': 'USER',
    'x-user-type': 'STUDENT',
    'x-forwarded-for': remoteAddress,
    'x-forwarded-proto': 'http',
    'x-forwarded-host': 'erp.example',
    'x-request-id': /^[\da-f-]{36}$/,
    host: new URL(upstream.url).host
  })
  const names = Object.keys(headers)
    .filter(name => /^x.user|forwarded/.test(name.replaceAll(/[^a-z]/g, '-')))
  t.same(names.sort(), [
    'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto',
    'x-user-id', 'x-user-name', 'x-user-role', 'x-user-type'
  ])
  t.equal(headers.authorization, undefined, 'the token stays here')
  const known = await ask('/api/student/1', { headers: { 'x-request-id': '0b5b2b52-29ad-4bd5-9c58-3a7a1c9b9d11' } })
  t.equal(known.json().headers['x-request-id'], '0b5b2b52-29ad-4bd5-9c58-3a7a1c9b9d11')
  t.equal(known.headers['x-request-id'], '0b5b2b52-29ad-4bd5-9c58-3a7a1c9b9d11')
})

t.test('no client takes a header of ours away, and what concerns one connection stays on it', async (t) => {
  const bytes = `GET /api/student/hop HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
    'Connection: close, X-User-Id, x-user-role, X-Forwarded-For, X-Request-Id, X-Mine, Host\r\n' +
    'X-Mine: 1\r\nKeep-Alive: 1\r\nTE: trailers\r\nTrailer: X-T\r\nProxy-Authorization: x\r\n' +
    'Proxy-Connection: x\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\nX-Kept: 1\r\n\r\n'
  const [answer] = await exchange(app, bytes)
  t.equal(answer?.status, 200)
  const { headers } = upstream.arrived.at(-1)!
  t.match(headers, {
    'x-user-id': String(someone.id),
    'x-user-role': 'USER',
    'x-forwarded-for': String,
    'x-request-id': String,
    'x-kept': '1',
    host: new URL(upstream.url).host
  })
  for (const name of [
    'x-mine', 'keep-alive', 'te', 'trailer', 'proxy-authorization', 'proxy-connection', 'upgrade', 'http2-settings'
  ]) t.equal(headers[name], undefined, name)
  t.equal(headers.connection, 'keep-alive')
})

t.test('a module gets the protocol and the client from trusted proxies alone', async (t) => {
  const cases: Array<[peer: string, given: string, arrives: string]> = [
    ['127.0.0.1', 'https', 'https'],
    ['127.0.0.1', 'http', 'http'],
    ['127.0.0.1', 'gopher', 'http'],
    [client(), 'https', 'http']
  ]
  for (const [peer, given, arrives] of cases) {
    const forwarded = client()
    const headers = { 'x-forwarded-for': forwarded, 'x-forwarded-proto': given }
    const reply = await ask('/api/student/1', { remoteAddress: peer, headers })
    const believed = peer === '127.0.0.1' ? forwarded : peer
    const arrived = { 'x-forwarded-proto': arrives, 'x-forwarded-for': believed }
    t.match(reply.json().headers, arrived, `${given} from ${peer}`)
  }
})

t.test('a module that asks for the token gets it', async (t) => {
  t.equal((await ask('/api/inventory/1')).json().headers.authorization, `Bearer ${token}`)
})

// S72
t.test('without a valid token no module is reached, and without the role neither', async (t) => {
  const before = upstream.arrived.length
  for (const authorization of ['', 'Bearer x', `Bearer ${token}x`, `Basic ${token}`]) {
    for (const url of ['/api/student', '/api/student/1', '/api/employee/1', '/api/inventory/x?y']) {
      const reply = await ask(url, { headers: { authorization } })
      t.equal(reply.statusCode, 401, `${url} ${authorization}`)
      t.match(reply.json(), { status: 401, error: 'Unauthorized', path: url.split('?')[0] })
      t.match(reply.headers, { 'cache-control': 'no-store', 'content-security-policy': String })
    }
  }
  const refused = await ask('/api/employee/1')
  t.equal(refused.statusCode, 403)
  t.match(refused.json(), { status: 403, error: 'Forbidden' })
  t.equal(upstream.arrived.length, before)
  t.equal((await ask('/api/employee/1', { headers: { authorization: `Bearer ${tokenOf('HR')}` } })).statusCode, 200)
  t.match(logs.findLast(({ event }) => event === 'authz_fail'), {
    route: '/api/employee/*', status: 403, userId: someone.id, code: 'FORBIDDEN'
  })
})

t.test('a public module is asked without a token, and is told of no user', async (t) => {
  const { statusCode } = await ask('/api/academic/1', { headers: { authorization: '', 'x-user-id': '1' } })
  t.equal(statusCode, 201)
  t.notOk(Object.keys(answering.arrived.at(-1)!.headers).some(name => name.startsWith('x-user')))
})

t.test('an answer comes as the module gave it, but for what is between two connections and what is ours', async (t) => {
  const { statusCode, headers, body } = await ask('/api/academic/1')
  t.equal(statusCode, 201)
  t.equal(body, 'GET /api/academic/1')
  t.match(headers, {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'max-age=60',
    etag: '"x"',
    location: '/api/academic/1',
    'set-cookie': ['a=1', 'b=2'],
    'x-text': 'caf\u00e9',
    'content-encoding': 'x-none',
    'x-request-id': /^[\da-f-]{36}$/,
    vary: 'Origin, Accept',
    'x-content-type-options': 'nosniff'
  })
  for (const name of [
    'content-security-policy', 'access-control-allow-origin', 'access-control-expose-headers', 'keep-alive', 'x-hop',
    'x-own-hop'
  ]) t.equal(headers[name], undefined, name)
  const head = await ask('/api/academic/1', { method: 'HEAD' })
  t.match(head, { statusCode: 201, body: '', headers: { etag: '"x"' } })
  const missing = await ask('/api/academic/missing')
  t.match(missing, { statusCode: 404, body: 'GET /api/academic/missing' }, 'an error of a module is its own')
})

t.test('a module decides nothing for the origin that it shares, and no cookie of gatehouse', async (t) => {
  const ofTheOrigin = [
    'Service-Worker-Allowed', 'Clear-Site-Data', 'Strict-Transport-Security', 'Alt-Svc', 'NEL', 'Report-To',
    'Accept-CH', 'X-Accel-Buffering', 'X-Sendfile'
  ]
  const { url } = await startUpstream(t, (_arrived, response) => {
    for (const name of ofTheOrigin) response.setHeader(name, 'claimed')
    response.setHeader('Set-Cookie', [
      'gatehouse-console=claimed; Path=/console', '=gatehouse-console=claimed; Path=/console',
      '__Host-gatehouse-sign-in=claimed; Path=/; Secure', '__host-Gatehouse-sign-in=claimed; Path=/; Secure', 'own=1'
    ]).end('ok')
  })
  const { app, client } = await startApp(t, { MODULES: `/api/student=${url};public` })

  const { statusCode, headers } = await app.inject({ url: '/api/student/1', remoteAddress: client() })

  t.equal(statusCode, 200)
  t.notMatch(JSON.stringify(headers), 'claimed')
  t.same([headers['set-cookie']].flat(), ['own=1'])
})

t.test('a name without an upstream is 404 in the one shape, after the limiter', async (t) => {
  const remoteAddress = client()
  for (let i = 0; i < 100; i++) t.equal((await ask('/api/hostel/1', { remoteAddress })).statusCode, 404)
  t.match((await ask('/api/hostel', { remoteAddress })).json(), { status: 429, rateLimitInfo: { limit: 100 } })
})

t.test('a module takes from the bucket of its policy, before the token is looked at', async (t) => {
  const remoteAddress = client()
  const headers = { authorization: '' }
  const statuses = []
  for (const path of ['/api/employee/1', '/api/employee', '/api/%65mployee/2']) {
    statuses.push((await ask(path, { remoteAddress, headers })).statusCode)
  }
  t.same(statuses, [401, 401, 429])
  t.equal((await ask('/api/student/1', { remoteAddress })).statusCode, 200, 'another policy, another bucket')
})

t.test('TRACE reaches no module', async (t) => {
  const before = upstream.arrived.length
  t.equal((await ask('/api/student/1', { method: 'TRACE' as HTTPMethods })).statusCode, 405)
  t.equal(upstream.arrived.length, before)
})

t.test('the line of a request names the module\'s route, never its path', async (t) => {
  await ask('/api/student/secret-name')
  const line = logs.findLast(({ msg }) => msg === 'request')
  t.match(line, { method: 'GET', route: '/api/student/*', status: 200 })
  t.notMatch(JSON.stringify(line), /secret-name/)
  const durations = await app.metrics.registry.getSingleMetricAsString('gatehouse_http_request_duration_seconds')
  t.match(durations, /method="GET",route="\/api\/student\/\*",status="200"/)
  t.match(durations, /method="-",route="\/api\/student\/\*",status="200"/)
  t.notMatch(durations, /PROPFIND/)
})

t.end()
