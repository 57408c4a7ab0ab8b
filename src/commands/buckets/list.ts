import { loadConfig } from '../../config/load.js'
import { userOwner } from '../../limiter/bucket/key.js'
import { isAccountPolicy, type Limits } from '../../limiter/limits/policies.js'
import { limitForOwner, bucketView, type BucketView, type PeekedBucket } from '../../limiter/operators/bucket-views.js'
import { emptiest, emptiestFirst, selectBuckets } from '../../limiter/operators/selection.js'
import type { CommonFlags } from '../options.js'
import { print, writeList } from '../output.js'
import { shownOwner, withAccountNames, type NameAccounts } from './account-names.js'
import { selectionOf, type Filter } from './find-bucket.js'
import { bucketTable } from './bucket-table.js'
import { withStore } from './with-store.js'

const DEFAULT_LIMIT = 1000

/**
 * A table, or JSON with `--limit`, shows the emptiest buckets, the emptiest first. JSON without `--limit` has all
 * buckets, page by page as they are found. Either way the memory does not depend on the number of buckets.
 */
export async function list (options: Filter & CommonFlags & { limit?: number }): Promise<void> {
  const { json, limit = json ? Infinity : DEFAULT_LIMIT } = options
  const config = loadConfig()
  const selection = selectionOf(config, options)
  await withAccountNames(config, nameAccounts => withStore(config, async (store, limits) => {
    const pages = selectBuckets(store, limits, selection)
    if (limit === Infinity) return await writeList(viewsIn(pages, nameAccounts))
    const { found, total } = await emptiest(pages, limit)
    const views = await nameAccounts(found.map(bucketView))
    const written = await print(json, views, () => views.length === 0
      ? nothing(options)
      : bucketTable(views.map(view => ({ ...view, client: shownOwner(view) }))))
    if (written && total > limit) process.stderr.write(restOf(views.length, total))
    if (written && !json && hasUsers(limits, options)) process.stderr.write(usersOf(options.client!))
  }))
}

const nothing = ({ limited }: Filter): string => `No bucket ${limited ? 'is without' : 'lacks'} a token.\n`

const restOf = (shown: number, total: number): string =>
  `gatehouse: the emptiest ${shown} of ${total} buckets. --limit N shows more, and --json without --limit all.\n`

/** Whether a client is an address, and some policy that is shown counts by user there. */
const hasUsers = (limits: Limits, { client = '', policy }: Filter): boolean =>
  limits.clients.parse(client) !== undefined && Object.keys(limits.policies).some(name =>
    name === (policy ?? name) && !isAccountPolicy(name) && limitForOwner(limits, name, userOwner(0)) !== undefined)

const usersOf = (client: string): string =>
  `gatehouse: users of this address have buckets of their own: gatehouse buckets top --follow ${client}\n`

/** Each page is sorted, but the whole list is not. */
async function * viewsIn (
  pages: AsyncIterable<PeekedBucket[]>, nameAccounts: NameAccounts
): AsyncGenerator<BucketView[]> {
  for await (const page of pages) yield await nameAccounts(emptiestFirst(page).map(bucketView))
}
