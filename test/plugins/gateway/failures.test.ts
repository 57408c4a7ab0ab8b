// A module that fails, in whatever way, costs its own requests a 502 or 504, and nobody takes half an answer for whole.

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { startApp, startListening } from '../../fixtures/app.js'
import { newDirectory } from '../../fixtures/lifetime.js'
import { freePort } from '../../fixtures/redis.js'
import { answers, exchange, newPeer, open } from '../../fixtures/socket.js'
import { until } from '../../fixtures/until.js'
import { listen, startRawUpstream, startUpstream } from '../../fixtures/upstream.js'

/** Closes every connection after so many requests, without an answer. */
let dying = 0
let deaths = 0
const mortal = await startRawUpstream(t, (socket) => {
  socket.on('data', (bytes) => {
    if (dying > 0) {
      dying--
      deaths++
      return socket.destroy()
    }
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${String(bytes).startsWith('HEAD') ? '' : 'ok'}`)
  })
})
const hanging = await listen(t, () => {})
const healthy = await startUpstream(t)
const garbage = await startRawUpstream(t, socket => socket.on('data', () => socket.end('nonsense\r\n\r\n')))
const port = await freePort()

const { app, client, logs } = await startListening(t, {
  MODULES: [
    `/api/student=${mortal};public`,
    `/api/employee=${hanging};public;timeout=1s;idle=1s`,
    `/api/waiting=${hanging};public;timeout=5s`,
    `/api/academic=${healthy.url};public`,
    `/api/inventory=http://127.0.0.1:${port};public`,
    `/api/hostel=${garbage};public`
  ].join()
})

const ask = (url: string, method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' = 'GET', payload?: string) =>
  app.inject({
    url,
    method,
    remoteAddress: client(),
    ...payload !== undefined && { payload, headers: { 'content-type': 'text/plain' } }
  })
const lastLine = (): Record<string, unknown> | undefined => logs.findLast(({ msg }) => msg === 'request')
const codesOf = (logs: Array<Record<string, unknown>>, name: string): unknown[] =>
  logs.filter(({ module }) => module === name).map(({ code }) => code)
const metric = async (name: string): Promise<string> => await app.metrics.registry.getSingleMetricAsString(name)

t.test('a GET or HEAD whose connection breaks is sent once more, over a new one', async (t) => {
  for (const method of ['GET', 'HEAD'] as const) {
    t.equal((await ask('/api/student/1')).statusCode, 200, 'a connection is kept')
    dying = 1
    t.equal((await ask('/api/student/1', method)).statusCode, 200, method)
  }
  dying = 2
  deaths = 0
  const reply = await ask('/api/student/1')
  t.equal(reply.statusCode, 502)
  t.match(reply.json(), { status: 502, error: 'Bad Gateway', message: /cannot be reached/, path: '/api/student/1' })
  t.match(reply.headers, { 'cache-control': 'no-store', 'content-type': /json/ })
  t.equal(deaths, 2, 'once more, and no third time')
  t.match(lastLine(), { status: 502, code: 'BAD_GATEWAY', cause: String, route: '/api/student/*' })
})

t.test('no unsafe request, and none with a body, is ever sent twice', async (t) => {
  for (const [method, payload] of [['POST', 'x'], ['POST', undefined], ['PUT', 'x'], ['DELETE', undefined]] as const) {
    dying = 1
    deaths = 0
    t.equal((await ask('/api/student/1', method, payload)).statusCode, 502, method)
    t.equal(deaths, 1)
  }
  dying = 1
  deaths = 0
  const withBody = 'GET /api/student/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx'
  const [answer] = await exchange(app, withBody)
  t.equal(answer?.status, 502)
  t.equal(deaths, 1)
})

t.test('a client that leaves ends all of its pipelined requests, also one whose answer has begun', async (t) => {
  let [asked, closed] = [0, 0]
  const endless = await startRawUpstream(t, (socket) => {
    const more = (): void => { while (socket.write(Buffer.alloc(65_536))) continue }
    socket.on('close', () => { closed++ }).on('drain', more).once('data', (bytes) => {
      asked++
      if (!String(bytes).startsWith('GET /api/student/endless ')) return
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      more()
    })
  })
  const { app, logs } = await startListening(t, { MODULES: `/api/student=${endless};public` })
  const connected = once(app.server, 'connection') as Promise<[Socket]>
  const socket = await open(app)
  await connected
  const paths = ['silent', 'endless', 'silent']
  socket.write(paths.map(path => `GET /api/student/${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  await until(() => asked === 3)
  socket.destroy()
  await until(() => closed === 3, 'the module has no connection any more', 10_000)
  await until(() => app.requestsUnderWay() === 0)
  t.same(logs.filter(({ route }) => route === '/api/student/*').map(({ status }) => status), [499, 499, 499])
})

t.test('a body over the largest is 413, by its length at once, or when it is', async (t) => {
  const before = healthy.arrived.length
  const large = 11 * 1024 * 1024
  const [byLength] = await exchange(app, `POST /api/academic/1 HTTP/1.1\r\nHost: x\r\nContent-Length: ${large}\r\n\r\n`)
  t.match(byLength, { status: 413 })
  const message = 'The body is too large: at most 10485760 bytes are accepted.'
  t.match(JSON.parse(byLength!.body), { status: 413, message })
  const socket = await open(app)
  socket.write('POST /api/academic/1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  const chunk = `10000\r\n${'x'.repeat(65536)}\r\n`
  for (let i = 0; i < large / 65536 && socket.writable; i++) {
    if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
  }
  const [whenItIs] = await answers(socket)
  t.match(whenItIs, { status: 413 })
  t.equal(healthy.arrived.length, before)
})

t.test('a circuit breaker opens on connections that fail, and closes when one succeeds', async (t) => {
  t.equal((await ask('/api/inventory/1')).statusCode, 502)
  t.equal((await ask('/api/inventory/1')).statusCode, 502)
  t.match(lastLine(), { cause: 'circuit breaker open' })
  t.match(await metric('gatehouse_module_breaker_open'), /module="inventory"} 1$/m)
  await listen(t, (_request, response) => { response.end('back') }, port)
  await until(async () => (await ask('/api/inventory/1')).statusCode === 200)
  t.match(await metric('gatehouse_module_breaker_open'), /module="inventory"} 0$/m)
  t.same(codesOf(logs, 'inventory'), ['module_unavailable', 'module_recovered'], 'one line for each change')
})

t.test('the circuit breaker of an https module stays open until a TLS handshake succeeds', async (t) => {
  let connections = 0
  const url = await startRawUpstream(t, (socket) => {
    connections++
    socket.on('data', () => socket.end('no TLS'))
  })
  const { app, client, logs } = await startApp(t, { MODULES: `/api/student=${url.replace('http', 'https')};public` })
  const { statusCode } = await app.inject({ url: '/api/student/1', remoteAddress: client() })
  t.equal(statusCode, 502)
  await until(() => connections > 4, 'it is tried again')
  t.same(codesOf(logs, 'student'), ['module_unavailable'], 'and never reached')
})

t.test('slow and broken answers do not open it', async (t) => {
  await ask('/api/employee/1')
  t.equal((await ask('/api/hostel/1')).statusCode, 502)
  const open = await metric('gatehouse_module_breaker_open')
  for (const module of ['student', 'employee', 'hostel']) t.match(open, new RegExp(`module="${module}"} 0$`, 'm'))
})

t.test('an answer that breaks off breaks off for its client, so that nobody takes it for whole', async (t) => {
  let head = ''
  let breakOff = (_socket: Socket): void => {}
  /** Called when half of the answer has come to the client. */
  let arrived = (): void => {}
  const broken = await startRawUpstream(t, socket => socket.on('data', () => {
    socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n`)
    setTimeout(() => { socket.write(head.includes('chunked') ? '4\r\nhalf\r\n' : 'half') }, 20)
    arrived = () => {
      arrived = () => {}
      breakOff(socket)
    }
  }))
  const { app, logs } = await startListening(t, { MODULES: `/api/student=${broken};public` })
  const requests = () => logs.filter(({ msg }) => msg === 'request')
  const close = (socket: Socket): unknown => socket.end()
  const reset = (socket: Socket): unknown => socket.resetAndDestroy()
  const cases = [
    ['Content-Length: 100\r\n', close],
    ['Content-Length: 100\r\n', reset],
    ['Transfer-Encoding: chunked\r\n', close],
    ['Connection: close\r\nTransfer-Encoding: chunked\r\n', reset],
    ['', reset]
  ] as const
  for (const [headers, ending] of cases) {
    [head, breakOff] = [headers, ending]
    const what = `${JSON.stringify(headers)} and ${ending.name}`
    const before = requests().length
    for (const version of ['1.0', '1.1']) {
      const request = `GET /api/student/1 HTTP/${version}\r\nHost: x\r\n\r\n`
      const { text, reset } = await readToEnd(app, request, () => arrived())
      if (version === '1.0') t.ok(reset, `${what}: a FIN would end the answer of HTTP/1.0`)
      else t.match(text, /half(\r\n)?$/, what)
    }
    await until(() => requests().length === before + 2)
    t.match(requests().slice(before), Array(2).fill({ status: 200, cause: String }), 'no client left')
  }
  const failures = await app.metrics.registry.getSingleMetricAsString('gatehouse_module_failures_total')
  t.match(failures, /module="student",status="502"} 10$/m, 'it counts as a failure of the module')

  ;[head, breakOff] = ['', close]
  const request = 'GET /api/student/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  const { text } = await readToEnd(app, request, () => arrived())
  t.match(text, /half\r\n0\r\n\r\n$/, 'an answer without a length may end with its connection')
})

