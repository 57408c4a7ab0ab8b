import type { Cluster, Redis } from 'ioredis'
import { every } from '../../base/every.js'
import { isCommandRefused, toStoreUnavailable } from '../redis/failures.js'
import { REPLICAS_KEY, writeReplica, type Described } from './replicas.js'

/** The different digests of limits that replicas hold, as `Described` has them: a sorted set like that of names. */
const DIGESTS_KEY = 'gatehouse:limits:digests'
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
  let formerDigest: string | undefined
  const counted = onceRefused(onUncounted)
  const kept = onceRefused(onUndescribed)
  const replicas = (): number => Math.max(1, ...counts)

  async function beat (): Promise<void> {
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
  }

  await beat()
  const end = every(INTERVAL_MS, beat)
  redis.on('ready', beat)
  return {
    replicas,
    aheadMs: () => aheads.length === 0 ? 0 : Math.min(...aheads),
    beat,
    async close () {
      end()
      redis.off('ready', beat)
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
