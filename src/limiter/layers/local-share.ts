import { LRUCache } from 'lru-cache'
import {
  StoreUnavailable, type Bucket, type BucketStore, type Policy, type Refill, type TokenStore, type Verdict
} from '../bucket/bucket.js'
import { createMemoryStore, MAX_BUCKETS } from '../bucket/memory-store.js'

/** How many buckets are charged at the same time. */
const CHARGED_AT_ONCE = 32
/** A charge may take this long to arrive. Its refill comes earlier by this time, so that no client waits too long. */
const ARRIVAL_MS = 100

/** The store that is charged after an outage. */
export interface Creditor {
  charge: TokenStore['charge']
  /** Whether the bucket can be charged now. The others stay in the ledger. */
  isReachable: (bucket: Bucket) => boolean
  /** Called when a charge failed. It is in the ledger again, unless it may have counted. */
  onUnavailable: (failure: StoreUnavailable, bucket: Bucket) => void
  /** Called with any other error of a charge, which is a defect. */
  onError: (error: Error) => void
}

/** This replica's local share of every limit, in buckets in memory, and a ledger of the tokens taken from them. */
export interface LocalShare extends Pick<BucketStore, 'take' | 'takeBoth' | 'peek' | 'giveBack' | 'forget' | 'close'> {
  /** Charges what is in the ledger, the most recently used buckets first. Resolves when all of them have been tried. */
  reconcile: (creditor: Creditor) => Promise<void>
  /** Shares are calculated again in the next outage. */
  endOutage: () => void
}

/** @param replicas how many replicas share each limit */
export function createLocalShare (replicas: () => number): LocalShare {
  // These buckets are kept after an outage. Otherwise each of several short outages would admit a whole share.
  const local = createMemoryStore()
  const ledger = new LRUCache<string, { bucket: Bucket, tokens: number }>({ max: MAX_BUCKETS })
  /** This replica's share of each policy, from its first use in an outage to the end of the outage. */
  const shares = new Map<Policy, Policy>()
  let reconciling = 0

  return {
    async take (bucket) {
      const verdict = await local.take(shareOf(bucket))
      if (verdict.allowed) enter(bucket, 1)
      return stated(verdict, bucket)
    },

    async takeBoth (bucket, front) {
      const [{ key }, verdict] = await local.takeBoth(shareOf(bucket), shareOf(front))
      if (verdict.allowed) for (const taken of [bucket, front]) enter(taken, 1)
      const of = key === bucket.key ? bucket : front
      return [of, stated(verdict, of)]
    },

    async peek (bucket) {
      return stated(await local.peek(shareOf(bucket)), bucket)
    },

    async giveBack (bucket) {
      const verdict = await local.giveBack(shareOf(bucket))
      enter(bucket, -1)
      return stated(verdict, bucket)
    },

    forget ({ key }) {
      ledger.delete(key)
      local.forget({ key })
    },

    async reconcile (creditor) {
      reconciling++
      const keys = [...ledger.keys()]
      for (let i = 0; i < keys.length; i += CHARGED_AT_ONCE) {
        await Promise.all(keys.slice(i, i + CHARGED_AT_ONCE).map(key => settle(key, creditor).catch(creditor.onError)))
      }
      reconciling--
    },

    endOutage () {
      if (reconciling === 0) shares.clear()
    },

    close: () => local.close()
  }

  function shareOf ({ key, policy }: Bucket): Bucket {
    let share = shares.get(policy)
    if (!share) shares.set(policy, share = divided(policy, replicas()))
    return { key, policy: share }
  }

  function enter (bucket: Bucket, tokens: number): void {
    const owed = ledger.get(bucket.key)?.tokens ?? 0
    ledger.set(bucket.key, { bucket, tokens: Math.max(0, owed + tokens) })
  }

  async function settle (key: string, { charge, isReachable, onUnavailable }: Creditor): Promise<void> {
    const entry = ledger.peek(key)
    if (!entry || !isReachable(entry.bucket)) return
    const { bucket, tokens } = entry
    // Local takes from now on make a new entry.
    ledger.delete(key)
    const share = shareOf(bucket)
    const { remaining, nextMs } = await local.peek(share)
    // Tokens that were refilled locally since the takes were also refilled in Redis.
    const owed = Math.min(tokens, share.policy.capacity - remaining)
    if (owed <= 0) return
    try {
      await charge(bucket, owed, Math.max(1, nextMs - ARRIVAL_MS))
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      if (!error.mayHaveCounted) enter(bucket, tokens)
      onUnavailable(error, bucket)
    }
  }
}

/** Clients see the capacity of the whole limit. */
const stated = (verdict: Verdict, { policy: { capacity } }: Bucket): Verdict => ({ ...verdict, capacity })

/** One replica's part of a limit, rounded up: at least one token, and at least one a period. */
function divided ({ name, capacity, rivals, ...own }: Policy, replicas: number): Policy {
  const part = ({ refill, periodMs }: Refill): Refill => ({ refill: Math.ceil(refill / replicas), periodMs })
  return { name, capacity: Math.ceil(capacity / replicas), ...part(own), ...rivals && { rivals: rivals.map(part) } }
}
