// A take takes a token from each of two buckets or from neither: in one call if they are in one place, and otherwise in
// turn. A request that one bucket refuses takes nothing from the other one, and causes no other refusal.

import calculateSlot from 'cluster-key-slot'
import t from 'tap'
import {
  BucketsApart, StoreUnavailable, type Bucket, type BucketStore, type Policy, type Verdict
} from '#src/limiter/bucket/bucket.js'
import { withDenyCache } from '#src/limiter/layers/deny-cache.js'
import { mergedWith } from '#src/limiter/layers/differing-limits.js'
import { withFallback, type FailureMode } from '#src/limiter/layers/fallback.js'
import { bucketOf, userOwner } from '#src/limiter/bucket/key.js'
import { createLocalShare } from '#src/limiter/layers/local-share.js'
import { createMemoryStore } from '#src/limiter/bucket/memory-store.js'
import { withModes } from '#src/limiter/layers/modes.js'
import { generator } from '../../fixtures/random.js'
import { startCluster, startRedis, type RedisServer } from '../../fixtures/redis.js'
import { openRedisStore } from '../../fixtures/store.js'
import { until } from '../../fixtures/until.js'

const HOUR = 3_600_000
const redis = await startRedis(t)
const store = await openRedisStore(t, redis.url)

const sharedBy = (capacity: number): Policy => ({ name: 'shared-general', capacity, refill: 10, periodMs: HOUR })
const eachBy = (capacity: number): Policy => ({ name: 'general', capacity, refill: 1, periodMs: HOUR })
const userBucket = (capacity: number, user: number | string): Bucket => bucketOf(eachBy(capacity), userOwner(user))

/** Requests of these users behind one bucket, all at once. @returns how many of each were admitted */
async function admitted (
  of: Pick<BucketStore, 'takeBoth'>, users: number[], front: Bucket, policy: Policy
): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  await Promise.all(users.map(async (user) => {
    const [, { allowed }] = await of.takeBoth(bucketOf(policy, userOwner(user)), front)
    if (allowed) counts.set(user, (counts.get(user) ?? 0) + 1)
  }))
  return counts
}

const sum = (counts: Map<number, number>): number => [...counts.values()].reduce((total, count) => total + count, 0)

/** The value and the expiry of each bucket in a Redis. */
const heldBy = async ({ client }: RedisServer, buckets: Bucket[]): Promise<unknown[]> =>
  await Promise.all(buckets.flatMap(({ key }) => [client.get(key), client.pexpiretime(key)]))

t.test('200 requests at once get exactly what the limits allow, even if others among them are refused', async (t) => {
  // One abuser, and 50 users with one request each. There are tokens for all users, and for 5 requests of the abuser.
  const policy = eachBy(5)
  const users = Array.from({ length: 200 }, (_, i) => i % 4 === 0 ? 1000 + i : 1)
  const counts = await admitted(store, users, bucketOf(sharedBy(55), '192.0.2.1'), policy)
  t.equal(counts.get(1), 5)
  t.equal(counts.size, 51, 'nobody is refused because the abuser is')
  t.match(await store.peek(bucketOf(sharedBy(55), '192.0.2.1')), { remaining: 0 })

  // 40 users with 5 requests each could get 80, and share 70.
  const crowd = Array.from({ length: 200 }, (_, i) => 2000 + i % 40)
  const front = bucketOf(sharedBy(70), '192.0.2.2')
  const shares = await admitted(store, crowd, front, eachBy(2))
  t.equal(sum(shares), 70)
  t.ok([...shares.values()].every(count => count <= 2))
  const left = await Promise.all(Array.from({ length: 40 }, (_, i) => store.peek(userBucket(2, 2000 + i))))
  t.equal(left.reduce((total, { remaining }) => total + remaining, 0), 10, 'who got no shared token keeps their own')
})

