// After a change to a slower refill, a bucket is read by the refill that wrote it, and only by that one.

import { randomInt } from 'node:crypto'
import t from 'tap'
import type { Policy, Refill } from '#src/limiter/bucket/bucket.js'
import { formerLimits } from '#src/limiter/layers/former-limits.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import type { Change } from '#src/limiter/limits/document.js'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { connect } from '#src/limiter/redis/connection.js'
import { createRedisStore } from '#src/limiter/redis/redis-store.js'
import { startRedis } from '../../fixtures/redis.js'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const { url, client } = await startRedis(t)
const store = createRedisStore(await connect(url, () => {}, 4000), { deadlineMs: 4000 })
t.after(() => store.close())

let buckets = 0

/** A bucket whose client took tokens `takenMs` ago, under a policy that changed `changedMs` ago. */
async function bucket (now: Omit<Policy, 'name'>, was: Refill, lacking: number, takenMs: number, changedMs: number) {
  const key = `gatehouse:bucket:login:former-${++buckets}`
  let changedAtMs = Date.now() - changedMs
  await client.set(key, lacking, 'PX', Math.ceil(lacking / was.refill) * was.periodMs - takenMs)
  const current = () => ({ key, policy: { name: 'login', ...now, former: [{ ...was, endedAtMs: changedAtMs }] } })
  return {
    key,
    take: () => store.take(current()),
    peek: () => store.peek(current()),
    async age (ms: number) {
      changedAtMs -= ms
      const fullMs = await client.pttl(key)
      // An expiry in the past deletes the key.
      if (fullMs > 0) await client.pexpire(key, fullMs - ms)
    }
  }
}

const hourly = { capacity: 20, refill: 20, periodMs: HOUR }
const daily = { capacity: 20, refill: 1, periodMs: DAY }

t.test('tokens that were taken before a change to a slower refill stay taken', async (t) => {
  const before = await bucket(daily, hourly, 20, MINUTE, 0)
  t.match(await before.peek(), { remaining: 0, nextMs: DAY })
  t.ok(await client.pttl(before.key) < HOUR, 'a look writes nothing')
  t.match(await before.take(), { allowed: false, waitMs: DAY })
  t.ok(await client.pttl(before.key) > 20 * DAY - MINUTE)
  await before.age(DAY)
  t.match(await before.take(), { allowed: true, remaining: 0 })
  t.match(await before.take(), { allowed: false })

  const some = await bucket(daily, { refill: 1, periodMs: MINUTE }, 12, 5.5 * MINUTE, 0)
  t.match(await some.take(), { allowed: true, remaining: 12 })
})

t.test('a bucket that was written later is read by the slower refill alone', async (t) => {
  const later = await bucket(hourly, daily, 20, 20 * DAY - HOUR / 2, 0)
  t.match(await later.peek(), { remaining: 0 })
  const aged = await bucket(daily, hourly, 20, HOUR / 2, 2 * HOUR)
  t.match(await aged.peek(), { remaining: 19 }, 'nothing of the former refill can be left')
  const few = await bucket({ capacity: 100, refill: 1, periodMs: MINUTE }, { refill: 100, periodMs: HOUR }, 10,
    55 * MINUTE, 0)
  t.match(await few.peek(), { remaining: 95 }, 'few tokens come back sooner by the slower refill of smaller steps')
})

t.test('with any refills, no client waits longer than the refusal said, or than one period', async (t) => {
  for (let i = 0; i < 150; i++) {
    const capacity = randomInt(1, 30)
    const was = { refill: randomInt(1, capacity + 1), periodMs: randomInt(1, 20) * MINUTE }
    const now = { capacity, refill: randomInt(1, capacity + 1), periodMs: randomInt(1, 20) * MINUTE }
    if (now.refill * was.periodMs >= was.refill * now.periodMs) continue
    const fullMs = Math.ceil(capacity / was.refill) * was.periodMs
    const one = await bucket(now, was, capacity, randomInt(0, fullMs), 0)
    for (let turn = 0; turn < 12; turn++) {
      const { allowed, waitMs } = await one.take()
      if (allowed) continue
      t.ok(waitMs <= now.periodMs)
      for (let waited = 0; waited < waitMs; waited += 2 * MINUTE) {
        if (waited > 0) await one.take()
        await one.age(Math.min(2 * MINUTE, waitMs - waited))
      }
      const then = await one.take()
      if (!then.allowed) t.match(then, { allowed: true }, JSON.stringify({ was, now, turn, waitMs }))
    }
  }
})

t.test('what the policy itself wrote is not read as fuller, even if a former refill can have written it', async (t) => {
  // Its expiry comes from limits in between, which are not slower. It keeps that expiry while takes continue.
  const one = await bucket({ capacity: 13, refill: 12, periodMs: 120_000 }, { refill: 3, periodMs: 29_000 }, 2, 1000,
    10_000)
  for (let i = 0; i < 11; i++) t.match(await one.take(), { allowed: true, remaining: 10 - i })
  const { allowed, waitMs } = await one.take()
  t.notOk(allowed)
  t.ok(waitMs <= 120_000)
  await one.age(10_000)
  t.match(await one.take(), { allowed: false })
  await one.age(waitMs - 10_000)
  t.match(await one.take(), { allowed: true })
})

t.test('a refill before a change is known however often the mode is changed afterwards', async (t) => {
  const [slow, fast] = [{ capacity: 20, refill: 1, period: '1d' }, { capacity: 20, refill: 20, period: '1h' }]
  const history = Array.from({ length: 12 }, (_, i): Change => ({
    version: 12 - i,
    at: new Date(Date.now() - i * 1000).toISOString(),
    by: 'test',
    what: 'test',
    before: { login: JSON.stringify({ any: i === 11 ? fast : i % 2 === 0 ? slow : { ...slow, mode: 'shadow' } }) }
  }))
  const withFormer = formerLimits({ history }, defaultLimits)
  const { policy } = withFormer(bucketOf({ name: 'login', ...daily }, '192.0.2.1'))
  t.same(policy.former, [{ refill: 20, periodMs: HOUR, endedAtMs: Date.parse(history[11]!.at) }])
})

t.test('a clock that steps back past a change makes nobody wait for longer than announced', async (t) => {
  const one = await bucket({ capacity: 5, refill: 1, periodMs: MINUTE }, { refill: 1, periodMs: 1000 }, 1, 0, -HOUR)
  await client.del(one.key)
  for (let i = 0; i < 5; i++) t.match(await one.take(), { allowed: true })
  for (let turn = 0; turn < 3; turn++) {
    const { allowed, waitMs } = await one.take()
    t.notOk(allowed)
    await one.age(MINUTE / 2)
    t.match(await one.take(), { allowed: false })
    await one.age(waitMs - MINUTE / 2)
    t.match(await one.take(), { allowed: true }, `turn ${turn}`)
  }
})

t.end()
