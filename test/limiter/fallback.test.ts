import { once } from 'node:events'
import t from 'tap'
import { openStore } from '../../src/limiter/store.js'
import { StoreUnavailable, type BucketStore } from '../../src/limiter/bucket.js'
import { withFallback, type FailureMode } from '../../src/limiter/fallback.js'
import { createMemoryStore } from '../../src/limiter/memory-store.js'
import { freePort, startRedis } from '../fixtures/redis.js'

const policy = { name: 'login', capacity: 2, refill: 1, periodMs: 60_000 }

async function open (t: { after: (close: () => Promise<void>) => void }, redisUrl: string, onRedisFailure: FailureMode = 'local') {
  const lines: string[] = []
  const store = await openStore({ redisUrl, onRedisFailure }, {
    info: message => lines.push(message),
    warn: (_details, message) => lines.push(message),
    error: (_details, message) => lines.push(message)
  })
  t.after(() => store.close())
  return { store, lines }
}

const decided = 'Redis does not decide: the fallback does'
const back = 'Redis decides again'

async function until (claim: () => boolean | Promise<boolean>): Promise<void> {
  while (!await claim()) await new Promise(resolve => setTimeout(resolve, 5))
}

t.test('L55: without a Redis at boot the service starts, limits by itself, and goes over when Redis comes', async (t) => {
  const port = await freePort()
  const { store, lines } = await open(t, `redis://127.0.0.1:${port}`)
  const verdicts = []
  for (let i = 0; i < 4; i++) verdicts.push((await store.take(policy, '192.0.2.1')).allowed)
  t.same(verdicts, [true, true, false, false])
  const { client } = await startRedis(t, { port })
  await until(() => lines.includes(back))
  await until(async () => await client.get('gatehouse:bucket:login:192.0.2.1') === '2')
  t.equal((await store.take(policy, '192.0.2.1')).allowed, false, 'what was taken meanwhile is charged')
  t.equal((await store.take(policy, '192.0.2.11')).allowed, true, 'and the buckets in Redis count again')
})

t.test('L54 L63 L66: a Redis that dies is told once, decided for at once, and a refusal stays a refusal', async (t) => {
  const redis = await startRedis(t)
  const { store, lines } = await open(t, redis.url)
  for (let i = 0; i < 3; i++) await store.take(policy, '192.0.2.2')
  redis.process.kill('SIGKILL')
  await until(async () => { await store.take(policy, 'other'); return lines.includes(decided) })

  t.equal((await store.take(policy, '192.0.2.2')).allowed, false, 'a known refusal holds')
  const verdicts = []
  for (let i = 0; i < 100; i++) verdicts.push((await store.take(policy, '192.0.2.3')).allowed)
  t.equal(verdicts.filter(Boolean).length, 2)
  t.equal(lines.filter(line => line === decided).length, 1)

  await startRedis(t, { port: redis.port })
  await until(() => lines.includes(back))
  t.equal((await store.take(policy, '192.0.2.13')).remaining, 1, 'a restarted Redis is empty, and decides')
  t.equal(lines.filter(line => line === back).length, 1)
})

t.test('L64: while Redis is gone three replicas admit together no more than the limit, rounded up for each, and it is charged afterwards', async (t) => {
  const redis = await startRedis(t)
  const replicas = await Promise.all([open(t, redis.url), open(t, redis.url), open(t, redis.url)])
  const policy = { name: 'login', capacity: 7, refill: 1, periodMs: 60_000 }
  // Each beats once a second, so the first one knows of the last one a second later.
  await new Promise(resolve => setTimeout(resolve, 1200))
  t.equal(await redis.client.zcard('gatehouse:replicas'), 3)
  redis.process.kill('SIGKILL')
  await once(redis.process, 'exit')

  const verdicts = await Promise.all(Array.from({ length: 60 }, (_, i) => replicas[i % 3]!.store.take(policy, '192.0.2.21')))
  t.equal(verdicts.filter(({ allowed }) => allowed).length, 9, 'three times 7 / 3, rounded up')
  t.same([...new Set(verdicts.map(({ capacity }) => capacity))], [7], 'the client is told of the limit, not of the share')
  for (const { store } of replicas) await store.take(policy, '192.0.2.22')

  const { client } = await startRedis(t, { port: redis.port })
  await until(() => replicas.every(({ lines }) => lines.includes(back)))
  await until(async () => await client.get('gatehouse:bucket:login:192.0.2.21') === '7')
  await until(async () => await client.get('gatehouse:bucket:login:192.0.2.22') === '3')
  t.equal((await replicas[0]!.store.take(policy, '192.0.2.21')).allowed, false, 'the bucket is as empty as if Redis had been there')
  t.equal((await replicas[0]!.store.take(policy, '192.0.2.22')).remaining, 3)
})

t.test('L61: a Redis that would drop the wrong buckets, or none, when it is full is warned of at the start', async (t) => {
  const redis = await startRedis(t)
  for (const [limit, policy, warned] of [['50mb', 'allkeys-lru', true], ['50mb', 'noeviction', true], ['50mb', 'volatile-ttl', false], ['0', 'noeviction', false]] as const) {
    await redis.client.config('SET', 'maxmemory', limit)
    await redis.client.config('SET', 'maxmemory-policy', policy)
    const { lines } = await open(t, redis.url)
    t.equal(lines.some(line => line.includes('volatile-ttl')), warned, `${limit} ${policy}`)
  }
})