/**
 * What comes back over a connection, and whether a reset ends it.
 *
 * @param onHalf called while there is the text `half`
 */
async function readToEnd (
  on: typeof app, request: string, onHalf: () => void
): Promise<{ text: string, reset: boolean }> {
  const socket = await open(on)
  let text = ''
  let reset = false
  socket.on('data', (chunk) => {
    text += String(chunk)
    if (text.includes('half')) onHalf()
  }).on('error', () => { reset = true }).write(request)
  await new Promise(resolve => socket.on('end', () => socket.end()).on('close', resolve))
  return { text, reset }
}

t.test('a request that arrives after the service has begun to stop has the time for its answer, too', {
  skip: Number.parseInt(process.versions.node, 10) >= 26 &&
    'a server of Node 26 that stops ends each connection that waits for its first request'
}, async (t) => {
  const waiting: ServerResponse[] = []
  const slow = await listen(t, (_request, response) => {
    // The first one waits until the second has arrived.
    if (waiting.push(response) === 2) for (const one of waiting) setTimeout(() => one.end('at last'), 500)
  })
  const { app, logs } = await startListening(t, { MODULES: `/api/student=${slow};public` })
  let connections = 0
  app.server.on('connection', () => { connections++ })
  const [first, second] = [await open(app), await open(app)]
  await until(() => connections === 2)
  const get = 'GET /api/student/1 HTTP/1.1\r\nHost: x\r\n\r\n'
  first.write(get)
  await until(() => waiting.length === 1)
  const closed = app.close()
  await until(() => app.draining)
  second.write(get)
  const [early, late] = await Promise.all([answers(first), answers(second)])
  for (const received of [early, late]) t.match(received, [{ status: 200, headers: { connection: 'close' } }])
  await closed
  t.strictSame(logs.filter(({ msg }) => msg === 'request').map(({ status }) => status), [200, 200])
})

