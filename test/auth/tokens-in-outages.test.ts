// PostgreSQL fails in several ways while users of a module go on: no request of theirs is lost or waits, and what is
// revoked ends everywhere.

import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { revokeAllTokens, revokeTokens } from '#src/auth/account-changes.js'
import { startApp, type TestApp } from '../fixtures/app.js'
import { startNetwork, type Network } from '../fixtures/network.js'
import { startPostgres, startStandby } from '../fixtures/postgres.js'
import { startRedis } from '../fixtures/redis.js'
import { impatient } from '../fixtures/timeouts.js'
import { ownTime, until } from '../fixtures/until.js'
import { startUpstream } from '../fixtures/upstream.js'

const [postgres, redis, student] = await Promise.all([startPostgres(t), startRedis(t), startUpstream(t)])
const standby = await startStandby(t, postgres)
const [nearNetwork, farNetwork] = await Promise.all([startNetwork(t, postgres.port), startNetwork(t, postgres.port)])
const shared = {
  REDIS_URL: redis.url,
  JWT_SECRET: 'Uw7-secret-of-both-replicas-aa91x0',
  MODULES: `/api/student=${student.url}`,
  ...impatient
}
/** Each replica has a network of its own. So one can be cut off, while the other one keeps PostgreSQL. */
const startOver = async ({ port }: Network): Promise<TestApp> => await startApp(t, {
  ...shared, DATABASE_URL: postgres.url.replace(`:${postgres.port}/`, `:${port}/`)
})
const [near, far] = [await startOver(nearNetwork), await startOver(farNetwork)]

async function tokenOf ({ username, password }: { username: string, password: string }): Promise<string> {
  return (await near.login(near.client(), username, password)).json().data.token
}

const ask = async ({ app, client }: TestApp, token: string) => await app.inject({
  url: '/api/student/marks', remoteAddress: client(), headers: { authorization: `Bearer ${token}` }
})

/** Asks both replicas all the time. @returns a function that ends this, with all statuses and the longest time */
function keepAsking (token: string): () => Promise<{ statuses: number[], longestMs: number, count: number }> {
  const stopping = new AbortController()
  const statuses = new Set<number>()
  let [longestMs, count] = [0, 0]
  const asking = [near, far].map(async (replica) => {
    while (!stopping.signal.aborted) {
      const startedMs = ownTime()
      statuses.add((await ask(replica, token)).statusCode)
      longestMs = Math.max(longestMs, ownTime() - startedMs)
      count++
      await setTimeout(20)
    }
  })
  return async () => {
    stopping.abort()
    await Promise.all(asking)
    return { statuses: [...statuses], longestMs, count }
  }
}

/** A request that waits for PostgreSQL takes about as long. */
const OUTAGE_MS = 2000

async function isUndisturbed (
  t: Test, token: string, fail: () => unknown, recover: () => unknown
): Promise<void> {
  const stop = keepAsking(token)
  await setTimeout(100)

  await fail()
  await setTimeout(OUTAGE_MS)
  await recover()
  await setTimeout(500)

  const { statuses, longestMs, count } = await stop()
  t.comment(`${count} requests, the longest took ${Math.round(longestMs)} ms`)
  t.strictSame(statuses, [200])
  t.ok(longestMs < OUTAGE_MS / 2 && count > 20)
}

const bystander = await near.user()
let bystanding = await tokenOf(bystander)

t.test('a PostgreSQL that hangs loses and delays no request of a module', async (t) => {
  await isUndisturbed(t, bystanding, postgres.pause, postgres.resume)
})

t.test('a replica that alone has lost PostgreSQL learns by Redis within a second what was ended', async (t) => {
  const owner = await near.user()
  const token = await tokenOf(owner)
  const session = await tokenOf(await near.user())
  for (const one of [token, session]) t.equal((await ask(far, one)).statusCode, 200)
  farNetwork.cut = true
  await until(() => far.app.states.database.value === 'unreachable')

  const revokedMs = ownTime()
  await revokeTokens(near.app.db, owner.username)
  await near.app.inject({
    method: 'POST',
    url: '/api/auth/logout',
    remoteAddress: near.client(),
    headers: { authorization: `Bearer ${session}` }
  })
  for (const one of [token, session]) await until(async () => (await ask(far, one)).statusCode === 401)

  const tookMs = ownTime() - revokedMs
  t.comment(`refused after ${Math.round(tookMs)} ms`)
  t.ok(tookMs < 1000)
  t.equal((await ask(far, bystanding)).statusCode, 200)
})

t.test('what was learnt by Redis holds when PostgreSQL is back, also that everything was revoked', async (t) => {
  const owner = await near.user()
  const token = await tokenOf(owner)
  await revokeTokens(near.app.db, owner.username)
  await until(async () => (await ask(far, token)).statusCode === 401)
  await revokeAllTokens(near.app.db, 20_000)
  await until(async () => (await ask(far, bystanding)).statusCode === 401)

  farNetwork.cut = false
  farNetwork.tear()
  await until(() => far.app.states.database.value === 'reachable')

  for (const one of [token, bystanding]) t.equal((await ask(far, one)).statusCode, 401)
  await until(async () => {
    bystanding = await tokenOf(bystander)
    return (await ask(far, bystanding)).statusCode === 200
  })
})

t.test('a PostgreSQL that fails over loses and delays no request of a module, and goes on to revoke', async (t) => {
  const owner = await near.user()
  const token = await tokenOf(owner)
  const standbyClient = await standby.connect()
  await until(async () => (await standbyClient.query(
    'SELECT FROM users WHERE username = $1', [owner.username]
  )).rowCount === 1)

  await isUndisturbed(t, bystanding, () => postgres.stop('SIGKILL'), async () => {
    await standbyClient.query('SELECT pg_promote()')
    for (const network of [nearNetwork, farNetwork]) {
      network.serverPort = standby.port
      network.tear()
    }
    await until(() => revokeTokens(near.app.db, owner.username))
  })

  for (const replica of [near, far]) await until(async () => (await ask(replica, token)).statusCode === 401)
})

t.end()
