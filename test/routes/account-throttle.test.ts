// Guessing at an account is bounded over all addresses and replicas. Its owner still gets in, and successes cost
// nothing.

import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { accountKey } from '#src/auth/username.js'
import { newUsername, startApp, type TestApp } from '../fixtures/app.js'
import { fillQueue } from '../fixtures/hash-queue.js'
import { holdBack } from '../fixtures/hold-back.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { freePort, startRedis } from '../fixtures/redis.js'
import { impatient } from '../fixtures/timeouts.js'
import { until } from '../fixtures/until.js'

/**
 * A limits file in which an account may fail this often. Every failure costs a hash, so a hundred are tried only once.
 */
function limits (account: { capacity: number, refill: number, period: string }): { LIMITS_FILE: string } {
  return {
    LIMITS_FILE: join(newDirectory(t, { 'limits.json': JSON.stringify({ policies: { account } }) }), 'limits.json')
  }
}

const capacity = 4
const few = limits({ capacity, refill: 1, period: '1h' })
// The account throttle keeps nothing in the database, so all apps may share one.
const DATABASE_URL = await newDatabase()
const main = await startApp(t, { ...few, DATABASE_URL })
const { app, client, login, logs, user } = main

const newPassword = 'staple battery horse'

/** Redeems a reset link of a user. */
async function resetPassword (t: Test, { app }: TestApp, id: number, remoteAddress: string): Promise<void> {
  const token = randomBytes(32).toString('base64url')
  await app.db.user.update({
    where: { id },
    data: {
      resetTokenHash: createHash('sha256').update(token).digest('hex'),
      resetTokenExpiresAt: new Date(Date.now() + 60_000)
    }
  })
  const reply = await app.inject({
    method: 'POST', url: '/auth/resetPassword', remoteAddress, payload: { token, newPassword }
  })
  t.equal(reply.statusCode, 200)
}

const statusesOf = (replies: LightMyRequestResponse[]) => replies.map(reply => reply.statusCode)

/** Wrong logins, each from a client of its own. */
async function fail (username: string, times: number, { login }: Pick<TestApp, 'login'> = main): Promise<number[]> {
  const statuses = []
  for (let i = 0; i < times; i++) statuses.push((await login(client(), username, 'wrong')).statusCode)
  return statuses
}

/** Checks for a 429 with a wait of at most one refill period. limiter-answers.test.ts has the rest of it. */
function isThrottled (t: Test, reply: LightMyRequestResponse, limit: number, periodSeconds: number): void {
  t.match(reply.json(), { status: 429, rateLimitInfo: { limit, remaining: 0 } })
  const { retryAfter } = reply.json().rateLimitInfo
  t.ok(retryAfter >= 1 && retryAfter <= periodSeconds, `${retryAfter} s`)
}

// S11 L52
t.test('an account admits a hundred failures from as many clients; then everyone waits', async (t) => {
  const usual = await startApp(t, { DATABASE_URL })
  const { username, password } = await usual.user()
  for (let i = 0; i < 99; i += 11) {
    const replies = await Promise.all(Array.from({ length: 11 }, () => usual.login(client(), username, 'wrong')))
    t.strictSame(statusesOf(replies), Array(11).fill(401))
  }
  for (let i = 0; i < 3; i++) {
    t.equal((await usual.login(client(), username, password)).statusCode, 200, 'the owner, from an address of his own')
  }
  t.equal((await usual.login(client(), username, 'wrong')).statusCode, 401, 'the hundredth')
  isThrottled(t, await usual.login(client(), username, 'wrong'), 100, 3600)
  isThrottled(t, await usual.login(client(), username, password), 100, 3600)

  const { username: other, password: others } = await usual.user()
  t.equal((await usual.login(client(), other, others)).statusCode, 200, 'nobody else waits')
})

// S11 L52
t.test('an owner gets in from an address of an earlier login while everyone else is refused', async (t) => {
  const { username, password } = await user()
  const [home, elsewhere] = [client(), client()]
  t.equal((await login(home, username, password)).statusCode, 200)
  t.strictSame(await fail(username, capacity + 1), [...Array(capacity).fill(401), 429])
  isThrottled(t, await login(elsewhere, username, password), capacity, 3600)
  for (let i = 0; i < 3; i++) t.equal((await login(home, username, password)).statusCode, 200, 'from home')
  isThrottled(t, await login(elsewhere, username, password), capacity, 3600)
})

