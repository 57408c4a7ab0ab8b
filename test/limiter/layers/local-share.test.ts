// In an outage a replica admits its share of each limit, and no more.

import t from 'tap'
import { BucketStore } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { createMemoryStore } from '#src/limiter/bucket/memory-store.js'
import { LocalShare } from '#src/limiter/layers/local-share.js'

const policy = { name: 'login', capacity: 10, refill: 1, periodMs: 60_000 }
const bucket = bucketOf(policy, '192.0.2.1')

function open (replicas: () => number) {
  const memory = createMemoryStore()
  const share = new LocalShare(replicas)
  return { ...new BucketStore({ ...memory.layer, ...share }, memory), forget: share.forget }
}

t.test('a share is the limit divided by the replicas, rounded up, and only a peek states it', async (t) => {
  const share = open(() => 4)
  for (const remaining of [2, 1, 0]) t.match(await share.take(bucket), { allowed: true, remaining, capacity: 10 })
  t.match(await share.take(bucket), { allowed: false, remaining: 0, capacity: 10 })
  t.match(await share.giveBack(bucket), { remaining: 1, capacity: 10 })
  t.match(await share.peek(bucket), { allowed: true, remaining: 1, capacity: 3 })
})

t.test('a share follows the number of replicas, and what was taken from it stays taken', async (t) => {
  let replicas = 5
  const share = open(() => replicas)
  for (const remaining of [1, 0]) t.match(await share.take(bucket), { allowed: true, remaining })
  replicas = 1
  t.match(await share.take(bucket), { allowed: true, remaining: 7 })
  replicas = 5
  t.match(await share.take(bucket), { allowed: false, remaining: 0 })
})
