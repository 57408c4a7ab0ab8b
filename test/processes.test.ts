// Three server processes behind a balancer are one service: they share limits, and a restart or a kill loses no request
// that may be repeated.

import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import bcrypt from 'bcrypt'
import t, { type Test } from 'tap'
import { openDatabase } from '#src/database/database.js'
import { startBalancer, type Balancer } from './fixtures/balancer.js'
import { newDirectory } from './fixtures/lifetime.js'
import { startLoad } from './fixtures/load.js'
import { startPostgres } from './fixtures/postgres.js'
import { startServer, type RunningServer } from './fixtures/process.js'
import { startRedis } from './fixtures/redis.js'

const environment = {
  NODE_ENV: 'production', JWT_SECRET: 'Fj3kd0-asd92kLsdk3jf92-akd83jfkal9', BCRYPT_COST: '10', TRUST_PROXY: '127.0.0.1'
}
const password = 'correct horse battery'

type Replica = Pick<RunningServer, 'logs' | 'stop'>

async function startThree (t: Test) {
  const [redis, postgres] = await Promise.all([startRedis(t), startPostgres(t)])
  const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '', databaseTimeoutMs: 20_000 })
  t.after(() => database.close())
  await database.prisma.user.create({
    data: { username: 'asha.verma', passwordHash: await bcrypt.hash(password, 10), userType: 'STUDENT', role: 'USER' }
  })
  const directory = newDirectory(t, { 'limits.json': '{"networks":{"192.0.2.0/24":{"general":"exempt"}}}' })
  const balancer = await startBalancer(t, 4)
  const free = [...balancer.places]
  const start = async (): Promise<Replica> => {
    const place = free.pop()!
    const server = await startServer(t, {
      ...environment,
      ...place,
      REDIS_URL: redis.url,
      DATABASE_URL: postgres.url,
      LIMITS_FILE: join(directory, 'limits.json'),
      DATA_DIR: directory
    })
    return {
      logs: server.logs,
      async stop (signal) {
        const code = await server.stop(signal)
        free.push(place)
        return code
      }
    }
  }
  const replicas = await Promise.all([start(), start(), start()])
  await balancer.serves(3)
  return { start, replicas, ...balancer }
}

const loginFrom = (
  ask: Balancer['ask'], client: string, password: string
): Promise<Response> => ask('/api/auth/login', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'x-forwarded-for': client },
  body: JSON.stringify({ username: 'asha.verma', password })
})

/** Pauses before each request, so that the load does not take CPU time from the service. */
const steady = (ask: (n: number) => Promise<Response>) => async (n: number): Promise<Response> => {
  await setTimeout(20)
  return await ask(n)
}

t.test('three processes are one service', async (t) => {
  const { name, ask, serves, replicas, start } = await startThree(t)

  t.comment(`behind ${name}`)
  const first = await loginFrom(ask, '198.51.100.1', password)
  t.equal(first.status, 200)
  const { token } = (await first.json() as { data: { token: string } }).data
  const me = (client = '192.0.2.1'): Promise<Response> => ask('/api/auth/me', {
    headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': client }
  })

  /** How often each status came, of so many requests at once from a client. */
  const atOnce = async (
    count: number, request: (client: string) => Promise<Response>
  ): Promise<Record<number, number>> => {
    const client = `198.51.100.${++clients}`
    const responses = await Promise.all(Array.from({ length: count }, () => request(client)))
    const statuses = responses.map(({ status }) => status)
    return Object.fromEntries([...new Set(statuses)].map(one => [one, statuses.filter(other => other === one).length]))
  }
  let clients = 1

  t.test('of thirty concurrent logins of one client exactly five are tried, across all replicas [S6 S7]', async (t) => {
    t.same(await atOnce(30, client => loginFrom(ask, client, 'wrong horse')), { 401: 5, 429: 25 })
  })

  t.test('a replica that is replaced under load loses no request', async (t) => {
    const stopLoad = startLoad([
      steady(n => loginFrom(ask, `198.51.101.${n % 250}`, password)),
      ...Array.from({ length: 3 }, () => steady(() => me()))
    ])
    replicas.push(await start())
    await serves(4)
    t.equal(await replicas.shift()!.stop(), 0)
    const answers = await stopLoad()
    t.comment(JSON.stringify([...answers]))
    t.same([...answers.keys()], [200])
    t.ok(answers.get(200)! > 100)
  })

  t.test('kill -9 of a replica loses no request that may be repeated', async (t) => {
    const stopLoad = startLoad(Array.from({ length: 4 }, () => steady(() => me())))
    await setTimeout(300)
    await replicas.shift()!.stop('SIGKILL')
    await setTimeout(300)
    const answers = await stopLoad()
    t.same([...answers.keys()], [200])
  })
})
