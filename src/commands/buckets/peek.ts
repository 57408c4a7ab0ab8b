import { viewsOf } from '../../limiter/operators/buckets.js'
import type { Common } from '../options.js'
import { print } from '../outcome.js'
import { checkedName, mustHaveBucket } from './named.js'
import { tableOf } from './view.js'
import { withStore } from './with-redis.js'

export async function peek ({ json }: Common, policy: string, owner: string): Promise<void> {
  const named = await checkedName(policy, owner)
  await withStore(async (store, config) => {
    const [view] = await viewsOf(store, [await mustHaveBucket(store, config, named)])
    print(json, view, () => tableOf([{ ...view!, client: named.shown }]))
  })
}
