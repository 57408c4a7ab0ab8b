import type { Cluster, Redis } from 'ioredis'
import type { State } from '../../base/state.js'
import type { LiveLimits } from '../limits/live-limits.js'
import { limitsDigest } from '../limits/policies.js'
import { limitRowsOf, type LimitRow } from '../limits/limit-rows.js'
import { isCommandRefused, toStoreUnavailable } from '../redis/replies.js'
import type { SeenSigns } from './proxy-signs.js'
import type { RecentDecisions } from './recent-decisions.js'

/*
 * Which replicas are alive, and what they say of themselves. Names are in a sorted set, and each replica has a JSON
 * text of its own. Both are written with every heartbeat, and expire. Operators read it, and no take depends on it.
 */

export const REPLICAS_KEY = 'gatehouse:replicas'
const TEXT_KEY = 'gatehouse:replica:'
/** The different digests of limits that replicas hold, as `Described` has them: a sorted set like that of names. */
const DIGESTS_KEY = 'gatehouse:limits:digests'
/** Longer texts are not written. */
const MAX_LENGTH = 16_000

/** What a replica reports about itself. Another release may leave out some members, and add others. */
export interface ReplicaSelf {
  version: string
  /** ISO 8601, by the replica's clock. */
  startedAt: string
  /** LIMITER_ON_REDIS_FAILURE. */
  onRedisFailure: string
  /** CLIENT_IPV6_PREFIX. */
  clientIpv6Prefix?: number
  /** The ids of the keys by which it verifies tokens, that of the signing one first. Every token has its key's id. */
  keys?: string[]
  /** Set if it asks for second factors. Earlier releases do not. */
  secondFactors?: true
  /** The digest of its modules. */
  modules?: string
  /** What it found each part to be. */
  states?: Readonly<Partial<Record<string, State>>>
  /** What shows that a proxy is taken for a client, or a client for a proxy. */
  proxySigns?: SeenSigns
  decisions?: RecentDecisions
}

/** `ReplicaSelf`, with the members that the store adds when it writes the description to Redis. */
interface Described extends ReplicaSelf {
  /** By the replica's clock. */
  at: string
  /** The digest of the limits in force, and the version of what was set at run time; 0 for none. */
  limits: string
  limitsVersion: number
  /** The digest of LIMITS_FILE and the defaults, and the rows of LIMITS_FILE. */
  ownLimits: string
  own: LimitRow[]
}

/** The part of a replica's description that depends on its limits. */
export const describeLimits = (limits: LiveLimits): Omit<Described, keyof ReplicaSelf> => ({
  at: new Date().toISOString(),
  limits: limitsDigest(limits),
  limitsVersion: limits.version,
  ownLimits: limitsDigest(limits.base),
  own: limitRowsOf(limits.base, limits.base).filter(({ source }) => source === 'LIMITS_FILE')
})

/** A replica that is alive. Of a replica without the right to write its text, nothing but the name is known. */
export type Replica = { name: string } & Partial<Described>

/** The names of replicas in one text, for an operator. */
export const replicaNames = (replicas: Replica[]): string => replicas.map(({ name }) => name).join(', ')

const INTERVAL_MS = 1000
/** A replica that has been silent for this long is not counted any more. */
const GIVEN_UP_AFTER_MS = 3500
/** After this many beats, a Redis that came back empty knows every replica again. */
const BEATS_REMEMBERED = Math.ceil(GIVEN_UP_AFTER_MS / INTERVAL_MS)

interface Heartbeat {
  /**
   * The largest number of replicas that were alive in the last few seconds in which Redis answered. During an outage it
   * is the number from before the outage.
   */
  replicas: () => number
  /**
   * How far Redis's clock is ahead of this process's, in ms; negative if it is behind, 0 until Redis has answered. It
   * is never too small, but too large by the way of the fastest of the last heartbeats.
   */
  aheadMs: () => number
  /** Sends a heartbeat at once: what the replica says of itself has changed. */
  beat: () => Promise<void>
  /** Removes this replica from the count. The others still count it for a few beats. */
  close: () => Promise<void>
}