t.test('pairs of several policies and other takes of the same moment are decided as one after another', async (t) => {
  const memory = createMemoryStore()
  const random = generator(20261124)
  const roll = (sides: number): number => Math.floor(random() * sides)
  const [shared, each, other] = [sharedBy(9), eachBy(3), { ...eachBy(4), name: 'marks' }]
  const also = { ...sharedBy(5), name: 'shared-marks' }
  const wide = mergedWith(sharedBy(9), [{ ...sharedBy(12), refill: 3 }])
  const tally = { admitted: 0, refusedByFirst: 0, refusedBySecond: 0 }
  const describe = (bucket: Bucket, { allowed, remaining }: Verdict): unknown[] => [bucket.key, allowed, remaining]

  for (let round = 0; round < 150; round++) {
    const address = `10.0.0.${roll(6)}`
    const asks = Array.from({ length: 1 + roll(45) }, () => {
      const user = userOwner(`${address}-${roll(5)}`)
      const kind = roll(5)
      const [front, bucket] = kind === 0
        ? [bucketOf(also, address), bucketOf(other, user)]
        : [bucketOf(kind === 1 ? wide : shared, address), bucketOf(each, user)]
      if (kind === 4) return { policy: each, ask: async (of: BucketStore) => describe(bucket, await of.take(bucket)) }
      return { policy: front.policy, ask: async (of: BucketStore) => describe(...await of.takeBoth(bucket, front)) }
    })
    const inRedis = await Promise.all(asks.map(({ ask }) => ask(store)))
    // Takes of one policy are adjacent in a call, and a call has at most 32 buckets.
    const order: number[] = []
    for (let from = 0, to = 0; from < asks.length; from = to) {
      for (let buckets = 0; to < asks.length; to++) {
        const size = asks[to]!.policy === each ? 1 : 2
        if (buckets + size > 32) break
        buckets += size
        if (buckets === 32) { to++; break }
      }
      const policies = [...new Set(asks.slice(from, to).map(({ policy }) => policy))]
      for (const policy of policies) {
        for (let i = from; i < to; i++) if (asks[i]!.policy === policy) order.push(i)
      }
    }
    const expected: unknown[] = []
    for (const i of order) expected[i] = await asks[i]!.ask(memory)
    t.same(inRedis, expected, `round ${round}`)
    for (const [key, allowed] of inRedis as Array<[string, boolean]>) {
      tally[allowed ? 'admitted' : key.includes('shared') ? 'refusedByFirst' : 'refusedBySecond']++
    }
    if (round % 10 === 9) {
      for await (const { key } of memory.list()) await Promise.all([memory.reset({ key }), store.reset({ key })])
    }
  }
  t.comment(JSON.stringify(tally))
  t.ok(Object.values(tally).every(count => count > 100), JSON.stringify(tally))
})

t.test('a refusal by either leaves value and expiry of both as they were, whatever they are', async (t) => {
  const { client } = redis
  const front = bucketOf({ ...sharedBy(20), refill: 3 }, '192.0.2.10')
  const user = userBucket(3, 3000)
  const allowedAndRefused = async (): Promise<void> => {
    const before = await heldBy(redis, [front, user])
    const [of, verdict] = await store.takeBoth(user, front)
    t.match([of.key, verdict], [user.key, { allowed: false, remaining: 0 }])
    t.same(await heldBy(redis, [front, user]), before)
  }
  await store.take(user, 3)
  // The states are: full; not full; refilled since the last take; without an expiry; a key that is not a bucket.
  await allowedAndRefused()
  await store.take(front, 7)
  await allowedAndRefused()
  await client.pexpire(front.key, 2 * HOUR - 5000)
  await allowedAndRefused()
  await client.persist(front.key)
  await allowedAndRefused()
  await client.set(front.key, 'many')
  await allowedAndRefused()
  await client.del(front.key)
  await client.hset(front.key, 'tokens', 3)
  t.match(await store.takeBoth(user, front), [{}, { allowed: false }])
  t.equal(await client.hget(front.key, 'tokens'), '3')

  const fresh = [userBucket(3, 3001), userBucket(3, 3002)]
  await store.take(fresh[1]!)
  await client.del(front.key)
  await store.take(front, 20)
  const before = await heldBy(redis, [front, ...fresh])
  for (const bucket of fresh) {
    t.match(await store.takeBoth(bucket, front), [{ key: front.key }, { allowed: false, capacity: 20 }])
  }
  t.same(await heldBy(redis, [front, ...fresh]), before)
})

