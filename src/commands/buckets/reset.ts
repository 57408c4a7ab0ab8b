import { pluralize } from '../../base/text.js'
import { loadConfig } from '../../config/load.js'
import { parseBucketKey } from '../../limiter/bucket/key.js'
import { resetBuckets, type PeekedBucket } from '../../limiter/operators/bucket-views.js'
import { selectBuckets } from '../../limiter/operators/selection.js'
import { confirm } from '../confirmation.js'
import type { CommonFlags } from '../options.js'
import { NotFound, print, UsageError } from '../output.js'
import { bucketNamed, mustHaveBucket, selectionOf, type Filter } from './find-bucket.js'
import { withStore } from './with-store.js'

const USAGE = '"buckets reset" takes POLICY and ADDRESS or USER, or some of --policy, --client and --limited'

type Options = Filter & CommonFlags & { yes?: boolean }

/** One bucket, or all that the options select. */
export async function reset (options: Options, policy?: string, owner?: string): Promise<void> {
  if (policy === undefined) return await resetFound(options)
  const { json, policy: ofPolicy, client, limited, yes } = options
  if (owner === undefined || (ofPolicy ?? client ?? limited ?? yes) !== undefined) throw new UsageError(USAGE)
  const config = loadConfig()
  const named = await bucketNamed(config, policy, owner)
  await withStore(config, async (store, limits) => {
    const bucket = await mustHaveBucket(store, limits, named)
    const { capacity } = bucket.policy
    const { reset, ofAddresses } = await resetBuckets(store, [[bucket]])
    if (reset + ofAddresses === 0) {
      throw new NotFound(`there is no ${named.policy} bucket of ${named.shown}: it has all its ${capacity} tokens`)
    }
    const { owner: client } = parseBucketKey(bucket.key)!
    print(json, { policy: named.policy, client, tokens: capacity }, () =>
      `The ${named.policy} bucket of ${named.shown} is full: ${capacity} tokens.\n`)
  })
}

async function resetFound (options: Options): Promise<void> {
  const { policy, client, limited, yes, json } = options
  if (policy === undefined && client === undefined && !limited) throw new UsageError(USAGE)
  const config = loadConfig()
  const selection = selectionOf(config, options)
  let found = 0
  await withStore(config, async (store, limits) => {
    for await (const page of selectBuckets(store, limits, selection)) found += page.length
  })
  if (found === 0) throw new NotFound('there is no such bucket')
  // No connection is open meanwhile.
  if (!yes) await confirm(`this resets ${pluralize(found, 'bucket')}`, 'nothing was reset')
  await withStore(config, async (store, limits) => {
    const { reset } = await resetBuckets(store, bucketsIn(selectBuckets(store, limits, selection)))
    print(json, { reset }, () => `${pluralize(reset, 'bucket')} full again.\n`)
  })
}

async function * bucketsIn (pages: AsyncIterable<PeekedBucket[]>) {
  for await (const page of pages) yield page.map(({ bucket }) => bucket)
}
