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

/** What nobody gets more than, under any of these limits, from the first take until `ms` later. */
function mostOf (limits: Policy[], ms: number): number {
  const refills = limits.map(({ refill, periodMs }) => refill * Math.floor(ms / periodMs))
  const most = (numbers: number[]): number => Math.max(...numbers)
  return most(limits.map(({ capacity }) => capacity)) + most(refills) + most(limits.map(({ refill }) => refill))
}

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