t.test('a refusal by the bucket in front repairs it if its expiry was lost, and changes nothing else', async (t) => {
  const [front, user] = [bucketOf(sharedBy(10), '192.0.2.11'), userBucket(3, 3010)]
  await store.take(front, 10)
  await store.take(user)
  await redis.client.persist(front.key)
  const before = await heldBy(redis, [user])
  t.match(await store.takeBoth(user, front), [{ key: front.key }, { allowed: false, waitMs: HOUR }])
  t.ok(await redis.client.pttl(front.key) > 0)
  t.same(await heldBy(redis, [user]), before)
})

t.test('a refusal is cached for the bucket that refused', async (t) => {
  const cached = withDenyCache(store)
  const front = bucketOf(sharedBy(3), '192.0.2.12')
  await cached.takeBoth(userBucket(1, 3020), front)
  t.match(await cached.takeBoth(userBucket(1, 3020), front), [{ key: userBucket(1, 3020).key }, { allowed: false }])
  t.match(cached.knownRefusal(userBucket(1, 3020)), { allowed: false, capacity: 1 })
  t.equal(cached.knownRefusal(front), undefined)
  for (const user of [3021, 3022]) await cached.takeBoth(userBucket(1, user), front)
  t.match(await cached.takeBoth(userBucket(1, 3023), front), [{ key: front.key }, { allowed: false }])
  t.match(cached.knownRefusal(front), { allowed: false, capacity: 3 })
  await redis.client.config('RESETSTAT')
  for (const user of [3020, 3024]) t.match(await cached.takeBoth(userBucket(1, user), front), [{}, { allowed: false }])
  t.notMatch(await redis.client.info('commandstats'), /cmdstat_evalsha/)
})

t.test('in shadow mode nobody is refused, and what would be refused takes nothing', async (t) => {
  const candidate = { ...eachBy(2), name: 'candidate-general' }
  const refusals: string[] = []
  const modes = withModes(store, ({ name }) => refusals.push(name))
  const front = bucketOf({ ...sharedBy(5), mode: 'shadow' }, '192.0.2.13')
  const ofUser = (user: number): Bucket => bucketOf({ ...eachBy(3), mode: 'shadow', candidate }, userOwner(user))
  const asked = async (user: number): Promise<unknown> => {
    const [{ key }, { allowed, shadow }] = await modes.takeBoth(ofUser(user), front)
    return [key === front.key ? 'front' : 'own', allowed, shadow ?? false]
  }
  for (let i = 0; i < 3; i++) t.same(await asked(3030), ['own', true, false])
  t.same(await asked(3030), ['own', true, true])
  t.match(await store.peek(front), { remaining: 2 })
  for (let i = 0; i < 2; i++) t.same(await asked(3031), ['own', true, false])
  t.same(await asked(3032), ['front', true, true])
  t.match(await store.peek(ofUser(3032)), { remaining: 3 })
  await until(async () => (await store.peek(bucketOf(candidate, userOwner(3032)))).remaining === 2)
  t.match(await store.peek(bucketOf(candidate, userOwner(3031))), { remaining: 0 })
  t.equal(refusals.length, 2, 'the candidate would have refused two of the four of the first user')

  const off = bucketOf({ ...eachBy(1), mode: 'off' }, userOwner(3033))
  for (let i = 0; i < 3; i++) t.match(await modes.takeBoth(off, front), [{ key: off.key }, { allowed: true }])
  t.match(await store.peek(off), { remaining: 1 })
})

