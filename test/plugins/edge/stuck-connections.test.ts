// A connection that breaks or hangs at the wrong moment affects no other client.

import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { startApp } from '../../fixtures/app.js'
import { fillQueue } from '../../fixtures/hash-queue.js'
import { startNetwork } from '../../fixtures/network.js'
import { startRedis } from '../../fixtures/redis.js'
import { newPeer, open } from '../../fixtures/socket.js'
import { until } from '../../fixtures/until.js'

t.test('a request that breaks while it is shed ends only its connection, however slow Redis is', async (t) => {
  const redis = await startRedis(t)
  const network = await startNetwork(t, redis.port)
  const slow = await startApp(t, { BCRYPT_COST: '10', REDIS_URL: `redis://127.0.0.1:${network.port}` })
  await slow.app.listen({ host: '127.0.0.1', port: 0 })
  network.delayMs = 20
  const empty = fillQueue(slow.app)
  const head = 'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: ' +
    'chunked\r\n\r\n1\r\n{\r\n'
  // A refusal takes 250 to 750 ms: the bodies break before, in the middle of it, and after.
  await Promise.all(Array.from({ length: 100 }, async (_, i) => {
    const socket = await open(slow.app, newPeer())
    socket.write(head)
    await setTimeout(300 + 6 * i)
    if (i % 2 === 0) socket.write('not a chunk\r\n')
    else socket.end()
    await setTimeout(500)
    socket.destroy()
  }))
  await empty()
  network.delayMs = 0
  const { username, password } = await slow.user()
  t.equal((await slow.login(slow.client(), username, password)).statusCode, 200)
  t.strictSame(slow.logs.filter(({ level }) => Number(level) >= 50), [])
})

t.test('a client that does not read its answers takes no place in the hash queue', async (t) => {
  const { app, client, login, user } = await startApp(t)
  // As if all buffers on the way to the client were full.
  app.server.on('connection', socket => Object.assign(socket, { _write () {}, _writev () {} }))
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { username, password } = await user()
  const body = JSON.stringify({ username: 'somebody', password: 'short', email: 'x@school.example' })
  const request =
    'POST /auth/UserCreation HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ' +
      `${body.length}\r\n\r\n${body}`
  const clients = Math.ceil(app.passwords.room / 10) + 1
  for (let i = 0; i < clients; i++) (await open(app, newPeer())).write(request.repeat(10))
  await until(() => app.requestsUnderWay() === 10 * clients, 'all are answered, and no answer is sent')
  t.equal((await login(client(), username, password)).statusCode, 200)
})

t.end()
