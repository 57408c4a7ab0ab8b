// A request whose client has left is one line and one count, keeps its event, and frees its place in the hash queue.

import { randomBytes, randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import type { Layer } from '#src/limiter/bucket/bucket.js'
import { linkTokenHash } from '#src/mail/link-tokens.js'
import { newUsername, startApp, startListening } from '../../fixtures/app.js'
import { holdBack } from '../../fixtures/hold-back.js'
import { seriesOf } from '../../fixtures/metrics.js'
import { generator } from '../../fixtures/random.js'
import { answers, newPeer, open } from '../../fixtures/socket.js'
import { ownTime, until } from '../../fixtures/until.js'

t.setTimeout(120_000)
const main = await startApp(t)
const { app, logs, user } = main
await app.listen({ host: '127.0.0.1', port: 0 })

const wrong = 'wrong horse battery'

function post (path: string, payload: object, id = randomUUID()): { id: string, bytes: string } {
  const body = JSON.stringify(payload)
  const head =
    `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\nContent-Type: application/json\r\nContent-Length: ` +
      `${Buffer.byteLength(body)}\r\n\r\n`
  return { id, bytes: head + body }
}

const linesOf = (id: string) => logs.filter(line => line.reqId === id && line.msg === 'request')

/** Resets a connection, and waits until the server has noticed. */
async function leave (socket: Socket): Promise<void> {
  const before = await connections()
  socket.resetAndDestroy()
  await until(async () => await connections() < before, 'the server has noticed the reset')
}

const connections = async (): Promise<number> =>
  await new Promise((resolve, reject) =>
    app.server.getConnections((error, count) => error ? reject(error) : resolve(count)))

async function counted (name: string, labels: object, suffix = ''): Promise<number> {
  return (await seriesOf(app, name)).filter(({ metricName }) => metricName?.endsWith(suffix) ?? true)
    .filter(({ labels: has }) => Object.entries(labels).every(([key, value]) => String(has[key]) === String(value)))
    .reduce((sum, { value }) => sum + value, 0)
}

t.test('a client that closes its connection or its sending side is logged with 499 and disconnected', async (t) => {
  const { username } = await user()
  const compared = holdBack(t, app.passwords, 'verify')
  const ways: Array<(socket: Socket) => unknown> = [socket => socket.destroy(), socket => socket.end()]
  const ids: string[] = []
  for (const [i, leaveBy] of ways.entries()) {
    const { id, bytes } = post('/api/auth/login', { username, password: wrong })
    const socket = await open(app)
    socket.write(bytes)
    await compared.reached(i + 1)
    leaveBy(socket)
    await until(async () => await connections() === 0, 'the connection has ended')
    ids.push(id)
  }
  compared.release()
  await until(() => ids.every(id => linesOf(id).length > 0), 'both lines are there')
  for (const id of ids) t.match(linesOf(id), [{ status: 499, answer: 401 }])
})

t.test('a creation, a reset and a login whose clients have left take effect and are events', async (t) => {
  const name = newUsername()
  const creation = post('/auth/UserCreation', {
    username: name, password: 'a phrase of my own', email: `${name}@school.example`
  })
  const { id, username, password } = await user()
  const token = randomBytes(32).toString('base64url')
  await app.db.user.update({
    where: { id }, data: { resetTokenHash: linkTokenHash(token)!, resetTokenExpiresAt: new Date(Date.now() + 60_000) }
  })
  const reset = post('/auth/resetPassword', { token, newPassword: 'another phrase of mine' })
  const other = await user()
  const login = post('/api/auth/login', { username: other.username, password: other.password })

  const successes = await counted('gatehouse_logins_total', { outcome: 'success' })
  const held = { hash: holdBack(t, app.passwords, 'hash'), verify: holdBack(t, app.passwords, 'verify') }
  const sockets = await Promise.all([creation, reset, login].map(async ({ bytes }) => {
    const socket = await open(app)
    socket.write(bytes)
    return socket
  }))
  await Promise.all([held.hash.reached(2), held.verify.reached(1)])
  for (const socket of sockets) await leave(socket)
  held.hash.release()
  held.verify.release()
  await until(() => [creation, reset, login].every(({ id }) => linesOf(id).length > 0), 'every line is there')
  t.match(linesOf(creation.id), [{ status: 499, answer: 201, event: 'user_created', subject: name }])
  t.match(linesOf(reset.id), [{ status: 499, answer: 200, event: 'authn_password_change', actor: username }])
  t.match(linesOf(login.id), [{ status: 499, answer: 200, event: 'authn_login_success', actor: other.username }])
  t.equal(await counted('gatehouse_logins_total', { outcome: 'success' }) - successes, 1, 'a login keeps its outcome')
  t.ok(await app.db.user.findUnique({ where: { username: name } }))
  t.equal((await main.login(main.client(), username, password)).statusCode, 401, 'the password is another')
})

t.test('a handler that fails after its client has left is one line, with its error beside it', async (t) => {
  const { username } = await user()
  const { verify } = app.passwords
  t.after(() => { app.passwords.verify = verify })
  let fail = (_: Error): void => {}
  let begun = false
  app.passwords.verify = async () => {
    begun = true
    return await new Promise((_resolve, reject) => { fail = reject })
  }
  const request = post('/api/auth/login', { username, password: wrong })
  const socket = await open(app)
  socket.write(request.bytes)
  await until(() => begun)
  await leave(socket)
  t.strictSame(linesOf(request.id), [])
  fail(new Error('broken'))
  await until(() => linesOf(request.id).length > 0)
  t.match(linesOf(request.id), [{ status: 499, answer: 500, code: 'INTERNAL_SERVER_ERROR' }])
  t.equal(linesOf(request.id).length, 1)
  t.match(logs.find(line => line.reqId === request.id && line.code === 'request_failed'), {
    err: { message: 'broken' }
  })
})

t.test('a request whose client leaves during the limiter\'s decision has no effect, and is one line', async (t) => {
  const name = newUsername()
  const request = post('/auth/UserCreation', {
    username: name, password: 'a phrase of my own', email: `${name}@school.example`
  })
  const layer: Layer = app.buckets.layer
  const { take } = layer
  t.after(() => { layer.take = take })
  let decide: (() => void) | undefined
  layer.take = (bucket, done, failed) => take(bucket, (verdict) => {
    // The canary takes as well.
    if (bucket.policy.name === 'user-creation') decide = () => done(verdict)
    else done(verdict)
  }, failed)
  const socket = await open(app)

  socket.write(request.bytes)
  await until(() => decide !== undefined)
  await leave(socket)
  decide!()

  await until(() => linesOf(request.id).length > 0)
  t.match(linesOf(request.id), [{ status: 499, code: 'CLIENT_CLOSED_REQUEST', route: '/auth/UserCreation' }])
  t.equal(linesOf(request.id).length, 1)
  t.equal(await app.db.user.findUnique({ where: { username: name } }), null)
})

/** Requests of every kind, each with an id of its own. */
function kindsOf (username: string): Array<() => string> {
  const simple = (line: string, more = '') => (): string =>
    `${line} HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${randomUUID()}\r\n${more}\r\n`
  return [
    simple('GET /nowhere'), simple('GET /%zz'), simple('GET /api/auth/login'), simple('GET /api/auth/me'),
    simple('GET /.well-known/jwks.json'),
    simple('GET /api/auth/me', 'Authorization: Bearer x.y.z\r\n'), simple('GET /reset-password'),
    simple('OPTIONS /api/auth/login', 'Origin: http://localhost\r\nAccess-Control-Request-Method: POST\r\n'),
    simple('GET /api/auth/me', 'Origin: https://evil.example\r\n'),
    () => post('/api/auth/login', { username, password: wrong }).bytes,
    () => post('/api/auth/login', { username }).bytes,
    () => post('/auth/forgot-password', { username: newUsername() }).bytes,
    () => post('/auth/resetPassword', { token: 'A'.repeat(43), newPassword: 'another phrase of mine' }).bytes
  ]
}

/** Sends one to three requests, or a part of them, and leaves in some way at some time. */
async function converse (random: () => number, kinds: Array<() => string>): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  // Each kind comes only once, because a client's second preflight gets no line of its own.
  const requests = [
    ...new Set(Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(kinds)))
  ].map(request => request())
  const bytes = requests.join('')
  const cut = random() < 0.3 ? Math.floor(random() * bytes.length) : bytes.length
  const [pauseMs, stayMs, ending] = [
    random() * 20, random() ** 3 * 80, pick(['reset', 'destroy', 'end', 'stay'] as const)
  ]
  const socket = await open(app, newPeer())
  socket.write(bytes.slice(0, cut / 2))
  await setTimeout(pauseMs)
  socket.write(bytes.slice(cut / 2, cut))
  if (ending === 'stay' && cut === bytes.length) await answers(socket, requests.length)
  else await setTimeout(stayMs)
  if (ending === 'reset') socket.resetAndDestroy()
  else if (ending === 'end') socket.end()
  else socket.destroy()
  if (ending === 'end') await setTimeout(100)
  socket.destroy()
}

