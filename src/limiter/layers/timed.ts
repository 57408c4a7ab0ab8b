import { tracingChannel } from 'node:diagnostics_channel'
import type { Bucket, TokenStore } from '../bucket/bucket.js'

/** Reports the takes, looks, returns and charges of buckets, for traces. */
export const takes = tracingChannel<unknown, { verb: string, policy: string }>('gatehouse:take')

/**
 * Measures and reports the takes, looks, returns and charges of buckets.
 *
 * @param onAnswer called after each answer, with the seconds that it took; not after a failure
 */
export function timed (store: TokenStore, onAnswer: (seconds: number) => void): TokenStore {
  type Ask<Args extends unknown[], Answer> = (bucket: Bucket, ...args: Args) => Promise<Answer>

  function timedAs<Args extends unknown[], Answer> (verb: string, ask: Ask<Args, Answer>): Ask<Args, Answer> {
    return (bucket, ...args) => {
      const startedMs = performance.now()
      const asked = takes.tracePromise(ask, { verb, policy: bucket.policy.name }, undefined, bucket, ...args)
      return asked.then((answer) => {
        onAnswer((performance.now() - startedMs) / 1000)
        return answer
      })
    }
  }

  return {
    ...store,
    take: timedAs('take', store.take),
    takeBoth: timedAs('take', store.takeBoth),
    peek: timedAs('peek', store.peek),
    giveBack: timedAs('give back', store.giveBack),
    charge: timedAs('charge', store.charge)
  }
}
