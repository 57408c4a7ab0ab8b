// A 429 says exactly when the next token comes, and no other answer reveals anything about the limits.

import type { InjectOptions } from 'fastify'
import t from 'tap'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { newUsername, startApp } from '../../fixtures/app.js'

const page = 'https://erp.example'
const { app, client, login, user } = await startApp(t, { CORS_ORIGINS: page })

const quotaHeaders = (headers: object) => Object.keys(headers).filter(name => /rate-?limit|retry-after/i.test(name))

const json = { 'content-type': 'application/json' }

/** Takes every token of a bucket. */
async function exhaust (capacity: number, request: InjectOptions): Promise<void> {
  for (let i = 0; i < capacity; i++) {
    const { statusCode } = await app.inject(request)
    if (statusCode === 429) throw new Error(`refused after ${i} of ${capacity}`)
  }
}

const requests = {
  login: { method: 'POST', url: '/api/auth/login', payload: {} },
  'forgot-password': { method: 'POST', url: '/auth/forgot-password' },
  'user-creation': { method: 'POST', url: '/auth/UserCreation' },
  'reset-password': { method: 'POST', url: '/auth/resetPassword' },
  public: { url: '/.well-known/jwks.json' },
  session: { method: 'POST', url: '/api/auth/refresh' },
  general: { url: '/api/student/1' }
} satisfies Record<string, InjectOptions>

for (const policy of Object.keys(requests) as Array<keyof typeof requests>) {
  const options: InjectOptions = requests[policy]
  const { capacity, periodMs } = defaultLimits.policies[policy]
  const periodSeconds = periodMs / 1000
  t.test(`the 429 of ${policy} says exactly when the next of ${capacity} tokens comes`, async (t) => {
    const request = { ...options, remoteAddress: client() }
    const startedAt = Date.now()
    await exhaust(capacity, request)
    const reply = await app.inject(request)
    const answeredAt = Date.now()

    t.equal(reply.statusCode, 429)
    const { rateLimitInfo, message, ...rest } = reply.json()
    t.strictSame(Object.keys(rest), ['timestamp', 'status', 'error', 'path'])
    t.match(rest, { status: 429, error: 'Too Many Requests', path: options.url })
    t.strictSame(Object.keys(rateLimitInfo), ['limit', 'remaining', 'resetTime', 'retryAfter'])
    t.match(rateLimitInfo, { limit: capacity, remaining: 0, resetTime: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/ })

    const { resetTime, retryAfter } = rateLimitInfo
    t.match(reply.headers, {
      'retry-after': String(retryAfter),
      'x-ratelimit-limit': String(capacity),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Date.parse(resetTime) / 1000),
      'x-ratelimit-retry-after': String(retryAfter)
    })
    t.equal(message, `Too many requests. Please try again in ${retryAfter} seconds.`)

    // The first take started the period: both ways of waiting end after it, and within a second of it.
    t.ok(answeredAt + retryAfter * 1000 >= startedAt + periodSeconds * 1000, 'retryAfter is long enough')
    t.ok(retryAfter <= periodSeconds, 'and no longer than the period')
    t.ok(Date.parse(resetTime) >= startedAt + periodSeconds * 1000, 'resetTime is late enough')
    t.ok(Date.parse(resetTime) <= answeredAt + periodSeconds * 1000 + 1000, 'and no later than the second that follows')
  })
}