t.test('400 random, aborted conversations are exactly one line and one count per request', async (t) => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
  t.comment(`SEED=${seed}`)
  const random = generator(seed)
  const kinds = kindsOf((await user()).username)
  const begun: string[] = []
  app.server.on('request', ({ headers }: { headers: Record<string, string> }) => {
    begun.push(headers['x-request-id']!)
  })
  const [firstLine, before] = [logs.length, await counted('gatehouse_http_request_duration_seconds', {}, '_count')]

  for (let round = 0; round < 20; round++) {
    await Promise.all(Array.from({ length: 20 }, () => converse(random, kinds)))
  }
  await until(async () => app.requestsUnderWay() === 0 && await connections() === 0, 'every request has ended')

  // A request that is cut before its head is complete also has a line, but without a method.
  const lines = logs.slice(firstLine).filter(({ msg, method }) => msg === 'request' && method !== null)
  t.ok(begun.length > 400)
  t.ok(lines.filter(({ status }) => status === 499).length > 30, 'many of them left')
  t.equal(new Set(lines.map(({ reqId }) => reqId)).size, lines.length, 'no request has two lines')
  t.equal(lines.length, begun.length)
  t.ok(lines.every(({ client }) => client !== undefined), 'the client of each is known')
  t.equal(await counted('gatehouse_http_request_duration_seconds', {}, '_count') - before, begun.length)
})

