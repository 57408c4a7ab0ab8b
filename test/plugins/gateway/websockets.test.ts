// A WebSocket to a module is checked as its handshake, goes through as it is, and ends with either side or its session.

import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { WebSocket, WebSocketServer } from 'ws'
import { startListening } from '../../fixtures/app.js'
import { answers, exchange, newPeer, open } from '../../fixtures/socket.js'
import { ownTime, until } from '../../fixtures/until.js'
import { startRawUpstream, startUpstream } from '../../fixtures/upstream.js'

/** A module that echoes, and remembers who came and how they left. */
const arrived: Array<{ url: string | undefined, headers: Record<string, unknown> }> = []
const closes: number[] = []
const sockets = new WebSocketServer({
  noServer: true, perMessageDeflate: true, handleProtocols: protocols => [...protocols].at(-1)!
})
const server = createServer((_request, response) => { response.end('no socket') })
server.on('upgrade', (request, socket, head) => {
  arrived.push({ url: request.url, headers: request.headers })
  if (request.url?.includes('refused')) return socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
  sockets.handleUpgrade(request, socket, head, (webSocket) => {
    webSocket.on('message', (data, isBinary) => { webSocket.send(data, { binary: isBinary }) })
      .on('close', code => closes.push(code))
    if (request.url?.includes('greeting')) webSocket.send('welcome')
  })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
t.after(() => {
  server.close()
  server.closeAllConnections()
})
const silent = await startRawUpstream(t, socket => socket.on('data', () => {}))
const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const recording = await startUpstream(t)
const environment = {
  MODULES: `/api/student=${upstream},/api/hostel=${upstream};public,/api/employee=${silent};public;timeout=1s,` +
    `/api/plain=${recording.url};public`
}

const { app, logs, user } = await startListening(t, environment)
// A machine that is busy looks the user up: see auth/revocations.ts.
const { id, username } = await user()
const token = app.issueToken({ id, username, role: 'USER', userType: 'STUDENT', tokenVersion: 0 })

function connect (
  path: string, { on = app, headers = {}, protocols = [] as string[], localAddress = newPeer() } = {}
): WebSocket {
  const { port } = on.server.address() as AddressInfo
  return new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, {
    headers: { authorization: `Bearer ${token}`, ...headers }, localAddress, skipUTF8Validation: true
  } as object)
}

/** The status by which a handshake is refused. */
async function refusal (socket: WebSocket): Promise<number> {
  const [, response] = await once(socket, 'unexpected-response') as [
    unknown, { statusCode: number, resume: () => void }
  ]
  response.resume()
  socket.on('error', () => {}).terminate()
  return response.statusCode
}

t.test('a WebSocket goes through as it is: texts, bytes, the protocol, compression, and who it is', async (t) => {
  const socket = connect('/api/student/feed?a=1', { protocols: ['one', 'two'], headers: { 'x-user-id': '9' } })
  await once(socket, 'open')
  t.equal(socket.protocol, 'two')
  t.match(socket.extensions, /permessage-deflate/)
  t.match(arrived.at(-1), {
    url: '/api/student/feed?a=1',
    headers: {
      'x-user-id': String(id),
      'x-user-name': username,
      'x-forwarded-for': String,
      'x-request-id': String,
      authorization: undefined
    }
  })
  for (const text of ['hello', 'x'.repeat(200), 'y'.repeat(70_000)]) {
    socket.send(text)
    const [echo] = await once(socket, 'message') as [Buffer]
    t.ok(String(echo) === text)
  }
  const bytes = Buffer.alloc(300_000, 7)
  socket.send(bytes)
  const [echo, isBinary] = await once(socket, 'message') as [Buffer, boolean]
  t.ok(isBinary && echo.equals(bytes))
  socket.close(4001, 'bye')
  const [code] = await once(socket, 'close')
  t.equal(code, 4001)
  t.equal(closes.at(-1), 4001)
  await until(() => logs.some(({ status }) => status === 101))
  t.match(logs.findLast(({ status }) => status === 101), { method: 'GET', route: '/api/student/*', status: 101 })
})

t.test('what the module says at once arrives, and what the client sends with its handshake', async (t) => {
  const socket = connect('/api/student/greeting')
  const [greeting] = await once(socket, 'message') as [Buffer]
  t.equal(String(greeting), 'welcome')
  socket.terminate()
  const raw = await open(app)
  const key = Buffer.alloc(16).toString('base64')
  const frame = Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69])
  const head = 'GET /api/hostel/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`
  raw.write(Buffer.concat([Buffer.from(head), frame]))
  let text = ''
  raw.on('data', (data) => { text += data.toString('latin1') })
  await until(() => text.endsWith('\x81\x02hi'))
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  t.match(text, `sec-websocket-accept: ${accept}`)
  t.match(text, /^HTTP\/1\.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Request-Id: /)
  raw.destroy()
})

