// While replicas hold different limits, no client gets more than the larger one, and once they agree buckets are
// repaired.

import type { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { BucketStore, Policy, Verdict } from '#src/limiter/bucket/bucket.js'
import { digestOf, otherLimits, withOtherLimits } from '#src/limiter/layers/differing-limits.js'
import { startHeartbeat } from '#src/limiter/fleet/heartbeat.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { parseLimits } from '#src/limiter/limits/limits-file.js'
import { defaultLimits, type Limits } from '#src/limiter/limits/policies.js'
import { openStore } from '#src/limiter/store.js'
import { connect } from '#src/limiter/redis/connection.js'
import { createRedisStore } from '#src/limiter/redis/redis-store.js'
import { keepCodes } from '../../fixtures/log.js'
import { startNetwork } from '../../fixtures/network.js'
import { startRedis } from '../../fixtures/redis.js'
import { until } from '../../fixtures/until.js'

let databases = 0

interface Replica { store: BucketStore, login: Policy, codes: string[] }

const redis = await startRedis(t)

/**
 * Replicas on one Redis database, each with its own limits. `openForgetful` opens one that soon forgets the limits of
 * others.
 */
function cluster (t: Test) {
  const url = `redis://127.0.0.1:${redis.port}/${++databases}`
  const client = redis.client.duplicate({ db: databases })
  t.after(() => client.disconnect())
  async function open (limits: Limits): Promise<Replica> {
    const { log, codes } = keepCodes()
    const store = await openStore({ redisUrl: url, onRedisFailure: 'local', limits, redisTimeoutMs: 2000 }, log)
    t.after(() => store.close())
    return { store, login: limits.policies.login, codes }
  }
  async function openForgetful (limits: Limits): Promise<Replica> {
    const codes: string[] = []
    const connection = await connect(url, () => {}, 2000)
    const others = otherLimits(connection, limits, (differ) => {
      codes.push(differ ? 'limits_differ' : 'limits_agree')
    }, 500)
    const heartbeat = await startHeartbeat(connection, { limits: others })
    const store = withOtherLimits(createRedisStore(connection, { deadlineMs: 2000 }), others.inForce)
    t.after(async () => {
      await heartbeat.close()
      await store.close()
    })
    return { store, login: limits.policies.login, codes }
  }
  return { client, url, open, openForgetful }
}

const limits = (capacity: number, refill: number, period: string): Limits =>
  parseLimits(JSON.stringify({ policies: { login: { capacity, refill, period } } }))

async function admitted ({ store, login }: Replica, client: string, times: number): Promise<number> {
  let count = 0
  for (let i = 0; i < times; i++) count += Number((await store.take(bucketOf(login, client))).allowed)
  return count
}

let probes = 0

/** Takes from a new bucket, and checks whether it is in Redis. */
async function decidedByRedis ({ store, login }: Replica, client: Redis): Promise<boolean> {
  const probe = `probe ${++probes}`
  await store.take(bucketOf(login, probe))
  return await client.exists(`gatehouse:bucket:login:${probe}`) === 1
}

t.jobs = 4

t.test('with limits of 5 on three replicas and 10 on one, a client that alternates gets 10', async (t) => {
  const { open } = cluster(t)
  const old = await Promise.all(Array.from({ length: 3 }, () => open(limits(5, 1, '1h'))))
  const larger = await open(limits(10, 1, '1h'))
  let sum = await admitted(larger, '192.0.2.1', 10)
  for (const one of old) sum += await admitted(one, '192.0.2.1', 1) + await admitted(larger, '192.0.2.1', 5)
  t.equal(sum, 10)
})

t.test('a replica that has just started gives no client more than the larger limit', async (t) => {
  const { open } = cluster(t)
  const [slow, fast] = [limits(20, 1, '1h'), limits(10, 10, '1s')]
  const first = await open(slow)
  t.equal(await admitted(first, '192.0.2.2', 25), 20)
  const second = await open(fast)
  t.same(second.codes, ['limits_differ'])
  await until(() => first.codes.length > 0)
  t.same(first.codes, ['limits_differ'], 'the other one knows of it, too')
  await new Promise(resolve => setTimeout(resolve, 1500))
  t.equal(await admitted(second, '192.0.2.2', 5), 0, 'and does not read its own fast refills into a slow bucket')
  t.equal(await admitted(second, '192.0.2.3', 15) + await admitted(first, '192.0.2.3', 25), 20)
})

t.test('a bucket that a fast policy has emptied is not full for a slow one', async (t) => {
  const { open } = cluster(t)
  const [fast, slow] = [limits(50, 50, '1m'), limits(50, 1, '1m')]
  const first = await open(fast)
  t.equal(await admitted(first, '192.0.2.4', 60), 50)
  const second = await open(slow)
  t.equal(await admitted(second, '192.0.2.4', 60), 0)
})

t.test('while limits differ a refusal writes nothing; afterwards the bucket is repaired', async (t) => {
  const { open, openForgetful, client } = cluster(t)
  const key = 'gatehouse:bucket:login:192.0.2.5'
  const larger = await open(limits(100, 1, '1h'))
  t.equal(await admitted(larger, '192.0.2.5', 100), 100)
  const smaller = await openForgetful(limits(5, 1, '1s'))
  const expiry = await client.pexpiretime(key)
  for (let i = 0; i < 3; i++) {
    t.match(await smaller.store.take(bucketOf(smaller.login, '192.0.2.5')), {
      allowed: false, remaining: 0, capacity: 5
    })
  }
  t.same([await client.get(key), await client.pexpiretime(key)], ['100', expiry])
  t.match(
    await smaller.store.giveBack(bucketOf(smaller.login, '192.0.2.5')),
    { allowed: true, remaining: 0 },
    'a token that comes back does'
  )
  t.equal(await client.get(key), '99')

  await client.persist(key)
  t.equal((await smaller.store.take(bucketOf(smaller.login, '192.0.2.5'))).allowed, false)
  t.ok(await client.pttl(key) > 0, 'and a lost expiry is mended')

  await larger.store.close()
  await until(() => smaller.codes.includes('limits_agree'))
  // A replica whose last heartbeat was late repairs nothing.
  let refused: Verdict | undefined
  await until(async () => {
    refused = await smaller.store.take(bucketOf(smaller.login, '192.0.2.5'))
    t.equal(refused.allowed, false)
    return await client.get(key) === '5'
  }, 'the bucket is repaired')
  const { waitMs } = refused!
  t.ok(waitMs <= 1000, `${waitMs} ms`)
  await new Promise(resolve => setTimeout(resolve, waitMs))
  t.equal((await smaller.store.take(bucketOf(smaller.login, '192.0.2.5'))).allowed, true)
})

t.test('replicas of the same limits do not differ, and one differing policy affects no other', async (t) => {
  const { open, client } = cluster(t)
  const [a, b] = [await open(defaultLimits), await open(parseLimits('{"policies":{}}'))]
  await new Promise(resolve => setTimeout(resolve, 1500))
  t.same([...a.codes, ...b.codes], [])

  await open(limits(7, 1, '1m'))
  await until(() => a.codes.length > 0)
  t.same(a.codes, ['limits_differ'])
  let clients = 0
  /** Gets a refusal from a bucket that lacks more than any policy allows. @returns what it lacks afterwards */
  async function lackingAfterRefusal (name: 'general' | 'login'): Promise<string | null> {
    const bucket = bucketOf(defaultLimits.policies[name], `192.0.2.${++clients % 256}`)
    await client.set(bucket.key, 200, 'PX', 200 * 3_600_000)
    t.equal((await a.store.take(bucket)).allowed, false)
    return await client.get(bucket.key)
  }
  // A replica whose last heartbeat was late repairs nothing, and caches the denial. So each attempt is a new client.
  await until(async () => await lackingAfterRefusal('general') === '100',
    'a bucket is mended if its own policy is the same everywhere')
  t.equal(await lackingAfterRefusal('login'), '200', 'and is not if it differs')
})

t.test('limits are the same in any order', (t) => {
  const [a, b] = [{ login: 'exempt' }, { login: 'exempt', general: 'exempt' }]
  const digest = (networks: object): string => digestOf(parseLimits(JSON.stringify({ networks })))
  const [one, other] = ['10.0.0.0/16', '10.1.0.0/16'] as const
  t.equal(digest({ [one]: a, [other]: b }), digest({ [other]: { general: 'exempt', login: 'exempt' }, [one]: a }))
  t.not(digest({ [one]: a, [other]: b }), digest({ [one]: b, [other]: a }))
  t.end()
})

t.test('limits of a network are compared for the clients in it', async (t) => {
  const { open } = cluster(t)
  const file = (capacity: number): Limits => parseLimits(JSON.stringify({
    networks: { '203.0.113.0/24': { login: { capacity, refill: 1, period: '1h' } } }
  }))
  const [small, large] = [await open(file(20)), await open(file(30))]
  const of = (limits: Limits): Policy => limits.networks[0]!.overrides.login as Policy
  const taken = async ({ store }: Replica, policy: Policy): Promise<number> => {
    let count = 0
    for (let i = 0; i < 35; i++) count += Number((await store.take(bucketOf(policy, '203.0.113.9'))).allowed)
    return count
  }
  const sum = await taken(large, of(file(30))) + await taken(small, of(file(20))) + await taken(large, of(file(30)))
  t.equal(sum, 30)
})

t.test('a replica of a release that publishes no limits counts as one that differs', async (t) => {
  const { open, client } = cluster(t)
  await client.zadd('gatehouse:replicas', Date.now() + 60_000, '0b9e2f5e-an-older-release')
  const { store, login, codes } = await open(limits(5, 1, '1h'))
  t.same(codes, ['limits_differ'])
  await client.set('gatehouse:bucket:login:192.0.2.7', 9, 'PX', 9 * 3_600_000)
  t.equal((await store.take(bucketOf(login, '192.0.2.7'))).allowed, false)
  t.equal(await client.get('gatehouse:bucket:login:192.0.2.7'), '9')
  t.equal(await admitted({ store, login, codes }, '192.0.2.8', 9), 5)
})

t.test('while the replica with the larger limit is cut off, clients get no more than that limit', async (t) => {
  const { open, url, client } = cluster(t)
  const network = await startNetwork(t, redis.port)
  const old = await Promise.all(Array.from({ length: 3 }, () => open(limits(5, 1, '1h'))))
  const { log, codes } = keepCodes()
  const file = limits(10, 1, '1h')
  const store = await openStore({
    redisUrl: url.replace(String(redis.port), String(network.port)),
    onRedisFailure: 'local',
    limits: file,
    redisTimeoutMs: 1000
  }, log)
  t.after(() => store.close())
  const larger = { store, login: file.policies.login, codes }
  network.cut = true
  network.tear()
  await until(async () => await client.zcard('gatehouse:replicas') === 3)
  // Wait for another heartbeat of each replica.
  await new Promise(resolve => setTimeout(resolve, 1200))
  network.cut = false
  await until(async () => {
    await store.take(bucketOf(larger.login, 'probed'))
    return await client.exists('gatehouse:bucket:login:probed') === 1
  })
  let sum = await admitted(larger, '192.0.2.9', 10)
  for (const one of old) sum += await admitted(one, '192.0.2.9', 1) + await admitted(larger, '192.0.2.9', 5)
  t.equal(sum, 10)
  for (const one of old) t.notOk(one.codes.includes('limits_agree'))
})

for (const [what, begin, end] of [
  ['hangs', 'SIGSTOP', 'SIGCONT'],
  ['is absent', 'SIGKILL', undefined]
] as const) {
  t.test(`if Redis ${what} at its start, a replica takes nothing until others know its limits`, async (t) => {
    const own = await startRedis(t)
    const network = await startNetwork(t, own.port)
    async function open (file: Limits): Promise<Replica & { reasons: string[] }> {
      const reasons: string[] = []
      const { log, codes } = keepCodes()
      const store = await openStore({
        redisUrl: `redis://127.0.0.1:${network.port}`, onRedisFailure: 'local', limits: file, redisTimeoutMs: 1000
      }, log, {
        onFallback (change) { if (change.to === 'fallback') reasons.push(change.reason) }
      })
      t.after(() => store.close())
      return { store, login: file.policies.login, codes, reasons }
    }
    const old = await Promise.all(Array.from({ length: 3 }, () => open(limits(5, 1, '1h'))))
    own.process.kill(begin)
    await new Promise(resolve => setTimeout(resolve, 300))
    const larger = await open(limits(10, 1, '2h'))
    t.match((await larger.store.take(bucketOf(larger.login, 'meanwhile'))).allowed, true)
    t.match(larger.reasons, [/^no_/], 'the fallback decides, and says so')
    const { client } = end ? (own.process.kill(end), own) : await startRedis(t, { port: own.port })
    const waitedMs = await until(() => decidedByRedis(larger, client))
    for (const one of old) await until(() => decidedByRedis(one, client))
    let sum = await admitted(larger, '192.0.2.12', 10)
    for (const one of old) sum += await admitted(one, '192.0.2.12', 1) + await admitted(larger, '192.0.2.12', 5)
    t.equal(sum, 10)
    t.ok(waitedMs < 5000, `and soon it does: after ${waitedMs} ms`)
  })
}

t.test('a replica that was forgotten during a cut is known again before it takes', async (t) => {
  const { openForgetful, url, client } = cluster(t)
  const network = await startNetwork(t, redis.port)
  const old = await Promise.all(Array.from({ length: 2 }, () => openForgetful(limits(5, 1, '1h'))))
  const file = limits(10, 1, '2h')
  const reasons: string[] = []
  const store = await openStore({
    redisUrl: url.replace(String(redis.port), String(network.port)),
    onRedisFailure: 'local',
    limits: file,
    redisTimeoutMs: 1000
  }, { info () {}, warn () {}, error () {} }, {
    onFallback (change) { reasons.push(change.to) }
  })
  t.after(() => store.close())
  const larger = { store, login: file.policies.login, codes: [] }
  network.cut = true
  network.tear()
  await until(() => old.every(({ codes }) => codes.at(-1) === 'limits_agree'))
  network.cut = false
  // It was idle meanwhile, so that no take noticed the outage.
  await until(() => decidedByRedis(larger, client))
  t.same(reasons, ['fallback', 'redis'])
  let sum = await admitted(larger, '192.0.2.13', 10)
  for (const one of old) sum += await admitted(one, '192.0.2.13', 1) + await admitted(larger, '192.0.2.13', 5)
  t.equal(sum, 10)
})

t.test('a replica whose heartbeats stop repairs no bucket, because others may have joined', async (t) => {
  const { url, client } = cluster(t)
  const connection = await connect(url, () => {}, 2000)
  const others = otherLimits(connection, limits(5, 1, '1h'), () => {})
  const heartbeat = await startHeartbeat(connection, { limits: others })
  const store = withOtherLimits(createRedisStore(connection, { deadlineMs: 2000 }), others.inForce)
  t.after(() => store.close())
  await heartbeat.close()
  const key = 'gatehouse:bucket:login:192.0.2.14'
  await client.set(key, 10, 'PX', 10 * 3_600_000)
  await new Promise(resolve => setTimeout(resolve, 1300))
  t.equal((await store.take(bucketOf(limits(5, 1, '1h').policies.login, '192.0.2.14'))).allowed, false)
  t.equal(await client.get(key), '10')
})

t.test('replicas that cannot count each other treat their limits as different, and say so once', async (t) => {
  const own = await startRedis(t)
  await own.client.call('ACL', 'SETUSER', 'default', '-zrange')
  async function open (file: Limits): Promise<Replica> {
    const { log, codes } = keepCodes()
    const store = await openStore({
      redisUrl: own.url, onRedisFailure: 'local', limits: file, redisTimeoutMs: 2000
    }, log)
    t.after(() => store.close())
    return { store, login: file.policies.login, codes }
  }
  const [smaller, larger] = [await open(limits(5, 1, '1h')), await open(limits(10, 1, '1h'))]
  let sum = await admitted(larger, '192.0.2.10', 10)
  for (let i = 0; i < 3; i++) sum += await admitted(smaller, '192.0.2.10', 1) + await admitted(larger, '192.0.2.10', 5)
  t.equal(sum, 10)
  await new Promise(resolve => setTimeout(resolve, 2500))
  for (const { codes } of [smaller, larger]) t.same(codes, ['replicas_uncounted'])
})

const poisons = {
  'no policies': '{"policies":null,"networks":[]}',
  'a refill of 0': '{"policies":{"login":' +
    '{"name":"login","capacity":1000000000,"refill":0,"periodMs":60000}},"networks":[]}',
  'a refill of 0 in the form of a limits file': '{"policies":{"login":{"capacity":1000,"refill":0,"period":"1m"}}}',
  'no JSON': 'nonsense',
  'networks of nothing': '{"policies":{},"networks":{"0.0.0.0/0":null}}',
  'more than is read': `{"policies":{}}${' '.repeat(200_000)}`
}
for (const [what, text] of Object.entries(poisons)) {
  t.test(`limits that are ${what} are ignored: verdicts stay valid, in an outage and after it`, async (t) => {
    const own = await startRedis(t)
    const network = await startNetwork(t, own.port)
    await own.client.set('gatehouse:replicas:0123456789abcdef', text)
    await own.client.zadd('gatehouse:replicas', Date.now() + 3_600_000, 'another:0123456789abcdef')
    const { log, codes } = keepCodes()
    const file = limits(5, 1, '1m')
    const store = await openStore({
      redisUrl: `redis://127.0.0.1:${network.port}`, onRedisFailure: 'local', limits: file, redisTimeoutMs: 1000
    }, log)
    t.after(() => store.close())
    async function sevenTimes (client: string): Promise<number> {
      let count = 0
      for (let i = 0; i < 7; i++) {
        const verdict = await store.take(bucketOf(file.policies.login, client))
        const { allowed, waitMs, remaining, nextMs, fullMs } = verdict
        if (![remaining, nextMs, fullMs].every(Number.isInteger) ||
          (allowed ? waitMs !== 0 : !(waitMs > 0 && waitMs <= 60_000))) {
          t.fail('a verdict that no bucket gives', { verdict })
        }
        count += Number(allowed)
      }
      return count
    }
    t.equal(await sevenTimes('192.0.2.11'), 5)
    network.cut = true
    network.tear()
    await until(async () => {
      await store.take(bucketOf(file.policies.login, 'probed'))
      return codes.includes('redis_unavailable')
    })
    t.ok(await sevenTimes('192.0.2.12') > 0)
    network.cut = false
    await until(() => codes.includes('redis_recovered'))
    await until(async () => await own.client.exists('gatehouse:bucket:login:192.0.2.12') === 1)
    t.equal(codes[0], 'limits_differ')
    t.notOk(codes.includes('limiter_defect'))
  })
}

t.end()
