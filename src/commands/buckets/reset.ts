import { accountOf, resetAddressesOf, resetBucket } from '../../auth/named-buckets.js'
import { parseBucketKey } from '../../limiter/bucket/key.js'
import { mustBeSure } from '../confirmation.js'
import type { Options } from '../options.js'
import { count, NotFound, print, UsageError } from '../outcome.js'
import { checkedName, mustHaveBucket } from './named.js'
import { filterOf, select } from './selection.js'
import { withStore } from './with-redis.js'

export async function reset ([policy = '', owner = '']: string[], { json }: Options): Promise<void> {
  const named = await checkedName(policy, owner)
  await withStore(async (store, config) => {
    const bucket = await mustHaveBucket(store, config, named)
    const { capacity } = bucket.policy
    if (!await resetBucket(store, bucket)) {
      throw new NotFound(`there is no ${named.policy} bucket of ${named.shown}: it has all its ${capacity} tokens`)
    }
    const { owner: client } = parseBucketKey(bucket.key)!
    print(json, { policy: named.policy, client, tokens: capacity }, () =>
      `The ${named.policy} bucket of ${named.shown} is full: ${capacity} tokens.\n`)
  })
}

export async function resetFound (_args: string[], options: Options): Promise<void> {
  const { policy, client, limited, yes, json } = options
  if (policy === undefined && client === undefined && !limited) {
    throw new UsageError('"buckets reset" takes POLICY and ADDRESS or USER, or some of --policy, --client and ' +
      '--limited')
  }
  const filter = filterOf(options)
  let found = 0
  await withStore(async (store, config) => {
    for await (const page of select(store, config, filter)) found += page.length
  })
  if (found === 0) throw new NotFound('there is no such bucket')
  // No connection is open meanwhile.
  if (!yes) await mustBeSure(`this resets ${count(found, 'bucket')}`, 'nothing was reset')

  let buckets = 0
  await withStore(async (store, config) => {
    const accounts = new Set<string>()
    for await (const page of select(store, config, filter)) {
      const existed = await Promise.all(page.map(({ bucket }) => store.reset(bucket)))
      buckets += existed.filter(Boolean).length
      for (const { bucket } of page) {
        const account = accountOf(bucket)
        if (account !== undefined) accounts.add(account)
      }
    }
    if (accounts.size > 0) await resetAddressesOf(store, accounts)
  })
  print(json, { reset: buckets }, () => `${count(buckets, 'bucket')} full again.\n`)
}
