// Nonsense, swapped or endless replies of Redis are outages: no verdict is made up, and the next connection is clean.

import { once } from 'node:events'
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { StoreUnavailable, type BucketStore, type TokenStore } from '#src/limiter/bucket/bucket.js'
import { startHeartbeat } from '#src/limiter/fleet/heartbeat.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { createRedisStore, RESET_CHANNEL } from '#src/limiter/redis/redis-store.js'
import { connect } from '#src/limiter/redis/connection.js'
import { checkedSlots } from '#src/limiter/redis/replies.js'
import { openStore } from '#src/limiter/store.js'
import { openSubscriber } from '#src/limiter/fleet/subscriber.js'
import { keepCodes } from '../../fixtures/log.js'
import { generator } from '../../fixtures/random.js'
import { startRedis } from '../../fixtures/redis.js'
import { spoil, startUnrulyProxy, type Distortion } from '../../fixtures/unruly-proxy.js'
import { until } from '../../fixtures/until.js'

const redis = await startRedis(t)
const policy = { name: 'login', capacity: 5, refill: 1, periodMs: 3_600_000 }
const back = 'redis_recovered'

async function openThrough (t: Test, port: number) {
  const { log, codes } = keepCodes()
  const seen = { codes, reasons: [] as string[], replicas: [] as number[] }
  const store = await openStore({ redisUrl: `redis://127.0.0.1:${port}`, onRedisFailure: 'local' }, log, {
    onReplicas: count => seen.replicas.push(count),
    onFallback: change => { if (change.to === 'fallback') seen.reasons.push(change.reason) }
  })
  t.after(() => store.close())
  return { store, ...seen }
}

/** A store without a fallback, through a proxy that distorts replies from now on. */
async function openBare (t: Test, distort: Distortion): Promise<TokenStore> {
  const proxy = await startUnrulyProxy(t, redis.port)
  const store = createRedisStore(await connect(`redis://127.0.0.1:${proxy.port}`), { deadlineMs: 10_000 })
  t.after(() => store.close())
  await store.take(bucketOf(policy, 'warm'))
  proxy.distort = distort
  return store
}

const always = (...replies: string[]): Distortion => () => replies.map(reply => Buffer.from(reply))

const SEED = 20261122
const ROUNDS = 25

