import { StoreUnavailable, verdictOf, type BucketStore, type Policy, type Verdict } from './bucket.js'
import { createMemoryStore } from './memory-store.js'

/**
 * What decides while Redis does not: `local` buckets of this process, `closed` refuses everyone with 503, `open` admits
 * everyone.
 */
export type FailureMode = 'local' | 'closed' | 'open'

/** How often a Redis that failed is asked whether it decides again. */
const PROBE_INTERVAL_MS = 250
const PROBE: Policy = { name: 'probe', capacity: 1, refill: 1, periodMs: 1000 }

export interface FallbackOptions {
  mode: FailureMode
  /** Called once when the store stops deciding, with the reason, and once when it decides again. */
  onChange: (failure: StoreUnavailable | undefined) => void
}

/**
 * The first take that fails is decided by the mode, and so is every later one, at once and without asking the store,
 * until a probe succeeds. The probe is a take, because only a write tells a Redis that is read-only or out of memory.
 */
export function withFallback (store: BucketStore, { mode, onChange }: FallbackOptions): BucketStore {
  const local = createMemoryStore()
  let failure: StoreUnavailable | undefined
  let probe: NodeJS.Timeout | undefined
  let closed = false

  function decide (policy: Policy, client: string, cost: number): Promise<Verdict> {
    switch (mode) {
      case 'local': return local.take(policy, client, cost)
      case 'open': return Promise.resolve(verdictOf(policy, cost, true, 0, 0))
      case 'closed': return Promise.reject(new StoreUnavailable('Redis does not decide, and LIMITER_ON_REDIS_FAILURE is closed', { cause: failure }))
    }
  }

  function fail (error: StoreUnavailable): void {
    if (failure || closed) return
    failure = error
    onChange(error)
    probeLater()
  }

  function probeLater (): void {
    if (!closed) probe = setTimeout(tryAgain, PROBE_INTERVAL_MS)
  }

  function tryAgain (): void {
    store.take(PROBE, 'redis').then(() => {
      failure = undefined
      local.close()
      onChange(undefined)
    }, probeLater)
  }

  return {
    ...store,

    async take (policy, client, cost = 1) {
      if (failure) return await decide(policy, client, cost)
      try {
        return await store.take(policy, client, cost)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        fail(error)
        return await decide(policy, client, cost)
      }
    },

    async close () {
      closed = true
      clearTimeout(probe)
      await local.close()
      await store.close()
    }
  }
}
