import { accountOf, resetAddressesOf, resetBucket } from '../../auth/named-buckets.js'
import { count } from '../../base/text.js'
import { parseBucketKey } from '../../limiter/bucket/key.js'
import { mustBeSure } from '../confirmation.js'
import type { Common } from '../options.js'
import { NotFound, print, UsageError } from '../outcome.js'
import { checkedName, mustHaveBucket } from './named.js'
import { filterOf, select, type Selection } from './selection.js'
import { withStore } from './with-redis.js'

const TAKES = '"buckets reset" takes POLICY and ADDRESS or USER, or some of --policy, --client and --limited'

type Options = Selection & Common & { yes?: boolean }

/** One bucket, or all that the options select. */
export async function reset (options: Options, policy?: string, owner?: string): Promise<void> {
  if (policy === undefined) return await resetFound(options)
  const { json, policy: ofPolicy, client, limited, yes } = options
  if (owner === undefined || (ofPolicy ?? client ?? limited ?? yes) !== undefined) throw new UsageError(TAKES)
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

async function resetFound (options: Options): Promise<void> {
  const { policy, client, limited, yes, json } = options
  if (policy === undefined && client === undefined && !limited) {
    throw new UsageError(TAKES)
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
