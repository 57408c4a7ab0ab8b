// Limits hold on clusters and behind sentinels, through failovers, moved slots and hanging nodes.

import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import calculateSlot from 'cluster-key-slot'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { BucketStore, Policy } from '#src/limiter/bucket/bucket.js'
import { withDenyCache } from '#src/limiter/layers/deny-cache.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { connect } from '#src/limiter/redis/connection.js'
import { RESET_CHANNEL } from '#src/limiter/redis/redis-store.js'
import { openStore } from '#src/limiter/store.js'
import { openSubscriber } from '#src/limiter/fleet/subscriber.js'
import { end, newDirectory } from '../../fixtures/lifetime.js'
import { codeOf, keepCodes } from '../../fixtures/log.js'
import { startNetwork } from '../../fixtures/network.js'
import { run, startServer } from '../../fixtures/process.js'
import {
  launch, startCluster, startRedis, startReplica, startSentinels, type ClusterNode, type RedisServer
} from '../../fixtures/redis.js'
import { certificate } from '../../fixtures/smtp.js'
import { openRedisStore } from '../../fixtures/store.js'
import { startUnrulyProxy } from '../../fixtures/unruly-proxy.js'
import { until } from '../../fixtures/until.js'

const policy = { name: 'login', capacity: 5, refill: 1, periodMs: 3_600_000 }
const [gone, back] = ['redis_unavailable', 'redis_recovered']
/** How many takes from one bucket each of three replicas admits in an outage. */
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