t.test('a module that fails before its body\'s first byte is 502 or 504, without headers of its own', async (t) => {
  let rest = ''
  let end = (_socket: Socket): void => {}
  let asked = 0
  const failing = await startRawUpstream(t, socket => socket.on('data', () => {
    asked++
    socket.write('HTTP/1.1 200 OK\r\nCache-Control: public\r\nContent-Encoding: gzip\r\nETag: "x"\r\n' +
      `Set-Cookie: a=1\r\nVary: X-A\r\n${rest}`)
    setTimeout(() => end(socket), 50)
  }))
  const { app, client } = await startApp(t, { MODULES: `/api/student=${failing};public;idle=1s` })
  const length = 'Content-Length: 10\r\n\r\n'
  for (const [name, status, bytes, ending] of [
    ['closes', 502, length, (socket: Socket) => socket.end()],
    ['resets', 502, length, (socket: Socket) => socket.resetAndDestroy()],
    ['sends no chunk', 502, 'Transfer-Encoding: chunked\r\n\r\nzz\r\n', () => {}],
    ['says nothing', 504, length, () => {}]
  ] as const) {
    [rest, end, asked] = [bytes, ending, 0]
    const reply = await app.inject({ url: '/api/student/1', remoteAddress: client() })
    t.equal(reply.statusCode, status, name)
    t.match(reply.json(), { status, path: '/api/student/1' })
    t.match(reply.headers, { 'cache-control': 'no-store', 'content-security-policy': String, 'content-type': /json/ })
    for (const header of ['etag', 'set-cookie', 'content-encoding']) t.notHas(reply.headers, header)
    t.equal(asked, 1, 'it is not asked again')
  }
  const failures = await app.metrics.registry.getSingleMetricAsString('gatehouse_module_failures_total')
  t.match(failures, /status="502"} 3\n.*status="504"} 1$/m)
})

