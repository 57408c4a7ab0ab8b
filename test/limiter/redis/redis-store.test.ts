// Buckets in Redis are exact under concurrency, and an operator can read them. A lost script, a slow reply or a wrong
// one admits no take that was not decided.

import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { endedInRedis } from '#src/auth/ended.js'
import type { BucketStore, Policy, Verdict } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { ANNOUNCEMENTS_CHANNEL } from '#src/limiter/redis/announcements.js'
import { connect } from '#src/limiter/redis/redis-connection.js'
import { parseRedisUrl } from '#src/limiter/redis/redis-url.js'
import { createRedisStore } from '#src/limiter/redis/redis-store.js'
import { scripts } from '#src/limiter/redis/scripts.js'
import { openStore as openWhole, type ReplicaStore } from '#src/limiter/store.js'
import type { Lifetime } from '../../fixtures/lifetime.js'
import { startRedis } from '../../fixtures/redis.js'
import { startTcp } from '../../fixtures/socket.js'
import { openRedisStore } from '../../fixtures/store.js'
import { until } from '../../fixtures/until.js'
import { conforms } from '../bucket/conformance.js'

const { login, general } = defaultLimits.policies
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const redis = await startRedis(t)
const { client } = redis

const openStore = (t: Lifetime): Promise<BucketStore> => openRedisStore(t, redis.url)
const takes = (store: BucketStore, policy: Policy, owner: string, count: number): Promise<Verdict[]> =>
  Promise.all(Array.from({ length: count }, () => store.take(bucketOf(policy, owner))))
const admitted = (verdicts: Verdict[]): number => verdicts.filter(({ allowed }) => allowed).length

interface Deployment { store: ReplicaStore, lines: object[] }

conforms(t, async (t) => ({
  store: await openStore(t),
  async age ({ key }, ms) {
    const expiry = await client.pexpiretime(key)
    if (expiry > 0 && ms > 0) await client.pexpireat(key, expiry - ms)
  }
}))

t.test('a value that is none is a full bucket, and spoils no take of others', async (t) => {
  const store = await openStore(t)
  const bucket = (owner: string) => bucketOf(login, owner)
  const owners = ['text', 'short', 'hash', 'list', 'empty']
  const spoil = async (): Promise<unknown> => await client.multi()
    .set(bucket('text').key, 'not a bucket at all').set(bucket('short').key, 12, 'EX', 100)
    .del(bucket('hash').key).hset(bucket('hash').key, 'a', 1)
    .del(bucket('list').key).lpush(bucket('list').key, 1)
    .set(bucket('empty').key, '').exec()

  await spoil()
  await store.take(bucket('other'))
  const looks = await Promise.all([...owners, 'other'].map(owner => store.peek(bucket(owner))))
  const together = await Promise.all([...owners, 'other'].map(owner => store.take(bucket(owner))))
  await spoil()
  const alone = []
  for (const owner of owners) alone.push(await store.take(bucket(owner)))
  await spoil()
  for (const owner of owners) await store.giveBack(bucket(owner))

  t.same(looks.map(({ remaining }) => remaining), [5, 5, 5, 5, 5, 4])
  t.same(together.map(({ remaining }) => remaining), [4, 4, 4, 4, 4, 3])
  t.same(alone.map(({ remaining }) => remaining), [4, 4, 4, 4, 4])
  await client.del(owners.map(owner => bucket(owner).key))
})

t.test('two deployments with prefixes of their own share a Redis and nothing in it', async (t) => {
  const url = parseRedisUrl(redis.url)
  const [a, b] = await Promise.all(['school-a:', 'school-b:'].map(async (prefix) => {
    const lines: object[] = []
    const line = (details: object): void => { lines.push(details) }
    const store = await openWhole({ redisUrl: { ...url, prefix }, onRedisFailure: 'closed', redisTimeoutMs: 5000 }, {
      info: line, warn: line, error: line
    })
    t.after(() => store.close())
    return { store, lines }
  })) as [Deployment, Deployment]
  const bucket = bucketOf(login, '192.0.2.70')
  const take = async ({ store }: Deployment): Promise<number> =>
    admitted(await Promise.all(Array.from({ length: 6 }, () => store.take(bucket))))
  const listed = async ({ store }: Deployment): Promise<string[]> => {
    const found = []
    for await (const { key } of store.list({ owner: '192.0.2.70' })) found.push(key)
    return found
  }

  t.same([await take(a), await take(b)], [5, 5])
  t.same([await listed(a), await listed(b)], [[bucket.key], [bucket.key]])
  t.equal((await a.store.replicas()).length, 1)
  await Promise.all([a, b].map(({ store }) => endedInRedis(store.redis!).add(['user:1:1'])))
  t.equal(await a.store.reset(bucket), true)
  t.same([await take(a), await take(b)], [5, 0], 'a reset is not heard by others')
  const keys = (await client.keys('*192.0.2.70')).concat(await client.keys('*:replica*'), await client.keys('*:ended'))
  t.same(keys.filter(key => !/^school-[ab]:gatehouse:/.test(key)), [])
  const channels = await client.pubsub('CHANNELS', '*') as string[]
  t.same(channels.sort(), ['a', 'b'].flatMap(x => [`school-${x}:gatehouse:reset`, `school-${x}:gatehouse:watch`]))
  t.same([a.lines, b.lines], [[], []])
})