interface HeartbeatOptions {
  /** The replica's name. */
  name: string
  /** What it says of itself. */
  describe: () => Partial<Described>
  /**
   * Called after every beat with how many replicas there are, as `Heartbeat.replicas` says, and whether this beat
   * counted them.
   */
  onReplicas: ((count: number, counted: boolean) => void) | undefined
  /** Called after every beat with whether all replicas hold the same limits, those that are covered included. */
  onAgree: ((agree: boolean) => void) | undefined
  /** Called with each beat. Commands that are sent in the same turn travel with it. */
  onBeat: () => void
  /** Called with the reason when Redis refuses to count replicas, once until it counts again. */
  onUncounted: (error: Error) => void
  /** Called with the reason when Redis refuses to keep the description, once until it keeps it again. */
  onUndescribed: (error: Error) => void
}

/**
 * Tells Redis every second that this replica is alive. It decides nothing about tokens: the count divides the limits in
 * an outage, and the rest is for operators.
 *
 * @returns after the first beat, or its failure
 */
export async function startHeartbeat (
  redis: Redis | Cluster, { name, describe, onReplicas, onAgree, onBeat, onUncounted, onUndescribed }: HeartbeatOptions
): Promise<Heartbeat> {
  let counts: number[] = []
  let aheads: number[] = []
  let next: NodeJS.Timeout | undefined
  let closed = false
  let formerDigest: string | undefined
  const counted = onceRefused(onUncounted)
  const kept = onceRefused(onUndescribed)
  const replicas = (): number => Math.max(1, ...counts)

  async function beat (): Promise<void> {
    clearTimeout(next)
    onBeat()
    const sentAtMs = Date.now()
    const count = redis.countMember(REPLICAS_KEY, name, GIVEN_UP_AFTER_MS)
    const text = describe()
    const digest = `${text.ownLimits}:${text.limits}`
    // What this replica held until now is no difference. Who still holds it adds it again with the next beat.
    if (formerDigest !== undefined && formerDigest !== digest) redis.zrem(DIGESTS_KEY, formerDigest).catch(() => {})
    formerDigest = digest
    const digests = redis.countMember(DIGESTS_KEY, digest, GIVEN_UP_AFTER_MS)
    let isCounted = false
    await Promise.all([
      counted(count.then(([alive, nowMs]) => {
        aheads = [nowMs - sentAtMs, ...aheads].slice(0, BEATS_REMEMBERED)
        counts = [alive, ...counts].slice(0, BEATS_REMEMBERED)
        isCounted = true
      })),
      kept(writeReplica(redis, name, text, GIVEN_UP_AFTER_MS)),
      // Whatever refuses this refuses the count, too, which is reported.
      digests.then(([different]) => onAgree?.(different === 1), () => {})
    ])
    onReplicas?.(replicas(), isCounted)
    clearTimeout(next)
    if (!closed) next = setTimeout(beat, INTERVAL_MS)
  }

  await beat()
  redis.on('ready', beat)
  return {
    replicas,
    aheadMs: () => aheads.length === 0 ? 0 : Math.min(...aheads),
    beat,
    async close () {
      closed = true
      redis.off('ready', beat)
      clearTimeout(next)
      await redis.zrem(REPLICAS_KEY, name).catch(() => {})
    }
  }
}

/** Waits for a command, and reports its refusal once until it succeeds. Takes report any other failure. */
function onceRefused (report: (error: Error) => void): (command: Promise<unknown>) => Promise<void> {
  let refused = false
  return async (command) => {
    try {
      await command
      refused = false
    } catch (error) {
      if (refused || !isCommandRefused(toStoreUnavailable(error))) return
      refused = true
      report(error as Error)
    }
  }
}

/** @throws what ioredis rejects with */
async function writeReplica (
  redis: Redis | Cluster, name: string, said: Partial<Described>, leaseMs: number
): Promise<void> {
  const whole = JSON.stringify(said)
  // With dozens of busy policies, what may be long is left out.
  const text = whole.length > MAX_LENGTH ? JSON.stringify({ ...said, decisions: undefined, own: undefined }) : whole
  await redis.set(TEXT_KEY + name, text, 'PX', leaseMs)
}

/** The replicas that are alive, in the order of their names. @throws what ioredis rejects with */
export async function listReplicas (redis: Redis | Cluster): Promise<Replica[]> {
  const names = await redis.zrange(REPLICAS_KEY, 0, '-1')
  return await Promise.all(names.sort().map(async (name) => {
    const text = await redis.get(TEXT_KEY + name)
    return { ...JSON.parse(text ?? '{}') as Partial<Described>, name }
  }))
}
