// The console and the bucket API answer only operators, and no cross-origin page.

import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import t from 'tap'
import { defaultLimits, isAccountPolicy, policyNames } from '#src/limiter/limits/policies.js'
import { createSessions } from '#src/console/session.js'
import { endedInMemory } from '#src/auth/ended.js'
import { changeLimitsIn } from '#src/commands/limits/change-limits.js'
import { buildOps } from '#src/ops.js'
import { newClient, newUsername, startApp } from '../fixtures/app.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { startOps, type TestOps } from '../fixtures/ops.js'
import { enrol } from '../fixtures/second-factor.js'
import { startRedis } from '../fixtures/redis.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { until } from '../fixtures/until.js'

const OPS_TOKEN = 'pW8xTq3LzNv6RkYb2Hd9CsJf5Gm7AeUu'
const bearer = { authorization: `Bearer ${OPS_TOKEN}` }
const redis = await startRedis(t)
const shared = {
  REDIS_URL: redis.url,
  DATABASE_URL: await newDatabase(),
  JWT_SECRET: 'Fj3kd0-asd92kLsdk3jf92-akd83jfkal9',
  LIMITS_FILE: `${newDirectory(t, {
    'limits.json': JSON.stringify({
      policies: { general: { capacity: 3, refill: 1, period: '1m' } },
      networks: { '203.0.113.0/24': { general: 'exempt' } }
    })
  })}/limits.json`
}

/** A replica, and its ops listener. */
async function startReplica (environment: NodeJS.ProcessEnv): Promise<TestOps> {
  const service = await startOps(t, { ...shared, ...environment })
  await service.ops.ready()
  return service
}

const one = await startReplica({ OPS_TOKEN })
const another = await startReplica({ OPS_TOKEN })

async function signIn ({ ops }: typeof one, headers = {}): Promise<string> {
  const reply = await ops.inject({
    method: 'POST',
    url: '/console/session',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams({ token: OPS_TOKEN }).toString()
  })
  return String(reply.headers['set-cookie'])
}

const cookieIn = (header: string): { cookie: string } => ({ cookie: header.replace(/;.*/, '') })

t.test('without OPS_TOKEN a token is made and kept, and the log has the console\'s address with it', async (t) => {
  const { app, config, logs, ops } = await startOps(t, shared)
  const url = await ops.listen({ port: 0, host: '127.0.0.1' })
  const { msg } = logs.find(({ code }) => code === 'console_on')!
  const [, address, token] = /at (\S+)#(\S+)$/.exec(String(msg))!
  t.equal(address, `${url}/console`)

  const ask = async (headers: IncomingHttpHeaders) => await ops.inject({ url: '/buckets', headers })
  for (const headers of [{}, { host: 'localhost:9464' }, { authorization: 'Bearer x' }]) {
    t.equal((await ask(headers)).statusCode, 401, 'nobody gets in for being here')
  }
  t.equal((await ask({ authorization: `Bearer ${token}` })).statusCode, 200)
  const again = buildOps(app, config, app.log)
  t.after(() => again.close())
  const reply = await again.inject({ url: '/buckets', headers: { authorization: `Bearer ${token}` } })
  t.equal(reply.statusCode, 200, 'the token is the same after a restart')
})

t.test('in production without OPS_TOKEN console and API are off, and say how to use them', async (t) => {
  const { app, config, logs } = await startApp(t, shared)
  const ops = buildOps(app, { ...config, production: true }, app.log)
  t.after(() => ops.close())
  await ops.listen({ port: 0, host: '127.0.0.1' })
  t.match(logs.find(({ code }) => code === 'console_off'), { msg: /set OPS_TOKEN/ })
  for (const url of ['/console', '/console/events', '/console/console.js', '/buckets', '/buckets/192.0.2.1']) {
    t.match((await ops.inject({ url, headers: bearer })).json(), { status: 404, message: /set OPS_TOKEN/ }, url)
  }
  t.equal((await ops.inject('/livez')).statusCode, 200)
})

