// Bodies of any size go through in constant memory.

import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { newDirectory } from '../../fixtures/lifetime.js'
import { startServer } from '../../fixtures/process.js'
import { newDatabase } from '../../fixtures/shared-postgres.js'
import { listen } from '../../fixtures/upstream.js'

const SIZE = 200 * 1024 * 1024
const chunk = Buffer.alloc(64 * 1024, 'x')

/** Sends as much as is read, and reads as much as comes, except for a PUT. */
const module = await listen(t, (request, response) => {
  if (request.method === 'PUT') return response.writeHead(409).end('taken')
  if (request.method === 'POST') {
    let bytes = 0
    request.on('data', (data: Buffer) => { bytes += data.length }).on('end', () => response.end(String(bytes)))
    return
  }
  response.writeHead(200, { 'Content-Length': SIZE, 'Content-Encoding': 'gzip' })
  let left = SIZE
  const more = (): void => {
    while (left > 0) {
      left -= chunk.length
      if (!response.write(chunk)) return
    }
    response.end()
  }
  response.on('drain', more)
  more()
})

const { url, opsUrl } = await startServer(t, {
  DATABASE_URL: await newDatabase(),
  DATA_DIR: newDirectory(t),
  MODULES: `/api/student=${module};public;maxBodyBytes=${SIZE}`
})

async function residentMiB (): Promise<number> {
  const page = await (await fetch(`${opsUrl}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(page)![1]) / 1024 ** 2
}

/** Far below the size of what goes through. What has gone through takes memory until V8 collects it. */
const MOST_MIB = 120

t.test('200 MB come down to a slow reader in constant memory, and as they are', async (t) => {
  const before = await residentMiB()
  const call = request(`${url}/api/student/large`).end()
  const [answer] = await once(call, 'response')
  t.match(answer.headers, { 'content-length': String(SIZE), 'content-encoding': 'gzip' })
  answer.pause()
  // Everything that somebody buffers is buffered by now.
  await delay(3000)
  const most = await residentMiB()
  t.ok(most - before < MOST_MIB, `${Math.round(most - before)} MiB more while the reader pauses`)
  let bytes = 0
  for await (const data of answer) {
    bytes += data.length
    if (bytes < 5 * 1024 * 1024) await delay(20)
  }
  t.equal(bytes, SIZE)
  const atLast = await residentMiB()
  t.ok(atLast - before < MOST_MIB, `${Math.round(atLast - before)} MiB more afterwards`)
})

t.test('200 MB go up in constant memory', async (t) => {
  const before = await residentMiB()
  let most = before
  const call = request(`${url}/api/student/large`, { method: 'POST', headers: { 'Content-Length': SIZE } })
  const answered = once(call, 'response')
  for (let sent = 0; sent < SIZE; sent += chunk.length) {
    if (!call.write(chunk)) await once(call, 'drain')
    if (sent % (20 * 1024 * 1024) === 0) most = Math.max(most, await residentMiB())
  }
  call.end()
  const [answer] = await answered
  let body = ''
  for await (const data of answer) body += String(data)
  t.equal(body, String(SIZE))
  t.ok(most - before < MOST_MIB, `${Math.round(most - before)} MiB more`)
})

t.test('a client that is still sending sees its refusal, and can then send on for a second', async (t) => {
  for (const [method, length, status] of [['POST', SIZE + 1, 413], ['PUT', SIZE, 409]] as const) {
    const call = request(`${url}/api/student/upload`, { method, headers: { 'Content-Length': length } })
    const answered = once(call, 'response')
    call.write(Buffer.alloc(8 * 1024 * 1024))

    const [answer] = await answered
    const ended = once(answer.resume().socket, 'close')

    t.equal(answer.statusCode, status)
    await ended
  }
})

t.end()
