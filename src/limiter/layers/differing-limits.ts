import { createHash } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Cluster, Redis } from 'ioredis'
import type { Bucket, BucketStore, Policy, Refill, Verdict } from '../bucket/bucket.js'
import { parseClient } from '../limits/client.js'
import { KNOWN_AFTER_MS } from '../fleet/heartbeat.js'
import { isUserOwner, parseBucketKey } from '../bucket/key.js'
import { parseLimits, rowOf } from '../limits/limits-file.js'
import {
  isAccountPolicy, isLimited, isModulePolicy, limitFor, returnedBudget, returnedPolicyName,
  sharedPolicyName, userLimitFor, type AddressPolicy, type Limits, type Override
} from '../limits/policies.js'
import { trusted } from '../redis/redis-trust.js'
import { checkedText } from '../redis/replies.js'

/*
 * While a release or a change of limits rolls out, replicas hold different limits for the same buckets. Each replica
 * keeps its own capacity then, and all use the refill of the limit with the largest capacity. So a client gets no more
 * than that limit allows, whichever replicas it asks. Each heartbeat carries a digest of the replica's limits. The
 * limits themselves are in Redis under the digest, in the form of a limits file.
 *
 * Limits that change at run time are announced first. They are in force when the other replicas know of them. A tag
 * shows the progress: `17,18:DIGEST` means that version 17 is in force, version 18 is announced, and DIGEST is the
 * digest of version 18.
 */

const KEY = 'gatehouse:replicas:'
/** Published limits expire after this time. While others differ, every `PUBLISHED_EVERY`th heartbeat publishes them. */
const PUBLISHED_MS = 60_000
const PUBLISHED_EVERY = 10
/**
 * A replica that is not seen may only be cut off from Redis, so its limits count for this long after they were last
 * seen.
 */
const KEPT_MS = 60_000
/**
 * What was learnt is valid for this time after the heartbeat was sent. A replica with other limits takes nothing before
 * this time has passed, so every replica that repairs its buckets knows its limits. After this time, and until the next
 * heartbeat, others may hold any limits.
 */
const LEARNT_MS = KNOWN_AFTER_MS
/** Limits of more characters, and more kinds of limits, are not read and count as unknown. */
const MAX_LENGTH = 100_000
const MAX_OTHERS = 16

/**
 * The limits of an earlier version count for this long after they were last seen. Their replica announces the new
 * version within one `KNOWN_AFTER_MS`, and puts it in force within another one.
 */
const SETTLED_MS = 2 * KNOWN_AFTER_MS

export interface OtherLimits {
  /** Sent with every heartbeat. */
  readonly tag: string
  /** Reads the limits of the other replicas by their tags. The request for the tags was sent at `askedAtMs`. */
  learn: (tags: readonly string[], askedAtMs: number) => Promise<void>
  /** To be called when nothing can be learnt: others may hold any limits until the next `learn`. */
  doubt: () => void
  /**
   * The bucket with the policy that is in force: its own while limits agree, and a merged one while others have, or may
   * have, another policy for its owner.
   */
  inForce: (bucket: Bucket) => Bucket
  /** Whether any other replica is known to hold different limits. */
  differ: () => boolean
  /** Announces limits, so that the other replicas know of them before they are in force here. */
  announce: (limits: Limits, version: number) => Promise<void>
  /** Whether every replica had announced this version, or a later one, at the last heartbeat. */
  allKnow: (version: number) => boolean
  /** Puts the announced limits in force. */
  adopt: () => void
}

interface Held { limits: Limits, version: number, text: string, digest: string }

interface Other { limits?: Limits | undefined, version: number, seenAtMs: number }

/**
 * @param onChange called when replicas begin to differ, and when they agree again
 * @param version the version of the live limits that are part of these limits; 0 for none
 */