t.test('a second outage does not charge again what was taken in the first', async (t) => {
  const redis = await startRedis(t)
  const { store, lines } = await open(t, redis.url)
  const policy = { name: 'login', capacity: 10, refill: 1, periodMs: 60_000 }
  const backs = (): number => lines.filter(line => line === back).length
  for (const [outage, lacking] of [[1, 3], [2, 6]] as const) {
    await redis.client.config('SET', 'min-replicas-to-write', 1)
    for (let i = 0; i < 3; i++) t.equal((await store.take(policy, '192.0.2.31')).allowed, true)
    await redis.client.config('SET', 'min-replicas-to-write', 0)
    await until(() => backs() === outage)
    await until(async () => await redis.client.get('gatehouse:bucket:login:192.0.2.31') === String(lacking))
  }
  t.equal((await store.take(policy, '192.0.2.31', 0)).remaining, 4)
})

t.test('a store that goes again while it is being charged is charged with each take once', async (t) => {
  const inner = createMemoryStore()
  let takesLeft = 0
  const take: BucketStore['take'] = async (...args) => {
    if (takesLeft-- <= 0) throw new StoreUnavailable('gone')
    return await inner.take(...args)
  }
  let backs = 0
  const store = withFallback({ ...inner, take }, { mode: 'local', onChange (failure) { if (!failure) backs++ } })
  t.after(() => store.close())
  const policy = { name: 'login', capacity: 10, refill: 1, periodMs: 60_000 }
  const clients = Array.from({ length: 40 }, (_, i) => `192.0.2.${i}`)
  for (const client of clients) await store.take(policy, client)

  takesLeft = 33 // The probe, and the first lot.
  await until(() => backs === 1 && takesLeft < 0)
  await t.resolves(store.take(policy, '203.0.113.1'), 'the fallback decides again')
  takesLeft = Infinity
  await until(() => backs === 2)
  await new Promise(resolve => setTimeout(resolve, 50))
  const lacking = await Promise.all(clients.map(async client => 10 - (await inner.take(policy, client, 0)).remaining))
  t.same([...new Set(lacking)], [1])
})

t.test('a replica that ends is not counted any more at once, one that dies after a few seconds', async (t) => {
  const redis = await startRedis(t)
  const [one, other] = [await open(t, redis.url), await open(t, redis.url)]
  t.equal(await redis.client.zcard('gatehouse:replicas'), 2)
  await other.store.close()
  t.equal(await redis.client.zcard('gatehouse:replicas'), 1)
  const ttl = await redis.client.pttl('gatehouse:replicas')
  t.ok(ttl > 0 && ttl <= 3500, 'and the set goes when nobody beats')
  await one.store.close()
  t.equal(await redis.client.exists('gatehouse:replicas'), 0)
})

t.test('a Redis that hangs holds up the first takes only', async (t) => {
  const redis = await startRedis(t)
  const { store } = await open(t, redis.url)
  await store.take(policy, '192.0.2.4')
  redis.process.kill('SIGSTOP')
  t.equal((await store.take(policy, '192.0.2.5')).allowed, true)
  const started = performance.now()
  for (let i = 0; i < 1000; i++) await store.take(policy, `client ${i}`)
  t.ok(performance.now() - started < 10_000, 'a thousand takes did not wait 100 ms each')
  redis.process.kill('SIGCONT')
})

for (const [fault, args, run] of [
  ['L59: read-only, as an old master is after a failover', [], ['REPLICAOF', '127.0.0.1', '1']],
  ['L60: out of memory', ['--maxmemory-policy', 'noeviction'], ['CONFIG', 'SET', 'maxmemory', '1']],
  ['L60: wanting a password', [], ['CONFIG', 'SET', 'requirepass', 'a password that nobody was told']]
] as Array<[string, string[], [string, ...string[]]]>) {
  t.test(`${fault}: Redis does not decide, and nobody gets an error`, async (t) => {
    const redis = await startRedis(t, { args })
    await redis.client.call(...run)
    const { store, lines } = await open(t, redis.url)
    const verdicts = []
    for (let i = 0; i < 4; i++) verdicts.push((await store.take(policy, '192.0.2.6')).allowed)
    t.same(verdicts, [true, true, false, false])
    t.ok(lines.includes(decided))
  })
}

t.test('closed: while Redis does not decide nobody is admitted', async (t) => {
  const { store } = await open(t, `redis://127.0.0.1:${await freePort()}`, 'closed')
  await t.rejects(store.take(policy, '192.0.2.7'), { name: 'StoreUnavailable' })
  await t.rejects(store.take(policy, '192.0.2.7'), { name: 'StoreUnavailable' })
})

t.test('open: while Redis does not decide everybody is admitted', async (t) => {
  const { store } = await open(t, `redis://127.0.0.1:${await freePort()}`, 'open')
  for (let i = 0; i < 10; i++) t.equal((await store.take(policy, '192.0.2.8')).allowed, true)
})

t.test('a Redis that hangs at boot holds up the start for two seconds, and decides when it is back', async (t) => {
  const redis = await startRedis(t)
  redis.process.kill('SIGSTOP')
  const started = performance.now()
  const { store, lines } = await open(t, redis.url)
  t.ok(performance.now() - started < 4000)
  t.equal((await store.take(policy, '192.0.2.9')).allowed, true)
  redis.process.kill('SIGCONT')
  await until(() => lines.includes(back))
})
