// Each clock of an exchange runs against the side that has to move: see src/modules/clocks.ts.

import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { startListening } from '../../fixtures/app.js'
import { answers, exchange, open, type Answer } from '../../fixtures/socket.js'
import { ownTime, until } from '../../fixtures/until.js'
import { listen, startUpstream } from '../../fixtures/upstream.js'

const MEGABYTES = 64
const megabyte = Buffer.alloc(1024 ** 2, 'x')

let aborted = 0
const silent = await listen(t, (request, response) => {
  request.resume()
  response.on('close', () => { aborted++ })
})
const healthy = await startUpstream(t)
const pausing = await listen(t, (_request, response) => { response.write('half') })
const quiet = await listen(t, (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
})
const large = await listen(t, (_request, response) => {
  response.writeHead(200, { 'Content-Length': MEGABYTES * megabyte.length })
  for (let i = 0; i < MEGABYTES; i++) response.write(megabyte)
  response.end()
})

const { app, client, logs } = await startListening(t, {
  MODULES: [
    `/api/silent=${silent};public;timeout=1s;idle=2s`,
    `/api/patient=${silent};public;timeout=60s`,
    `/api/steady=${healthy.url};public;idle=3s`,
    `/api/huge=${healthy.url};public;maxBodyBytes=${1024 ** 4}`,
    `/api/pausing=${pausing};public;idle=1s`,
    `/api/events=${quiet};public;idle=1s`,
    `/api/endless=${silent};public;timeout=60s;idle=1s;maxBodyBytes=100000`,
    `/api/large=${large};public;timeout=1s;idle=1s`
  ].join()
})

/** What takes ten seconds and more runs beside the other tests. */
const [endless, steady, reading] = [trickle(), upload('steady', 55, 'x'.repeat(400)), readSlowly()]

/** An upload above the least rate that does not end. */
async function trickle (): Promise<Answer[]> {
  const socket = await open(app)
  const received = answers(socket, 1)
  socket.write('POST /api/endless/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n')
  const sending = setInterval(() => socket.write('x'.repeat(600)), 500)
  return await received.finally(() => clearInterval(sending))
}

const lastLine = (name: string): Record<string, unknown> | undefined =>
  logs.findLast(({ route }) => route === `/api/${name}/*`)
const failures = async (): Promise<string> =>
  await app.metrics.registry.getSingleMetricAsString('gatehouse_module_failures_total')

/** A connection to the app, and the same connection as the app has it. */
async function openBoth (): Promise<[client: Socket, connection: Socket]> {
  const connected = once(app.server, 'connection') as Promise<[Socket]>
  const socket = await open(app)
  return [socket, (await connected)[0]]
}

t.test('a stream of events begins before its first event, and breaks off after the pause, so that a page asks again',
  async (t) => {
    const address = app.server.address() as AddressInfo
    const reply = await fetch(`http://127.0.0.1:${address.port}/api/events/1`)

    t.equal(reply.status, 200)
    t.equal(reply.headers.get('content-type'), 'text/event-stream')
    await t.rejects(reply.text(), 'it is not a whole answer')
  })

t.test('a module that does not answer in its time is 504, and the request to it ends', async (t) => {
  const startedMs = ownTime()
  const reply = await app.inject({ url: '/api/silent/1', remoteAddress: client() })

  t.equal(reply.statusCode, 504)
  t.match(reply.json(), { status: 504, error: 'Gateway Timeout', message: /did not answer in time/ })
  t.ok(ownTime() - startedMs < 2500)
  await until(() => aborted > 0)
  t.match(lastLine('silent'), { status: 504, code: 'GATEWAY_TIMEOUT' })
  t.match(await failures(), /module="silent",status="504"} 1$/m)
})

t.test('a client that sends only a part of its body is 408, and its module has not failed', async (t) => {
  const [answer] = await exchange(app, 'POST /api/silent/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345')

  t.match(answer, { status: 408, headers: { connection: 'close' } })
  t.match(JSON.parse(answer!.body), { status: 408, error: 'Request Timeout' })
  await until(() => lastLine('silent')?.status === 408)
  t.match(lastLine('silent'), { code: 'REQUEST_TIMEOUT', cause: '5 bytes of the body in 2000 ms' })
  t.match(await failures(), /module="silent",status="504"} 1$/m, 'that of the test before')
  t.match(await app.metrics.registry.getSingleMetricAsString('gatehouse_module_breaker_open'), /"silent"} 0$/m)
})

