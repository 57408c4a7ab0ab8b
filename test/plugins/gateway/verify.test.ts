// A proxy that asks first gets the answer that the gateway would give, out of the same buckets.

import { Agent, request, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import t from 'tap'
import { startApp } from '../../fixtures/app.js'
import { newDirectory } from '../../fixtures/lifetime.js'
import { startUpstream } from '../../fixtures/upstream.js'

const upstream = await startUpstream(t)
const directory = newDirectory(t, { 'limits.json': '{"policies":{"hr":{"capacity":2,"refill":1,"period":"1h"}}}' })
const { app, client, logs, login, user } = await startApp(t, {
  VERIFY_PORT: '0',
  TRUST_PROXY: '127.0.0.1, 10.0.0.0/8',
  MODULES: `/api/student=${upstream.url},/api/employee;roles=ADMIN|HR,/api/academic;public,/api/inventory;policy=hr`,
  CORS_ORIGINS: 'https://erp.example',
  LIMITS_FILE: join(directory, 'limits.json')
})
const port = await app.listenForVerify!()

const someone = await user()
const token = (await login(client(), someone.username, someone.password)).json().data.token as string
const tokenOf = (role: string, username = someone.username): string =>
  app.issueToken({ id: someone.id, username, role, userType: 'EMPLOYEE', tokenVersion: 0 })

interface Reply { status: number, headers: IncomingHttpHeaders, body: string }

/** Asks as a proxy would, from an address of this machine. */
async function question (
  headers: OutgoingHttpHeaders, { method = 'GET', path = '/verify', localAddress = '127.0.0.1', body = '' } = {}
): Promise<Reply> {
  return await new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, method, path, localAddress, headers }, (response) => {
      text(response).then(body => resolve({ status: response.statusCode!, headers: response.headers, body }), reject)
    }).on('error', reject).end(body)
  })
}

const about = (
  uri: string, { method = 'GET', from = client(), ...headers }: Record<string, string> = {}
): Promise<Reply> => question({
  'x-forwarded-method': method,
  'x-forwarded-uri': uri,
  'x-forwarded-host': 'erp.example',
  'x-forwarded-for': from,
  authorization: `Bearer ${token}`,
  ...headers
})

const errorOf = ({ body }: Reply): Record<string, unknown> => JSON.parse(body) as Record<string, unknown>

t.test('a request that may go on is 200, with who asks', async (t) => {
  for (const [method, uri] of [
    ['GET', '/api/student/1?x=%20y'],
    ['POST', '/api/student'],
    ['HEAD', '/api/student/'],
    ['PROPFIND', '/api/student/%31'],
    ['DELETE', 'http://erp.example/api/student/1']
  ] as const) {
    const { status, headers, body } = await about(uri, { method })
    t.equal(status, 200, `${method} ${uri}`)
    t.equal(body, '')
    t.match(headers, {
      'x-user-id': String(someone.id),
      'x-user-name': someone.username,
      'x-user-role': 'USER',
      'x-user-type': 'STUDENT',
      'x-request-id': /^[\da-f-]{36}$/,
      'cache-control': 'no-store'
    })
  }
  const name = await about('/api/student/1', { authorization: `Bearer ${tokenOf('HR', 'a%\u00e4\r\n')}` })
  t.match(name.headers, { 'x-user-name': 'a%25%C3%A4%0D%0A', 'x-user-role': 'HR' })
  const id = '0b5b2b52-29ad-4bd5-9c58-3a7a1c9b9d11'
  t.equal((await about('/api/student/1', { 'x-request-id': id })).headers['x-request-id'], id)
  t.equal(upstream.arrived.length, 0, 'nothing is passed on')
})

t.test('a module needs no upstream, and a public one no token', async (t) => {
  t.equal((await about('/api/hostel/1')).status, 200)
  const { status, headers } = await about('/api/academic/1', { authorization: '' })
  t.equal(status, 200)
  t.match(
    headers, { 'x-user-id': /^$/, 'x-user-name': /^$/, 'x-user-role': /^$/, 'x-user-type': /^$/ },
    'a proxy that copies headers copies nobody'
  )
})

