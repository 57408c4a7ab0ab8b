// A page of an allowed origin may use a module by any method, and a page of another one reaches none.

import type { HTTPMethods } from 'fastify'
import t from 'tap'
import { startApp } from '../../fixtures/app.js'
import { startUpstream } from '../../fixtures/upstream.js'

const origin = 'https://erp.example'
const upstream = await startUpstream(t, (_arrived, response) => {
  response.writeHead(200, {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': ['Upload-Offset, *', 'Upload-Length'],
    ETag: '"x"'
  })
  response.end('ok')
})
const { app, client, user } = await startApp(t, { CORS_ORIGINS: origin, MODULES: `/api/student=${upstream.url}` })

const ask = (method: string, headers: Record<string, string>, url = '/api/student/1') =>
  app.inject({ method: method as HTTPMethods, url, headers, remoteAddress: client() })

t.test('an allowed page may preflight any method of a module with known headers, and reaches nobody', async (t) => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
    const reply = await ask('OPTIONS', {
      origin, 'access-control-request-method': method, 'access-control-request-headers': 'if-match,hx-request'
    })
    t.equal(reply.statusCode, 204, method)
    t.match(reply.headers, {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': method,
      'access-control-allow-headers': /If-Match.*HX-Request/
    })
    t.equal(reply.headers['access-control-allow-credentials'], undefined)
  }
  const unknown = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-anything' }
  t.equal((await ask('OPTIONS', { origin, ...unknown })).statusCode, 403)
  t.equal(upstream.arrived.length, 0)
  const preflight = { origin, 'access-control-request-method': 'PUT' }
  t.equal((await ask('OPTIONS', preflight, '/api/auth/me')).statusCode, 403, 'ours as before')
  t.equal((await ask('OPTIONS', preflight, '/api/hostel/1')).statusCode, 403, 'nobody is there')
})

t.test('a foreign page reaches no module', async (t) => {
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    { origin: 'null' }
  ]) {
    for (const method of ['GET', 'OPTIONS', 'DELETE']) t.equal((await ask(method, headers)).statusCode, 403)
  }
  t.equal(upstream.arrived.length, 0)
})

t.test('a form of a page that sends no referrer reaches its own module, and no other origin can', async (t) => {
  const form = { origin: 'null', 'sec-fetch-site': 'same-origin' }
  const { statusCode, headers } = await ask('DELETE', form)
  t.equal(statusCode, 401, 'it lacks a token')
  t.equal(headers['access-control-allow-origin'], undefined)
  t.equal((await ask('DELETE', { ...form, 'sec-fetch-site': 'cross-site' })).statusCode, 403)
})

t.test('an allowed page reads what it needs, and what the module names; nothing else of CORS passes', async (t) => {
  // A machine that is busy looks the user up: see auth/revocations.ts.
  const { id, username } = await user()
  const token = app.issueToken({ id, username, role: 'USER', userType: 'STUDENT', tokenVersion: 0 })
  const reply = await ask('DELETE', { origin, authorization: `Bearer ${token}` })
  t.equal(reply.statusCode, 200)
  t.match(reply.headers, { 'access-control-allow-origin': origin, etag: '"x"', vary: /Origin/ })
  t.equal(reply.headers['access-control-allow-credentials'], undefined)
  const exposed = String(reply.headers['access-control-expose-headers']).split(', ')
  for (const name of ['ETag', 'Location', 'Content-Disposition', 'Retry-After', 'X-Request-Id', 'Upload-Offset']) {
    t.ok(exposed.includes(name), name)
  }
  t.notOk(exposed.includes('*'))
  const refused = await ask('DELETE', { origin })
  t.match(refused, { statusCode: 401, headers: { 'access-control-allow-origin': origin } })
})

t.end()
