// The rights in docs/reference.md suffice for the service, and a missing one lifts no limit.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import calculateSlot from 'cluster-key-slot'
import { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { CheckResult } from '#src/doctor/run-checks.js'
import type { StoreUnavailable } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { openStore } from '#src/limiter/store.js'
import { newClient } from '../fixtures/app.js'
import { command } from '../fixtures/command.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { noOpenssl } from '../fixtures/openssl.js'
import { codeOf } from '../fixtures/log.js'
import { root } from '../fixtures/markdown.js'
import { startServer, type RunningServer } from '../fixtures/process.js'
import { cliEnvironment, freePort, startCluster, startRedis, type ClusterNode } from '../fixtures/redis.js'
import { demoDatabase } from '../fixtures/shared-postgres.js'
import { certificate } from '../fixtures/smtp.js'
import { openRedisStore } from '../fixtures/store.js'
import { until } from '../fixtures/until.js'

/** Those of docs/reference.md: what the service does with Redis, and nothing else. */
const rights = [
  'resetkeys', '~gatehouse:*', 'resetchannels', '&gatehouse:*', '-@all', '+evalsha', '+eval', '+get', '+mget',
  '+set', '+del', '+incrby', '+pttl', '+pexpire', '+pexpireat', '+pexpiretime', '+time', '+zadd', '+zrem', '+zrange',
  '+zcard', '+zremrangebyscore', '+publish', '+subscribe', '+unsubscribe', '+lpush', '+lrange',
  '+ltrim', '+scan', '+info', '+client|setname'
]

/** The additional rights for the nodes of a cluster. */
const clusterRights = ['+cluster|slots', '+cluster|info', '+ping', '+asking']

/** The commands of a page, as they are printed. */
const printed = /^```sh\n(redis-cli ACL SETUSER [^]*?)^```/m.exec(
  readFileSync(join(root, 'docs/reference.md'), 'utf8'))?.[1] ?? ''

/** Matches what docs/reference.md lists: in the tables of keys and channels, a word in capitals stands for any text. */
const listed = new RegExp(`^(${[...readFileSync(join(root, 'docs/reference.md'), 'utf8').matchAll(/^\|.*\|$/gm)]
  .flatMap(([row]) => [...row.split('|')[1]!.matchAll(/`(gatehouse:[^`]+)`/g)].map(([, name]) => name!))
  .map(name => name.replaceAll(/[*{}]/g, '\\$&').replaceAll(/[A-Z]+/g, '.+')).join('|')})$`)

/** What the log says went wrong. */
const troubles = ({ logs }: RunningServer): object[] => logs.filter(line => Number(line.level) > 30)

const startService = async (t: Test, environment: NodeJS.ProcessEnv): Promise<RunningServer> => await startServer(t, {
  ...environment, DATABASE_URL: await demoDatabase(), TRUST_PROXY: '127.0.0.1', DATA_DIR: newDirectory(t)
})

/** Logs in as a new client. */
async function logInSevenTimes (server: RunningServer): Promise<[client: string, statuses: number[]]> {
  const client = newClient()
  const statuses = []
  for (let i = 0; i < 7; i++) {
    const { status } = await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
      body: '{"username":"demo","password":"gatehouse-demo"}'
    })
    statuses.push(status)
  }
  return [client, statuses]
}

/** What gatehouse doctor finds of the rights. */
async function rightsByDoctor (environment: NodeJS.ProcessEnv): Promise<object | undefined> {
  const { stdout } = await command(['doctor', '--json'], environment)
  return (JSON.parse(stdout) as { findings: CheckResult[] }).findings.find(({ check }) => check === 'redis-rights')
}

// As three lines for redis-cli, the rights were those of the first line.
t.test('the printed command, run by a shell, makes the user with all the rights', async (t) => {
  const redis = await startRedis(t)
  await redis.client.call('ACL', 'SETUSER', 'expected', 'on', '>PASSWORD', ...rights)

  const output = execFileSync('sh', ['-c', printed.replace('redis-cli', `redis-cli -p ${redis.port}`)], {
    encoding: 'utf8', env: cliEnvironment()
  })

  t.equal(output.trim(), 'OK')
  t.same(await redis.client.call('ACL', 'GETUSER', 'gatehouse'), await redis.client.call('ACL', 'GETUSER', 'expected'))
})

/** What needs a right is done, by the service and by commands. */
async function isUsed (t: Test, server: RunningServer, environment: NodeJS.ProcessEnv): Promise<void> {
  const [client, statuses] = await logInSevenTimes(server)
  t.same(statuses, [200, 200, 200, 200, 200, 429, 429])
  t.match(await command(['buckets', 'list'], environment), { code: 0, stdout: new RegExp(`login +${client} +0 `) })
  t.match(await command(['buckets', 'reset', 'login', client], environment), { code: 0 })
  t.match(await command(['limits', 'set', 'login', '--capacity', '6'], environment), {
    code: 0, stdout: /^Version 1, held by 1 of 1 replicas/
  })
  t.match(await command(['limits', 'unset', 'login'], environment), { code: 0 })
  t.match(await command(['limits', 'history'], environment), { code: 0 })
}

/** A Redis with TLS whose user has the documented rights, and the URLs for that user. */
async function startWithRights (t: Test) {
  const { key, cert } = certificate()
  const directory = newDirectory(t, { 'key.pem': key, 'cert.pem': cert })
  const [keyFile, certFile] = [join(directory, 'key.pem'), join(directory, 'cert.pem')]
  const tlsPort = await freePort()
  const redis = await startRedis(t, {
    args: [
      '--tls-port', String(tlsPort), '--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file',
      certFile, '--tls-auth-clients', 'no'
    ]
  })
  await redis.client.call('ACL', 'SETUSER', 'gatehouse', 'on', '>a-password-of-redis', ...rights)
  return {
    redis,
    overTls: {
      REDIS_URL: `rediss://gatehouse:a-password-of-redis@127.0.0.1:${tlsPort}`, NODE_EXTRA_CA_CERTS: certFile
    },
    // Node reads NODE_EXTRA_CA_CERTS only when a process starts.
    plain: { REDIS_URL: `redis://gatehouse:a-password-of-redis@127.0.0.1:${redis.port}` }
  }
}

