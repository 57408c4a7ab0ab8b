import type { Cluster, Redis } from 'ioredis'
import type { Config } from '../config/config.js'
import { StoreUnavailable } from '../limiter/bucket/bucket.js'
import { Faults } from '../base/read-json.js'
import { connect, SILENCE } from '../limiter/redis/redis-connection.js'
import { toStoreUnavailable } from '../limiter/redis/failures.js'
import { Failure } from './output.js'

/**
 * The deadlines are longer by this factor: a person can wait longer than a request, and a script call of hundreds of
 * buckets takes longer.
 */
export const PATIENCE = 10

const GRANT = 'Grant the rights in docs/reference.md#redis-rights: "gatehouse doctor" names all that are missing.'

/** Redis has answered, with an error. */
const isAnswer = ({ cause }: StoreUnavailable): boolean => cause instanceof Error && cause.name === 'ReplyError'

/**
 * @param instead what to do when Redis does not answer
 * @throws {Failure} when there is no Redis, when it does not answer, and with what is wrong with limits
 */
export async function withRedis<Result> (
  { redisUrl, redisTimeoutMs }: Config, use: (redis: Redis | Cluster) => Promise<Result>, instead?: string
): Promise<Result> {
  if (redisUrl === undefined) {
    throw new Failure(
      'REDIS_URL is not set, so buckets and limits are inside the server process. Set it to the Redis of the service.'
    )
  }
  let trouble: Error | undefined
  const silenceMs = SILENCE * PATIENCE * redisTimeoutMs
  const redis = await connect(redisUrl, (error) => { trouble = error }, redisTimeoutMs, silenceMs)
  try {
    return await use(redis)
  } catch (error) {
    if (error instanceof Faults) throw new Failure(error.faults.join('\n'))
    if (error instanceof Failure || error instanceof TypeError || error instanceof RangeError) throw error
    let failure = error instanceof StoreUnavailable ? error : toStoreUnavailable(error)
    // Without a connection, the reason why there is none explains more.
    if (trouble && !isAnswer(failure)) failure = toStoreUnavailable(trouble)
    const nodes = redisUrl.nodes.map(({ host, port }) => `${host}:${port}`).join(', ')
    const next = failure.reason === 'NOPERM' ? GRANT : !isAnswer(failure) && instead
    const said = failure.message.replace(/^Redis,? /, `Redis at ${nodes}, from REDIS_URL, `).replace(/\.$/, '')
    throw new Failure(next ? `${said}. ${next}` : said, 1, { cause: error })
  } finally {
    redis.disconnect()
  }
}
