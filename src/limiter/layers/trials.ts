import { fullVerdict } from '../bucket/algorithm.js'
import { StoreUnavailable, type Bucket, type Front, type Policy } from '../bucket/bucket.js'
import { bucketOf, parseBucketKey } from '../bucket/key.js'

/**
 * Skips the policies that are off, and tries the candidate of each policy, also of one that is off.
 *
 * A candidate has a bucket of its own. It gets every take of its policy, also the takes that are refused from memory.
 * No request waits for the candidate, and its failures affect no request. If a token is returned to the policy's
 * bucket, one is also returned to the candidate's. This happens even if the candidate refused, because no request waits
 * for its answer.
 *
 * @param onCandidateRefused called with the policy for each take that its candidate would have refused
 * @param onDefect called with an error that is not a failure of the store
 */
export const trials = (
  onCandidateRefused: ((policy: Policy) => void) | undefined, onDefect: (error: Error) => void
) => (next: Front): Front => {
  function beside (verb: 'take' | 'giveBack', bucket: Bucket): void {
    const { key, policy } = bucket
    const { candidate } = policy
    if (!candidate) return
    next[verb]({ ...bucket, ...bucketOf(candidate, parseBucketKey(key)!.owner) }, ({ allowed }) => {
      if (!allowed) onCandidateRefused?.(policy)
    }, (error) => {
      if (!(error instanceof StoreUnavailable)) onDefect(error)
    })
  }

  return {
    take (bucket, resolve, reject) {
      const { policy } = bucket
      if (policy.candidate) beside('take', bucket)
      if (policy.off) resolve(fullVerdict(policy))
      else next.take(bucket, resolve, reject)
    },

    peek (bucket, resolve, reject) {
      if (bucket.policy.off) resolve(fullVerdict(bucket.policy))
      else next.peek(bucket, resolve, reject)
    },

    giveBack (bucket, resolve, reject) {
      if (bucket.policy.candidate) beside('giveBack', bucket)
      if (bucket.policy.off) resolve(fullVerdict(bucket.policy))
      else next.giveBack(bucket, resolve, reject)
    },

    reset: next.reset,

    refuseAtOnce (bucket) {
      if (bucket.policy.off) return undefined
      const refusal = next.refuseAtOnce?.(bucket)
      if (refusal) beside('take', bucket)
      return refusal
    }
  }
}
