import { LRUCache } from 'lru-cache'
import { StoreUnavailable, verdictOf, type BucketStore, type Policy, type Verdict } from './bucket.js'
import { bucketKey } from './key.js'
import { createMemoryStore, MAX_BUCKETS } from './memory-store.js'

/**
 * What decides while Redis does not: `local` buckets of this process, which have its share of every limit, `closed`
 * refuses everyone with 503, `open` admits everyone.
 */
export type FailureMode = 'local' | 'closed' | 'open'

/** How often a Redis that failed is asked whether it decides again, give or take a fifth, so that replicas do not ask together. */
const PROBE_INTERVAL_MS = 250
const PROBE: Policy = { name: 'probe', capacity: 1, refill: 1, periodMs: 1000 }
/** Takes of the outage that are charged at a time when it is over. */
const CHARGED_AT_ONCE = 32

export interface FallbackOptions {
  mode: FailureMode
  /** How many replicas share each limit, as it was known last. */
  replicas?: () => number
  /** Called once when the store stops deciding, with the reason, and once when it decides again. */
  onChange: (failure: StoreUnavailable | undefined) => void
}

/**
 * The first take that fails is decided by the mode, and so is every later one, at once and without asking the store,
 * until a probe succeeds. The probe is a take, because only a write tells a Redis that is read-only or out of memory.
 * What was taken locally meanwhile is then taken from the store, too.
 */
export function withFallback (store: BucketStore, { mode, replicas = () => 1, onChange }: FallbackOptions): BucketStore {
  const local = createMemoryStore()
  /** This replica's part of each policy, from the first time that it is needed in an outage to its end. */
  const shares = new Map<Policy, Policy>()
  /** What was taken from locally, to be charged afterwards. */
  const used = new LRUCache<string, { policy: Policy, client: string }>({ max: MAX_BUCKETS })
  let failure: StoreUnavailable | undefined
  let probe: NodeJS.Timeout | undefined
  let closed = false

  async function decide (policy: Policy, client: string, cost: number): Promise<Verdict> {
    switch (mode) {
      case 'local': return await takeLocally(policy, client, cost)
      case 'open': return verdictOf(policy, cost, true, 0, 0)
      case 'closed': throw new StoreUnavailable('Redis does not decide, and LIMITER_ON_REDIS_FAILURE is closed', { cause: failure })
    }
  }

  async function takeLocally (policy: Policy, client: string, cost: number): Promise<Verdict> {
    const verdict = await local.take(shareOf(policy), client, cost)
    if (verdict.allowed) used.set(bucketKey({ policy: policy.name, client }), { policy, client })
    return { ...verdict, capacity: policy.capacity }
  }

  function shareOf (policy: Policy): Policy {
    let share = shares.get(policy)
    if (!share) shares.set(policy, share = divided(policy, replicas()))
    return share
  }

  function fail (error: StoreUnavailable): void {
    if (failure || closed) return
    failure = error
    onChange(error)
    probeLater()
  }

  function probeLater (): void {
    if (!closed) probe = setTimeout(tryAgain, PROBE_INTERVAL_MS * (0.8 + Math.random() * 0.4))
  }

  function tryAgain (): void {
    store.take(PROBE, 'redis').then(async () => {
      failure = undefined
      onChange(undefined)
      await chargeLocalTakes()
    }, probeLater)
  }

  async function chargeLocalTakes (): Promise<void> {
    const uncharged = [...used.values()]
    try {
      while (uncharged.length > 0) {
        await Promise.all(uncharged.splice(-CHARGED_AT_ONCE).map(async ({ policy, client }) => {
          const share = shareOf(policy)
          const { remaining } = await local.take(share, client, 0)
          await takeUpTo(policy, client, share.capacity - remaining)
          // Charged once: if Redis goes again before all is charged, this is not charged a second time.
          used.delete(bucketKey({ policy: policy.name, client }))
          await local.reset({ policy: policy.name, client })
        }))
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
    }
    if (!failure) shares.clear()
  }

  /** All of it, or what there is. */
  async function takeUpTo (policy: Policy, client: string, tokens: number): Promise<void> {
    const { allowed, remaining } = await store.take(policy, client, Math.min(tokens, policy.capacity))
    if (!allowed && remaining > 0) await store.take(policy, client, remaining)
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

/** One replica's part of a limit, rounded up: at least one token, and at least one a period. */
function divided ({ name, capacity, refill, periodMs }: Policy, replicas: number): Policy {
  return { name, capacity: Math.ceil(capacity / replicas), refill: Math.ceil(refill / replicas), periodMs }
}
