import type { Test } from 'tap'
import type { Bucket, BucketName, BucketStore, Policy, Verdict } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'

export interface StoreUnderTest {
  store: BucketStore
  /** Lets time pass for one bucket. */
  age: (bucket: Bucket, ms: number) => Promise<void>
}

const SECOND = 1000
const MINUTE = 60 * SECOND

/**
 * So many takes at once, of which all are admitted unless it says how many. 0 looks, and a negative number gives back.
 * `remaining` and `waitMs` are of the last answer.
 */
interface Turn { at: number, take: number, admitted?: number, remaining: number, waitMs?: number, by?: Limit }
type Limit = Omit<Policy, 'name'>

const cut: Limit = { capacity: 5, refill: 1, periodMs: MINUTE }

// [L14 L15 L16 L17 L18 L21 L23 L68]
const timelines: Record<string, { policy: Limit, turns: Turn[] }> = {
  'login, 5 at once and 1 a minute: a refused sixth waits for the first minute to end': {
    policy: { capacity: 5, refill: 1, periodMs: MINUTE },
    turns: [
      { at: 0, take: 1, remaining: 4 },
      { at: 0, take: 1, remaining: 3 },
      { at: 10 * SECOND, take: 3, remaining: 0 },
      { at: 20 * SECOND, take: 1, admitted: 0, remaining: 0, waitMs: 40 * SECOND },
      { at: 59 * SECOND, take: 1, admitted: 0, remaining: 0, waitMs: SECOND },
      { at: 61 * SECOND, take: 1, remaining: 0 },
      { at: 61 * SECOND, take: 2, admitted: 0, remaining: 0, waitMs: 59 * SECOND },
      // After two refills both tokens are there. Five minutes without takes fill the bucket.
      { at: 181 * SECOND, take: 2, remaining: 0 },
      { at: 490 * SECOND, take: 0, remaining: 5 }
    ]
  },
  'refills count from the take that left the bucket not full, not from a grid': {
    policy: { capacity: 5, refill: 5, periodMs: MINUTE },
    turns: [
      { at: 0, take: 0, remaining: 5 },
      { at: 50 * SECOND, take: 5, remaining: 0 },
      { at: 70 * SECOND, take: 1, admitted: 0, remaining: 0, waitMs: 40 * SECOND },
      { at: 109 * SECOND, take: 1, admitted: 0, remaining: 0, waitMs: SECOND },
      { at: 111 * SECOND, take: 5, remaining: 0 }
    ]
  },
  'of several takes at once as many are admitted as there are tokens': {
    policy: { capacity: 10, refill: 4, periodMs: 10 * SECOND },
    turns: [
      { at: 0, take: 8, remaining: 2 },
      { at: 1 * SECOND, take: 5, admitted: 2, remaining: 0, waitMs: 9 * SECOND },
      { at: 11 * SECOND, take: 0, remaining: 4 },
      { at: 21 * SECOND, take: 0, remaining: 8 },
      // The last refill brings only what is missing.
      { at: 31 * SECOND, take: 11, admitted: 10, remaining: 0, waitMs: 10 * SECOND }
    ]
  },
  'a returned token is there at once and does not move the next refill': {
    policy: { capacity: 10, refill: 4, periodMs: 10 * SECOND },
    turns: [
      { at: 0, take: 10, remaining: 0 },
      { at: 3 * SECOND, take: -1, remaining: 1 },
      { at: 4 * SECOND, take: 2, admitted: 1, remaining: 0, waitMs: 6 * SECOND },
      // A refill came since the last take.
      { at: 12 * SECOND, take: -2, remaining: 6 },
      { at: 12 * SECOND, take: 7, admitted: 6, remaining: 0, waitMs: 8 * SECOND },
      { at: 19 * SECOND, take: 1, admitted: 0, remaining: 0, waitMs: SECOND },
      { at: 21 * SECOND, take: 4, remaining: 0 }
    ]
  },
  'a smaller capacity counts at once, a larger one adds its tokens, and the refill that took last goes on': {
    policy: { capacity: 100, refill: 10, periodMs: 2 * MINUTE },
    turns: [
      { at: 0, take: 50, remaining: 50 },
      { at: SECOND, take: 1, by: cut, admitted: 0, remaining: 0, waitMs: 119 * SECOND },
      // The ten tokens of the refill are one token of the bucket that was cut. Its own refills begin with this take.
      { at: 121 * SECOND, take: 2, by: cut, admitted: 1, remaining: 0, waitMs: MINUTE },
      { at: 182 * SECOND, take: 2, by: cut, admitted: 1, remaining: 0, waitMs: 59 * SECOND },
      { at: 183 * SECOND, take: 0, remaining: 59 },
      { at: 183 * SECOND, take: 60, admitted: 59, remaining: 0, waitMs: 2 * MINUTE }
    ]
  }
}

