// Every answer has the security headers.

import type { InjectOptions } from 'fastify'
import t from 'tap'
import { newUsername, startApp } from '../../fixtures/app.js'

const page = 'https://erp.example'
const { app, client, user } = await startApp(t, { CORS_ORIGINS: page })

// S86
t.test('every answer, success or refusal, forbids storing, sniffing, framing and running it', async (t) => {
  const { username, password } = await user()
  const login = '/api/auth/login'
  const newUser = { username: newUsername(), password: 'correct horse battery', email: 'new@headers.example' }
  const exhausted = client()
  const forgot: InjectOptions = { method: 'POST', url: '/auth/forgot-password', remoteAddress: exhausted }
  for (let i = 0; i < 3; i++) await app.inject(forgot)
  const cases: Array<[status: number, options: InjectOptions]> = [
    [200, { method: 'POST', url: login, payload: { username, password } }],
    [204, { method: 'OPTIONS', url: login, headers: { origin: page, 'access-control-request-method': 'POST' } }],
    [400, { method: 'POST', url: login, payload: {} }],
    [400, { url: '/%zz' }],
    [401, { method: 'POST', url: login, payload: { username, password: 'wrong' } }],
    [401, { url: '/api/auth/me' }],
    [403, { url: login, headers: { origin: 'https://evil.example' } }],
    [404, { url: '/nowhere' }],
    [404, { method: 'HEAD', url: '/nowhere' }],
    [404, { method: 'OPTIONS', url: '/nowhere' }],
    [405, { url: login }],
    [413, { method: 'POST', url: login, payload: ' '.repeat(20_000), headers: { 'content-type': 'application/json' } }],
    [415, { method: 'POST', url: login, payload: 'x' }],
    [429, forgot],
    [201, { method: 'POST', url: '/auth/UserCreation', payload: newUser }],
    [409, { method: 'POST', url: '/auth/UserCreation', payload: newUser }]
  ]
  for (const [status, options] of cases) {
    const { statusCode, headers } = await app.inject({ remoteAddress: client(), ...options })
    t.equal(statusCode, status)
    t.match(headers, {
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff'
    }, `headers of a ${status}`)
    t.strictSame(
      Object.keys(headers).filter(name => ['server', 'x-powered-by', 'set-cookie'].includes(name)),
      [],
      `a ${status} names no software and sets no cookie`
    )
  }
})

t.test('only the public keys may be cached, for five minutes, and they have the other headers too', async (t) => {
  const { statusCode, headers } = await app.inject({ url: '/.well-known/jwks.json', remoteAddress: client() })
  t.equal(statusCode, 200)
  t.match(headers, {
    'cache-control': 'public, max-age=300',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff'
  })
})

t.end()