// [L1 L8 L19]
t.test('GET says by which refill a bucket was taken from and what it lacks, and PTTL when it is full', async (t) => {
  const store = await openStore(t)
  const most = 1_000_000
  for (const [capacity, refill, periodMs, value, lastValue] of [
    [5, 1, MINUTE, '2001000010000003', '2001000010000005'],
    [100, 10, MINUTE, '2001000100000003', '2001000100000100'],
    [10, 1, HOUR, '3001000010000003', '3001000010000010'],
    [10, 7, 90_000, '1090000070000003', '1090000070000010'],
    [most, 99_999, 999_000, '1999999990000003', '1999999991000000'],
    [most, 1, 30 * DAY, '4030000010000003', '4030000011000000']
  ] as const) {
    const bucket = bucketOf({ name: 'documented', capacity, refill, periodMs }, value)
    await takes(store, bucket.policy, value, 3)
    t.equal(await client.get(bucket.key), value)
    t.equal(await client.object('ENCODING', bucket.key), 'int')
    const ttl = await client.pttl(bucket.key)
    const refillsMs = Math.ceil(3 / refill) * periodMs
    t.ok(ttl <= refillsMs && ttl > refillsMs - 900, `${ttl} of ${refillsMs} ms`)

    const fullMs = Math.ceil(capacity / refill) * periodMs
    await client.set(bucket.key, lastValue, 'PX', fullMs - periodMs / 2)
    const { allowed, waitMs } = await store.take(bucket)
    t.ok(!allowed && waitMs <= periodMs / 2 && waitMs > periodMs / 2 - 900, `half of ${periodMs} ms: ${waitMs}`)
    await client.pexpire(bucket.key, fullMs - periodMs * 3 / 2)
    t.equal((await store.peek(bucket)).remaining, refill)
    await store.take(bucket)
    t.equal(await client.get(bucket.key), String(BigInt(lastValue) - BigInt(refill) + 1n))
  }
})

// [L9]
t.test('a script that takes longer than a millisecond moves every expiry by whole periods', async () => {
  // Before Redis 7.2 the clock continues during a script, so it changes while thousands of buckets are decided.
  const sha = await client.script('LOAD', scripts.takeTokens.lua) as string
  const keys = Array.from({ length: 3000 }, (_, i) => bucketOf(login, `long ${i}`).key)
  const takeAll = (): Promise<unknown> => client.evalsha(sha, keys.length, ...keys, 1, 5, 1, MINUTE, '2001000010000001')
  const expiries = (): Promise<number[]> => Promise.all(keys.map(key => client.pexpiretime(key)))
  await takeAll()
  const before = await expiries()
  await takeAll()
  t.same([...new Set((await expiries()).map((expiry, i) => expiry - before[i]!))], [MINUTE])
})

// [L67]
t.test('returned tokens are announced if the bucket was empty, and only then', async (t) => {
  const store = await openStore(t)
  const heard: string[] = []
  const listener = client.duplicate()
  t.after(() => listener.disconnect())
  listener.on('message', (_channel, key: string) => heard.push(key))
  await listener.subscribe(ANNOUNCEMENTS_CHANNEL)

  const owners = [['a', 5, 1], ['a', 0, 1], ['b', 4, 1], ['c', 1, 1], ['d', 0, 1], ['e', 5, 5]] as const
  for (const [owner, taken, back] of owners) {
    await takes(store, login, owner, taken)
    for (let i = 0; i < back; i++) await store.giveBack(bucketOf(login, owner))
  }
  // Messages of one connection arrive in order.
  await store.reset(bucketOf(login, 'the last'))
  await until(() => heard.includes('gatehouse:bucket:login:the last'))
  t.same(heard.map(message => message.replace('gatehouse:bucket:login:', '')), ['returned a', 'returned e', 'the last'])
})

