import { setTimeout } from 'node:timers/promises'
import type { Cluster, Redis } from 'ioredis'
import { listReplicas } from '../../limiter/fleet/replicas.js'
import { readLimits } from '../../limiter/limits/limits-document.js'
import type { Limits } from '../../limiter/limits/policies.js'
import { Failure } from '../output.js'

/** A replica that missed the message reads the document with its next heartbeat. */
const PATIENCE_MS = 4000
/** A replica that takes over limits sends a heartbeat at once, and nothing else tells of it. */
const POLL_MS = 100
/** A replica that is alive is listed after this time, even if Redis has lost everything. */
const LISTED_AFTER_MS = 1200

export interface Held {
  /** How many of how many replicas have a version in force. */
  holding: number
  replicas: number
}

/**
 * Waits until every replica has this version or a later one in force, and so does Redis. A replica with a version that
 * Redis does not have puts its document back, in place of newer changes.
 *
 * @throws {Failure} if some replica does not hold it, or none puts back what Redis has lost
 */
export async function waitUntilHeld (redis: Redis | Cluster, base: Limits, version = 0): Promise<Held> {
  const startedMs = performance.now()
  for (;;) {
    const versions = (await listReplicas(redis)).map(({ limitsVersion = 0 }) => limitsVersion)
    const reading = await readLimits(redis, base)
    const waitedMs = performance.now() - startedMs
    const newest = Math.max(version, ...versions)
    const isLost = newest > (reading?.document.version ?? 0)
    const holding = versions.filter(held => held >= version).length
    const isListed = versions.length > 0 || waitedMs > LISTED_AFTER_MS
    if (isListed && holding === versions.length && !isLost) return { holding, replicas: versions.length }
    if (waitedMs > PATIENCE_MS) {
      throw new Failure(isLost
        ? `Redis has lost version ${newest} of the limits, and no replica puts it back: look for limits_unread in ` +
          'their logs'
        : `version ${version} is written, but ${versions.length - holding} of ${versions.length} replicas do not ` +
          'hold it: look for limits_unread and limits_broken in their logs')
    }
    await setTimeout(POLL_MS)
  }
}
