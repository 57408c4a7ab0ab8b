// Every error has the common shape, and tells the log everything and the client nothing of the inside. What every
// answer has, successes have too.

import { STATUS_CODES } from 'node:http'
import { Writable } from 'node:stream'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import { buildApp } from '#src/app.js'
import { readConfig } from '#src/config/load.js'
import { AlreadyTaken } from '#src/auth/accounts.js'
import { HashQueueFull } from '#src/auth/passwords.js'
import { DatabaseUnavailable } from '#src/database/outage.js'
import { serviceUnavailable } from '#src/base/errors.js'
import { StoreUnavailable } from '#src/limiter/bucket/bucket.js'
import { newUsername, startApp } from '../../fixtures/app.js'
import { newDirectory } from '../../fixtures/lifetime.js'
import { newDatabase } from '../../fixtures/shared-postgres.js'

const DATABASE_URL = await newDatabase()
const page = 'https://erp.example'
const { app, client, login: logIn, user } = await startApp(t, { DATABASE_URL, CORS_ORIGINS: page })

const json = { 'content-type': 'application/json' }
const ofEveryAnswer = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-request-id': /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
}

function hasOneShape (
  t: Test,
  reply: LightMyRequestResponse,
  { status, path, additions = [] }: { status: number, path: string, additions?: string[] }
) {
  const body = reply.json()
  t.strictSame(Object.keys(body), ['timestamp', 'status', 'error', 'message', 'path', ...additions])
  t.match(body.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  t.ok(Math.abs(Date.parse(body.timestamp) - Date.now()) < 60_000, 'the timestamp is now')
  t.match(body, { status, error: STATUS_CODES[status], message: /^[A-Z][^\n]*[.a-z]$/, path })
  t.equal(reply.statusCode, status)
  t.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
}

/** An app that still takes routes, and the lines of its log. */
async function unready (t: Test) {
  const lines: Array<Record<string, unknown>> = []
  const log = new Writable({ write: (chunk, _encoding, done) => { lines.push(JSON.parse(String(chunk))); done() } })
  const failing = await buildApp(readConfig({ DATA_DIR: newDirectory(t), DATABASE_URL, BCRYPT_COST: '10' }), pino(log))
  t.after(() => failing.close())
  return { failing, lines }
}

// S77 S86 L72
t.test('an answer but 429 has security headers, an id of its own and no quota, and is readable', async (t) => {
  const login = { method: 'POST', url: '/api/auth/login' } as const
  const { username, password } = await user()
  const headers = { authorization: `Bearer ${(await logIn(client(), username, password)).json().data.token}` }
  const create = { method: 'POST', url: '/auth/UserCreation' } as const
  const newUser = { username: newUsername(), password: 'correct horse battery', email: 'new@shape.example' }
  const cases: Array<[status: number, options: InjectOptions, additions?: string[]]> = [
    [200, { ...login, payload: { username, password } }],
    [201, { ...create, payload: newUser }],
    [204, { ...login, method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } }],
    [400, { ...login, payload: '{', headers: json }],
    [400, { ...login, payload: {} }, ['details']],
    [400, { url: '/%zz' }],
    [401, { ...login, payload: { username: 'nobody', password: 'x' } }],
    [401, { url: '/api/auth/me' }],
    [403, { ...create, payload: { ...newUser, role: 'ADMIN' }, headers }],
    [403, { url: '/api/auth/me', headers: { origin: 'https://evil.example' } }],
    [404, { method: 'POST', url: '/nowhere', payload: '{', headers: json }],
    [405, { ...login, method: 'GET' }],
    [409, { ...create, payload: newUser }],
    [413, { ...login, payload: ' '.repeat(20_000), headers: json }],
    [415, { ...login, payload: 'x' }]
  ]
  const ids = new Set()
  for (const [status, options, additions = []] of cases) {
    const url = String(options.url)
    const reply = await app.inject({
      ...options, headers: { origin: page, ...options.headers }, url: `${url}?token=secret#x`, remoteAddress: client()
    })
    if (status >= 400) hasOneShape(t, reply, { status, path: url, additions })
    t.equal(reply.statusCode, status)
    t.equal(reply.headers.allow, status === 405 ? 'POST' : undefined)
    t.match(reply.headers, ofEveryAnswer, `headers of a ${status}`)
    const isForeign = options.headers?.origin !== undefined
    t.equal(reply.headers['access-control-allow-origin'], isForeign ? undefined : page)
    t.notMatch(Object.keys(reply.headers).join(), /rate-?limit|retry-after|\bserver\b|powered|cookie/i)
    t.notMatch(reply.body, /rateLimit|retryAfter|remaining/)
    ids.add(reply.headers['x-request-id'])
  }
  t.equal(ids.size, cases.length)
})

