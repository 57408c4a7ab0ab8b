// Behind and beside each proxy, as its example sets it up, a module gets what gatehouse lets through, and nothing else.

import { readFileSync } from 'node:fs'
import { request, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { orderPrefixes, reserved, reservedPrefixes } from '#src/modules/headers.js'
import { endpoints } from '#src/openapi/endpoints.js'
import { startListening } from './fixtures/app.js'
import { startCollector } from './fixtures/collector.js'
import { newDirectory } from './fixtures/lifetime.js'
import { caddy, haproxy, nginx, type Proxy } from './fixtures/proxies.js'
import { freePort } from './fixtures/redis.js'
import { newPeer } from './fixtures/socket.js'
import { until } from './fixtures/until.js'
import { startUpstream } from './fixtures/upstream.js'

/** Answers with the headers that the query names, and otherwise as every upstream. */
const student = await startUpstream(t, (arrived, response) => {
  for (const [name, value] of new URL(arrived.url, 'http://x').searchParams) {
    if (/^[-\w]+$/.test(name)) response.setHeader(name, value)
  }
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify(arrived))
})
const [employee, academic] = [await startUpstream(t), await startUpstream(t)]
const arrived = (): number => student.arrived.length + employee.arrived.length + academic.arrived.length
const directory = newDirectory(t, { 'limits.json': '{"policies":{"hr":{"capacity":2,"refill":1,"period":"1h"}}}' })
// With traces, the log says which one a request is part of.
const { environment: tracing } = await startCollector(t)
Object.assign(process.env, tracing)
const { app, login, user, client, logs, port } = await startListening(t, {
  ...tracing,
  VERIFY_PORT: '0',
  TRUST_PROXY: '127.0.0.1',
  MODULES: '/api/student,/api/employee;roles=ADMIN|HR;policy=hr,/api/academic;public',
  LIMITS_FILE: join(directory, 'limits.json')
})
const portOf = (url: string): number => Number(new URL(url).port)
const ports = {
  3000: port,
  9465: await app.listenForVerify!(),
  8081: portOf(student.url),
  8082: portOf(employee.url),
  8083: portOf(academic.url)
}
const someone = await user()
const token = (await login(client(), someone.username, someone.password)).json().data.token as string

/** How often the limiter has decided, by policy and outcome. */
async function decisions (): Promise<string> {
  return await app.metrics.registry.getSingleMetricAsString('gatehouse_limiter_decisions_total')
}
const count = (metric: string, policy: string, outcome: string): number =>
  Number(new RegExp(`policy="${policy}",outcome="${outcome}"} (\\d+)`).exec(metric)?.[1] ?? 0)

interface Reply { status: number, headers: IncomingHttpHeaders, body: string }
interface Question { method?: string, headers?: Record<string, string>, body?: string, from?: string }

const asker = (port: number) => async (
  path: string, { method = 'GET', headers = {}, body = '', from = newPeer() }: Question = {}
): Promise<Reply> =>
  await new Promise((resolve, reject) => {
    request({
      host: '127.0.0.1',
      port,
      path,
      method,
      localAddress: from,
      headers: { authorization: `Bearer ${token}`, ...headers },
      agent: false
    }, (response) => {
      text(response).then(body => resolve({ status: response.statusCode!, headers: response.headers, body }), reject)
    }).on('error', reject).end(body)
  })

/** What begins with a reserved prefix and is known, for a proxy that has no pattern for names. */
const known = [
  'X-User-Email', 'X-Forwarded-User', 'X-Forwarded-Email', 'X-Forwarded-Groups', 'X-Forwarded-Prefix',
  'X-Forwarded-Preferred-Username', 'X-Forwarded-Access-Token', 'X-Forwarded-Path', 'X-Forwarded-Scheme',
  'X-Original-URL', 'X-Original-URI', 'X-Original-Method', 'X-Original-Host', 'X-Original-Forwarded-For',
  'X-Accel-Redirect', 'X-Accel-Mapping', 'X-Sendfile-Type'
]
const names = [...reserved].filter(name => name !== 'x-request-id')
const respelt = [
  'Client_IP', 'X!User!Id', 'X~User~Id', 'X.Forwarded.User', 'X_Accel_Mapping', 'SCRIPT_NAME', 'X|User|Id'
]