t.test('with OPS_TOKEN its holders may use console and API from anywhere; health and metrics need none', async (t) => {
  const ask = (url: string, headers = {}) => one.ops.inject({ url, remoteAddress: newClient(), headers })
  for (const url of ['/buckets', '/buckets/192.0.2.1', '/buckets/login/192.0.2.1', '/console/events', '/console']) {
    const { headers, ...reply } = await ask(url)
    t.match(reply.json(), { status: 401, error: 'Unauthorized', message: /OPS_TOKEN/, path: url })
    t.equal(headers['www-authenticate'], 'Bearer')
  }
  t.equal((await ask('/buckets', bearer)).statusCode, 200)
  t.equal((await ask('/console', bearer)).statusCode, 200)
  for (const authorization of ['Bearer', 'Bearer x', `Basic ${OPS_TOKEN}`, OPS_TOKEN, `Bearer ${OPS_TOKEN}x`]) {
    t.equal((await ask('/buckets', { authorization })).statusCode, 401, authorization)
  }
  for (const url of ['/livez', '/metrics']) t.equal((await ask(url)).statusCode, 200, url)

  const page = await ask('/console', { accept: 'text/html,*/*' })
  t.match(page, { statusCode: 401, headers: { 'content-type': 'text/html; charset=utf-8' }, body: /OPS_TOKEN/ })
  t.match(page.headers['content-security-policy'], /default-src 'none'.*frame-ancestors 'none'/)
  t.notMatch(page.headers['content-security-policy'], /unsafe|\*|data:/)
})

t.test('after ten wrong tokens an address gets 429 for more of them, and the right one still passes', async (t) => {
  const guesser = newClient()
  const guess = (headers: IncomingHttpHeaders, remoteAddress = guesser) =>
    one.ops.inject({ url: '/buckets', remoteAddress, headers })
  const before = cookieIn(await signIn(one))
  const startedMs = performance.now()
  const replies = await Promise.all(Array.from({ length: 30 }, (_, i) => guess({ authorization: `Bearer wrong${i}` })))
  t.equal(replies.filter(({ statusCode }) => statusCode === 401).length, 10)
  const refused = await guess({ authorization: 'Bearer wrong' })
  t.match(refused.json(), { status: 429, rateLimitInfo: { limit: 10 } })
  const { retryAfter } = refused.json().rateLimitInfo
  t.ok(retryAfter <= 6 && retryAfter >= 6 - (performance.now() - startedMs) / 1000, 'six seconds after the first')
  t.equal(refused.headers['retry-after'], String(retryAfter))
  t.equal((await guess(bearer)).statusCode, 200, 'nobody keeps operators out who send wrong tokens from their address')
  t.equal((await guess(before)).statusCode, 200, 'who has signed in stays so')
  const failures = one.logs.filter(({ event, client }) => event === 'operator_login_fail' && client === guesser)
  t.equal(failures.length, 10, 'each wrong token is an event')
})

t.test('the token is exchanged for a cookie that is no token, holds on every replica, and ends', async (t) => {
  const header = await signIn(one)
  t.match(header, /^gatehouse-console=\d+\.[\w-]{12}\.[\w-]{43}; /)
  t.match(header, /; Path=\/console; Max-Age=28800; HttpOnly; SameSite=Strict$/)
  t.match(await signIn(one, { origin: 'https://ops.example', host: 'ops.example' }), /; Secure$/)
  t.notOk(header.includes(OPS_TOKEN))
  const ask = ({ ops }: typeof one, headers: IncomingHttpHeaders) => ops.inject({ url: '/buckets', headers })
  t.equal((await ask(one, cookieIn(header))).statusCode, 200)
  t.equal((await ask(another, cookieIn(header))).statusCode, 200)

  const [, endsAt, random, mac] = /=(\d+)\.([^.]+)\.([^;]+)/.exec(header)!
  const forged = [
    `${Number(endsAt) + 1}.${random}.${mac}`, `${endsAt}.${random}.${mac!.slice(1)}A`, `${endsAt}.${random}.`, '',
    OPS_TOKEN, '1e15.x'
  ]
  for (const value of forged) {
    t.equal((await ask(one, { cookie: `gatehouse-console=${value}` })).statusCode, 401, value)
  }
  const { value: ofAnotherToken } = createSessions(`${OPS_TOKEN}x`, endedInMemory()).issue()
  t.equal((await ask(one, { cookie: `gatehouse-console=${ofAnotherToken}` })).statusCode, 401)

  const { now } = Date
  const past = t.intercept(Date, 'now', { value: () => now() - 8 * 3_600_000 - 1 })
  const { value: expired } = createSessions(OPS_TOKEN, endedInMemory()).issue()
  past.restore()
  t.equal((await ask(one, { cookie: `gatehouse-console=${expired}` })).statusCode, 401)
})