t.test('local shares are taken from in pairs too, and each token is charged to its bucket', async (t) => {
  const share = createLocalShare(() => 2)
  const front = bucketOf(sharedBy(56), '192.0.2.14')
  const users = Array.from({ length: 200 }, (_, i) => i % 8 === 0 ? 4000 + i : 4)
  const counts = await admitted(share, users, front, eachBy(5))
  t.equal(counts.get(4), 3)
  t.equal(counts.size, 26)
  t.match(await share.peek(front), { remaining: 0, capacity: 56 })
  const [of, verdict] = await share.takeBoth(userBucket(5, 4001), front)
  t.match([of.key, verdict], [front.key, { allowed: false, capacity: 56 }])

  const charges = new Map<string, number>()
  await share.reconcile({
    async charge (bucket, tokens) {
      charges.set(bucket.key, tokens)
      return await store.peek(bucket)
    },
    isReachable: () => true,
    onUnavailable () {},
    onError (error) { throw error }
  })
  t.equal(charges.get(front.key), 28)
  t.equal(charges.get(userBucket(5, 4).key), 3)
  t.equal(charges.size, 27)
})

/** A fallback over buckets in memory, on one node for users and one for addresses. Nodes in `failing` fail. */
function twoNodes (t: { after: (close: () => Promise<void>) => void }, mode: FailureMode) {
  const inner = createMemoryStore()
  const failing = new Set<string>()
  const nodeOf = (key: string): string => key.includes('user:') ? 'users' : 'addresses'
  const orFail = async <Answer>(key: string, ask: () => Promise<Answer>): Promise<Answer> => {
    if (failing.has(nodeOf(key))) throw new StoreUnavailable('gone')
    return await ask()
  }
  const fallback = withFallback({
    ...inner,
    take: bucket => orFail(bucket.key, () => inner.take(bucket)),
    giveBack: bucket => orFail(bucket.key, () => inner.giveBack(bucket)),
    charge: (bucket, ...args) => orFail(bucket.key, () => inner.charge(bucket, ...args)),
    takeBoth: () => Promise.reject(new Error('they are never asked together'))
  }, { mode, nodeOf, onChange () {} })
  t.after(() => fallback.close())
  return { inner, failing, fallback }
}

t.test('on two nodes the bucket in front is asked first, and gets its token back if the other refuses', async (t) => {
  const { inner, failing, fallback } = twoNodes(t, 'local')
  const front = bucketOf(sharedBy(4), '192.0.2.15')
  const take = async (user: number): Promise<string> => {
    const [{ key }, { allowed }] = await fallback.takeBoth(userBucket(2, user), front)
    return `${key === front.key ? 'front' : 'own'} ${allowed}`
  }
  t.same([await take(5000), await take(5000), await take(5000)], ['own true', 'own true', 'own false'])
  t.match(await inner.peek(front), { remaining: 2 })
  failing.add('users')
  t.same([await take(5001), await take(5001), await take(5001)], ['own true', 'own true', 'front false'])
  failing.clear()
  await until(async () => (await inner.peek(userBucket(2, 5001))).remaining === 0)
  t.match(await inner.peek(front), { remaining: 0 })
})

t.test('if one of two nodes is unavailable and the take is not admitted, the other keeps its tokens', async (t) => {
  const { inner, failing, fallback } = twoNodes(t, 'closed')
  const front = bucketOf(sharedBy(4), '192.0.2.16')
  failing.add('users')
  for (let i = 0; i < 9; i++) await t.rejects(fallback.takeBoth(userBucket(2, 5010), front), StoreUnavailable)
  t.match(await inner.peek(front), { remaining: 4 })
})

t.test('a pair whose node is unavailable is decided by the mode', async (t) => {
  for (const [mode, expected] of [
    ['local', [true, true, false]], ['open', [true, true, true]], ['closed', ['StoreUnavailable']]
  ] as const) {
    const inner = createMemoryStore()
    let fails = true
    const orFail = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
      if (fails) throw new StoreUnavailable('gone')
      return await ask()
    }
    const fallback = withFallback({
      ...inner,
      take: bucket => orFail(() => inner.take(bucket)),
      takeBoth: (...both) => orFail(() => inner.takeBoth(...both))
    }, { mode, onChange () {} })
    t.after(() => fallback.close())
    const [user, front] = [userBucket(2, 5020), bucketOf(sharedBy(4), '192.0.2.17')]
    const answers = []
    for (let i = 0; i < expected.length; i++) {
      answers.push(await fallback.takeBoth(user, front).then(([, { allowed }]) => allowed, ({ name }) => name))
    }
    t.same(answers, expected, mode)
    fails = false
    if (mode === 'local') await until(async () => (await inner.peek(front)).remaining === 2)
    await until(() => fallback.takeBoth(user, front).then(([of]) => of.key === user.key, () => false))
  }
})

