// A session gives tokens without a password until it ends. test/auth/revocations.test.ts has its end on all replicas.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import t from 'tap'
import { revokeTokens } from '#src/auth/account-changes.js'
import { deleteOldSessions, MAX_SESSIONS } from '#src/auth/sessions.js'
import type { Claims } from '#src/auth/tokens.js'
import { startApp, type TestApp } from '../fixtures/app.js'
import { seriesOf } from '../fixtures/metrics.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { until } from '../fixtures/until.js'

const main = await startApp(t)
const { app, client, login, logs, user } = main

const claimsOf = (token: string): Claims => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())

/** Each request comes from another address, so only limits by user matter. */
const ask = async (method: 'GET' | 'POST' | 'DELETE', path: string, token: string, on: TestApp = main) =>
  await on.app.inject({
    method, url: `/api/auth/${path}`, remoteAddress: client(), headers: { authorization: `Bearer ${token}` }
  })

async function loggedIn (on: TestApp = main, { remoteAddress = client(), userAgent = 'Firefox' } = {}) {
  const owner = await on.user()
  const { username, password } = owner
  const reply = await on.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress,
    headers: { 'user-agent': userAgent },
    payload: { username, password }
  })
  const { token } = reply.json().data
  return { ...owner, token: token as string, answer: reply.json() }
}

/** A token of a session that began some seconds ago. */
async function begunAgo (seconds: number) {
  const { id, username } = await user()
  const session = { id: randomUUID(), startedAt: Math.floor(Date.now() / 1000) - seconds }
  const issued = { id, username, role: 'USER', userType: 'STUDENT', tokenVersion: 0 }
  await app.db.session.create({
    data: {
      id: session.id,
      userId: id,
      tokenVersion: 0,
      client: 'x',
      userAgent: '',
      startedAt: new Date(session.startedAt * 1000)
    }
  })
  return { session, issue: () => app.issueToken(issued, session) }
}

t.test('a refresh answers like the login, with another token and the user as they are now', async (t) => {
  const { id, token, answer } = await loggedIn()
  await app.db.user.update({ where: { id }, data: { role: 'TEACHER' } })

  const reply = await ask('POST', 'refresh', token)

  const fresh = reply.json().data.token
  t.strictSame(reply.json(), { ...answer, data: { ...answer.data, role: 'TEACHER', token: fresh } })
  t.strictSame(Object.keys(reply.json().data), Object.keys(answer.data))
  const [before, after] = [claimsOf(token), claimsOf(fresh)]
  t.match(after, { sub: before.sub, sid: before.sid, auth_time: before.auth_time, role: 'TEACHER' })
  t.not(after.jti, before.jti)
  t.equal((await ask('POST', 'refresh', token)).statusCode, 200, 'an earlier token of the session')
  t.equal((await ask('GET', 'me', fresh)).statusCode, 200)
  t.match(logs.findLast(({ route }) => route === '/api/auth/refresh'), { userId: id, status: 200 })
})

t.test('a token never outlives its session', async (t) => {
  const { session, issue } = await begunAgo(11.5 * 3600)
  const over = await begunAgo(12 * 3600 + 1)
  const token = issue()

  const reply = await ask('POST', 'refresh', token)

  t.equal(claimsOf(token).exp, session.startedAt + 12 * 3600)
  t.equal(claimsOf(reply.json().data.token).exp, session.startedAt + 12 * 3600)
  t.equal((await ask('POST', 'refresh', over.issue())).statusCode, 401)
})

t.test('a token that a session got after its end is refused within a second', async (t) => {
  const { session, issue } = await begunAgo(60)
  await app.db.session.update({ where: { id: session.id }, data: { endedAt: new Date() } })
  const late = issue()

  await until(async () => (await ask('GET', 'me', late)).statusCode === 401)

  t.equal((await ask('POST', 'refresh', late)).statusCode, 401)
})

t.test('who is disabled, deleted or revoked gets no other token, before the replica knows of it', async (t) => {
  const [disabled, deleted, revoked] = [await loggedIn(), await loggedIn(), await loggedIn()]
  await app.db.user.update({ where: { id: disabled.id }, data: { disabledAt: new Date() } })
  await app.db.user.delete({ where: { id: deleted.id } })
  await revokeTokens(app.db, revoked.username)
  for (const { token } of [disabled, deleted, revoked]) t.equal((await ask('POST', 'refresh', token)).statusCode, 401)
})

