import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { parseRedisUrl } from '../../src/limiter/redis.js'
import { openStore } from '../../src/limiter/store.js'
import { freePort, launch, startRedis } from '../fixtures/redis.js'

const policy = { name: 'login', capacity: 5, refill: 1, periodMs: 60_000 }

async function open (t: Test, redisUrl: string) {
  const lines: string[] = []
  const store = await openStore({ redisUrl, onRedisFailure: 'local' }, {
    info: message => lines.push(message), warn () {}, error: (details, message) => lines.push(message, String((details as { err: Error }).err.message))
  })
  t.after(() => store.close())
  return { store, lines }
}

async function until (claim: () => Promise<boolean>): Promise<void> {
  while (!await claim()) await new Promise(resolve => setTimeout(resolve, 20))
}

t.test('a URL names a server, a cluster or the sentinels of a master', async (t) => {
  t.match(parseRedisUrl('redis://redis'), { nodes: [{ host: 'redis', port: 6379 }], credentials: {} })
  t.match(parseRedisUrl('rediss://ops:p%40ss@[::1]:7000/2'), { protocol: 'rediss', credentials: { username: 'ops', password: 'p@ss' }, nodes: [{ host: '::1', port: 7000 }] })
  for (const url of ['redis://:secret@a:1,b:2,c', 'redis://:secret@a:1,redis://b:2, redis://c']) {
    t.same(parseRedisUrl(url), { protocol: 'redis', credentials: { password: 'secret' }, nodes: [{ host: 'a', port: 1 }, { host: 'b', port: 2 }, { host: 'c', port: 6379 }], path: '' })
  }
  t.match(parseRedisUrl('redis+sentinel://a,b:1/main'), { nodes: [{ host: 'a', port: 26379 }, { host: 'b', port: 1 }], path: 'main' })
  t.match(parseRedisUrl('redis://u:pa:ss@a,b'), { credentials: { username: 'u', password: 'pa:ss' } })
  t.throws(() => parseRedisUrl('redis://u:50%off@a'), /write % as %25/)
  for (const url of ['redis://a:99999', 'redis://a,b/1', '', 'redis://', 'http://a', 'localhost:6379', 'redis://a:b', 'redis+sentinel://a', 'redis://a,,b', 'redis://a/b/c']) {
    t.throws(() => parseRedisUrl(url), RangeError, url)
  }
})

t.test('L62: on a cluster of three masters a batch of many clients is decided by all of them, exactly', async (t) => {
  const dir = t.testdir()
  const nodes = await Promise.all([1, 2, 3].map(async () => {
    const port = await freePort()
    return await startRedis(t, { port, args: ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort()), '--cluster-require-full-coverage', 'no', '--dir', dir, '--cluster-config-file', `nodes-${port}.conf`] })
  }))
  const create = launch('redis-cli', ['--cluster', 'create', ...nodes.map(({ port }) => `127.0.0.1:${port}`), '--cluster-yes'])
  t.same((await once(create, 'exit'))[0], 0)
  await until(async () => (await Promise.all(nodes.map(({ client }) => client.cluster('INFO')))).every(info => info.includes('cluster_state:ok')))

  const { store, lines } = await open(t, nodes.map(({ url }) => url).join(','))
  const clients = Array.from({ length: 40 }, (_, i) => `192.0.2.${i}`)
  const verdicts = await Promise.all(clients.flatMap(client => Array.from({ length: 8 }, async () => ({ client, ...await store.take(policy, client) }))))
  for (const client of clients) t.equal(verdicts.filter(verdict => verdict.client === client && verdict.allowed).length, 5, client)
  t.same(lines, [], 'Redis decided, not the fallback')
  const sizes = await Promise.all(nodes.map(({ client }) => client.dbsize()))
  t.equal(sizes.reduce((sum, size) => sum + size), 41, 'forty buckets, and the set of the replicas')
  t.ok(sizes.every(size => size > 0), `buckets on the nodes: ${sizes.join(', ')}`)

  const listed = []
  for await (const { client } of store.list({ policy: 'login' })) listed.push(client)
  t.same(listed.sort(), [...clients].sort())
  t.equal(await store.reset({ policy: 'login', client: '192.0.2.1' }), true)
  t.equal((await store.take(policy, '192.0.2.1')).remaining, 4)
})

t.test('L59: after a failover the sentinels\' new master decides', async (t) => {
  const master = await startRedis(t)
  const replica = await startRedis(t, { args: ['--replicaof', '127.0.0.1', String(master.port)] })
  await until(async () => (await replica.client.info('replication')).includes('master_link_status:up'))
  const port = await freePort()
  const file = join(t.testdir(), 'sentinel.conf')
  writeFileSync(file, [`port ${port}`, 'bind 127.0.0.1', `sentinel monitor main 127.0.0.1 ${master.port} 1`,
    'sentinel down-after-milliseconds main 500', 'sentinel failover-timeout main 2000', ''].join('\n'))
  const sentinel = launch('redis-server', [file, '--sentinel'])
  t.after(async () => {
    sentinel.kill('SIGKILL')
    await once(sentinel, 'exit')
  })
  const watcher = new Redis(port, '127.0.0.1')
  watcher.on('error', () => {})
  t.after(() => watcher.disconnect())
  await until(async () => String(await watcher.call('SENTINEL', 'REPLICAS', 'main').catch(() => '')).includes(String(replica.port)))

  const { store, lines } = await open(t, `redis+sentinel://127.0.0.1:${port}/main`)
  for (let i = 0; i < 3; i++) await store.take(policy, '192.0.2.50')
  await master.client.wait(1, 1000)
  await watcher.call('SENTINEL', 'FAILOVER', 'main')
  await until(async () => String(await watcher.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', 'main')).includes(String(replica.port)))

  // The takes of the change-over are the fallback's; what was taken before is known to the new master.
  const before = Number(await replica.client.get('gatehouse:bucket:login:192.0.2.50'))
  await until(async () => {
    await store.take(policy, `another ${Math.random()}`)
    return (await replica.client.dbsize()) > 1 && lines.at(-1) !== 'Redis does not decide: the fallback does'
  })
  t.equal(before, 3)
  t.equal((await store.take(policy, '192.0.2.50')).remaining, 1)
})
