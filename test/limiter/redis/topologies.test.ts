// Limits hold on clusters and behind sentinels, through failovers, moved slots and hanging nodes.

import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import calculateSlot from 'cluster-key-slot'
import type { Cluster } from 'ioredis'
import t, { type Test } from 'tap'
import type { BucketStore, Policy } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { ANNOUNCEMENTS_CHANNEL, openSubscriber } from '#src/limiter/redis/announcements.js'
import { connect } from '#src/limiter/redis/redis-connection.js'
import { createRedisStore } from '#src/limiter/redis/redis-store.js'
import { parseRedisUrl } from '#src/limiter/redis/redis-url.js'
import { openStore } from '#src/limiter/store.js'
import { newDirectory } from '../../fixtures/lifetime.js'
import { codeOf } from '../../fixtures/log.js'
import { startNetwork } from '../../fixtures/network.js'
import { run } from '../../fixtures/process.js'
import {
  freePort, startCluster, startRedis, startReplica, startSentinels, type ClusterNode, type RedisServer
} from '../../fixtures/redis.js'
import { certificate } from '../../fixtures/smtp.js'
import { openRedisStore } from '../../fixtures/store.js'
import { until } from '../../fixtures/until.js'

const policy = { name: 'login', capacity: 5, refill: 1, periodMs: 3_600_000 }
const [gone, back] = ['redis_unavailable', 'redis_recovered']
/** How many takes from one bucket each of three replicas admits in all outages. */
const SHARE = 2

const keyOf = (client: string): string => bucketOf(policy, client).key
const urlOf = (nodes: RedisServer[]): string => nodes.map(({ url }) => url).join(',')
const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0)

/** How many of each client's takes were admitted. */
class Admitted extends Map<string, number> {
  async take (store: BucketStore, client: string, limits: Policy = policy): Promise<boolean> {
    const { allowed } = await store.take(bucketOf(limits, client))
    if (allowed) this.set(client, (this.get(client) ?? 0) + 1)
    return allowed
  }

  /** Every client asks every replica once. @returns whether any take was admitted */
  async round (stores: BucketStore[], clients: string[], limits?: Policy): Promise<boolean> {
    const answers = await Promise.all(stores.flatMap(store => clients.map(client => this.take(store, client, limits))))
    return answers.includes(true)
  }
}

/** Returns when every slot is served. */
async function openBare (t: Test, redisUrl: string): Promise<BucketStore> {
  const store = await openRedisStore(t, redisUrl)
  await until(async () => (await store.peek(bucketOf(policy, 'nobody'))).allowed)
  return store
}

// These tests mostly wait, so several run in parallel.
t.jobs = 6
/** The starts of servers in other tests would block this process for longer than Redis may take. */
const alone = { buffered: false }

