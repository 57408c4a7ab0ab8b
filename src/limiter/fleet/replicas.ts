import type { Cluster, Redis } from 'ioredis'
import type { State } from '../../base/state.js'
import type { LiveLimits } from '../limits/live-limits.js'
import { limitsDigest } from '../limits/policies.js'
import { limitRowsOf, type LimitRow } from '../limits/limit-rows.js'
import type { SeenSigns } from './proxy-signs.js'
import type { RecentDecisions } from './recent-decisions.js'

/*
 * Which replicas are alive, and what they say of themselves. Names are in a sorted set, and each replica has a JSON
 * text of its own. Both are written with every heartbeat, and expire. Operators read it, and no take depends on it.
 */

export const REPLICAS_KEY = 'gatehouse:replicas'
const TEXT_KEY = 'gatehouse:replica:'
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
export interface Described extends ReplicaSelf {
  /** By the replica's clock. */
  at: string
  /** The digest of the limits in force, and the version of what was set at run time; 0 for none. */
  limits: string
  limitsVersion: number
  /** The digest of LIMITS_FILE and the defaults, and the rows of LIMITS_FILE. */
  ownLimits: string
  own: LimitRow[]
}

/** The part of a replica's description that depends on its limits. Thousands of rows take milliseconds. */
export const describeLimits = (limits: LiveLimits): Omit<Described, keyof ReplicaSelf | 'at'> => ({
  limits: limitsDigest(limits),
  limitsVersion: limits.version,
  ownLimits: limitsDigest(limits.base),
  own: limitRowsOf(limits.base, limits.base).filter(({ source }) => source === 'LIMITS_FILE')
})

/** A replica that is alive. Of a replica without the right to write its text, nothing but the name is known. */
export type Replica = { name: string } & Partial<Described>

/** The names of replicas in one text, for an operator. */
export const replicaNames = (replicas: Replica[]): string => replicas.map(({ name }) => name).join(', ')

/** @throws what ioredis rejects with */
export async function writeReplica (
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
