import { loadConfig } from '../../config/load.js'
import { peekViews } from '../../limiter/operators/bucket-views.js'
import type { CommonFlags } from '../options.js'
import { print } from '../output.js'
import { bucketNamed, mustHaveBucket } from './find-bucket.js'
import { bucketTable } from './bucket-table.js'
import { withStore } from './with-store.js'

export async function peek ({ json }: CommonFlags, policy: string, owner: string): Promise<void> {
  const config = loadConfig()
  const named = await bucketNamed(config, policy, owner)
  await withStore(config, async (store, limits) => {
    const [view] = await peekViews(store, [await mustHaveBucket(store, limits, named)])
    print(json, view, () => bucketTable([{ ...view!, client: named.shown }]))
  })
}
