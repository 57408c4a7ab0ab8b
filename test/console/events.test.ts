// A reader of the console holds its place for a bounded time, even if it does not read.

import { connect, type AddressInfo } from 'node:net'
import Fastify from 'fastify'
import t from 'tap'
import { createEvents } from '#src/console/events.js'
import type { Now } from '#src/console/now.js'
import { until } from '../fixtures/until.js'

t.test('a reader that does not read gives its place back when its life ends, and a page connects again', async (t) => {
  const app = Fastify({ forceCloseConnections: true })
  t.after(() => app.close())
  const observation = { now: async () => ({ at: 'now' }) as Now, end () {} }
  const send = createEvents(app, () => observation, async () => false, 1000)
  app.get('/events', (request, reply) => { send(request, reply, undefined) })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo

  const paused = Array.from({ length: 32 }, () => connect(port, '127.0.0.1').pause().on('error', () => {}))
  for (const socket of paused) socket.write('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n')
  const status = async (): Promise<number> => {
    const abort = new AbortController()
    const { status } = await fetch(`http://127.0.0.1:${port}/events`, { signal: abort.signal })
    abort.abort()
    return status
  }
  await until(async () => await status() === 503, 'every place is taken')
  await until(async () => await status() === 200, 'and is free again')

  // The place of the last one who asked may not be free yet.
  let events = ''
  await until(async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/events`)
    events = await reply.text()
    return reply.status === 200
  }, 'a reader that stays')
  t.match(events, /^retry: 2000\n\ndata: .*\n\n$/s, 'an end that a page understands')
  for (const socket of paused) socket.destroy()
})

t.end()