t.test('the list has the user\'s sessions that have not ended, with address and browser in safe text', async (t) => {
  const { id, username, password, token } = await loggedIn(main, {
    remoteAddress: '2001:db8:7:7::9', userAgent: `Fire\u00e9fox\t${'x'.repeat(300)}`
  })
  const other = (await login('192.0.2.7', username, password)).json().data.token
  const gone = (await login(client(), username, password)).json().data.token
  await ask('POST', 'logout', gone)
  await loggedIn()

  const { data } = (await ask('GET', 'sessions', token)).json()

  t.match(data, [
    { id: claimsOf(other).sid, current: false, address: '192.0.2.7' },
    { id: claimsOf(token).sid, current: true, address: '2001:db8:7:7::/64', userAgent: /^Fire\?fox\?x{191}$/ }
  ])
  t.equal(data.length, 2)
  t.strictSame(Object.keys(data[0]), ['id', 'current', 'startedAt', 'lastUsedAt', 'address', 'userAgent'])
  const rows = await app.db.session.findMany({ where: { userId: id }, orderBy: { startedAt: 'desc' } })
  t.equal(data[0].startedAt, rows[1]!.startedAt.toISOString())
})

t.test('one\'s own session can be ended by its id; another\'s and one that is none get the same 404', async (t) => {
  const [mine, others] = [await loggedIn(), await loggedIn()]
  const second = (await login(client(), mine.username, mine.password)).json().data.token
  const bodies = new Set<string>()
  for (const id of [claimsOf(others.token).sid, randomUUID(), 'x', '%00']) {
    const reply = await ask('DELETE', `sessions/${id}`, mine.token)
    t.equal(reply.statusCode, 404)
    bodies.add(reply.json().message)
  }
  t.equal(bodies.size, 1)

  const reply = await ask('DELETE', `sessions/${claimsOf(second).sid}`, mine.token)

  t.equal(reply.body, '{"success":true,"status":200,"data":{"message":"Logged out."}}')
  await until(async () => (await ask('GET', 'me', second)).statusCode === 401)
  t.equal((await ask('POST', 'refresh', second)).statusCode, 401)
  t.equal((await ask('DELETE', `sessions/${claimsOf(second).sid}`, mine.token)).statusCode, 404)
  t.equal((await ask('POST', 'refresh', others.token)).statusCode, 200)
  t.match(logs.findLast(({ event }) => event === 'session_expired'), {
    actor: mine.username, userId: mine.id, status: 200
  })
})

t.test('a logout that is repeated is answered as the first one, and counted and recorded once', async (t) => {
  const { id, token } = await loggedIn()
  const logouts = async () => (await seriesOf(app, 'gatehouse_sessions_total'))
    .find(({ labels }) => labels.event === 'logout')?.value ?? 0
  const before = await logouts()

  const replies = await Promise.all(Array.from({ length: 5 }, async () => await ask('POST', 'logout', token)))

  t.same(replies.map(({ statusCode }) => statusCode), Array(5).fill(200))
  t.equal(await logouts() - before, 1)
  t.equal(logs.filter(({ event, userId }) => event === 'session_expired' && userId === id).length, 1)
})

t.test('refreshes and lists are limited by user, and the ends of sessions by address', async (t) => {
  const { token, username, password } = await loggedIn()
  const second = (await login(client(), username, password)).json().data.token
  const statuses: number[] = []
  for (let i = 0; i < 11; i++) statuses.push((await ask('POST', 'refresh', token)).statusCode)
  t.strictSame(statuses, [...Array(10).fill(200), 429])
  t.equal((await ask('GET', 'sessions', token)).statusCode, 429)
  t.equal((await ask('POST', 'refresh', (await loggedIn()).token)).statusCode, 200)
  t.equal((await ask('DELETE', `sessions/${claimsOf(second).sid}`, token)).statusCode, 200)
  t.equal((await ask('POST', 'logout', token)).body, '{"success":true,"status":200,"data":{"message":"Logged out."}}')
})

t.test('a login beyond the bound ends the session that was used longest ago', async (t) => {
  const { id, username, password, token } = await loggedIn()
  const lastUsedAt = (i: number) => new Date(Date.now() - 1000 * (i + 1))
  await app.db.session.createMany({
    data: Array.from({ length: MAX_SESSIONS - 1 }, (_, i) => ({
      id: randomUUID(), userId: id, tokenVersion: 0, client: 'x', userAgent: '', lastUsedAt: lastUsedAt(i)
    }))
  })

  await login(client(), username, password)

  t.equal((await ask('GET', 'sessions', token)).json().data.length, MAX_SESSIONS)
  const [ended, ...rest] = await app.db.session.findMany({ where: { userId: id, endedAt: { not: null } } })
  t.equal(rest.length, 0)
  t.equal(await app.db.session.count({ where: { userId: id, lastUsedAt: { lt: ended!.lastUsedAt } } }), 0)
  const counted = await seriesOf(app, 'gatehouse_sessions_total')
  t.match(counted.find(({ labels }) => labels.event === 'replaced'), { value: 1 })
})

