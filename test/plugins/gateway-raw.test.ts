import { once } from 'node:events'
import t from 'tap'
import { startApp } from '../fixtures/app.js'
import { answers, exchange, newPeer, open } from '../fixtures/socket.js'
import { startRawUpstream } from '../fixtures/upstream.js'

/** Everything that came over each connection to a module. Every request gets the same answer. */
let received = ''
const upstream = await startRawUpstream(t, (socket) => {
  let pending = ''
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
    pending += bytes.toString('latin1')
    for (let end = endOf(pending); end > 0; end = endOf(pending)) {
      pending = pending.slice(end)
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    }
  })
})

/** Where the first request of a text ends, as a strict server reads it; 0 before that. */
function endOf (text: string): number {
  const head = text.indexOf('\r\n\r\n') + 4
  if (head < 4) return 0
  const headers = text.slice(0, head)
  const length = Number(/^content-length: (\d+)\r$/mi.exec(headers)?.[1] ?? 0)
  if (/^transfer-encoding: chunked\r$/mi.test(headers)) {
    const last = text.indexOf('0\r\n\r\n', head)
    return last === -1 ? 0 : last + 5
  }
  return text.length >= head + length ? head + length : 0
}

const requests = (): string[] => [...received.matchAll(/^([A-Z]+ \S+) HTTP\/1\.1\r$/gm)].map(([, line]) => line!)

const { app } = await startApp(t, { MODULES: `/api/student=${upstream};public,/api/employee=${upstream};public` })
await app.listen({ port: 0, host: '127.0.0.1' })

async function send (bytes: string): Promise<{ statuses: number[], arrived: string[] }> {
  received = ''
  const got = await exchange(app, bytes)
  return { statuses: got.map(({ status }) => status), arrived: requests() }
}

