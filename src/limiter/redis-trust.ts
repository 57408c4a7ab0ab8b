import { Cluster, type Redis } from 'ioredis'
import { BadReply } from './replies.js'
import { slotOf } from './slots.js'

/**
 * A reply once it is checked. After a bad one nothing that comes over the connection can be matched with what was
 * asked, and after one that did not come while others did, neither: the connection is ended, what is under way on it
 * fails, and ioredis makes a new one.
 *
 * @param key says which node of a cluster was asked
 * @throws {BadReply} and what ioredis rejects with
 */
export async function trusted<T> (
  redis: Redis | Cluster, key: string, reply: Promise<unknown>, check: (reply: unknown) => T
): Promise<T> {
  try {
    return check(await reply)
  } catch (error) {
    if (error instanceof BadReply || (error as Error).message === TIMED_OUT) endConnection(redis, key)
    throw error
  }
}

/** `commandTimeout` of ioredis. A Redis that says nothing at all is given up before, by `socketTimeout`. */
const TIMED_OUT = 'Command timed out'

function endConnection (redis: Redis | Cluster, key: string): void {
  const asked = redis instanceof Cluster ? nodesOf(redis, key) : [redis]
  for (const { status, stream } of asked) if (status === 'ready') stream.destroy()
}

function nodesOf (cluster: Cluster, key: string): Redis[] {
  const [address] = cluster.slots[slotOf(key)] ?? []
  return cluster.nodes('all').filter(({ options: { host, port } }) => `${host}:${port}` === address)
}
