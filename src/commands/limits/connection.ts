import { setTimeout } from 'node:timers/promises'
import type { Cluster, Redis } from 'ioredis'
import { loadConfig, type Config } from '../../config.js'
import { StoreUnavailable } from '../../limiter/bucket.js'
import { GIVEN_UP_AFTER_MS, KEY as REPLICAS_KEY } from '../../limiter/heartbeat.js'
import { NothingThere } from '../../limiter/limits-edit.js'
import { LimitsError } from '../../limiter/limits-file.js'
import { connect } from '../../limiter/redis.js'
import { unavailable } from '../../limiter/redis-failures.js'
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

/**
 * The version of each replica: the one that it holds; 0 for a release that cannot change limits. What is to be given up
 * long after the others has not beaten since Redis's clock was put back, or is none: nobody could wait for it.
 */
export async function versionsHeld (redis: Redis | Cluster): Promise<number[]> {
  const reply = await redis.zrange(REPLICAS_KEY, '0', '-1', 'WITHSCORES')
  const names = reply.filter((_, i) => i % 2 === 0)
  const givenUpAtMs = reply.filter((_, i) => i % 2 === 1).map(Number)
  return names.filter((_, i) => givenUpAtMs[i]! <= givenUpAtMs[0]! + 2 * GIVEN_UP_AFTER_MS)
    .map(name => Number(/@(\d{1,15}),/.exec(name)?.[1] ?? 0))
}

const POLL_MS = 50

/**
 * Waits until every replica holds a version, or has held a later one.
 *
 * @returns how many of how many hold it in the end
 */
export async function untilHeld (
  redis: Redis | Cluster, version: number, patienceMs: number
): Promise<{ holding: number, replicas: number }> {
  const untilMs = performance.now() + patienceMs
  for (;;) {
    const versions = await versionsHeld(redis)
    const holding = versions.filter(held => held >= version).length
    if (holding === versions.length || performance.now() > untilMs) return { holding, replicas: versions.length }
    await setTimeout(POLL_MS)
  }
}
