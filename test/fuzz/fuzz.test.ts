// No conversation ends a process, gets an unknown answer or leaves something behind in the hash queue. Another
// FUZZ_SEED begins elsewhere; `npm run fuzz` runs without end.

import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { newDirectory } from '../fixtures/lifetime.js'
import { startServer, type RunningServer } from '../fixtures/process.js'
import { generator } from '../fixtures/random.js'
import { demoDatabase } from '../fixtures/shared-postgres.js'
import { until } from '../fixtures/until.js'
import { fuzz, peerOf } from './fuzz.js'

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 1e9)
t.comment(`FUZZ_SEED=${seed}`)

function finds (t: Test, findings: string[]): void {
  for (const finding of findings) t.fail(finding)
}

t.test('a thousand random conversations and resets end no process and get only known answers', async (t) => {
  const server = await startServer(t, { DATABASE_URL: await demoDatabase(), DATA_DIR: newDirectory(t) })
  finds(t, await fuzz(server, { seed, count: 1000 }))
  t.equal(await server.stop(), 0)
})

t.test('logins that are aborted while the hash queue is full leave no hash, no error and no lockout', async (t) => {
  const DATABASE_URL = await demoDatabase()
  const server = await startServer(t, { DATABASE_URL, DATA_DIR: newDirectory(t), BCRYPT_COST: '11' })
  const random = generator(seed)
  const body = '{"username":"nobody","password":"wrong horse"}'
  const login =
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ' +
      `${body.length}\r\n\r\n${body}`
  const waiting = async (): Promise<number> =>
    Number(/^gatehouse_hash_queue_length (\d+)$/m.exec(await (await fetch(`${server.opsUrl}/metrics`)).text())?.[1])
  const full = until(async () => await waiting() >= 32, 'the queue is full')
  await Promise.all(Array.from({ length: 270 }, (_, i) =>
    send(server, i, login, full.then(() => setTimeout(random() * 1000)))))
  await until(async () => await waiting() === 0, 'the queue is empty')
  finds(t, await fuzz(server, { seed, count: 10 }))
  t.equal(await server.stop(), 0)
})

t.end()

/** Sends a request from a client of its own, and resets the connection when it is time. */
async function send ({ url }: RunningServer, n: number, request: string, time: Promise<unknown>): Promise<void> {
  const port = Number(new URL(url).port)
  const socket = connect({ host: '127.0.0.1', port, localAddress: peerOf(0x10000 + n) })
  socket.on('error', () => {}).resume()
  socket.write(request)
  await time
  socket.resetAndDestroy()
}
