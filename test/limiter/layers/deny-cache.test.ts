// A cached denial spares Redis, never outlives its wait, and ends with a reset or a returned token on any replica.

import t from 'tap'
import { BucketStore } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { DenyCache } from '#src/limiter/layers/deny-cache.js'
import { openStore } from '#src/limiter/store.js'
import { startRedis } from '../../fixtures/redis.js'
import { openRedisStore } from '../../fixtures/store.js'
import { until } from '../../fixtures/until.js'

const redis = await startRedis(t)
const { client } = redis
const policy = { name: 'login', capacity: 2, refill: 1, periodMs: 60_000 }
const log = { info () {}, warn () {}, error () {} }

const plain = await openRedisStore(t, redis.url)
const withDenyCache = (layer = new DenyCache(plain.layer)): BucketStore => new BucketStore(layer, plain)

async function scriptCalls (): Promise<number> {
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0)
}

async function replica (t: { after: (close: () => Promise<void>) => void }): Promise<BucketStore> {
  const store = await openStore({ redisUrl: redis.url, onRedisFailure: 'local', redisTimeoutMs: 2000 }, log)
  t.after(() => store.close())
  return store
}

t.test('a refusal is repeated from memory, with the remaining wait, without a call to Redis', async (t) => {
  const store = withDenyCache()
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
  await client.del(bucketOf(policy, '192.0.2.1').key)
  t.equal((await store.peek(bucketOf(policy, '192.0.2.1'))).remaining, 2, 'a look is asked of Redis')
})

t.test('a client that waits as a cached denial said is admitted', async (t) => {
  const store = withDenyCache()
  const short = bucketOf({ ...policy, name: 'short', capacity: 1, periodMs: 1000 }, '192.0.2.2')
  while ((await store.take(short)).allowed);
  const { waitMs } = await store.take(short)
  // Node's timers may end a millisecond early, and clients wait whole seconds.
  await new Promise(resolve => setTimeout(resolve, waitMs + 1))
  t.equal((await store.take(short)).allowed, true)
})

t.test('a replica that returns a token forgets its own denial, even without the announcement', async (t) => {
  const store = withDenyCache()
  for (let i = 0; i < 3; i++) await store.take(bucketOf(policy, '192.0.2.9'))
  await store.giveBack(bucketOf(policy, '192.0.2.9'))
  t.equal((await store.take(bucketOf(policy, '192.0.2.9'))).allowed, true)
  t.equal((await store.take(bucketOf(policy, '192.0.2.9'))).allowed, false)
})

// L22
t.test('after a change of the policy Redis is asked again', async (t) => {
  const store = withDenyCache()
  for (let i = 0; i < 3; i++) await store.take(bucketOf(policy, '192.0.2.5'))
  t.equal((await store.take(bucketOf({ ...policy, capacity: 10 }, '192.0.2.5'))).allowed, true)
})

t.test('a refusal that was under way while its bucket was reset is not cached', async (t) => {
  const denials = new DenyCache(plain.layer)
  const store = withDenyCache(denials)
  for (let i = 0; i < 2; i++) await store.take(bucketOf(policy, '192.0.2.6'))
  const underWay = store.take(bucketOf(policy, '192.0.2.6'))
  denials.forget(bucketOf(policy, '192.0.2.6').key)
  t.equal((await underWay).allowed, false)
  await client.del(bucketOf(policy, '192.0.2.6').key)
  t.equal((await store.take(bucketOf(policy, '192.0.2.6'))).allowed, true)
})

t.test('a reconnected subscription forgets every denial, because it may have missed a reset', async (t) => {
  const a = await replica(t)
  for (let i = 0; i < 3; i++) await a.take(bucketOf(policy, '192.0.2.7'))
  await client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
  await client.del(bucketOf(policy, '192.0.2.7').key)
  await t.resolves(until(async () => (await a.take(bucketOf(policy, '192.0.2.7'))).allowed))
})

t.end()
