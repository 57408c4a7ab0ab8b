// Two buckets are taken from in turn, the owner's own first. Who is refused takes nothing of what others share, and no
// request takes from one bucket alone.

import t from 'tap'
import { BucketStore, StoreUnavailable, type Ask, type Bucket, type Policy } from '#src/limiter/bucket/bucket.js'
import { takeInTurn } from '#src/limiter/bucket/in-turn.js'
import { bucketOf, userOwner } from '#src/limiter/bucket/key.js'
import { createMemoryStore } from '#src/limiter/bucket/memory-store.js'
import { DenyCache } from '#src/limiter/layers/deny-cache.js'
import { Candidates } from '#src/limiter/layers/candidates.js'
import { startRedis } from '../../fixtures/redis.js'
import { openRedisStore } from '../../fixtures/store.js'

const periodMs = 3_600_000
const redis = await startRedis(t)
const store = await openRedisStore(t, redis.url)

const sharedBy = (capacity: number): Policy => ({ name: 'shared-general', capacity, refill: 10, periodMs })
const eachBy = (capacity: number): Policy => ({ name: 'general', capacity, refill: 1, periodMs })
const userBucket = (capacity: number, user: number): Bucket => bucketOf(eachBy(capacity), userOwner(user))

/** Requests of these users behind one bucket, all at once. @returns how many of each were admitted */
async function admitted (users: number[], front: Bucket, policy: Policy): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  await Promise.all(users.map(async (user) => {
    const [, { allowed }] = await takeInTurn(store, bucketOf(policy, userOwner(user)), front)
    if (allowed) counts.set(user, (counts.get(user) ?? 0) + 1)
  }))
  return counts
}

t.test('of 200 requests at once, nobody is refused because an abuser among them is', async (t) => {
  // There are tokens for 50 users with one request each, and for 5 requests of the abuser.
  const users = Array.from({ length: 200 }, (_, i) => i % 4 === 0 ? 1000 + i : 1)
  const front = bucketOf(sharedBy(55), '192.0.2.1')
  const counts = await admitted(users, front, eachBy(5))
  t.equal(counts.get(1), 5)
  t.equal(counts.size, 51)
  t.match(await store.peek(front), { remaining: 0 })
})

t.test('a refusal is known afterwards, of the bucket that refused and of no other', async (t) => {
  const cached = new BucketStore(new DenyCache(store.layer), store)
  const front = bucketOf(sharedBy(3), '192.0.2.12')
  const each = eachBy(1)
  const ofUser = (user: number): Bucket => bucketOf(each, userOwner(user))
  for (let i = 0; i < 2; i++) await takeInTurn(cached, ofUser(3020), front)
  t.match(cached.refuseAtOnce(ofUser(3020)), { allowed: false, capacity: 1 })
  t.equal(cached.refuseAtOnce(front), undefined)
  for (const user of [3021, 3022, 3023]) await takeInTurn(cached, ofUser(user), front)
  t.match(cached.refuseAtOnce(front), { allowed: false, capacity: 3 })
  t.equal(cached.refuseAtOnce(ofUser(3023)), undefined)
})

/** Buckets in memory. Takes from buckets of the addresses fail, and so does every return if `all` is set. */
function failing ({ all = false, error = new StoreUnavailable('gone') as Error } = {}) {
  const memory = createMemoryStore()
  const fail: Ask = (_bucket, _resolve, reject) => reject(error)
  const take: Ask = (bucket, ...waiting) =>
    (bucket.policy.name === 'general' ? memory.layer.take : fail)(bucket, ...waiting)
  return { memory, store: new BucketStore({ ...memory.layer, take, ...all && { giveBack: fail } }, memory) }
}

t.test('if the bucket in front fails, its own error is thrown, and the first token comes back', async (t) => {
  const own = userBucket(2, 1)
  const front = bucketOf(sharedBy(4), '192.0.2.16')
  for (const error of [new StoreUnavailable('gone'), new TypeError('a defect')]) {
    const { memory, store } = failing({ error })
    for (let i = 0; i < 9; i++) await t.rejects(takeInTurn(store, own, front), error)
    t.match(await memory.peek(own), { remaining: 2 })
  }
  const { memory, store } = failing({ all: true })
  await t.rejects(takeInTurn(store, own, front), { message: 'gone' })
  t.match(await memory.peek(own), { remaining: 1 }, 'unless nothing can be returned')
})

t.test('a policy that is off admits everyone, also while its candidate cannot be asked', async (t) => {
  const { store } = failing()
  const layer = new Candidates(
    store.layer, () => t.fail('a refusal of the candidate'), error => t.fail(String(error))
  )
  const tried = new BucketStore(layer, store.buckets)
  const off: Policy = { ...sharedBy(1), off: true, candidate: { ...sharedBy(1), name: 'candidate-shared-general' } }
  for (let i = 0; i < 3; i++) t.match(await tried.take(bucketOf(off, '192.0.2.17')), { allowed: true, remaining: 1 })
})

t.end()
