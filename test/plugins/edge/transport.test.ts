// Slow, oversized, ambiguous and broken requests are answered or cut off, and other clients are served meanwhile.

import { once } from 'node:events'
import { request, STATUS_CODES, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { startListening } from '../../fixtures/app.js'
import { startOps } from '../../fixtures/ops.js'
import { answers, exchange, newPeer, open, type Answer } from '../../fixtures/socket.js'
import { ownTime, until } from '../../fixtures/until.js'

// Twelve seconds of it are the server's own timeouts.
t.setTimeout(90_000)
const { app, logs, user } = await startListening(t, { BCRYPT_COST: '10' })

const close = 'Host: x\r\nConnection: close\r\n'
const post = 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'

/** The one shape, with nothing beside it. */
function isRefusal (t: Test, answer: Answer | undefined, status: number, path: string): void {
  t.equal(answer?.status, status)
  t.equal(answer?.headers['content-type'], 'application/json; charset=utf-8')
  t.equal(answer?.headers['cache-control'], 'no-store')
  const { timestamp, message, ...rest } = JSON.parse(answer?.body ?? '{}')
  t.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  t.match(message, /^[A-Z][A-Za-z0-9 ,.:]+\.$/)
  t.strictSame(rest, { status, error: STATUS_CODES[status], path })
}

t.test('bytes that are not HTTP get 400 in the common shape and the connection is closed', async (t) => {
  const nonsense = [
    'hello\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    `GET / HTTP/3.7\r\n${close}\r\n`,
    `BREW / HTTP/1.1\r\n${close}\r\n`, `GET /\0 HTTP/1.1\r\n${close}\r\n`, `GET / HTTP/1.1\r\n${close}X-A: \0\r\n\r\n`,
    `GET / HTTP/1.1\r\nX A: 1\r\n${close}\r\n`
  ]
  for (const bytes of nonsense) {
    const received = await exchange(app, bytes)
    t.equal(received.length, 1, JSON.stringify(bytes))
    isRefusal(t, received[0], 400, '/')
  }
})

// S81
t.test('headers or a path over 16 KiB get 431 in the common shape, whatever is sent after', async (t) => {
  for (const size of [17_000, 4_000_000]) {
    for (const bytes of [
      `GET /x HTTP/1.1\r\n${close}X-A: ${'a'.repeat(size)}\r\n\r\n`, `GET /${'a'.repeat(size)} HTTP/1.1\r\n${close}\r\n`
    ]) {
      const received = await exchange(app, bytes)
      t.equal(received.length, 1)
      isRefusal(t, received[0], 431, '/')
    }
  }
  const [answer] = await exchange(app, `GET /x HTTP/1.1\r\n${close}X-A: ${'a'.repeat(16_000)}\r\n\r\n`)
  t.equal(answer?.status, 404, 'but headers below the limit are read')
})

// A proxy that sorts its headers sends those that a client invents before its own X-Forwarded-For.
const OPS_TOKEN = 'tR6yQw9Zk3Lm8Vx2Bn5Hs7Jd4Fg1CpUe'

t.test('a header line after a thousand others counts, on every listener', async (t) => {
  const { app, client, logs, ops } = await startOps(t, {
    MODULES: '/api/student;public', TRUST_PROXY: '127.0.0.1', VERIFY_PORT: '0', OPS_TOKEN
  })
  const ask = async (port: number, headers: OutgoingHttpHeaders, body = ''): Promise<number> => {
    const options = { host: '127.0.0.1', port, method: body && 'POST', path: body ? '/api/auth/login' : '/buckets' }
    const invented = Array<string>(1100).fill('1')
    const sent = request({ ...options, headers: { host: 'localhost', invented, ...headers } }).end(body)
    const [answer] = await once(sent, 'response') as [IncomingMessage]
    return answer.resume().statusCode!
  }
  const isClient = (address: string): Promise<number> => until(() => logs.some(({ client }) => client === address))
  const listen = async (listener: FastifyInstance): Promise<number> =>
    Number(new URL(await listener.listen({ host: '127.0.0.1', port: 0 })).port)

  const body = '{"username":"nobody","password":"wrong horse"}'
  const login = { 'content-type': 'application/json', 'content-length': body.length, 'x-forwarded-for': client() }
  t.equal(await ask(await listen(app), login, body), 401, 'the body is read')
  await isClient(login['x-forwarded-for'])

  const question = { 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/api/student', 'x-forwarded-for': client() }
  t.equal(await ask(await app.listenForVerify!(), question), 200, 'the question is whole')
  await isClient(question['x-forwarded-for'])

  t.equal(await ask(await listen(ops), { authorization: `Bearer ${OPS_TOKEN}` }), 200, 'the token is read')
})

t.test('HTTP/1.1 without a Host gets 400 in the common shape; HTTP/1.0 needs none', async (t) => {
  isRefusal(t, (await exchange(app, 'GET /x HTTP/1.1\r\nConnection: close\r\n\r\n'))[0], 400, '/x')
  isRefusal(t, (await exchange(app, 'GET /x HTTP/1.0\r\n\r\n'))[0], 404, '/x')
})

// S83
t.test('a hundred pipelined requests are answered in order, and each takes a token', async (t) => {
  const paths = Array.from({ length: 101 }, (_, i) => `/api/${i}`)
  const last = paths.at(-1)
  const requests = paths.map(path => `GET ${path} HTTP/1.1\r\n${path === last ? close : 'Host: x\r\n'}\r\n`)
  const received = await exchange(app, requests.join(''))
  t.strictSame(received.map(({ body }) => JSON.parse(body).path), paths)
  t.strictSame(received.map(({ status }) => status), paths.map(path => path === last ? 429 : 404))
})

t.test('a client that never closes is disconnected after a 400, even while it still sends', async (t) => {
  for (const sendsOn of [false, true]) {
    const accepting = once(app.server, 'connection')
    const socket = await open(app)
    const [accepted] = await accepting as [Socket]
    let closed = false
    accepted.once('close', () => { closed = true })
    socket.write('nonsense\r\n\r\n')
    isRefusal(t, (await answers(socket))[0], 400, '/')
    const sending = setInterval(() => sendsOn && socket.write('nonsense\r\n\r\n'), 50)
    await until(() => closed, 'it is disconnected', 8000)
    clearInterval(sending)
    socket.destroy()
  }
})

// S80
t.test('slow requests get 408 and are disconnected, and a thousand of them block nobody', async (t) => {
  const drip = async (head: string, body: string): Promise<{ received: Answer[], seconds: number, own: number }> => {
    const socket = await open(app)
    const [start, ownStart] = [performance.now(), ownTime()]
    let sent = 0
    socket.write(head)
    const dripping = setInterval(() => socket.writable && socket.write(body[sent++ % body.length]!), 500)
    const received = await answers(socket)
    clearInterval(dripping)
    socket.destroy()
    return { received, seconds: (performance.now() - start) / 1000, own: (ownTime() - ownStart) / 1000 }
  }
  const idle = Promise.all(Array.from({ length: 1000 }, async () => {
    const socket = await open(app)
    const received = await answers(socket)
    socket.destroy()
    return received
  }))
  const slow = Promise.all([
    drip('GET /x HTTP/1.1\r\nHost: x\r\nX-A: ', 'a'),
    drip(`${post}Content-Length: 1000\r\n\r\n`, '{'),
    drip(`${post}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n{\r\n'),
    // The answer does not wait for this body, and the connection does not wait forever.
    drip('POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n', '{')
  ])

  while (await connections() < 1004) await once(app.server, 'connection')
  const [answer] = await exchange(app, `GET /x HTTP/1.1\r\n${close}\r\n`)
  t.equal(answer?.status, 404, 'others are served meanwhile')

  const [headers, body, chunked, refused] = await slow
  for (const [{ received }, path] of [
    [headers, '/'], [body, '/api/auth/login'], [chunked, '/api/auth/login']
  ] as const) {
    t.equal(received.length, 1)
    isRefusal(t, received[0], 408, path)
  }
  t.ok(headers.seconds > 4 && headers.own < 9, `headers have five seconds: ${headers.seconds}`)
  for (const { seconds, own } of [body, chunked, refused]) {
    t.ok(seconds > 9 && own < 14, `a request has ten seconds: ${seconds}`)
  }
  t.equal(refused.received[0]?.status, 404)
  t.ok(
    (await idle).every(received => received.every(({ status }) => status === 408)),
    'and the idle ones are disconnected too'
  )
})

t.test('during the shutdown requests under way are answered, and no answer is torn', async (t) => {
  const { username, password } = await user()
  const body = JSON.stringify({ username, password })
  const { port } = app.server.address() as AddressInfo
  const idle = await open(app)
  idle.write('GET /x HTTP/1.1\r\nHost: x\r\n\r\n')
  t.equal((await answers(idle, 1))[0]?.status, 404)

  const busy = await open(app)
  busy.write(`${post}Content-Length: ${body.length}\r\n\r\n${body}`)
  await once(app.server, 'request')
  const closed = app.close()
  await once(idle, 'end')
  idle.destroy()
  busy.write('GET /later HTTP/1.1\r\nHost: x\r\n\r\n')
  const received = await answers(busy)
  busy.destroy()
  t.equal(received[0]?.status, 200)
  for (const answer of received.slice(1)) isRefusal(t, answer, 404, '/later')

  const refused = connect({ host: '127.0.0.1', port, localAddress: newPeer() })
  t.match(await once(refused, 'error'), [{ code: 'ECONNREFUSED' }])
  await closed
})

t.test('none of the above, including aborted bodies, is logged as an error of ours', async (t) => {
  t.strictSame(
    logs.filter(({ level, err }) => Number(level) >= 50 && (err as { code?: string }).code !== 'SERVICE_UNAVAILABLE'),
    []
  )
})

function connections (): Promise<number> {
  return new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => error ? reject(error) : resolve(count))
  })
}

t.end()
