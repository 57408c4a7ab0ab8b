import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import bcrypt from 'bcrypt'
import { openDatabase } from '#src/database/database.js'
import { end, newDirectory, type Lifetime } from '../test/fixtures/lifetime.js'
import { startPostgres } from '../test/fixtures/postgres.js'
import { freePort } from '../test/fixtures/redis.js'

export interface Replica {
  url: string
  /**
   * Reads /metrics, which resets the histogram of the event loop. The result returns a number by its name, or the sum
   * over its labels.
   */
  metrics: () => Promise<(name: string) => number>
  /** Ends it by SIGTERM. */
  stop: () => Promise<void>
}

export interface Service extends Replica {
  databaseUrl: string
  credentials: { username: string, password: string }
  token: string
}

export const bcryptCost = 12

/**
 * The service as it runs in production, a process of its own over a real PostgreSQL and the given Redis. Buckets are so
 * large that no request is refused. Only clients of 203.0.113.0/24 are refused after one request.
 */
export async function startService (
  t: Lifetime, redisUrl: string, environment: NodeJS.ProcessEnv = {}
): Promise<Service> {
  const postgres = await startPostgres(t)
  const [credentials] = await createUsers(postgres.url, ['asha.verma'], bcryptCost)
  const ample = { capacity: 1_000_000, refill: 99_999, period: '1s' }
  const limits = {
    policies: { login: ample, general: ample, account: ample, session: { ...ample, by: 'user', address: ample } },
    networks: { '203.0.113.0/24': { general: { capacity: 1, refill: 1, period: '30d' } } }
  }
  const directory = newDirectory(t, { 'limits.json': JSON.stringify(limits) })
  const replica = await startReplica(t, {
    DATABASE_URL: postgres.url,
    REDIS_URL: redisUrl,
    LIMITS_FILE: join(directory, 'limits.json'),
    BCRYPT_COST: String(bcryptCost),
    DATA_DIR: directory,
    ...environment
  })
  const reply = await fetch(`${replica.url}/api/auth/login`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(credentials)
  })
  const { data: { token } } = await reply.json() as { data: { token: string } }
  return { ...replica, databaseUrl: postgres.url, credentials: credentials!, token }
}

/** @returns what they log in with */
export async function createUsers (
  databaseUrl: string, usernames: string[], cost: number
): Promise<Array<{ username: string, password: string }>> {
  const password = 'correct horse battery'
  const passwordHash = await bcrypt.hash(password, cost)
  const database = await openDatabase({ databaseUrl, dataDir: '' })
  await database.prisma.user.createMany({
    data: usernames.map(username => ({
      username, email: `${username}@school.example`, passwordHash, userType: 'STUDENT', role: 'USER'
    }))
  })
  await database.close()
  return usernames.map(username => ({ username, password }))
}

/**
 * A process of the service, as in production. It writes its log as there, but the log is not read here, because reading
 * costs more CPU than writing.
 *
 * @param logFile to which the log is appended; otherwise it goes nowhere
 * @returns when it is ready
 */
export async function startReplica (
  t: Lifetime, environment: NodeJS.ProcessEnv, logFile?: string
): Promise<Replica> {
  const { PORT = String(await freePort()), OPS_PORT: opsPort = String(await freePort()) } = environment
  const opsUrl = `http://127.0.0.1:${opsPort}`
  const server = spawn(process.execPath, ['dist/server.js'], {
    stdio: ['ignore', logFile === undefined ? 'ignore' : openSync(logFile, 'a'), 'inherit'],
    env: {
      NODE_ENV: 'production',
      NODE_OPTIONS: '--max-old-space-size=256', // as in the image
      PORT,
      OPS_PORT: opsPort,
      JWT_SECRET: 'x1Lr0Zk3TqB7vUe9sYw2mNc5aHf8dJg4',
      TRUST_PROXY: '127.0.0.1',
      ...environment
    }
  })
  t.after(() => end(server))
  const ready = async (): Promise<boolean> => await fetch(`${opsUrl}/readyz`).then(({ ok }) => ok, () => false)
  while (!await ready()) {
    if (server.exitCode !== null) throw new Error('The server ended: see above.')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  return {
    url: `http://127.0.0.1:${PORT}`,
    async metrics () {
      const page = await (await fetch(`${opsUrl}/metrics`)).text()
      return name => page.split('\n')
        .filter(line => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    },
    stop: () => end(server, 'SIGTERM')
  }
}