// S87 L72
t.test('an unexpected error reveals nothing to the client and everything to the log', async (t) => {
  const { failing, lines } = await unready(t)

  const thrown = {
    error: new Error('secret'),
    status: Object.assign(new Error('secret'), { statusCode: 400 }),
    prisma: Object.assign(new Error('secret'), { code: 'P2002', meta: { target: 'secret' } }),
    refused: Object.assign(new Error('secret'), { code: 'ECONNREFUSED', address: 'secret' }),
    object: { secret: 'secret' },
    text: 'secret',
    number: 42,
    null: null,
    undefined
  }
  for (const [name, value] of Object.entries(thrown)) {
    failing.get(`/${name}`, () => { throw value })
    failing.get(`/${name}/later`, async () => { throw value })
  }
  failing.get('/reply', {
    schema: {
      response: { 200: { type: 'object', properties: { id: { type: 'integer' } } } }
    }
  }, async () => ({ id: 'secret' }))
  failing.get('/unavailable', async () => { throw serviceUnavailable(2, new Error('secret')) })

  const paths = ['/reply', ...Object.keys(thrown).flatMap(name => [`/${name}`, `/${name}/later`])]
  for (const path of [...paths, '/unavailable']) {
    const reply = await failing.inject(`${path}?x`)
    const status = path === '/unavailable' ? 503 : 500
    hasOneShape(t, reply, { status, path })
    t.match(reply.json().message, status === 500
      ? 'Something went wrong on our side. Please try again later.'
      : 'The service cannot answer right now.')
    t.notMatch(JSON.stringify([reply.headers, reply.body]), /secret|ratelimit/i, `${path} tells nothing`)
    t.match(reply.headers['retry-after'] ?? '', status === 503 ? /^[234]$/ : /^$/)
    // A refusal says its cause in the request's own line, a fault of ours has a line with a stack.
    const logged = (word: string) =>
      lines.find(({ reqId, code }) => reqId === reply.headers['x-request-id'] && code === word)
    if (status === 503) t.match(logged('SERVICE_UNAVAILABLE'), { status, cause: 'secret' }, `${path} is in the log`)
    else t.match(logged('request_failed'), { level: 50, err: { stack: String } }, `${path} is in the log`)
  }
})

t.test('a domain error has its own status, and is not logged as an error', async (t) => {
  const { failing, lines } = await unready(t)
  const cases: Array<[Error, status: number, code: string, retryAfter: RegExp, cause: string | undefined]> = [
    [new StoreUnavailable('secret'), 503, 'SERVICE_UNAVAILABLE', /^[12]$/, 'secret'],
    [new DatabaseUnavailable('secret\n\nof two lines'), 503, 'SERVICE_UNAVAILABLE', /^[234]$/, 'secret of two lines'],
    [new HashQueueFull(), 503, 'SERVICE_UNAVAILABLE', /^[234]$/, 'too many passwords are being hashed'],
    [new AlreadyTaken('secret'), 409, 'CONFLICT', /^$/, undefined]
  ]
  for (const [error] of cases) failing.get(`/${error.name}`, async () => { throw error })
  for (const [error, status, code, retryAfter, cause] of cases) {
    const path = `/${error.name}`
    const reply = await failing.inject(path)
    hasOneShape(t, reply, { status, path })
    t.match(reply.headers['retry-after'] ?? '', retryAfter)
    t.notMatch(JSON.stringify([reply.headers, reply.body]), /secret/)
    const own = lines.filter(({ reqId }) => reqId === reply.headers['x-request-id'])
    t.match(own, [{ level: 30, msg: 'request', status, code }], `${path} has one line`)
    t.equal(own[0]!.cause, cause)
  }
})

t.test('a long cause is logged in a few hundred characters', async (t) => {
  const { failing, lines } = await unready(t)
  failing.get('/long', async () => { throw new DatabaseUnavailable('x'.repeat(1_000_000)) })
  await failing.inject('/long')
  t.equal(lines.find(({ status }) => status === 503)!.cause, 'x'.repeat(300))
})

t.test('an error may not be stored, even if its route allowed that for its answer', async (t) => {
  const { failing } = await unready(t)
  failing.get('/cached', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300')
    throw new DatabaseUnavailable('gone')
  })

  t.match(await failing.inject('/cached'), { statusCode: 503, headers: { 'cache-control': 'no-store' } })
})
t.test('the path in an error is the client\'s text, escaped as JSON', async (t) => {
  for (const path of ['/%22%7D', '/a%0d%0ab', '/%3Cscript%3E', `/${'x'.repeat(5000)}`]) {
    hasOneShape(t, await app.inject({ url: path, remoteAddress: client() }), { status: 404, path })
  }
})

t.end()
