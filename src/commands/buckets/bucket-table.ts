import { formatPeriod } from '../../limiter/limits/period.js'
import type { BucketView } from '../../limiter/operators/bucket-views.js'
import { table } from '../output.js'

export function bucketTable (buckets: BucketView[]): string {
  return table(['policy', 'client', 'tokens', 'capacity', 'refill', 'next token at', 'full at'], buckets.map(bucket => [
    bucket.policy, bucket.client, bucket.tokens, bucket.capacity,
    `${bucket.refill} every ${formatPeriod(bucket.periodMs)}`,
    bucket.nextTokenAt ?? '-', bucket.fullAt ?? '-'
  ]))
}