// [L7]
t.test('a take at the exact millisecond of expiry meets one full bucket', async (t) => {
  const store = await openStore(t)
  const bucket = bucketOf({ name: 'edge', capacity: 2, refill: 2, periodMs: 1000 }, '192.0.2.24')
  for (let i = 0; i < 30; i++) {
    await client.set(bucket.key, '1001000020000002', 'PX', 2)
    // Takes follow each other across the expiry. At the expiry exactly two tokens come back.
    let first
    do first = await store.take(bucket)
    while (!first.allowed)
    t.match([first, await store.take(bucket), await store.take(bucket)], [
      { allowed: true, remaining: 1 }, { allowed: true, remaining: 0 }, { allowed: false, remaining: 0 }
    ])
    await client.del(bucket.key)
  }
})

// [L26]
t.test('takes of one policy in a turn are one call without a time of the replica, and so are looks', async (t) => {
  const store = await openStore(t)
  await store.take(bucketOf(login, 'first'))
  await store.peek(bucketOf(login, 'first'))
  const monitor = await client.monitor()
  t.after(() => monitor.disconnect())
  const sent: string[][] = []
  monitor.on('monitor', (_time: string, args: string[], source: string) => {
    if (source !== 'lua' && args[0]?.toLowerCase() === 'evalsha') sent.push(args.slice(2))
  })
  const taken = ['x', 'y', 'x', 'x', 'z', 'y'].map(owner => store.take(bucketOf(login, owner)))
  t.equal((await store.take(bucketOf(general, 'x'))).remaining, 99)
  t.same((await Promise.all(taken)).map(({ remaining }) => remaining), [4, 4, 3, 2, 4, 3])
  await until(() => sent.length === 2)
  const number = Number(sent[0]![4])
  const keys = ['x', 'y', 'z'].map(owner => bucketOf(login, owner).key)
  t.same(sent, [
    ['3', ...keys, String(number), '5', '1', '60000', '2001000010000001', '1', '3', '2', '2'],
    ['1', bucketOf(general, 'x').key, String(number + 1), '100', '10', '60000', '2001000100000001']
  ])

  const looks = await Promise.all(['x', 'y', 'z'].map(owner => store.peek(bucketOf(login, owner))))
  t.same(looks.map(({ remaining }) => remaining), [2, 3, 4])
  await until(() => sent.length === 3)
  t.same(sent[2], ['3', ...keys, String(number + 2), '0'])
})

t.test('a Redis that lacks a command of the script is one outage, and not one for each client', async (t) => {
  const old = await startRedis(t, { args: ['--rename-command', 'PEXPIRETIME', 'LACKS'] })
  const codes: unknown[] = []
  const add = ({ code }: { code?: unknown }): void => { codes.push(code) }
  const store = await openWhole({ redisUrl: old.url, onRedisFailure: 'local' }, { info: add, warn: add, error: add })
  t.after(() => store.close())

  for (let i = 0; i < 20; i++) {
    await store.take(bucketOf(login, 'anyone'))
    await sleep(50)
  }

  t.same(codes.filter(code => code === 'redis_unavailable' || code === 'redis_recovered'), ['redis_unavailable'])
})

t.test('a proxy that has its keys on several shards gets one bucket a call', async (t) => {
  const proxy = await connect(redis.url, () => {}, 4000)
  const store = createRedisStore(proxy, { deadlineMs: 20_000 })
  t.after(() => store.close())
  let refused = 0
  // As Redis Enterprise answers, of which there is none here.
  for (const script of ['takeTokens', 'adjustBuckets'] as const) {
    const call = proxy[script].bind(proxy)
    proxy[script] = async (count, ...args) => {
      if (count === 1) return await call(count, ...args)
      refused++
      throw Object.assign(new Error("CROSSSLOT Keys in request don't hash to the same slot"), { name: 'ReplyError' })
    }
  }
  const owners = Array.from({ length: 40 }, (_, i) => `sharded-${i}`)
  const all = async <Answer> (ask: (owner: string) => Promise<Answer>) => await Promise.all(owners.map(ask))

  const looks = await all(owner => store.peek(bucketOf(login, owner)))
  const rounds = await Promise.all(Array.from({ length: 8 }, () => all(owner => store.take(bucketOf(login, owner)))))

  t.ok(looks.every(({ remaining }) => remaining === 5))
  t.equal(rounds.flat().filter(({ allowed }) => allowed).length, 5 * owners.length)
  t.ok(refused <= 2, `${refused} calls were refused`)
})

// [L11]
t.test('of 10,000 takes of ten replicas exactly 1000 are admitted, and the bucket expires', async (t) => {
  const stores = await Promise.all(Array.from({ length: 10 }, () => openStore(t)))
  const policy = { name: 'crowd', capacity: 1000, refill: 1, periodMs: HOUR }
  const got = await Promise.all(Array.from({ length: 50 }, async (_, i) => {
    let allowed = 0
    for (let n = 0; n < 100; n++) allowed += admitted(await takes(stores[i % 10]!, policy, '192.0.2.49', 2))
    return allowed
  }))
  t.equal(got.reduce((sum, one) => sum + one), 1000)
  t.ok(await client.pttl(bucketOf(policy, '192.0.2.49').key) > 0)
})

