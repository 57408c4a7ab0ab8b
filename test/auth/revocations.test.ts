// A revocation ends a user's tokens on every replica within a second, also during outages, and costs a request no
// query.

import { performance } from 'node:perf_hooks'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { revokeTokens } from '#src/auth/account-changes.js'
import { watchRevocations, type DatabaseFailureMode, type Revocations } from '#src/auth/revocations.js'
import { openDatabase } from '#src/database/database.js'
import { endedInMemory } from '#src/auth/ended.js'
import type { PrismaClient } from '#prisma/client.js'
import { startApp, type TestApp } from '../fixtures/app.js'
import { codeOf } from '../fixtures/log.js'
import { startPostgres } from '../fixtures/postgres.js'
import { startRedis } from '../fixtures/redis.js'
import { impatient } from '../fixtures/timeouts.js'
import { claimsOf, hmac, kidOfSecret, markOf } from '../fixtures/tokens.js'
import { ownTime, until } from '../fixtures/until.js'

const secret = 'Uw7-secret-of-both-replicas-aa91x0'
const [postgres, redis] = await Promise.all([startPostgres(t), startRedis(t)])
const shared = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, JWT_SECRET: secret, ...impatient }
const [a, b] = [await startApp(t, shared), await startApp(t, shared)]
const replicas = [a, b]
/** A database connection like that of the command line, without a replica. */
const database = await openDatabase({ databaseUrl: postgres.url, dataDir: '', databaseTimeoutMs: 20_000 })
const db = database.prisma
t.after(() => database.close())

type Owner = Awaited<ReturnType<TestApp['user']>>

async function tokenOf ({ username, password }: Pick<Owner, 'username' | 'password'>, at = a): Promise<string> {
  return (await at.login(at.client(), username, password)).json().data.token
}

const mark = await markOf(db)

/** A token like ours, except for the given claims. */
const mint = (claims: object): string =>
  hmac(secret, { alg: 'HS256', typ: 'JWT', kid: kidOfSecret(secret) }, claimsOf({ db: mark, ...claims }))

const me = ({ app, client }: TestApp, token: string) =>
  app.inject({ url: '/api/auth/me', remoteAddress: client(), headers: { authorization: `Bearer ${token}` } })

const refresh = ({ app, client }: TestApp, token: string) => app.inject({
  method: 'POST', url: '/api/auth/refresh', remoteAddress: client(), headers: { authorization: `Bearer ${token}` }
})

/**
 * A request that needs no query, except perhaps for the revocation. If the token is valid, it gets 400 because of its
 * missing body.
 */
const bare = ({ app, client }: TestApp, token: string, payload?: object) =>
  app.inject({
    method: 'POST',
    url: '/auth/UserCreation',
    remoteAddress: client(),
    headers: { authorization: `Bearer ${token}` },
    ...payload && { payload }
  })

async function isAdmitted (t: Test, token: string, what: string): Promise<void> {
  for (const [i, replica] of replicas.entries()) {
    const [one, other] = await Promise.all([me(replica, token), bare(replica, token)])
    t.strictSame([one.statusCode, other.statusCode], [200, 400], `${what}, replica ${i + 1}: ${one.body}`)
  }
}

/** Checks for the common 401, on both routes and of a refresh. */
async function isRefused (t: Test, token: string, what: string, at = replicas): Promise<void> {
  for (const replica of at) {
    for (const reply of await Promise.all([me(replica, token), bare(replica, token), refresh(replica, token)])) {
      t.equal(reply.statusCode, 401, `${what} ${reply.body}`)
      t.match(reply.json(), {
        status: 401, error: 'Unauthorized', message: 'A valid token is required. Please log in.'
      })
    }
  }
}

/**
 * Asks both replicas every 50 ms until both refuse a token on both routes.
 *
 * @param good tokens that must be admitted all the while
 * @returns for each replica, when the last request was sent that it admitted, in ms from the call by `ownTime`
 */
async function admittedUntil (t: Test, token: string, good: string[] = []): Promise<number[]> {
  const started = ownTime()
  const faults: string[] = []
  const times = await Promise.all(replicas.map(async (replica) => {
    for (let admitted = 0; ; await setTimeout(50)) {
      const asked = Math.round(ownTime() - started)
      const [statuses, others] = await Promise.all([
        Promise.all([me(replica, token), bare(replica, token)]),
        Promise.all(good.flatMap(one => [me(replica, one), bare(replica, one)]))
      ])
      for (const { statusCode } of others) {
        if (statusCode !== 200 && statusCode !== 400) faults.push(`${statusCode} after ${asked} ms`)
      }
      if (statuses.every(({ statusCode }) => statusCode === 401)) return admitted
      admitted = asked
      if (asked > 5000) return Infinity
    }
  }))
  t.strictSame(faults, [], 'good tokens were good all the while')
  return times
}

