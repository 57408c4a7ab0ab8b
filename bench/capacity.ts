import { Redis } from 'ioredis'
import autocannon, { type Request } from 'autocannon'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { parseLimits } from '#src/limiter/limits/limits-file.js'
import { createRedisStore } from '#src/limiter/redis/redis-store.js'
import { connect } from '#src/limiter/redis/redis-connection.js'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { startCluster } from '../test/fixtures/redis.js'
import { testClients } from './calls.js'
import { atMost, fixed, median, medianRatio, type Part } from './report.js'
import { startService, type Service } from './service.js'

const ROUNDS = 5
const SECONDS = 4
const CONNECTIONS = 64

interface Kind {
  name: string
  requests: Request[]
  status: '2xx' | '4xx'
  connections: number
}

interface Sample { perSecond: number, cpuUs: number, redisUs: number }

/**
 * What one replica and the Redis behind it spend on a request. The CPU time of a request hardly depends on the load of
 * the machine, and shows how many requests a core can serve.
 */
export async function measureCapacity (t: Lifetime, redisUrl: string): Promise<Part> {
  const service = await startService(t, redisUrl)
  const redis = new Redis(redisUrl)
  const authorization = `Bearer ${service.token}`
  const from = (client: string) => ({ 'x-forwarded-for': client })
  const kinds: Kind[] = [
    {
      name: 'GET /api/auth/me, admitted',
      requests: testClients(1000)
        .map(client => ({ path: '/api/auth/me', headers: { authorization, ...from(client) } })),
      status: '2xx',
      connections: CONNECTIONS
    },
    {
      name: 'the same, refused',
      requests: testClients(200)
        .map((_, i) => ({ path: '/api/auth/me', headers: { authorization, ...from(`203.0.113.${i}`) } })),
      status: '4xx',
      connections: CONNECTIONS
    },
    {
      name: 'POST /api/auth/login, bcrypt cost 12',
      requests: testClients(200).map(client => ({
        method: 'POST',
        path: '/api/auth/login',
        body: JSON.stringify(service.credentials),
        headers: { 'content-type': 'application/json', ...from(client) }
      })),
      status: '2xx',
      connections: 4
    }
  ]
  const samples = new Map<Kind, Sample[]>(kinds.map(kind => [kind, []]))
  for (let round = -1; round < ROUNDS; round++) {
    for (const kind of kinds) {
      const sample = await load(service, redis, kind)
      if (round >= 0) samples.get(kind)!.push(sample) // the first is a warm-up
    }
  }
  redis.disconnect()
  return {
    title: 'What a replica carries',
    note: `One process, its Redis and its PostgreSQL, ${CONNECTIONS} connections (4 for logins) of many clients, ` +
      `${SECONDS} s at a time; medians of ${ROUNDS} rounds.\n` +
      'The load shares the machine, so what a core carries is its second divided by the CPU that the process spends ' +
        'on a request.',
    header: ['', 'requests/s here', 'replica CPU µs', 'a core carries', 'Redis CPU µs'],
    rows: kinds.map((kind) => {
      const of = (what: keyof Sample): number => median(samples.get(kind)!.map(sample => sample[what]))
      return [
        kind.name, of('perSecond').toFixed(0), of('cpuUs').toFixed(1),
        (1e6 / of('cpuUs')).toFixed(of('cpuUs') > 10_000 ? 1 : 0), of('redisUs').toFixed(2)
      ]
    }),
    aims: []
  }
}

async function load (service: Service, redis: Redis, { requests, status, connections }: Kind): Promise<Sample> {
  const before = (await service.metrics())('process_cpu_seconds_total')
  const redisBefore = await cpuSeconds([redis])
  const result = await autocannon({ url: service.url, connections, duration: SECONDS, requests, workers: 1 })
  const { total } = result.requests
  // A bucket admits its first request even if all others are refused.
  if (result.errors > 0 || total - result[status] > requests.length) {
    throw new Error(`${result[status]} of ${total} requests were answered with ${status}`)
  }
  return {
    perSecond: total / result.duration,
    cpuUs: ((await service.metrics())('process_cpu_seconds_total') - before) * 1e6 / total,
    redisUs: (await cpuSeconds([redis]) - redisBefore) * 1e6 / total
  }
}

const DECISIONS = 60_000
const IN_FLIGHT = 64
const { policies: { general: policy } } = parseLimits(
  '{"policies":{"general":{"capacity":1000000,"refill":99999,"period":"1s"}}}'
)

/** The same takes of one process, decided by one Redis and by a cluster, in turns. */
export async function measureCluster (t: Lifetime, redisUrl: string): Promise<Part> {
  const nodes = await startCluster(t, { masters: 3 })
  const clusterUrl = nodes.map(({ url }) => url).join(',')
  const ways = [
    { name: 'one Redis', store: createRedisStore(await connect(redisUrl)), nodes: [new Redis(redisUrl)] },
    {
      name: `a cluster of ${nodes.length} masters`,
      store: createRedisStore(await connect(clusterUrl)),
      nodes: nodes.map(({ client }) => client)
    }
  ].map(way => ({ ...way, perSecond: [] as number[], cpuUs: [] as number[], redisUs: [] as number[] }))
  const clients = testClients(5000)
  for (let round = -1; round < ROUNDS; round++) {
    for (const way of ways) {
      const redisBefore = await cpuSeconds(way.nodes)
      const before = process.cpuUsage()
      const startedMs = performance.now()
      let started = 0
      await Promise.all(Array.from({ length: IN_FLIGHT }, async () => {
        while (started < DECISIONS) await way.store.take(bucketOf(policy, clients[started++ % clients.length]!))
      }))
      const { user, system } = process.cpuUsage(before)
      if (round < 0) continue // a warm-up
      way.perSecond.push(DECISIONS / (performance.now() - startedMs) * 1000)
      way.cpuUs.push((user + system) / DECISIONS)
      way.redisUs.push((await cpuSeconds(way.nodes) - redisBefore) * 1e6 / DECISIONS)
    }
  }
  ways[0]!.nodes[0]!.disconnect()
  await Promise.all(ways.map(({ store }) => store.close()))
  return {
    title: 'What a Redis carries',
    note: `${DECISIONS} takes of ${clients.length} clients, ${IN_FLIGHT} in flight; CPU of all nodes together; ` +
      `medians of ${ROUNDS} rounds.`,
    header: ['', 'Redis CPU µs', 'a node carries', 'Node CPU µs', 'decisions/s here'],
    rows: ways.map(({ name, perSecond, cpuUs, redisUs }) => [
      name, fixed(median(redisUs)), (1e6 / median(redisUs)).toFixed(0), fixed(median(cpuUs)),
      median(perSecond).toFixed(0)
    ]),
    aims: [
      atMost('CPU of a cluster, times one Redis', 2, medianRatio(ways[1]!.redisUs, ways[0]!.redisUs)),
      atMost('CPU of Node with a cluster, times one Redis', 2, medianRatio(ways[1]!.cpuUs, ways[0]!.cpuUs))
    ]
  }
}

/** Of all threads of all nodes, in user mode and in the kernel. */
async function cpuSeconds (nodes: Redis[]): Promise<number> {
  const infos = await Promise.all(nodes.map(node => node.info('cpu')))
  return infos.flatMap(info =>
    ['used_cpu_user', 'used_cpu_sys'].map(name => Number(new RegExp(`^${name}:(.*)$`, 'm').exec(info)![1])))
    .reduce((sum, seconds) => sum + seconds, 0)
}