/** What every store guarantees, in Redis and in memory. */
export function conforms (t: Test, open: (t: Test) => Promise<StoreUnderTest>): void {
  for (const [n, [guarantee, { policy, turns }]] of Object.entries(timelines).entries()) {
    t.test(guarantee, async (t) => {
      const { store, age } = await open(t)
      let now = 0
      for (const { at, take, admitted = Math.max(1, take), remaining, waitMs = 0, by = policy } of turns) {
        const bucket = bucketOf({ name: `timeline-${n}`, ...by }, '192.0.2.1')
        await age(bucket, at - now)
        now = at
        const verdicts = await turn(store, bucket, take)
        const allowed = verdicts.slice(0, take > 0 ? undefined : 1).map(verdict => verdict.allowed)
        t.same(allowed, allowed.map((_, i) => i < admitted), `at ${at} ms, take ${take}`)
        const last = verdicts.at(-1)!
        t.match(last, { remaining, capacity: by.capacity }, `at ${at} ms, take ${take}`)
        t.ok(
          last.waitMs <= waitMs && last.waitMs > waitMs - 900, `at ${at} ms, the wait is ${last.waitMs} of ${waitMs} ms`
        )
      }
    })
  }

  const policy = { name: 'login', capacity: 5, refill: 1, periodMs: MINUTE }

  // [L49]
  t.test('a client has one bucket per policy, and each client its own', async (t) => {
    const { store } = await open(t)
    await turn(store, bucketOf(policy, '192.0.2.3'), 5)
    t.equal((await store.take(bucketOf(policy, '192.0.2.3'))).allowed, false)
    t.equal((await store.take(bucketOf({ ...policy, name: 'general' }, '192.0.2.3'))).allowed, true)
    t.equal((await store.take(bucketOf(policy, '192.0.2.30'))).allowed, true)
  })

  // [L18]
  t.test('a bucket that gets all its tokens back is full, and no longer exists', async (t) => {
    const { store } = await open(t)
    const bucket = bucketOf(policy, '192.0.2.10')
    const full = { allowed: true, capacity: 5, remaining: 5, waitMs: 0, nextMs: 0, fullMs: 0 }
    for (const taken of [1, 3, 5]) {
      await turn(store, bucket, taken)
      t.same((await turn(store, bucket, -taken)).at(-1), full, `${taken} taken, ${taken} given back`)
      t.same(await all(store.list({ owner: '192.0.2.10' })), [])
    }
    t.same(await store.giveBack(bucket), full, 'a full bucket stays full')
    t.same(await store.peek(bucket), full)
    t.same(await all(store.list({ owner: '192.0.2.10' })), [], 'and no bucket is made of it')
    t.equal(await store.reset(bucket), false)
  })

  t.test('a reset fills a bucket at once and returns whether there was one', async (t) => {
    const { store, age } = await open(t)
    const bucket = bucketOf(policy, '192.0.2.8')
    t.equal(await store.reset(bucket), false)
    await turn(store, bucket, 5)
    t.equal(await store.reset(bucket), true)
    t.match(await store.take(bucket), { allowed: true, remaining: 4 })
    await age(bucket, MINUTE + SECOND)
    t.equal(await store.reset(bucket), false, 'it became full by itself')
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
    await store.take(bucketOf({ ...policy, name: 'listed-a' }, `user:${a}`))
    t.same(await sorted({ owner: a }), [`listed-a ${a}`, `listed-b ${a}`], 'an owner is meant whole')
    for (const filter of [{ owner: '192.0.2.?' }, { owner: '192.0.2*' }, { policyName: 'listed-[ab]' }]) {
      t.same(await sorted(filter), [], 'and is no pattern')
    }
    t.same(await all(store.list({ policyName: 'listed-b' })), [{ key: ofB.key, policyName: 'listed-b', owner: a }])
    await age(ofB, MINUTE + SECOND)
    t.same(await sorted({ policyName: 'listed-b' }), [], 'once it is full it is no longer there')
  })
}

/** Takes at once, looks, or gives back one after another. */
async function turn (store: BucketStore, bucket: Bucket, take: number): Promise<Verdict[]> {
  if (take > 0) return await Promise.all(Array.from({ length: take }, () => store.take(bucket)))
  const answers = []
  for (let i = 0; i > take; i--) answers.push(await store.giveBack(bucket))
  return take === 0 ? [await store.peek(bucket)] : answers
}

async function all<T> (items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}