export function otherLimits (
  redis: Redis | Cluster, limits: Limits, onChange: (differ: boolean) => void, keptMs = KEPT_MS, version = 0
): OtherLimits {
  let own = held(limits, version)
  let next: Held | undefined
  /**
   * The limits of other replicas, by digest. '' stands for all limits that cannot be read, such as those of a release
   * that sends no digest.
   */
  const others = new Map<string, Other>()
  let learntAtMs = -Infinity
  let learntUntilMs = -Infinity
  let oldestKnown = -Infinity
  const interned = new Map<string, Policy>()
  /** Heartbeats since others began to differ. */
  let turns = 0
  let differed = false

  const differ = (): boolean => others.size > 0 || (next !== undefined && next.digest !== own.digest)

  function noticeChange (): void {
    if (differ() === differed) return
    differed = !differed
    if (!differed) {
      turns = 0
      interned.clear()
    }
    onChange(differed)
  }

  function see (of: string, version: number, seenAtMs: number): void {
    const name = of !== '' && (others.has(of) || others.size < MAX_OTHERS) ? of : ''
    others.set(name, { ...others.get(name), version, seenAtMs })
  }

  function forget (nowMs: number): void {
    const newest = (next ?? own).version
    for (const [of, { version, seenAtMs }] of others) {
      if (seenAtMs + (version < newest ? Math.min(SETTLED_MS, keptMs) : keptMs) <= nowMs) others.delete(of)
    }
  }

  async function publish (): Promise<void> {
    const { digest, text } = next ?? own
    // A replica that cannot read them treats them as unknown.
    await redis.set(KEY + digest, text, 'PX', PUBLISHED_MS).catch(() => {})
  }

  async function read (of: string): Promise<Limits | undefined> {
    try {
      return parse(await trusted(redis, KEY + of, redis.get(KEY + of), checkedText))
    } catch {
      // The next heartbeat asks for them again.
      return undefined
    }
  }

  return {
    get tag () {
      return `${own.version},${(next ?? own).version}:${(next ?? own).digest}`
    },

    differ,
    allKnow: version => oldestKnown >= version,

    async learn (tags, askedAtMs) {
      const nowMs = performance.now()
      learntAtMs = nowMs
      const asRead = tags.map(readTag)
      oldestKnown = Math.min(...asRead.map(({ known }) => known))
      for (const { digest, version } of asRead) {
        if (digest !== own.digest && digest !== next?.digest) see(digest, version, nowMs)
      }
      forget(nowMs)
      if (others.size > 0) {
        if (turns++ % PUBLISHED_EVERY === 0) await publish()
        await Promise.all([...others].map(async ([of, other]) => { if (of !== '') other.limits ??= await read(of) }))
      }
      learntUntilMs = askedAtMs + LEARNT_MS
      noticeChange()
    },

    doubt () {
      learntUntilMs = -Infinity
    },

    inForce (bucket) {
      const learnt = performance.now() < learntUntilMs
      if (learnt && !differ()) return bucket
      const { key, policy } = bucket
      const { owner } = parseBucketKey(key)!
      const policiesOf = (of: Array<Pick<Other, 'limits'>>): Array<Policy | 'unknown' | undefined> =>
        of.map(({ limits }) => limits ? policyOf(limits, policy.name, owner) : 'unknown')
      const known = [...others.values()]
      // This replica's own limits may differ from the bucket's policy, if they changed while the take waited.
      const inUse = [...differ() ? [own] : [], ...known.filter(({ seenAtMs }) => seenAtMs >= learntAtMs)]
      const current = policiesOf(inUse)
      const formerAndNext = [...known.filter(({ seenAtMs }) => seenAtMs < learntAtMs), ...next ? [next] : []]
      const merged = mergedWith(policy, learnt ? current : [...current, 'unknown'], policiesOf(formerAndNext))
      // Equal policies have to be the same object, because batches and local shares are looked up by identity.
      const name = JSON.stringify(merged)
      const same = interned.get(name) ?? merged
      interned.set(name, same)
      return { key, policy: same }
    },

    async announce (limits, version) {
      const announced = held(limits, version)
      if (announced.digest !== own.digest) {
        await redis.set(KEY + announced.digest, announced.text, 'PX', PUBLISHED_MS).catch(() => {})
      }
      next = announced
      noticeChange()
    },

    adopt () {
      if (!next) return
      const former = own
      own = next
      next = undefined
      others.delete(own.digest)
      if (former.digest !== own.digest) others.set(former.digest, { ...former, seenAtMs: performance.now() })
      noticeChange()
    }
  }
}

function held (limits: Limits, version: number): Held {
  return { limits, version, text: serialize(limits), digest: digestOf(limits) }
}

/** A release without live limits has only a digest as its tag, and it never learns of a version. */
function readTag (tag: string): { version: number, known: number, digest: string } {
  const [, version, known, digest] = /^(?:(\d{1,15}),(\d{1,15}):)?([0-9a-f]{16})$/.exec(tag) ?? []
  return { version: Number(version ?? Infinity), known: Number(known ?? -Infinity), digest: digest ?? '' }
}

