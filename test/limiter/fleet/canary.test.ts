// The canary tests the limits of a replica with a bucket of its own, which takes the same path as a client's. A limiter
// that admits everyone is always reported.

import t from 'tap'
import type { Bucket } from '#src/limiter/bucket/bucket.js'
import { CANARY, createCanary, type CanaryOptions } from '#src/limiter/fleet/canary.js'
import { openStore, type ReplicaStore, type StoreOptions } from '#src/limiter/store.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { startApp } from '../../fixtures/app.js'
import { keepCodes } from '../../fixtures/log.js'
import { seriesOf } from '../../fixtures/metrics.js'
import { end, type Lifetime } from '../../fixtures/lifetime.js'
import { freePort, startCluster, startRedis, type RedisServer } from '../../fixtures/redis.js'
import { ownTime, until } from '../../fixtures/until.js'

const self = { version: '0.0.1', startedAt: new Date().toISOString(), onRedisFailure: 'local' }

async function open (
  t: Lifetime, redisUrl: string | undefined, onRedisFailure: StoreOptions['onRedisFailure'] = 'local',
  more: Partial<StoreOptions> = {}
): Promise<{ store: ReplicaStore, codes: string[], prove: () => Promise<string>, knows: () => number }> {
  const { log, codes } = keepCodes()
  let replicas = 1
  // These tests are not about silence: even on a busy machine, Redis is not silent for this long.
  const store = await openStore({ redisUrl, onRedisFailure, redisTimeoutMs: 2000, ...more }, log, {
    onReplicas (count) { replicas = count }
  })
  t.after(() => store.close())
  return { store, codes, prove: () => store.runCanary(new AbortController().signal), knows: () => replicas }
}

const canaries = ({ client }: RedisServer): Promise<string[]> => client.keys('gatehouse:bucket:canary:*')

t.test('a run takes from a bucket of its own in Redis, again and again', async (t) => {
  const redis = await startRedis(t)
  const [one, other] = await Promise.all([open(t, redis.url), open(t, redis.url)])
  await redis.client.config('RESETSTAT')
  const startedMs = performance.now()
  t.same(await Promise.all([one.prove(), other.prove()]), ['redis', 'redis'])
  const calls = Number(/cmdstat_evalsha:calls=(\d+)/.exec(await redis.client.info('commandstats'))?.[1])
  // A peek, three takes at once, and one take for each; and a heartbeat a second.
  const beats = (performance.now() - startedMs) / 1000 + 2
  t.ok(calls <= 2 * 3 + 2 * beats, `${calls} calls of scripts, and at most ${beats} heartbeats of each`)

  const keys = await canaries(redis)
  t.equal(keys.length, 2, 'one bucket for each replica')
  for (const key of keys) t.ok(await redis.client.pttl(key) > 0)
  t.equal(await one.prove(), 'redis', 'what the last run left is waited for')
})

/** What a run says, and the limiter that makes it say so, over Redis or memory. */
function faultsOver (store: ReplicaStore, memory: ReplicaStore): Array<[RegExp, Partial<CanaryOptions>]> {
  // A run allows for the duration of its takes. In memory they take no time, even on a busy machine.
  const wrongWait = (waitMs: number): Partial<CanaryOptions> => ({
    source: () => 'memory',
    store: {
      ...memory,
      async take (bucket) {
        const verdict = await memory.take(bucket)
        return verdict.allowed ? verdict : { ...verdict, waitMs }
      }
    }
  })
  const admitted = async (bucket: Bucket) => ({ ...await store.take(bucket), allowed: true })
  const refused = async (bucket: Bucket) => ({ ...await store.take(bucket), allowed: false, waitMs: 1000 })
  let told = false
  const refusedAfterItsWait = async (bucket: Bucket) => {
    if (told) {
      // The repeated run, too, gets its first tokens, and fails only at this take.
      told = false
      return await refused(bucket)
    }
    const verdict = await store.take(bucket)
    told = !verdict.allowed
    return verdict
  }
  return [
    [/^3 of 3 takes from a bucket of 2 were admitted/, { store: { ...store, take: admitted } }],
    [/^0 of 3 takes/, { store: { ...store, take: refused } }],
    [/^a refusal said to wait 1100 ms/, wrongWait(1100)],
    [/^a refusal said to wait 300 ms/, wrongWait(300)],
    [/^a take was refused although it waited for its token/, {
      store: { ...store, take: refusedAfterItsWait }
    }],
    [/has in Redis the expiry -1 ms/, { expiryMs: async () => -1 }],
    [/has in Redis the expiry 9000 ms/, { expiryMs: async () => 9000 }],
    [/^everyone is admitted/, { unlimited: () => 'everyone is admitted' }]
  ]
}

t.test('a run fails if too much is admitted, a wait is wrong, or a bucket does not expire', async (t) => {
  const redis = await startRedis(t)
  const [{ store }, { store: memory }] = await Promise.all([open(t, redis.url), open(t, undefined)])
  const faults = faultsOver(store, memory)
  await Promise.all(faults.map(async ([message, fault], i) => {
    const run = createCanary({
      store,
      name: `canary-${i}`,
      source: () => 'redis',
      expiryMs: key => redis.client.pttl(key),
      unlimited: () => undefined,
      ...fault
    })
    await t.rejects(run(new AbortController().signal), { message })
  }))
})

