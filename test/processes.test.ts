import { join } from 'node:path'
import bcrypt from 'bcrypt'
import t, { type Test } from 'tap'
import { openDatabase } from '../src/database.js'
import { startPostgres } from './fixtures/postgres.js'
import { startServer, type RunningServer } from './fixtures/process.js'
import { startRedis } from './fixtures/redis.js'

/*
 * Three real server processes on one Redis and one PostgreSQL, and a balancer as simple as can be: round robin over those
 * whose /readyz is 200, asked every 200 ms; a connection that is refused, or that ends without a byte, is tried elsewhere.
 */

const environment = { NODE_ENV: 'production', JWT_SECRET: 'Fj3kd0-asd92kLsdk3jf92-akd83jfkal9', BCRYPT_COST: '10', TRUST_PROXY: '127.0.0.1' }
const password = 'correct horse battery'

interface Balancer {
  replicas: RunningServer[]
  ask: (path: string, init?: RequestInit) => Promise<Response>
}

function balance (t: Test, replicas: RunningServer[]): Balancer {
  const ready = new Set(replicas)
  let turn = 0
  const checks = setInterval(() => {
    for (const replica of replicas) {
      fetch(`${replica.opsUrl}/readyz`).then(({ ok }) => ok, () => false).then(ok => ok ? ready.add(replica) : ready.delete(replica))
    }
  }, 200)
  t.after(() => clearInterval(checks))
  return {
    replicas,
    async ask (path, init) {
      for (let attempt = 1; ; attempt++) {
        const candidates = replicas.filter(replica => ready.has(replica))
        const replica = candidates[turn++ % candidates.length]!
        try {
          return await fetch(`${replica.url}${path}`, init)
        } catch (error) {
          if (attempt === 4) throw error
        }
      }
    }
  }
}

async function startThree (t: Test) {
  const [redis, postgres] = await Promise.all([startRedis(t), startPostgres(t)])
  const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
  t.after(() => database.close())
  await database.prisma.user.create({ data: { username: 'asha.verma', passwordHash: await bcrypt.hash(password, 10), userType: 'STUDENT', role: 'USER' } })
  const limits = join(t.testdir({ 'limits.json': '{"networks":{"192.0.2.0/24":{"general":"exempt"}}}' }), 'limits.json')
  const start = () => startServer(t, { ...environment, REDIS_URL: redis.url, DATABASE_URL: postgres.url, LIMITS_FILE: limits, DATA_DIR: t.testdirName })
  return { start, db: database.prisma, redis, ...balance(t, await Promise.all([start(), start(), start()])) }
}

const loginFrom = (ask: Balancer['ask'], client: string, password: string): Promise<Response> => ask('/api/auth/login', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
  body: JSON.stringify({ username: 'asha.verma', password })
})

t.test('three processes are one service', async (t) => {
  const { ask, replicas, start, db } = await startThree(t)

  const first = await loginFrom(ask, '198.51.100.1', password)
  t.equal(first.status, 200)
  const { token } = (await first.json() as { data: { token: string } }).data
  const me = (client = '192.0.2.1'): Promise<Response> => ask('/api/auth/me', { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': client } })

  t.test('S6 S7: of thirty logins at once from one client exactly five are tried, whichever replica they reach', async (t) => {
    const replies = await Promise.all(Array.from({ length: 30 }, () => loginFrom(ask, '198.51.100.2', 'wrong horse')))
    const statuses = replies.map(({ status }) => status)
    t.same([statuses.filter(status => status === 401).length, statuses.filter(status => status === 429).length], [5, 25])
  })

  t.test('of 300 requests at once from one client exactly 100 are admitted', async (t) => {
    const statuses = (await Promise.all(Array.from({ length: 300 }, () => me('198.51.100.3')))).map(({ status }) => status)
    t.same([statuses.filter(status => status === 200).length, statuses.filter(status => status === 429).length], [100, 200])
  })

  t.test('a rolling restart of all three under load loses no request', async (t) => {
    const statuses = new Map<number | string, number>()
    const over = new AbortController()
    const count = (status: number | string): unknown => statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const load = Array.from({ length: 8 }, async (_, i) => {
      for (let n = 0; !over.signal.aborted; n++) {
        const reply = i === 0 ? loginFrom(ask, `198.51.101.${n % 250}`, password) : me()
        await reply.then(async (reply) => {
          await reply.arrayBuffer()
          count(reply.status)
        }, (error: Error) => count(error.message))
      }
    })
    for (let i = 0; i < 3; i++) {
      const old = replicas[0]!
      replicas.push(await start())
      await new Promise(resolve => setTimeout(resolve, 500))
      t.equal(await old.stop(), 0)
      replicas.splice(replicas.indexOf(old), 1)
    }
    over.abort()
    await Promise.all(load)
    t.comment(JSON.stringify([...statuses]))
    t.same([...statuses.keys()], [200])
    t.ok(statuses.get(200)! > 500)
  })

  t.test('kill -9 of a replica costs no request that may be repeated', async (t) => {
    const statuses = new Set<number>()
    const over = new AbortController()
    const load = Array.from({ length: 8 }, async () => {
      while (!over.signal.aborted) statuses.add((await me()).status)
    })
    await new Promise(resolve => setTimeout(resolve, 300))
    await replicas[1]!.stop('SIGKILL')
    await new Promise(resolve => setTimeout(resolve, 1000))
    over.abort()
    await Promise.all(load)
    t.same([...statuses], [200])
  })

  t.test('S55: a revocation is one on every replica', async (t) => {
    await db.$executeRaw`UPDATE users SET token_version = token_version + 1, tokens_revoked_at = now()`
    await new Promise(resolve => setTimeout(resolve, 1000))
    const statuses = (await Promise.all(Array.from({ length: 12 }, () => me()))).map(({ status }) => status)
    t.same([...new Set(statuses)], [401])
  })
})