t.test('a cluster', { buffered: true }, async (t) => {
  const nodes = await startCluster(t, { masters: 3, empty: 1 })
  const [first, , third, empty] = nodes as [ClusterNode, ClusterNode, ClusterNode, ClusterNode]

  t.test('with three masters a batch of many clients is decided exactly [L62]', async (t) => {
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

  t.test('a take whose connection broke is not sent again [L58]', async (t) => {
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
function neighbours (slot: number, count: number): string[] {
  const found = []
  for (let i = 0; found.length < count; i++) {
    const client = `10.${i >> 16 & 255}.${i >> 8 & 255}.${i & 255}`
    if (calculateSlot(keyOf(client)) === slot) found.push(client)
  }
  return found
}

/** Returns when the replica has everything that its master had. In a cluster, the server must have that slot. */
async function replicated ({ client }: RedisServer, slot = 0): Promise<void> {
  // WAIT waits for writes of its own connection, which come after those of others.
  await client.set(`{${keyOf(neighbours(slot, 1)[0]!)}}of the test`, '', 'PX', 60_000)
  await client.wait(1, 0)
}

t.test('after the death of a master its replica takes over, and Redis decides again', { buffered: true }, async (t) => {
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

t.test('when a node of a cluster fails, the fallback decides only for its buckets', { buffered: true }, async (t) => {
  const nodes = await startCluster(t, { masters: 3 })
  const node = `127.0.0.1:${nodes[1]!.port}`
  const [told, changes]: [object[], unknown[]] = [[], []]
  const tell = (details: object): void => { told.push(details) }
  const store = await openStore({
    redisUrl: urlOf(nodes), onRedisFailure: 'closed', redisTimeoutMs: 500
  }, { info: tell, warn: tell, error: tell }, {
    onFallback: ({ to }, failing) => changes.push([to, failing])
  })
  t.after(() => store.close())
  const [ofFirst, ofGone, ofThird] = [100, 7000, 12000].map(slot => neighbours(slot, 1)[0]!) as [string, string, string]
  // The first takes may find no connection yet.
  for (const client of [ofFirst, ofGone, ofThird]) {
    await until(async () => (await store.take(bucketOf(policy, client))).remaining === 4)
  }
  await until(() => changes.length % 2 === 0)
  told.length = changes.length = 0

  nodes[1]!.process.kill('SIGSTOP')
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
  t.same([...seen].sort(), ['of the first: 4', 'of the one that is gone: StoreUnavailable', 'of the third: 4'])
  for (const client of [ofFirst, ofThird]) {
    for (const remaining of [3, 2, 1, 0]) {
      t.match(await store.take(bucketOf(policy, client)), { allowed: true, remaining })
    }
    t.match(await store.take(bucketOf(policy, client)), { allowed: false })
  }
  t.same(changes, [['fallback', 1]])
  t.match(told[0], { code: gone, mode: 'closed', node })
  t.same(told.slice(1).filter(line => !('node' in line && line.node === node)), [])

  nodes[1]!.process.kill('SIGCONT')
  await until(() => changes.length === 2)
  t.same(changes[1], ['redis', 0])
  t.match(told.at(-1), { code: back, node })
  t.equal((await store.take(bucketOf(policy, ofGone))).allowed, true)
})

t.test('a slot that moved to a hanging node does not affect the node that it left', { buffered: true }, async (t) => {
  const nodes = await startCluster(t, { masters: 3 })
  const [left, hanging] = nodes as [ClusterNode, ClusterNode]
  const changes: unknown[] = []
  const told: Array<{ node?: string }> = []
  const store = await openStore({ redisUrl: urlOf(nodes), onRedisFailure: 'closed', redisTimeoutMs: 500 }, {
    info () {}, warn () {}, error: details => told.push(details)
  }, { onFallback: ({ to }, failing) => changes.push([to, failing]) })
  t.after(() => store.close())
  const [moved, stayed] = [100, 300].map(slot => neighbours(slot, 1)[0]!) as [string, string]
  await until(async () => (await store.peek(bucketOf(policy, stayed))).allowed)
  await until(() => changes.length % 2 === 0)
  told.length = changes.length = 0

  await move(100, 1, left, hanging, async () => {})
  hanging.process.kill('SIGSTOP')
  await t.rejects(store.take(bucketOf(policy, moved)), { name: 'StoreUnavailable' })
  t.same(told.map(({ node }) => node), [`127.0.0.1:${hanging.port}`])
  const seen = new Set<string>()
  for (const endMs = performance.now() + 1000; performance.now() < endMs; await setTimeout(5)) {
    seen.add(await store.peek(bucketOf(policy, stayed)).then(({ remaining }) => `${remaining}`, String))
  }
  t.same([...seen], ['5'])
  t.same(changes, [['fallback', 1]])
  hanging.process.kill('SIGCONT')
  await until(async () => (await store.take(bucketOf(policy, moved))).allowed)
  t.same(changes, [['fallback', 1], ['redis', 0]])
})

t.test('a loading node refuses takes at once, and counts none of them later', { buffered: true }, async (t) => {
  const nodes = await startCluster(t, { masters: 3 })
  const first = nodes[0]!
  const store = await openBare(t, urlOf(nodes))
  const client = neighbours(1, 1)[0]!
  await store.take(bucketOf(policy, client))

  const ballast = Array.from({ length: 10_000 }, (_, i) => [`{${keyOf(client)}}${i}`, 'ballast'.repeat(10)])
  await first.client.mset(ballast.flat())
  await first.client.save()
  const kept = [
    'dir', 'dbfilename', 'cluster-config-file', 'cluster-port', 'cluster-node-timeout', 'cluster-require-full-coverage',
    'cluster-announce-ip'
  ]
  const settings = await Promise.all(kept.map(async name =>
    [`--${name}`, (await first.client.config('GET', name) as string[])[1]!]))
  await end(first.process)
  launch(t, ['--port', String(first.port), '--bind', '127.0.0.1', '--save', '', '--cluster-enabled', 'yes',
    ...settings.flat(),
    '--key-load-delay', '1000', '--loading-process-events-interval-bytes', '1024']).stdout!.resume()
  const direct = new Redis(first.port, '127.0.0.1', { enableReadyCheck: false })
  direct.on('error', () => {})
  t.after(() => direct.disconnect())
  await until(async () => /LOADING/.test(await direct.ping().catch(String)))

  const reasonOf = async (): Promise<string> => await store.take(bucketOf(policy, client)).then(() => 'none', String)
  const reasons = new Set<string>()
  const timeUp = AbortSignal.timeout(5000)
  await until(async () => timeUp.aborted || /LOADING|CLUSTERDOWN/.test([...reasons.add(await reasonOf())].join()))
  t.match([...reasons].join(), /LOADING|CLUSTERDOWN/)
  await direct.config('SET', 'key-load-delay', '0')
  let remaining: number | undefined
  await until(async () => { remaining = (await store.take(bucketOf(policy, client))).remaining; return true })
  t.equal(remaining, 3)
})

t.test('a cluster over TLS, with certificates for host names', { buffered: true }, async (t) => {
  const tls = certificate('DNS:localhost')
  const redisUrl = urlOf(await startCluster(t, { masters: 3, tls }))

  t.test('is reached by these names', async (t) => {
    const trusted = join(newDirectory(t, { 'ca.pem': tls.cert }), 'ca.pem')
    const environment = { REDIS_URL: redisUrl, NODE_EXTRA_CA_CERTS: trusted }
    const server = await startServer(t, { ...environment, DATA_DIR: newDirectory(t) })
    await until(async () => /"decides"/.test(await (await fetch(`${server.opsUrl}/readyz`)).text()))
    // Every master is asked for its buckets.
    t.match(await run('cli', ['buckets', 'list'], environment), { code: 0, stdout: /^No bucket/ })
  })

  t.test('and the log names the error of a node whose certificate is not trusted', async (t) => {
    const reasons: string[] = []
    const store = await openStore({ redisUrl, onRedisFailure: 'local' }, {
      info () {},
      warn (details) {
        if (codeOf(details) === 'redis_not_connected') reasons.push((details as { err: Error }).err.message)
      },
      error () {}
    })
    t.after(() => store.close())
    await until(() => reasons.length > 0)
    await setTimeout(1000)
    t.match(reasons, [/^localhost:\d+: self-signed certificate/], 'once, though it tries again and again')
    t.equal(reasons.length, 1)
  })
})

t.test('a silent subscription is replaced within seconds, and resets are noticed', { buffered: true }, async (t) => {
  const nodes = await startCluster(t, { masters: 3 })
  const networks = await Promise.all(nodes.map(async ({ port }) => await startNetwork(t, port)))
  // Every node announces its port on the simulated network, so that it is never reached directly.
  await Promise.all(nodes.map(({ client }, i) => client.config('SET', 'cluster-announce-port', networks[i]!.port)))
  await until(async () => (await Promise.all(
    nodes.map(({ client }) => client.cluster('NODES') as Promise<string>)
  )).every(list => networks.every(({ port }) => list.includes(`127.0.0.1:${port}@`))))

  const url = networks.map(({ port }) => `redis://127.0.0.1:${port}`).join(',')
  const store = withDenyCache(await openBare(t, url))
  let heardKeys = 0
  const subscriber = await openSubscriber(url, 25)
  t.after(() => subscriber.close())
  await subscriber.hear(RESET_CHANNEL, (key) => {
    if (key !== undefined) heardKeys++
    store.forgetDenials(key)
  })

  const subscribedAt = async (): Promise<number> => {
    const subscribers = await Promise.all(nodes.map(async ({ client }) =>
      String(await client.call('CLIENT', 'LIST', 'TYPE', 'pubsub'))))
    return subscribers.findIndex(list => list.includes('gatehouse:subscriber'))
  }
  let silent = -1
  /**
   * Resets a bucket at another node than the subscription's, without the simulated network. @returns whether the
   * replica admits the client again in time
   */
  async function isHeard (before = (): void => {}): Promise<boolean> {
    const other = (silent + 1) % 3
    const client = neighbours([100, 7000, 12000][other]!, 1)[0]!
    while ((await store.take(bucketOf(policy, client))).allowed);
    await nodes[other]!.client.del(keyOf(client))
    before()
    await nodes[other]!.client.publish('gatehouse:reset', keyOf(client))
    const timeUp = AbortSignal.timeout(15_000)
    await until(async () => timeUp.aborted || (await store.take(bucketOf(policy, client))).allowed)
    return !timeUp.aborted
  }
  // A busy machine looks silent, too. The subscription may then move, and the replica drops all cached denials instead
  // of one.
  await until(async () => (silent = await subscribedAt()) >= 0 && await isHeard() && heardKeys > 0 &&
    await subscribedAt() === silent, 'a key is heard of')

  const heardBefore = heardKeys
  t.equal(
    await isHeard(() => { networks[silent]!.cut = true }), true, 'by forgetting everything, since it could not be told'
  )
  t.equal(heardKeys, heardBefore)
  t.not(await subscribedAt(), silent)
  await until(async () => await isHeard() && heardKeys > heardBefore, 'a key is heard of again')
})

t.test('sentinels replace a dead master, and its return changes nothing [L59]', { buffered: true }, async (t) => {
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

t.test('sentinels that answer nonsense are asked until they name the master', { buffered: true }, async (t) => {
  const master = await startRedis(t)
  const proxy = await startUnrulyProxy(t, (await startSentinels(t, master, { replicas: 0 })).port)
  const { log, codes } = keepCodes()
  const redisUrl = `redis+sentinel://127.0.0.1:${proxy.port}/main`
  const store = await openStore({ redisUrl, onRedisFailure: 'local' }, log)
  t.after(() => store.close())
  const decidedByRedis = async (client: string): Promise<boolean> => {
    await store.take(bucketOf(policy, client))
    return await master.client.exists(keyOf(client)) === 1
  }

  const host = '$9\r\n127.0.0.1\r\n'
  const answers = [
    `*2\r\n${host}$5\r\n99999\r\n`, `*2\r\n${host}$1\r\n0\r\n`, `*2\r\n${host}$1\r\nx\r\n`, `*2\r\n${host}:6379\r\n`,
    '*2\r\n$0\r\n\r\n$4\r\n6379\r\n', '*2\r\n:1\r\n$4\r\n6379\r\n',
    '*0\r\n', '*-1\r\n', ':1\r\n', '$!\r\n', '-ERR nonsense\r\n', ''
  ]
  for (const [i, answer] of answers.entries()) {
    await until(() => decidedByRedis(`198.51.100.${i}`), `before ${JSON.stringify(answer)}`)
    let asked = 0
    proxy.distort = (reply) => {
      if (!reply.toString().startsWith(`*2\r\n${host}`)) return [reply]
      asked++
      return [Buffer.from(answer)]
    }
    await master.client.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')
    await master.client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')
    await until(() => asked >= 4, `${JSON.stringify(answer)} is asked for again`)
    t.equal((await store.take(bucketOf(policy, `203.0.113.${i}`))).allowed, true, 'the fallback decides meanwhile')
    proxy.distort = undefined
    await until(() => decidedByRedis(`192.0.2.${i}`), `after ${JSON.stringify(answer)}`)
    await until(
      async () => (await master.client.pubsub('NUMSUB', 'gatehouse:reset') as unknown[])[1] === 1,
      `resets are heard after ${JSON.stringify(answer)}`
    )
  }
  t.equal(codes.at(-1), back)
})

t.test('up to a hundred further sentinels are remembered, if they are possible', { buffered: true }, async (t) => {
  const master = await startRedis(t)
  const proxy = await startUnrulyProxy(t, (await startSentinels(t, master, { replicas: 0 })).port)
  const named = (port: number): string =>
    `*4\r\n$2\r\nip\r\n$9\r\n127.0.0.1\r\n$4\r\nport\r\n$${String(port).length}\r\n${port}\r\n`
  const list = (from: number, count: number): Buffer =>
    Buffer.from(`*${count}\r\n${Array.from({ length: count }, (_, i) => named(from + i)).join('')}`)
  let next = 10_000
  proxy.distort = (reply) => {
    if (reply.toString() !== '*0\r\n') return [reply]
    next += 60
    return [list(next === 10_060 ? 70_000 : next, 60)]
  }
  const redis = await connect(`redis+sentinel://127.0.0.1:${proxy.port}/main`) as Redis
  t.after(() => redis.disconnect())
  const { sentinelIterator } = (redis as unknown as {
    connector: { sentinelIterator: { sentinels: Array<{ port: number }> } }
  }).connector
  await until(() => redis.status === 'ready')
  for (let i = 0; i < 4; i++) {
    redis.stream.destroy()
    await until(() => redis.status !== 'ready')
    await until(() => redis.status === 'ready')
  }
  t.equal(sentinelIterator.sentinels.length, 100)
  t.ok(sentinelIterator.sentinels.every(({ port }) => port < 65536))
})

t.test('a connection that ioredis gives up is made again, until it is closed', { buffered: true }, async (t) => {
  const server = await startRedis(t)
  const redis = await connect(server.url) as Redis
  t.after(() => redis.disconnect())
  const { connector } = redis as unknown as { connector: { connect: () => Promise<never> } }
  let attempts = 0
  connector.connect = async () => {
    if (++attempts === 3) delete (connector as { connect?: unknown }).connect
    throw new Error('impossible')
  }
  redis.stream.destroy()
  await until(() => redis.status === 'end')
  await until(() => redis.status === 'ready')
  t.equal(attempts, 3)
  redis.disconnect()
  await until(() => redis.status === 'end')
  await setTimeout(500)
  t.equal(redis.status, 'end')
})

t.test('sentinels replace a hanging master, and it gets no takes when it wakes up', { buffered: true }, async (t) => {
  const master = await startRedis(t)
  const replica = await startReplica(t, master)
  const sentinels = await startSentinels(t, master)
  const replicas = await openThree(t, sentinels.url)
  await replicas.takeOfEach(2)
  await replicated(master)
  await replicas.goThroughOutage(() => master.process.kill('SIGSTOP'))
  await replicas.admittedAtMost(0)
  await replicas.hearOfResets()
  master.process.kill('SIGCONT')
  await until(async () => (await master.client.role())[0] === 'master')
  for (const client of await replicas.decidedBy(replica)) t.equal(await master.client.get(keyOf(client)), null)
})

t.test('a failover loses only takes that had not reached the replica', { buffered: true }, async (t) => {
  const master = await startRedis(t)
  const network = await startNetwork(t, master.port)
  const replica = await startReplica(t, master, network.port)
  const sentinels = await startSentinels(t, master)
  const replicas = await openThree(t, sentinels.url)
  await replicas.takeOfEach(2)
  await replicated(master)
  network.cut = true
  await replicas.takeOfEach(3)
  await replicas.admittedAtMost(0)
  // Meanwhile only other clients take, so no local share of these buckets is used.
  await replicas.goThroughOutage(() => master.process.kill('SIGKILL'), [])
  t.equal(await replicas.admittedAtMost(3), 3)
  t.equal(await sentinels.master(), replica.port)
})

t.test('an old master with min-replicas-to-write is left for the new one', { buffered: true }, async (t) => {
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
      await until(async () => {
        await admitted.round(stores, [...asking, stranger()])
        return lines.every(own => own.at(-1)?.code === back)
      })
      for (const own of lines) {
        const said = own.map(({ code, reason, atMs }) => `after ${Math.round(atMs - failedAtMs)} ms: ${reason ?? code}`)
        t.comment(said.join('; '))
      }
    },

    /**
     * Takes until every take is refused, and checks how many were admitted: at most the limit, the lost takes, and the
     * local shares of each outage.
     *
     * @returns the smallest number of takes that a bucket admitted beyond the limit
     */
    async admittedAtMost (lost: number): Promise<number> {
      while (await admitted.round(stores, clients)) await setTimeout(1)
      const beyond = clients.map(client => admitted.get(client)! - policy.capacity)
      t.comment(
        `${clients.length} buckets admitted ${sum(beyond)} beyond the limit, at most ${Math.max(...beyond)} each`
      )
      t.ok(
        Math.max(...beyond) <= lost + SHARE * outages(),
        `${Math.max(...beyond)} of ${lost} lost and ${outages()} shares of ${SHARE}`
      )
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
          return await server.client.get(keyOf(client)) === '1'
        })
        return client
      }))
    }
  }
}
