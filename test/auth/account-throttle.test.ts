// Even if many addresses guess at an account, its owner can log in from a known address, and the number of guesses has
// a bound. `npm run bench lock-out` simulates days of such an attack.

import t from 'tap'
import { AccountThrottle, accountAddress } from '#src/auth/account-throttle.js'
import { BucketStore, StoreUnavailable, type Bucket } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { MemoryBuckets } from '#src/limiter/bucket/memory-store.js'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { mostGuesses, simulateAttack } from '../fixtures/attack.js'
import { startRedis } from '../fixtures/redis.js'
import { openRedisStore } from '../fixtures/store.js'

const { policies } = defaultLimits
const memoryThrottle = () => {
  const memory = new MemoryBuckets()
  const buckets = { ...new BucketStore(memory, memory), forget: memory.forget }
  const empty = async (bucket: Bucket): Promise<void> => { while ((await buckets.take(bucket)).allowed); }
  return { buckets, empty, throttle: new AccountThrottle(buckets, { policies }) }
}
const from = (client: string, known = false) => ({ account: 'a', client, known })

// S11 L52
t.test('in an attack the owner gets in from a known address, and guesses stay bounded', async (t) => {
  for (const attack of [{ attackers: 2, hours: 3 }, { attackers: 20, hours: 2 }]) {
    const redis = await startRedis(t)
    const { guesses, owner, stranger } = await simulateAttack(redis.client, await openRedisStore(t, redis.url), attack)
    const { attackers, hours } = attack
    t.comment(
      `${attackers} addresses, ${hours} hours: ${guesses} guesses, owner refused ${owner.refused} of ` +
        `${owner.tried} times at a known address and ${stranger.refused} of ${stranger.tried} elsewhere`
    )
    t.equal(owner.tried, hours * 12)
    t.equal(owner.refused, 0)
    t.ok(guesses <= mostGuesses(attack), `${guesses} guesses, of at most ${mostGuesses(attack)}`)
    // The attack is realistic: it uses up all available guesses.
    t.ok(guesses >= Math.min(attackers * 10, 100))
    if (attackers < 10) t.equal(stranger.refused, 0, 'fewer than ten addresses cannot empty the bucket of the account')
    else t.ok(stranger.refused > 0)
  }
})

t.test('an attacker at known addresses gets their buckets too, and no more', async (t) => {
  const attack = { attackers: 40, hours: 3, shared: 20 }
  const redis = await startRedis(t)
  const { guesses, owner } = await simulateAttack(redis.client, await openRedisStore(t, redis.url), attack)
  t.ok(guesses <= mostGuesses(attack), `${guesses} guesses, of at most ${mostGuesses(attack)}`)
  t.ok(guesses > 100 + 10 * 3, 'more than without those addresses')
  t.equal(owner.refused, 0, 'at another known address')
})

t.test('a refusal states one capacity and a wait that holds for both buckets, whichever refused', async (t) => {
  const { buckets, empty, throttle } = memoryThrottle()
  await empty(bucketOf(policies['account-address'], accountAddress('a', '198.18.0.1')))
  const ofAddress = await throttle.take(from('198.18.0.1'))
  t.match(ofAddress, { allowed: false, policy: 'account-address', capacity: 100, remaining: 0 })
  t.ok(ofAddress.waitMs > 3_590_000 && ofAddress.waitMs <= 3_600_000)

  // The shared bucket gets its next token later than that of the address.
  const ofAddressToo = { ...policies['account-address'], periodMs: 1000 }
  const quick = new AccountThrottle(buckets, { policies: { ...policies, 'account-address': ofAddressToo } })
  await empty(bucketOf(ofAddressToo, accountAddress('b', '198.18.0.1')))
  await empty(bucketOf(policies.account, 'b'))
  const ofBoth = await quick.take({ account: 'b', client: '198.18.0.1', known: false })
  t.equal(ofBoth.allowed, false)
  t.ok(ofBoth.waitMs > 3_590_000)
})

t.test('a login that succeeds costs nothing; a reset forgets the failures of account and address', async (t) => {
  const { buckets, throttle } = memoryThrottle()
  for (const known of [false, true]) {
    const attempt = from('198.18.0.1', known)
    for (let i = 0; i < 300; i++) {
      t.ok((await throttle.take(attempt)).allowed)
      await throttle.giveBack(attempt)
    }
  }
  for (let i = 0; i < 10; i++) await throttle.take(from('198.18.0.1'))
  await throttle.reset('a', '198.18.0.1')
  for await (const { key } of buckets.list()) t.fail(`${key} is left`)
})

t.test('if the second bucket is unavailable, the first one gets its token back', async (t) => {
  const { buckets } = memoryThrottle()
  const down = new StoreUnavailable('down')
  const throttle = new AccountThrottle({
    ...buckets,
    async take (bucket) {
      if (bucket.policy === policies.account) throw down
      return await buckets.take(bucket)
    }
  }, { policies })
  await t.rejects(throttle.take(from('198.18.0.1')), down)
  await throttle.giveBack(from('198.18.0.2'))
  t.equal((await buckets.peek(bucketOf(policies['account-address'], accountAddress('a', '198.18.0.1')))).remaining, 10)
})

t.test('if a reset fails, this process forgets its failures of account and address, and of nobody else', async (t) => {
  const { buckets, empty } = memoryThrottle()
  const down = new StoreUnavailable('down')
  const throttle = new AccountThrottle({ ...buckets, reset: () => Promise.reject(down) }, { policies })
  const of = (client: string): Bucket => bucketOf(policies['account-address'], accountAddress('a', client))
  const [account, own, others] = [bucketOf(policies.account, 'a'), of('198.18.0.1'), of('198.18.0.2')]
  for (const bucket of [account, own, others]) await empty(bucket)
  await throttle.reset('a', '198.18.0.1')
  const left = await Promise.all([account, own, others].map(bucket => buckets.peek(bucket)))
  t.same(left.map(({ remaining }) => remaining), [100, 10, 0])
})

t.end()