// L72
t.test('only a 429 reveals anything about the limits', async (t) => {
  const { username, password } = await user()
  const url = '/api/auth/login'
  const authorization = `Bearer ${(await login(client(), username, password)).json().data.token}`
  const create = { method: 'POST', url: '/auth/UserCreation' } as const
  const newUser = { username: newUsername(), password: 'correct horse battery', email: 'new@quota.example' }
  const cases: Array<[status: number, options: InjectOptions]> = [
    [200, { method: 'POST', url, payload: { username, password } }],
    [204, { method: 'OPTIONS', url, headers: { origin: page, 'access-control-request-method': 'POST' } }],
    [400, { method: 'POST', url, payload: '{', headers: json }],
    [400, { method: 'POST', url, payload: {} }],
    [400, { url: '/%zz' }],
    [401, { method: 'POST', url, payload: { username, password: `${password}!` } }],
    [401, { url: '/api/auth/me' }],
    [403, { url: '/api/auth/me', headers: { origin: 'https://evil.example' } }],
    [404, { url: '/nowhere' }],
    [405, { url }],
    [413, { method: 'POST', url, payload: ' '.repeat(20_000), headers: json }],
    [415, { method: 'POST', url, payload: 'x', headers: { 'content-type': 'text/plain' } }],
    [400, {
      method: 'POST',
      url: '/auth/resetPassword',
      payload: {
        token: 'x', newPassword: 'correct horse battery'
      }
    }],
    [200, { method: 'POST', url: '/auth/forgot-password', payload: { username } }],
    [201, { ...create, payload: newUser }],
    [409, { ...create, payload: newUser }],
    [401, { ...create, payload: { ...newUser, role: 'ADMIN' } }],
    [403, { ...create, payload: { ...newUser, role: 'ADMIN' }, headers: { authorization } }]
  ]
  for (const [status, options] of cases) {
    const { statusCode, headers, body } = await app.inject({ ...options, remoteAddress: client() })
    t.equal(statusCode, status)
    t.strictSame(quotaHeaders(headers), [], `headers of a ${status}`)
    t.notMatch(body, /rateLimit|retryAfter|remaining/, `body of a ${status}`)
  }
})

for (const [operation, capacity] of [['forgot-password', 3], ['UserCreation', 10], ['resetPassword', 5]] as const) {
  t.test(`/auth/${operation} and its alias under /api share one bucket`, async (t) => {
    const remoteAddress = client()
    const paths = [`/auth/${operation}`, `/api/auth/${operation}`]
    const post = async (url: string) => (await app.inject({ method: 'POST', url, remoteAddress })).statusCode
    const statuses = []
    for (let i = 0; i < capacity + 2; i++) statuses.push(await post(paths[i % 2]!))
    t.strictSame(statuses, [...Array(capacity).fill(400), 429, 429])
  })
}

t.test('a refusal comes before the body is read, even with the right password', async (t) => {
  const { username, password } = await user()
  const request = { method: 'POST', url: '/api/auth/login', remoteAddress: client() } as const
  await exhaust(5, { ...request, payload: {} })
  const bodies: InjectOptions[] = [
    { payload: { username, password } }, { payload: '{', headers: json },
    { payload: 'x', headers: { 'content-type': 'text/plain' } },
    { payload: ' '.repeat(20_000), headers: json }
  ]
  for (const body of bodies) t.equal((await app.inject({ ...request, ...body })).statusCode, 429)
})

t.test('an exception between a verdict and its answer is a 500 with its stack in the log', async (t) => {
  const { app, client, logs } = await startApp(t)
  const admitted = app.metrics.decisions({ policy: 'general', outcome: 'admitted' })
  for (const thrown of [new RangeError('Invalid time value'), 'no error at all']) {
    Object.defineProperty(admitted, 'value', {
      configurable: true,
      get () {
        Object.defineProperty(admitted, 'value', { configurable: true, writable: true, value: 0 })
        throw thrown
      }
    })
    const reply = await app.inject({ url: '/api/student/1', remoteAddress: client() })
    t.equal(reply.statusCode, 500)
    t.match(reply.json(), { status: 500, error: 'Internal Server Error', path: '/api/student/1' })
  }
  t.match(logs.filter(({ code }) => code === 'request_failed').map(({ err }) => err), [
    { stack: /RangeError: Invalid time value\n +at / }, { message: /no error/ }
  ])
  t.equal((await app.inject({ url: '/api/student/1', remoteAddress: client() })).statusCode, 404)
})

t.end()
