import type { Test } from 'tap'
import type { Bucket, BucketName, Policy, TokenStore, Verdict } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'

export interface StoreUnderTest {
  store: TokenStore
  /** Lets time pass for one bucket. */
  age: (bucket: Bucket, ms: number) => Promise<void>
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

/** `take` is the number of tokens: 0 looks, a negative number gives back. */
interface Turn { at: number, take: number, allowed: boolean, remaining: number, waitMs?: number }

const timelines: Record<string, { policy: Omit<Policy, 'name'>, turns: Turn[] }> = {
  'login, 5 at once and 1 a minute: a refused sixth waits for the first minute to end': {
    policy: { capacity: 5, refill: 1, periodMs: MINUTE },
    turns: [
      { at: 0, take: 1, allowed: true, remaining: 4 },
      { at: 0, take: 1, allowed: true, remaining: 3 },
      { at: 10 * SECOND, take: 3, allowed: true, remaining: 0 },
      { at: 20 * SECOND, take: 1, allowed: false, remaining: 0, waitMs: 40 * SECOND },
      { at: 59 * SECOND, take: 1, allowed: false, remaining: 0, waitMs: SECOND },
      { at: 61 * SECOND, take: 1, allowed: true, remaining: 0 },
      { at: 61 * SECOND, take: 2, allowed: false, remaining: 0, waitMs: 119 * SECOND },
      // After two refills both tokens are there. Five minutes without takes fill the bucket.
      { at: 181 * SECOND, take: 2, allowed: true, remaining: 0 },
      { at: 490 * SECOND, take: 0, allowed: true, remaining: 5 }
    ]
  },
  'refills count from the take that left the bucket not full, not from a grid [L23]': {
    policy: { capacity: 5, refill: 5, periodMs: MINUTE },
    turns: [
      { at: 0, take: 0, allowed: true, remaining: 5 },
      { at: 50 * SECOND, take: 5, allowed: true, remaining: 0 },
      { at: 70 * SECOND, take: 1, allowed: false, remaining: 0, waitMs: 40 * SECOND },
      { at: 109 * SECOND, take: 1, allowed: false, remaining: 0, waitMs: SECOND },
      { at: 111 * SECOND, take: 5, allowed: true, remaining: 0 }
    ]
  },
  'a take that costs too much is refused and costs nothing [L12 L14]': {
    policy: { capacity: 10, refill: 4, periodMs: 10 * SECOND },
    turns: [
      { at: 0, take: 8, allowed: true, remaining: 2 },
      { at: 1 * SECOND, take: 5, allowed: false, remaining: 2, waitMs: 9 * SECOND },
      { at: 1 * SECOND, take: 10, allowed: false, remaining: 2, waitMs: 19 * SECOND },
      { at: 1 * SECOND, take: 2, allowed: true, remaining: 0 },
      { at: 11 * SECOND, take: 0, allowed: true, remaining: 4 },
      { at: 21 * SECOND, take: 0, allowed: true, remaining: 8 },
      // The last refill brings only what is missing.
      { at: 31 * SECOND, take: 10, allowed: true, remaining: 0 }
    ]
  },
  'a returned token is there at once and does not move the next refill [L18]': {
    policy: { capacity: 10, refill: 4, periodMs: 10 * SECOND },
    turns: [
      { at: 0, take: 10, allowed: true, remaining: 0 },
      { at: 3 * SECOND, take: -1, allowed: true, remaining: 1 },
      { at: 4 * SECOND, take: 1, allowed: true, remaining: 0 },
      { at: 4 * SECOND, take: 1, allowed: false, remaining: 0, waitMs: 6 * SECOND },
      // A refill came since the last take. After that, a returned token does not shorten the wait for the next refill.
      { at: 12 * SECOND, take: -2, allowed: true, remaining: 6 },
      { at: 12 * SECOND, take: 7, allowed: false, remaining: 6, waitMs: 8 * SECOND },
      { at: 19 * SECOND, take: 7, allowed: false, remaining: 6, waitMs: SECOND },
      { at: 21 * SECOND, take: 10, allowed: true, remaining: 0 }
    ]
  },
  'tokens beyond the capacity are dropped, and the next take starts a new period [L18]': {
    policy: { capacity: 5, refill: 1, periodMs: MINUTE },
    turns: [
      { at: 0, take: -1, allowed: true, remaining: 5 },
      { at: 0, take: 2, allowed: true, remaining: 3 },
      { at: 30 * SECOND, take: -3, allowed: true, remaining: 5 },
      { at: 40 * SECOND, take: 5, allowed: true, remaining: 0 },
      { at: 50 * SECOND, take: 1, allowed: false, remaining: 0, waitMs: 50 * SECOND },
      // One of the five tokens came by a refill, so returning five is one too many.
      { at: 101 * SECOND, take: -5, allowed: true, remaining: 5 },
      { at: 101 * SECOND, take: 5, allowed: true, remaining: 0 },
      { at: 101 * SECOND, take: 1, allowed: false, remaining: 0, waitMs: MINUTE }
    ]
  },
  'the smallest bucket there is': {
    policy: { capacity: 1, refill: 1, periodMs: SECOND },
    turns: [
      { at: 0, take: 1, allowed: true, remaining: 0 },
      { at: 0, take: 1, allowed: false, remaining: 0, waitMs: SECOND },
      { at: SECOND + 1, take: 1, allowed: true, remaining: 0 }
    ]
  },
  'the largest possible bucket is full again after 82,000 years [L19]': {
    policy: { capacity: 1_000_000, refill: 1, periodMs: 30 * DAY },
    turns: [
      { at: 0, take: 1_000_000, allowed: true, remaining: 0 },
      { at: 10 * DAY, take: 1, allowed: false, remaining: 0, waitMs: 20 * DAY },
      { at: 10 * DAY, take: 1_000_000, allowed: false, remaining: 0, waitMs: 1_000_000 * 30 * DAY - 10 * DAY },
      { at: 31 * DAY, take: 1, allowed: true, remaining: 0 },
      { at: 500_000 * 30 * DAY + DAY, take: 0, allowed: true, remaining: 499_999 }
    ]
  }
}

/** What every store guarantees, in Redis and in memory. */
export function conforms (t: Test, open: (t: Test) => Promise<StoreUnderTest>): void {
  for (const [n, [guarantee, { policy, turns }]] of Object.entries(timelines).entries()) {
    t.test(guarantee, async (t) => {
      const { store, age } = await open(t)
      const bucket = bucketOf({ name: `timeline-${n}`, ...policy }, '192.0.2.1')
      let now = 0
      for (const { at, take, allowed, remaining, waitMs = 0 } of turns) {
        await age(bucket, at - now)
        now = at
        const verdict = await turn(store, bucket, take)
        t.match(verdict, { allowed, remaining, capacity: policy.capacity }, `at ${at} ms, take ${take}`)
        t.ok(
          verdict.waitMs <= waitMs && verdict.waitMs > waitMs - 900,
          `at ${at} ms, the wait is ${verdict.waitMs} of ${waitMs} ms`
        )
      }
    })
  }

  const policy = { name: 'login', capacity: 5, refill: 1, periodMs: MINUTE }

  t.test('concurrent takes are admitted exactly to the capacity [L11]', async (t) => {
    const { store } = await open(t)
    const verdicts = await Promise.all(Array.from({ length: 500 }, () =>
      store.take(bucketOf({ ...policy, capacity: 100 }, '192.0.2.2'))))
    t.equal(verdicts.filter(({ allowed }) => allowed).length, 100)
  })

  t.test('a client has one bucket per policy, and each client its own [L49]', async (t) => {
    const { store } = await open(t)
    await store.take(bucketOf(policy, '192.0.2.3'), 5)
    t.equal((await store.take(bucketOf(policy, '192.0.2.3'))).allowed, false)
    t.equal((await store.take(bucketOf({ ...policy, name: 'general' }, '192.0.2.3'))).allowed, true)
    t.equal((await store.take(bucketOf(policy, '192.0.2.30'))).allowed, true)
  })

  t.test('a smaller capacity caps the bucket, and a larger one adds its tokens [L21]', async (t) => {
    const { store } = await open(t)
    const at = (capacity: number, take: number) => turn(store, bucketOf({ ...policy, capacity }, '192.0.2.4'), take)
    t.match(await at(100, 10), { allowed: true, remaining: 90 })
    t.match(await at(20, 0), { remaining: 10 })
    t.match(await at(5, 1), { allowed: false, remaining: 0 })
    t.match(await at(50, 0), { remaining: 45 }, 'what was lacking is at most what a bucket of 5 can lack')
  })

  t.test('after a policy change an empty bucket gets its next token within one of its periods', async (t) => {
    const { store, age } = await open(t)
    const slow = { name: 'changing', capacity: 5, refill: 1, periodMs: DAY }
    const fast = { ...slow, periodMs: MINUTE }
    await store.take(bucketOf(slow, '192.0.2.5'), 5)
    const refused = await store.take(bucketOf(fast, '192.0.2.5'))
    t.equal(refused.allowed, false)
    t.ok(refused.waitMs <= MINUTE)
    await age(bucketOf(fast, '192.0.2.5'), refused.waitMs + 1)
    t.match(await store.take(bucketOf(fast, '192.0.2.5')), { allowed: true, remaining: 0 })
  })

  t.test('a cost above the capacity is a programming error, thrown before anything is taken [L12 L13]', async (t) => {
    const { store } = await open(t)
    await store.take(bucketOf(policy, '192.0.2.6'), 5)
    for (const tokens of [0, -1, 6, -6, 1.5, -1.5, NaN, Infinity, -Infinity]) {
      await t.rejects(store.take(bucketOf(policy, '192.0.2.6'), tokens), RangeError, String(tokens))
      await t.rejects(store.giveBack(bucketOf(policy, '192.0.2.6'), tokens), RangeError, `${tokens} given back`)
      await t.rejects(store.charge(bucketOf(policy, '192.0.2.6'), tokens, 1), RangeError, `${tokens} charged`)
    }
    t.equal((await store.peek(bucketOf(policy, '192.0.2.6'))).remaining, 0, 'nor is anything given back [L18]')
  })

  t.test('a bucket that gets all its tokens back is full, and no longer exists [L18]', async (t) => {
    const { store } = await open(t)
    const bucket = bucketOf(policy, '192.0.2.10')
    const full = { allowed: true, capacity: 5, remaining: 5, waitMs: 0, nextMs: 0, fullMs: 0 }
    for (const [taken, back] of [[1, 1], [3, 3], [2, 5], [5, 5]] as const) {
      await store.take(bucket, taken)
      t.same(await store.giveBack(bucket, back), full, `${taken} taken, ${back} given back`)
      t.same(await all(store.list({ owner: '192.0.2.10' })), [])
    }
    t.same(await store.giveBack(bucket), full, 'a full bucket stays full')
    t.same(await all(store.list({ owner: '192.0.2.10' })), [], 'and no bucket is made of it')
    t.equal(await store.reset(bucket), false)
  })

  t.test('takes that are returned at once never admit more than the capacity, and all come back [L18]', async (t) => {
    const { store } = await open(t)
    const wide = { ...policy, capacity: 100 }
    const taken = await Promise.all(Array.from({ length: 150 }, () => store.take(bucketOf(wide, '192.0.2.11'))))
    const admitted = taken.filter(({ allowed }) => allowed).length
    t.equal(admitted, 100)
    const back = await Promise.all(Array.from({ length: admitted - 3 }, () =>
      store.giveBack(bucketOf(wide, '192.0.2.11'))))
    t.ok(back.every(({ allowed, waitMs }) => allowed && waitMs === 0))
    t.equal((await store.peek(bucketOf(wide, '192.0.2.11'))).remaining, 97)
  })

  t.test('a token returned after a policy change repairs the bucket, and never overfills it [L18 L21]', async (t) => {
    const { store } = await open(t)
    const at = (capacity: number, take: number) => turn(store, bucketOf({ ...policy, capacity }, '192.0.2.12'), take)
    await at(100, 50)
    t.match(await at(5, -1), { allowed: true, remaining: 1, capacity: 5 }, 'it lacked 50 of 100, and so all of 5')
    t.match(await at(5, 2), { allowed: false, remaining: 1 })
    t.match(await at(5, -5), { remaining: 5, fullMs: 0 })
    t.same(await all(store.list({ owner: '192.0.2.12' })), [])
  })

  t.test('a peek takes nothing and leaves no bucket behind', async (t) => {
    const { store } = await open(t)
    for (let i = 0; i < 3; i++) {
      t.match(await store.peek(bucketOf(policy, '192.0.2.7')), { allowed: true, remaining: 5, nextMs: 0, fullMs: 0 })
    }
    t.same(await all(store.list({ owner: '192.0.2.7' })), [])
  })

  t.test('a reset fills a bucket at once and returns whether there was one', async (t) => {
    const { store } = await open(t)
    const bucket = bucketOf(policy, '192.0.2.8')
    t.equal(await store.reset(bucket), false)
    await store.take(bucket, 5)
    t.equal(await store.reset(bucket), true)
    t.match(await store.take(bucket), { allowed: true, remaining: 4 })
  })

  t.test('a list names each bucket that is not full, of one policy or client if asked', async (t) => {
    const { store, age } = await open(t)
    const [a, b] = ['192.0.2.9', '2001:db8:0:9::/64']
    await store.take(bucketOf({ ...policy, name: 'listed-a' }, a))
    await store.take(bucketOf({ ...policy, name: 'listed-a' }, b))
    const ofB = bucketOf({ ...policy, name: 'listed-b' }, a)
    await store.take(ofB)
    const sorted = async (filter: Partial<BucketName>): Promise<string[]> =>
      (await all(store.list(filter))).map(({ policyName, owner }) => `${policyName} ${owner}`).sort()
    t.same(await sorted({ policyName: 'listed-a' }), [`listed-a ${a}`, `listed-a ${b}`])
    t.same(await sorted({ owner: a }), [`listed-a ${a}`, `listed-b ${a}`])
    t.same(await sorted({ policyName: 'listed-b', owner: b }), [])
    t.same(await all(store.list({ policyName: 'listed-b' })), [{ key: ofB.key, policyName: 'listed-b', owner: a }])
    await age(ofB, MINUTE + SECOND)
    t.same(await sorted({ policyName: 'listed-b' }), [], 'once it is full it is no longer there')
  })
}

/** One turn of a timeline: 0 looks, a negative number gives back. */
async function turn (store: TokenStore, bucket: Bucket, take: number): Promise<Verdict> {
  if (take === 0) return await store.peek(bucket)
  return take < 0 ? await store.giveBack(bucket, -take) : await store.take(bucket, take)
}

async function all<T> (items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
