// A 429 says exactly when the next token comes. No other answer reveals the limits: see edge/error-shape.test.ts.

import type { InjectOptions } from 'fastify'
import t from 'tap'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { startApp } from '../../fixtures/app.js'

const { app, client, user } = await startApp(t)

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
  'forgot-password': { method: 'POST', url: '/auth/forgot-password' }
} satisfies Record<string, InjectOptions>

for (const policy of Object.keys(requests) as Array<keyof typeof requests>) {
  const options: InjectOptions = requests[policy]
  const { capacity, periodMs } = defaultLimits.policies[policy]
  const periodSeconds = periodMs / 1000
  // S50
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