t.test('an example that no proxy runs here names each claim of a client, too', async (t) => {
  for (const file of ['envoy/envoy.yaml', 'traefik/gatehouse.yml']) {
    const text = readFileSync(new URL(`../examples/${file}`, import.meta.url), 'utf8').toLowerCase()
    const missing = names.filter(name => name !== 'x-real-ip' && !text.includes(` ${name}`))
    t.same(missing, [], file)
  }
})

for (const proxy of [nginx, caddy, haproxy]) {
  const skip = !proxy.installed && `there is no ${proxy.name} on PATH: its example was not run`
  t.test(`behind ${proxy.name}, as its example says`, { skip }, async (t) => {
    const ask = asker(await proxy.start(t, ports))

    t.test('a module hears no claim of a client', async (t) => {
      const claims = [...names, ...respelt, ...known]
      if (proxy !== nginx) claims.push(...reservedPrefixes.map(prefix => `${prefix}anything`))
      const before = student.arrived.length
      const reply = await ask('/api/student/1', { headers: Object.fromEntries(claims.map(name => [name, 'claimed'])) })
      t.equal(reply.status, 200)
      t.equal(student.arrived.length, before + 1)
      const { rawHeaders } = student.arrived.at(-1)!
      t.same(rawHeaders.filter((_, i) => rawHeaders[i + 1]?.includes('claimed')), [])
    })

    t.test('a module gives no order to a proxy, this one or one in front of it', async (t) => {
      const orders = [
        'X-Accel-Redirect', 'X-Accel-Expires', 'X-Accel-Limit-Rate', 'X-Accel-Buffering', 'X-Accel-Charset',
        'X-Sendfile', 'X-Sendfile-Temporary', 'X-LIGHTTPD-send-file', 'X-LiteSpeed-Location', 'X-Reproxy-URL'
      ]
      const before = employee.arrived.length
      for (const order of orders) {
        const { status, headers, body } = await ask(`/api/student/1?${order}=/api/employee/secret`)
        t.equal(status, 200, order)
        t.equal((JSON.parse(body) as { url: string }).url, `/api/student/1?${order}=/api/employee/secret`)
        const passed = Object.keys(headers).filter(name => orderPrefixes.some(prefix => name.startsWith(prefix)))
        t.same(passed, [])
      }
      t.equal(employee.arrived.length, before)
    })
  })
}

for (const proxy of [nginx, caddy]) {
  const skip = !proxy.installed && `there is no ${proxy.name} on PATH: its example was not run`
  t.test(`beside ${proxy.name}, as its example says`, { skip }, async t => await testProxy(t, proxy))
}

