import { performance } from 'node:perf_hooks'
import t from 'tap'
import { createMemoryStore } from '../../src/limiter/memory-store.js'
import { conforms } from './conformance.js'

conforms(t, async (t) => {
  const started = performance.now()
  let passedMs = 0
  t.intercept(performance, 'now', { value: () => started + passedMs })
  return { store: createMemoryStore(), age: async (_id, ms) => { passedMs += ms } }
})

t.test('L64: a flood of clients takes a bounded amount of memory, and the busy ones stay limited', async (t) => {
  const store = createMemoryStore()
  const policy = { name: 'login', capacity: 1, refill: 1, periodMs: 60_000 }
  await store.take(policy, 'busy')
  for (let i = 0; i < 250_000; i++) {
    await store.take(policy, `flood ${i}`)
    if (i % 50_000 === 0) t.equal((await store.take(policy, 'busy')).allowed, false)
  }
  let buckets = 0
  for await (const id of store.list()) if (id) buckets++
  t.equal(buckets, 100_000)
})