t.test('an answer that no client could read is 502, and ends no replica while its body still comes', async (t) => {
  for (const head of [
    '200 OK\r\nTransfer-Encoding: gzip', '200 OK\r\nTransfer-Encoding: gzip, chunked',
    '600 Beyond\r\nTransfer-Encoding: chunked', '200 OK\r\nContent-Length: 2\r\nContent-Length: 3',
    '200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked'
  ]) {
    const url = await startRawUpstream(t, socket => socket.once('data', () => {
      socket.write(`HTTP/1.1 ${head}\r\n\r\n2\r\nok\r\n`)
    }))
    const { app, client } = await startApp(t, { MODULES: `/api/student=${url};public` })
    t.equal((await app.inject({ url: '/api/student/1', remoteAddress: client() })).statusCode, 502, head)
  }
})

t.test('a module may close its connection while its answer waits for its client', async (t) => {
  const heads = [
    'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 60000', 'HTTP/1.1 200 OK\r\nConnection: close',
    'HTTP/1.1 200 OK\r\nContent-Length: 60000', 'HTTP/1.0 200 OK'
  ]
  let head = ''
  let answerFirst = (): void => {}
  const url = await startRawUpstream(t, socket => socket.once('data', async (bytes) => {
    if (String(bytes).startsWith('GET /api/student/first')) {
      answerFirst = () => socket.end('HTTP/1.1 204 No Content\r\n\r\n')
      return
    }
    socket.write(`${head}\r\n\r\n`)
    for (let part = 0; part < 3; part++) {
      await delay(30)
      socket.write('x'.repeat(20_000))
    }
    socket.end()
    await delay(100)
    answerFirst()
  }))
  const { app } = await startListening(t, { MODULES: `/api/student=${url};public` })
  // The second answer waits for the first one.
  const requests = ['first', 'second'].map(path => `GET /api/student/${path} HTTP/1.1\r\nHost: x\r\n`)
  for (head of heads) {
    const socket = await open(app)
    let text = ''
    socket.on('data', (chunk) => { text += String(chunk) }).write(`${requests.join('\r\n')}Connection: close\r\n\r\n`)
    await once(socket, 'end')
    socket.destroy()
    t.match(text, /^HTTP\/1\.1 204 .*HTTP\/1\.1 200 /s, head)
    t.equal(text.match(/x{1000,}/g)?.join('').length, 60_000)
  }
})