t.test('a client that does not read its answers takes no place in the hash queue', async (t) => {
  const { app, client, login, user } = await startListening(t)
  // As if all buffers on the way to the client were full.
  app.server.on('connection', socket => Object.assign(socket, { _write () {}, _writev () {} }))
  const { username, password } = await user()
  const { bytes } = post('/auth/UserCreation', { username: 'somebody', password: 'short', email: 'x@school.example' })
  const clients = Math.ceil(app.passwords.room / 10) + 1

  for (let i = 0; i < clients; i++) (await open(app, newPeer())).write(bytes.repeat(10))
  await until(() => app.requestsUnderWay() === 10 * clients, 'all are answered, and no answer is sent')

  t.equal((await login(client(), username, password)).statusCode, 200)
})

t.test('the shutdown waits for the request of a client that has left, and for its line', async (t) => {
  const name = newUsername()
  const request = post('/auth/UserCreation', {
    username: name, password: 'a phrase of my own', email: `${name}@school.example`
  })
  const held = holdBack(t, app.passwords, 'hash')
  const socket = await open(app)
  socket.write(request.bytes)
  await held.reached(1)
  await leave(socket)
  const closed = app.close()
  await setTimeout(300)
  t.strictSame(linesOf(request.id), [])
  held.release()
  const releasedMs = ownTime()
  await closed
  t.ok(ownTime() - releasedMs < 4000, 'six seconds are for those who are still there')
  t.match(linesOf(request.id), [{ status: 499, answer: 201, event: 'user_created', subject: name }])
})

t.end()