t.test('S21 S24: no path leaves its module, and what the limiter matched is what the module gets', async (t) => {
  const tricks = [
    '/api/student/../employee/1', '/api/student/..%2femployee', '/api/student/%2e%2e/employee',
    '/api/student/a%2f..%2f..%2femployee', '/api/student/..;/employee', '/api/student/..;x=y/employee',
    '/api/student//employee', '/api/student/\\..\\employee', '/api/student/..\\employee',
    '/api/student/..%5cemployee', '/api/student/%252e%252e/employee', '/api/student/..%252femployee',
    'http://evil/api/student/../employee', 'http://evil/api/student/%2e%2e%2femployee', '/api/student/./1',
    '/api/student/%2e/1', '/api/student/a%00', '/api/student/1#/../x', '/api/student/\u00e9'
  ]
  for (const target of tricks) {
    const { statuses, arrived } = await send(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    t.same(statuses, [400], target)
    t.same(arrived, [], target)
  }
  for (const target of [
    '/api/student%2f..%2femployee', '//api/student/1', '/api//student/1', '/api/studentx/1', '/api/student%20/1',
    '/API/student/1', '/api/student%2f1', '/api/student;x/1', '\\api\\student\\1'
  ]) {
    const { arrived } = await send(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    t.same(arrived, [], target)
  }
  const passed: Array<[target: string, arrives: string]> = [
    ['/api/student/a%2Fb?x=../y', '/api/student/a%2Fb?x=../y'],
    ['http://evil/api/student/1?a', '/api/student/1?a'],
    ['HTTP://evil:99/api/employee', '/api/employee'],
    ['/%61pi/%73tudent/%31', '/api/student/%31'],
    ['/api/student/{1}"', '/api/student/{1}"']
  ]
  for (const [target, arrives] of passed) {
    const { statuses, arrived } = await send(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    t.same(statuses, [200], target)
    t.same(arrived, [`GET ${arrives}`], target)
  }
})

const head = 'POST /api/student/1 HTTP/1.1\r\nHost: x\r\n'
const smuggled = 'GET /api/employee/smuggled HTTP/1.1\r\nHost: x\r\n\r\n'

t.test('of bytes that may be one request or two, at most one arrives, and the connection ends [S82]', async (t) => {
  const ambiguous: Record<string, string> = {
    'a length and chunks': `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    'chunks and a length': `${head}Transfer-Encoding: chunked\r\nContent-Length: 100\r\n\r\n0\r\n\r\n${smuggled}`,
    'two lengths': `${head}Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
    'a list of lengths': `${head}Content-Length: 0, ${smuggled.length}\r\n\r\n${smuggled}`,
    'a signed length': `${head}Content-Length: +${smuggled.length}\r\n\r\n${smuggled}`,
    'a length of another base': `${head}Content-Length: 0x10\r\n\r\n${smuggled}`,
    'a space before the colon': `${head}Content-Length : ${smuggled.length}\r\n\r\n${smuggled}`,
    'an unknown coding': `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
    'chunked, and then another coding': `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
    'chunked twice': `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${smuggled}`,
    'a folded coding': `${head}Transfer-Encoding:\r\n chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${smuggled}`,
    'a vertical tab before the coding': `${head}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n${smuggled}`,
    'bare line feeds': `POST /api/student/1 HTTP/1.1\nHost: x\nContent-Length: ${smuggled.length}\n\n${smuggled}`,
    'a bare line feed in a chunk': `${head}Transfer-Encoding: chunked\r\n\r\n1\nx\r\n0\r\n\r\n${smuggled}`,
    'a chunk size with a sign': `${head}Transfer-Encoding: chunked\r\n\r\n+1\r\nx\r\n0\r\n\r\n${smuggled}`,
    'a chunk size with a prefix': `${head}Transfer-Encoding: chunked\r\n\r\n0x1\r\nx\r\n0\r\n\r\n${smuggled}`,
    'a chunk size that is too large for a number':
      `${head}Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(20)}\r\nx\r\n0\r\n\r\n${smuggled}`,
    'a chunk without its end': `${head}Transfer-Encoding: chunked\r\n\r\n1\r\nxy0\r\n\r\n${smuggled}`,
    'a zero byte in a header': `${head}X: a\x00b\r\nContent-Length: 0\r\n\r\n${smuggled}`,
    'a carriage return in a header': `${head}X: a\rContent-Length: 0\r\n\r\n${smuggled}`,
    'HTTP/1.0 and chunks': 'POST /api/student/1 HTTP/1.0\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n' +
      `0\r\n\r\n${smuggled}`
  }
  for (const [name, bytes] of Object.entries(ambiguous)) {
    const { statuses, arrived } = await send(bytes)
    const isSmuggled = arrived.length > 1 || arrived.includes('GET /api/employee/smuggled')
    t.notOk(isSmuggled, `${name}: ${arrived.join(', ') || 'none'}`)
    t.same(statuses.filter(status => status !== 400), [], name)
  }
})

t.test('S82: what is a body for us is a body for the module', async (t) => {
  const bodies: Record<string, string> = {
    'of a length': `${head}Content-Length: ${smuggled.length}\r\nConnection: close\r\n\r\n${smuggled}`,
    'in chunks': `${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n` +
      `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
    'in chunks, with trailers': `${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n` +
      `${smuggled.length.toString(16)};x=y\r\n${smuggled}\r\n0\r\nX-User-Id: 1\r\n\r\n`,
    'whose length is taken away by Connection':
      `${head}Content-Length: ${smuggled.length}\r\nConnection: close, Content-Length\r\n\r\n${smuggled}`,
    'whose coding is taken away by Connection':
      `${head}Transfer-Encoding: chunked\r\nConnection: close, Transfer-Encoding\r\n\r\n` +
      `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`,
    'of a GET': 'GET /api/student/1 HTTP/1.1\r\nHost: x\r\n' +
      `Content-Length: ${smuggled.length}\r\nConnection: close\r\n\r\n${smuggled}`
  }
  for (const [name, bytes] of Object.entries(bodies)) {
    received = ''
    const [answer, ...more] = await exchange(app, bytes)
    t.equal(answer?.status, 200, name)
    t.same(more, [])
    const start = received.indexOf('\r\n\r\n') + 4
    t.equal(endOf(received), received.length, `${name}: one whole request`)
    t.ok(received.slice(start).includes(smuggled), name)
    t.notMatch(received, /X-User-Id/i, name)
  }
})

t.test('each of many pipelined requests arrives once, and takes a token [S83]', async (t) => {
  received = ''
  const peer = newPeer()
  const socket = await open(app, peer)
  socket.write(Array.from({ length: 101 }, (_, i) => `GET /api/student/${i} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  const got = await answers(socket, 101)
  socket.destroy()
  t.same(got.map(({ status }) => status), [...Array<number>(100).fill(200), 429])
  t.same(requests().sort(), Array.from({ length: 100 }, (_, i) => `GET /api/student/${i}`).sort())
})

t.test('S83: an expectation is answered here, and does not go on', async (t) => {
  received = ''
  const socket = await open(app)
  socket.write(`${head}Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`)
  const [interim] = await once(socket, 'data') as [Buffer]
  t.match(String(interim), /^HTTP\/1\.1 100 Continue/)
  socket.write('ok')
  await once(socket, 'end')
  t.notMatch(received, /expect/i)
  t.match(received, /\r\n\r\nok$/)
})

t.test('a header that a module splits an answer with goes nowhere', async (t) => {
  const splitting = await startRawUpstream(t, socket => socket.on('data', () => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok')
  }))
  const broken = await startRawUpstream(t, socket => socket.on('data', () => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')
  }))
  const strange = await startRawUpstream(t, socket => socket.on('data', () => {
    socket.write('HTTP/1.1 799 Strange\r\nContent-Length: 2\r\n\r\nok')
  }))
  const other = await startApp(t, {
    MODULES: `/api/student=${splitting};public,/api/employee=${broken};public,/api/hostel=${strange};public`
  })
  await other.app.listen({ port: 0, host: '127.0.0.1' })
  for (const name of ['student', 'employee', 'hostel']) {
    const [answer] = await exchange(other.app, `GET /api/${name}/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    t.equal(answer?.status, 502, name)
  }
})

t.test('what any Connection header of an answer lists concerns one connection', async (t) => {
  const url = await startRawUpstream(t, socket => socket.on('data', () => {
    socket.write('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nConnection: X-A, x-b\r\nConnection: X-C\r\n' +
      'X-A: 1\r\nX-B: 1\r\nX-C: 1\r\nX-D: 1\r\nContent-Length: 2\r\n\r\nok')
  }))
  const { app, client } = await startApp(t, { MODULES: `/api/student=${url};public` })
  const { headers } = await app.inject({ url: '/api/student/1', remoteAddress: client() })
  t.equal(headers['x-d'], '1')
  for (const name of ['x-a', 'x-b', 'x-c']) t.notHas(headers, name)
})

t.end()
