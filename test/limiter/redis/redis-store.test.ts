// The token bucket in Redis is exact under concurrency, clock steps and lost scripts, and every key expires.

import t from 'tap'
import type { TokenStore } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { createRedisStore, RESET_CHANNEL, scripts } from '#src/limiter/redis/redis-store.js'
import { connect } from '#src/limiter/redis/connection.js'
import type { Lifetime } from '../../fixtures/lifetime.js'
import { startRedis } from '../../fixtures/redis.js'
import { openRedisStore } from '../../fixtures/store.js'
import { until } from '../../fixtures/until.js'
import { conforms } from '../bucket/conformance.js'

const { login } = defaultLimits.policies
const redis = await startRedis(t)
const { client } = redis

const openStore = (t: Lifetime): Promise<TokenStore> => openRedisStore(t, redis.url)

conforms(t, async (t) => ({
  store: await openStore(t),
  async age ({ key }, ms) {
    const expiry = await client.pexpiretime(key)
    if (expiry > 0 && ms > 0) await client.pexpireat(key, expiry - ms)
  }
}))

t.test('a bucket is one key that expires when it is full, and a refusal writes nothing [L1 L3 L8]', async (t) => {
  const store = await openStore(t)
  const key = bucketOf(login, '192.0.2.20').key
  t.equal(key, 'gatehouse:bucket:login:192.0.2.20')
  for (let i = 0; i < 5; i++) await store.take(bucketOf(login, '192.0.2.20'))
  t.equal(await client.get(key), '5')
  const ttl = await client.pttl(key)
  t.ok(ttl > 299_000 && ttl <= 300_000, `${ttl} ms`)

  const expiry = await client.pexpiretime(key)
  const dirty = async (): Promise<string | undefined> =>
    /rdb_changes_since_last_save:(\d+)/.exec(await client.info('persistence'))?.[1]
  const before = await dirty()
  for (let i = 0; i < 20; i++) t.equal((await store.take(bucketOf(login, '192.0.2.20'))).allowed, false)
  t.equal(await dirty(), before)
  t.equal(await client.pexpiretime(key), expiry)
})

t.test('admitted takes keep the refill schedule to the millisecond [L9]', async (t) => {
  const store = await openStore(t)
  const policy = { name: 'rhythm', capacity: 1000, refill: 3, periodMs: 1000 }
  const key = bucketOf(policy, '192.0.2.22').key
  await store.take(bucketOf(policy, '192.0.2.22'))
  const first = await client.pexpiretime(key)
  for (let i = 0; i < 200; i++) await store.take(bucketOf(policy, '192.0.2.22'), 2)
  t.equal((await client.pexpiretime(key) - first) % 1000, 0)
})

t.test('a bucket that lost its expiry keeps its tokens, and refills from the next take on [L2]', async (t) => {
  const store = await openStore(t)
  const key = bucketOf(login, '192.0.2.23').key
  for (let i = 0; i < 5; i++) await store.take(bucketOf(login, '192.0.2.23'))
  await client.persist(key)
  t.match(await store.peek(bucketOf(login, '192.0.2.23')), { remaining: 0 }, 'a look sees it and changes nothing')
  t.equal(await client.pttl(key), -1)
  const refused = await store.take(bucketOf(login, '192.0.2.23'))
  t.match(refused, { allowed: false, waitMs: 60_000 })
  t.ok(await client.pttl(key) > 299_000)
  await client.pexpire(key, await client.pttl(key) - 60_000)
  t.equal((await store.take(bucketOf(login, '192.0.2.23'))).allowed, true)
})