t.test('signing out ends the session and its events on every replica, and no other session', async (t) => {
  const [cookie, other] = [cookieIn(await signIn(one)), cookieIn(await signIn(one))]
  const { ops } = await startOps(t, { ...shared, OPS_TOKEN })
  const stream = listen(await ops.listen({ port: 0, host: '127.0.0.1' }), cookie)
  t.equal((await stream.reply).status, 200)

  const out = await one.ops.inject({ method: 'DELETE', url: '/console/session', headers: cookie })

  t.match(out.headers['set-cookie'], /^gatehouse-console=; Path=\/console; Max-Age=0/)
  for (const replica of [one, another]) {
    for (const [headers, status] of [[cookie, 401], [other, 200]] as const) {
      t.equal((await replica.ops.inject({ url: '/console/buckets', headers })).statusCode, status)
    }
  }
  await stream.ended
})

t.test('who signs out while Redis is away keeps the cookie, to try again, and a lost set ends nothing', async (t) => {
  const own = await startRedis(t)
  const [a, b] = [
    await startReplica({ OPS_TOKEN, REDIS_URL: own.url }), await startReplica({ OPS_TOKEN, REDIS_URL: own.url })
  ]
  const cookie = cookieIn(await signIn(a))
  const signOut = async () => await a.ops.inject({ method: 'DELETE', url: '/console/session', headers: cookie })
  const status = async ({ ops }: typeof one): Promise<number> =>
    (await ops.inject({ url: '/console/session', headers: cookie })).statusCode
  await own.client.config('SET', 'requirepass', 'another')
  await own.client.call('CLIENT', 'KILL', 'TYPE', 'normal')

  const refused = await signOut()
  t.strictSame([refused.statusCode, refused.headers['set-cookie']], [503, undefined])

  await own.client.config('SET', 'requirepass', '')
  await until(async () => (await signOut()).statusCode === 204)
  // Each replica comes back to Redis in its own time, and then knows of it.
  await until(async () => await status(b) === 401)
  await own.client.flushall()
  t.strictSame([await status(a), await status(b)], [401, 401])
})

