import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Cluster, Redis } from 'ioredis'
import type { Bucket, BucketStore, Policy, Refill } from './bucket.js'
import { parseClient } from './client.js'
import { KNOWN_AFTER_MS } from './heartbeat.js'
import { isUserOwner, parseBucketKey } from './key.js'
import { parseLimits } from './limits-file.js'
import {
  formatPeriod, isAccountPolicy, isLimited, isModulePolicy, limitFor, returnedBudget, returnedPolicyName,
  sharedPolicyName, userLimitFor, type AddressPolicy, type Limits
} from './policies.js'
import { trusted } from './redis-trust.js'
import { checkedText } from './replies.js'

/*
 * While a release or a change of LIMITS_FILE rolls, replicas hold different limits for the same buckets. Each has its
 * own capacity then, and all use the refill of the limit with the largest capacity. So a client gets no more than that
 * limit allows, whichever replicas it asks. Each heartbeat carries a digest of the replica's limits; the limits
 * themselves are in Redis under the digest, in the form of a limits file.
 */

const KEY = 'gatehouse:replicas:'
/** Published limits expire after this time. While others differ, every `PUBLISHED_EVERY`th heartbeat publishes them. */
const PUBLISHED_MS = 60_000
const PUBLISHED_EVERY = 10
/** A replica that is not seen may only be cut off from Redis: its limits hold for so long after they were last seen. */
const KEPT_MS = 60_000
/**
 * What was learnt holds for this time after it was asked for. A replica with other limits takes nothing before that
 * time has passed, so every replica that mends its buckets knows of it. Later, and until the next heartbeat, others may
 * hold any limits.
 */
const LEARNT_MS = KNOWN_AFTER_MS
/** More, in characters and in kinds of limits, are not read: they are unknown. */
const MAX_LENGTH = 100_000
const MAX_OTHERS = 16

export interface OtherLimits {
  /** Goes with every heartbeat of replicas that have the same limits. */
  digest: string
  /** Reads the limits of the other replicas, by their digests, which were asked for at `askedAtMs`. */
  learn: (digests: readonly string[], askedAtMs: number) => Promise<void>
  /** Nothing can be learnt: others may hold any limits, until something is. */
  doubt: () => void
  /**
   * The bucket with the policy that is in force: its own while limits agree, and a merged one while others have, or may
   * have, another policy for its owner.
   */
  inForce: (bucket: Bucket) => Bucket
  /** Whether any other replica is known to hold different limits. */
  differ: () => boolean
}

/** @param onChange called when replicas begin to differ, and when they agree again */
export function otherLimits (
  redis: Redis | Cluster, own: Limits, onChange: (differ: boolean) => void, keptMs = KEPT_MS
): OtherLimits {
  const text = serialize(own)
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16)
  /** By digest. '' stands for all limits that cannot be read, such as those of a release that sends no digest. */
  const others = new Map<string, { limits?: Limits | undefined, untilMs: number }>()
  let learntUntilMs = -Infinity
  const interned = new Map<string, Policy>()
  /** Heartbeats since others began to differ. */
  let turns = 0

  function see (of: string, untilMs: number): void {
    const readable = /^[0-9a-f]{16}$/.test(of) && (others.has(of) || others.size < MAX_OTHERS)
    const name = readable ? of : ''
    others.set(name, { ...others.get(name), untilMs })
  }

  async function read (of: string): Promise<Limits | undefined> {
    try {
      return parse(await trusted(redis, KEY + of, redis.get(KEY + of), checkedText))
    } catch {
      // Asked for again with the next heartbeat.
      return undefined
    }
  }

  return {
    digest,
    differ: () => others.size > 0,

    async learn (digests, askedAtMs) {
      const nowMs = performance.now()
      const differed = others.size > 0
      for (const of of digests) if (of !== digest) see(of, nowMs + keptMs)
      for (const [of, { untilMs }] of others) if (untilMs <= nowMs) others.delete(of)
      const differ = others.size > 0
      if (differ) {
        // A replica that cannot read them treats them as unknown.
        if (turns++ % PUBLISHED_EVERY === 0) await redis.set(KEY + digest, text, 'PX', PUBLISHED_MS).catch(() => {})
        await Promise.all([...others].map(async ([of, other]) => { if (of !== '') other.limits ??= await read(of) }))
      } else {
        turns = 0
        interned.clear()
      }
      learntUntilMs = askedAtMs + LEARNT_MS
      if (differ !== differed) onChange(differ)
    },

    doubt () {
      learntUntilMs = -Infinity
    },

    inForce (bucket) {
      const learnt = performance.now() < learntUntilMs
      if (learnt && others.size === 0) return bucket
      const { key, policy } = bucket
      const { owner } = parseBucketKey(key)!
      const ofOthers = [...others.values()].map(({ limits }) =>
        limits ? policyOf(limits, policy.name, owner) : 'unknown')
      const merged = mergedWith(policy, learnt ? ofOthers : [...ofOthers, 'unknown'])
      // One object for one policy: the fallback and the deny cache tell them apart by that.
      const name = JSON.stringify(merged)
      const same = interned.get(name) ?? merged
      interned.set(name, same)
      return { key, policy: same }
    }
  }
}

