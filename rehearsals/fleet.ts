import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { CheckResult } from '#src/doctor/run-checks.js'
import { createUsers } from '../bench/service.js'
import { startBalancer, type Place } from '../test/fixtures/balancer.js'
import { end, newDirectory, type Lifetime } from '../test/fixtures/lifetime.js'
import { startNetwork, type Network } from '../test/fixtures/network.js'
import { startServer, type RunningServer } from '../test/fixtures/process.js'
import { freePort, startRedis, type RedisServer } from '../test/fixtures/redis.js'
import { startSmtp, type Smtp } from '../test/fixtures/smtp.js'
import { clientsOf, type Clients } from './clients.js'
import { startDatabase, type Database } from './database.js'
import { startPrometheus, type Prometheus } from './prometheus.js'
import { commandOf, entryOf, filled, pageOf } from './runbook.js'
import { openShell, type Shell } from './shell.js'

/** Who can log in. Each rehearsal may have some of the pupils to itself. */
const PEOPLE = ['asha.verma', 'devi.rao', ...Array.from({ length: 40 }, (_, i) => `pupil.${i}`)]

const REDIS_PASSWORD = 'Xr5vN8bQ2mLs7Kt4'

/** Buckets of the first network stay as they are for as long as a rehearsal lasts. The second may log in often. */
const LIMITS = {
  networks: {
    '192.0.2.0/24': { general: { capacity: 20, refill: 1, period: '30d' } },
    '198.18.0.0/15': { login: { capacity: 1000, refill: 1000, period: '1m' } }
  }
}

/** As one container of compose. */
export interface Replica {
  name: string
  place: Place
  opsUrl: string
  /** Undefined while it does not run. */
  server?: RunningServer | undefined
}

export interface Fleet extends Clients, Members {
  /** For what a rehearsal starts, which is ended with the fleet. */
  t: Lifetime
  replicas: Replica[]
  redis: RestartableRedis
  postgres: Database
  /** Between the replicas and PostgreSQL. */
  databaseNetwork: Network
  smtp: Smtp
  /** The module behind /api/student. */
  module: { stop: () => Promise<void>, start: () => Promise<void>, /** Of each answer. */ delayMs: number }
  /** The folder of LIMITS_FILE, the secret and the audit log. */
  directory: string
  environment: NodeJS.ProcessEnv
  /** Undefined where it is not installed. */
  prometheus: Prometheus | undefined
  shell: Shell
  /** A statement of PostgreSQL's owner, past the network of the replicas. */
  sql: Database['sql']
  /** @returns the sum of its series on each replica that answers */
  metric: (name: string, ofSeries?: string) => Promise<number[]>
  doctor: () => Promise<CheckResult[]>
}

