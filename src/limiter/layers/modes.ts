import {
  StoreUnavailable, verdictOf, type Bucket, type BucketStore, type Policy, type Verdict
} from '../bucket/bucket.js'
import { bucketOf, parseBucketKey } from '../bucket/key.js'

/**
 * Carries out the mode of each policy, and tries its candidate.
 *
 * A candidate has a bucket of its own. It gets every take of its policy in the same script call, also the takes that
 * are refused from memory. No request waits for the candidate, and its failures affect no request. If a token is
 * returned to the policy's bucket, one is also returned to the candidate's. This happens even if the candidate refused,
 * because no request waits for its answer. The candidate's token is also returned if the bucket in front refuses. If
 * that refusal is known before, the candidate's bucket is only peeked at.
 *
 * @param onCandidateRefused called with the policy for each take that its candidate would have refused
 * @param onError called with an error that is not a failure of the store: a defect
 */
export function withModes<Store extends BucketStore> (
  store: Store, onCandidateRefused: (policy: Policy) => void, onError: (error: Error) => void = () => {}
): Store {
  /** This has to be called in the same turn as the policy's take, so that both travel in one script call. */
  function beside (verb: 'take' | 'peek' | 'giveBack', { key, policy }: Bucket): void {
    const { candidate } = policy
    if (!candidate) return
    store[verb](bucketOf(candidate, parseBucketKey(key)!.owner)).then(({ allowed, remaining }) => {
      // A peek always allows.
      if (verb !== 'giveBack' && (!allowed || (verb === 'peek' && remaining === 0))) onCandidateRefused(policy)
    }).catch((error: Error) => {
      if (!(error instanceof StoreUnavailable)) onError(error)
    })
  }

  return {
    ...store,

    take (bucket) {
      const { policy } = bucket
      if (policy.candidate) beside('take', bucket)
      if (policy.mode === 'off') return Promise.resolve(full(policy))
      if (policy.mode !== 'shadow') return store.take(bucket)
      return store.take(bucket).then(shadowed, (error) => {
        if (error instanceof StoreUnavailable) return full(policy)
        throw error
      })
    },

    async takeBoth (bucket, front) {
      // A limit by user and the limit in front of it have the same mode.
      const { mode } = bucket.policy
      if (bucket.policy.candidate) beside('take', bucket)
      if (mode === 'off') return [bucket, full(bucket.policy)]
      try {
        const [of, verdict] = await store.takeBoth(bucket, front)
        if (!verdict.allowed && of.key === front.key) beside('giveBack', bucket)
        return [of, mode === 'shadow' ? shadowed(verdict) : verdict]
      } catch (error) {
        if (mode === 'shadow' && error instanceof StoreUnavailable) return [bucket, full(bucket.policy)]
        throw error
      }
    },

    peek: bucket => bucket.policy.mode === 'off' ? Promise.resolve(full(bucket.policy)) : store.peek(bucket),

    giveBack (bucket) {
      if (bucket.policy.candidate) beside('giveBack', bucket)
      return bucket.policy.mode === 'off' ? Promise.resolve(full(bucket.policy)) : store.giveBack(bucket)
    },

    knownRefusal (bucket, behind) {
      if (bucket.policy.mode) return undefined
      const known = store.knownRefusal(bucket)
      if (known) beside('take', bucket)
      if (known && behind) beside('peek', behind)
      return known
    }
  }
}

const full = (policy: Policy): Verdict => verdictOf(policy, 0, true, 0, 0)

const shadowed = (verdict: Verdict): Verdict => verdict.allowed ? verdict : { ...verdict, allowed: true, shadow: true }