function isSoon (t: Test, times: number[], what: string): void {
  t.comment(`${what}: admitted for ${times.join(' and ')} ms`)
  t.ok(times.every(ms => ms < 1000), `${what}: ${times.join(' and ')} ms`)
}

/** Tokens that were refused once. They stay refused in every outage of Redis, PostgreSQL and the list. */
const dead: string[] = []

const newPassword = 'another horse battery'
const bystander = await a.user()
const bystanding = await tokenOf(bystander)

async function changeOwn (username: string): Promise<boolean> {
  const reply = await a.app.inject({
    method: 'POST',
    url: '/auth/changePassword',
    remoteAddress: a.client(),
    payload: { username, currentPassword: 'correct horse battery', newPassword }
  })
  return reply.statusCode === 200
}

t.test('after a change of the password earlier tokens get 401 on every replica within a second', async (t) => {
  const owner = await a.user()
  const [early, also] = [await tokenOf(owner, a), await tokenOf(owner, b)]
  await isAdmitted(t, early, 'before')
  await isAdmitted(t, also, 'before, from the other replica')

  t.ok(await changeOwn(owner.username))
  const after = { ...owner, password: newPassword }
  const [admitted, fresh] = await Promise.all([
    admittedUntil(t, early, [bystanding]),
    tokenOf(after, b).then(async (fresh) => {
      await isAdmitted(t, fresh, 'a new login\'s, at once')
      return fresh
    })
  ])
  isSoon(t, admitted, 'a change of the password')
  await isRefused(t, also, 'every earlier token')
  await isAdmitted(t, fresh, 'a new login\'s, once the revocation is known')
  await isAdmitted(t, await tokenOf(after, a), 'and the next')
  await isAdmitted(t, bystanding, 'another user\'s')
  t.equal((await a.login(a.client(), owner.username, owner.password)).statusCode, 401)
  dead.push(early, also)
  for (const { logs } of replicas) {
    t.match(logs.filter(({ event }) => event === 'authn_token_reuse').at(-1), { userId: owner.id, status: 401 })
  }
})

const logOut = (token: string): Promise<LightMyRequestResponse> => a.app.inject({
  method: 'POST', url: '/api/auth/logout', remoteAddress: a.client(), headers: { authorization: `Bearer ${token}` }
})

t.test('after a logout, a session\'s tokens get 401 on every replica in a second, other sessions go on', async (t) => {
  const owner = await a.user()
  const [token, other] = [await tokenOf(owner, a), await tokenOf(owner, b)]
  const refreshed = (await refresh(b, token)).json().data.token

  t.match(await logOut(refreshed), { statusCode: 200 })

  isSoon(t, await admittedUntil(t, token, [other, bystanding]), 'logout')
  await isRefused(t, refreshed, 'another token of the session')
  t.equal((await refresh(b, other)).statusCode, 200)
  dead.push(token)
})

t.test('a token of the second of the revocation is refused; a login in that second works', async (t) => {
  const owner = await a.user()
  const { now } = Date
  const nowMs = now()
  t.after(() => { Date.now = now })
  Date.now = () => nowMs
  const early = await tokenOf(owner)
  await revokeTokens(db, owner.username)
  const fresh = await tokenOf(owner, b)
  Date.now = now

  await isAdmitted(t, fresh, 'the new one')
  isSoon(t, await admittedUntil(t, early, [fresh]), 'the one before')
})

t.test('revocations that are committed late are seen within a second of their commit', async (t) => {
  const [owner, meanwhile] = [await a.user(), await a.user()]
  const [token, meanwhileToken] = [await tokenOf(owner), await tokenOf(meanwhile)]
  let commit: undefined | (() => void)
  const held = db.$transaction(async (tx) => {
    await revokeTokens(tx as PrismaClient, owner.username)
    // As if the transaction had begun so long ago.
    await tx.$executeRaw`UPDATE users SET tokens_revoked_at = now() - interval '3 seconds' WHERE id = ${owner.id}`
    await new Promise<void>((resolve) => { commit = resolve })
  }, { timeout: 20_000, maxWait: 5000 })

  await until(() => commit !== undefined)
  await revokeTokens(db, meanwhile.username)
  isSoon(t, await admittedUntil(t, meanwhileToken, [token]), 'one that was committed meanwhile')
  await isAdmitted(t, token, 'not committed yet')
  commit!()
  await held
  isSoon(t, await admittedUntil(t, token, [bystanding]), 'once it is committed')
  dead.push(token, meanwhileToken)
})