t.test('a cluster', async (t) => {
  const nodes = await startCluster(t, { masters: 3, empty: 1 })
  const [first, , third, empty] = nodes as [ClusterNode, ClusterNode, ClusterNode, ClusterNode]

  // L62
  t.test('with three masters a batch of many clients is decided exactly', async (t) => {
    const store = await openBare(t, urlOf([first, third]))
    const clients = Array.from({ length: 40 }, (_, i) => `192.0.2.${i}`)
    const admitted = new Admitted()
    await Promise.all(Array.from({ length: 8 }, () => admitted.round([store], clients)))
    t.same([...admitted.values()], clients.map(() => 5))
    const sizes = await Promise.all(nodes.slice(0, 3).map(({ client }) => client.dbsize()))
    t.equal(sum(sizes), 40)
    t.ok(sizes.every(size => size > 0), `buckets on the nodes: ${sizes.join(', ')}`)

    const listed = []
    for await (const { owner } of store.list({ policyName: 'login' })) listed.push(owner)
    t.same(listed.sort(), [...clients].sort())
    t.equal(await store.reset(bucketOf(policy, '192.0.2.1')), true)
    t.equal((await store.take(bucketOf(policy, '192.0.2.1'))).remaining, 4)
  })

  t.test('where nodes do not refuse the keys of others, or take no call without keys, each bucket has a call',
    async (t) => {
      const redis = await connect(urlOf([first, third]), () => {}, 4000) as Cluster
      t.after(() => redis.disconnect())
      const refusal = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' })
      let withoutKeys = 0
      // As the proxies of Redis Enterprise and ElastiCache Serverless do, of which there are none here.
      const proxies: Array<[name: string, answer: () => Promise<unknown>, calls: number]> = [
        ['answers', async () => null, 0], ['refuses', async () => { throw refusal('ERR non local key') }, 1]
      ]
      for (const [name, answer, calls] of proxies) {
        const store = createRedisStore(redis, { deadlineMs: 20_000 })
        await until(async () => (await store.peek(bucketOf(policy, name))).allowed)
        for (const node of redis.nodes('master')) {
          t.intercept(node, 'eval', { value: answer })
          t.intercept(node, 'takeTokens', {
            async value () {
              withoutKeys++
              throw refusal('ERR Lua scripts without any input keys are not supported.')
            }
          })
        }
        const admitted = new Admitted()
        const clients = Array.from({ length: 20 }, (_, i) => `${name}-${i}`)
        for (let i = 0; i < 8; i++) await admitted.round([store], clients)
        t.same([...admitted.values()], clients.map(() => 5))
        t.ok(calls === 0 ? withoutKeys === 0 : withoutKeys > 0 && withoutKeys <= 3)
      }
    })

  t.test('a take whose connection broke is not sent again', async (t) => {
    const store = await openBare(t, urlOf([first, third]))
    const client = neighbours(1, 1)[0]!
    await store.take(bucketOf(policy, client))
    await first.client.call('CLIENT', 'PAUSE', '60000', 'WRITE')
    const cutOff = t.rejects(store.take(bucketOf(policy, client)), { name: 'StoreUnavailable' })
    await until(async () => /name=gatehouse .*cmd=eval/.test(String(await first.client.client('LIST'))))
    await first.client.call('CLIENT', 'KILL', 'TYPE', 'normal')
    await cutOff
    await first.client.call('CLIENT', 'UNPAUSE')
    t.equal((await store.take(bucketOf(policy, client))).remaining, 3, 'it counted neither before nor after')
  })

  t.test('while slots move to a new master and back, every take is decided, exactly', async (t) => {
    const limits = { ...policy, capacity: 300 }
    const stores = await Promise.all(Array.from({ length: 3 }, () => openBare(t, urlOf([first, third]))))
    // Slots of the first master that move with one bucket and with several, and some that stay.
    const moving = { all: 100, oneByOne: 200, alone: 300 }
    const clients = [
      ...neighbours(moving.all, 6), ...neighbours(moving.oneByOne, 6), ...neighbours(moving.alone, 1),
      ...neighbours(400, 2), ...neighbours(7000, 2), ...neighbours(12000, 2)
    ]
    const admitted = new Admitted()
    const moved = new AbortController()
    const load = (async () => {
      while (await admitted.round(stores, clients, limits) || !moved.signal.aborted) await setTimeout(3)
    })()
    const steps = async (count: number): Promise<void> => {
      const before = sum(admitted.values())
      await until(() => sum(admitted.values()) >= before + count * clients.length)
    }

    const perStep = { [moving.all]: 10, [moving.oneByOne]: 1, [moving.alone]: 1 }
    for (const [slot, keys] of Object.entries(perStep)) {
      await move(Number(slot), keys, first, empty, async () => {
        await steps(3)
        // The script, too, is new to a node that gets a slot.
        await empty.client.script('FLUSH')
        await steps(3)
      })
    }
    for (const slot of Object.values(moving)) await move(slot, 3, empty, third, async () => await steps(3))
    t.ok(sum(admitted.values()) < clients.length * limits.capacity, 'there were takes to admit all the while')
    moved.abort()
    await load
    t.same([...admitted.values()], clients.map(() => limits.capacity))
    const errors = (await Promise.all(nodes.map(({ client }) => client.info('errorstats')))).join('')
    for (const met of ['ASK', 'MOVED', 'NOSCRIPT']) t.match(errors, `errorstat_${met}:`)
    t.notMatch(errors, 'TRYAGAIN', 'no script was given two buckets of a slot that moves')
    t.comment(errors.match(/errorstat_\w+:count=\d+/g)?.join(' '))
  })
})

