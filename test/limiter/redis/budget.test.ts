// What a take may cost: commands, bytes and writes, counted by Redis itself. None of it depends on time.

import type { Redis } from 'ioredis'
import t from 'tap'
import type { Policy, Verdict } from '#src/limiter/bucket/bucket.js'
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
const takeAll = (policy: Policy, clients: string[], of = store): Promise<Verdict[]> =>
  Promise.all(clients.map(client => of.take(bucketOf(policy, client))))

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

/** How many commands of Redis the script called for each take, until every bucket was empty. */
async function callsPerTake (policy: Policy, clients: string[]): Promise<number> {
  const { evalsha = 0, eval: evaluated = 0, ...inside } = await commandsOf([redis.client], async () => {
    for (let i = 0; i < policy.capacity; i++) {
      if (!(await takeAll(policy, clients)).every(({ allowed }) => allowed)) throw new Error('a take was refused')
    }
  })
  // The connection sends a new script with EVAL first.
  t.equal(evalsha + evaluated, policy.capacity, 'takes of one turn are one call')
  return Object.values(inside).reduce((sum, calls) => sum + calls, 0) / policy.capacity / clients.length
}

for (const [policy, batched, single] of [[login, 2.7, 4.4], [general, 2.2, 3.2]] as const) {
  t.test(`an admitted ${policy.name} take is at most ${batched} calls in a batch, ${single} alone`, async (t) => {
    const [together, alone] = [await callsPerTake(policy, crowd('together')), await callsPerTake(policy, ['alone'])]
    t.comment(`${policy.name}: ${together} and ${alone} calls`)
    t.ok(together <= batched && alone <= single)
  })

  // [L3]
  t.test(`a refused ${policy.name} take reads twice at most, and writes nothing`, async (t) => {
    const events: string[] = []
    await redis.client.config('SET', 'notify-keyspace-events', 'KEA')
    t.after(() => redis.client.config('SET', 'notify-keyspace-events', ''))
    const listener = redis.client.duplicate()
    t.after(() => listener.disconnect())
    listener.on('pmessage', (_pattern, channel: string, key: string) => events.push(`${channel} ${key}`))
    await listener.psubscribe('__keyevent@*')

    const together = await commandsOf([redis.client], async () => {
      t.notOk((await takeAll(policy, crowd('together'))).some(({ allowed }) => allowed))
    })
    t.same(together, { evalsha: 1, mget: 1, pttl: BATCH })
    const alone = await commandsOf([redis.client], () => takeAll(policy, ['alone']))
    t.same(alone, { evalsha: 1, mget: 1, pttl: 1 })

    // Notifications of Redis come in order.
    await redis.client.set('the last', '', 'PX', 1000)
    await until(() => events.some(event => event.endsWith(':set the last')))
    t.same(events.filter(event => event.includes('gatehouse:')), [])
  })
}

t.test('a bucket takes 88 bytes, or 104 where the names are long', async (t) => {
  for (const name of policyNames) {
    for (const address of ['192.0.2.21', '203.113.221.210', '2001:db8:1:2::/64']) {
      const { key } = bucketOf(defaultLimits.policies[name], address)
      await takeAll(defaultLimits.policies[name], [address, address])
      const bytes = await redis.client.memory('USAGE', key) as number
      t.ok(bytes <= (key.length <= 42 ? 88 : 104), `${bytes} bytes for ${key}`)
    }
  }
})

t.test('a batch is one EVALSHA for each node of a cluster that has its buckets', async (t) => {
  const nodes = await startCluster(t, { masters: 3 })
  const clustered = await openRedisStore(t, nodes.map(({ url }) => url).join(','))
  const commandsOfBatch = () => commandsOf(nodes.map(({ client }) => client), () =>
    takeAll(general, crowd('clustered'), clustered))
  await until(async () => (await takeAll(general, crowd('clustered'), clustered)).every(({ allowed }) => allowed))
  // Until a node was seen to refuse keys of others, each bucket has a call. Then the script is new to each connection.
  await until(async () => (await commandsOfBatch()).eval === 3)
  const commands = await commandsOfBatch()
  t.same(commands, { evalsha: 3, get: BATCH, pttl: BATCH, incrby: BATCH })
})

t.end()
