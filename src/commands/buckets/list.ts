import { limitOfOwner, viewOf, type BucketView, type Found } from '../../auth/named-buckets.js'
import type { Config } from '../../config/config.js'
import { userOwner } from '../../limiter/bucket/key.js'
import { parseClient } from '../../limiter/limits/client.js'
import { isAccountPolicy } from '../../limiter/limits/policies.js'
import type { Common } from '../options.js'
import { print, writeList } from '../outcome.js'
import { shownOwner, withAccountNames, type NameAccounts } from './account-names.js'
import { filterOf, select, type Selection } from './selection.js'
import { tableOf } from './view.js'
import { withStore } from './with-redis.js'

const DEFAULT_LIMIT = 1000

/**
 * A table, or JSON with `--limit`, shows the emptiest buckets, the emptiest first. JSON without `--limit` has all
 * buckets, page by page as they are found. Either way the memory does not depend on the number of buckets.
 */
export async function list (options: Selection & Common & { limit?: number }): Promise<void> {
  const { json, limit = json ? Infinity : DEFAULT_LIMIT } = options
  const filter = filterOf(options)
  await withAccountNames(nameAccounts => withStore(async (store, config) => {
    const found = select(store, config, filter)
    if (limit === Infinity) return await writeList(viewsOf(found, nameAccounts))
    const { views: emptiestViews, total } = await emptiest(found, limit)
    const views = await nameAccounts(emptiestViews)
    const written = await print(json, views, () => views.length === 0
      ? nothing(filter.limited)
      : tableOf(views.map(view => ({ ...view, client: shownOwner(view) }))))
    if (written && total > limit) process.stderr.write(restOf(views.length, total))
    if (written && !json && hasUsers(config, options)) process.stderr.write(usersOf(options.client!))
  }))
}

const nothing = (limited: boolean): string => `No bucket ${limited ? 'is without' : 'lacks'} a token.\n`

const restOf = (shown: number, total: number): string =>
  `gatehouse: the emptiest ${shown} of ${total} buckets. --limit N shows more, and --json without --limit all.\n`

/** Whether a client is an address, and some policy that is shown counts by user there. */
const hasUsers = ({ limits }: Config, { client = '', policy }: Selection): boolean =>
  parseClient(client) !== undefined && Object.keys(limits.policies).some(name =>
    name === (policy ?? name) && !isAccountPolicy(name) && limitOfOwner(limits, name, userOwner(0)) !== undefined)

const usersOf = (client: string): string =>
  `gatehouse: users of this address have buckets of their own: gatehouse buckets top --follow ${client}\n`

/** Each page is sorted, but the whole list is not. */
async function * viewsOf (pages: AsyncIterable<Found[]>, nameAccounts: NameAccounts): AsyncGenerator<BucketView[]> {
  for await (const page of pages) yield await nameAccounts(page.sort(byEmptiness).map(viewOf))
}

/** Collects up to twice as many buckets as needed, and then drops the fuller half. */
async function emptiest (
  pages: AsyncIterable<Found[]>, limit: number
): Promise<{ views: BucketView[], total: number }> {
  let kept: Found[] = []
  let total = 0
  for await (const page of pages) {
    total += page.length
    const worst = kept[limit - 1]
    kept.push(...worst ? page.filter(found => byEmptiness(found, worst) < 0) : page)
    if (kept.length >= (worst ? 2 : 1) * limit) kept = kept.sort(byEmptiness).slice(0, limit)
  }
  return { views: distinct(kept.sort(byEmptiness)).slice(0, limit).map(viewOf), total }
}

/** Buckets that are equally empty are sorted by policy and client, as in their keys. */
function byEmptiness (a: Found, b: Found): number {
  return emptinessOf(a) - emptinessOf(b) || compare(a.bucket.key, b.bucket.key)
}

const emptinessOf = ({ verdict: { remaining, capacity } }: Found): number => remaining / capacity

const compare = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0

/** SCAN may return a key twice. After sorting, the two are adjacent. */
const distinct = (sorted: Found[]): Found[] =>
  sorted.filter(({ bucket }, i) => bucket.key !== sorted[i - 1]?.bucket.key)