/** The answer to a body that comes in so many pieces, one each 200 ms, until there is one. */
async function upload (name: string, pieces: number, piece: string): Promise<Answer | undefined> {
  const socket = await open(app)
  socket.write(`POST /api/${name}/slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
    `Content-Length: ${pieces * piece.length}\r\n\r\n`)
  const answered = answers(socket)
  for (let i = 0; i < pieces && !socket.readableEnded; i++) {
    socket.write(piece)
    await delay(200)
  }
  return (await answered)[0]
}

t.test('a body of 2 kB a second may take longer than the ten seconds of other bodies', async (t) => {
  t.equal((await steady)?.status, 200)
  t.equal(healthy.arrived.at(-1)?.body.length, 22_000)
})

t.test('a body of a few bytes now and then is 408, so that it holds no connection of the module', async (t) => {
  const startedMs = ownTime()

  const answer = await upload('silent', 55, 'x')

  t.match(answer, { status: 408, headers: { connection: 'close' } })
  t.ok(ownTime() - startedMs < 5000)
})

t.test('an answer that pauses for longer than it may breaks off, and its module has failed', async (t) => {
  const [socket] = await openBoth()
  let text = ''
  socket.on('data', (chunk) => { text += String(chunk) }).write('GET /api/pausing/1 HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'end')

  t.match(text, /half/)
  t.notMatch(text, /0\r\n\r\n$/, 'nobody takes it for whole')
  t.match(await failures(), /module="pausing",status="504"} 1$/m)
})

async function readSlowly (): Promise<number> {
  const socket = await open(app)
  const ended = new Promise(resolve => socket.on('end', resolve).on('close', resolve))
  socket.write('GET /api/large/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  let bytes = 0
  // About 200 kB a second. The kernel lets a sender go on only after much has been read.
  for (let i = 0; i < 100; i++) {
    bytes += (socket.read(20_000) as Buffer | null)?.length ?? 0
    await delay(100)
  }
  socket.on('data', (chunk: Buffer) => { bytes += chunk.length })
  await ended
  return bytes
}

t.test('a client may read for longer than its module may pause, and the line has the status and the end', async (t) => {
  const bytes = await reading

  t.ok(bytes > MEGABYTES * megabyte.length, `${bytes} bytes`)
  const lines = () => logs.filter(({ route, status }) => route === '/api/large/*' && status === 200)
  await until(() => lines().length > 0)
  t.ok(Number(lines()[0]!.durationMs) > 9000, 'it was logged when it had ended')
})

t.test('a client that takes no part of an answer for two minutes loses its connection', async (t) => {
  const [socket, connection] = await openBoth()
  socket.write('GET /api/large/1 HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => connection.writableLength > 0)

  t.equal(connection.timeout, 120_000)
  connection.emit('timeout')

  await until(() => connection.destroyed)
  await until(() => lastLine('large')?.status === 499)
  socket.destroy()
})

t.test('a client may wait for as long as its module may think', async (t) => {
  const [socket, connection] = await openBoth()
  socket.write('GET /api/patient/1 HTTP/1.1\r\nHost: x\r\n\r\n')
  await until(() => connection.timeout === 120_000)

  connection.emit('timeout')

  t.notOk(connection.destroyed)
  t.equal(connection.timeout, 120_000, 'it is looked at again')
  socket.destroy()
})

t.test('a module may take the largest bodies that there can be', async (t) => {
  const socket = await open(app)
  const received = answers(socket, 1)
  socket.write('POST /api/huge/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na')
  await delay(300)
  socket.write('b')

  t.match(await received, [{ status: 200 }])
  socket.destroy()
})

t.test('a body that comes fast enough, but does not end, is the client\'s 408 after 20 times `idle`', async (t) => {
  const [reply] = await endless

  t.equal(reply?.status, 408)
  t.notMatch(await failures(), /module="endless"/)
})

t.end()
