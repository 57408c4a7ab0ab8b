import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import { revokeTokens } from '#src/auth/account-changes.js'
import { openDatabase } from '#src/database/database.js'
import { startBalancer } from '../test/fixtures/balancer.js'
import { newDirectory, type Lifetime } from '../test/fixtures/lifetime.js'
import { startNetwork } from '../test/fixtures/network.js'
import { startPostgres, startStandby } from '../test/fixtures/postgres.js'
import { run } from '../test/fixtures/process.js'
import { startRedis, startReplica as startRedisReplica, startSentinels } from '../test/fixtures/redis.js'
import { until } from '../test/fixtures/until.js'
import { atMost, print, type Part } from './report.js'
import { createUsers, startReplica, type Replica } from './service.js'
import { GREEDY, keepEchoing, soakKinds, type World } from './soak-kinds.js'
import { startTraffic, trackFaults, type Faults, type Tally } from './soak-traffic.js'

const REPLICAS = 3
const USERS = 40
const REVOKE_EVERY_MS = 10_000
/** Three cold replicas open their first connections at once. Here they share their cores with PostgreSQL. */
const WARM_UP_MS = 10_000
const GROUPS = ['module', 'me', 'login', 'WebSocket']
const HEADER = [
  'minute', 'requests', ...GROUPS.map(group => `${group} p50/p99 ms`), 'RSS MiB', '503 allowed', 'wrong inside',
  'wrong outside', 'faults'
]

/** Everything that ordinary days bring, one after the other, under mixed traffic. Sets the exit status. */
export async function measureSoak (t: Lifetime, minutes: number, logs?: string): Promise<Part> {
  const stage = await setUp(t, logs)
  const { world, faults, replicas } = stage
  const traffic = startTraffic(soakKinds(world), faults)
  const over = new AbortController()
  const others = [
    ...['10.255.0.1', '10.255.0.2', '10.255.0.3'].map(client => keepEchoing(world, traffic, client, over.signal)),
    stage.keepRevoking(over.signal), inTurn(stage, minutes * 60_000)
  ]
  await setTimeout(WARM_UP_MS)
  traffic.look()
  traffic.wrong.length = 0
  const rows: string[][] = []
  const tallies: Tally[] = []
  const memory: number[] = []
  print(`${HEADER.join(' | ')}\n`)
  for (let minute = 1; minute <= minutes; minute++) {
    await setTimeout(60_000)
    const tally = traffic.look()
    const pages = await Promise.all(replicas.map(({ metrics }) => metrics()))
    const rss = pages.map(number => number('process_resident_memory_bytes'))
    memory.push(Math.max(...rss) / 2 ** 20)
    tallies.push(tally)
    rows.push(rowOf(minute, tally, rss))
    print(`${rows.at(-1)!.join(' | ')}\n`)
  }
  over.abort()
  await Promise.all([traffic.stop(), ...others])
  for (const line of traffic.wrong) print(`${line}\n`)

  const sum = (of: 'requests' | 'wrongInside' | 'wrongOutside'): number =>
    [...tallies, traffic.look()].reduce((total, tally) => total + tally[of], 0)
  // The release starts new processes. These take two minutes to grow.
  const settled = memory.slice(Math.ceil(minutes * 0.4) + 2)
  const aims = [
    atMost('wrong answers inside the windows of faults', 0, sum('wrongInside')),
    atMost('wrong answers outside', 0, sum('wrongOutside')),
    atMost('largest RSS at the end to that after the release', 1.25, (settled.at(-1) ?? 1) / (settled[0] ?? 1))
  ]
  if (!aims.every(({ met }) => met)) process.exitCode = 1
  return {
    title: 'Soak',
    note: `${minutes} minutes, ${sum('requests')} requests, three replicas behind HAProxy.`,
    header: HEADER,
    rows,
    aims
  }
}

function rowOf (minute: number, tally: Tally, rss: number[]): string[] {
  const times = GROUPS.map((group) => {
    const sorted = (tally.times.get(group) ?? []).toSorted((a, b) => a - b)
    return [0.5, 0.99].map(share => sorted[Math.floor(share * sorted.length)]?.toFixed(0) ?? '-').join('/')
  })
  return [
    String(minute), String(tally.requests), ...times, rss.map(bytes => (bytes / 2 ** 20).toFixed(0)).join(' '),
    String(tally.unavailable), String(tally.wrongInside), String(tally.wrongOutside), [...tally.faults].join(', ')
  ]
}

interface Stage {
  world: World
  faults: Faults
  replicas: Replica[]
  /** What happens during the soak, by the share of its time at which it starts. */
  events: Array<[at: number, name: string, action: () => Promise<void>]>
  /** Revokes tokens that were just used. Each must be refused everywhere a second later. */
  keepRevoking: (over: AbortSignal) => Promise<void>
}

