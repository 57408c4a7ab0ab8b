// Over outages of any length, and in any number, a client gets at most twice what its limit alone would give. Time is
// simulated. A store in memory stands for Redis, behind the real fallback of each replica.

import { mock } from 'node:test'
import t from 'tap'
import { BucketStore, StoreUnavailable, type Ask, type Policy } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { createMemoryStore } from '#src/limiter/bucket/memory-store.js'
import { Fallback } from '#src/limiter/layers/fallback.js'
import { LocalShare } from '#src/limiter/layers/local-share.js'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { generator } from '../../fixtures/random.js'

const SECOND = 1000
const QUARTER_HOUR = 900 * SECOND
const { login, 'user-creation': creation } = defaultLimits.policies
/** Its numbers divide by two and by three. */
const even: Policy = { name: 'even', capacity: 12, refill: 6, periodMs: 10 * SECOND }

let nowMs = 0
const { now } = performance
performance.now = () => nowMs
mock.timers.enable({ apis: ['setTimeout'] })
t.after(() => {
  mock.timers.reset()
  performance.now = now
})

interface Case {
  policy: Policy
  replicas?: number
  forMs: number
  /** @param ms since the beginning */
  isAway: (ms: number) => boolean
  /** How often the client asks a replica at a time; by default until it is refused. */
  asks?: () => number
}

/** How many takes were admitted, at most, as a multiple of what one bucket without outages admitted until then. */
async function ratioOf ({ policy, replicas: count = 1, forMs, isAway, asks = () => Infinity }: Case): Promise<number> {
  const beginMs = nowMs
  const bucket = bucketOf(policy, '192.0.2.1')
  const [redis, alone] = [createMemoryStore(), createMemoryStore()]
  const take: Ask = (bucket, resolve, reject) => {
    if (isAway(nowMs - beginMs)) reject(new StoreUnavailable('away'))
    else redis.layer.take(bucket, resolve, reject)
  }
  const layers = Array.from({ length: count }, () => {
    const share = new LocalShare(() => count)
    const options = { onRedisFailure: 'local', share, onChange () {}, onOtherReason () {} } as const
    return new Fallback({ ...redis.layer, take }, options)
  })
  const replicas = layers.map(layer => new BucketStore(layer, redis))
  const takesFrom = async (store: BucketStore, most: number): Promise<number> => {
    let taken = 0
    while (taken < most && (await store.take(bucket)).allowed) taken++
    return taken
  }

  let [ratio, admitted, admittedAlone] = [0, 0, 0]
  while (nowMs < beginMs + forMs) {
    const most = replicas.map(asks)
    for (const [i, store] of replicas.entries()) admitted += await takesFrom(store, most[i]!)
    admittedAlone += await takesFrom(alone, most.reduce((sum, one) => sum + one))
    if (admittedAlone > 0) ratio = Math.max(ratio, admitted / admittedAlone)
    nowMs += SECOND
    mock.timers.tick(SECOND)
    // Probes end in promises.
    await new Promise(setImmediate)
  }
  for (const layer of layers) layer.close()
  return ratio
}

async function largestOf (cases: Case[]): Promise<number> {
  const ratios = []
  for (const one of cases) ratios.push(await ratioOf(one))
  return Math.max(...ratios)
}

t.test('an outage of any length gives a client at most twice what its limit alone would', async (t) => {
  const cases = [1, 61, 300].flatMap(seconds => [0, 59_000, 90_000].flatMap(fromMs =>
    [login, creation].map(policy => ({
      policy,
      forMs: fromMs + seconds * SECOND + 120 * SECOND,
      isAway: (ms: number) => ms >= fromMs && ms < fromMs + seconds * SECOND
    }))))
  const ratio = await largestOf(cases)
  t.comment(`at most ${ratio} times`)
  t.ok(ratio > 1 && ratio <= 2)
})

for (const replicas of [1, 3]) {
  t.test(`so does a Redis that flaps every ten seconds for a quarter of an hour; replicas: ${replicas}`, async (t) => {
    const policies = replicas === 1 ? [login, even] : [even]
    const ratio = await largestOf(policies.flatMap(policy => [5, 10].map(seconds => ({
      policy,
      replicas,
      forMs: QUARTER_HOUR,
      isAway: (ms: number) => Math.floor(ms / SECOND / seconds) % 2 === 1
    }))))
    t.comment(`at most ${ratio} times`)
    t.ok(ratio > 1 && ratio <= 2)
  })
}

const SEED = 20261203

t.test(`so do random outages, for clients that ask at random; seed ${SEED}`, async (t) => {
  const random = generator(SEED)
  const cases = Array.from({ length: 18 }, (_, i) => {
    const away = Array.from({ length: 240 }, () => random() < (i % 9 + 1) / 10)
    const most = 1 + Math.floor(random() * 30)
    return {
      policy: even,
      replicas: 1 + i % 3,
      forMs: 240 * SECOND,
      isAway: (ms: number) => away[Math.floor(ms / SECOND)]!,
      asks: () => random() < 0.3 ? Math.floor(random() * most) : 0
    }
  })
  const ratio = await largestOf(cases)
  t.comment(`at most ${ratio} times`)
  t.ok(ratio > 1 && ratio <= 2)
})
