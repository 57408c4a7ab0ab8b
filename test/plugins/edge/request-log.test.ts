// Every request is one line with a unique id, which no client-supplied text can forge or inflate.

import { randomUUID } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import t from 'tap'
import { startApp } from '../../fixtures/app.js'

const { app, client, logs, user } = await startApp(t)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** @returns the answer and every line of the log that belongs to the request */
async function logged (options: InjectOptions) {
  const reply = await app.inject({ remoteAddress: client(), ...options })
  return { reply, lines: logs.filter(line => line.reqId === reply.headers['x-request-id']) }
}

// S93
t.test('a caller\'s request id is kept as it is if it is a UUID, in the answer and in the log', async (t) => {
  for (const id of [randomUUID(), randomUUID().toUpperCase(), '01890a5d-ac96-774b-bcce-b302099a8057']) {
    const { reply, lines } = await logged({ url: '/api/auth/me', headers: { 'x-request-id': id } })
    t.equal(reply.headers['x-request-id'], id)
    t.match(lines.at(-1), { msg: 'request', reqId: id })
  }
})

// S93
t.test('any other request id is replaced, and nothing of it is in the answer or the log', async (t) => {
  const uuid = randomUUID()
  const ids = [
    'evil\r\nX-Evil: 1', 'evil\n{"level":60}', 'evil'.repeat(512), `${uuid}evil`, `evil${uuid}`, `${uuid}\r\nevil`,
    `${uuid}, ${uuid}`, '1', '', '__proto__',
    uuid.replaceAll('-', ''), `{${uuid}}`, uuid.replace(/.$/, 'g'), [uuid, randomUUID()]
  ]
  for (const id of ids) {
    const { reply, lines } = await logged({
      url: '/api/auth/me', headers: { 'x-request-id': id } as Record<string, string>
    })
    t.match(reply.headers['x-request-id'], UUID)
    t.not(reply.headers['x-request-id'], uuid)
    t.notMatch(JSON.stringify([reply.headers, reply.body, lines]), /evil/i, JSON.stringify(id).slice(0, 60))
    t.ok(lines.length > 0)
  }
})

t.test('a request is one line with its method, route, status, time and client', async (t) => {
  const { username, password } = await user()
  const address = client()
  const requests: Array<[options: InjectOptions, line: object]> = [
    [{
      method: 'POST',
      url: '/api/auth/%6cogin?x=1',
      payload: {
        username, password
      }
    }, { method: 'POST', route: '/api/auth/login', status: 200 }],
    [
      { method: 'POST', url: '/api/auth/login', payload: {} }, { method: 'POST', route: '/api/auth/login', status: 400 }
    ],
    [{ url: '/api/auth/login' }, { method: 'GET', route: '/api/auth/login', status: 405 }],
    [{ url: '/nowhere' }, { method: 'GET', route: null, status: 404 }],
    [{ url: '/%zz' }, { method: 'GET', route: null, status: 400 }]
  ]
  for (const [options, line] of requests) {
    const { lines } = await logged({ ...options, remoteAddress: address })
    t.equal(lines.length, 1)
    t.match(lines[0], { ...line, level: 30, msg: 'request', client: address })
    t.ok(Number.isInteger(lines[0]!.durationMs), 'in whole milliseconds')
    t.strictSame(Object.keys(lines[0]!).filter(key => ['policy', 'verdict', 'waitMs'].includes(key)), [])
  }
})

t.test('the line of a refusal has the policy and the wait', async (t) => {
  const request: InjectOptions = { method: 'POST', url: '/api/auth/forgot-password', remoteAddress: client() }
  for (let i = 0; i < 3; i++) await logged(request)
  const { reply, lines } = await logged(request)
  t.equal(lines.length, 1)
  const { waitMs, ...line } = lines[0]!
  t.match(line, { status: 429, policy: 'forgot-password', verdict: 'refused', client: request.remoteAddress })
  t.equal(Math.ceil(Number(waitMs) / 1000), reply.json().rateLimitInfo.retryAfter)
})

// S90
t.test('no client-supplied text forges a line of the log or makes one long', async (t) => {
  const texts = [
    'evil\r\n{"level":60,"msg":"evil"}', 'evil\u001b[31mevil\u001b[2J', 'evil\u2028evil', 'evil'.repeat(2500),
    'evil","level":60,"x":"'
  ]
  for (const text of texts) {
    const encoded = encodeURIComponent(text)
    const requests: InjectOptions[] = [
      { method: 'POST', url: '/api/auth/login', payload: { username: text.slice(0, 255), password: text } },
      { method: 'POST', url: '/api/auth/login', payload: { username: text, password: text, [text]: text } },
      { method: 'POST', url: '/api/auth/login', payload: text, headers: { 'content-type': 'application/json' } },
      { url: `/${encoded}?${encoded}` },
      { url: '/api/auth/me', headers: { authorization: `Bearer ${encoded}`, 'user-agent': encoded, referer: encoded } },
      { url: '/api/auth/me', headers: { origin: `https://${encoded}` } }
    ]
    for (const request of requests) {
      const before = logs.length
      await logged(request)
      const lines = logs.slice(before).map(line => JSON.stringify(line))
      t.equal(lines.filter(line => JSON.parse(line).msg === 'request').length, 1)
      // A refused origin is named, with its special characters replaced.
      const rest = lines.join('\n').replace(/"origin":"https:[\w%.:/?-]{1,300}"/, '')
      t.notMatch(rest, /evil/, `${String(request.method ?? 'GET')} ${String(request.url).slice(0, 20)}`)
      t.ok(lines.every(line => line.length < 4096), 'every line is short')
    }
  }
})

t.end()