t.test('a cluster', async (t) => {
  const nodes = await startCluster(t, { masters: 2 })
  const bare = await openRedisStore(t, nodes.map(({ url }) => url).join(','))
  await until(async () => (await bare.peek(userBucket(2, 1))).allowed)
  const nodeOf = (key: string): string => calculateSlot(key) < 8192 ? 'first' : 'second'
  const clustered = withFallback(bare, { mode: 'closed', nodeOf, onChange () {} })
  const front = bucketOf(sharedBy(30), '192.0.2.18')
  const [near, far] = ['first', 'second'].map(node =>
    Array.from({ length: 400 }, (_, i) => 6000 + i).filter(user =>
      (nodeOf(userBucket(2, user).key) === node) === (nodeOf(front.key) === 'first'))) as [number[], number[]]

  t.test('buckets of one node are taken from together, in one call', async (t) => {
    await bare.take(userBucket(2, near[0]!), 2)
    for (const { client } of nodes) await client.config('RESETSTAT')
    const users = [...Array.from({ length: 20 }, () => near[0]!), ...near.slice(1, 31)]
    const counts = await admitted(clustered, users, front, eachBy(2))
    t.equal(counts.size, 30, 'nobody is refused because another one is')
    const stats = await Promise.all(nodes.map(({ client }) => client.info('commandstats')))
    const calls = stats.map(text =>
      [...text.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)].reduce((all, [, count]) => all + Number(count), 0))
    t.same(calls.sort(), [0, 4], '100 buckets in calls of up to 32')
    t.match(await bare.peek(front), { remaining: 0 })
    await bare.reset(front)
  })

  t.test('buckets of two nodes are taken from in turn, and a refusal leaves the shared bucket as it was', async (t) => {
    await admitted(clustered, far.slice(0, 5), front, eachBy(2))
    await bare.take(userBucket(2, far[9]!), 2)
    const before = await Promise.all(nodes.map(node => node.client.get(front.key).catch(() => null)))
    for (let i = 0; i < 40; i++) {
      const [of, verdict] = await clustered.takeBoth(userBucket(2, far[9]!), front)
      t.match([of.key, verdict], [userBucket(2, far[9]!).key, { allowed: false }])
    }
    t.same(await Promise.all(nodes.map(node => node.client.get(front.key).catch(() => null))), before)
    const crowd = Array.from({ length: 200 }, (_, i) => far[10 + i % 40]!)
    t.ok(sum(await admitted(clustered, crowd, front, eachBy(2))) <= 25, 'never more than the limits allow')
  })

  t.test('a pair that turns out to be on two nodes is not taken from in one call', async (t) => {
    const users = [userBucket(2, far[60]!), userBucket(2, far[61]!)]
    await bare.reset(front)
    const answers = await Promise.allSettled([
      ...users.map(user => bare.takeBoth(user, front)), bare.takeBoth(userBucket(2, near[60]!), front),
      bare.take(users[0]!)
    ])
    t.same(answers.map(({ status }) => status), ['rejected', 'rejected', 'fulfilled', 'fulfilled'])
    t.ok(answers.slice(0, 2).every(answer => answer.status === 'rejected' && answer.reason instanceof BucketsApart))
    t.match(await bare.peek(front), { remaining: 29 })
    t.same((await Promise.all(users.map(user => bare.peek(user)))).map(({ remaining }) => remaining), [1, 2])

    const asOne = withFallback(bare, { mode: 'closed', onChange () {} })
    t.match(await asOne.takeBoth(users[1]!, front), [{ key: users[1]!.key }, { allowed: true, remaining: 1 }])
    t.match(await bare.peek(front), { remaining: 28 })
  })
})

t.end()
