// Even if many addresses guess at an account, its owner can log in from a known address, and the number of guesses has
// a bound. `npm run bench lock-out` simulates days of such an attack.

import t from 'tap'
import { AccountThrottle, accountAddress } from '#src/auth/account-throttle.js'
import { BucketStore, type Bucket } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { MemoryBuckets } from '#src/limiter/bucket/memory-store.js'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { mostGuesses, simulateAttack } from '../fixtures/attack.js'
import { startRedis } from '../fixtures/redis.js'
import { openRedisStore } from '../fixtures/store.js'

const { policies } = defaultLimits

// S11 L52
for (const attack of [
  { attackers: 2, hours: 3 }, { attackers: 20, hours: 2 }, { attackers: 40, hours: 3, shared: 20 }
]) {
  const { attackers, hours, shared = 0 } = attack
  const whose = `${attackers} addresses, ${shared} of them known`
  t.test(`in an attack by ${whose}, the owner gets in from a known one, and guesses stay bounded`, async (t) => {
    const redis = await startRedis(t)
    const { guesses, owner, stranger } = await simulateAttack(redis.client, await openRedisStore(t, redis.url), attack)
    t.comment(`${guesses} guesses; the owner was refused ${stranger.refused} of ${stranger.tried} times elsewhere`)
    t.match(owner, { tried: hours * 12, refused: 0 })
    t.ok(guesses <= mostGuesses(attack), `${guesses} guesses, of at most ${mostGuesses(attack)}`)
    // The attack is realistic: it uses up all available guesses.
    t.ok(guesses >= Math.min(attackers * 10, 100 + shared))
    t.equal(stranger.refused > 0, attackers > 10, 'fewer than ten addresses cannot empty the bucket of the account')
  })
}

t.test('a refusal states one capacity and a wait that holds for both buckets, whichever refused', async (t) => {
  const memory = new MemoryBuckets()
  const buckets = { ...new BucketStore(memory, memory), forget: memory.forget }
  const empty = async (bucket: Bucket): Promise<void> => { while ((await buckets.take(bucket)).allowed); }
  // The shared bucket gets its next token later than that of the address.
  const own = { ...policies['account-address'], periodMs: 1000 }
  const throttle = new AccountThrottle(buckets, { policies: { ...policies, 'account-address': own } })
  const take = async (accountKey: string) => await throttle.take({ accountKey, client: '198.18.0.1', known: false })

  await empty(bucketOf(own, accountAddress('a', '198.18.0.1')))
  const ofAddress = await take('a')
  await empty(bucketOf(own, accountAddress('b', '198.18.0.1')))
  await empty(bucketOf(policies.account, 'b'))
  const ofBoth = await take('b')

  t.match(ofAddress, { allowed: false, policy: 'account-address', capacity: 100, remaining: 0 })
  t.ok(ofAddress.waitMs <= 1000)
  t.equal(ofBoth.allowed, false)
  t.ok(ofBoth.waitMs > 3_590_000)
})

t.end()
