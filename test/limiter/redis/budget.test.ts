// What a take may cost Redis: commands, bytes and writes, counted by Redis itself and independent of time.

import type { Redis } from 'ioredis'
import t from 'tap'
import type { BucketStore, Policy } from '#src/limiter/bucket/bucket.js'
import { withDenyCache } from '#src/limiter/layers/deny-cache.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { defaultLimits, policyNames } from '#src/limiter/limits/policies.js'
import { startCluster, startRedis } from '../../fixtures/redis.js'
import { openRedisStore } from '../../fixtures/store.js'
import { until } from '../../fixtures/until.js'

const { login, general } = defaultLimits.policies
const redis = await startRedis(t)
const store = await openRedisStore(t, redis.url)

/** As many as fit into one call. */
const BATCH = 32
const crowd = (name: string, count = BATCH): string[] => Array.from({ length: count }, (_, i) => `${name} ${i}`)

/** The commands that these servers ran during `action`, by name: the EVALSHA or EVAL, and those inside the script. */
async function commandsOf (clients: Redis[], action: () => Promise<unknown>): Promise<Record<string, number>> {
  await Promise.all(clients.map(client => client.config('RESETSTAT')))
  await action()
  const counts: Record<string, number> = {}
  for (const client of clients) {
    for (const [, name, calls] of (await client.info('commandstats')).matchAll(/^cmdstat_(\S+?):calls=(\d+)/gm)) {
      if (!/^(info|config|client|cluster|ping|hello|select)\b/.test(name!) && calls !== '0') {
        counts[name!] = (counts[name!] ?? 0) + Number(calls)
      }
    }
  }
  return counts
}

/** How many commands of Redis the script called for each take. */
function callsPerTake ({ evalsha = 0, eval: evaluated = 0, ...inside }: Record<string, number>, takes: number): number {
  return Object.values(inside).reduce((sum, calls) => sum + calls, 0) / takes
}

/** Every client takes as often as its bucket admits, all clients at once or one after another. */
async function exhaust (
  of: Pick<BucketStore, 'take'>, policy: Policy, clients: string[], atOnce: boolean
): Promise<void> {
  for (let i = 0; i < policy.capacity; i++) {
    const takes = atOnce ? await Promise.all(clients.map(client => of.take(bucketOf(policy, client)))) : []
    if (!atOnce) for (const client of clients) takes.push(await of.take(bucketOf(policy, client)))
    if (!takes.every(({ allowed }) => allowed)) throw new Error('a take was refused that was to be admitted')
  }
}

for (const [policy, batched, single] of [[login, 2.7, 4.4], [general, 2.2, 3.2]] as const) {
  t.test(`an admitted ${policy.name} take is at most ${batched} calls in a batch, ${single} alone`, async (t) => {
    const together = await commandsOf([redis.client], () => exhaust(store, policy, crowd('together'), true))
    // The connection sends a new script with EVAL first.
    t.equal((together.evalsha ?? 0) + (together.eval ?? 0), policy.capacity, 'a batch is one call')
    const inBatch = callsPerTake(together, BATCH * policy.capacity)
    t.ok(inBatch <= batched, `${inBatch}: ${JSON.stringify(together)}`)

    const alone = await commandsOf([redis.client], () => exhaust(store, policy, crowd('alone', 4), false))
    const bySelf = callsPerTake(alone, 4 * policy.capacity)
    t.ok(bySelf <= single, `${bySelf}: ${JSON.stringify(alone)}`)
    t.comment(`${policy.name}: ${inBatch.toFixed(2)} and ${bySelf.toFixed(2)} calls`)
  })

  t.test(`a refused ${policy.name} take reads twice at most, and writes nothing`, async (t) => {
    const events: string[] = []
    await redis.client.config('SET', 'notify-keyspace-events', 'KEA')
    t.after(() => redis.client.config('SET', 'notify-keyspace-events', ''))
    const listener = redis.client.duplicate()
    t.after(() => listener.disconnect())
    listener.on('pmessage', (_pattern, channel: string, key: string) => events.push(`${channel} ${key}`))
    await listener.psubscribe('__keyevent@*')

    const together = await commandsOf([redis.client], async () => {
      for (const { allowed } of await Promise.all(crowd('together').map(client =>
        store.take(bucketOf(policy, client))))) {
        t.equal(allowed, false)
      }
    })
    t.same(together, { evalsha: 1, mget: 1, pttl: BATCH })
    const alone = await commandsOf([redis.client], () => store.take(bucketOf(policy, 'alone 1')))
    t.same(alone, { evalsha: 1, get: 1, pttl: 1 })

    // Notifications of Redis come in order.
    await redis.client.set('the last', '', 'PX', 1000)
    await until(() => events.some(event => event.endsWith(':set the last')))
    t.same(events.filter(event => event.includes('gatehouse:')), [])
  })
}

t.test('takes of several policies are one EVALSHA, which names each policy once', async (t) => {
  const monitor = await redis.client.monitor()
  t.after(() => monitor.disconnect())
  const sent: string[][] = []
  monitor.on('monitor', (_time: string, args: string[], source: string) => {
    if (source !== 'lua' && args[0]?.toLowerCase() === 'evalsha') sent.push(args.slice(2))
  })
  const takes = crowd('mixed', 10).flatMap(client =>
    [store.take(bucketOf(login, client)), store.take(bucketOf(general, client))])
  t.ok((await Promise.all(takes)).every(({ allowed }) => allowed))
  await until(() => sent.length > 0)
  t.equal(sent.length, 1)
  t.same(sent[0]!.slice(22), ['5', '1', '60000', 'policy', '11', '100', '10', '60000'])
})