/** Moves a slot as redis-cli does, some keys at a time. */
async function move (
  slot: number, keysAtOnce: number, from: ClusterNode, to: ClusterNode, meanwhile: () => Promise<void>
): Promise<void> {
  await to.client.cluster('SETSLOT', slot, 'IMPORTING', from.id)
  await from.client.cluster('SETSLOT', slot, 'MIGRATING', to.id)
  await meanwhile()
  for (;;) {
    const keys = await from.client.cluster('GETKEYSINSLOT', slot, keysAtOnce) as string[]
    if (keys.length === 0) break
    await from.client.migrate('127.0.0.1', to.port, '', 0, 5000, 'KEYS', ...keys)
    await meanwhile()
  }
  await to.client.cluster('SETSLOT', slot, 'NODE', to.id)
  // A node that has lost its last slot may already be a replica.
  await from.client.cluster('SETSLOT', slot, 'NODE', to.id).catch(() => {})
  await meanwhile()
}

/** Clients whose buckets are in one slot. */
function neighbours (slot: number, count: number, prefix = ''): string[] {
  const found = []
  for (let i = 0; found.length < count; i++) {
    const client = `10.${i >> 16 & 255}.${i >> 8 & 255}.${i & 255}`
    if (calculateSlot(prefix + keyOf(client)) === slot) found.push(client)
  }
  return found
}

/** Returns when the replica has everything that its master had. In a cluster, the server must have that slot. */
async function replicated ({ client }: RedisServer, slot = 0): Promise<void> {
  // WAIT waits for writes of its own connection, which come after those of others.
  await client.set(`{${keyOf(neighbours(slot, 1)[0]!)}}of the test`, '', 'PX', 60_000)
  await client.wait(1, 0)
}

t.test('a cluster over TLS is reached by the name of its certificate, also if it tells addresses', async (t) => {
  const tls = certificate('DNS:localhost')
  const trusted = join(newDirectory(t, { 'ca.pem': tls.cert }), 'ca.pem')
  const nodes = await startCluster(t, { masters: 3, tls })
  const redisUrl = urlOf(nodes)
  const reasons: string[] = []

  // Every master is asked for its buckets.
  const list = () => run('cli', ['buckets', 'list'], { REDIS_URL: redisUrl, NODE_EXTRA_CA_CERTS: trusted })
  const listed = await list()
  for (const { client } of nodes) await client.config('SET', 'cluster-preferred-endpoint-type', 'ip')
  t.match(await list(), { code: 0, stdout: /^No bucket/ }, 'as Azure does')
  for (const { client } of nodes) await client.config('SET', 'cluster-preferred-endpoint-type', 'hostname')
  // This process does not trust the certificates.
  const store = await openStore({ redisUrl, onRedisFailure: 'local' }, {
    info () {}, error () {}, warn: details => reasons.push((details as { err: Error }).err.message)
  })
  t.after(() => store.close())
  // On a busy machine a connection may also time out.
  const ofCertificates = (): string[] => reasons.filter(reason => reason.includes('certificate'))
  await until(() => ofCertificates().length > 0)
  await setTimeout(1000)

  t.match(listed, { code: 0, stdout: /^No bucket/ })
  t.match(ofCertificates(), [/^localhost:\d+: self-signed certificate/])
  t.equal(ofCertificates().length, 1, 'once, though it tries again and again')
})