t.test('a returned token moves the expiry by whole periods, and the last one deletes the key [L18]', async (t) => {
  const store = await openStore(t)
  const policy = { name: 'back', capacity: 10, refill: 2, periodMs: 60_000 }
  const key = bucketOf(policy, '192.0.2.31').key
  await store.take(bucketOf(policy, '192.0.2.31'), 7)
  const first = await client.pexpiretime(key)
  // Seven tokens are lacking, which need four refills. After one is returned, three refills are enough. After another
  // one, it is still three.
  for (const [cost, lacking, periods] of [
    [-1, '6', 1], [-1, '5', 1], [-1, '4', 2], [2, '6', 1], [-5, '1', 3]
  ] as const) {
    await (cost < 0
      ? store.giveBack(bucketOf(policy, '192.0.2.31'), -cost)
      : store.take(bucketOf(policy, '192.0.2.31'), cost))
    t.equal(await client.get(key), lacking)
    t.equal(first - await client.pexpiretime(key), periods * 60_000, `${lacking} lack`)
  }
  await store.giveBack(bucketOf(policy, '192.0.2.31'))
  t.equal(await client.exists(key), 0)
  await store.giveBack(bucketOf(policy, '192.0.2.31'), 10)
  t.equal(await client.exists(key), 0, 'a full bucket is no key at all')
})

t.test('a token returned to a bucket without an expiry gives it one [L2 L18]', async (t) => {
  const store = await openStore(t)
  const key = bucketOf(login, '192.0.2.32').key
  for (let i = 0; i < 5; i++) await store.take(bucketOf(login, '192.0.2.32'))
  await client.persist(key)
  t.match(await store.giveBack(bucketOf(login, '192.0.2.32')), {
    allowed: true, remaining: 1, nextMs: 60_000, fullMs: 240_000
  })
  t.equal(await client.get(key), '4')
  t.ok(await client.pttl(key) > 239_000)
})

t.test('a key of another type or value is a full bucket, and a return removes it [L18 L24]', async (t) => {
  const store = await openStore(t)
  const key = bucketOf(login, '192.0.2.33').key
  for (const write of [
    () => client.hset(key, 'tokens', 3), () => client.set(key, 'many'), () => client.set(key, '-4')
  ]) {
    await write()
    t.match(await store.giveBack(bucketOf(login, '192.0.2.33')), { allowed: true, remaining: 5, fullMs: 0 })
    t.equal(await client.exists(key), 0)
  }
})

t.test('returned tokens are announced if the bucket was empty, and only then [L18 L67]', async (t) => {
  const store = await openStore(t)
  const heard: string[] = []
  const listener = client.duplicate()
  t.after(() => listener.disconnect())
  listener.on('message', (_channel, key: string) => heard.push(key))
  await listener.subscribe(RESET_CHANNEL)

  const give = async (address: string, taken: number, back: number): Promise<void> => {
    if (taken > 0) await store.take(bucketOf(login, address), taken)
    await store.giveBack(bucketOf(login, address), back)
  }
  await give('192.0.2.34', 5, 1)
  await give('192.0.2.34', 0, 1) // One had come back already.
  await give('192.0.2.35', 4, 1)
  await give('192.0.2.36', 1, 1)
  await give('192.0.2.37', 0, 1)
  await give('192.0.2.38', 5, 3)
  await give('192.0.2.39', 5, 5)
  // Messages of one connection arrive in order.
  await store.reset(bucketOf(login, 'the last'))
  while (!heard.includes('gatehouse:bucket:login:the last')) await new Promise(setImmediate)
  t.same(heard.map(message => message.replace(/^(returned )?gatehouse:bucket:login:/, '')), [
    '192.0.2.34', '192.0.2.38', '192.0.2.39', 'the last'
  ])
})

t.test('a token is returned even if the announcement is not permitted [L18]', async (t) => {
  const store = await openStore(t)
  for (let i = 0; i < 5; i++) await store.take(bucketOf(login, '192.0.2.43'))
  await client.call('ACL', 'SETUSER', 'default', '-publish')
  t.after(() => client.call('ACL', 'SETUSER', 'default', '+publish'))
  t.match(await store.giveBack(bucketOf(login, '192.0.2.43')), { allowed: true, remaining: 1 })
})

t.test('a take at the exact millisecond of expiry meets one full bucket [L7]', async (t) => {
  const store = await openStore(t)
  const policy = { name: 'edge', capacity: 2, refill: 2, periodMs: 1000 }
  const key = bucketOf(policy, '192.0.2.24').key
  for (let i = 0; i < 30; i++) {
    await client.set(key, 2, 'PX', 2)
    // Takes follow each other across the expiry. At the expiry exactly two tokens come back.
    let first
    do first = await store.take(bucketOf(policy, '192.0.2.24'))
    while (!first.allowed)
    t.match([
      first, await store.take(bucketOf(policy, '192.0.2.24')), await store.take(bucketOf(policy, '192.0.2.24'))
    ], [
      { allowed: true, remaining: 1 }, { allowed: true, remaining: 0 }, { allowed: false, remaining: 0 }
    ])
    await client.del(key)
  }
})

