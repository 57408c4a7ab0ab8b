import type { Cluster, Redis } from 'ioredis'

/**
 * When Redis is full, it should evict the bucket that is nearest to full. Evicting any other bucket resets its limit.
 *
 * @returns the policy by which it would evict another one; undefined if it would not, or does not say
 */
export async function harmfulEviction (redis: Redis | Cluster): Promise<string | undefined> {
  const memory = await redis.info('memory').catch(() => '')
  const [limit, policy] = [/^maxmemory:(\d+)/m, /^maxmemory_policy:(\S+)/m].map(line => line.exec(memory)?.[1])
  return limit === undefined || limit === '0' || policy === 'volatile-ttl' ? undefined : policy
}