t.test('a silent subscription moves to another node, and resets are noticed', async (t) => {
  const nodes = await startCluster(t, { masters: 3 })
  const networks = await Promise.all(nodes.map(async ({ port }) => await startNetwork(t, port)))
  // With a shorter deadline, a busy machine alone would make it move.
  const subscriber = await openSubscriber(networks.map(({ port }) => `redis://127.0.0.1:${port}`).join(','), 400)
  t.after(() => subscriber.close())
  const heard: Array<string | undefined> = []
  await subscriber.subscribe(ANNOUNCEMENTS_CHANNEL, key => heard.push(key))
  const subscribedAt = async (): Promise<number> => {
    const subscribers = await Promise.all(nodes.map(async ({ client }) =>
      String(await client.call('CLIENT', 'LIST', 'TYPE', 'pubsub'))))
    return subscribers.findIndex(list => list.includes('gatehouse:subscriber'))
  }
  await until(async () => await subscribedAt() >= 0)
  const silent = await subscribedAt()
  const { client } = nodes[(silent + 1) % 3]!
  const isHeard = async (key: string): Promise<boolean> => {
    await client.publish(ANNOUNCEMENTS_CHANNEL, key)
    return heard.includes(key)
  }
  await until(() => isHeard('before'))

  heard.length = 0
  networks[silent]!.cut = true
  await client.publish(ANNOUNCEMENTS_CHANNEL, 'missed')
  await until(() => heard.includes(undefined), 'something may have been missed')
  await until(() => isHeard('after'))
  t.notOk(heard.includes('missed'))
})

t.test('a subscription at a node that was taken out of the cluster begins again elsewhere', async (t) => {
  const nodes = await startCluster(t, { masters: 2, empty: 1 })
  const [first, second, empty] = nodes as [ClusterNode, ClusterNode, ClusterNode]
  const codes: string[] = []
  const keep = (details: object): void => { codes.push(codeOf(details)) }
  const store = await openStore({
    redisUrl: urlOf([empty, first, second]), onRedisFailure: 'closed', redisTimeoutMs: 5000
  }, { info: keep, warn: keep, error: keep })
  t.after(() => store.close())
  const bucket = bucketOf(policy, '192.0.2.80')
  const isRefused = async (): Promise<boolean> => !(await store.take(bucket)).allowed
  await until(isRefused)
  const others = await openRedisStore(t, urlOf([first, second]))

  for (const { client } of [first, second]) await client.cluster('FORGET', empty.id)
  await empty.client.cluster('RESET', 'SOFT')
  t.match(await empty.client.client('LIST'), /name=gatehouse:subscriber/, 'it keeps its subscriber')
  await others.reset(bucket)
  t.ok(await isRefused(), 'the reset was missed')

  await until(() => codes.includes('resets_missed'))
  await until(async () => !await isRefused())
  await until(isRefused)
  await others.reset(bucket)
  await until(async () => !await isRefused())
  t.same(codes.filter(code => code === 'resets_missed').length, 1)
})

t.test('nodes that tell no address are reached at the one that was asked', async (t) => {
  for (const more of [[], ['--cluster-preferred-endpoint-type', 'unknown-endpoint']]) {
    const args = ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort()), '--dir', newDirectory(t)]
    const node = await startRedis(t, { args: [...args, ...more] })
    await node.client.cluster('ADDSLOTSRANGE', 0, 16383)
    const redisUrl = { ...parseRedisUrl(urlOf([node, node])), prefix: 'school-a:' }
    const store = createRedisStore(await connect(redisUrl), { deadlineMs: 20_000 })
    t.after(() => store.close())
    const take = async (): Promise<boolean[]> => (await Promise.all(['1', '2', '3'].map(async owner =>
      await store.take(bucketOf(policy, owner))))).map(({ allowed }) => allowed)
    await until(async () => (await take()).every(Boolean))
    t.equal(await node.client.exists(`school-a:${keyOf('3')}`), 1, 'and keys have the prefix')
  }
})

