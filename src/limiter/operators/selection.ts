import type { Bucket, BucketFilter, BucketStore } from '../bucket/bucket.js'
import type { Limits } from '../limits/policies.js'
import { limitForOwner, peekBucket, type PeekedBucket } from './bucket-views.js'

/** Which buckets are selected: of a policy, of owners, and with `limited` only those without a token. */
export interface Selection extends BucketFilter {
  owns?: (owner: string) => boolean
  limited?: boolean
}

const PAGE = 1000

/**
 * The selected buckets that are not full, in pages and in no order. The next page is searched for while the current one
 * is read. Buckets that change meanwhile may be missed or come twice.
 */
export async function * selectBuckets (
  store: BucketStore, limits: Limits, selection: Selection
): AsyncGenerator<PeekedBucket[]> {
  const { owns = () => true, limited, ...filter } = selection
  let page: Bucket[] = []
  let looking: Promise<PeekedBucket[]> = Promise.resolve([])

  async function look (buckets: Bucket[]): Promise<PeekedBucket[]> {
    const found = await Promise.all(buckets.map(bucket => peekBucket(store, bucket)))
    return found.filter(({ verdict }) => limited ? verdict.remaining === 0 : verdict.nextMs > 0)
  }

  for await (const { key, policyName, owner } of store.list(filter)) {
    // The policy of a key may not be configured any more.
    const policy = owns(owner) ? limitForOwner(limits, policyName, owner) : undefined
    if (typeof policy !== 'object') continue
    page.push({ key, policy })
    if (page.length < PAGE) continue
    const found = await looking
    looking = look(page)
    // The error is handled when this page is awaited.
    looking.catch(() => {})
    page = []
    if (found.length > 0) yield found
  }
  yield await looking
  yield await look(page)
}

/** The emptiest of all, and how many there are. Twice as many are collected, and then the fuller half is dropped. */
export async function emptiest (
  pages: AsyncIterable<PeekedBucket[]>, limit: number
): Promise<{ found: PeekedBucket[], total: number }> {
  let kept: PeekedBucket[] = []
  let total = 0
  for await (const page of pages) {
    total += page.length
    const worst = kept[limit - 1]
    kept.push(...worst ? page.filter(found => byEmptiness(found, worst) < 0) : page)
    if (kept.length >= (worst ? 2 : 1) * limit) kept = kept.sort(byEmptiness).slice(0, limit)
  }
  return { found: emptiestFirst(kept).slice(0, limit), total }
}

/** SCAN may return a key twice. After sorting, the two are adjacent. */
export const emptiestFirst = (found: PeekedBucket[]): PeekedBucket[] =>
  found.sort(byEmptiness).filter(({ bucket }, i) => bucket.key !== found[i - 1]?.bucket.key)

/** Buckets that are equally empty are sorted by policy and client, as in their keys. */
function byEmptiness (a: PeekedBucket, b: PeekedBucket): number {
  return emptinessOf(a) - emptinessOf(b) || compare(a.bucket.key, b.bucket.key)
}

const emptinessOf = ({ verdict: { remaining, capacity } }: PeekedBucket): number => remaining / capacity

const compare = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0
