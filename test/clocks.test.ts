// Replicas whose clocks are minutes wrong still share exact limits and honest waits, and accept each other's tokens.
// Two server processes run on one Redis and one PostgreSQL, one of them with a clock of its own.

import bcrypt from 'bcrypt'
import t, { type Test } from 'tap'
import { openDatabase } from '#src/database/database.js'
import { newDirectory } from './fixtures/lifetime.js'
import { startPostgres } from './fixtures/postgres.js'
import { startServer, type RunningServer } from './fixtures/process.js'
import { startRedis } from './fixtures/redis.js'

const environment = { JWT_SECRET: 'Lq81kd-kAs92LmsPk3jf92-qkd83jfkaZ2', TRUST_PROXY: '127.0.0.1' }
const password = 'correct horse battery'
const bucketOf = (client: string): string => `gatehouse:bucket:login:${client}`

interface Replica extends RunningServer { skewSeconds: number }

/** A clock that is wrong from before the first line of the server runs. */
function wrongClock (skewSeconds: number): string {
  const code = `const now = Date.now; globalThis.Date = class extends Date {
    constructor (...parts) { if (parts.length === 0) super(now() + ${skewSeconds * 1000}); else super(...parts) }
    static now () { return now() + ${skewSeconds * 1000} }
  }`
  return `--import=data:text/javascript,${encodeURIComponent(code)}`
}

async function startReplicas (t: Test, skews: number[]) {
  const [redis, postgres] = await Promise.all([startRedis(t), startPostgres(t)])
  const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '', databaseTimeoutMs: 20_000 })
  t.after(() => database.close())
  await database.prisma.user.create({
    data: { username: 'asha.verma', passwordHash: await bcrypt.hash(password, 10), userType: 'STUDENT', role: 'USER' }
  })
  const shared = { ...environment, REDIS_URL: redis.url, DATABASE_URL: postgres.url, DATA_DIR: newDirectory(t) }
  const replicas = await Promise.all(skews.map(async (skewSeconds): Promise<Replica> => {
    const server = await startServer(t, {
      ...shared, ...skewSeconds !== 0 && { NODE_OPTIONS: wrongClock(skewSeconds) }
    })
    return { ...server, skewSeconds }
  }))
  return { redis, replicas }
}

const loginAt = async ({ url }: Replica, client: string): Promise<Response> => await fetch(`${url}/api/auth/login`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
  body: JSON.stringify({ username: 'asha.verma', password })
})

const meAt = async ({ url }: Replica, token: string): Promise<number> =>
  (await fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status

const statusesOf = (replies: Response[]): number[] => replies.map(({ status }) => status)

t.test('replicas whose clocks differ', async (t) => {
  const { redis, replicas } = await startReplicas(t, [0, -3900])

  t.test('the clocks of this test are as wrong as they should be', async (t) => {
    for (const { skewSeconds, logs } of replicas) {
      const skew = (Date.parse(String(logs.at(-1)!.time)) - Date.now()) / 1000
      t.ok(Math.abs(skew - skewSeconds) < 30, `${skew} s`)
    }
  })

  let clients = 0
  const newClient = (): string => `198.51.100.${++clients}`

  // L25 S98
  t.test('of forty logins over both of them five are admitted, and one more after a minute', async (t) => {
    const crowd = newClient()
    const statuses = statusesOf(
      await Promise.all(Array.from({ length: 40 }, (_, i) => loginAt(replicas[i % 2]!, crowd)))
    )
    t.same([statuses.filter(status => status === 200).length, statuses.filter(status => status === 429).length], [
      5, 35
    ])
    // Each replica caches a refusal while it is valid, so the passing of time is simulated for another client.
    const client = newClient()
    const first = []
    for (let i = 0; i < 5; i++) first.push(await loginAt(replicas[i % 2]!, client))
    await redis.client.pexpireat(bucketOf(client), await redis.client.pexpiretime(bucketOf(client)) - 60_000)
    const next = await Promise.all(replicas.map(replica => loginAt(replica, client)))
    t.same(statusesOf(first), Array(5).fill(200))
    t.same(statusesOf(next).sort(), [200, 429])
  })

  for (const replica of replicas) {
    // L29
    t.test(`${replica.skewSeconds} s off, a wait is right, and its end is by Redis's clock`, async (t) => {
      // The first refusal is Redis's verdict, because this replica has not refused the client yet. The second one comes
      // from memory.
      const client = newClient()
      for (let i = 0; i < 5; i++) await loginAt(replicas[0]!, client)
      for (const from of ['Redis', 'memory']) {
        const mostMs = await redis.client.pttl(bucketOf(client)) - 240_000
        const reply = await loginAt(replica, client)
        const nowMs = Date.now()
        const leastMs = await redis.client.pttl(bucketOf(client)) - 240_000
        t.equal(reply.status, 429)
        const { rateLimitInfo: { resetTime, retryAfter } } = await reply.json() as {
          rateLimitInfo: { resetTime: string, retryAfter: number }
        }
        t.ok(
          retryAfter >= leastMs / 1000 && retryAfter <= Math.ceil(mostMs / 1000) + 1,
          `${from}: ${retryAfter} s of ${leastMs} to ${mostMs} ms`
        )
        t.equal(reply.headers.get('retry-after'), String(retryAfter))
        t.equal(reply.headers.get('x-ratelimit-retry-after'), String(retryAfter))
        t.equal(reply.headers.get('x-ratelimit-reset'), String(Date.parse(resetTime) / 1000))
        // Redis has the clock of this process.
        const secondsLeft = (Date.parse(resetTime) - nowMs) / 1000
        t.ok(secondsLeft >= leastMs / 1000 && secondsLeft <= retryAfter + 1, `${from}: in ${secondsLeft} s`)
      }
    })
  }

  // S98
  t.test('a token is valid neither long after its end nor long before its beginning', async (t) => {
    const tokens = await Promise.all(replicas.map(async (replica, n) => {
      const { data } = await (await loginAt(replica, `198.51.101.${n}`)).json() as { data: { token: string } }
      return data.token
    }))
    const seen = await Promise.all(tokens.map(async token =>
      await Promise.all(replicas.map(replica => meAt(replica, token)))))
    t.same(seen, [[200, 401], [401, 200]])
  })
})