// L59
t.test('sentinels replace a dead master, and its return changes nothing', async (t) => {
  const master = await startRedis(t)
  const replica = await startReplica(t, master)
  const sentinels = await startSentinels(t, master, { count: 3 })
  const replicas = await openThree(t, sentinels.url, 500)
  await replicas.takeOfEach(2)
  await replicated(master)
  await replicas.goThroughOutage(() => master.process.kill('SIGKILL'))
  await replicas.admittedAtMost(0)
  t.equal(await sentinels.master(), replica.port)

  const outages = replicas.outages()
  await startReplica(t, replica, replica.port, { port: master.port })
  await replicas.decidedBy(replica)
  t.equal(replicas.outages(), outages)
  await replicas.hearOfResets()
})

t.test('an old master with min-replicas-to-write is left for the new one', async (t) => {
  const master = await startRedis(t, { args: ['--min-replicas-to-write', '1'] })
  const replica = await startReplica(t, master)
  const sentinels = await startSentinels(t, master)
  const replicas = await openThree(t, sentinels.url)
  await replicas.takeOfEach(5)
  await replicated(master)
  // The sentinels cannot demote it, as if the network between them were cut.
  await master.client.call('ACL', 'SETUSER', 'default', '-slaveof', '-replicaof')
  await replicas.goThroughOutage(() => sentinels.client.call('SENTINEL', 'FAILOVER', 'main'))
  t.match(await master.client.role(), ['master'])
  t.ok(replicas.reasons().some(reason => reason.includes('NOREPLICAS')))
  await replicas.decidedBy(replica)
  await replicas.admittedAtMost(0)
})

t.test('a master replaced on purpose is left while it still calls itself one', async (t) => {
  const master = await startRedis(t)
  const replica = await startReplica(t, master)
  const sentinels = await startSentinels(t, master, { count: 3 })
  const replicas = await openThree(t, sentinels.url, 500)
  await replicated(master)
  // The sentinels demote it after ten seconds.
  await replicas.goThroughOutage(() => sentinels.client.call('SENTINEL', 'FAILOVER', 'main'))
  await replicas.decidedBy(replica)
  const clients = String(await master.client.client('LIST'))

  t.match(await master.client.role(), ['master'])
  t.notMatch(clients, /name=gatehouse/, 'nobody subscribes there either')
  t.equal(replicas.outages(), 3, 'one for each')
  await replicas.hearOfResets()
})

t.test('sentinels with a password and TLS are asked, and what they answer is the reason', async (t) => {
  const tls = certificate()
  const dir = newDirectory(t, { 'key.pem': tls.key, 'cert.pem': tls.cert })
  const [masterPort, sentinelPort] = [await freePort(), await freePort()]
  const settings = (port: number): string[] => [
    `tls-port ${port}`, `tls-cert-file ${dir}/cert.pem`, `tls-key-file ${dir}/key.pem`,
    `tls-ca-cert-file ${dir}/cert.pem`, 'tls-auth-clients no', 'tls-replication yes'
  ]
  await startRedis(t, { args: settings(masterPort).flatMap(line => `--${line}`.split(' ')) })
  await startSentinels(t, { port: masterPort }, {
    replicas: 0,
    password: 'a-password-of-sentinels',
    config: ['user looks on >a-password-of-sentinels ~* &* +@all', ...settings(sentinelPort)]
  })
  const at = (query: string, name = 'main'): string => `rediss+sentinel://localhost:${sentinelPort}/${name}${query}`
  const list = async (url: string, trusted = 'cert.pem') => await run('cli', ['buckets', 'list'], {
    // ioredis asks sentinels again and again for ten times this.
    REDIS_URL: url, REDIS_TIMEOUT_MS: '500', NODE_EXTRA_CA_CERTS: join(dir, trusted)
  })
  const [password, user] = ['sentinel_password=a-password-of-sentinels', 'sentinel_username=looks']

  for (const query of [`?${password}`, `?${user}&${password}`]) {
    t.match(await list(at(query)), { code: 0, stdout: /^No bucket/ })
  }
  const [refused, stranger, untrusted] = await Promise.all([
    list(at('')), list(at(`?${password}`, 'other')), list(at(`?${password}`), 'nothing.pem')
  ])
  t.match(refused, { code: 1, stderr: /sentinel localhost:\d+: NOAUTH/ })
  t.match(stranger, { code: 1, stderr: /sentinel localhost:\d+: ERR No such master/ })
  t.match(untrusted, { code: 1, stderr: /sentinel localhost:\d+: self-signed certificate/ })
})

