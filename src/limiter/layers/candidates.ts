import { fullVerdict } from '../bucket/algorithm.js'
import {
  StoreUnavailable, type Ask, type Bucket, type Front, type Layer, type Policy, type Verdict
} from '../bucket/bucket.js'
import { bucketOf, parseBucketKey } from '../bucket/key.js'

/**
 * Skips the policies that are off, and tries the candidate of each policy, also of one that is off.
 *
 * A candidate has a bucket of its own. It gets every take of its policy, also the takes that are refused from memory.
 * No request waits for the candidate, and its failures affect no request. If a token is returned to the policy's
 * bucket, one is also returned to the candidate's. This happens even if the candidate refused, because no request waits
 * for its answer.
 */
export class Candidates implements Front {
  readonly reset: Layer['reset']

  /**
   * @param onCandidateRefused called with the policy for each take that its candidate would have refused
   * @param onDefect called with an error that is not a failure of the store
   */
  constructor (
    private readonly next: Front,
    private readonly onCandidateRefused: ((policy: Policy) => void) | undefined,
    private readonly onDefect: (error: Error) => void
  ) {
    this.reset = next.reset
  }

  readonly take: Ask = (bucket, resolve, reject) => {
    const { policy } = bucket
    if (policy.candidate) this.#beside('take', bucket)
    if (policy.off) resolve(fullVerdict(policy))
    else this.next.take(bucket, resolve, reject)
  }

  readonly peek: Ask = (bucket, resolve, reject) => {
    if (bucket.policy.off) resolve(fullVerdict(bucket.policy))
    else this.next.peek(bucket, resolve, reject)
  }

  readonly giveBack: Ask = (bucket, resolve, reject) => {
    if (bucket.policy.candidate) this.#beside('giveBack', bucket)
    if (bucket.policy.off) resolve(fullVerdict(bucket.policy))
    else this.next.giveBack(bucket, resolve, reject)
  }

  readonly refuseAtOnce = (bucket: Bucket): Verdict | undefined => {
    if (bucket.policy.off) return undefined
    const refusal = this.next.refuseAtOnce?.(bucket)
    if (refusal) this.#beside('take', bucket)
    return refusal
  }

  #beside (verb: 'take' | 'giveBack', bucket: Bucket): void {
    const { key, policy } = bucket
    const { candidate } = policy
    if (!candidate) return
    this.next[verb]({ ...bucket, ...bucketOf(candidate, parseBucketKey(key)!.owner) }, ({ allowed }) => {
      if (!allowed) this.onCandidateRefused?.(policy)
    }, (error) => {
      if (!(error instanceof StoreUnavailable)) this.onDefect(error)
    })
  }
}