t.test('if Redis\'s clock steps back, no token appears early and no client is locked out [L27 L28]', async (t) => {
  const store = await openStore(t)
  const key = bucketOf(login, '192.0.2.25').key
  for (let i = 0; i < 5; i++) await store.take(bucketOf(login, '192.0.2.25'))
  // For a clock that stepped back by a day, the bucket expires a day too late.
  await client.pexpireat(key, await client.pexpiretime(key) + 86_400_000)
  const refused = await store.take(bucketOf(login, '192.0.2.25'))
  t.equal(refused.allowed, false)
  t.ok(refused.waitMs <= 60_000, `the next token comes in ${refused.waitMs} ms`)
  t.ok(refused.fullMs <= 300_000)
  await client.pexpireat(key, await client.pexpiretime(key) - refused.waitMs)
  t.match(await store.take(bucketOf(login, '192.0.2.25')), { allowed: true, remaining: 0 })
})

t.test('if Redis\'s clock steps back by less than a period, the next token comes within a period [L27]', async (t) => {
  const store = await openStore(t)
  for (const [n, steppedMs] of [1, 1000, 30_000, 59_999].entries()) {
    const address = `192.0.2.${44 + n}`
    const key = bucketOf(login, address).key
    for (let i = 0; i < 5; i++) await store.take(bucketOf(login, address))
    // One of five refills has come, so three tokens would be too many.
    await client.pexpireat(key, await client.pexpiretime(key) - 90_000)
    t.equal((await store.peek(bucketOf(login, address))).remaining, 1)
    await client.pexpireat(key, await client.pexpiretime(key) + steppedMs)
    const { remaining, nextMs } = await store.peek(bucketOf(login, address))
    t.ok(remaining <= 1, `${remaining} after ${steppedMs} ms`)
    t.ok(nextMs > 0 && nextMs <= 60_000, `the next in ${nextMs} ms`)
    t.equal((await store.take(bucketOf(login, address), 2)).allowed, false)
  }
})

t.test('if Redis\'s clock steps back right after a take, the next token comes after a whole period', async (t) => {
  const store = await openStore(t)
  for (const [n, steppedMs] of [1, 1000, 30_000, 59_999].entries()) {
    const bucket = bucketOf(login, `192.0.2.${60 + n}`)
    await store.take(bucket, 5)
    await client.pexpireat(bucket.key, await client.pexpiretime(bucket.key) + steppedMs)
    const { allowed, waitMs } = await store.take(bucket)
    t.equal(allowed, false)
    t.ok(waitMs > 55_000 && waitMs <= 60_000, `in ${waitMs} ms, after a step of ${steppedMs} ms`)
  }
})

t.test('a script that takes longer than a millisecond gives no token early', async (t) => {
  const sha = await client.script('LOAD', scripts.takeTokens.lua) as string
  // Before Redis 7.2 the clock continues during a script, so it changes while thousands of buckets are decided.
  const keys = Array.from({ length: 3000 }, (_, i) => `gatehouse:bucket:long:${Math.floor(i / 3)}`)
  const again = keys.flatMap((_, i) => i % 3 === 0 ? [] : ['again', i + 1])
  const reply = await client.evalsha(sha, keys.length, ...keys, 1, 2, 1, 60_000, ...again) as number[]
  const waits = reply.slice(0, -1).filter((_, i) => i % 3 === 2).map(packed => -packed % 2 ** 32)
  t.equal(waits.length, 1000)
  t.ok(waits.every(waitMs => waitMs > 50_000 && waitMs <= 60_000), `${Math.min(...waits)} to ${Math.max(...waits)} ms`)
})

