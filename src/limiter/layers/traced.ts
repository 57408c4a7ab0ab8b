import { tracingChannel } from 'node:diagnostics_channel'
import type { Ask, Bucket, Layer, Verdict, Waiting } from '../bucket/bucket.js'

/** The channel on which takes, peeks and returned tokens are reported, for traces. */
export const takesChannel = tracingChannel<unknown, { verb: string, policy: string }>('gatehouse:take')

/** Reports each question to the layers below, if anyone traces. */
export class Traced implements Layer {
  readonly reset: Layer['reset']

  /** @param next the buckets: RedisBuckets, or MemoryBuckets without a Redis */
  constructor (private readonly next: Layer) {
    this.reset = next.reset
  }

  readonly take: Ask = (bucket, resolve, reject) => {
    if (!takesChannel.start.hasSubscribers) return this.next.take(bucket, resolve, reject)
    report('take', this.next.take, bucket, resolve, reject)
  }

  readonly peek: Ask = (bucket, resolve, reject) => {
    if (!takesChannel.start.hasSubscribers) return this.next.peek(bucket, resolve, reject)
    report('peek', this.next.peek, bucket, resolve, reject)
  }

  readonly giveBack: Ask = (bucket, resolve, reject) => {
    if (!takesChannel.start.hasSubscribers) return this.next.giveBack(bucket, resolve, reject)
    report('give back', this.next.giveBack, bucket, resolve, reject)
  }
}

function report (verb: string, ask: Ask, bucket: Bucket, ...waiting: Waiting): void {
  const answer = takesChannel.tracePromise(
    () => new Promise<Verdict>((resolve, reject) => ask(bucket, resolve, reject)), { verb, policy: bucket.policy.name }
  )
  answer.then(...waiting)
}
