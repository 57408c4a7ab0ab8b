// While Redis is away a replica decides by its local share, asks Redis rarely, and says why once. Nothing is charged
// afterwards. outages.test.ts has the bound over any number of outages.

import t, { type Test } from 'tap'
import { BucketStore, StoreUnavailable, type Ask } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { createMemoryStore } from '#src/limiter/bucket/memory-store.js'
import { Fallback } from '#src/limiter/layers/fallback.js'
import { LocalShare } from '#src/limiter/layers/local-share.js'
import { openStore } from '#src/limiter/store.js'
import { keepCodes } from '../../fixtures/log.js'
import { startCluster, startRedis, type RedisServer } from '../../fixtures/redis.js'
import { ownTime, until } from '../../fixtures/until.js'

const policy = { name: 'login', capacity: 2, refill: 1, periodMs: 3_600_000 }
const back = 'redis_recovered'

/** Even on a busy machine, only a Redis that hangs is silent for `redisTimeoutMs`. */
async function open (t: Test, redisUrl: string, redisTimeoutMs = 1000) {
  const { log, codes } = keepCodes()
  const store = await openStore({ redisUrl, onRedisFailure: 'local', redisTimeoutMs }, log)
  t.after(() => store.close())
  return { store, codes, backs: () => codes.filter(code => code === back).length }
}

/** The fallback over buckets in memory that fail on demand. */
function fragile (t: Test) {
  const memory = createMemoryStore()
  /** When it changed, in ms by the clock and by `ownTime`. */
  const state = { failing: false, changes: [] as Array<[number, number]> }
  const take: Ask = (bucket, resolve, reject) => {
    setTimeout(() => {
      if (state.failing) reject(new StoreUnavailable('gone'))
      else memory.layer.take(bucket, resolve, reject)
    }, 5)
  }
  const layer = new Fallback({ ...memory.layer, take }, {
    onRedisFailure: 'local',
    share: new LocalShare(() => 1),
    onChange () { state.changes.push([performance.now(), ownTime()]) },
    onOtherReason () {}
  })
  t.after(() => layer.close())
  const store = new BucketStore(layer, memory)
  /** Fails for one take. @returns after how many ms the store decided again, by both clocks */
  async function hiccup (): Promise<[lasted: number, ownMs: number]> {
    state.failing = true
    await store.take(bucketOf(policy, 'of a hiccup'))
    state.failing = false
    await until(() => state.changes.length % 2 === 0)
    const [from, to] = state.changes.slice(-2) as [[number, number], [number, number]]
    return [to[0] - from[0], to[1] - from[1]]
  }
  return { store, hiccup }
}

// L65
t.test('a short failure costs some tens of ms, even one in hundreds of takes; frequent ones are outages', async (t) => {
  const [rare, frequent]: [number[], number[]] = [[], []]
  // The failures come one after the other, so that a busy machine delays one of them and not all.
  const { store, hiccup } = fragile(t)
  for (let i = 0; i < 5; i++) {
    rare.push((await hiccup())[1])
    await Promise.all(Array.from({ length: 300 }, (_, i) => store.take(bucketOf(policy, `192.0.3.${i}`))))
  }
  await hiccup()
  for (let i = 0; i < 3; i++) frequent.push((await hiccup())[0])
  t.comment([rare, frequent].map(lasted => lasted.map(Math.round).join(' ')).join(', '))
  t.ok(rare.sort((a, b) => a - b)[2]! < 150)
  t.ok(Math.min(...frequent) > 150)
})

/** How often Redis ran a script since it was last asked. */
async function scriptCalls ({ client }: RedisServer): Promise<number> {
  const calls = /cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0
  await client.config('RESETSTAT')
  return Number(calls)
}

