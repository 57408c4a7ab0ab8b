import { spawn } from 'node:child_process'
import { join } from 'node:path'
import bcrypt from 'bcrypt'
import { openDatabase } from '#src/database/database.js'
import { end, newDirectory, type Lifetime } from '../test/fixtures/lifetime.js'
import { startPostgres } from '../test/fixtures/postgres.js'
import { freePort } from '../test/fixtures/redis.js'

export interface Service {
  url: string
  databaseUrl: string
  credentials: { username: string, password: string }
  token: string
  /**
   * Reads /metrics, which resets the histogram of the event loop. The result returns a number by its name, or the sum
   * over its labels.
   */
  metrics: () => Promise<(name: string) => number>
}

const bcryptCost = 12

/**
 * The service as it runs in production, a process of its own over a real PostgreSQL and the given Redis. Buckets are so
 * large that no request is refused. Only clients of 203.0.113.0/24 are refused after one request.
 */
export async function startService (
  t: Lifetime, redisUrl: string, environment: NodeJS.ProcessEnv = {}
): Promise<Service> {
  const postgres = await startPostgres(t)
  const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
  const credentials = { username: 'asha.verma', password: 'correct horse battery' }
  await database.prisma.user.create({
    data: {
      username: credentials.username,
      passwordHash: await bcrypt.hash(credentials.password, bcryptCost),
      userType: 'STUDENT',
      role: 'USER'
    }
  })
  await database.close()

  const ample = { capacity: 1_000_000, refill: 99_999, period: '1s' }
  const limits = {
    policies: { login: ample, general: ample, account: ample, session: { ...ample, by: 'user', address: ample } },
    networks: { '203.0.113.0/24': { general: { capacity: 1, refill: 1, period: '30d' } } }
  }
  const directory = newDirectory(t, { 'limits.json': JSON.stringify(limits) })
  const [port, opsPort] = [await freePort(), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const opsUrl = `http://127.0.0.1:${opsPort}`
  // It writes its log as in production, but the log is not read here, because reading costs more CPU than writing.
  const server = spawn(process.execPath, ['dist/server.js'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      NODE_ENV: 'production',
      NODE_OPTIONS: '--max-old-space-size=256', // as in the image
      PORT: String(port),
      OPS_PORT: String(opsPort),
      DATABASE_URL: postgres.url,
      REDIS_URL: redisUrl,
      JWT_SECRET: 'x1Lr0Zk3TqB7vUe9sYw2mNc5aHf8dJg4',
      LIMITS_FILE: join(directory, 'limits.json'),
      TRUST_PROXY: '127.0.0.1',
      BCRYPT_COST: String(bcryptCost),
      DATA_DIR: directory,
      ...environment
    }
  })
  t.after(() => end(server))
  const ready = async (): Promise<boolean> => await fetch(`${opsUrl}/readyz`).then(({ ok }) => ok, () => false)
  while (!await ready()) {
    if (server.exitCode !== null) throw new Error('The server ended: see above.')
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  const reply = await fetch(`${url}/api/auth/login`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(credentials)
  })
  const { data: { token } } = await reply.json() as { data: { token: string } }
  return {
    url,
    databaseUrl: postgres.url,
    credentials,
    token,
    async metrics () {
      const page = await (await fetch(`${opsUrl}/metrics`)).text()
      return name => page.split('\n')
        .filter(line => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
    }
  }
}