t.test('a login that can begin no session ends none', async (t) => {
  const { id, username, password } = await loggedIn()
  await app.db.session.createMany({
    data: Array.from({ length: MAX_SESSIONS - 1 }, () => ({
      id: randomUUID(), userId: id, tokenVersion: 0, client: 'x', userAgent: ''
    }))
  })

  // As while an import changes the user.
  await app.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM users WHERE id = ${id} FOR UPDATE`
    t.equal((await login(client(), username, password)).statusCode, 200)
  })

  t.equal(await app.db.session.count({ where: { userId: id, endedAt: null } }), MAX_SESSIONS)
})

t.test('a session notes that it was used, at most once a minute', async (t) => {
  const [early, late] = [await loggedIn(), await loggedIn()]
  const row = ({ token }: { token: string }) => ({ where: { id: claimsOf(token).sid! } })
  const used = async (login: { token: string }) => (await app.db.session.findUniqueOrThrow(row(login))).lastUsedAt
  const first = await used(late)
  await app.db.session.update({ ...row(early), data: { lastUsedAt: new Date(Date.now() - 61_000) } })

  for (const { token } of [late, early]) await ask('POST', 'refresh', token)

  await until(async () => await used(early) >= first)
  t.same(await used(late), first)
})

t.test('rows of sessions whose tokens have expired are deleted, and no others', async (t) => {
  const { id: userId } = await user()
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  const row = { userId, tokenVersion: 0, client: 'x', userAgent: '' }
  const rows = Object.entries({
    live: { startedAt: hoursAgo(11) },
    'just ended': { startedAt: hoursAgo(5), endedAt: hoursAgo(1) },
    'ended long ago': { startedAt: hoursAgo(5), endedAt: hoursAgo(3) },
    'begun long ago': { startedAt: hoursAgo(15) },
    'begun long ago, just ended': { startedAt: hoursAgo(15), endedAt: hoursAgo(1) }
  }).map(([userAgent, times]) => ({ ...row, ...times, userAgent, id: randomUUID() }))
  await app.db.session.createMany({ data: rows })

  t.equal(await deleteOldSessions(app.db, 12), false)

  const left = await app.db.session.findMany({ where: { userId } })
  t.same(left.map(({ userAgent }) => userAgent).sort(), ['begun long ago, just ended', 'just ended', 'live'])
})

t.test('where no body belongs, an empty one may have any type and framing', async (t) => {
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  const statusOf = async (method: string, path: string, headers: OutgoingHttpHeaders, body = '') => {
    const [response] = await once(request(`${origin}/api/auth/${path}`, { method, headers }).end(body), 'response')
    return (response as IncomingMessage).resume().statusCode
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const types = [{}, form, { 'content-type': 'application/json' }, { 'content-type': 'text/plain; charset=latin1' }]
  for (const framing of [{ 'content-length': 0 }, { 'transfer-encoding': 'chunked' }]) {
    for (const type of types) {
      const { username, password, token } = await loggedIn()
      const second = (await login(client(), username, password)).json().data.token
      const headers = { authorization: `Bearer ${token}`, ...type, ...framing }
      const named = JSON.stringify({ ...type, ...framing })

      t.equal(await statusOf('POST', 'refresh', headers), 200, `refresh ${named}`)
      t.equal(await statusOf('DELETE', `sessions/${claimsOf(second).sid}`, headers), 200, `the end ${named}`)
      t.equal(await statusOf('POST', 'logout', headers), 200, `logout ${named}`)
    }
  }
  const { token } = await loggedIn()
  t.equal(await statusOf('POST', 'logout', { authorization: `Bearer ${token}`, ...form }, 'a=b'), 415)
})

t.test('with SESSION_HOURS=0 no session begins, and a logout ends the token alone', async (t) => {
  const off = await startApp(t, { SESSION_HOURS: '0', DATABASE_URL: await newDatabase() })
  const { id, username, password, token } = await loggedIn(off)
  const other = (await off.login(client(), username, password)).json().data.token
  t.notOk('sid' in claimsOf(token))
  t.equal(await off.app.db.session.count({ where: { userId: id } }), 0)
  t.equal((await ask('POST', 'refresh', token, off)).statusCode, 404)

  t.equal((await ask('POST', 'logout', token, off)).statusCode, 200)

  await until(async () => (await ask('GET', 'me', token, off)).statusCode === 401)
  t.equal((await ask('GET', 'me', other, off)).statusCode, 200)
})
t.test('a login whose address cannot be written still begins the session of its token', async (t) => {
  const full = await startApp(t, { DATABASE_URL: await newDatabase() })
  await full.app.db.$executeRaw`ALTER TABLE known_addresses ADD CHECK (client = 'none') NOT VALID`

  const { token } = await loggedIn(full)

  t.equal((await ask('POST', 'refresh', token, full)).statusCode, 200)
})

t.end()
