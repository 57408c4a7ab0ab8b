// A broken request gets an answer with an id and one line in the log, and ends no process.

import t from 'tap'
import { startListening } from '../../fixtures/app.js'
import { startOps } from '../../fixtures/ops.js'
import { exchange, newPeer } from '../../fixtures/socket.js'

const { app, logs, ops } = await startOps(t)
await app.listen({ host: '127.0.0.1', port: 0 })
await ops.listen({ host: '127.0.0.1', port: 0 })

const connect = 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'

t.test('a CONNECT gets no tunnel, and its connection ends', async (t) => {
  for (const listener of [app, ops]) t.strictSame(await exchange(listener, connect), [])
})

t.test('an answer to unparseable bytes has an X-Request-Id, which is also in the log', async (t) => {
  for (const [status, code, bytes] of [
    [400, 'HPE_INVALID_METHOD', 'nonsense\r\n\r\n'],
    [431, 'HPE_HEADER_OVERFLOW', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`]
  ] as const) {
    const peer = newPeer()
    const [answer] = await exchange(app, bytes, peer)
    t.equal(answer?.status, status)
    t.match(logs.find(line => line.reqId === answer?.headers['x-request-id']), {
      msg: 'request', method: null, route: null, status, client: peer, code
    })
  }
})

t.test('a request with a broken body is answered at its own path, with one line in the log', async (t) => {
  const [answer, ...more] = await exchange(app, 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: ' +
    'application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n')
  t.match(answer, { status: 400, headers: { connection: 'close' } })
  t.match(JSON.parse(answer!.body), { path: '/api/auth/login', message: 'The request is not valid HTTP.' })
  t.strictSame(more, [])
  const lines = logs.filter(line => line.reqId === answer?.headers['x-request-id'])
  t.equal(lines.length, 1)
  t.match(lines[0], { route: '/api/auth/login', status: 400, cause: /chunk size/ })
})

t.test('a flood of nonsense from one client is logged once, and then counted', async (t) => {
  const flooded = await startListening(t)
  const before = flooded.logs.length
  await Promise.all(Array.from({ length: 300 }, () => exchange(flooded.app, 'nonsense\r\n\r\n', '127.0.0.9')))
  await flooded.app.close()
  const lines = flooded.logs.slice(before).filter(({ code }) => code === 'HPE_INVALID_METHOD')
  t.equal(lines.filter(({ msg }) => msg === 'request').length, 1)
  t.equal(lines.reduce((sum, { count = 1 }) => sum + Number(count), 0), 300)
  t.ok(lines.length <= 4, `${lines.length} lines`)
})

t.end()