t.test('a take carries its policy and cost, and no time of the replica [L26]', async (t) => {
  const store = await openStore(t)
  await store.take(bucketOf(login, '192.0.2.48'))
  const monitor = await client.monitor()
  t.after(() => monitor.disconnect())
  const sent: string[][] = []
  monitor.on('monitor', (_time: string, args: string[]) => {
    if (args[0]?.toLowerCase() === 'evalsha') sent.push(args.slice(2))
  })
  await store.take(bucketOf(login, '192.0.2.48'))
  await store.take(bucketOf(login, '192.0.2.48'), 2)
  while (sent.length < 2) await new Promise(setImmediate)
  const number = Number(sent[0]![2])
  t.same(sent, [
    ['1', 'gatehouse:bucket:login:192.0.2.48', String(number), '5', '1', '60000'],
    ['1', 'gatehouse:bucket:login:192.0.2.48', String(number + 1), '5', '1', '60000', 'cost', '1', '2']
  ], 'but the number of the call')
})

t.test('of 10,000 takes of ten replicas exactly 1000 are admitted, and the bucket expires [L11]', async (t) => {
  const stores = await Promise.all(Array.from({ length: 10 }, () => openStore(t)))
  const policy = { name: 'crowd', capacity: 1000, refill: 1, periodMs: 3_600_000 }
  const admitted = await Promise.all(Array.from({ length: 50 }, async (_, i) => {
    let allowed = 0
    for (let n = 0; n < 200; n++) {
      allowed += Number((await stores[i % 10]!.take(bucketOf(policy, '192.0.2.49'))).allowed)
    }
    return allowed
  }))
  t.equal(admitted.reduce((sum, one) => sum + one), 1000)
  t.ok(await client.pttl(bucketOf(policy, '192.0.2.49').key) > 0)
})

t.test('400 concurrent takes of one bucket are exact, and as fast as takes of 400 buckets [L68]', async (t) => {
  const stores = await Promise.all([openStore(t), openStore(t)])
  const policy = { name: 'contended', capacity: 100, refill: 1, periodMs: 3_600_000 }
  /** @returns ms until the last is decided */
  async function takeAll (clientOf: (n: number) => string, capacity: number): Promise<number> {
    const startedMs = performance.now()
    const verdicts = await Promise.all(Array.from({ length: 400 }, (_, n) =>
      stores[n % 2]!.take(bucketOf(policy, clientOf(n)))))
    const tookMs = performance.now() - startedMs
    t.equal(verdicts.filter(({ allowed }) => allowed).length, capacity)
    return tookMs
  }
  const one: number[] = []
  const many: number[] = []
  for (let round = 0; round < 5; round++) {
    one.push(await takeAll(() => `one ${round}`, 100))
    many.push(await takeAll(n => `${n} of ${round}`, 400))
  }
  t.comment(`one bucket ${one.map(Math.round).join(' ')} ms, 400 buckets ${many.map(Math.round).join(' ')} ms`)
  t.ok(Math.min(...one) < 3 * Math.min(...many) + 20)
})

t.test('a key of another type or value is a full bucket, and affects no other take [L24]', async (t) => {
  const store = await openStore(t)
  const faults: Array<[string, () => Promise<unknown>]> = [
    ['a hash', () => client.hset(bucketOf(login, '192.0.2.26').key, 'tokens', 3)],
    ...['many', '-4', '', 'nan', 'inf', '1e300', '0'].map(value =>
      [value, () => client.set(bucketOf(login, '192.0.2.26').key, value)] as [string, () => Promise<unknown>])
  ]
  for (const [fault, write] of faults) {
    await client.del(bucketOf(login, '192.0.2.26').key)
    await write()
    const verdicts = await Promise.all([
      store.peek(bucketOf(login, '192.0.2.27')), store.take(bucketOf(login, '192.0.2.26'), 2),
      store.take(bucketOf(login, '192.0.2.26'))
    ])
    t.same(verdicts.map(({ remaining }) => remaining), [5, 3, 2], `"${fault}"`)
  }
})