// S12
t.test('an address that redeems a reset gets in at once, whatever was tried from it before', async (t) => {
  const { id, username } = await user()
  const [home, attacker] = [client(), client()]
  // Two addresses use up the bucket of the account; the owner's own failures use up that of the home address.
  t.equal((await login(attacker, username, 'wrong')).statusCode, 401)
  for (let i = 0; i < capacity - 1; i++) await login(home, username, 'wrong')
  for (const address of [home, attacker]) isThrottled(t, await login(address, username, 'wrong'), capacity, 3600)

  await resetPassword(t, main, id, home)
  t.strictSame(await fail(username, capacity + 1), [...Array(capacity).fill(401), 429], 'the attack goes on')
  const other = { ...await startApp(t, { ...few, DATABASE_URL }), password: newPassword }
  for (const replica of [main, other]) t.equal((await replica.login(home, username, newPassword)).statusCode, 200)
  isThrottled(t, await login(attacker, username, newPassword), capacity, 3600)
})

// S1 S11
t.test('unknown and disabled accounts are throttled like others, so nothing distinguishes them', async (t) => {
  const known = await user()
  t.equal((await login(client(), known.username, known.password)).statusCode, 200)
  const names = [
    'nobody-of-this-name', '\u{1f600}', known.username, (await user()).username,
    (await user({ disabledAt: new Date() })).username, (await user({ passwordHash: null })).username
  ]
  const answers = new Set()
  for (const name of names) {
    t.strictSame(await fail(name, capacity), Array(capacity).fill(401), name)
    const reply = await login(client(), name, 'correct horse battery')
    isThrottled(t, reply, capacity, 3600)
    const { timestamp, message, rateLimitInfo: { limit, remaining }, ...body } = reply.json()
    answers.add(JSON.stringify([{ ...body, limit, remaining }, Object.keys(reply.headers)]))
  }
  t.equal(answers.size, 1)
})

// L51
t.test('an account has one bucket, in whatever spelling its name is typed', async (t) => {
  const { username, password } = await user({ username: `asha${process.pid}` })
  const spellings = [
    username, username.toUpperCase(), `\uff41\uff53\uff48\uff41${process.pid}`, ` ${username} `
  ]
  for (const spelling of spellings) t.equal((await login(client(), spelling, 'wrong')).statusCode, 401)
  for (const spelling of spellings) t.equal((await login(client(), spelling, password)).statusCode, 429, spelling)
})

// L50
t.test('no two names share a bucket, and no name is in a key', async (t) => {
  for (const name of [
    'constructor', '__proto__', 'a:b', 'a', 'b', '{a}', '*', 'gatehouse:bucket:account:x', '198.18.0.1'
  ]) {
    t.equal((await login(client(), name, 'wrong')).statusCode, 401)
  }
  const buckets = []
  for await (const { owner } of app.buckets.list({ policyName: 'account' })) buckets.push(owner)
  t.ok(buckets.length >= 9)
  for (const bucket of buckets) t.match(bucket, /^[0-9a-f]{32}$/)
})

t.test('a request that is refused earlier costs the account nothing', async (t) => {
  const { username, password } = await user()
  const remoteAddress = client()
  for (let i = 0; i < 4 * capacity; i++) {
    await app.inject({
      method: 'POST',
      url: '/api/auth/login',
      remoteAddress: i % 2 ? client() : remoteAddress,
      payload: { username, password: '' }
    })
  }
  for (let i = 0; i < capacity; i++) t.equal((await login(remoteAddress, username, 'wrong')).statusCode, 429)
  t.strictSame(await fail(username, capacity - 1), Array(capacity - 1).fill(401))
  t.equal((await login(client(), username, password)).statusCode, 200)
})

t.test('a login without a decision is no failure, with a full hash queue or without a database', async (t) => {
  const { username, password } = await user()
  const empty = fillQueue(app)
  t.strictSame(await fail(username, 2 * capacity), Array(2 * capacity).fill(503))
  await empty()
  t.equal((await login(client(), username, password)).statusCode, 200)
  t.strictSame(await fail(username, capacity + 1), [...Array(capacity).fill(401), 429])

  const down = await startApp(t, { ...few, DATABASE_URL: `postgresql://u:p@127.0.0.1:${await freePort()}/x` })
  t.strictSame(await fail('anyone', 2 * capacity, down), Array(2 * capacity).fill(503))
  const buckets = []
  for await (const bucket of down.app.buckets.list({ policyName: 'account' })) buckets.push(bucket)
  t.strictSame(buckets, [])
})

