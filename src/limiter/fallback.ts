import { performance } from 'node:perf_hooks'
import { LRUCache } from 'lru-cache'
import { StoreUnavailable, verdictOf, type Bucket, type BucketStore, type Policy, type Refill, type TokenStore, type Verdict } from './bucket.js'
import { probeKey } from './key.js'
import { createMemoryStore, MAX_BUCKETS } from './memory-store.js'

/**
 * What decides while Redis does not: `local` buckets of this process, which have its share of every limit, `closed`
 * refuses everyone with 503, `open` admits everyone.
 */
export type FailureMode = 'local' | 'closed' | 'open'

/**
 * After this, most hiccups are over, and a Redis that failed is asked for the first time whether it decides again; then
 * after twice as long, up to the longest. All are give or take a fifth, so that replicas do not ask together.
 */
const FIRST_PROBE_MS = 25
const LONGEST_PROBE_MS = 200
/**
 * What fails again so soon, and before it has decided so many takes, has no hiccup: it is asked as seldom as after a long
 * outage, or it would fill the log. One slow take in hundreds must not take a fifth of the others from the store.
 */
const STEADY_AFTER_MS = 10_000
const STEADY_AFTER_TAKES = 100
/** So large that every probe is admitted, for a take that is refused writes nothing, and only a write tells. */
const PROBE: Policy = { name: 'probe', capacity: 1000, refill: 1000, periodMs: 1000 }
/** Takes of the outage that are charged at a time when it is over. */
const CHARGED_AT_ONCE = 32
/** A charge may take so long to arrive: by so much earlier comes the refill that a client was told to wait for. */
const ARRIVAL_MS = 100

export interface FallbackOptions {
  mode: FailureMode
  /** How many replicas share each limit, as it was known last. */
  replicas?: () => number
  /** Which node of the store decides for a bucket: each fails by itself. By default there is one. */
  nodeOf?: ((key: string) => string) | undefined
  /** Why nothing must be taken from the store although it may decide; undefined if it may be. Asked before every take. */
  absence?: () => StoreUnavailable | undefined
  /** Called when a node decides again. @returns how many ms are to pass until takes may be sent to it */
  join?: (node: string) => Promise<number>
  /** Called once when a node stops deciding, with the reason, and once when it decides again; `failing` nodes do not. */
  onChange: (failure: StoreUnavailable | undefined, node: string, failing: number) => void
  /** Called when a probe fails for a reason that nobody was told in this outage. */
  onOtherReason?: (failure: Error, node: string) => void
  /** Called with what is thrown while nobody waits for it, and is no failure of the store: a defect. */
  onError?: (error: Error) => void
}

type Verb = 'take' | 'peek' | 'giveBack'

interface Node {
  name: string
  /** Why it does not decide. */
  failure?: StoreUnavailable | undefined
  /** What an outage begins with is often not what is wrong: a connection breaks, then Redis says why it does not decide. */
  toldReasons: Set<string>
  recoveredAtMs: number
  takesSinceRecovery: number
  probe?: NodeJS.Timeout
}

/**
 * The first take that fails is decided by the mode, and so is every later one of that node, at once and without asking it,
 * until a probe succeeds. The probe is a take, because only a write tells a Redis that is read-only or out of memory.
 * What was taken locally meanwhile is then taken from the store, too.
 */
