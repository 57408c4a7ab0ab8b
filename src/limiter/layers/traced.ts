import { tracingChannel } from 'node:diagnostics_channel'
import type { Ask, Layer } from '../bucket/bucket.js'

/** Reports takes, looks and returns, for traces. */
export const takes = tracingChannel<unknown, { verb: string, policy: string }>('gatehouse:take')

/** Reports each question to the layers below, if anyone traces. */
export function traced (next: Layer): Layer {
  const tracedAs = (verb: string, ask: Ask): Ask => (bucket, resolve, reject) => {
    if (!takes.start.hasSubscribers) return ask(bucket, resolve, reject)
    const answer = takes.tracePromise(
      () => new Promise<Parameters<typeof resolve>[0]>((resolve, reject) => ask(bucket, resolve, reject)),
      { verb, policy: bucket.policy.name }
    )
    answer.then(resolve, reject)
  }
  return {
    ...next,
    take: tracedAs('take', next.take),
    peek: tracedAs('peek', next.peek),
    giveBack: tracedAs('give back', next.giveBack)
  }
}