/**
 * Reads and writes each bucket by the policy that is in force.
 *
 * @param caughtUp what a take has to wait for until the policy is known; mostly undefined
 */
export function withOtherLimits<Store extends BucketStore> (
  store: Store, inForce: OtherLimits['inForce'], caughtUp: (key: string) => Promise<void> | undefined = () => undefined
): Store {
  type Verb = 'take' | 'peek' | 'giveBack'
  const decide = (verb: Verb) => (bucket: Bucket): Promise<Verdict> =>
    caughtUp(bucket.key)?.then(() => store[verb](inForce(bucket))) ?? store[verb](inForce(bucket))
  return {
    ...store,
    take: decide('take'),

    async takeBoth (bucket, front) {
      await (caughtUp(bucket.key) ?? caughtUp(front.key))
      return await store.takeBoth(inForce(bucket), inForce(front))
    },

    peek: decide('peek'),
    giveBack: decide('giveBack'),
    knownRefusal: bucket => store.knownRefusal(inForce(bucket))
  }
}

type OtherPolicy = Policy | 'unknown' | undefined

/**
 * A policy with others of the same name that are in force elsewhere.
 *
 * @param others `unknown` for limits that cannot be known; undefined where no token is taken
 * @param formerAndNext the policies of replicas that were not seen lately, and the one that is only announced. Other
 * replicas may write a bucket by these, but this one does not. A replica that does not know them would read refills
 * that never happened
 */
export function mergedWith (
  policy: Policy, others: readonly OtherPolicy[], formerAndNext: readonly OtherPolicy[] = []
): Policy {
  const policiesIn = (list: readonly OtherPolicy[]): Policy[] => list.filter(other => typeof other === 'object')
  const current = [policy, ...policiesIn(others)]
  const all = [...current, ...policiesIn(formerAndNext)]
  const unknown = others.includes('unknown') || formerAndNext.includes('unknown')
  if (!unknown && all.every(other => sameLimits(other, policy))) return policy
  const { refill, periodMs } = current.reduce((a, b) => isLarger(b, a) ? b : a)
  const rivals = new Map<string, Refill>()
  for (const other of all) {
    if (sameRefill(other, { refill, periodMs })) continue
    rivals.set(`${other.refill} ${other.periodMs}`, { refill: other.refill, periodMs: other.periodMs })
  }
  return { name: policy.name, capacity: policy.capacity, refill, periodMs, rivals: [...rivals.values()] }
}

/** Compares by capacity, then by speed, then by the size of a refill, so that all replicas agree on the order. */
function isLarger (a: Policy, b: Policy): boolean {
  if (a.capacity !== b.capacity) return a.capacity > b.capacity
  const [speed, other] = [a.refill * b.periodMs, b.refill * a.periodMs]
  return speed === other ? a.refill > b.refill : speed > other
}

const sameRefill = (a: Refill, b: Refill): boolean => a.refill === b.refill && a.periodMs === b.periodMs
const sameLimits = (a: Policy, b: Policy): boolean => a.capacity === b.capacity && sameRefill(a, b)

/** The policy that limits one owner; undefined where no token is taken. */
export function policyOf (limits: Limits, name: string, owner: string): Policy | undefined {
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
  return typeof limit === 'string' ? undefined : limit
}

/** Equal limits have the same digest. */
export const digestOf = (limits: Limits): string =>
  createHash('sha256').update(serialize(limits)).digest('hex').slice(0, 16)

function serialize ({ policies, networks }: Limits): string {
  return JSON.stringify({
    policies: rows(policies),
    networks: inOrder(networks.map(({ text, overrides }) => [text, rows(overrides)]))
  })
}

/** Sorted by name, because limits that are changed at run time come in any order. */
const inOrder = <Value>(entries: Array<[string, Value]>): Record<string, Value> =>
  Object.fromEntries(entries.sort(([a], [b]) => a < b ? -1 : 1))

function rows (limits: object): object {
  // A blocked client takes no token either, and a limits file has no other word for that.
  return inOrder(Object.entries(limits).map(([name, limit]: [string, Override]) =>
    [name, typeof limit === 'string' ? 'exempt' : rowOf(limit)]))
}

/** @returns undefined for a text that no replica of this release can have written */
function parse (text: string | undefined): Limits | undefined {
  if (text === undefined || text.length > MAX_LENGTH) return undefined
  try {
    return parseLimits(text, isModulePolicy)
  } catch {
    return undefined
  }
}