t.test('a page of another origin gets nothing done with a session', async (t) => {
  const cookie = cookieIn(await signIn(one))
  const foreign = [
    { origin: 'https://evil.example' }, { origin: 'null' }, { origin: 'http://localhost:3000' },
    { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:80' }
  ]
  const { ops } = one
  for (const headers of foreign) {
    for (const [method, url] of [['DELETE', '/buckets/login/192.0.2.1'], ['POST', '/console/session']] as const) {
      const reply = await ops.inject({ method, url, headers: { host: 'localhost', ...cookie, ...headers } })
      t.match(reply.json(), { status: 403, message: /other origins/ }, JSON.stringify(headers))
    }
  }
  for (const headers of [{ origin: 'http://localhost' }, { 'sec-fetch-site': 'same-origin' }, {}]) {
    const reply = await ops.inject({
      method: 'DELETE', url: '/console/buckets/login/192.0.2.1', headers: { host: 'localhost', ...cookie, ...headers }
    })
    t.match(reply.json(), { status: 404, message: /has all its 5 tokens/ })
  }
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', accept: 'text/html' }
  t.equal((await one.ops.inject({ url: '/console', headers: link })).statusCode, 401, 'a link leads to the form')
})

t.test('the buckets of a client are listed, looked at and reset on every replica, as an event', async (t) => {
  const client = newClient()
  const ask = async (url: string, method: 'GET' | 'DELETE' = 'GET') => {
    const reply = await one.ops.inject({ method, url, headers: bearer, remoteAddress: '192.0.2.77' })
    return { status: reply.statusCode, body: reply.json(), headers: reply.headers }
  }
  const hit = ({ app }: typeof one) => app.inject({ url: '/api/auth/me', remoteAddress: client })
  for (let i = 0; i < 5; i++) await hit(another)
  t.equal((await hit(another)).statusCode, 429)

  const startedAt = Date.now()
  const { body: views } = await ask(`/buckets/${client}`)
  const names = views.map(({ policy }: { policy: string }) => policy)
  const ofAddresses = policyNames.filter(name => !isAccountPolicy(name))
  const shared = ofAddresses.flatMap(name => defaultLimits.policies[name].address?.name ?? [])
  t.same(names, [...ofAddresses, ...shared])
  const general = views[names.indexOf('general')]
  t.match(general, { policy: 'general', client, tokens: 0, capacity: 3, refill: 1, periodMs: 60_000 })
  const [nextMs, fullMs] = [general.nextTokenAt, general.fullAt].map(at => Date.parse(at) - startedAt)
  t.ok(nextMs! > 50_000 && nextMs! <= 60_500 && Math.abs(fullMs! - nextMs! - 120_000) <= 1, `${nextMs} ${fullMs}`)
  t.match(views[0], { policy: 'login', tokens: 5, nextTokenAt: null, fullAt: null })
  t.same((await ask(`/buckets/general/${client}`)).body.tokens, 0)
  t.match((await ask(`/buckets?client=${client}`)).body, [{ policy: 'general', client, tokens: 0 }])
  t.match((await ask(`/buckets?policy=general&client=${client}`)).body, [{ policy: 'general', client, tokens: 0 }])
  t.same((await ask(`/buckets?policy=login&client=${client}`)).body, [])

  t.strictSame((await ask(`/buckets/general/${client}`, 'DELETE')).body, { policy: 'general', client, tokens: 3 })
  await until(async () => (await hit(another)).statusCode !== 429, 'the other replica admits it again')
  const event = { event: 'bucket_reset', actor: 'operator', client: '192.0.2.77', policy: 'general', subject: client }
  t.equal(one.logs.filter(({ event, subject }) => event === 'bucket_reset' && subject === client).length, 1)
  t.match(one.logs.find(({ event }) => event === 'bucket_reset'), event)

  const ofExempt = (await ask('/buckets/203.0.113.9')).body.map(({ policy }: { policy: string }) => policy)
  t.same(ofExempt, names.filter((name: string) => name !== 'general'))
  t.match(await ask('/buckets/general/203.0.113.9'), { status: 404, body: { message: /exempt/ } })
  t.match(await ask('/buckets/nothing/203.0.113.9'), { status: 404, body: { message: /there are login, / } })
  t.same((await ask('/buckets/2001:db8:1:2::3')).body[0].client, '2001:db8:1:2::/64')
})

t.test('an account is named by its user, with the addresses from which its logins failed', async (t) => {
  const username = newUsername()
  const [first, second] = [newClient(), newClient()]
  for (const remoteAddress of [first, second]) {
    await one.app.inject({
      method: 'POST', url: '/api/auth/login', remoteAddress, payload: { username, password: 'wrong horse battery' }
    })
  }
  const ask = (url: string, method: 'GET' | 'DELETE' = 'GET') => one.ops.inject({ method, url, headers: bearer })
  const views = (await ask(`/buckets/${username.toUpperCase()}`)).json()
  t.match(views, [{ policy: 'account', tokens: 98 }, { policy: 'account-address', tokens: 9 }, { tokens: 9 }])
  t.equal(views.length, 3)
  t.match((await ask(`/buckets/account-address/${username}@${first}`)).json(), { tokens: 9 })
  const shown = encodeURIComponent(views[1].client)
  t.equal((await ask(`/buckets/account-address/${shown}`)).json().tokens, 9, 'also by the name that is shown')
  t.match((await ask(`/buckets/account/${username}`, 'DELETE')).json(), { policy: 'account', tokens: 100 })
  t.match((await ask(`/buckets/${username}`)).json(), [{ policy: 'account', tokens: 100 }])
})

t.test('a user is shown with the ways in, and nothing of their secrets', async (t) => {
  const { id, username } = await one.user()
  const ask = async (name: string, headers = {}) =>
    await another.ops.inject({ url: `/console/users/${encodeURIComponent(name)}`, headers })
  t.equal((await ask(`not-${username}`, bearer)).statusCode, 204)
  t.same((await ask(username, bearer)).json(), { signInIssuer: null, secondFactor: null })
  await enrol(another, id)
  t.same(Object.keys((await ask(username.toUpperCase(), bearer)).json().secondFactor), [
    'since', 'lastUsedAt', 'recoveryCodes', 'lastRefusal', 'lastRefusedAt', 'wrongCodes', 'barred'
  ])
  t.equal((await ask(username)).statusCode, 401)
})

t.test('hostile names are refused, and are never markup or a pattern', async (t) => {
  const ask = (url: string, method: 'GET' | 'DELETE' = 'GET') => one.ops.inject({ method, url, headers: bearer })
  const html = encodeURIComponent('<img src=x onerror=alert(1)>')
  const misnamed = [`/buckets/login/${html}`, `/buckets?client=${html}`, '/buckets?client=*', '/buckets/general/user:*']
  for (const url of misnamed) {
    t.match((await ask(url)).json(), { status: 400 }, url)
  }
  t.equal((await ask('/buckets/general/user:*', 'DELETE')).statusCode, 400)
  t.equal((await ask(`/buckets/${html}/192.0.2.1`)).statusCode, 404)
  t.equal((await ask(`/buckets?policy=${html}`)).statusCode, 404)
  t.equal((await ask('/buckets?policy=*')).statusCode, 404)
  for (const [field, query] of [['client', 'client=192.0.2.1&client=192.0.2.2'], ['policy', 'policy=login&policy=x']]) {
    t.match((await ask(`/buckets?${query}`)).json(), {
      status: 400, message: 'The query is not valid.', details: [{ field, message: 'must be there only once' }]
    })
  }
  t.match((await ask('/buckets?polcy=login')).json(), {
    status: 400, details: [{ field: 'polcy', message: 'is not known here' }]
  })
  t.equal((await ask(`/buckets/${'a'.repeat(129)}`)).statusCode, 400)
  const found = await ask(`/buckets/${html}`)
  t.equal(found.statusCode, 200)
  t.match(found.headers, { 'content-type': /^application\/json/, 'x-content-type-options': 'nosniff' })
  t.notMatch(found.body, '<', 'a username is shown as its hash')
})

/** Server-sent events as they come, parsed. */
function listen (url: string, headers: object, abort = new AbortController()): {
  events: Array<Record<string, any>>
  reply: Promise<Response>
  ended: Promise<void>
  abort: () => void
} {
  const events: Array<Record<string, any>> = []
  const reply = fetch(`${url}/console/events`, { headers: { ...headers }, signal: abort.signal })
  const ended = reply.then(async ({ body }) => {
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      for (const [, data] of chunk.matchAll(/^data: (.*)$/mg)) events.push(JSON.parse(data!))
    }
  })
  ended.catch(() => {})
  return { events, reply, ended, abort: () => abort.abort() }
}