export function withFallback (
  store: TokenStore, { mode, replicas = () => 1, nodeOf = () => '', absence = () => undefined, join = async () => 0, onChange, onOtherReason = () => {}, onError = () => {} }: FallbackOptions
): BucketStore {
  const local = createMemoryStore()
  /** This replica's part of each policy, from the first time that it is needed in an outage to its end. */
  const shares = new Map<Policy, Policy>()
  /** What was taken locally, to be charged afterwards. The local buckets stay as they are: every outage would be a new share. */
  const used = new LRUCache<string, { bucket: Bucket, tokens: number }>({ max: MAX_BUCKETS })
  /** Buckets to be reset in a node when it is back. */
  const resets = new Set<string>()
  const nodes = new Map<string, Node>()
  let failing = 0
  let charging = 0
  let closed = false

  function nodeFor (key: string): Node {
    const name = nodeOf(key)
    let node = nodes.get(name)
    if (!node) nodes.set(name, node = { name, toldReasons: new Set(), recoveredAtMs: -Infinity, takesSinceRecovery: 0 })
    return node
  }

  async function decide (verb: Verb, bucket: Bucket): Promise<Verdict> {
    const node = nodeFor(bucket.key)
    if (!node.failure) {
      const absent = absence()
      if (absent) fail(absent, bucket.key)
    }
    if (node.failure) return await decideHere(verb, bucket, node.failure)
    try {
      const verdict = await store[verb](bucket)
      node.takesSinceRecovery++
      return verdict
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      fail(error, bucket.key)
      return await decideHere(verb, bucket, error)
    }
  }

  async function decideHere (verb: Verb, bucket: Bucket, cause: StoreUnavailable): Promise<Verdict> {
    switch (mode) {
      case 'local': return await decideLocally(verb, bucket)
      case 'open': return verdictOf(bucket.policy, 0, true, 0, 0)
      case 'closed': throw new StoreUnavailable('Redis does not decide, and LIMITER_ON_REDIS_FAILURE is closed', { cause })
    }
  }

  async function decideLocally (verb: Verb, bucket: Bucket): Promise<Verdict> {
    const { key, policy } = bucket
    const verdict = await local[verb]({ key, policy: shareOf(policy) })
    if (verdict.allowed && verb !== 'peek') chargeLater(bucket, verb === 'take' ? 1 : -1)
    return { ...verdict, capacity: policy.capacity }
  }

  function shareOf (policy: Policy): Policy {
    let share = shares.get(policy)
    if (!share) shares.set(policy, share = divided(policy, replicas()))
    return share
  }

  /** Whose bucket it is now: where it was sent first may have sent it on. */
  function fail (error: StoreUnavailable, key: string): void {
    const node = nodeFor(key)
    if (node.failure || closed) return
    node.failure = error
    node.toldReasons = new Set([error.message])
    onChange(error, node.name, ++failing)
    const steady = node.takesSinceRecovery >= STEADY_AFTER_TAKES || performance.now() - node.recoveredAtMs > STEADY_AFTER_MS
    // In the slot of the bucket that failed, which may come to another node meanwhile.
    probeAfter(node, steady ? FIRST_PROBE_MS : LONGEST_PROBE_MS, probeKey(key))
  }

  function probeAfter (node: Node, ms: number, key: string): void {
    if (closed) return
    node.probe = setTimeout(() => { probe(node, ms, key).catch(onError) }, ms * (0.8 + Math.random() * 0.4))
  }

  async function probe (node: Node, ms: number, key: string): Promise<void> {
    let waitMs: number
    try {
      await store.take({ key, policy: PROBE })
      waitMs = await join(node.name)
    } catch (thrown) {
      const error = thrown as Error
      probeAfter(node, Math.min(2 * ms, LONGEST_PROBE_MS), key)
      if (!node.toldReasons.has(error.message)) onOtherReason(error, node.name)
      node.toldReasons.add(error.message)
      return
    }
    if (waitMs > 0) return probeAfter(node, Math.min(waitMs, LONGEST_PROBE_MS), key)
    await recover(node)
  }

  async function recover (node: Node): Promise<void> {
    node.failure = undefined
    node.recoveredAtMs = performance.now()
    node.takesSinceRecovery = 0
    onChange(undefined, node.name, --failing)
    await carryOutResets()
    await chargeLocalTakes()
  }

  /** Before anything is charged: what was taken since a reset counts, and nothing earlier. */
  async function carryOutResets (): Promise<void> {
    for (const key of resets) {
      if (closed || nodeFor(key).failure) continue
      resets.delete(key)
      try {
        await store.reset({ key })
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) {
          onError(error as Error)
          continue
        }
        resets.add(key)
        fail(error, key)
      }
    }
  }

  /** Those who came last are likely to come next. An outage lets the rest be, and its end begins anew. */
  async function chargeLocalTakes (): Promise<void> {
    charging++
    const keys = [...used.keys()]
    for (let i = 0; i < keys.length; i += CHARGED_AT_ONCE) {
      await Promise.all(keys.slice(i, i + CHARGED_AT_ONCE).map(key => charge(key).catch(onError)))
    }
    charging--
    if (charging === 0 && failing === 0) shares.clear()
  }

  /** What is taken locally meanwhile is an entry of its own. */
  async function charge (key: string): Promise<void> {
    const entry = used.peek(key)
    if (!entry || closed) return
    const { bucket, tokens } = entry
    if (nodeFor(key).failure) return
    used.delete(key)
    const share = shareOf(bucket.policy)
    const { remaining, nextMs } = await local.peek({ key, policy: share })
    // What has come back locally since it was taken has come back in Redis, too.
    const due = Math.min(tokens, share.capacity - remaining)
    if (due <= 0) return
    try {
      await store.charge(bucket, due, Math.max(1, nextMs - ARRIVAL_MS))
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      if (!error.mayHaveCounted) chargeLater(bucket, tokens)
      fail(error, key)
    }
  }

  function chargeLater (bucket: Bucket, tokens: number): void {
    const { key } = bucket
    used.set(key, { bucket, tokens: Math.max(0, (used.get(key)?.tokens ?? 0) + tokens) })
  }

  function forget ({ key }: Pick<Bucket, 'key'>): void {
    used.delete(key)
    local.forget({ key })
    store.forget({ key })
  }

  return {
    take: bucket => decide('take', bucket),
    peek: bucket => decide('peek', bucket),
    giveBack: bucket => decide('giveBack', bucket),
    knownRefusal: bucket => store.knownRefusal(bucket),
    list: filter => store.list(filter),
    forget,

    async reset ({ key }) {
      forget({ key })
      try {
        if (!nodeFor(key).failure) return await store.reset({ key })
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
        fail(error, key)
      }
      resets.add(key)
      return true
    },

    async close () {
      closed = true
      for (const { probe } of nodes.values()) clearTimeout(probe)
      await local.close()
      await store.close()
    }
  }
}

/** One replica's part of a limit, rounded up: at least one token, and at least one a period. */
function divided ({ name, capacity, rivals, ...own }: Policy, replicas: number): Policy {
  const part = ({ refill, periodMs }: Refill): Refill => ({ refill: Math.ceil(refill / replicas), periodMs })
  return { name, capacity: Math.ceil(capacity / replicas), ...part(own), ...rivals && { rivals: rivals.map(part) } }
}
