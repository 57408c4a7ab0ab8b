import type { StoreUnavailable } from '../bucket/bucket.js'

/**
 * Called when a Redis node becomes unavailable, with a reason of one word, or recovers. `failing` has the reason of
 * each node that is unavailable; a node is '' if it is the only one.
 */
export type OnFallback = (
  change: { to: 'fallback', reason: string } | { to: 'redis' }, failing: ReadonlyMap<string, string>
) => void

/** Which nodes are unavailable, as the fallback noted it. */
export class FailingNodes {
  readonly #reasons = new Map<string, string>()
  #failedMeanwhile = false

  constructor (private readonly onFallback?: OnFallback) {}

  /** @param failure undefined if the node recovered */
  note (failure: StoreUnavailable | undefined, node: string): void {
    if (failure) {
      this.#failedMeanwhile = true
      this.#reasons.set(node, failure.reason)
    } else this.#reasons.delete(node)
    this.onFallback?.(failure ? { to: 'fallback', reason: failure.reason } : { to: 'redis' }, this.#reasons)
  }

  has (node: string): boolean {
    return this.#reasons.has(node)
  }

  /** Whether any node was unavailable since the last call. One may fail and recover between two. */
  failedMeanwhile (): boolean {
    const failed = this.#failedMeanwhile
    this.#failedMeanwhile = this.#reasons.size > 0
    return failed
  }
}
