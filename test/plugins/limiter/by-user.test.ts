// A policy that counts by user: users behind one address have a bucket each, and share a larger one in front. A request
// without a valid token is counted by its address.

import t, { type Test } from 'tap'
import { revokeTokens } from '#src/auth/account-changes.js'
import { bucketOf, userOwner } from '#src/limiter/bucket/key.js'
import { startApp, type TestApp } from '../../fixtures/app.js'
import { newDirectory } from '../../fixtures/lifetime.js'
import { startRedis } from '../../fixtures/redis.js'
import { newDatabase } from '../../fixtures/shared-postgres.js'

const { url: REDIS_URL } = await startRedis(t)
const DATABASE_URL = await newDatabase()
const JWT_SECRET = 'a secret that both replicas know'.repeat(2).replace(',', '')

const { app: { db } } = await startApp(t, { DATABASE_URL })
// These users have to exist, because a busy machine looks them up: see auth/revocations.ts.
const users = await db.user.createManyAndReturn({
  data: Array.from({ length: 400 }, (_, i) => ({ username: `user.${i}`, userType: 'STUDENT', role: 'USER' })),
  select: { id: true, username: true }
})

/** A token of a new user. */
function newUser (replica: TestApp): { id: number, username: string, authorization: string } {
  const user = users.pop()!
  return { ...user, authorization: tokenOf(replica, user) }
}

function tokenOf ({ app }: TestApp, user: { id: number, username: string }, tokenVersion = 0): string {
  return `Bearer ${app.issueToken({ ...user, role: 'USER', userType: 'STUDENT', tokenVersion })}`
}

/** Two replicas with this limit for everyone. */
async function replicasWith (t: Test, general: object): Promise<[TestApp, TestApp]> {
  const json = JSON.stringify({ policies: { general } })
  const LIMITS_FILE = `${newDirectory(t, { 'limits.json': json })}/limits.json`
  const start = (): Promise<TestApp> => startApp(t, { REDIS_URL, DATABASE_URL, JWT_SECRET, LIMITS_FILE })
  return [await start(), await start()]
}

const campus = {
  by: 'user', capacity: 5, refill: 1, period: '1h', address: { capacity: 400, refill: 100, period: '1h' }
}

const [one, other] = await replicasWith(t, campus)

/** How many of these requests were admitted. The path has no route. */
async function admitted (
  { app }: TestApp, count: number, remoteAddress: string, headers: Record<string, string> = {}
): Promise<number> {
  const ask = async (): Promise<number> =>
    (await app.inject({ url: '/api/student/1', remoteAddress, headers })).statusCode
  const statuses = await Promise.all(Array.from({ length: count }, ask))
  t.ok(statuses.every(status => status === 404 || status === 429))
  return statuses.filter(status => status === 404).length
}

t.test('300 users behind one address are served by two replicas, and one abuser among them is limited alone',
  async (t) => {
    const address = one.client()
    const abuser = newUser(one)
    t.equal(await admitted(one, 200, address, { authorization: abuser.authorization }), 5)
    t.equal(await admitted(other, 200, address, { authorization: abuser.authorization }), 0)
    let served = 0
    for (let i = 0; i < 300; i++) {
      const { authorization } = newUser(one)
      served += await admitted(i % 2 === 0 ? one : other, 1, address, { authorization })
    }
    t.equal(served, 300)
    const shared = bucketOf({ name: 'shared-general', capacity: 400, refill: 100, periodMs: 3_600_000 }, address)
    t.match(await one.app.buckets.peek(shared), { remaining: 95 }, 'who was refused took nothing of what is shared')
  })

t.test('what is shared limits all users of an address together, and who is refused by it keeps their own tokens',
  async (t) => {
    const general = { ...campus, address: { capacity: 12, refill: 1, period: '1h' } }
    const [scarce, replica] = await replicasWith(t, general)
    const address = one.client()
    const crowd = Array.from({ length: 5 }, () => newUser(one))
    let served = 0
    for (const { authorization } of crowd) served += await admitted(scarce, 3, address, { authorization })
    t.equal(served, 12)
    const { id, authorization } = crowd.at(-1)!
    const headers = { authorization }
    const reply = await replica.app.inject({ url: '/api/student/1', remoteAddress: address, headers })
    t.match(reply.json(), { status: 429, rateLimitInfo: { limit: 12, remaining: 0 } })
    const policy = { name: 'general', capacity: 5, refill: 1, periodMs: 3_600_000 }
    t.match(await scarce.app.buckets.peek(bucketOf(policy, userOwner(id))), { remaining: 5 })
    t.equal(await admitted(scarce, 2, one.client(), headers), 2, 'elsewhere they are served')
  })

t.test('a request without a valid token is counted by its address, and its 401 comes after the limiter', async (t) => {
  const { authorization } = newUser(one)
  for (const invalid of ['', 'Bearer x.y.z', `${authorization}x`, 'x']) {
    const headers = { authorization: invalid }
    const address = one.client()
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) {
      const reply = await one.app.inject({ url: '/api/auth/me', remoteAddress: address, headers })
      statuses.push(reply.statusCode)
    }
    t.strictSame(statuses, [401, 401, 401, 401, 401, 429])
    t.equal(await admitted(one, 1, address, { authorization }), 1, 'who has a token is not limited by who has none')
  }
})

t.test('a revoked token is counted by the address that it comes from, and takes nothing from its owner', async (t) => {
  const { authorization, ...owner } = newUser(one)
  await revokeTokens(db, owner.username)
  // These know of it from their start.
  const [later] = await replicasWith(t, campus)
  t.equal(await admitted(later, 40, later.client(), { authorization }), 5)
  t.equal(await admitted(later, 6, later.client(), { authorization: tokenOf(later, owner, 1) }), 5)
})

t.test('a line of a refused user says who it was, and a user has one bucket wherever they are', async (t) => {
  const { id, authorization } = newUser(one)
  t.equal(await admitted(one, 3, one.client(), { authorization }), 3)
  t.equal(await admitted(other, 4, other.client(), { authorization }), 2)
  t.match(other.logs.filter(({ code }) => code === 'TOO_MANY_REQUESTS').at(-1), { userId: id, policy: 'general' })
})

t.end()
