// The store in memory decides like the one in Redis, and a flood of clients takes a bounded amount of memory.

import { performance } from 'node:perf_hooks'
import t from 'tap'
import { peek, take } from '#src/limiter/bucket/algorithm.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { createMemoryStore } from '#src/limiter/bucket/memory-store.js'
import { conforms } from './conformance.js'

conforms(t, async (t) => {
  const started = performance.now()
  let passedMs = 0
  t.intercept(performance, 'now', { value: () => started + passedMs })
  return { store: createMemoryStore(), age: async (_bucket, ms) => { passedMs += ms } }
})

// [L4 L19]
t.test('the largest possible bucket is exact until it is full again after 82,000 years', async (t) => {
  const DAY = 86_400_000
  const policy = { name: 'largest', capacity: 1_000_000, refill: 1, periodMs: 30 * DAY }
  const { stored, taken, verdict } = take(undefined, policy, 0, 1_000_001)
  t.equal(taken, 1_000_000)
  t.match(verdict, { allowed: false, remaining: 0, waitMs: 30 * DAY, fullMs: 30_000_000 * DAY })
  t.match(take(stored, policy, 10 * DAY).verdict, { allowed: false, waitMs: 20 * DAY })
  t.match(take(stored, policy, 31 * DAY).verdict, { allowed: true, remaining: 0 })
  t.match(peek(stored, policy, 500_000 * 30 * DAY + DAY), { remaining: 500_000, nextMs: 29 * DAY })
})

// [L64]
t.test('a flood of clients takes a bounded amount of memory, and busy ones stay limited', async (t) => {
  const store = createMemoryStore()
  const policy = { name: 'login', capacity: 1, refill: 1, periodMs: 60_000 }
  await store.take(bucketOf(policy, 'busy'))
  for (let i = 0; i < 150_000; i++) {
    await store.take(bucketOf(policy, `flood ${i}`))
    if (i % 50_000 === 0) t.equal((await store.take(bucketOf(policy, 'busy'))).allowed, false)
  }
  let buckets = 0
  for await (const id of store.list()) if (id) buckets++
  t.equal(buckets, 100_000)
})