/** The value of a session that ends in so many ms. */
function sessionOf (ms: number): string {
  const { now } = Date
  Date.now = () => now() - 8 * 3_600_000 + ms
  try {
    return createSessions(OPS_TOKEN, endedInMemory()).issue().value
  } finally {
    Date.now = now
  }
}

t.test('events tell who is refused on any replica, and stop with the session or the listener', async (t) => {
  const { ops } = await startOps(t, { ...shared, OPS_TOKEN })
  const url = await ops.listen({ port: 0, host: '127.0.0.1' })
  const stream = listen(url, bearer)
  t.match((await stream.reply).headers.get('content-type'), 'text/event-stream')
  await until(() => stream.events.length > 0)
  t.match(stream.events[0], {
    at: /Z$/, health: { database: 'reachable', redis: 'decides' }, limits: [{ name: 'login' }], refused: []
  })
  const client = newClient()
  await until(async () => {
    await another.app.inject({ url: '/api/auth/me', remoteAddress: client })
    return stream.events.at(-1)!.refused.some((row: { client: string }) => row.client === client)
  }, 'a client that the other replica refuses is shown')
  const last = stream.events.at(-1)!
  t.match(last.refused.find((row: { client: string }) => row.client === client), { policy: 'general' })
  await until(() => stream.events.at(-1)!.replicas.some((replica: { decisions?: { policies: object } }) =>
    'general' in (replica.decisions?.policies ?? {})), 'each replica tells what it has decided')
  t.ok(last.replicas.length >= 3 && last.replicas.some(({ name }: { name: string }) => name === last.here))

  const numbers = { capacity: 3, refill: 1, period: '1m' }
  const author = { by: 'asha', why: 'an attack' }
  const edit = { verb: 'try', policy: 'login', numbers } as const
  await changeLimitsIn(redis.client, defaultLimits, edit, author)
  await until(() => stream.events.at(-1)!.limitsVersion === 1, 'limits that another replica tries are shown')
  t.match(stream.events.at(-1), {
    history: [{ version: 1, by: 'asha', what: 'try login', why: 'an attack', limits: undefined }]
  })
  const login = stream.events.at(-1)!.limits.find(({ name }: { name: string }) => name === 'login')
  t.match(login, { network: 'any', capacity: 5, source: 'live', candidate: { capacity: 3, refill: 1, period: '1m' } })

  // This is like a browser behind a proxy that has a password of its own.
  const short = listen(url, { cookie: `gatehouse-console=${sessionOf(4000)}`, authorization: 'Basic b3BzOm9wcw==' })
  t.equal((await short.reply).status, 200)
  await short.ended
  t.pass('a stream ends with its session')

  const closed = ops.close()
  await t.rejects(stream.ended)
  await closed
})