async function testProxy (t: Test, proxy: Proxy): Promise<void> {
  const ask = asker(await proxy.start(t, ports))

  t.test('a request is passed on whole, with the user\'s headers and without its token', async (t) => {
    const from = newPeer()
    const { status, body } = await ask('/api/student/admission?a=%20b&c', {
      method: 'POST', body: 'name=asha', from, headers: { 'content-type': 'text/plain', 'x-own': 'kept' }
    })
    t.equal(status, 200)
    const { headers, ...rest } = JSON.parse(body)
    t.match(rest, { method: 'POST', url: '/api/student/admission?a=%20b&c', body: 'name=asha' })
    t.match(headers, {
      'x-user-id': String(someone.id),
      'x-user-name': someone.username,
      'x-user-role': 'USER',
      'x-user-type': 'STUDENT',
      'x-request-id': /^[\da-f-]{36}$/,
      'x-forwarded-for': from,
      'x-own': 'kept'
    })
    t.notOk(headers.authorization)
    for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      t.equal((await ask('/api/student/1', { method })).status, 200, method)
    }
  })

  t.test('no client can forge its identity', async (t) => {
    const forged = {
      'X-User-Id': '1',
      'x-user-role': 'ADMIN',
      X_User_Role: 'ADMIN',
      'x-user_role': 'ADMIN',
      'X.User.Role': 'ADMIN',
      'X-User-Name': 'root',
      'X-User-Type': 'X',
      'X-Forwarded-For': '6.6.6.6',
      'X-Real-IP': '6.6.6.6',
      Forwarded: 'for=6.6.6.6'
    }
    const own = {
      'x-user-id': String(someone.id),
      'x-user-name': someone.username,
      'x-user-role': 'USER',
      'x-user-type': 'STUDENT'
    }
    for (const [path, expected] of [['/api/student/1', own], ['/api/academic/1', {}]] as const) {
      const { headers } = JSON.parse((await ask(path, { headers: forged })).body) as { headers: Record<string, string> }
      const said = Object.entries(headers).filter(([name, value]) => /^x.user/.test(name) && value !== '')
      t.same(Object.fromEntries(said), expected, path)
      t.notMatch(JSON.stringify(headers), /6\.6\.6\.6|ADMIN|root/)
    }
  })

  t.test('an answer to a user is private for caches in front, unless its module says otherwise', async (t) => {
    const cases = [['', 'private'], ['?Cache-Control=public', 'public'], ['?Cache-Control=no-store', 'no-store']]
    if (proxy === nginx) cases.push(['?Cache-Control=max-age%3D60', 'max-age=60, private'])
    for (const [query, comes] of cases) {
      t.equal((await ask(`/api/student/1${query}`)).headers['cache-control'], comes)
    }
    t.equal((await ask('/api/academic/1')).headers['cache-control'], undefined)
  })

  t.test('no client can remove its identity', async (t) => {
    const names = ['x-user-id', 'x-user-name', 'x-user-role', 'x-user-type', 'x-request-id', 'x-forwarded-for']
    const { headers } = JSON.parse((await ask('/api/student/1', { headers: { connection: names.join(', ') } })).body)
    for (const name of names) t.ok(headers[name], name)
  })

  t.test('no client can change what the proxy asks gatehouse', async (t) => {
    const headers = {
      'X-Forwarded-Method': 'GET',
      'X-Forwarded-Uri': '/api/academic/1',
      'X-Forwarded-Host': 'x',
      authorization: ''
    }
    t.equal((await ask('/api/student/1', { headers })).status, 401)
  })

  t.test('no client chooses the trace of its request, at gatehouse or at a module', async (t) => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01`, TraceState: 'vendor=1' }
    for (const path of ['/api/student/1', '/api/academic/1', '/api/auth/me']) {
      const reply = await ask(path, { headers })
      t.equal(reply.status, 200, path)
      const passed = (JSON.parse(reply.body) as { headers?: Record<string, string> }).headers
      t.match(passed ?? {}, { traceparent: undefined, tracestate: undefined }, path)
      const reqId = (passed ?? reply.headers)['x-request-id']
      await until(() => logs.some(line => line.reqId === reqId))
      const { traceId } = logs.find(line => line.reqId === reqId)!
      t.match(traceId, /^[\da-f]{32}$/, path)
      t.not(traceId, trace, path)
    }
  })

  t.test('a refusal arrives whole, and no module sees the request', async (t) => {
    const before = arrived()
    const large = 'x'.repeat(7000)
    const cases = [
      ['/api/student/1?x', { headers: { authorization: '' } }, 401],
      ['/api/student/1', { method: 'POST', body: 'x'.repeat(500_000), headers: { authorization: 'Bearer x' } }, 401],
      // More than the 16 KiB of the public listener, and less than what proxies take.
      ['/api/student/1', { headers: { authorization: '', 'x-a': large, 'x-b': large, 'x-c': large } }, 401],
      ['/api/employee/1.html', {}, 403],
      ['/api/library/1', {}, 404],
      ['/api/students', {}, 404]
    ] as Array<[string, Question, number]>
    for (const [path, question, status] of cases) {
      const reply = await ask(path, question)
      t.equal(reply.status, status, path)
      t.match(JSON.parse(reply.body), {
        timestamp: String, status, error: String, message: String, path: path.replace('?x', '')
      })
      t.match(reply.headers, {
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': /^[\da-f-]{36}$/,
        'cache-control': 'no-store'
      })
      if (status === 401) t.equal(reply.headers['www-authenticate'], 'Bearer')
    }
    t.equal(arrived(), before)
  })

  t.test('a 429 arrives with its headers and its body, and one request is one token', async (t) => {
    const from = newPeer()
    const before = await decisions()
    for (let i = 0; i < 2; i++) t.equal((await ask('/api/employee/1', { from })).status, 403)
    const { status, headers, body } = await ask('/api/employee/1', { from })
    t.equal(status, 429)
    t.match(JSON.parse(body), {
      status: 429,
      error: 'Too Many Requests',
      rateLimitInfo: { limit: 2, remaining: 0, resetTime: String, retryAfter: Number }
    })
    t.match(headers, {
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': /^\d+$/,
      'x-ratelimit-retry-after': /^\d+$/
    })
    t.equal(Number(headers['retry-after']), JSON.parse(body).rateLimitInfo.retryAfter)
    const after = await decisions()
    t.equal(count(after, 'hr', 'admitted') - count(before, 'hr', 'admitted'), 2)
    t.equal(count(after, 'hr', 'refused') - count(before, 'hr', 'refused'), 1)
  })

  t.test('no path leads to another module', async (t) => {
    const before = [employee.arrived.length, academic.arrived.length]
    for (const path of [
      '/api/student/../employee/1', '/api/student/%2e%2e/employee/1', '/api/student/..%2femployee/1',
      '/api/student/%252e%252e/employee/1', '/api/student/..;/employee/1', '/api/student/..\\employee',
      '//api/employee/1', '/api//employee/1', '/api/./employee/1', '/api/academic/../student/1',
      '/api/academic/%2e%2e/student/1', '/api/academic/..%2fstudent/1', '/API/student/1', '/api%2fstudent/1'
    ]) {
      const authorization = path.includes('academic') ? '' : `Bearer ${token}`
      const { status, body } = await ask(path, { headers: { authorization } })
      t.ok([400, 403, 404].includes(status), `${path} is ${status}`)
      t.notOk(body.includes('"rawHeaders"'), path)
    }
    t.same([employee.arrived.length, academic.arrived.length], before)
  })

  t.test('gatehouse is not asked about its own paths', async (t) => {
    const [from, before] = [newPeer(), await decisions()]
    const body = JSON.stringify({ username: someone.username, password: someone.password })
    const json = { 'content-type': 'application/json' }
    const { status, headers } = await ask('/api/auth/login', {
      method: 'POST', body, from, headers: { ...json, authorization: '' }
    })
    t.equal(status, 200)
    t.match(headers, { 'x-request-id': /^[\da-f-]{36}$/ })
    t.equal((await ask('/api/auth/me', { from })).status, 200, 'the token reaches gatehouse')
    t.equal((await ask('/api/auth/me', { headers: { authorization: '' } })).status, 401)
    const after = await decisions()
    t.equal(count(after, 'login', 'admitted') - count(before, 'login', 'admitted'), 1)
    t.equal(count(after, 'general', 'admitted') - count(before, 'general', 'admitted'), 2)
    const pages = [endpoints.resetPage, endpoints.changePage, endpoints.secondFactorPage].flatMap(({ urls }) => urls)
    for (const page of pages) {
      t.match((await ask(page, { from: newPeer() })).headers, { 'content-type': /^text\/html/ }, page)
    }
    const attempt = { method: 'POST', body: '{}', from, headers: json }
    for (let i = 0; i < 4; i++) await ask('/api/auth/login', attempt)
    t.equal((await ask('/api/auth/login', attempt)).status, 429, 'each client has its own bucket')
  })

  t.test('while gatehouse does not answer, no request is passed on', async (t) => {
    const before = arrived()
    const alone = asker(await proxy.start(t, { ...ports, 9465: await freePort() }))
    for (const path of ['/api/student/1', '/api/academic/1']) t.ok((await alone(path)).status >= 500)
    t.equal(arrived(), before)
  })
}

t.end()