// [L56 L57]
t.test('no client notices SCRIPT FLUSH', async (t) => {
  const store = await openStore(t)
  await store.take(bucketOf(login, '192.0.2.28'))
  await client.script('FLUSH')
  t.match(await store.take(bucketOf(login, '192.0.2.28')), { allowed: true, remaining: 3 })
  await client.script('FLUSH')
  t.equal(admitted(await takes(store, login, '192.0.2.29', 300)), 5, 'not once more than there were tokens')
})

// [L54 L58]
t.test('a hanging Redis costs a take 100 ms, and a take with a late reply is not sent again', async (t) => {
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

t.test('a pause of the whole machine is no silence of Redis', async (t) => {
  const own = await startRedis(t)
  const store = createRedisStore(await connect(own.url, () => {}, 1000), { deadlineMs: 1000 })
  t.after(() => store.close())
  await until(async () => (await store.peek(bucketOf(login, '192.0.2.42'))).allowed)

  own.process.kill('SIGSTOP')
  const taking = store.take(bucketOf(login, '192.0.2.42'))
  await sleep(50)
  for (const endMs = performance.now() + 1200; performance.now() < endMs;);
  setTimeout(() => own.process.kill('SIGCONT'), 50)

  t.equal((await taking).allowed, true)
})

/** @returns the URL of what answers each script call with `replyTo` of its number, and OK to everything else */
async function startNonsense (t: Lifetime, replyTo: (call: number) => string): Promise<string> {
  const port = await startTcp(t, (socket) => {
    socket.on('data', (bytes) => {
      for (const command of bytes.toString().split(/(?=\*\d+\r\n)/)) {
        const [, , name, , , , , , , , call] = command.split('\r\n')
        socket.write(/^eval/i.test(name!) ? replyTo(Number(call)) : '+OK\r\n')
      }
    })
  })
  return `redis://127.0.0.1:${port}`
}

t.test('a reply of another shape or to another call decides no take', async (t) => {
  const text = (call: number): string => `$${String(call).length}\r\n${call}\r\n`
  let replyTo = (call: number): string => `*2\r\n:${2 ** 32 + MINUTE}\r\n${text(call)}`
  const store = await openRedisStore(t, await startNonsense(t, call => replyTo(call)))
  const bucket = bucketOf(login, 'nonsense')
  t.match(await store.take(bucket), { allowed: true, remaining: 4, fullMs: MINUTE })
  const badReply = { name: 'StoreUnavailable', reason: 'bad_reply', mayHaveCounted: true }
  for (const nonsense of [
    (call: number) => `*2\r\n:${2 ** 32 + MINUTE}\r\n${text(call - 1)}`,
    (call: number) => `*2\r\n:${2 ** 32 + MINUTE}\r\n:${call}\r\n`,
    (call: number) => `*1\r\n${text(call)}`,
    (call: number) => `*3\r\n:${2 ** 32 + MINUTE}\r\n${text(call)}:1\r\n`,
    (call: number) => `*2\r\n$3\r\n1 2\r\n${text(call)}`,
    (call: number) => `*2\r\n$-1\r\n${text(call)}`,
    () => ':1\r\n', () => '+OK\r\n', () => '$-1\r\n', () => '*0\r\n'
  ]) {
    replyTo = nonsense
    await t.rejects(store.take(bucket), badReply, `${JSON.stringify(nonsense(7))} as the reply to call 7`)
  }
  replyTo = call => `*1\r\n${text(call - 1)}`
  await t.rejects(store.peek(bucket), badReply)
  await t.rejects(store.giveBack(bucket), badReply)
})
// [L54]
t.test('when Redis dies or refuses, every take in progress fails and none hangs', async (t) => {
  const own = await startRedis(t)
  const store = createRedisStore(await connect(own.url))
  await until(async () => (await store.peek(bucketOf(login, '192.0.2.41'))).allowed)
  own.process.kill('SIGSTOP')
  const taken = Promise.allSettled(Array.from({ length: 300 }, () => store.take(bucketOf(login, '192.0.2.41'))))
  own.process.kill('SIGKILL')
  t.same([...new Set((await taken).map(({ status }) => status))], ['rejected'])
  await t.rejects(store.take(bucketOf(login, '192.0.2.41')), { name: 'StoreUnavailable', reason: 'no_connection' })
  await store.close()
})

t.end()