t.test('a new replica knows the revocations of the last hour at its first request', async (t) => {
  const now = Math.floor(Date.now() / 1000)
  const [owner, never] = [await a.user(), await a.user()]
  const issued = { iat: now - 55 * 60, exp: now + 5 * 60 }
  const early = mint({ ...issued, sub: String(owner.id) })
  await isAdmitted(t, early, 'issued 55 minutes ago')
  await revokeTokens(db, owner.username)
  await db.$executeRaw`UPDATE users SET tokens_revoked_at = now() - interval '50 minutes' WHERE id = ${owner.id}`
  const replica = await startApp(t, shared)
  await isRefused(t, early, 'revoked 50 minutes ago', [replica])
  await isRefused(t, dead[0]!, 'revoked by an earlier test', [replica])
  t.equal(
    (await bare(replica, mint({ ...issued, sub: String(never.id) }))).statusCode, 400, 'another user\'s of the same age'
  )
})

/** A client that counts how often the list is read, and can be made to fail. */
function counted (client: PrismaClient) {
  const counts = { lists: 0, answered: 0, listsFail: false }
  const proxy = new Proxy(client, {
    get (target, name) {
      if (name !== '$queryRaw') throw new Error(`${String(name)} is used`)
      return async (...query: [TemplateStringsArray, ...unknown[]]) => {
        counts.lists++
        try {
          if (counts.listsFail) throw new Error('made to fail')
          return await target.$queryRaw(...query)
        } finally {
          counts.answered++
        }
      }
    }
  })
  return { counts, proxy }
}

interface Watched extends ReturnType<typeof counted> {
  list: Revocations
  lines: string[]
  database: { isReadable: boolean }
  /** Until the list has been asked for so many times more, and has come. */
  polls: (count: number) => Promise<void>
}

async function watched (
  t: Test, { listsFail = false, mode = 'known' as DatabaseFailureMode } = {}
): Promise<Watched> {
  const { counts, proxy } = counted(db)
  counts.listsFail = listsFail
  const lines: string[] = []
  const database = { isReadable: true }
  const list = await watchRevocations(proxy, endedInMemory(), mode, {
    info: details => lines.push(codeOf(details)), warn: details => lines.push(codeOf(details))
  }, { isReadable: () => database.isReadable })
  t.after(() => list.close())
  return {
    counts,
    proxy,
    list,
    lines,
    database,
    async polls (count) {
      const goal = counts.lists + count
      await until(() => counts.answered >= goal)
      await setImmediate()
    }
  }
}

t.test('checking tokens costs PostgreSQL a few short queries a second, however many there are', async (t) => {
  const { counts, list } = await watched(t)
  t.equal(counts.lists, 1, 'the list is there before the first request')
  const [startedMs, endMs] = [performance.now(), ownTime() + 1500]
  while (ownTime() < endMs) {
    for (let i = 0; i < 100; i++) list.isRevoked(bystander.id, 0)
    await setTimeout(20)
  }
  const most = 2 + (performance.now() - startedMs) / 500
  t.ok(counts.lists >= 3 && counts.lists <= most, `${counts.lists} lists for thousands of tokens`)

  await list.close()
  const closed = counts.lists
  await setTimeout(900)
  t.equal(counts.lists, closed, 'and none once it was closed')
})

t.test('without the list known tokens stay refused and others go on; an outage of its own has two lines', async (t) => {
  const { counts, list, lines, polls, database } = await watched(t)
  const [owner, revoked] = [await a.user(), await a.user()]
  await revokeTokens(db, revoked.username)
  await polls(1)
  const pass = shiftClock(t)
  for (let outage = 1; outage <= 2; outage++) {
    counts.listsFail = true
    database.isReadable = false
    await polls(1)
    pass(5000)
    await polls(1)
    t.equal(lines.length, 2 * (outage - 1), 'an outage of the database is not its own')

    database.isReadable = true
    await polls(1)
    pass(5000)
    await polls(2)
    t.strictSame([lines.length, lines.at(-1)], [2 * outage - 1, 'revocations_unavailable'])
    t.strictSame([list.isRevoked(revoked.id, 0), list.isRevoked(owner.id, 0), list.isUsable()], [true, false, true])

    counts.listsFail = false
    await polls(2)
    t.strictSame([lines.length, lines.at(-1)], [2 * outage, 'revocations_recovered'])
  }
})

t.test('TOKENS_ON_DATABASE_FAILURE=closed uses no list that is older than a second', async (t) => {
  const { counts, list, polls } = await watched(t, { mode: 'closed' })
  t.equal(list.isUsable(), true)

  counts.listsFail = true
  await until(() => !list.isUsable(), 'it is too old', 1500)

  counts.listsFail = false
  await polls(1)
  t.equal(list.isUsable(), true)
})