t.test('no client notices SCRIPT FLUSH [L56 L57]', async (t) => {
  const store = await openStore(t)
  await store.take(bucketOf(login, '192.0.2.28'))
  await client.script('FLUSH')
  t.match(await store.take(bucketOf(login, '192.0.2.28')), { allowed: true, remaining: 3 })
  await client.script('FLUSH')
  const verdicts = await Promise.all(Array.from({ length: 300 }, () => store.take(bucketOf(login, '192.0.2.29'))))
  t.equal(verdicts.filter(({ allowed }) => allowed).length, 5, 'not once more than there were tokens')
})

t.test('a take that always gets NOSCRIPT is sent twice, and not again [L57]', async (t) => {
  const own = await startRedis(t)
  const store = await openRedisStore(t, own.url)
  await store.take(bucketOf(login, '192.0.2.50'))
  await own.client.call('ACL', 'SETUSER', 'default', '-eval')
  await own.client.script('FLUSH')
  await own.client.config('RESETSTAT')
  await t.rejects(store.take(bucketOf(login, '192.0.2.50')), { name: 'StoreUnavailable', message: /NOPERM/ })
  const stats = await own.client.info('commandstats')
  t.match(stats, /cmdstat_evalsha:calls=1,/)
  t.match(stats, /cmdstat_eval:calls=0,.*rejected_calls=1,/)
  await own.client.call('ACL', 'SETUSER', 'default', '+eval')
  t.equal((await store.take(bucketOf(login, '192.0.2.50'))).remaining, 3)
})

t.test('takes of one turn of the event loop are one command, of at most 32 keys', async (t) => {
  const store = await openStore(t)
  await store.take(bucketOf(login, '192.0.2.30'))
  const calls = async (): Promise<number> =>
    Number(/cmdstat_evalsha:calls=(\d+)/.exec(await client.info('commandstats'))?.[1] ?? 0)
  const before = await calls()
  await Promise.all(Array.from({ length: 300 }, (_, i) => store.take(bucketOf(login, `192.0.2.${i % 100 + 100}`))))
  t.equal(await calls() - before, 10)
})

t.test('a hanging Redis costs a take 100 ms, and a take with a late reply is not sent again [L54 L58]', async (t) => {
  const own = await startRedis(t)
  const [store, patient] = [createRedisStore(await connect(own.url)), await openRedisStore(t, own.url)]
  t.after(() => store.close())
  await until(async () => (await store.peek(bucketOf(login, '192.0.2.40'))).allowed)
  await patient.take(bucketOf(login, '192.0.2.40'))
  own.process.kill('SIGSTOP')
  await t.rejects(store.take(bucketOf(login, '192.0.2.40')), { name: 'StoreUnavailable', message: /100 ms/ })
  own.process.kill('SIGCONT')
  // The reply to this peek comes after the late reply to the take.
  await until(async () => (await store.peek(bucketOf(login, '192.0.2.40'))).allowed)
  const { remaining } = await patient.take(bucketOf(login, '192.0.2.40'))
  t.equal(remaining, 2, 'the take that ran out of time counted once')
})

t.test('a caller with a longer deadline waits for a slow Redis', async (t) => {
  const own = await startRedis(t)
  const store = createRedisStore(await connect(own.url), { deadlineMs: 5000 })
  t.after(() => store.close())
  await store.take(bucketOf(login, '192.0.2.42'))
  own.process.kill('SIGSTOP')
  const slow = store.take(bucketOf(login, '192.0.2.42'))
  setTimeout(() => own.process.kill('SIGCONT'), 300)
  t.match(await slow, { allowed: true, remaining: 3 })
})

t.test('when Redis dies or refuses, every take in progress fails and none hangs [L54]', async (t) => {
  const own = await startRedis(t)
  const store = createRedisStore(await connect(own.url))
  await until(async () => (await store.peek(bucketOf(login, '192.0.2.41'))).allowed)
  own.process.kill('SIGSTOP')
  const takes = Promise.allSettled(Array.from({ length: 300 }, () => store.take(bucketOf(login, '192.0.2.41'))))
  own.process.kill('SIGKILL')
  t.same([...new Set((await takes).map(({ status }) => status))], ['rejected'])
  await t.rejects(store.take(bucketOf(login, '192.0.2.41')), { name: 'StoreUnavailable' })
  await store.close()
})

t.end()