/** The service as docker-compose.yml runs it, as processes of this machine. It is up when this returns. */
export async function startFleet (t: Lifetime): Promise<Fleet> {
  const [redis, postgres, smtp, balancer] = await Promise.all([
    startOwnRedis(t), startDatabase(t), startSmtp(t), startBalancer(t, 3)
  ])
  const databaseNetwork = await startNetwork(t, postgres.port)
  const databaseUrl = postgres.url.replace(`:${postgres.port}/`, `:${databaseNetwork.port}/`)
  const module = await startModule(t)
  const directory = newDirectory(t, {
    jwt_secret: 'x1Lr0Zk3TqB7vUe9sYw2mNc5aHf8dJg4',
    second_factor_key: 'd4Vt8Xq2Mz6Kc1Rb7Yn3Hs9Wf5Lg0PjE',
    'limits.json': JSON.stringify(LIMITS),
    'modules.json': JSON.stringify({ modules: { '/api/student': { upstream: module.url, timeout: '2s' } } })
  })
  mkdirSync(join(directory, 'audit'))
  const environment = {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    REDIS_URL: `redis://gatehouse:${REDIS_PASSWORD}@127.0.0.1:${redis.port}`,
    JWT_SECRET_FILE: join(directory, 'jwt_secret'),
    SECOND_FACTOR_KEY_FILE: join(directory, 'second_factor_key'),
    LIMITS_FILE: join(directory, 'limits.json'),
    MODULES_FILE: join(directory, 'modules.json'),
    DATA_DIR: directory,
    AUDIT_LOG: join(directory, 'audit/audit.log'),
    SMTP_URL: `${smtp.url}?tls=optional`,
    MAIL_FROM: 'gatehouse@school.example',
    PUBLIC_URL: `http://127.0.0.1:${balancer.port ?? balancer.places[0]!.PORT}`,
    OPS_TOKEN: 'Qm7xT2vKp9Lr4Zc8Wn3Hb6Yd1Gf5Js0A',
    TRUST_PROXY: '127.0.0.1',
    BCRYPT_COST: '10',
    // A machine that is busy with three replicas is not an outage.
    REDIS_TIMEOUT_MS: '400',
    DATABASE_TIMEOUT_MS: '2000'
  }
  const replicas = balancer.places.map((place, i): Replica =>
    ({ name: `gatehouse-api-${i + 1}`, place, opsUrl: `http://127.0.0.1:${place.OPS_PORT}` }))
  const members = startMembers(t, replicas, environment)
  const shell = await openShell(t, {
    redisPort: redis.port,
    environment,
    ownerUrl: postgres.ownerUrl,
    docker: async args => await docker(args, { replicas, redis, postgres, module, ...members }),
    sql: async statement =>
      (await postgres.sql(statement)).map(row => `${Object.values(row).join(' | ')}\n`).join('')
  })
  await shell('docker compose run --rm migrate')
  await createUsers(postgres.url, PEOPLE, 10)
  const rights = entryOf('Redis rights', pageOf('reference.md'))
  await shell(filled(commandOf(rights, 'redis-cli ACL SETUSER'), { PASSWORD: REDIS_PASSWORD }))
  await redis.client.call('ACL', 'SAVE')
  await Promise.all(replicas.map(replica => members.start(replica)))
  await balancer.serves(replicas.length)
  const prometheus = await startPrometheus(t, replicas.map(({ opsUrl }) => opsUrl.replace('http://', '')))
  return {
    t,
    replicas,
    redis,
    postgres,
    databaseNetwork,
    smtp,
    module,
    directory,
    environment,
    prometheus,
    shell,
    sql: postgres.sql,
    ...members,
    ...clientsOf(t, balancer),
    async metric (name, ofSeries = '') {
      const pages = await Promise.allSettled(replicas.map(async ({ opsUrl }) =>
        await (await fetch(`${opsUrl}/metrics`, { signal: AbortSignal.timeout(2000) })).text()))
      return pages.flatMap(page => page.status === 'fulfilled' ? sumOf(page.value, name, ofSeries) : [])
    },
    async doctor () {
      const report = await shell('gatehouse doctor --json', { mayFail: true })
      return (JSON.parse(report) as { findings: CheckResult[] }).findings
    }
  }
}

interface Members {
  /** @param changes to the settings, which last until it is started again */
  start: (replica: Replica, changes?: NodeJS.ProcessEnv) => Promise<void>
  /** As docker does: SIGTERM, and SIGKILL if that does not end it. */
  stop: (replica: Replica, patienceMs?: number) => Promise<void>
  kill: (replica: Replica) => Promise<void>
  restart: (replica: Replica, changes?: NodeJS.ProcessEnv) => Promise<void>
  restartOneByOne: () => Promise<void>
  /** The lines of all replicas so far, those that have ended included. */
  logLines: () => Array<Record<string, unknown>>
}