t.test('an answer without a body may have a length', async (t) => {
  const url = await startRawUpstream(t, socket => socket.on('data', () => {
    socket.write('HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 5\r\n\r\n')
  }))
  const { app, client } = await startApp(t, { MODULES: `/api/student=${url};public` })
  const reply = await app.inject({ url: '/api/student/1', remoteAddress: client() })
  t.match(reply, { statusCode: 304, headers: { etag: '"x"' }, body: '' })
})

t.test('one client has 32 requests under way to a module, and three such clients leave it to a fourth', async (t) => {
  const waiting: Socket[] = []
  const url = await startRawUpstream(t, socket => socket.once('data', (head) => {
    if (String(head).includes('/4 ')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    else waiting.push(socket)
  }))
  const ample = { policies: { general: { capacity: 1000, refill: 1, period: '1h' } } }
  const LIMITS_FILE = `${newDirectory(t, { 'limits.json': JSON.stringify(ample) })}/limits.json`
  const { app, logs } = await startListening(t, { MODULES: `/api/employee=${url};public;timeout=5s`, LIMITS_FILE })
  const request = (path: number): string =>
    `GET /api/employee/${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  const peers = [newPeer(), newPeer(), newPeer()]
  const asked = peers.flatMap(peer => Array.from({ length: 40 }, () => exchange(app, request(1), peer)))
  await until(() => waiting.length === 96)

  const [fourth] = await exchange(app, request(4), newPeer())
  t.equal(fourth?.status, 200)

  const received = (await Promise.all(asked)).flat()
  t.equal(waiting.length, 96)
  t.equal(received.filter(({ status }) => status === 504).length, 96)
  t.match(received.find(({ status }) => status === 503), { headers: { 'retry-after': /^[12]$/ } })
  t.match(logs.find(({ status }) => status === 503), { code: 'SERVICE_UNAVAILABLE', cause: '32 requests under way' })
  t.equal((await exchange(app, request(4), peers[0]))[0]?.status, 200, 'what has ended no longer counts')
})

t.test('a module that hangs takes nothing from others, and nobody waits for longer than its timeout', async (t) => {
  const socketOf = async (): Promise<Socket> => {
    const socket = await open(app, newPeer())
    socket.write('GET /api/waiting/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    return socket
  }
  const before = logs.length
  const sockets = await Promise.all(Array.from({ length: 100 }, socketOf))
  t.equal((await ask('/api/academic/1')).statusCode, 200)
  const statuses = await Promise.all(sockets.map(async socket => (await answers(socket))[0]?.status))
  t.same(new Set(statuses), new Set([504]))
  // One that first waited for a connection and then for its answer would take ten seconds.
  const tookMs = logs.slice(before).filter(({ status }) => status === 504).map(({ durationMs }) => Number(durationMs))
  t.equal(tookMs.length, 100)
  t.ok(Math.max(...tookMs) < 9500, `${Math.max(...tookMs)} ms`)
})

t.test('a client\'s fault in a body is answered as its own, and is no failure of the module', async (t) => {
  const before = await metric('gatehouse_module_failures_total')
  for (const [name, status, rest] of [
    ['no chunk', 400, 'zz\r\n'],
    ['huge trailers', 431, `0\r\nX: ${'y'.repeat(30_000)}\r\n\r\n`]
  ] as const) {
    const socket = await open(app)
    socket.write('POST /api/academic/1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n')
    await delay(100)
    socket.write(rest)
    t.match(await answers(socket), [{ status, headers: { connection: 'close' } }], name)
  }
  const socket = await open(app)
  socket.write('POST /api/academic/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\nabc')
  await delay(100)
  socket.end()
  await answers(socket)
  await until(() => lastLine()?.status === 499)
  t.not(lastLine()?.code, 'BAD_GATEWAY')
  t.equal(await metric('gatehouse_module_failures_total'), before)
})

t.end()