t.test('what the gateway would refuse is refused in the same words', async (t) => {
  const cases: Array<[uri: string, headers: Record<string, string>, status: number]> = [
    ['/api/student/1', { authorization: '' }, 401],
    ['/api/student/1', { authorization: 'Bearer x.y.z' }, 401],
    ['/api/employee/1?x', {}, 403],
    ['/api/nothing', {}, 404],
    ['/api/students', {}, 404],
    ['/api/student/../employee/1', {}, 400],
    ['/api/student/%zz', {}, 400],
    ['/api/student/1, /api/academic/1', {}, 400],
    ['*', {}, 404],
    ['student', {}, 404]
  ]
  for (const [uri, headers, status] of cases) {
    const reply = await about(uri, headers)
    t.equal(reply.status, status, uri)
    t.match(errorOf(reply), { status, timestamp: String, error: String, message: String })
    t.equal(reply.headers['x-error-body'], reply.body)
    t.notOk(Object.keys(reply.headers).some(name => name.startsWith('x-user-')))
  }
  t.equal((await about('/api/student/1', { method: 'TRACE' })).status, 405)
  t.equal((await about('/api/employee/1', { authorization: `Bearer ${tokenOf('HR')}` })).status, 200)
  const { headers } = await about('/api/student/1', { authorization: '' })
  t.match(headers, { 'www-authenticate': 'Bearer' })
  t.match(errorOf(await about('/api/employee/1?x')), { path: '/api/employee/1' })
})

