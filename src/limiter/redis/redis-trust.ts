import { Cluster, type Redis } from 'ioredis'
import { BadReply } from './replies.js'
import { slotOf } from './slots.js'

/**
 * Waits for a reply and checks it. After a bad reply, later replies on the connection can no longer be matched to their
 * commands. The same is true if a reply is missing while others arrive. So the connection is ended, all commands on it
 * fail, and ioredis makes a new one.
 *
 * @param key identifies the node of a cluster that was asked
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

/** `commandTimeout` of ioredis. A Redis that sends nothing at all reaches `socketTimeout` first. */
const TIMED_OUT = 'Command timed out'

function endConnection (redis: Redis | Cluster, key: string): void {
  const asked = redis instanceof Cluster ? nodesOf(redis, key) : [redis]
  for (const { status, stream } of asked) if (status === 'ready') stream.destroy()
}

function nodesOf (cluster: Cluster, key: string): Redis[] {
  const [address] = cluster.slots[slotOf(key)] ?? []
  return cluster.nodes('all').filter(({ options: { host, port } }) => `${host}:${port}` === address)
}
