import { randomUUID } from 'node:crypto'
import type { Cluster, Redis } from 'ioredis'
import type { Config } from '../config/config.js'
import type { BucketStore } from '../limiter/bucket/bucket.js'
import { bucketOf } from '../limiter/bucket/key.js'
import { ANNOUNCEMENTS_CHANNEL, openSubscriber } from '../limiter/redis/announcements.js'
import { WATCH_CHANNEL } from '../limiter/fleet/watch.js'
import { PROBE_POLICY } from '../limiter/limits/policies.js'
import { timed } from './run-checks.js'

/** Other checks find these. Whatever else Redis answers as an error is a right that the service lacks. */
const FOUND_ELSEWHERE = /^(OOM|LOADING|MISCONF|NOREPLICAS|READONLY|CLUSTERDOWN|MASTERDOWN) /
/** Everything that the tests write expires after this time, unless it is deleted before. */
const KEPT_MS = 2000

/**
 * Tries everything that the service does, but on test keys. Redis's user may not be allowed to list its rights.
 *
 * @returns what is denied, with Redis's messages
 */
export async function missingRights (
  redis: Redis | Cluster, store: BucketStore, { redisUrl, redisTimeoutMs }: Config
): Promise<string[]> {
  const subscribed = async (channel: string): Promise<void> => {
    let refused: Error | undefined
    const subscriber = await openSubscriber(redisUrl!, redisTimeoutMs)
    await subscriber.subscribe(channel, () => {}, (error) => { refused = error })
    subscriber.close()
    if (refused) throw refused
  }
  const key = `gatehouse:doctor:${randomUUID()}`
  const [bucket, other] = [bucketOf(PROBE_POLICY, randomUUID()), bucketOf(PROBE_POLICY, randomUUID())]
  const tries: Record<string, () => Promise<unknown>> = {
    'to take tokens': async () => {
      await Promise.all([store.take(bucket), store.take(other)])
      await store.take(bucket)
      await store.peek(bucket)
      await store.giveBack(bucket)
    },
    'to reset and to announce it': async () => await store.reset(bucket),
    'to hear of resets': () => subscribed(ANNOUNCEMENTS_CHANNEL),
    'to hear of operators who watch': () => subscribed(WATCH_CHANNEL),
    'to count replicas': async () => {
      await redis.countMember(key, 'doctor', KEPT_MS)
      await redis.zrange(key, 0, '-1')
      await redis.zrem(key, 'doctor')
    },
    'to describe replicas and their limits': async () => {
      await redis.set(`${key}:text`, 'doctor', 'PX', KEPT_MS)
      await redis.get(`${key}:text`)
      await redis.pttl(`${key}:text`)
    },
    'to change limits while it runs': async () => {
      const list = `${key}:history`
      await redis.lpush(list, 'tried')
      await redis.lrange(list, 0, 0)
      await redis.ltrim(list, 1, 0)
    },
    'to list buckets': async () => await store.list({ owner: 'doctor' })[Symbol.asyncIterator]().next(),
    'to ask for its memory (INFO)': async () => await redis.info('memory')
  }
  const denied = await Promise.all(Object.entries(tries).map(async ([what, run]) => {
    const { error } = await timed(run)
    const { name, message = '' } = (error?.cause as Error | undefined) ?? error ?? {}
    return name === 'ReplyError' && !FOUND_ELSEWHERE.test(message) ? [`${what} (${message.slice(0, 150)})`] : []
  }))
  await Promise.all([store.reset(other).catch(() => {}), redis.del(key).catch(() => {})])
  return denied.flat()
}

/** Whether Redis's user may run this command. Unlike an attempt, the question leaves no entry in ACL LOG. */
export async function mayRun (node: Redis, ...command: string[]): Promise<boolean> {
  const asked = node.eval('return redis.acl_check_cmd(unpack(ARGV))', 0, ...command)
  return await asked.then(may => may === 1, () => false)
}