t.test('a Redis that hangs is shown by a replica that sees itself alone, and a list is 503', async (t) => {
  const own = await startRedis(t)
  const { app, ops } = await startOps(t, { ...shared, REDIS_URL: own.url, REDIS_TIMEOUT_MS: '300', OPS_TOKEN })
  const stream = listen(await ops.listen({ port: 0, host: '127.0.0.1' }), bearer)
  await until(() => stream.events.at(-1)?.health.redis === 'decides')
  const before = stream.events.length
  own.process.kill('SIGSTOP')
  t.after(() => own.process.kill('SIGCONT'))
  await until(async () => {
    await app.inject({ url: '/api/auth/me', remoteAddress: newClient() })
    const { health, replicas, here } = stream.events.at(-1)!
    return health.redis === 'does not decide' && replicas.length === 1 && replicas[0].name === here
  })
  const times = stream.events.slice(before - 1).map(({ at }) => Date.parse(at))
  const gaps = times.slice(1).map((atMs, i) => atMs - times[i]!)
  t.ok(Math.max(...gaps) < 4000, `events go on: ${gaps.join(', ')} ms`)
  t.match((await ops.inject({ url: '/buckets', headers: bearer })).json(), { status: 503 })
  const local = await ops.inject({ url: '/buckets/login/192.0.2.1', headers: bearer })
  t.match(local.headers, { 'x-buckets-source': 'fallback' })
  stream.abort()
})

const EVENT_BYTES = 16_000_000

t.test('at most one event waits for a reader that does not read, until its session ends', async (t) => {
  const { app, ops } = await startOps(t, { ...shared, REDIS_URL: undefined, OPS_TOKEN })
  await ops.listen({ port: 0, host: '127.0.0.1' })
  // Each event is larger than what the kernel takes for a reader.
  app.metrics.decisions({ policy: 'x'.repeat(EVENT_BYTES), outcome: 'admitted' }).value++
  const socket = connect((ops.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {}).pause()
  t.after(() => socket.destroy())

  const served = once(ops.server, 'request')
  socket.write('GET /console/events HTTP/1.1\r\nHost: localhost\r\n' +
    `Cookie: gatehouse-console=${sessionOf(4000)}\r\n\r\n`)
  const [, response] = await served as [unknown, ServerResponse]
  let most = 0
  await until(() => {
    most = Math.max(most, response.writableLength)
    return response.destroyed
  })

  t.ok(most > EVENT_BYTES / 2 && most < 1.2 * EVENT_BYTES, `${most} bytes`)
})

t.end()
