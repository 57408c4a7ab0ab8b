// Replicas count each other once a second, also after Redis lost the count, and say so if they cannot.

import t, { type Test } from 'tap'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { startHeartbeat } from '#src/limiter/fleet/heartbeat.js'
import { REPLICAS_KEY } from '#src/limiter/fleet/replicas.js'
import { connect } from '#src/limiter/redis/redis-connection.js'
import { openStore } from '#src/limiter/store.js'
import { keepCodes } from '../../fixtures/log.js'
import { startRedis } from '../../fixtures/redis.js'
import { until } from '../../fixtures/until.js'

const policy = { name: 'login', capacity: 2, refill: 1, periodMs: 60_000 }

async function open (t: Test, redisUrl: string) {
  const { log, codes } = keepCodes()
  const store = await openStore({ redisUrl, onRedisFailure: 'local', redisTimeoutMs: 1000 }, log)
  t.after(() => store.close())
  return { store, codes }
}

async function beat (t: Test, redisUrl: string, { name = 'own', said = {} as { limits?: string } } = {}) {
  const reasons: string[] = []
  const agreed: boolean[] = []
  const connection = await connect(redisUrl, () => {}, 4000)
  t.after(() => connection.disconnect())
  const heartbeat = await startHeartbeat(connection, {
    name,
    describe: () => ({ ...said }),
    onReplicas () {},
    onAgree: agree => agreed.push(agree),
    onBeat () {},
    onUncounted: ({ message }) => reasons.push(message),
    onUndescribed () {}
  })
  t.after(() => heartbeat.close())
  return { heartbeat, reasons, agreed }
}

t.test('after Redis comes back empty, a replica does not conclude at once that it is the only one', async (t) => {
  const redis = await startRedis(t)
  for (const other of ['one', 'another']) await redis.client.zadd(REPLICAS_KEY, Date.now() + 60_000, other)
  const { heartbeat } = await beat(t, redis.url)
  t.equal(heartbeat.replicas(), 3)
  await redis.client.flushall()
  await until(async () => await redis.client.zcard(REPLICAS_KEY) === 1)
  await new Promise(resolve => setTimeout(resolve, 50))
  t.equal(heartbeat.replicas(), 3)
  await until(() => heartbeat.replicas() === 1)
})

// L30
t.test('a Redis that refuses the heartbeat is reported once each time, and decides takes', async (t) => {
  const redis = await startRedis(t)
  await redis.client.call('ACL', 'SETUSER', 'default', '-time')
  const { store, codes } = await open(t, redis.url)
  for (const allowed of [true, true, false]) {
    t.match(await store.take(bucketOf(policy, '192.0.2.11')), { allowed })
  }
  t.same(codes, ['replicas_uncounted'])

  const { heartbeat, reasons } = await beat(t, redis.url)
  await heartbeat.beat()
  t.equal(heartbeat.replicas(), 1)
  await redis.client.call('ACL', 'SETUSER', 'default', '+time')
  await until(async () => await redis.client.zcard(REPLICAS_KEY) === 2)
  t.equal(reasons.length, 1)
  t.match(reasons[0], /^(ERR|NOPERM) .*can't run this command/)
  await redis.client.set(REPLICAS_KEY, 'of another type')
  await until(() => reasons.length === 2)
  t.match(reasons[1], /^WRONGTYPE/)
})

t.test('limits differ while replicas hold different ones, not after a change that all have taken over', async (t) => {
  const redis = await startRedis(t)
  const [said, others] = [{ limits: 'one' }, { limits: 'one' }]
  const { heartbeat, agreed } = await beat(t, redis.url, { said })
  said.limits = 'two'
  await heartbeat.beat()
  t.same(agreed, [true, true], 'a replica alone agrees with itself')

  const other = await beat(t, redis.url, { name: 'other', said: others })
  await heartbeat.beat()
  t.same([other.agreed.at(-1), agreed.at(-1)], [false, false])
  others.limits = 'two'
  await other.heartbeat.beat()
  t.equal(other.agreed.at(-1), true)
})

t.test('in an outage the log does not also report that replicas are not counted', async (t) => {
  const redis = await startRedis(t)
  await redis.client.config('SET', 'min-replicas-to-write', 1)
  const first = await open(t, redis.url)
  await first.store.take(bucketOf(policy, '192.0.2.12'))
  redis.process.kill('SIGKILL')
  const second = await open(t, redis.url)
  await second.store.take(bucketOf(policy, '192.0.2.12'))
  for (const { codes } of [first, second]) {
    t.ok(codes.includes('redis_unavailable'))
    t.notOk(codes.includes('replicas_uncounted'))
  }
})

t.test('a replica that stops leaves the set at once, one that dies after a few seconds', async (t) => {
  const redis = await startRedis(t)
  const [one, other] = [await open(t, redis.url), await open(t, redis.url)]
  t.equal(await redis.client.zcard(REPLICAS_KEY), 2)
  await other.store.close()
  t.equal(await redis.client.zcard(REPLICAS_KEY), 1)
  const ttl = await redis.client.pttl(REPLICAS_KEY)
  t.ok(ttl > 0 && ttl <= 3500, 'and the set goes when nobody beats')
  await one.store.close()
  t.equal(await redis.client.exists(REPLICAS_KEY), 0)
})
