// A cached denial spares Redis, never outlives its wait, and ends with a reset or a returned token on any replica.

import t from 'tap'
import type { BucketStore } from '#src/limiter/bucket/bucket.js'
import { withDenyCache } from '#src/limiter/layers/deny-cache.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { openStore } from '#src/limiter/store.js'
import { startRedis } from '../../fixtures/redis.js'
import { openRedisStore } from '../../fixtures/store.js'

const redis = await startRedis(t)
const { client } = redis
const policy = { name: 'login', capacity: 2, refill: 1, periodMs: 60_000 }
const log = { info () {}, warn () {}, error () {} }

const plain = await openRedisStore(t, redis.url)

async function scriptCalls (): Promise<number> {
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0)
}

async function replica (t: { after: (close: () => Promise<void>) => void }): Promise<BucketStore> {
  const store = await openStore({ redisUrl: redis.url, onRedisFailure: 'local', redisTimeoutMs: 2000 }, log)
  t.after(() => store.close())
  return store
}

async function eventually (claim: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + 5000; Date.now() < end; await new Promise(setImmediate)) if (await claim()) return true
  return false
}

t.test('a refusal is repeated from memory, with the remaining wait, without a call to Redis', async (t) => {
  const store = withDenyCache(plain)
  for (let i = 0; i < 2; i++) await store.take(bucketOf(policy, '192.0.2.1'))
  const first = await store.take(bucketOf(policy, '192.0.2.1'))
  const calls = await scriptCalls()
  for (let i = 0; i < 100; i++) {
    const again = await store.take(bucketOf(policy, '192.0.2.1'))
    t.match(again, { allowed: false, remaining: 0, capacity: 2 })
    t.ok(again.waitMs <= first.waitMs + 5 && again.waitMs > first.waitMs - 2000, `wait ${again.waitMs}`)
    t.equal(again.fullMs - again.waitMs, 60_000)
  }
  t.equal(await scriptCalls(), calls)
  t.equal((await store.peek(bucketOf(policy, '192.0.2.1'))).remaining, 0, 'a look is asked of Redis')
  t.equal(await scriptCalls(), calls + 1)
})

t.test('a client that waits as a cached denial said is admitted', async (t) => {
  const store = withDenyCache(plain)
  const short = { ...policy, name: 'short', capacity: 1, periodMs: 1000 }
  for (let round = 0; round < 3; round++) {
    while ((await store.take(bucketOf(short, '192.0.2.2'))).allowed);
    const { waitMs } = await store.take(bucketOf(short, '192.0.2.2'))
    await new Promise(resolve => setTimeout(resolve, waitMs))
    t.equal((await store.take(bucketOf(short, '192.0.2.2'))).allowed, true)
  }
})

t.test('a reset on one replica ends the refusals of the others at once [L67]', async (t) => {
  const [a, b] = [await replica(t), await replica(t)]
  for (let i = 0; i < 3; i++) await a.take(bucketOf(policy, '192.0.2.3'))
  t.equal((await b.take(bucketOf(policy, '192.0.2.3'))).allowed, false)
  await a.reset(bucketOf(policy, '192.0.2.3'))
  t.equal((await a.take(bucketOf(policy, '192.0.2.3'))).allowed, true)
  t.ok(await eventually(async () => (await b.take(bucketOf(policy, '192.0.2.3'))).allowed))
})

t.test('a reset from the command line, or of an emptied bucket, is noticed too [L67]', async (t) => {
  const a = await replica(t)
  for (let i = 0; i < 3; i++) await a.take(bucketOf(policy, '192.0.2.4'))
  await plain.reset(bucketOf(policy, '192.0.2.4'))
  t.ok(await eventually(async () => (await a.take(bucketOf(policy, '192.0.2.4'))).allowed))
})

t.test('a token returned on one replica ends the cached denials of the others at once [L18 L67]', async (t) => {
  const [a, b] = [await replica(t), await replica(t)]
  for (let i = 0; i < 3; i++) await a.take(bucketOf(policy, '192.0.2.8'))
  t.equal((await b.take(bucketOf(policy, '192.0.2.8'))).allowed, false)
  t.match(await a.giveBack(bucketOf(policy, '192.0.2.8')), { allowed: true, remaining: 1 })
  t.ok(await eventually(async () => (await b.take(bucketOf(policy, '192.0.2.8'))).allowed))
  t.equal((await a.take(bucketOf(policy, '192.0.2.8'))).allowed, false, 'but one token is one take')
})

t.test('a replica that returns a token forgets its own denial, even without the announcement [L18]', async (t) => {
  const store = withDenyCache(plain)
  for (let i = 0; i < 3; i++) await store.take(bucketOf(policy, '192.0.2.9'))
  await store.giveBack(bucketOf(policy, '192.0.2.9'))
  t.equal((await store.take(bucketOf(policy, '192.0.2.9'))).allowed, true)
  t.equal((await store.take(bucketOf(policy, '192.0.2.9'))).allowed, false)
})

t.test('a refusal that was under way while a token was returned is not cached [L18]', async (t) => {
  const store = withDenyCache(plain)
  for (let i = 0; i < 2; i++) await store.take(bucketOf(policy, '192.0.2.10'))
  const [refused] = await Promise.all([
    store.take(bucketOf(policy, '192.0.2.10')), store.giveBack(bucketOf(policy, '192.0.2.10'))
  ])
  t.equal(refused.allowed, false)
  t.equal((await store.take(bucketOf(policy, '192.0.2.10'))).allowed, true)
})

t.test('every returned token goes to Redis, even if the bucket is known to be empty [L18]', async (t) => {
  const store = withDenyCache(plain)
  for (let i = 0; i < 3; i++) await store.take(bucketOf(policy, '192.0.2.11'))
  const calls = await scriptCalls()
  for (let i = 0; i < 2; i++) await store.giveBack(bucketOf(policy, '192.0.2.11'))
  t.equal(await scriptCalls(), calls + 2)
  t.equal(await client.exists(bucketOf(policy, '192.0.2.11').key), 0)
})

t.test('after a change of the policy Redis is asked again [L22]', async (t) => {
  const store = withDenyCache(plain)
  for (let i = 0; i < 3; i++) await store.take(bucketOf(policy, '192.0.2.5'))
  t.equal((await store.take(bucketOf({ ...policy, capacity: 10 }, '192.0.2.5'))).allowed, true)
})

t.test('a refusal that was under way while its bucket was reset is not cached', async (t) => {
  const store = withDenyCache(plain)
  for (let i = 0; i < 2; i++) await store.take(bucketOf(policy, '192.0.2.6'))
  const underWay = store.take(bucketOf(policy, '192.0.2.6'))
  store.forgetDenials(bucketOf(policy, '192.0.2.6').key)
  t.equal((await underWay).allowed, false)
  await client.del(bucketOf(policy, '192.0.2.6').key)
  t.equal((await store.take(bucketOf(policy, '192.0.2.6'))).allowed, true)
})

t.test('a reconnected subscription forgets every denial, because it may have missed a reset', async (t) => {
  const a = await replica(t)
  for (let i = 0; i < 3; i++) await a.take(bucketOf(policy, '192.0.2.7'))
  await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
  await client.del(bucketOf(policy, '192.0.2.7').key)
  t.ok(await eventually(async () => (await a.take(bucketOf(policy, '192.0.2.7'))).allowed))
})

t.end()
