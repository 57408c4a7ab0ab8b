import { loadConfig } from '../../config/load.js'
import { viewsOf } from '../../limiter/operators/buckets.js'
import type { Common } from '../options.js'
import { print } from '../outcome.js'
import { bucketNamed, mustHaveBucket } from './named.js'
import { tableOf } from './view.js'
import { withStore } from './with-store.js'

export async function peek ({ json }: Common, policy: string, owner: string): Promise<void> {
  const config = loadConfig()
  const named = await bucketNamed(config, policy, owner)
  await withStore(config, async (store, limits) => {
    const [view] = await viewsOf(store, [await mustHaveBucket(store, limits, named)])
    print(json, view, () => tableOf([{ ...view!, client: named.shown }]))
  })
}