// S9
t.test('a client that waits as long as a 429 says is admitted, once', async (t) => {
  const { username, password } = await user()
  t.strictSame(await fail(username, capacity), Array(capacity).fill(401))
  const refused = await login(client(), username, password)
  isThrottled(t, refused, capacity, 3600)
  const [{ now }, waitMs] = [performance, Number(refused.headers['retry-after']) * 1000]
  t.intercept(performance, 'now', { value: () => now.call(performance) + waitMs })
  t.strictSame(await fail(username, 2), [401, 429])
})

// S92
t.test('the lines of a refusal and of the failures before it name the account', async (t) => {
  const { id, username, password } = await user()
  await fail(username, capacity)
  const remoteAddress = client()
  const reply = await login(remoteAddress, username.toUpperCase(), password)
  const lines = logs.filter(line => line.actor === username)
  t.match(lines.slice(0, -1), Array(capacity).fill({ msg: 'request', event: 'authn_login_fail', status: 401 }))
  t.match(lines.at(-1), {
    msg: 'request',
    event: 'authn_login_fail_max',
    userId: id,
    status: 429,
    client: remoteAddress,
    reqId: reply.headers['x-request-id'],
    policy: 'account',
    verdict: 'refused'
  })
  t.equal(lines.length, capacity + 1)
  t.equal(Math.ceil(Number(lines.at(-1)!.waitMs) / 1000), reply.json().rateLimitInfo.retryAfter)

  const nobody = newUsername()
  await fail(nobody, capacity + 1)
  const [refused, ...failed] = logs.filter(({ msg }) => msg === 'request').slice(-capacity - 1).reverse()
  t.match(refused, { event: 'authn_login_fail_max', actor: accountKey(nobody), status: 429 })
  t.notOk(failed.some(line => 'actor' in line), 'what may be a password in the wrong field is not in the log')
})

t.test('two replicas over one Redis', async (t) => {
  const redis = await startRedis(t)
  const environment = { ...few, REDIS_URL: redis.url, DATABASE_URL, JWT_SECRET: 'Uw7-secret-of-two-replicas-aa91x0' }
  const [a, b] = [await startApp(t, environment), await startApp(t, environment)]

  // S11
  t.test('of concurrent failures on both, exactly as many are tried as there are tokens', async (t) => {
    const { username, password } = await a.user()
    const replies = await Promise.all(Array.from({ length: 6 * capacity }, (_, i) =>
      (i % 2 ? a : b).login(client(), username, 'wrong')))
    t.strictSame(statusesOf(replies).sort(), [...Array(capacity).fill(401), ...Array(5 * capacity).fill(429)])
    for (const replica of [a, b]) isThrottled(t, await replica.login(client(), username, password), capacity, 3600)
    t.match(await redis.client.get(`gatehouse:bucket:account:${accountKey(username)}`), new RegExp(`0{6}${capacity}$`))
  })

  t.test('a replica that refused during undecided logins admits once they have succeeded', async (t) => {
    const { username, password } = await a.user()
    const compared = holdBack(t, a.app.passwords, 'verify')
    const deciding = Array.from({ length: capacity }, () => a.login(client(), username, password))
    // Tokens are taken before the passwords are compared, so all of them are out by now.
    await compared.reached(capacity)
    t.equal((await b.login(client(), username, password)).statusCode, 429)
    compared.release()
    t.strictSame(statusesOf(await Promise.all(deciding)), Array(capacity).fill(200))
    await until(async () => (await b.login(client(), username, password)).statusCode === 200)
    t.equal(
      await redis.client.exists(`gatehouse:bucket:account:${accountKey(username)}`), 0, 'and nothing is left of it'
    )
  })
})

t.test('a reset during an outage of Redis frees the account on every replica within a second', async (t) => {
  const redis = await startRedis(t)
  const environment = {
    ...few, ...impatient, REDIS_URL: redis.url, DATABASE_URL, JWT_SECRET: 'Uw7-secret-of-two-replicas-aa91x0'
  }
  const [a, b] = [await startApp(t, environment), await startApp(t, environment)]
  const { id, username, password } = await a.user()
  const home = client()
  redis.process.kill('SIGSTOP')
  t.after(() => redis.process.kill('SIGCONT'))
  await until(async () => (await b.login(client(), username, 'wrong')).statusCode === 429)
  for (const address of [home, client()]) t.equal((await b.login(address, username, password)).statusCode, 429)

  await resetPassword(t, a, id, home)
  // Each comes from another address, because an address has five tokens.
  await until(async () => (await b.login(client(), username, newPassword)).statusCode === 200, 'it is free', 1000)
  t.equal((await b.login(home, username, newPassword)).statusCode, 200)
})

t.end()
