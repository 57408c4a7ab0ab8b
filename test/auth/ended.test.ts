// What ended before its time is known to every replica, however much of it ends at once.

import t from 'tap'
import { endedInMemory, endedInRedis } from '#src/auth/ended.js'
import { startRedis } from '../fixtures/redis.js'

const { client } = await startRedis(t)

for (const [where, ended] of Object.entries({ Redis: endedInRedis(client), memory: endedInMemory() })) {
  t.test(`a hundred thousand names are added to ${where} at once, and found by when they were added`, async (t) => {
    const names = Array.from({ length: 100_000 }, (_, id) => `user:${id}:1`)
    const startedMs = Date.now()

    await ended.add(names)

    t.same((await ended.since(startedMs)).sort(), names.sort())
    t.same(await ended.since(Date.now() + 1), [])
  })
}

t.test('what ended long ago is forgotten, by the next name that is added', async (t) => {
  await client.zadd('gatehouse:ended', Date.now() - 13 * 3_600_000, 'user:7:1')

  await endedInRedis(client).add(['user:8:1'])

  t.notOk((await endedInRedis(client).since(0)).includes('user:7:1'))
  t.ok(await client.pttl('gatehouse:ended') > 0)
})

t.end()
