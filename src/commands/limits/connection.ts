import { setTimeout } from 'node:timers/promises'
import type { Cluster, Redis } from 'ioredis'
import { loadConfig, type Config } from '../../config.js'
import { StoreUnavailable } from '../../limiter/bucket/bucket.js'
import { GIVEN_UP_AFTER_MS, KEY as REPLICAS_KEY, KNOWN_AFTER_MS } from '../../limiter/fleet/heartbeat.js'
import { NothingThere } from '../../limiter/limits/edits.js'
import { LimitsError } from '../../limiter/limits/limits-file.js'
import { readState } from '../../limiter/limits/document.js'
import { connect } from '../../limiter/redis/connection.js'
import { unavailable } from '../../limiter/redis/failures.js'
import { Failure, NotFound } from '../outcome.js'

/** @throws {Failure} when there is no Redis, when it does not answer, and with what is wrong with a change */
export async function withRedis (use: (redis: Redis | Cluster, config: Config) => Promise<void>): Promise<void> {
  const config = loadConfig()
  const { redisUrl, redisTimeoutMs } = config
  if (redisUrl === undefined) {
    throw new Failure(
      'REDIS_URL is not set, so the limits are inside the server process. Set it to the Redis that the service uses.'
    )
  }
  let trouble: Error | undefined
  const redis = await connect(redisUrl, (error) => { trouble = error }, redisTimeoutMs)
  try {
    await use(redis, config)
  } catch (error) {
    if (error instanceof LimitsError) throw new Failure(error.faults.join('\n'))
    if (error instanceof NothingThere) throw new NotFound(error.message)
    if (error instanceof Failure || error instanceof TypeError || error instanceof RangeError) throw error
    const nodes = redisUrl.nodes.map(({ host, port }) => `${host}:${port}`).join(', ')
    const { message } = trouble ?? (error instanceof StoreUnavailable ? error : unavailable(error))
    throw new Failure(`Redis at ${nodes}, from REDIS_URL, does not do it: ${message}`, 1, { cause: error })
  } finally {
    redis.disconnect()
  }
}

/** What a replica reports about its limits with each heartbeat: see the tag in limiter/differing-limits.ts. */
export interface Holder {
  /** The version in force; 0 for a release that cannot change limits at run time. */
  version: number
  /** The digest of the announced limits, or else of those in force; empty for a release without versions. */
  digest: string
}

/**
 * The replicas that are alive. An entry that expires long after the others is left out: it has sent no heartbeat since
 * Redis's clock was set back, or does not belong to a replica. Waiting for it would never end.
 */
export async function holders (redis: Redis | Cluster): Promise<Holder[]> {
  const reply = await redis.zrange(REPLICAS_KEY, '0', '-1', 'WITHSCORES')
  const names = reply.filter((_, i) => i % 2 === 0)
  const givenUpAtMs = reply.filter((_, i) => i % 2 === 1).map(Number)
  return names.filter((_, i) => givenUpAtMs[i]! <= givenUpAtMs[0]! + 2 * GIVEN_UP_AFTER_MS).map((name) => {
    const [, version = '0', digest = ''] = /@(\d{1,15}),\d{1,15}:(.*)$/.exec(name) ?? []
    return { version: Number(version), digest }
  })
}

/** A replica that missed the announcement reads the version a second later, and then announces it to the others. */
const PATIENCE_MS = 4000
const POLL_MS = 50

/**
 * Waits until every replica has this version or a later one in force, and none has a version that Redis does not have.
 * Such a replica would write its version back, over newer changes.
 *
 * @returns how many of how many replicas have it in force at the end
 * @throws {Failure} if no replica writes back what Redis has lost
 */
export async function untilHeld (redis: Redis | Cluster, version = 0): Promise<{ holding: number, replicas: number }> {
  const startedMs = performance.now()
  for (;;) {
    const versions = (await holders(redis)).map(({ version }) => version)
    const waitedMs = performance.now() - startedMs
    const newest = Math.max(...versions)
    const isLost = newest > (await readState(redis)).version
    const holding = versions.filter(held => held >= version).length
    // If Redis has lost everything, replicas are listed again after their next heartbeat.
    const isListed = versions.length > 0 || waitedMs > KNOWN_AFTER_MS
    const isSettled = isListed && holding === versions.length && !isLost
    if (isSettled || (waitedMs > PATIENCE_MS && !isLost)) return { holding, replicas: versions.length }
    if (waitedMs > PATIENCE_MS) {
      throw new Failure(`Redis has lost version ${newest} of the limits, and no replica writes it back: look for ` +
        'limits_unread in their logs')
    }
    await setTimeout(POLL_MS)
  }
}