function startMembers (t: Lifetime, replicas: Replica[], environment: NodeJS.ProcessEnv): Members {
  const servers: RunningServer[] = []
  const members: Members = {
    async start (replica, changes) {
      replica.server = await startServer(t, { ...environment, ...replica.place, ...changes })
      servers.push(replica.server)
    },
    async stop (replica, patienceMs = 15_000) {
      const { server } = replica
      replica.server = undefined
      const late = setTimeout(() => server?.signal('SIGKILL'), patienceMs)
      await server?.stop()
      clearTimeout(late)
    },
    async kill (replica) {
      await replica.server?.stop('SIGKILL')
      replica.server = undefined
    },
    async restart (replica, changes) {
      await members.stop(replica)
      await members.start(replica, changes)
    },
    async restartOneByOne () {
      for (const replica of replicas) await members.restart(replica)
    },
    logLines: () => servers.flatMap(({ logs }) => logs)
  }
  return members
}

/** What compose and docker do with the fleet. Nothing else is played. */
async function docker (
  args: string[],
  { replicas, redis, postgres, module, start, stop, logLines }:
  Pick<Fleet, 'replicas' | 'redis' | 'postgres' | 'module' | keyof Members>
): Promise<string> {
  const [verb = '', ...rest] = args[0] === 'compose' ? args.slice(1) : args
  const named = replicas.filter(({ name }) => rest.includes(name))
  const meant = named.length > 0 ? named : replicas
  if (verb === 'logs') return logLines().map(line => `api-1  | ${JSON.stringify(line)}\n`).join('')
  if (verb === 'ps') return meant.map(({ name, server }) => `${name}   api   ${server ? 'Up' : 'Exited'}\n`).join('')
  if (verb === 'restart' && rest.includes('redis')) {
    redis.process.kill('SIGCONT')
    await end(redis.process, 'SIGTERM')
    await redis.start()
  } else if (rest.includes('postgres')) {
    postgres.resume()
    await postgres.stop()
    await postgres.start()
  } else if (rest.includes('student')) {
    await module.stop()
    await module.start()
  } else if (verb === 'kill') {
    const signal = rest[rest.indexOf('--signal') + 1]!
    for (const { server } of meant) server?.signal(`SIG${signal}` as NodeJS.Signals)
  } else if (verb === 'stop') {
    await Promise.all(meant.map(replica => stop(replica)))
  } else if (verb === 'restart') {
    const patienceMs = rest.includes('--time') ? 1000 * Number(rest[rest.indexOf('--time') + 1]) : undefined
    for (const replica of meant) await stop(replica, patienceMs)
    await Promise.all(meant.map(replica => start(replica)))
  } else if (verb === 'up') {
    await Promise.all(meant.filter(({ server }) => server === undefined).map(replica => start(replica)))
  } else {
    throw new Error(`docker ${args.join(' ')} is not played here`)
  }
  return ''
}

function sumOf (page: string, name: string, ofSeries: string): number[] {
  const series = page.split('\n').filter(line => line.startsWith(name) && /^[{ ]/.test(line.slice(name.length)) &&
    line.includes(ofSeries))
  return series.length === 0 ? [] : [series.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)]
}

export interface RestartableRedis extends RedisServer {
  /** With what it has on disk. */
  start: () => Promise<void>
}

/** Keeps its data and its users on disk, as that of docker-compose.yml. */
async function startOwnRedis (t: Lifetime): Promise<RestartableRedis> {
  const directory = newDirectory(t, { 'users.acl': '' })
  const port = await freePort()
  const args = ['--appendonly', 'yes', '--dir', directory, '--aclfile', join(directory, 'users.acl')]
  const redis: RestartableRedis = {
    ...await startRedis(t, { port, args }),
    async start () {
      redis.process = (await startRedis(t, { port, args })).process
    }
  }
  return redis
}

async function startModule (t: Lifetime): Promise<Fleet['module'] & { url: string }> {
  const port = await freePort()
  let server: Server | undefined
  const module = {
    url: `http://127.0.0.1:${port}`,
    delayMs: 0,
    async start () {
      module.delayMs = 0
      server = createServer((request, response) => {
        request.resume()
        response.setHeader('content-type', 'application/json')
        setTimeout(() => response.end('{"marks":[]}'), module.delayMs)
      }).listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    async stop () {
      server?.close()
      server?.closeAllConnections()
    }
  }
  await module.start()
  t.after(module.stop)
  return module
}