async function setUp (t: Lifetime, logs: string | undefined): Promise<Stage> {
  const [postgres, master] = await Promise.all([startPostgres(t), startRedis(t)])
  const [standby, redisReplica] = await Promise.all([startStandby(t, postgres), startRedisReplica(t, master)])
  const sentinels = await startSentinels(t, master, { count: 3 })
  const writer = await startNetwork(t, postgres.port)
  const databaseUrl = postgres.url.replace(`:${postgres.port}/`, `:${writer.port}/`)
  const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}.${i}`)
  const accounts = await createUsers(databaseUrl, [...names('pupil', USERS), ...names('leaver', 400)], 10)
  const environment = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: sentinels.url,
    MODULES: `/api/student=${await startModule(t)},/api/notices=${await startModule(t)};public`,
    BCRYPT_COST: '10',
    DATA_DIR: newDirectory(t)
  }
  const balancer = await startBalancer(t, REPLICAS + 1)
  const free = [...balancer.places]
  const start = async (): Promise<Replica> => {
    const place = free.pop()!
    const log = logs === undefined ? undefined : join(logs, `replica-${place.PORT}.log`)
    const replica = await startReplica(t, { ...environment, ...place }, log)
    return {
      ...replica,
      async stop () {
        await replica.stop()
        free.push(place)
      }
    }
  }
  const replicas = await Promise.all(Array.from({ length: REPLICAS }, start))
  await balancer.serves(REPLICAS)

  const startedMs = performance.now()
  let raised = false
  const world: World = {
    url: `http://127.0.0.1:${balancer.port}`,
    users: [],
    revoked: [],
    // The bucket, what it gets a minute, and one local share of each replica. Each number is rounded up.
    allowance: () => raised ? Infinity : 100 + 10 * Math.ceil((performance.now() - startedMs) / 60_000) + 3 * 34 + 12
  }
  let logins = 0
  const tokenOf = async (account: { username: string, password: string }): Promise<string> => {
    const reply = await fetch(`${world.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.254.${logins >> 8}.${logins++ & 255}` },
      body: JSON.stringify(account)
    })
    return (await reply.json() as { data: { token: string } }).data.token
  }
  for (const account of accounts.slice(0, USERS)) world.users.push({ ...account, token: await tokenOf(account) })

  return {
    world,
    replicas,
    faults: trackFaults(),
    events: [
      [0.15, 'Redis failover', async () => {
        master.process.kill('SIGKILL')
        await until(async () => await sentinels.master() === redisReplica.port)
        await startRedisReplica(t, redisReplica, redisReplica.port, { port: master.port })
      }],
      [0.3, 'live change', async () => {
        const { code, stderr } = await run('cli', ['limits', 'set', 'general', '--network', `${GREEDY}/32`,
          '--capacity', '1000', '--refill', '600', '--period', '1m', '--why', 'soak'], { REDIS_URL: sentinels.url })
        if (code !== 0) throw new Error(stderr)
        raised = true
      }],
      [0.4, 'release', async () => {
        for (let i = 0; i < REPLICAS; i++) {
          replicas.push(await start())
          await balancer.serves(REPLICAS + 1)
          await replicas.shift()!.stop()
        }
      }],
      [0.6, 'PostgreSQL freeze', async () => {
        postgres.pause()
        await setTimeout(5000)
        postgres.resume()
      }],
      [0.75, 'PostgreSQL failover', async () => {
        await postgres.stop('SIGKILL')
        await setTimeout(5000) // until somebody notices
        await (await standby.connect()).query('SELECT pg_promote()')
        writer.serverPort = standby.port
        writer.tear()
      }]
    ],
    async keepRevoking (over) {
      const database = await openDatabase({ databaseUrl, dataDir: '' })
      for (const account of accounts.slice(USERS)) {
        await setTimeout(REVOKE_EVERY_MS, undefined, { signal: over }).catch(() => {})
        if (over.aborted) break
        try {
          const token = await tokenOf(account)
          await revokeTokens(database.prisma, account.username)
          setTimeout(1000).then(() => world.revoked.push(token))
        } catch {} // while PostgreSQL is away, nothing can be revoked
      }
      await database.close()
    }
  }
}

async function inTurn ({ events, faults }: Stage, durationMs: number): Promise<void> {
  const startedMs = performance.now()
  for (const [at, name, action] of events) {
    await setTimeout(startedMs + at * durationMs - performance.now())
    await faults.during(name, action)
  }
}

/** Answers after some milliseconds, as one does that asks its own database, and echoes messages. */
async function startModule (t: Lifetime): Promise<string> {
  const sockets = new WebSocketServer({ noServer: true })
  sockets.on('connection', (socket) => { socket.on('message', data => socket.send(data)) })
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      setTimeout(5).then(() => response.setHeader('content-type', 'application/json').end('{"marks":[]}'))
    })
  }).on('upgrade', (request, socket, head) => sockets.handleUpgrade(request, socket, head, (webSocket) => {
    sockets.emit('connection', webSocket)
  })).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets.clients) socket.terminate()
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address!.port : 0}`
}
