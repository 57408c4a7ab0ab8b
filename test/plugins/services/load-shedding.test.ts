// Requests beyond the hash queue are shed and get their token back. No client can gain extra tokens in this way.

import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { startApp, startListening } from '../../fixtures/app.js'
import { fillQueue } from '../../fixtures/hash-queue.js'
import { newDirectory } from '../../fixtures/lifetime.js'
import { newPeer, open } from '../../fixtures/socket.js'
import { startRedis } from '../../fixtures/redis.js'
import { newDatabase } from '../../fixtures/shared-postgres.js'
import { until } from '../../fixtures/until.js'

const directory = newDirectory(t, { 'limits.json': '{"networks":{"203.0.113.0/24":{"login":"exempt"}}}' })
const { app, client, login, user } = await startListening(t, {
  BCRYPT_COST: '10', LIMITS_FILE: `${directory}/limits.json`
})

/** Logs in as an unknown user, several times at once. @returns how often each status came */
async function logInAtOnce (apps: FastifyInstance[], client: string, times: number): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  await Promise.all(Array.from({ length: times }, async (_, i) => {
    const { statusCode } = await apps[i % apps.length]!.inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress: client,
      payload: { username: 'nobody', password: 'wrong horse' }
    })
    counts[statusCode] = (counts[statusCode] ?? 0) + 1
  }))
  return counts
}

t.test('requests whose bodies never come take no place in the hash queue', async (t) => {
  const { username, password } = await user()
  let [peer, heads] = ['', 0]
  app.server.on('request', () => { heads++ })
  const halfSent = await Promise.all(Array.from({ length: app.passwords.room }, async (_, i) => {
    // Five login tokens a client.
    if (i % 5 === 0) peer = newPeer()
    const socket = await open(app, peer)
    socket.write(
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
    )
    return socket
  }))
  await until(() => heads === app.passwords.room, 'every head has arrived')
  t.equal((await login(client(), username, password)).statusCode, 200)
  for (const socket of halfSent) socket.destroy()
})

t.test('a request whose body arrives when the hash queue has become full is shed', async (t) => {
  const body = '{"username":"nobody","password":"x"}'
  const socket = await open(app)
  socket.write(
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ' +
      `${body.length}\r\n\r\n`
  )
  await until(() => app.requestsUnderWay() === 1, 'its head has arrived')
  const empty = fillQueue(app)
  socket.write(body)
  const answer = await new Promise(resolve => socket.once('data', chunk => resolve(String(chunk))))
  await empty()
  socket.destroy()
  t.match(answer, /^HTTP\/1\.1 503 Service Unavailable\r\n/)
  t.match(answer, /\r\nretry-after: [234]\r\n/)
})

// S84
t.test('a request that is shed gets its token back, and other requests are answered meanwhile', async (t) => {
  const innocent = client()
  const empty = fillQueue(app)
  t.strictSame(await logInAtOnce([app], innocent, 5), { 503: 5 })
  t.equal((await app.inject({ url: '/api/auth/me', remoteAddress: client() })).statusCode, 401)
  await empty()
  t.strictSame(await logInAtOnce([app], innocent, 6), { 401: 5, 429: 1 }, 'all five tokens are there')
})

t.test('an exempt client is shed like any other, and has no bucket', async (t) => {
  const empty = fillQueue(app)
  t.strictSame(await logInAtOnce([app], '203.0.113.7', 5), { 503: 5 })
  await empty()
  const ids = []
  for await (const id of app.buckets.list({ owner: '203.0.113.7' })) ids.push(id)
  t.strictSame(ids, [])
})

t.test('provoking load shedding gains at most `capacity` tokens a period, over all replicas', async (t) => {
  const [redis, DATABASE_URL] = await Promise.all([startRedis(t), newDatabase()])
  const environment = {
    REDIS_URL: redis.url,
    DATABASE_URL,
    JWT_SECRET: 'Fj3kd0-asd92kLsdk3jf92-akd83jfkal9',
    BCRYPT_COST: '10',
    // In an outage of Redis each replica would admit its share.
    REDIS_TIMEOUT_MS: '10000'
  }
  const replicas = await Promise.all([startApp(t, environment), startApp(t, environment)])
  const apps = replicas.map(({ app }) => app)
  const attacker = replicas[0].client()
  const fills = apps.map(fillQueue)
  const keys = ['login', 'returned-login'].map(policy => `gatehouse:bucket:${policy}:${attacker}`)

  const flood = async (): Promise<number> => {
    let admitted = 0
    // Until nothing has come back for a while.
    for (let inVain = 0; inVain < 3 && admitted < 50;) {
      const { 503: shed = 0 } = await logInAtOnce(apps, attacker, 12)
      admitted += shed
      inVain = shed > 0 ? 0 : inVain + 1
      // This gives the replicas time to hear that tokens were returned.
      await setTimeout(200)
    }
    return admitted
  }
  const passPeriod = async (): Promise<void> => {
    for (const key of keys) {
      await redis.client.pexpire(key, Math.max(1, await redis.client.pttl(key) - 60_000))
      await redis.client.publish('gatehouse:reset', key)
    }
    await setTimeout(200)
  }

  const first = await flood()
  t.ok(first > 5 && first <= 5 + 5, `a full bucket and as much again: ${first}`)
  t.equal((await logInAtOnce(apps, attacker, 12))[429], 12, 'and then nothing')
  await passPeriod()
  const second = await flood()
  t.ok(second > 1 && second <= 1 + 5, `one refill and as much as a full bucket: ${second}`)
  await Promise.all(fills.map(end => end()))
  const warnings = replicas.flatMap(({ logs }) => logs).filter(({ level }) => Number(level) > 30)
  t.same(warnings, [], 'Redis decided all the while')
})

t.end()