t.test('the header with the body is ASCII, and left out if it is long', async (t) => {
  const { headers, body } = await about('/api/nothing/\u00ff')
  t.match(headers['x-error-body'], /nothing\/\\u00ff"/)
  t.same(JSON.parse(headers['x-error-body'] as string), JSON.parse(body))
  const long = await about(`/api/nothing/${'x'.repeat(9000)}`)
  t.equal(long.status, 404)
  t.notOk(long.headers['x-error-body'])
})

t.test('tokens come from the very buckets of the other listener, and the 429 is the same', async (t) => {
  const from = client()
  const here = (): Promise<Reply> => about('/api/inventory/1', { from, authorization: '' })
  t.equal((await here()).status, 401)
  t.equal((await app.inject({ url: '/api/inventory/1', remoteAddress: from })).statusCode, 404, 'there is no upstream')
  const refused = await here()
  t.equal(refused.status, 429)
  t.match(refused.headers, {
    'retry-after': /^\d+$/,
    'x-ratelimit-limit': '2',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': /^\d+$/,
    'x-ratelimit-retry-after': /^\d+$/
  })
  t.match(errorOf(refused), { status: 429, path: '/api/inventory/1', rateLimitInfo: { limit: 2, remaining: 0 } })

  const other = client()
  for (let i = 0; i < 50; i++) {
    t.equal((await about('/api/student/1', { from: other })).status, 200)
    const direct = { url: '/api/student/1', remoteAddress: other, headers: { authorization: `Bearer ${token}` } }
    t.equal((await app.inject(direct)).statusCode, 200)
  }
  t.equal((await about('/api/student/1', { from: other })).status, 429)
  t.equal((await app.inject({ url: '/api/student/1', remoteAddress: other })).statusCode, 429)
})

t.test('a peer that is not trusted, or a question that is not whole, is 403 and costs nothing', async (t) => {
  const whole = { 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/api/academic/1', 'x-forwarded-for': client() }
  t.equal((await question(whole)).status, 200)
  const untrusted = await question(whole, { localAddress: '127.0.0.9' })
  t.equal(untrusted.status, 403)
  t.match(errorOf(untrusted), { status: 403, path: '/verify' })
  t.match(logs.findLast(({ msg }) => msg === 'request'), {
    status: 403, client: '127.0.0.9', code: 'FORBIDDEN', cause: 'the peer is not in TRUST_PROXY'
  })
  for (const name of Object.keys(whole)) {
    for (const value of ['', undefined]) {
      const { [name]: left, ...rest } = { ...whole, [name]: value } as Record<string, string | undefined>
      t.equal((await question(left === undefined ? rest : { ...rest, [name]: left })).status, 403, `without ${name}`)
    }
  }
  for (const method of ['get', 'NONE', 'GET, POST', 'GET /x']) {
    t.equal((await question({ ...whole, 'x-forwarded-method': method })).status, 403, method)
  }
  for (let i = 0; i < 150; i++) t.equal((await question({})).status, 403)
  const preflight = { origin: 'https://erp.example', 'access-control-request-method': 'GET' }
  t.equal((await question(preflight, { method: 'OPTIONS', path: '/api/academic/1' })).status, 403)
})

t.test('a preflight does not go on without a token', async (t) => {
  const preflight = {
    method: 'OPTIONS', origin: 'https://erp.example', 'access-control-request-method': 'PUT', authorization: ''
  }
  t.equal((await about('/api/student/1', preflight)).status, 401)
})

t.test('the question reaches no operation of gatehouse, and the other listener takes no question', async (t) => {
  for (const uri of ['/api/auth/login', '/api/auth/me', '/reset-password', '/.well-known/jwks.json']) {
    t.equal((await about(uri)).status, 404, uri)
  }
  const headers = {
    'x-forwarded-method': 'GET', 'x-forwarded-uri': '/api/academic/1', 'x-forwarded-for': client()
  }
  t.equal((await app.inject({ url: '/verify', headers })).statusCode, 404)
  t.equal((await app.inject({ url: '/api/academic/1' })).statusCode, 404)
})

t.test('the way the question itself is sent changes nothing', async (t) => {
  const headers = (): OutgoingHttpHeaders => ({
    'x-forwarded-method': 'POST',
    'x-forwarded-uri': '/api/student/1',
    'x-forwarded-for': client(),
    authorization: `Bearer ${token}`
  })
  t.equal((await question(headers(), { method: 'POST', path: '/verify/api/student/1' })).status, 200, 'as Envoy asks')
  t.equal((await question(headers(), { method: 'HEAD' })).status, 200)
  const withBody = { ...headers(), 'content-type': 'application/json' }
  t.equal((await question(withBody, { method: 'POST', body: '{broken' })).status, 200, 'a body is not read')
  const ofHead = { ...headers(), 'x-forwarded-method': 'HEAD', authorization: '' }
  t.equal((await question(ofHead)).status, 401, 'the original has no body, the answer does')
})

t.test('each listener keeps an idle connection longer than balancers do, and no unused one', async (t) => {
  await app.listen({ port: 0, host: '127.0.0.1' })
  for (const to of [port, (app.server.address() as AddressInfo).port]) {
    const agent = new Agent({ keepAlive: true })
    const { headers } = await new Promise<IncomingMessage>((resolve, reject) => {
      request({ port: to, path: '/', agent }, response => resolve(response.resume())).on('error', reject).end()
    })
    t.equal(headers['keep-alive'], 'timeout=920')
    agent.destroy()
  }
  t.equal(app.server.timeout, 30_000)
})

t.test('the log and the metrics say that a proxy asked, and about which module', async (t) => {
  const from = client()
  await about('/api/employee/secret-name', { method: 'PATCH', from })
  t.match(logs.findLast(({ msg }) => msg === 'request'), {
    method: 'PATCH',
    route: '/verify/employee',
    status: 403,
    client: from,
    code: 'FORBIDDEN',
    event: 'authz_fail',
    userId: someone.id
  })
  t.match(
    await app.metrics.registry.getSingleMetricAsString('gatehouse_http_request_duration_seconds'),
    /method="PATCH",route="\/verify\/employee",status="403"/
  )
})

t.end()