t.test(`swapped, dropped, repeated, cut and retyped replies forge no verdict; seed ${SEED}`, async (t) => {
  const proxy = await startUnrulyProxy(t, redis.port)
  const { store, codes, reasons, replicas } = await openThrough(t, proxy.port)
  // These have no fallback, so they keep asking Redis.
  const bare = await Promise.all(Array.from({ length: 4 }, async () =>
    createRedisStore(await connect(`redis://127.0.0.1:${proxy.port}`))))
  t.after(() => Promise.all(bare.map(one => one.close())))
  const admitted = new Map<string, number>()
  let decisions = 0

  async function takeBare (one: BucketStore, client: string): Promise<void> {
    try {
      const { allowed } = await one.take(bucketOf(policy, client))
      decisions++
      if (allowed) admitted.set(client, (admitted.get(client) ?? 0) + 1)
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
    }
  }

  for (let round = 0; round < ROUNDS || (proxy.distorted <= 60 && round < 10 * ROUNDS); round++) {
    const random = generator(SEED + round)
    proxy.distort = spoil(random, random() * random())
    const endMs = performance.now() + 150
    while (performance.now() < endMs) {
      await Promise.all(Array.from({ length: 60 }, async (_, i) => {
        const client = `round ${round}, client ${i % 40}`
        const verdict = await store.take(bucketOf(policy, client))
        decisions++
        const { allowed, capacity, remaining, waitMs } = verdict
        const sane = capacity === 5 && Number.isInteger(remaining) && remaining >= 0 && remaining <= 5 &&
          Number.isInteger(waitMs) && allowed === (waitMs === 0) && waitMs <= policy.periodMs
        if (!sane) t.fail('a verdict that no bucket gives', { verdict, round })
        if (allowed) admitted.set(client, (admitted.get(client) ?? 0) + 1)
      }))
      for (const one of bare) {
        for (let i = 0; i < 10; i++) {
          takeBare(one, `bare, round ${round}, client ${i}`).catch(error => t.fail(String(error)))
        }
      }
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    proxy.distort = undefined
    const probed = `after round ${round}`
    await until(async () => (await store.peek(bucketOf(policy, probed))).allowed && await redis.client.exists(
      `gatehouse:bucket:login:${probed}`
    ) === 1
      ? true
      : (await store.take(bucketOf(policy, probed)), false))
  }

  t.comment(`${decisions} decisions, ${proxy.distorted} replies distorted, reasons ${[...new Set(reasons)].join(' ')}`)
  const most = (kind: string): number =>
    Math.max(...[...admitted].filter(([client]) => client.startsWith(kind)).map(([, count]) => count))
  t.ok(most('bare') <= 5, `Redis admitted ${most('bare')} of one client`)
  // Redis admits the limit, and this replica its local share, which is the whole limit because it is the only replica.
  t.ok(most('round') <= 10, `${most('round')} admitted of one client`)
  t.ok(replicas.every(count => Number.isInteger(count) && count >= 1), `replicas ${[...new Set(replicas)].join(' ')}`)
  t.ok(reasons.includes('bad_reply') && proxy.distorted > 60)
  await until(() => codes.at(-1) === back)
  const verdicts = await Promise.all(Array.from({ length: 20 }, () => store.take(bucketOf(policy, 'when all is well'))))
  t.equal(verdicts.filter(({ allowed }) => allowed).length, 5, 'a proxy that behaves again is believed again')
})

/** As lua/take.lua packs it. @param lacking negative for a refusal */
const packed = (lacking: number, nextMs: number): number => lacking < 0
  ? lacking * 2 ** 32 - nextMs
  : lacking * 2 ** 32 + nextMs

const badTakes: Record<string, string[]> = {
  'a number': [':1\r\n'],
  nothing: ['_\r\n'],
  'too short a list': ['*1\r\n:1\r\n'],
  'too long a list': ['*3\r\n:1\r\n:1\r\n:1\r\n'],
  'texts in a list': ['*2\r\n$1\r\n1\r\n$1\r\n1\r\n'],
  'not a number': ['*2\r\n,nan\r\n:1\r\n'],
  'the reply to another take': [`*2\r\n:${packed(1, 3_600_000)}\r\n:0\r\n`],
  'the reply to a heartbeat': ['*3\r\n$8\r\nreplicas\r\n:1\r\n:3\r\n'],
  'no RESP at all': ['HTTP/1.1 400 Bad Request\r\n\r\n'],
  'a push of nothing': ['>1\r\n_\r\n'],
  // If these lengths are decoded as digits, they are negative. They sent the decoder backwards, in an endless loop.
  'a length with one bit flipped': [':123456\r\n$!\r\nXXXXXXXX\r\n'],
  'a flipped length in a list': ['*1\r\n:12345\r\n$!\r\nXXXXXXXX\r\n'],
  'an error with a flipped length': ['!!\r\nERR xxxxxxxxxx\r\n'],
  'a text shorter than its length': ['$3\r\nabcdef\r\n'],
  'a text without a line feed': ['+OK\rx'],
  'a list of negative length': ['*-5\r\n:1\r\n'],
  'a list of 33 million items': ['*33000000\r\n:1\r\n'],
  'lists of a million items together': ['*2\r\n*500000\r\n', ':1\r\n'.repeat(500_000), '*500000\r\n'],
  'a list in nine lists': ['*1\r\n'.repeat(9)],
  'a text of 20 megabytes': ['$20000000\r\n'],
  'a line without an end': [`+${'x'.repeat(17 * 1024 * 1024)}`],
  'more replies than there were questions': ['_\r\n', '_\r\n', '_\r\n']
}

for (const [what, replies] of Object.entries(badTakes)) {
  t.test(`a take that gets ${what} is undecided, may have counted, and the reason is bad_reply`, async (t) => {
    const store = await openBare(t, always(...replies))
    await t.rejects(store.take(bucketOf(policy, what)), {
      name: 'StoreUnavailable', reason: 'bad_reply', mayHaveCounted: true
    })
  })
}

/** A take's own reply, with another number in it. */
const withNumber = (number: number | string): Distortion => (reply) => {
  const call = /:(\d+)\r\n$/.exec(reply.toString())![1]
  return [Buffer.from(`*2\r\n:${number}\r\n:${call}\r\n`)]
}

for (const [lacking, nextMs] of [
  [6, 3_600_000], [-6, 3_600_000], [1, 3_600_001], [1, 0], [0, 0], [0, 5], [-4, 3_600_000], [-5, 0], [-5, 3_600_001],
  [2 ** 22, 1]
] as const) {
  t.test(`a take that would leave ${lacking} lacking, with the next token in ${nextMs} ms, is undecided`, async (t) => {
    const store = await openBare(t, withNumber(packed(lacking, nextMs)))
    await t.rejects(store.take(bucketOf(policy, '192.0.2.1')), { name: 'StoreUnavailable', reason: 'bad_reply' })
  })
}

for (const number of ['', '-1', '18446744073709551616', '9007199254740993']) {
  t.test(`a take that is answered with the number "${number}" is undecided`, async (t) => {
    const store = await openBare(t, withNumber(number))
    await t.rejects(store.take(bucketOf(policy, '192.0.2.1')), { name: 'StoreUnavailable', reason: 'bad_reply' })
  })
}

t.test('two takes whose replies are swapped are both undecided, and so is everything after them', async (t) => {
  let first: Buffer | undefined
  const store = await openBare(t, (reply) => {
    if (first) return [reply, first]
    first = reply
    return []
  })
  const takes = [store.take(bucketOf(policy, '192.0.2.2'))]
  await new Promise(resolve => setTimeout(resolve, 20))
  takes.push(store.take(bucketOf(policy, '192.0.2.3'), 5))
  const outcomes = await Promise.allSettled(takes)
  t.match(
    outcomes.map(outcome => outcome.status === 'rejected' && (outcome.reason as StoreUnavailable).mayHaveCounted),
    [true, true]
  )
  t.match(outcomes, [{ reason: { reason: 'bad_reply' } }, {}])
})

t.test('nonsense as the reply to a heartbeat does not change the number of replicas', async (t) => {
  const proxy = await startUnrulyProxy(t, redis.port)
  const connection = await connect(`redis://127.0.0.1:${proxy.port}`)
  t.after(() => connection.disconnect())
  const told: number[] = []
  const nonsense = [
    '*3\r\n:1\r\n:60000\r\n:1\r\n', ':0\r\n', '_\r\n', ',nan\r\n', '*3\r\n$8\r\nreplicas\r\n:1\r\n:-3\r\n',
    '*4\r\n$8\r\nreplicas\r\n:2\r\n$1\r\n9\r\n$0\r\n\r\n', '*5\r\n$8\r\nreplicas\r\n:3\r\n:1\r\n$0\r\n\r\n$1\r\na\r\n',
    '*5\r\n$8\r\nreplicas\r\n:4\r\n:9\r\n$0\r\n\r\n$0\r\n\r\n', '*2\r\n:1\r\n:2\r\n'
  ]
  let beats = 0
  proxy.distort = reply => reply.includes('replicas') ? [Buffer.from(nonsense[beats++ % nonsense.length]!)] : [reply]
  const heartbeat = await startHeartbeat(connection, { onReplicas: count => told.push(count) })
  t.after(() => heartbeat.close())
  await until(() => beats >= nonsense.length)
  t.same([...new Set(told)], [1])
})

t.test('a reset and a list that get nonsense fail as in an outage', async (t) => {
  for (const reply of [
    '_\r\n', '*1\r\n:1\r\n', '+OK\r\n', ':5\r\n', '*2\r\n$1\r\n0\r\n:1\r\n', '*2\r\n_\r\n*0\r\n',
    '*2\r\n$1\r\n0\r\n*1\r\n:1\r\n'
  ]) {
    const store = await openBare(t, always(reply))
    await t.rejects(
      store.reset(bucketOf(policy, '192.0.2.4')), { name: 'StoreUnavailable', reason: 'bad_reply' }, reply
    )
    await t.rejects((async () => {
      for await (const id of store.list()) t.ok(id)
    })(), { name: 'StoreUnavailable' }, reply)
  }
})

t.test('a list whose cursor never ends fails', async (t) => {
  const store = await openBare(t, always('*2\r\n$1\r\n1\r\n*0\r\n'))
  await t.rejects((async () => { for await (const id of store.list()) t.ok(id) })(), {
    name: 'StoreUnavailable', reason: 'bad_reply'
  })
})

t.test('nonsense in INFO and in the slots of a cluster does not end the process', async (t) => {
  const proxy = await startUnrulyProxy(t, redis.port)
  for (const url of [`redis://127.0.0.1:${proxy.port}`, `redis://127.0.0.1:${proxy.port},127.0.0.1:${proxy.port}`]) {
    for (const reply of [
      '_\r\n', ':1\r\n', '*1\r\n_\r\n', '*1\r\n*3\r\n:0\r\n:1000000000000000\r\n*0\r\n',
      '*1\r\n*3\r\n:0\r\n:5\r\n_\r\n', '+OK\r\n'
    ]) {
      proxy.distort = always(reply)
      const connection = await connect(url, () => {})
      await t.resolves(connection.info().catch(() => {}), reply)
      connection.disconnect()
    }
  }
})

t.test('slots that would cost ioredis seconds or the heap are a bad reply', (t) => {
  const nodes = (count: number, first = 0): unknown[] =>
    Array.from({ length: count }, (_, i) => ['192.0.2.1', 1 + first + i, 'an id', []])
  const ranges = (count: number): unknown[] =>
    Array.from({ length: count }, (_, i) => [i * 10, i * 10 + 9, ...nodes(10, i * 10)])
  const bad: Record<string, unknown[]> = {
    'a range that ends before it begins': [[5, 4, ...nodes(1)]],
    'ranges that overlap': [[100, 200, ...nodes(1)], [0, 100, ...nodes(1, 1)]],
    'one range 20,000 times': Array(20_000).fill([0, 16383, ...nodes(1)]),
    'more nodes of a range than a master has replicas': [[0, 16383, ...nodes(51)]],
    'more nodes than Redis can have': ranges(101)
  }
  for (const [what, reply] of Object.entries(bad)) t.throws(() => checkedSlots(reply), { name: 'BadReply' }, what)
  for (const reply of [
    [], [[0, 16383, ...nodes(50)]], [[100, 16383, ...nodes(3)], [0, 99, ...nodes(3)]], ranges(100)
  ]) {
    t.equal(checkedSlots(reply), reply)
  }
  t.end()
})

t.test('a subscription that gets nonsense is renewed, and resets are noticed again', async (t) => {
  const proxy = await startUnrulyProxy(t, redis.port)
  const { store } = await openThrough(t, proxy.port)
  for (const reply of [
    '_\r\n', ':1\r\n', '>1\r\n_\r\n', '>3\r\n+message\r\n_\r\n_\r\n', '*3\r\n_\r\n_\r\n_\r\n',
    '>2\r\n+subscribe\r\n_\r\n'
  ]) {
    let spoilt = false
    proxy.distort = (own) => {
      if (!own.includes('subscribe')) return [own]
      spoilt = true
      return [Buffer.from(reply)]
    }
    await until(() => spoilt)
    proxy.distort = undefined
  }
  await until(async () =>
    Number((await redis.client.pubsub('NUMSUB', 'gatehouse:reset') as Array<string | number>)[1]) >= 1)
  const slow = { ...policy, name: 'reset' }
  await until(async () => {
    for (let i = 0; i < 6; i++) await store.take(bucketOf(slow, '192.0.2.5'))
    const other = new Redis(redis.port)
    await other.del('gatehouse:bucket:reset:192.0.2.5')
    await other.publish('gatehouse:reset', 'gatehouse:bucket:reset:192.0.2.5')
    other.disconnect()
    await new Promise(resolve => setTimeout(resolve, 50))
    return (await store.take(bucketOf(slow, '192.0.2.5'))).allowed
  })
})

t.test('a subscription with a reply that never ends is renewed, and resets are noticed again', async (t) => {
  const connections: Socket[] = []
  let begun = false
  const server = createServer((near) => {
    connections.push(near)
    const far = createConnection(redis.port, '127.0.0.1')
    for (const [one, other] of [[near, far], [far, near]] as const) {
      one.on('error', () => {}).on('close', () => other.destroy())
    }
    near.pipe(far)
    far.pipe(near)
    if (connections.length > 1) return
    const endless = setInterval(() => {
      far.unpipe(near)
      near.write(begun ? 'x' : '$1000000000\r\n')
      begun = true
    }, 100)
    near.on('close', () => clearInterval(endless))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const heard: Array<string | undefined> = []
  const subscriber = await openSubscriber(`redis://127.0.0.1:${(server.address() as AddressInfo).port}`)
  await subscriber.hear(RESET_CHANNEL, key => heard.push(key))
  t.after(() => {
    subscriber.close()
    server.close()
    for (const socket of connections) socket.destroy()
  })
  t.same(heard, [undefined])
  await until(() => connections[0]!.destroyed && heard.length === 2)
  t.same(heard, [undefined, undefined], 'what may have been missed is forgotten')
  await redis.client.publish('gatehouse:reset', 'gatehouse:bucket:login:192.0.2.6')
  await until(() => heard.at(-1) === 'gatehouse:bucket:login:192.0.2.6')
  t.equal(connections.length, 2)
})

t.test('a ten-megabyte error is logged in a few hundred characters, and is no metric label', async (t) => {
  for (const code of ['ERR', 'A'.repeat(50)]) {
    const store = await openBare(t, always(`-${code} ${'x'.repeat(10_000_000)}\r\n`))
    const error = await store.take(bucketOf(policy, '192.0.2.7')).then(() => undefined, (error: StoreUnavailable) =>
      error)
    t.equal(error?.reason, code === 'ERR' ? 'ERR' : 'unknown')
    for (let one: unknown = error; one instanceof Error; one = one.cause) {
      t.ok(one.message.length < 400 && one.stack!.length < 3000, `${one.message.length} ${one.stack!.length}`)
    }
  }
})

t.end()
