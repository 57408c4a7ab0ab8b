// No bytes of a client reach a module in another meaning than the limiter and the gateway gave them.

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { startApp, startListening } from '../../fixtures/app.js'
import { startBalancer } from '../../fixtures/balancer.js'
import {
  ambiguous, bodies, endOf, head, headsIn, requestsIn, smuggled, startRawRecorder
} from '../../fixtures/smuggling.js'
import { answers, exchange, open } from '../../fixtures/socket.js'
import { until } from '../../fixtures/until.js'
import { listen } from '../../fixtures/upstream.js'

const recorder = await startRawRecorder(t)
const modules = `/api/student=${recorder.url};public,/api/employee=${recorder.url};public`
const { app } = await startListening(t, { MODULES: modules })

async function send (bytes: string): Promise<{ statuses: number[], arrived: string[] }> {
  recorder.forget()
  const got = await exchange(app, bytes)
  return { statuses: got.map(({ status }) => status), arrived: requestsIn(recorder.received()) }
}

// S21 S24. The paths that lead out are in test/modules/paths.test.ts.
t.test('no path leaves its module, and what the limiter matched is what the module gets', async (t) => {
  const tricks = [
    '/api/student/../employee/1', '/api/student/..%2femployee', '/api/student/%2e%2e/employee',
    '/api/student/..;x=y/employee', '/api/student//employee', '/api/student/..\\employee',
    '/api/student/%252e%252e/employee', 'http://evil/api/student/../employee', '/api/student/\u00e9'
  ]
  for (const target of tricks) {
    const { statuses, arrived } = await send(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    t.same(statuses, [400], target)
    t.same(arrived, [], target)
  }
  for (const target of [
    '/api/student%2f..%2femployee', '//api/student/1', '/api/studentx/1', '/API/student/1', '/api/student;x/1'
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

// S82
t.test('of bytes that may be one request or two, at most one arrives, and the connection ends', async (t) => {
  for (const [name, bytes] of Object.entries(ambiguous)) {
    const { statuses, arrived } = await send(bytes)
    t.ok(arrived.length <= 1, `${name}: ${arrived.join(', ') || 'none'}`)
    t.notMatch(recorder.received(), '/api/employee/smuggled', name)
    t.same(statuses.filter(status => status !== 400), [], name)
  }
})

t.test('a body whose coding the module would not learn of does not arrive, and the connection ends', async (t) => {
  for (const coding of ['gzip, chunked', 'Chunked, chunked', 'identity, chunked']) {
    const { statuses, arrived } = await send(
      `POST /api/student/1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${coding}\r\n\r\n2\r\nhi\r\n0\r\n\r\n`
    )
    t.same(statuses, [400], coding)
    t.same(arrived, [], coding)
  }
})

// S82
t.test('what is a body for us is a body for the module', async (t) => {
  for (const [name, bytes] of Object.entries(bodies)) {
    recorder.forget()
    const [answer, ...more] = await exchange(app, bytes)
    t.equal(answer?.status, 200, name)
    t.same(more, [])
    const received = recorder.received()
    const start = received.indexOf('\r\n\r\n') + 4
    t.equal(endOf(received), received.length, `${name}: one whole request`)
    t.ok(received.slice(start).includes(smuggled), name)
    t.notMatch(received, /X-User-Id/i, name)
  }
})

// S82
t.test('through HAProxy, no request arrives that it has not seen, and a body stays one', {
  skip: spawnSync('haproxy', ['-v']).status !== 0 && 'there is no HAProxy on PATH'
}, async (t) => {
  const { port = 0, places: [place] } = await startBalancer(t, 1)
  const behind = await startApp(t, { MODULES: modules, TRUST_PROXY: '127.0.0.1' })
  await behind.app.listen({ port: Number(place!.PORT), host: '127.0.0.1' })
  await listen(t, (_request, response) => { response.end() }, Number(place!.OPS_PORT))
  await until(async () => (await fetch(`http://127.0.0.1:${port}/api/student/1`)).status === 200)

  async function sendThrough (bytes: string): Promise<{ statuses: number[], arrived: string[] }> {
    recorder.forget()
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.end(Buffer.from(bytes, 'latin1'))
    const statuses = (await answers(socket)).map(({ status }) => status)
    return { statuses, arrived: requestsIn(recorder.received()) }
  }
  for (const [name, bytes] of Object.entries(ambiguous)) {
    const { statuses, arrived } = await sendThrough(bytes)
    t.ok(statuses.length >= 1, `${name}: ${statuses.join()}`)
    t.same(statuses.filter(status => status !== 200 && status !== 400), [], name)
    // HAProxy may read two requests where we would refuse both. Then it has seen both.
    const heads = headsIn(recorder.received())
    t.ok(heads.every(head => /^x-balancer: seen\r$/m.test(head)), `${name}: ${arrived.join() || 'none'}`)
  }
  for (const [name, bytes] of Object.entries(bodies)) {
    const { statuses, arrived } = await sendThrough(bytes)
    const received = recorder.received()
    t.same([statuses, arrived.length], [[200], 1], name)
    t.equal(endOf(received), received.length, `${name}: one whole request`)
    t.notMatch(received, /X-User-Id/i, name)
  }
})

// S83
t.test('an expectation is answered here, and does not go on', async (t) => {
  recorder.forget()
  const socket = await open(app)
  socket.write(`${head}Content-Length: 2\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`)
  const [interim] = await once(socket, 'data') as [Buffer]
  t.match(String(interim), /^HTTP\/1\.1 100 Continue/)
  socket.write('ok')
  await once(socket, 'end')
  t.notMatch(recorder.received(), /expect/i)
  t.match(recorder.received(), /\r\n\r\nok$/)
})

t.end()