t.test('a revocation during a long outage of the list is known when the list is back', async (t) => {
  const { counts, list, polls } = await watched(t)
  const owner = await a.user()
  counts.listsFail = true
  const pass = shiftClock(t)
  pass(45_000)
  await revokeTokens(db, owner.username)
  await db.$executeRaw`UPDATE users SET tokens_revoked_at = now() - interval '44 seconds' WHERE id = ${owner.id}`
  counts.listsFail = false
  await polls(2)
  t.equal(list.isRevoked(owner.id, 0), true)
})

/** @returns a function that moves the clocks of this process forward by so many ms */
function shiftClock (t: Test): (ms: number) => void {
  const [monotonic, wall] = [performance.now, Date.now]
  let shiftMs = 0
  performance.now = () => monotonic.call(performance) + shiftMs
  Date.now = () => wall() + shiftMs
  t.after(async () => {
    [performance.now, Date.now] = [monotonic, wall]
    // The replicas' lists have times in the future until they are read again.
    await setTimeout(600)
  })
  return (ms) => { shiftMs += ms }
}

t.test('only revocations older than any token are forgotten, when the whole list is reread', async (t) => {
  const { list, polls } = await watched(t)
  const [recent, old] = [await a.user(), await a.user()]
  for (const { username } of [recent, old]) await revokeTokens(db, username)
  await polls(2)
  for (const { id } of [recent, old]) t.equal(list.isRevoked(id, 0), true)
  await db.$executeRaw`UPDATE users SET tokens_revoked_at = now() - interval '7190 seconds' WHERE id = ${recent.id}`
  await db.$executeRaw`UPDATE users SET tokens_revoked_at = now() - interval '7210 seconds' WHERE id = ${old.id}`
  await polls(2)
  for (const { id } of [recent, old]) t.equal(list.isRevoked(id, 0), true, 'not before')

  const pass = shiftClock(t)
  // What came from other replicas is forgotten one whole list later.
  for (let minute = 1; minute <= 2; minute++) {
    pass(61_000)
    await polls(2)
  }
  t.equal(list.isRevoked(recent.id, 0), true, 'a token of an hour may be left that was issued late')
  t.equal(list.isRevoked(old.id, 0), false)
})

t.test('a revocation in a transaction of half a minute is seen within a minute', async (t) => {
  const { list, polls } = await watched(t)
  const owner = await a.user()
  await revokeTokens(db, owner.username)
  // now() is the time at which a transaction begins: this is what one of forty seconds leaves behind.
  await db.$executeRaw`UPDATE users SET token_version = 1, tokens_revoked_at = now() - interval '40 seconds' WHERE
    id = ${owner.id}`
  await polls(2)
  t.comment(`before the whole list is read: ${list.isRevoked(owner.id, 0) ? 'known' : 'not known'}`)
  const pass = shiftClock(t)
  pass(61_000)
  await polls(2)
  t.equal(list.isRevoked(owner.id, 0), true)
})

t.test('without Redis a revocation takes effect as fast as with it', async (t) => {
  const [owner, other] = [await a.user(), await a.user()]
  const tokens = [await tokenOf(owner), await tokenOf(other)]
  redis.process.kill('SIGKILL')
  await Promise.all(replicas.map(replica => me(replica, bystanding)))
  await revokeTokens(db, owner.username)
  isSoon(t, await admittedUntil(t, tokens[0]!, [tokens[1]!, bystanding]), 'Redis is down')
  await logOut(tokens[1]!)
  isSoon(t, await admittedUntil(t, tokens[1]!, [bystanding]), 'and a logout')
  await isAdmitted(t, await tokenOf(owner, b), 'a new login\'s')
  for (const token of dead) await isRefused(t, token, 'refused before')
  dead.push(tokens[0]!)
})

t.test('without PostgreSQL and Redis, tokens go on, and those that were revoked stay refused', async (t) => {
  await postgres.stop()
  await until(() => replicas.every(({ app }) => app.states.database.value === 'unreachable'),
    'both have noticed', 3000)

  for (const replica of replicas) {
    t.equal((await bare(replica, bystanding)).statusCode, 400)
    for (const token of dead) t.equal((await bare(replica, token)).statusCode, 401)
  }
  for (const reply of [await me(a, bystanding), await refresh(a, bystanding), await logOut(bystanding)]) {
    t.match(reply.headers['retry-after'], /^[234]$/)
    t.match(reply.json(), { status: 503, error: 'Service Unavailable', message: /try again/ })
    t.notMatch(reply.body, /prisma|postgres|127\.0\.0\.1|P\d{4}|revo/i, 'no internal detail is shown')
  }
})

t.test('a replica that starts without PostgreSQL admits no token', async (t) => {
  await postgres.stop()
  const replica = await startApp(t, shared)
  for (const token of [bystanding, dead.at(-1)!]) {
    t.equal((await me(replica, token)).statusCode, 503)
    t.equal((await bare(replica, token)).statusCode, 503)
  }
})

t.end()
