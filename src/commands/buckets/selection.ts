import type { Config } from '../../config/config.js'
import type { Bucket, BucketName, BucketStore } from '../../limiter/bucket/bucket.js'
import { limitOfOwner, lookAt, type Found } from '../../auth/named-buckets.js'
import { policyNamed } from '../policy-named.js'
import { ownerFilter } from './named.js'

/** The options that select buckets. */
export interface Selection {
  policy?: string
  client?: string
  limited?: boolean
}

/** Which buckets a command selects: by policy and by owner, and with `limited` only those without a token. */
export interface Filter {
  policyName?: string
  owns: (owner: string) => boolean
  limited: boolean
}

const PAGE = 1000

export function filterOf ({ policy, client, limited = false }: Selection): Filter {
  return {
    ...policy !== undefined && { policyName: policyNamed(policy) },
    owns: client === undefined ? () => true : ownerFilter(client),
    limited
  }
}

/**
 * The buckets that a filter selects, in pages and in no order. The next page is searched for while the current one is
 * read. Buckets that change meanwhile may be missed or come twice.
 */
export async function * select (
  store: BucketStore, config: Pick<Config, 'limits'>, filter: Filter
): AsyncGenerator<Found[]> {
  const ofPolicy = filter.policyName === undefined ? {} : { policyName: filter.policyName }
  let page: Bucket[] = []
  let looking: Promise<Found[]> = Promise.resolve([])
  for await (const name of store.list(ofPolicy)) {
    const bucket = bucketOf(config, filter, name)
    if (!bucket) continue
    page.push(bucket)
    if (page.length < PAGE) continue
    const found = await looking
    looking = lookAtAll(store, filter, page)
    // The error is handled when this page is awaited.
    looking.catch(() => {})
    page = []
    if (found.length > 0) yield found
  }
  yield await looking
  yield await lookAtAll(store, filter, page)
}

/** @returns undefined for a bucket that is not selected, or whose policy is no longer configured */
function bucketOf (
  config: Pick<Config, 'limits'>, { owns }: Filter, { key, policyName, owner }: BucketName
): Bucket | undefined {
  const policy = owns(owner) ? limitOfOwner(config.limits, policyName, owner) : undefined
  return typeof policy === 'object' ? { key, policy } : undefined
}

async function lookAtAll (store: BucketStore, { limited }: Filter, page: Bucket[]): Promise<Found[]> {
  const found = await Promise.all(page.map(bucket => lookAt(store, bucket)))
  return found.filter(({ verdict }) => limited ? verdict.remaining === 0 : verdict.nextMs > 0)
}