t.test('after the death of a master its replica takes over, and Redis decides again', alone, async (t) => {
  const nodes = await startCluster(t, { masters: 3, replicas: 3 })
  const replicas = await openThree(t, urlOf(nodes.slice(0, 3)), 500)
  await replicas.takeOfEach(2)
  await replicated(nodes[1]!, 7000)
  await replicas.goThroughOutage(() => nodes[1]!.process.kill('SIGKILL'))
  t.same(replicas.failed(), [`127.0.0.1:${nodes[1]!.port}`])
  await replicas.admittedAtMost(0)
  t.match(await nodes[4]!.client.role(), ['master'])
  await replicas.hearOfResets()
})

t.test('when a node of a cluster fails, the fallback decides only for its buckets', alone, async (t) => {
  const nodes = await startCluster(t, { masters: 3 })
  const node = `127.0.0.1:${nodes[1]!.port}`
  // Without the prefix, the key of `ofGone` would be at the third node.
  const redisUrl = { ...parseRedisUrl(urlOf(nodes)), prefix: 'school:' }
  const [lines, changes]: [object[], unknown[]] = [[], []]
  let stoppedAtMs = performance.now()
  const keep = (details: object): void => { lines.push({ ...details, afterMs: performance.now() - stoppedAtMs }) }
  const store = await openStore({
    redisUrl, onRedisFailure: 'closed', redisTimeoutMs: 500
  }, { info: keep, warn: keep, error: keep }, {
    onFallback: ({ to }, failing) => changes.push([to, failing.size])
  })
  t.after(() => store.close())
  const [ofFirst, ofGone, ofThird] = [100, 7000, 12000]
    .map(slot => neighbours(slot, 1, redisUrl.prefix)[0]!) as [string, string, string]
  // The first takes may find no connection yet.
  for (const client of [ofFirst, ofGone, ofThird]) {
    await until(async () => (await store.take(bucketOf(policy, client))).remaining === 4)
  }
  await until(() => changes.length % 2 === 0)
  lines.length = changes.length = 0

  nodes[1]!.process.kill('SIGSTOP')
  stoppedAtMs = performance.now()
  const seen = new Set<string>()
  const see = async (name: string, client: string): Promise<unknown> =>
    seen.add(await store.peek(bucketOf(policy, client))
      .then(({ remaining }) => `${name}: ${remaining}`, ({ name: fault }) => `${name}: ${fault}`))
  // This is longer than the cluster needs to notice the failure.
  for (const endMs = performance.now() + 2000; performance.now() < endMs; await setTimeout(5)) {
    await Promise.all([
      see('of the first', ofFirst), see('of the one that is gone', ofGone), see('of the third', ofThird)
    ])
  }
  if (seen.size > 3) t.comment(lines)
  t.same([...seen].sort(), ['of the first: 4', 'of the one that is gone: StoreUnavailable', 'of the third: 4'])
  for (const client of [ofFirst, ofThird]) {
    for (const remaining of [3, 2, 1, 0]) {
      t.match(await store.take(bucketOf(policy, client)), { allowed: true, remaining })
    }
    t.match(await store.take(bucketOf(policy, client)), { allowed: false })
  }
  t.same(changes, [['fallback', 1]])
  t.match(lines[0], { code: gone, mode: 'closed', node })
  t.same(lines.slice(1).filter(line => !('node' in line && line.node === node)), [])

  nodes[1]!.process.kill('SIGCONT')
  await until(() => changes.length === 2)
  t.same(changes[1], ['redis', 0])
  t.match(lines.at(-1), { code: back, node })
  t.equal((await store.take(bucketOf(policy, ofGone))).allowed, true)
})

/**
 * Three replicas that have counted each other, and the clients that ask them.
 *
 * @param redisTimeoutMs more than the default if a busy machine must not cause an outage
 */