t.test('over TLS and with the documented rights, the service limits, resets, lists and is counted', {
  skip: noOpenssl
}, async (t) => {
  const { redis, overTls, plain } = await startWithRights(t)
  const server = await startService(t, overTls)
  await isUsed(t, server, plain)

  t.equal(await redis.client.zcard('gatehouse:replicas'), 1)
  t.equal((await redis.client.keys('gatehouse:replica:*')).length, 1, 'it says what it is')
  const channels = await redis.client.call('PUBSUB', 'CHANNELS') as string[]
  t.same([...await redis.client.keys('*'), ...channels].filter(name => !listed.test(name)), [], 'all are documented')
  t.match(await (await fetch(`${server.opsUrl}/readyz`)).json(), { status: 'ready', redis: 'decides' })
  t.equal(await server.stop(), 0)
  t.same(troubles(server), [], 'nothing went wrong meanwhile')
  t.match(await rightsByDoctor(plain), { status: 'ok' })
  // Doctor asked for a setting that the user may not read.
  t.same(await redis.client.call('ACL', 'LOG'), [], 'nothing was denied')
})

t.test('a right that lacks is named by what needs it, and no other is documented', { skip: noOpenssl }, async (t) => {
  const { redis, plain } = await startWithRights(t)
  const user = new Redis(plain.REDIS_URL, { lazyConnect: true, enableReadyCheck: false })
  await user.connect()
  t.after(() => user.disconnect())
  for (const forbidden of [
    ['GET', 'someone:else'], ['FLUSHALL'], ['KEYS', '*'], ['CONFIG', 'GET', '*'], ['PUBLISH', 'other', 'x']
  ]) {
    await t.rejects(user.call(...forbidden as [string]), /NOPERM/, forbidden.join(' '))
  }

  await redis.client.call('ACL', 'SETUSER', 'gatehouse', '-lpush', '-lrange', '-ltrim')
  t.match(await rightsByDoctor(plain), { status: 'action', found: /to change limits while it runs \(NOPERM/ })
  t.match(await command(['limits', 'history'], plain), { code: 1, stderr: /refuses: .*NOPERM/ })
  await redis.client.call('ACL', 'SETUSER', 'gatehouse', 'resetkeys', '~gatehouse:bucket:*', '~gatehouse:replica*')
  t.match(await command(['limits', 'show'], plain), { code: 1, stderr: /refuses: .*NOPERM/ })
})

t.test('a missing right makes no limit unlimited, and the log says what it costs', async (t) => {
  const redis = await startRedis(t)
  const login = { name: 'login', capacity: 5, refill: 1, periodMs: 3_600_000 }
  const told: Record<string, RegExp> = {}
  for (const right of ['+evalsha', '+mget', '+set', '+pttl', '+pexpireat', '+pexpiretime']) {
    told[right] = /^redis_unavailable NOPERM/
  }
  for (const right of ['+pexpire', '+time', '+zadd', '+zcard', '+zremrangebyscore']) {
    told[right] = /^replicas_uncounted/
  }
  told['+subscribe'] = /^resets_unheard/

  await Promise.all(rights.filter(right => right.startsWith('+')).map(async (right, i) => {
    await redis.client.call('ACL', 'SETUSER', `user-${i}`, 'on', '>a-password-of-redis', ...rights.filter(other =>
      other !== right))
    const lines: string[] = []
    const note = (details: object): void => {
      lines.push(`${codeOf(details)} ${(details as { err?: StoreUnavailable }).err?.reason ?? ''}`)
    }
    const store = await openStore(
      {
        redisUrl: `redis://user-${i}:a-password-of-redis@127.0.0.1:${redis.port}`,
        onRedisFailure: 'local',
        redisTimeoutMs: 2000
      },
      { info: note, warn: note, error: note })
    t.after(() => store.close())
    let [admitted, takes] = [0, 0]
    const expected = told[right]
    await until(async () => {
      admitted += Number((await store.take(bucketOf(login, `without ${right}`))).allowed)
      // So many take long enough for several new attempts to reach Redis.
      return ++takes >= 30 && (!expected || lines.some(line => expected.test(line)))
    }, `without ${right}: ${expected ?? 'nothing'}`)
    // Redis admits the limit, and the fallback a local share that depends on how many replicas are counted.
    t.ok(admitted > 0 && admitted <= 10, `without ${right} ${admitted} are admitted`)
  }))
})

t.test('a command that the provider renamed away is named like a right that lacks', async (t) => {
  for (const renamed of ['PEXPIRETIME', 'SUBSCRIBE']) {
    const redis = await startRedis(t, { args: ['--rename-command', renamed, ''] })
    t.match(await rightsByDoctor({ REDIS_URL: redis.url }), {
      status: 'action', found: /^Redis does not permit to (take tokens|hear of resets) \(ERR .*unknown.*/i
    })
  }
})

t.test('with the documented rights in a cluster, the service limits, resets, lists and follows slots', async (t) => {
  const nodes = await startCluster(t, { masters: 3 })
  for (const { client } of nodes) {
    await client.call('ACL', 'SETUSER', 'gatehouse', 'on', '>a-password-of-redis', ...rights, ...clusterRights)
  }
  const environment = {
    REDIS_URL: `redis://gatehouse:a-password-of-redis@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`
  }

  const server = await startService(t, environment)
  await isUsed(t, server, environment)
  t.match(await rightsByDoctor(environment), { status: 'ok' })
  t.equal(await server.stop(), 0)
  t.same(troubles(server), [], 'nothing went wrong meanwhile')
  const { stdout } = await command(['doctor'], { REDIS_URL: `redis://127.0.0.1:${nodes[0]!.port}` })
  t.match(stdout, /\naction +redis +Redis at .* is unavailable: REDIS_URL names one node of a cluster: name several/)
  for (const { client } of nodes) await client.call('ACL', 'LOG', 'RESET')

  const other = '192.0.2.1'
  const login = { name: 'login', capacity: 5, refill: 1, periodMs: 1000 }
  const slot = calculateSlot(bucketOf(login, other).key)
  const [from, to] = [
    nodes[Math.floor(slot / (16384 / 3))], nodes[(Math.floor(slot / (16384 / 3)) + 1) % 3]
  ] as [ClusterNode, ClusterNode]
  await to.client.cluster('SETSLOT', slot, 'IMPORTING', from.id)
  await from.client.cluster('SETSLOT', slot, 'MIGRATING', to.id)
  const store = await openRedisStore(t, environment.REDIS_URL)
  t.match(await store.take(bucketOf(login, other)), { allowed: true, remaining: 4 })
  t.match(await to.client.info('keyspace'), 'keys=', 'its bucket is new, and where the slot moves to')

  for (const { client } of nodes) t.same(await client.call('ACL', 'LOG'), [], 'nothing was denied')

  await to.client.call('ACL', 'SETUSER', 'gatehouse', '-asking')
  await t.rejects(
    store.take(bucketOf(login, other)), { name: 'StoreUnavailable' }, 'a right that lacks ends no process'
  )
})

t.end()