/** Reads and writes each bucket by the policy that is in force. */
export function withOtherLimits<Store extends BucketStore> (store: Store, { inForce }: OtherLimits): Store {
  return {
    ...store,
    take: bucket => store.take(inForce(bucket)),
    peek: bucket => store.peek(inForce(bucket)),
    giveBack: bucket => store.giveBack(inForce(bucket)),
    knownRefusal: bucket => store.knownRefusal(inForce(bucket))
  }
}

/**
 * A policy with others of the same name that are in force elsewhere.
 *
 * @param others `unknown` for what cannot be known, undefined where no token is taken
 */
export function mergedWith (policy: Policy, others: ReadonlyArray<Policy | 'unknown' | undefined>): Policy {
  const known = others.filter(other => typeof other === 'object')
  if (!others.includes('unknown') && known.every(other => sameLimits(other, policy))) return policy
  const all = [policy, ...known]
  const { refill, periodMs } = all.reduce((a, b) => isLarger(b, a) ? b : a)
  const rivals = new Map<string, Refill>()
  for (const other of all) {
    if (sameRefill(other, { refill, periodMs })) continue
    rivals.set(`${other.refill} ${other.periodMs}`, { refill: other.refill, periodMs: other.periodMs })
  }
  return { name: policy.name, capacity: policy.capacity, refill, periodMs, rivals: [...rivals.values()] }
}

/** By capacity, then by speed, then by size of a refill: in one order for all replicas. */
function isLarger (a: Policy, b: Policy): boolean {
  if (a.capacity !== b.capacity) return a.capacity > b.capacity
  const [speed, other] = [a.refill * b.periodMs, b.refill * a.periodMs]
  return speed === other ? a.refill > b.refill : speed > other
}

const sameRefill = (a: Refill, b: Refill): boolean => a.refill === b.refill && a.periodMs === b.periodMs
const sameLimits = (a: Policy, b: Policy): boolean => a.capacity === b.capacity && sameRefill(a, b)

function policyOf (limits: Limits, name: string, owner: string): Policy | undefined {
  const returned = returnedPolicyName(name)
  if (returned !== undefined) {
    const policy = policyOf(limits, returned, owner)
    return policy && returnedBudget(policy)
  }
  const shared = sharedPolicyName(name)
  if (shared !== undefined) return policyOf(limits, shared, owner)?.address
  if (!isLimited(limits, name)) return undefined
  if (isUserOwner(owner)) return userLimitFor(limits, name as AddressPolicy)
  if (isAccountPolicy(name)) return limits.policies[name]
  const client = parseClient(owner)
  const limit = client ? limitFor(limits, name, client) : limits.policies[name]
  return limit === 'exempt' ? undefined : limit
}

function serialize ({ policies, networks }: Limits): string {
  return JSON.stringify({
    policies: rows(policies),
    networks: Object.fromEntries(networks.map(({ text, overrides }) => [text, rows(overrides)]))
  })
}

function rows (limits: object): object {
  return Object.fromEntries(Object.entries(limits).map(([name, limit]: [string, Policy | 'exempt']) => {
    if (limit === 'exempt') return [name, limit]
    return [name, { ...row(limit), ...limit.address && { by: 'user', address: row(limit.address) } }]
  }))
}

const row = ({ capacity, refill, periodMs }: Policy): object => ({ capacity, refill, period: formatPeriod(periodMs) })

/** @returns undefined for what no replica of this release can have written */
function parse (text: string | undefined): Limits | undefined {
  if (text === undefined || text.length > MAX_LENGTH) return undefined
  try {
    return parseLimits(text, isModulePolicy)
  } catch {
    return undefined
  }
}
