// Whatever is in Redis where replicas publish their limits, the service limits, answers and survives an outage.
// differing-limits.test.ts tests the same without HTTP.

import type { LightMyRequestResponse } from 'fastify'
import type { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { startApp } from '../../fixtures/app.js'
import { startNetwork } from '../../fixtures/network.js'
import { startRedis } from '../../fixtures/redis.js'
import { until } from '../../fixtures/until.js'

const redis = await startRedis(t)

const KEY = 'gatehouse:replicas'
const digest = '0123456789abcdef'
const HOUR_MS = 3_600_000
const alive = (client: Redis, ...names: string[]): Promise<unknown> =>
  client.zadd(KEY, ...names.flatMap(name => [Date.now() + HOUR_MS, name]))

const poisons: Record<string, (client: Redis) => Promise<unknown>> = {
  'limits of a wrong type': client => Promise.all([
    client.rpush(`${KEY}:${digest}`, '{}'),
    client.set(`${KEY}:fedcba9876543210`, Buffer.from([0xff, 0, 0xc3, 0x28])),
    alive(client, `another:${digest}`, 'a-third:fedcba9876543210')
  ]),
  'limits that admit nobody, or everybody': client => Promise.all([
    client.set(`${KEY}:${digest}`, '{"policies":{"login":{"capacity":0,"refill":1,"period":"1m"}}}'),
    client.set(`${KEY}:fedcba9876543210`, '{"policies":{"login":{"capacity":1e400,"refill":1e400,"period":"1s"}}}'),
    alive(client, `another:${digest}`, 'a-third:fedcba9876543210')
  ]),
  'replicas for ever, whose names are none': client => Promise.all([
    client.zadd(KEY, '+inf', `another:${digest}`, '1e300', 'another'),
    alive(
      client,
      '',
      ':',
      `:${digest}:`,
      'a:__proto__',
      'a:constructor',
      'a:\r\n+OK\r\n',
      'a:*',
      '\u0000:\u0000',
      `a:${'f'.repeat(100_000)}`
    )
  ]),
  'two thousand replicas that differ': client =>
    alive(client, ...Array.from({ length: 2000 }, (_, i) => `replica:${i.toString(16).padStart(16, '0')}`)),
  'replicas that are a text': client => client.set(KEY, 'nonsense')
}

/**
 * Checks for a refusal with valid numbers, or for the answer to a login without a name, which costs a token but no
 * hash.
 */
function isSane (t: Test, { statusCode, headers, body }: LightMyRequestResponse): void {
  if (statusCode === 400) return
  const { rateLimitInfo } = JSON.parse(body) as {
    rateLimitInfo?: { limit: number, remaining: number, resetTime: string, retryAfter: number }
  }
  const { limit, remaining, resetTime, retryAfter } = rateLimitInfo ?? {}
  const inMs = Date.parse(resetTime ?? '') - Date.now()
  const sane = statusCode === 429 && limit === 5 && remaining === 0 && headers['retry-after'] === String(retryAfter) &&
    Number.isInteger(retryAfter) && retryAfter! >= 1 && retryAfter! <= 60 && inMs > -1000 && inMs <= 61_000
  if (!sane) t.fail('an answer that no bucket gives', { statusCode, headers, body })
}

t.jobs = 3
for (const [database, [what, poison]] of Object.entries(poisons).entries()) {
  t.test(`with ${what} in Redis, two replicas limit exactly, and survive an outage`, { buffered: true }, async (t) => {
    const network = await startNetwork(t, redis.port)
    const client = redis.client.duplicate({ db: database })
    t.after(() => client.disconnect())
    const environment = { REDIS_URL: `redis://127.0.0.1:${network.port}/${database}` }
    const first = await startApp(t, environment)
    await poison(client)
    await until(() => first.logs.some(({ code }) => code === 'limits_differ' || code === 'replicas_uncounted'))
    const replicas = [first, await startApp(t, environment)]

    async function statuses (address: string): Promise<number[]> {
      const seen = []
      for (let i = 0; i < 8; i++) {
        const reply = await replicas[i % 2]!.login(address, '', '')
        isSane(t, reply)
        seen.push(reply.statusCode)
      }
      return seen
    }

    const exactly = [400, 400, 400, 400, 400, 429, 429, 429]
    t.same(await statuses(first.client()), exactly)
    const { username, password } = await first.user()
    const { statusCode, body } = await first.login(first.client(), username, password)
    t.equal(statusCode, 200)
    const me = await first.app.inject({
      url: '/api/auth/me',
      remoteAddress: first.client(),
      headers: { authorization: `Bearer ${JSON.parse(body).data.token}` }
    })
    t.equal(me.statusCode, 200)

    network.cut = true
    network.tear()
    const inOutage = await statuses(first.client())
    t.equal(inOutage[0], 400, 'each replica has a share of the limit')
    t.ok(inOutage.filter(status => status === 400).length <= 2 * 5)
    t.ok(inOutage.every(status => status === 400 || status === 429))

    network.cut = false
    await until(async () => {
      for (const { login, client } of replicas) await login(client(), '', '')
      return replicas.every(({ app }) => !app.fallbackActive)
    })
    t.same(await statuses(first.client()), exactly)
    const faults = replicas.flatMap(({ logs }) => logs)
      .filter(({ level, code }) => Number(level) >= 50 && code !== 'redis_unavailable')
    t.same(faults, [])
  })
}

t.end()
