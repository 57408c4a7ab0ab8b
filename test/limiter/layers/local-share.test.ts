// A replica admits its share and no more, and charges each token that it admitted once.

import t from 'tap'
import { StoreUnavailable, type Bucket, type Verdict } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { createLocalShare, type Creditor } from '#src/limiter/layers/local-share.js'

const policy = { name: 'login', capacity: 10, refill: 1, periodMs: 60_000 }
const bucket = bucketOf(policy, '192.0.2.1')
const other = bucketOf(policy, '192.0.2.2')
const charged: Verdict = { allowed: true, capacity: 10, remaining: 0, waitMs: 0, nextMs: 0, fullMs: 0 }

/** A store that accepts every charge, or fails on demand. */
function creditor (answer: (bucket: Bucket) => void = () => {}) {
  const charges: string[] = []
  const failed: string[] = []
  const creditor: Creditor = {
    async charge (bucket, tokens) {
      answer(bucket)
      charges.push(`${tokens} of ${bucket.key}`)
      return charged
    },
    isReachable: () => true,
    onUnavailable: (_failure, { key }) => failed.push(key),
    onError: ({ message }) => failed.push(message)
  }
  return { ...creditor, charges, failed }
}

t.test('a share is the limit divided by the replicas, rounded up, and states the whole capacity', async (t) => {
  const share = createLocalShare(() => 4)
  for (const remaining of [2, 1, 0]) t.match(await share.take(bucket), { allowed: true, remaining, capacity: 10 })
  t.match(await share.take(bucket), { allowed: false, remaining: 0, capacity: 10 })
  t.match(await share.giveBack(bucket), { remaining: 1, capacity: 10 })
  t.match(await share.peek(bucket), { allowed: true, remaining: 1, capacity: 10 })
})

t.test('a share holds until the outage ends, whatever the number of replicas', async (t) => {
  let replicas = 5
  const share = createLocalShare(() => replicas)
  t.match(await share.take(bucket), { remaining: 1 })
  replicas = 1
  t.match(await share.peek(other), { remaining: 2 })
  share.endOutage()
  t.match(await share.peek(other), { remaining: 10 })
})

t.test('takes that were not returned are charged once, the most recently used bucket first', async (t) => {
  const share = createLocalShare(() => 1)
  const store = creditor()
  for (let i = 0; i < 3; i++) await share.take(bucket)
  for (let i = 0; i < 2; i++) await share.take(other)
  await share.giveBack(other)
  await share.peek(bucketOf(policy, '192.0.2.3'))
  for (let i = 0; i < 2; i++) await share.reconcile(store)
  t.same(store.charges, [`1 of ${other.key}`, `3 of ${bucket.key}`])
  await share.take(bucket)
  await share.reconcile(store)
  t.equal(store.charges.at(-1), `1 of ${bucket.key}`)
})

t.test('a failed charge is repeated, one that may have counted is not, and a reset voids both', async (t) => {
  for (const [mayHaveCounted, charges] of [[false, [`2 of ${bucket.key}`]], [true, []]] as const) {
    const share = createLocalShare(() => 1)
    for (let i = 0; i < 2; i++) await share.take(bucket)
    const gone = creditor(() => { throw new StoreUnavailable('gone', { mayHaveCounted }) })
    await share.reconcile(gone)
    t.same(gone.failed, [bucket.key])
    const back = creditor()
    await share.reconcile(back)
    t.same(back.charges, charges)

    await share.take(bucket)
    share.forget(bucket)
    const after = creditor()
    await share.reconcile(after)
    t.same(after.charges, [])
    t.match(await share.peek(bucket), { remaining: 10 })
  }
})

t.test('an unreachable bucket stays in the ledger, and a defect does not stop other charges', async (t) => {
  const share = createLocalShare(() => 1)
  for (const one of [bucket, other]) await share.take(one)
  const apart = { ...creditor(), isReachable: ({ key }: Bucket) => key !== bucket.key }
  await share.reconcile(apart)
  t.same(apart.charges, [`1 of ${other.key}`])

  await share.take(other)
  const spoilt = creditor(({ key }) => { if (key === other.key) throw new RangeError('a defect') })
  await share.reconcile(spoilt)
  t.same([spoilt.charges, spoilt.failed], [[`1 of ${bucket.key}`], ['a defect']])
})