t.test('three replicas probe a missing Redis a few times a second, and charge nothing when it is back', async (t) => {
  const redis = await startRedis(t)
  const replicas = await Promise.all([open(t, redis.url), open(t, redis.url), open(t, redis.url)])
  const before = bucketOf({ ...policy, capacity: 9 }, '192.0.2.1')
  await replicas[0]!.store.take(before)
  await redis.client.config('SET', 'min-replicas-to-write', 1)
  await scriptCalls(redis)
  const startedMs = performance.now()
  while (performance.now() < startedMs + 700) {
    await Promise.all(replicas.flatMap(({ store }) =>
      Array.from({ length: 300 }, (_, i) => store.take({ ...before, key: `${before.key}${i}` }))))
    for (const { store } of replicas) await store.take(before)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  const asked = await scriptCalls(redis)
  const seconds = (performance.now() - startedMs) / 1000
  // For every replica: its first takes, which are ten calls, a probe every 100 ms, and two calls of each heartbeat.
  t.ok(asked <= 3 * (10 + (10 * seconds + 1) + 2 * (seconds + 1)), `${asked} calls in an outage of ${seconds} s`)
  await redis.client.config('SET', 'min-replicas-to-write', 0)
  const recoveredMs = await until(() => replicas.every(({ codes }) => codes.includes(back)))
  t.ok(recoveredMs < 1000, `recovered after ${recoveredMs} ms`)
  await new Promise(resolve => setTimeout(resolve, 300))
  t.same(await redis.client.keys('gatehouse:bucket:*'), [before.key])
  t.equal(await redis.client.get(before.key), '3001000010000001', 'it lacks what was taken before the outage')
})

t.test('a reset while Redis is away rejects, and changes no bucket', async (t) => {
  const redis = await startRedis(t)
  const { store, backs } = await open(t, redis.url)
  const bucket = bucketOf(policy, '192.0.2.61')
  while ((await store.take(bucket)).allowed);
  redis.process.kill('SIGSTOP')
  const away = { name: 'StoreUnavailable' }
  await t.rejects(store.reset(bucket), away, 'the first that notices')
  while ((await store.take(bucketOf(policy, '192.0.2.62'))).allowed);
  await t.rejects(store.reset(bucketOf(policy, '192.0.2.62')), away)
  t.match(await store.take(bucketOf(policy, '192.0.2.62')), { allowed: false })
  store.forget(bucketOf(policy, '192.0.2.62'))
  t.match(await store.take(bucketOf(policy, '192.0.2.62')), { allowed: true }, 'but this process can forget')
  redis.process.kill('SIGCONT')
  await until(() => backs() === 1)
  t.equal(await store.reset(bucketOf(policy, '192.0.2.64')), false)
})

t.test('a reset reaches the fallback of every replica, and so holds in the next outage', async (t) => {
  const redis = await startRedis(t)
  const replicas = await Promise.all([open(t, redis.url), open(t, redis.url), open(t, redis.url)])
  const six = { ...policy, capacity: 6 }
  await until(async () => (await replicas[0]!.store.replicas()).length === 3)
  const outage = async (on: boolean): Promise<unknown> =>
    await redis.client.config('SET', 'min-replicas-to-write', Number(on))

  await outage(true)
  for (const { store } of replicas) while ((await store.take(bucketOf(six, '192.0.2.62'))).allowed);
  await outage(false)
  await until(() => replicas.every(({ backs }) => backs() === 1))
  while ((await replicas[0]!.store.take(bucketOf(six, '192.0.2.62'))).allowed);
  t.equal(await replicas[0]!.store.reset(bucketOf(six, '192.0.2.62')), true)
  const isHeard = async ({ store }: typeof replicas[0]): Promise<boolean> =>
    store.refuseAtOnce(bucketOf(six, '192.0.2.62')) === undefined
  await until(async () => (await Promise.all(replicas.map(isHeard))).every(Boolean))
  await new Promise(resolve => setTimeout(resolve, 200))

  await outage(true)
  for (const { store } of replicas) t.match(await store.take(bucketOf(six, '192.0.2.62')), { allowed: true })
})

t.test('a client that waits as a refusal in an outage said is admitted after it', async (t) => {
  const redis = await startRedis(t)
  const { store, backs } = await open(t, redis.url)
  const short = { ...policy, periodMs: 1000 }
  redis.process.kill('SIGSTOP')
  while ((await store.take(bucketOf(short, '192.0.2.65'))).allowed);
  const { waitMs } = await store.take(bucketOf(short, '192.0.2.65'))
  const atMs = performance.now() + waitMs
  redis.process.kill('SIGCONT')
  await until(() => backs() === 1)
  await new Promise(resolve => setTimeout(resolve, atMs - performance.now()))
  t.match(await store.take(bucketOf(short, '192.0.2.65')), { allowed: true })
})

// L61
t.test('a Redis that would evict the wrong buckets, or none, is reported at the start', async (t) => {
  const redis = await startRedis(t)
  for (const [limit, policy, warned] of [
    ['50mb', 'allkeys-lru', true], ['50mb', 'noeviction', true], ['50mb', 'volatile-ttl', false],
    ['0', 'noeviction', false]
  ] as const) {
    await redis.client.config('SET', 'maxmemory', limit)
    await redis.client.config('SET', 'maxmemory-policy', policy)
    const { codes } = await open(t, redis.url)
    t.equal(codes.includes('redis_eviction_policy'), warned, `${limit} ${policy}`)
  }
})

/** Why a replica uses the fallback, according to its log. */
async function openForReasons (t: Test, redisUrl: string, clients = ['192.0.2.13']) {
  const reasons: string[] = []
  const note = (details: object): void => { reasons.push((details as { err: Error }).err.message) }
  const store = await openStore({ redisUrl, onRedisFailure: 'local' }, { info () {}, warn: note, error: note })
  t.after(() => store.close())
  await Promise.all(clients.map(client => store.take(bucketOf(policy, client))))
  return { store, reasons }
}

// L62
t.test('a REDIS_URL that names only one node of a cluster is reported, whichever buckets are used', async (t) => {
  const nodes = await startCluster(t, { masters: 2 })
  const hint = /^REDIS_URL names one node of a cluster: name several, comma-separated, or this one twice$/
  for (const { url } of nodes) {
    const { store, reasons } = await openForReasons(t, url)
    t.match(reasons, [hint, /there is no connection that is ready$/], 'known before any take fails')
    const verdicts = await Promise.all(['192.0.2.14', '192.0.2.15'].map(owner => store.take(bucketOf(policy, owner))))
    t.same(verdicts.map(({ allowed }) => allowed), [true, true], 'by the local share')
  }
})

// L55
t.test('a Redis that hangs at the start delays it by two seconds, and decides once it answers', async (t) => {
  const redis = await startRedis(t)
  redis.process.kill('SIGSTOP')
  const started = ownTime()
  const { store, backs } = await open(t, redis.url, 100)
  t.ok(ownTime() - started < 4000)
  t.equal((await store.take(bucketOf(policy, '192.0.2.9'))).allowed, true)
  redis.process.kill('SIGCONT')
  await until(() => backs() === 1)
})