async function openThree (t: Test, redisUrl: string, redisTimeoutMs = 100) {
  const clients = Array.from({ length: 60 }, (_, i) => `192.0.2.${i}`)
  const admitted = new Admitted()
  let strangers = 0
  const stranger = (): string => `198.51.${strangers >> 8}.${strangers++ & 255}`

  const lines: Array<Array<{ code: string, node?: string, reason?: string, atMs: number }>> = [[], [], []]
  const known = [0, 0, 0]
  const stores = await Promise.all(lines.map(async (own, i) => {
    const store = await openStore({ redisUrl, onRedisFailure: 'local', redisTimeoutMs }, {
      info: details => own.push({ code: codeOf(details), atMs: performance.now() }),
      warn () {},
      error (details) {
        const { message } = (details as { err: Error }).err
        own.push({ code: codeOf(details), ...details, reason: message, atMs: performance.now() })
      }
    }, { onReplicas (count) { known[i] = count } })
    t.after(() => store.close())
    return store
  }))
  await until(() => known.every(count => count === 3))

  const outages = (): number => sum(lines.map(own => own.filter(({ code }) => code === gone).length))
  return {
    outages,
    reasons: () => lines.flat().map(({ reason = '' }) => reason),
    failed: () => [...new Set(lines.flat().filter(({ code }) => code === gone).map(({ node }) => node))],

    async takeOfEach (tokens: number): Promise<void> {
      for (let i = 0; i < tokens; i++) {
        await Promise.all(clients.map((client, n) => admitted.take(stores[(n + i) % 3]!, client)))
      }
    },

    /**
     * Returns when every replica has had an outage and has recovered. Until then other clients ask all the time, and so
     * do `asking`.
     */
    async goThroughOutage (fail: () => unknown, asking = clients): Promise<void> {
      const failedAtMs = performance.now()
      await fail()
      const over = new AbortController()
      // An outage may be as short as a reconnection, and is one only for who asks meanwhile.
      const asked = (async () => {
        while (!over.signal.aborted) {
          await admitted.round(stores, [...asking, stranger()])
          await setTimeout(5)
        }
      })()
      await until(() => lines.every(own => own.at(-1)?.code === back)).finally(() => over.abort())
      await asked
      for (const own of lines) {
        const said = own.map(({ code, reason, atMs }) => `after ${Math.round(atMs - failedAtMs)} ms: ${reason ?? code}`)
        t.comment(said.join('; '))
      }
    },

    /**
     * Takes until every take is refused, and checks how many were admitted: at most the limit, the lost takes, and one
     * local share of each replica, whatever the number of outages.
     *
     * @returns the smallest number of takes that a bucket admitted beyond the limit
     */
    async admittedAtMost (lost: number): Promise<number> {
      while (await admitted.round(stores, clients)) await setTimeout(1)
      const beyond = clients.map(client => admitted.get(client)! - policy.capacity)
      t.comment(
        `${clients.length} buckets admitted ${sum(beyond)} beyond the limit, at most ${Math.max(...beyond)} each`
      )
      t.ok(Math.max(...beyond) <= lost + 3 * SHARE, `${Math.max(...beyond)} of ${lost} lost and 3 shares of ${SHARE}`)
      return Math.min(...beyond)
    },

    /** Returns when every replica has received a reset by one of them, and admits again. */
    async hearOfResets (): Promise<void> {
      const client = stranger()
      while (await admitted.round(stores, [client]));
      await until(async () => await stores[0]!.reset(bucketOf(policy, client)))
      for (const store of stores) await until(async () => await admitted.take(store, client))
    },

    /** Waits until takes of every replica are in this server. @returns the clients of these takes */
    async decidedBy (server: RedisServer): Promise<string[]> {
      return await Promise.all(stores.map(async (store) => {
        let client = stranger()
        await until(async () => {
          client = stranger()
          await store.take(bucketOf(policy, client))
          return await server.client.exists(keyOf(client)) === 1
        })
        return client
      }))
    }
  }
}
