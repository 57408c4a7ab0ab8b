import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import calculateSlot from 'cluster-key-slot'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { getOrCreate } from '../../base/get-or-create.js'
import { Connector } from './connector.js'
import type { RedisUrl } from './redis-url.js'
import { scripts } from './scripts.js'

/** About 3 MB when full. */
const MAX_KEYS = 20_000

const slots = new LRUCache<string, number>({ max: MAX_KEYS, memoMethod: calculateSlot })

/**
 * What stands before the names of keys and channels in Redis. ioredis puts it before keys that a command declares, and
 * before nothing else.
 */
export const keyPrefix = ({ options: { keyPrefix = '' } }: Redis | Cluster): string => keyPrefix

/** The address of the node that has a key: `host:port`; '' while it is not known. A take needs it up to three times. */
export const nodeAddress = (cluster: Cluster, key: string): string =>
  cluster.slots[slots.memo(keyPrefix(cluster) + key)]?.[0] ?? ''

/** A private part of ioredis's Cluster. The public `nodes()` makes a new list at each call. */
interface ConnectionPool {
  connectionPool: { getInstanceByKey: (address: string) => Redis | undefined }
}

/** The connection over which ioredis would send a command with this key. */
function connectionFor (cluster: Cluster, key: string): Redis | undefined {
  const address = cluster.status === 'ready' ? nodeAddress(cluster, key) : ''
  return address === '' ? undefined : (cluster as unknown as ConnectionPool).connectionPool.getInstanceByKey(address)
}

/** Groups values by the node that has their key. The values of keys whose node is not known are under undefined. */
export function groupByNode<Value> (
  cluster: Cluster, all: Map<string, Value>
): Map<Redis | undefined, Map<string, Value>> {
  const groups = new Map<Redis | undefined, Map<string, Value>>()
  for (const [key, value] of all) {
    getOrCreate(groups, connectionFor(cluster, key), () => new Map<string, Value>()).set(key, value)
  }
  return groups
}

export const masterNodes = (redis: Redis | Cluster): Redis[] =>
  redis instanceof Cluster ? redis.nodes('master') : [redis]

/** Of so many random keys, one is at another node, if another one has slots. */
const TRIES = 1000

/**
 * Whether a node refuses a script that reads a key of another node, as those of Redis and Valkey do. The proxies of
 * Redis Enterprise promise no error.
 */
export async function refusesForeignKeys (cluster: Cluster): Promise<boolean> {
  const [node] = masterNodes(cluster)
  const isForeign = (key: string): boolean => ![undefined, node].includes(connectionFor(cluster, key))
  const keys = Array.from({ length: TRIES }, () => `gatehouse:foreign:${randomUUID()}`)
  const key = keys.find(isForeign)
  if (!node || key === undefined) return true
  try {
    await node.eval('return redis.call("GET", ARGV[1])', 0, keyPrefix(cluster) + key)
    return false
  } catch (error) {
    const { name, message } = error as Error
    if (name === 'ReplyError') return /non local key/i.test(message)
    throw error
  }
}

/** @param options for the connection to a node */
export function createCluster (
  nodes: RedisUrl['nodes'],
  { retryStrategy, enableOfflineQueue, ...nodeOptions }: RedisOptions & Pick<Required<RedisOptions>, 'retryStrategy'>
): Cluster {
  const { tls } = nodeOptions
  const redisOptions = {
    ...nodeOptions,
    ...tls && { tls: { ...tls, checkServerIdentity: identityOf(nodes.map(({ host }) => host)) } },
    scripts,
    // With this check, ioredis would wait for a node that loads its data, and then send everything that was queued.
    enableReadyCheck: false,
    Connector
  } as object
  const cluster = new Cluster(nodes, {
    lazyConnect: true,
    enableOfflineQueue: false,
    clusterRetryStrategy: retryStrategy,
    // ioredis would connect to the address of each node, and certificates are for its name.
    dnsLookup: (name, callback) => callback(null, name),
    // With a delay, ioredis would send commands in flight once more after a failure: see above.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    scripts,
    redisOptions
  })
  // ioredis connects to a node that slots have moved to at the first command for it. Commands would fail until it is
  // connected, so they are queued while the cluster is ready. The queue ends when the node is connected, or is silent
  // for too long while connecting or logging in. ioredis sends everything that it has queued. So a take that missed its
  // deadline, and that the fallback decided, may still count up to a second later.
  cluster.on('ready', () => { cluster.options.enableOfflineQueue = true })
  cluster.on('close', () => { cluster.options.enableOfflineQueue = false })
  // In ioredis all slots of a range share one list of nodes, so a slot that moves would change the others, too.
  cluster.on('refresh', () => { cluster.slots = cluster.slots.map(nodes => [...nodes]) })
  // ioredis does not wait for the answer to ASKING, and an unhandled error would end the process. The command after
  // ASKING fails as well, or is sent to another node, so its caller notices.
  cluster.on('+node', (node: Redis) => {
    const asking = node.asking.bind(node)
    node.asking = async () => await asking().catch(() => 'OK' as const)
    const duplicate = node.duplicate.bind(node)
    node.duplicate = override => tellingAddresses(duplicate(override))
  })
  return cluster
}

/**
 * Some clusters tell addresses of their nodes, as Azure's do, and all nodes have one certificate for the name by which
 * the cluster was asked.
 */
function identityOf (names: string[]): typeof checkServerIdentity {
  return (host, certificate) => {
    const error = checkServerIdentity(host, certificate)
    const isNamed = isIP(host) !== 0 && names.some(name => checkServerIdentity(name, certificate) === undefined)
    return isNamed ? undefined : error
  }
}

type Slots = Array<[first: number, last: number, ...nodes: Array<[host: string | null, ...unknown[]]>]>

/**
 * For the copy of a connection over which ioredis asks for the nodes. A node alone, and one with
 * `cluster-preferred-endpoint-type unknown-endpoint`, names no hosts. All nodes then have the host that was asked, and
 * ioredis would know none.
 */
function tellingAddresses (copy: Redis): Redis {
  const ask = copy.cluster.bind(copy) as unknown as (...args: unknown[]) => unknown
  const cluster = (command: string, tell: (error: unknown, slots?: Slots) => void): unknown =>
    ask(command, (error: unknown, slots?: Slots) => {
      for (const [, , ...nodes] of slots ?? []) for (const node of nodes) node[0] ||= copy.options.host!
      tell(error, slots)
    })
  return Object.assign(copy, { cluster })
}

/**
 * Why there is no connection to a node of a cluster. ioredis only says that it is closed.
 *
 * @returns undefined if there is one
 */
export async function connectionError (cluster: Cluster, node: string): Promise<NodeJS.ErrnoException | undefined> {
  const at = node.lastIndexOf(':')
  const options = cluster.options.redisOptions as object
  const copy = new Redis(Number(node.slice(at + 1)), node.slice(0, at), { ...options, retryStrategy: () => null })
  let reason: NodeJS.ErrnoException | undefined
  copy.on('error', (error) => { reason = error })
  await copy.connect().catch((error) => { reason ??= error })
  copy.disconnect()
  return reason
}