t.test('a WebSocket is authenticated and limited like any other request', async (t) => {
  const before = arrived.length
  t.equal(await refusal(connect('/api/student/feed', { headers: { authorization: 'Bearer x' } })), 401)
  t.equal(await refusal(connect('/api/student/%2e%2e%2femployee')), 400)
  t.equal(
    await refusal(connect('/api/student/feed', { headers: { origin: 'https://evil.example' } })), 403,
    'WebSockets know no CORS, so this is what keeps foreign pages out'
  )
  const localAddress = newPeer()
  for (let i = 0; i < 100; i++) {
    t.equal(await refusal(connect('/api/student/feed', { localAddress, headers: { authorization: '' } })), 401)
  }
  t.equal(await refusal(connect('/api/student/feed', { localAddress })), 429)
  t.equal(arrived.length, before)
})

t.test('a module refuses for itself, a silent one is 504, and nobody is there for our own paths', async (t) => {
  t.equal(await refusal(connect('/api/hostel/refused')), 403)
  t.equal(await refusal(connect('/api/employee/x')), 504)
  t.equal(await refusal(connect('/api/inventory/x')), 404)
  t.equal(await refusal(connect('/nowhere')), 404)
})

const handshake = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
const agreement = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'

t.test('every other offer of an upgrade is ignored', async (t) => {
  const length = 'Content-Length: 2\r\n\r\nhi'
  const cases: Array<[start: string, upgrade: string, rest: string, body: string]> = [
    ['GET /api/plain/x HTTP/1.1', 'h2c', '\r\n', ''],
    ['POST /api/plain/x HTTP/1.1', 'h2c', length, 'hi'],
    ['GET /api/plain/x HTTP/1.1', 'websocket', length, 'hi'],
    ['GET /api/plain/x HTTP/1.0', 'websocket', '\r\n', ''],
    ['GET /api/plain/x HTTP/1.1', 'h2c, websocket', '\r\n', '']
  ]
  for (const [start, upgrade, rest, body] of cases) {
    const what = `${start} ${upgrade} ${JSON.stringify(rest)}`
    const before = recording.arrived.length
    const socket = await open(app)
    socket.write(`${start}\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n${rest}`)
    const received = await answers(socket, 1)
    socket.destroy()
    t.match(received, [{ status: 200 }], what)
    t.match(recording.arrived.at(-1), { body, headers: { upgrade: undefined } }, what)
    t.strictSame([received.length, recording.arrived.length - before], [1, 1], `${what}: once`)
  }
})