t.test('a run that fails once is repeated, and an aborted run ends', async (t) => {
  const { store } = await open(t, undefined)
  let expiries = 0
  const options = { store, name: 'once', source: () => 'redis' as const, unlimited: () => undefined }
  const expiryOf = async (key: string): Promise<number> => (await store.peek({ key, policy: CANARY })).fullMs
  const once = createCanary({ ...options, expiryMs: async key => ++expiries === 1 ? -1 : await expiryOf(key) })
  t.equal(await once(new AbortController().signal), 'redis')

  const ends = new AbortController()
  const run = createCanary({ ...options, name: 'ended', expiryMs: expiryOf })(ends.signal)
  const startedMs = ownTime()
  ends.abort()
  await t.rejects(run, { name: 'AbortError' })
  t.ok(ownTime() - startedMs < 1000, 'before its first wait is over')
})

t.test('without Redis the canary fails if the limiter fails open or closed, but not with a local share', async (t) => {
  const url = `redis://127.0.0.1:${await freePort()}`
  const [fails, closed, local, memory] = await Promise.all([
    open(t, url, 'open'), open(t, url, 'closed'), open(t, url, 'local'), open(t, undefined)
  ])
  await t.rejects(fails.prove(), { message: '3 of 3 takes from a bucket of 2 were admitted' })
  await t.rejects(closed.prove(), /LIMITER_ON_REDIS_FAILURE is closed/)
  t.equal(await local.prove(), 'local')
  t.equal(await memory.prove(), 'memory')
  t.match(await memory.store.replicas(), [{ limits: /^[\da-f]{16}$/ }])
})

t.test('in a cluster the canary fails if any node fails open, even if another node has the bucket', async (t) => {
  const nodes = await startCluster(t, { masters: 3 })
  const url = `redis://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`
  const { store, prove } = await open(t, url, 'open')
  t.equal(await prove(), 'redis')
  const ports = await Promise.all(nodes.map(async node => (await canaries(node)).length === 0))
  const without = nodes[ports.indexOf(true)]!
  await end(without.process)
  const policy = { name: 'general', capacity: 5, refill: 1, periodMs: 60_000 }
  // Clients with buckets on every node notice.
  await Promise.all(Array.from({ length: 30 }, (_, i) => store.take(bucketOf(policy, `192.0.2.${i}`))))
  await t.rejects(prove(), /LIMITER_ON_REDIS_FAILURE=open admits/)
})

t.test('an outage between two runs in which everyone was admitted fails one run', async (t) => {
  const redis = await startRedis(t)
  const [failsOpen, local] = await Promise.all([
    open(t, redis.url, 'open', { redisTimeoutMs: 500 }), open(t, redis.url, 'local', { redisTimeoutMs: 500 })
  ])
  t.same(await Promise.all([failsOpen.prove(), local.prove()]), ['redis', 'redis'])
  await redis.client.call('CLIENT', 'PAUSE', '2000')
  const policy = { name: 'general', capacity: 1, refill: 1, periodMs: 60_000 }
  await Promise.all([failsOpen, local].map(async ({ store, codes }) => {
    await store.take(bucketOf(policy, '192.0.2.1'))
    await until(() => codes.includes('redis_recovered'))
  }))
  await t.rejects(failsOpen.prove(), /was since the last run, and LIMITER_ON_REDIS_FAILURE=open admits/)
  t.equal(await local.prove(), 'redis')
  t.equal(await failsOpen.prove(), 'redis')
})

t.test('if Redis refuses to store the description, it is reported once and the service continues', async (t) => {
  const redis = await startRedis(t)
  await redis.client.call('ACL', 'SETUSER', 'older', 'on', '>a-password-of-redis', '~gatehouse:bucket:*',
    '~gatehouse:replicas', '~gatehouse:limits', '&gatehouse:*', '+@all')
  const { codes, store, prove } = await open(
    t, `redis://older:a-password-of-redis@127.0.0.1:${redis.port}`, 'local', { self: () => self }
  )
  t.equal(await prove(), 'redis')
  t.same(codes, ['replica_undescribed'])
  t.match(await store.take(bucketOf({ name: 'login', capacity: 5, refill: 1, periodMs: 1000 }, '192.0.2.1')), {
    remaining: 4
  })
})

t.test('metrics, the log and the replica itself say how the canary is, and no decision counts it', async (t) => {
  const redis = await startRedis(t)
  const port = await freePort()
  const startedMs = performance.now()
  const [well, ill] = await Promise.all([
    startApp(t, { REDIS_URL: redis.url }),
    startApp(t, { REDIS_URL: `redis://127.0.0.1:${port}`, LIMITER_ON_REDIS_FAILURE: 'open' })
  ])
  const value = async ({ app }: typeof well, name: string): Promise<number | undefined> =>
    (await seriesOf(app, `gatehouse_canary_${name}`))[0]?.value
  const lines = ({ logs }: typeof well): unknown[] =>
    logs.map(({ code }) => code).filter(code => String(code).startsWith('canary'))

  await until(async () => await value(ill, 'ok') === 0, 'it fails')
  await until(async () => await value(well, 'ok') === 1, 'it ends')
  const ageSeconds = (await value(well, 'age_seconds'))!
  t.ok(ageSeconds >= 0 && ageSeconds < (performance.now() - startedMs) / 1000, `its end was ${ageSeconds} s ago`)
  t.same([lines(well), lines(ill)], [[], ['canary_failed']])
  t.match(ill.app.states.canary, { value: 'failed', reason: /takes from a bucket of 2 were admitted/ })
  t.same(await seriesOf(well.app, 'gatehouse_limiter_decisions_total').then(series =>
    series.filter(({ value }) => value > 0)), [], 'no decision')

  await startRedis(t, { port })
  await until(async () => await value(ill, 'ok') === 1, 'it succeeds')
  t.same(lines(ill), ['canary_failed', 'canary_recovered'])
  const list = await well.app.buckets.replicas()
  t.match(list, [{
    version: String, states: { canary: { value: 'passed' }, redis: { value: 'decides' } }
  }])
})

t.end()
