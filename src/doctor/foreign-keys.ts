import type { Redis } from 'ioredis'
import { keyPrefix } from '../limiter/redis/cluster.js'
import { mayRun } from './redis-rights.js'

/** How many keys are looked at, so that a Redis with millions of them is not held up. */
const LOOKED_AT = 10_000
const AT_ONCE = 1000
const NAMED = 3
const LONGEST_NAME = 60

interface Taker { name: string, keys: number, bytes: number }

/**
 * What in this node is not gatehouse's, by the largest keys and prefixes. Without the right to MEMORY USAGE, which the
 * documented user lacks, they are counted instead.
 */
export async function foreignKeys (node: Redis): Promise<string> {
  const takers = new Map<string, Taker>()
  const prefix = keyPrefix(node)
  // For MEMORY USAGE, ioredis would put the prefix before the key once more.
  const bytesOf = async (key: string): Promise<number> => Number(await node.call('MEMORY', 'USAGE', key))
  let [cursor, lookedAt, mayMeasure] = ['0', 0, true]
  do {
    const [next, keys] = await node.scan(cursor, 'COUNT', AT_ONCE)
    const foreign = keys.filter(key => !key.startsWith(`${prefix}gatehouse:`))
    mayMeasure &&= foreign[0] === undefined || await mayRun(node, 'MEMORY', 'USAGE', foreign[0])
    const sizes = await Promise.all(foreign.map(key => mayMeasure ? bytesOf(key) : 0))
    for (const [i, key] of foreign.entries()) {
      const prefix = /^.*?:/.exec(key)?.[0] ?? key
      const taker = takers.get(prefix)
      takers.set(prefix, {
        name: taker ? `${prefix}*` : key, keys: (taker?.keys ?? 0) + 1, bytes: (taker?.bytes ?? 0) + (sizes[i] ?? 0)
      })
    }
    lookedAt += keys.length
    cursor = next
  } while (cursor !== '0' && lookedAt < LOOKED_AT)

  const among = `of ${lookedAt} keys looked at`
  if (takers.size === 0) return `${among}, none is another application's`
  const largest = [...takers.values()].sort((a, b) => b.bytes - a.bytes || b.keys - a.keys).slice(0, NAMED)
    .map(taker => `${taker.name.slice(0, LONGEST_NAME)} (${mayMeasure ? megabytes(taker.bytes) : taker.keys})`)
  return mayMeasure
    ? `${among}, these are another application's, which needs a Redis of its own: ${largest.join(', ')}`
    : `${among}, these are another application's, with their number: ${largest.join(', ')}. Their sizes are not this ` +
      'user\'s to ask: redis-cli --memkeys as an administrator names them'
}

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`
