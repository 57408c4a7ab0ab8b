// The store in memory decides like the one in Redis, and a flood of clients takes a bounded amount of memory.

import { performance } from 'node:perf_hooks'
import t from 'tap'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { createMemoryStore } from '#src/limiter/bucket/memory-store.js'
import { conforms } from './conformance.js'

conforms(t, async (t) => {
  const started = performance.now()
  let passedMs = 0
  t.intercept(performance, 'now', { value: () => started + passedMs })
  return { store: createMemoryStore(), age: async (_id, ms) => { passedMs += ms } }
})

t.test('a flood of clients takes a bounded amount of memory, and busy ones stay limited [L64]', async (t) => {
  const store = createMemoryStore()
  const policy = { name: 'login', capacity: 1, refill: 1, periodMs: 60_000 }
  await store.take(bucketOf(policy, 'busy'))
  for (let i = 0; i < 250_000; i++) {
    await store.take(bucketOf(policy, `flood ${i}`))
    if (i % 50_000 === 0) t.equal((await store.take(bucketOf(policy, 'busy'))).allowed, false)
  }
  let buckets = 0
  for await (const id of store.list()) if (id) buckets++
  t.equal(buckets, 100_000)
})

t.test('a policy whose waits are not numbers gives no verdict, and spoils no bucket', async (t) => {
  const store = createMemoryStore()
  const policy = { name: 'login', capacity: 5, refill: 1, periodMs: 60_000 }
  await store.take(bucketOf(policy, 'client'))
  for (const nonsense of [
    { refill: 0 }, { refill: NaN }, { periodMs: NaN }, { periodMs: Infinity },
    { refill: NaN, rivals: [{ refill: 1, periodMs: 1000 }] }
  ]) {
    await t.rejects(store.take(bucketOf({ ...policy, ...nonsense }, 'client')), RangeError)
  }
  t.match(await store.peek(bucketOf(policy, 'client')), { remaining: 4, fullMs: Number })
})
