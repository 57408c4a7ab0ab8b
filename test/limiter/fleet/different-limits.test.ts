// Replicas may hold different limits, and limits may change at any moment. Nobody gets more than the largest capacity,
// the fastest refill and one refill more, and what a 429 said is kept.

import t, { type Test } from 'tap'
import type { BucketStore, Policy } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { openStore } from '#src/limiter/store.js'
import { generator } from '../../fixtures/random.js'
import { startRedis } from '../../fixtures/redis.js'

const redis = await startRedis(t)
const log = { info () {}, warn () {}, error () {} }

async function openReplicas (t: Test, count: number): Promise<BucketStore[]> {
  return await Promise.all(Array.from({ length: count }, async () => {
    const store = await openStore({ redisUrl: redis.url, onRedisFailure: 'closed', redisTimeoutMs: 5000 }, log)
    t.after(() => store.close())
    return store
  }))
}

const limit = (capacity: number, refill: number, periodMs: number): Policy =>
  ({ name: 'login', capacity, refill, periodMs })

async function admitted (store: BucketStore, policy: Policy, client: string, times = Infinity): Promise<number> {
  let count = 0
  while (count < times && (await store.take(bucketOf(policy, client))).allowed) count++
  return count
}

/** What nobody gets more than, under any of these limits, from the first take until `ms` later. */
function mostOf (limits: Policy[], ms: number): number {
  const refills = limits.map(({ refill, periodMs }) => refill * Math.floor(ms / periodMs))
  const most = (numbers: number[]): number => Math.max(...numbers)
  return most(limits.map(({ capacity }) => capacity)) + most(refills) + most(limits.map(({ refill }) => refill))
}

t.test('with limits of 5 on three replicas and 10 on one, a client that alternates gets 10', async (t) => {
  const [larger, ...others] = await openReplicas(t, 4) as [BucketStore, ...BucketStore[]]
  const [five, ten] = [limit(5, 1, 3_600_000), limit(10, 1, 3_600_000)]
  let sum = await admitted(larger, ten, '192.0.2.1')
  for (const other of others) {
    sum += await admitted(other, five, '192.0.2.1') + await admitted(larger, ten, '192.0.2.1')
  }
  t.equal(sum, 10)
})

t.test('a replica does not read its own fast refills into a bucket of a slow limit', async (t) => {
  const [slow, fast] = await openReplicas(t, 2) as [BucketStore, BucketStore]
  t.equal(await admitted(slow, limit(20, 1, 3_600_000), '192.0.2.2'), 20)
  await new Promise(resolve => setTimeout(resolve, 1500))
  t.equal(await admitted(fast, limit(10, 10, 1000), '192.0.2.2'), 0)
})

t.test('after a cut of the capacity, a client that waits as stated gets one token after each refill', async (t) => {
  const [one, other] = await openReplicas(t, 2) as [BucketStore, BucketStore]
  t.equal(await admitted(one, limit(100, 1, 1000), '192.0.2.4'), 100)
  const cut = limit(5, 1, 1000)
  for (let i = 0; i < 3; i++) {
    const { allowed, waitMs } = await other.take(bucketOf(cut, '192.0.2.4'))
    t.equal(allowed, false)
    t.ok(waitMs > 0 && waitMs <= 1000, `${waitMs} ms`)
    await new Promise(resolve => setTimeout(resolve, waitMs + 1))
    t.equal((await other.take(bucketOf(cut, '192.0.2.4'))).allowed, true)
  }
})

const SEED = 20261206

t.test(`limits that change under load keep the bound, and every wait that was stated; seed ${SEED}`, async (t) => {
  const replicas = await openReplicas(t, 3)
  const random = generator(SEED)
  const roll = (sides: number): number => Math.floor(random() * sides)
  const any = (): Policy => limit(3 + roll(40), 1 + roll(5), 1000 * (1 + roll(2)))
  const inForce = replicas.map(any)
  const used = [...inForce]
  const changes = setInterval(() => {
    const i = roll(3)
    used.push(inForce[i] = any())
  }, 100)

  /** Asks any replica, all the time, or as its refusals say. @returns how many takes were admitted */
  async function ask (client: string, patient: boolean, endMs: number): Promise<number> {
    let count = 0
    let waited = false
    while (performance.now() < endMs) {
      const i = roll(3)
      const { allowed, waitMs } = await replicas[i]!.take(bucketOf(inForce[i]!, client))
      if (waited && !allowed) t.fail(`${client} waited as stated, and is refused`)
      count += Number(allowed)
      waited = patient && !allowed
      // A timer of Node may end almost a millisecond early.
      if (waited) await new Promise(resolve => setTimeout(resolve, waitMs + 1))
    }
    return count
  }
  const startedMs = performance.now()
  const clients = Array.from({ length: 40 }, (_, i) => ask(`198.51.100.${i}`, i < 30, startedMs + 10_000))
  const counts = await Promise.all(clients)
  clearInterval(changes)
  const most = mostOf(used, performance.now() - startedMs)
  t.comment(`${used.length} limits, at most ${Math.max(...counts)} admitted of ${most}`)
  t.ok(Math.max(...counts) <= most)
  t.ok(Math.min(...counts) >= 3)
})

t.end()