t.test('a module that switches to anything but a WebSocket is 502', async (t) => {
  for (const upgrade of ['Upgrade: h2c\r\n', '', 'Upgrade: websocket\r\nUpgrade: websocket\r\n']) {
    const url = await startRawUpstream(t, (socket) => {
      socket.on('data', () => socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n${upgrade}\r\n`))
    })
    const { app } = await startListening(t, { MODULES: `/api/student=${url};public` })
    t.match(await exchange(app, `GET /api/student/feed HTTP/1.1\r\n${handshake}`), [{ status: 502 }], upgrade)
  }
})

t.test('what follows a handshake that is refused is no request', async (t) => {
  const before = recording.arrived.length
  const received = await exchange(app, `GET /api/student/feed HTTP/1.1\r\n${handshake}` +
    'GET /api/plain/smuggled HTTP/1.1\r\nHost: x\r\n\r\n')
  t.match(received, [{ status: 401, headers: { connection: 'close' } }])
  t.equal(received.length, 1)
  t.equal(recording.arrived.length, before)
})

t.test('a WebSocket on which nothing moves for ten minutes is ended, on both sides', async (t) => {
  const connected = once(app.server, 'connection') as Promise<[Socket]>
  const socket = connect('/api/hostel/x')
  const [[connection]] = await Promise.all([connected, once(socket, 'open')])
  t.equal(connection.timeout, 600_000)
  const before = closes.length
  connection.emit('timeout')
  await once(socket, 'close')
  await until(() => closes.length > before)
})

t.test('a WebSocket is one of the 32 requests that a user has under way, as long as it is open', async (t) => {
  const busy = await user()
  const authorization = `Bearer ${app.issueToken({
    id: busy.id, username: busy.username, role: 'USER', userType: 'STUDENT', tokenVersion: 0
  })}`
  const opened = await Promise.all(Array.from({ length: 32 }, async () => {
    const socket = connect('/api/student/feed', { headers: { authorization } })
    await once(socket, 'open')
    return socket
  }))
  const ask = async (): Promise<number> => {
    const options = { url: '/api/student/1', remoteAddress: newPeer(), headers: { authorization } }
    return (await app.inject(options)).statusCode
  }
  t.equal(await refusal(connect('/api/student/feed', { headers: { authorization } })), 503)
  t.equal(await ask(), 503, 'no other request, either')
  opened[0]!.close()
  await until(async () => await ask() === 200, 'room again')
  for (const socket of opened) socket.terminate()
  await until(() => sockets.clients.size === 0)
})

t.test('a WebSocket ends within a second after its session has ended, and those of other sessions go on', async (t) => {
  const owner = await user()
  const open = async (hoursAgo = 0, seconds = 0) => {
    const startedAt = Math.floor(Date.now() / 1000) - hoursAgo * 3600 + seconds
    const session = { id: randomUUID(), startedAt }
    const issued = app.issueToken({ ...owner, role: 'USER', userType: 'STUDENT', tokenVersion: 0 }, session)
    const authorization = `Bearer ${issued}`
    const socket = connect('/api/student/feed', { headers: { authorization } })
    await once(socket, 'open')
    return { socket, startedAt, authorization, closed: once(socket, 'close').then(ownTime) }
  }
  const [ended, expiring, other] = [await open(), await open(12, 3), await open()]

  const startedMs = ownTime()
  const url = '/api/auth/logout'
  const { authorization } = ended
  await app.inject({ method: 'POST', url, remoteAddress: newPeer(), headers: { authorization } })
  const tookMs = await ended.closed - startedMs
  await expiring.closed

  t.ok(tookMs < 1000, `${Math.round(tookMs)} ms`)
  t.ok(Date.now() / 1000 >= expiring.startedAt + 12 * 3600, 'SESSION_HOURS after the login')
  t.equal(other.socket.readyState, WebSocket.OPEN)
  other.socket.terminate()
  await other.closed
})

t.test('a side that is gone takes the other one with it', async (t) => {
  const before = closes.length
  const socket = connect('/api/hostel/x')
  await once(socket, 'open')
  socket.terminate()
  await until(() => closes.length === before + 1)
  t.equal(closes.at(-1), 1006)
  const other = connect('/api/hostel/x')
  await once(other, 'open')
  for (const client of sockets.clients) client.terminate()
  const [code] = await once(other, 'close')
  t.equal(code, 1006)
})

t.test('a client that is gone keeps no place, even if its module keeps half of the connection', async (t) => {
  const halfOpen = await startRawUpstream(t, (socket) => {
    socket.allowHalfOpen = true
    socket.once('data', () => socket.write(agreement))
  })
  const { app, logs } = await startListening(t, { MODULES: `/api/hostel=${halfOpen};public` })
  const socket = await open(app)
  socket.write(`GET /api/hostel/feed HTTP/1.1\r\n${handshake}`)
  await once(socket, 'data')
  socket.destroy()
  await until(() => app.requestsUnderWay() === 0, 'the WebSocket has ended', 10_000)
  t.match(logs.filter(({ route }) => route === '/api/hostel/*'), [{ status: 101 }])
})

t.test('a client that leaves before the module has agreed takes its request with it', async (t) => {
  const answers = ['', 'HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n']
  for (const answer of answers) {
    let [asked, closed] = [false, false]
    const hanging = await startRawUpstream(t, (socket) => {
      socket.on('close', () => { closed = true }).once('data', () => {
        asked = true
        socket.write(answer)
      })
    })
    const patient = await startListening(t, { MODULES: `/api/hostel=${hanging};public` })
    const socket = await open(patient.app)
    socket.write(`GET /api/hostel/feed HTTP/1.1\r\n${handshake}`)
    if (answer === '') await until(() => asked)
    else await once(socket, 'data')
    socket.destroy()
    await until(() => closed && patient.app.requestsUnderWay() === 0)
    t.match(patient.logs.filter(({ route }) => route === '/api/hostel/*'), [{ status: 499 }])
  }
})

t.test('clients that are gone at the moment their module agrees keep no place', async (t) => {
  const asked: Socket[] = []
  const agreeing = await startRawUpstream(t, socket => socket.once('data', () => asked.push(socket)))
  const { app } = await startListening(t, { MODULES: `/api/hostel=${agreeing};public` })
  const clients = await Promise.all(Array.from({ length: 64 }, () => open(app)))
  for (const socket of clients) socket.write(`GET /api/hostel/feed HTTP/1.1\r\n${handshake}`)
  await until(() => asked.length === clients.length)
  // So the service hears of both in the same turn of its event loop.
  for (const socket of clients) socket.resetAndDestroy()
  for (const socket of asked) socket.write(agreement)
  await until(() => app.requestsUnderWay() === 0, 'every request has ended', 10_000)
})

t.test('what a client sends before the module has agreed arrives after that, and not all of it is read', async (t) => {
  let [received, agree] = [Buffer.alloc(0), (): void => {}]
  const slow = await startRawUpstream(t, (socket) => {
    socket.on('data', (chunk) => { received = Buffer.concat([received, chunk]) })
    agree = () => { socket.write(agreement) }
  })
  const { app } = await startListening(t, { MODULES: `/api/hostel=${slow};public` })
  const connected = once(app.server, 'connection') as Promise<[Socket]>
  const socket = await open(app)
  const [connection] = await connected
  socket.write(`GET /api/hostel/feed HTTP/1.1\r\n${handshake}`)
  await until(() => received.length > 0)
  const before = received.length
  // One frame, whose length is in 8 bytes.
  const bytes = Buffer.alloc(3_000_000, 'x')
  const head = Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  head.writeUInt32BE(bytes.length, 6)
  socket.write(Buffer.concat([head, bytes]))
  await until(() => connection.readableLength > 0)
  await delay(100)
  t.ok(connection.bytesRead < 1_000_000, `${connection.bytesRead} bytes are read`)
  t.equal(received.length, before)
  agree()
  await until(() => received.length === before + head.length + bytes.length)
  t.ok(received.subarray(before).equals(Buffer.concat([head, bytes])))
  socket.destroy()
})

t.test('a handshake behind a request without an answer ends its connection, and no replica', async (t) => {
  const received = await exchange(
    app, `GET /api/employee/1 HTTP/1.1\r\nHost: x\r\n\r\nGET /api/employee/ HTTP/1.1\r\n${handshake}`)

  t.same(received, [])
  t.equal((await app.inject('/api/hostel/1')).statusCode, 200)
})

for (const [when, agreesAfterMs, answer] of [
  ['while the service stops', 500, 'HTTP/1.1 101 '], ['never', 0, '']
] as const) {
  t.test(`a module that agrees to a WebSocket ${when} holds nothing up`, async (t) => {
    const late = await startRawUpstream(t, (socket) => {
      if (agreesAfterMs > 0) socket.once('data', () => setTimeout(() => socket.write(agreement), agreesAfterMs))
    })
    const { app } = await startListening(t, { MODULES: `/api/hostel=${late};public` })
    const socket = await open(app)
    let received = ''
    socket.on('data', (chunk) => { received += String(chunk) }).write(`GET /api/hostel/feed HTTP/1.1\r\n${handshake}`)
    await until(() => app.requestsUnderWay() === 1)
    const startedMs = ownTime()

    await Promise.all([once(socket, 'end'), app.close()])

    t.ok(ownTime() - startedMs < 9000, 'the service has ended')
    t.equal(received.slice(0, 13), answer)
  })
}

t.test('a service that stops ends its WebSockets, on both sides', async (t) => {
  const stopping = await startListening(t, environment)
  const socket = connect('/api/hostel/x', { on: stopping.app })
  await once(socket, 'open')
  const before = closes.length
  const startedMs = ownTime()

  await Promise.all([once(socket, 'close'), stopping.app.close()])

  await until(() => closes.length > before)
  t.ok(ownTime() - startedMs < 4000)
})

t.end()