t.test('a pair is two takes of one call, and its refusal is two reads that leave no trace', async (t) => {
  const shared = { name: 'shared-general', capacity: 1000, refill: 100, periodMs: 60_000 }
  const front = bucketOf(shared, 'pairs')
  const together = await commandsOf([redis.client], () =>
    Promise.all(crowd('paired', BATCH / 2).map(user => store.takeBoth(bucketOf(general, user), front))))
  // The first bucket of a pair is written with one SET, after the second one is decided.
  t.same(together, { evalsha: 1, mget: 1, get: 15, pttl: 15, set: BATCH })
  const alone = await commandsOf([redis.client], () => store.takeBoth(bucketOf(general, 'paired 1'), front))
  t.same(alone, { evalsha: 1, mget: 1, pttl: 2, set: 1, incrby: 1 })

  const held = (): Promise<unknown> => Promise.all(['paired 1', 'paired 2'].map(user => bucketOf(general, user).key)
    .concat(front.key).flatMap(key => [redis.client.get(key), redis.client.pexpiretime(key)]))
  const changes = async (): Promise<string | undefined> =>
    /rdb_changes_since_last_save:(\d+)/.exec(await redis.client.info('persistence'))?.[1]
  await store.take(bucketOf(general, 'paired 1'), 98)
  const [before, changesBefore] = [await held(), await changes()]
  const bySecond = await commandsOf([redis.client], () => store.takeBoth(bucketOf(general, 'paired 1'), front))
  t.same(bySecond, { evalsha: 1, mget: 1, pttl: 2 })
  t.same([await held(), await changes()], [before, changesBefore])

  await store.take(front, 1000 - BATCH / 2 - 1)
  const [emptied, changesEmptied] = [await held(), await changes()]
  const byFirst = await commandsOf([redis.client], () => store.takeBoth(bucketOf(general, 'paired 2'), front))
  t.same(byFirst, { evalsha: 1, mget: 1, pttl: 1 })
  t.same([await held(), await changes()], [emptied, changesEmptied])
})

t.test('takes of two policies in pairs name each policy once', async (t) => {
  const shared = { name: 'shared-general', capacity: 1000, refill: 100, periodMs: 60_000 }
  const monitor = await redis.client.monitor()
  t.after(() => monitor.disconnect())
  const sent: string[][] = []
  monitor.on('monitor', (_time: string, args: string[], source: string) => {
    if (source !== 'lua' && args[0]?.toLowerCase() === 'evalsha') sent.push(args.slice(2))
  })
  await Promise.all(crowd('named', 10).map(user => store.takeBoth(bucketOf(general, user), bucketOf(shared, 'named'))))
  await until(() => sent.length > 0)
  t.equal(sent.length, 1)
  const again = [3, 5, 7, 9, 11, 13, 15, 17, 19].flatMap(i => ['again', String(i)])
  t.same(sent[0]!.slice(22), [
    '1000', '100', '60000', 'policy', '2', '100', '10', '60000', ...again, 'both', '1', '10'
  ], 'and says where the shared bucket occurs again')
})

t.test('a cached denial sends no command', async (t) => {
  const cached = withDenyCache(store)
  await store.take(bucketOf(login, 'cached'), 5)
  t.equal((await cached.take(bucketOf(login, 'cached'))).allowed, false)
  const commands = await commandsOf([redis.client], async () => {
    for (let i = 0; i < 50; i++) t.equal((await cached.take(bucketOf(login, 'cached'))).allowed, false)
  })
  t.same(commands, {})
})

t.test('a bucket takes at most 96 bytes, or 104 where the names are long', async (t) => {
  for (const name of policyNames) {
    for (const address of ['192.0.2.21', '203.113.221.210', '2001:db8:1:2::/64']) {
      const policy = defaultLimits.policies[name]
      await store.take(bucketOf(policy, address))
      await store.take(bucketOf(policy, address))
      const key = bucketOf(policy, address).key
      const bytes = await redis.client.memory('USAGE', key) as number
      t.ok(bytes <= (key.length <= 42 ? 96 : 104), `${bytes} bytes for ${key}`)
    }
  }
})

t.test('without the right to MGET buckets are read one by one, and every take is decided', async (t) => {
  await redis.client.call('ACL', 'SETUSER', 'frugal', 'on', '>a-password-of-redis', '~gatehouse:*', '+@all', '-mget')
  const frugal = await openRedisStore(t, `redis://frugal:a-password-of-redis@127.0.0.1:${redis.port}`)
  const commands = await commandsOf([redis.client], () => exhaust(frugal, login, crowd('frugal'), true))
  t.equal(commands.get, BATCH * login.capacity)
})

t.test('a batch is one EVALSHA for each node of a cluster that has its buckets', async (t) => {
  const nodes = await startCluster(t, { masters: 3 })
  const clients = nodes.map(({ client }) => client)
  const clustered = await openRedisStore(t, nodes.map(({ url }) => url).join(','))
  const buckets = crowd('clustered')
  // The script is new to each node at first.
  await until(async () => (await Promise.all(buckets.map(client => clustered.take(bucketOf(general, client)))))
    .every(({ allowed }) => allowed))
  const commands = await commandsOf(clients, () =>
    Promise.all(buckets.map(client => clustered.take(bucketOf(general, client)))))
  t.same(commands, { evalsha: 3, get: BATCH, pttl: BATCH, incrby: BATCH })
})

t.end()
