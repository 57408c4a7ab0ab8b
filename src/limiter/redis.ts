import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { heartbeatScript } from './heartbeat.js'
import { limitsScript } from './limits-hash.js'
import { DEADLINE_MS, scripts as bucketScripts } from './redis-store.js'
import { parseRedisUrl, type RedisUrl } from './redis-url.js'
import { checkedSlots } from './replies.js'
import { CheckedSentinels } from './sentinels.js'

const scripts = { ...bucketScripts, ...heartbeatScript, ...limitsScript }

/**
 * A connection on which nothing comes back for this many deadlines of a take is given up, because TCP would wait a
 * quarter of an hour for one that was cut. A process that itself stalls for as long takes Redis for silent, too: it
 * connects again, and falls back until it has.
 */
export const SILENCE = 5
/** How many deadlines a start waits for Redis; after that the service starts without it and goes on trying. */
const FIRST_CONNECT = 10

/**
 * ioredis's defaults are made for jobs that must not be lost. A take must be decided now and counted once: nothing
 * whose reply was lost is sent again, and nothing is queued while there is no connection, but for a node of a cluster
 * that is being connected to (see `createCluster`).
 */
function optionsFor (silenceMs: number) {
  return {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: silenceMs,
    socketTimeout: silenceMs,
    commandTimeout: 2 * silenceMs,
    // By default a Redis that loads its data is asked again after as long as it says that it will take, up to ten
    // seconds.
    maxLoadingRetryTime: 250,
    retryStrategy: retryMs,
    reconnectOnError: reconnectOnFailover()
  } satisfies RedisOptions
}

/**
 * ioredis stops reconnecting when a connection fails before there is a socket, for example to an impossible address.
 * This makes it reconnect until `disconnect` is called.
 */
export function persistent<T extends Redis | Cluster> (redis: T): T {
  const disconnect = redis.disconnect.bind(redis)
  let wanted = true
  let attempts = 0
  redis.disconnect = (reconnect) => {
    if (!reconnect) wanted = false
    disconnect(reconnect)
  }
  redis.on('ready', () => { attempts = 0 })
  redis.on('end', async () => {
    if (!wanted) return
    await setTimeout(retryMs(++attempts))
    if (wanted && redis.status === 'end') redis.connect().catch(() => {})
  })
  return redis
}

const retryMs = (attempt: number): number => Math.min(attempt * 50, 250)

/** `READONLY` and the like that come within this time are of one burst. */
const BURST_MS = 20

/**
 * For `reconnectOnError`: what means that another master may have taken over, which a new connection finds. One reply
 * of a burst is enough: ioredis would close the connection once more for each, and Node warn of a leak. Nodes of a
 * cluster share this.
 */
function reconnectOnFailover (): (error: Error) => 1 | false {
  let lastMs = -Infinity
  return ({ message }) => {
    if (!/READONLY|NOREPLICAS/.test(message) || performance.now() - lastMs < BURST_MS) return false
    lastMs = performance.now()
    // Without sending again.
    return 1
  }
}

/**
 * A connection that keeps itself open. Whether it is open shows in the result of every command.
 *
 * @param url as `parseRedisUrl` reads it, or its text
 * @param onTrouble called with why there is no connection, once until the reason changes or there was one
 * @param deadlineMs of a take; silence and the first connection are measured by it
 * @param silenceMs after which a connection is given up, if that is something else
 */
export async function connect (
  url: RedisUrl | string, onTrouble: (error: Error) => void = () => {}, deadlineMs = DEADLINE_MS,
  silenceMs = SILENCE * deadlineMs
): Promise<Redis | Cluster> {
  const redis = persistent(createClient(url, silenceMs))
  let told: string | undefined
  redis.on('ready', () => { told = undefined })
  redis.on('error', (error: Error) => {
    // ioredis puts its growing delay into the message.
    const reason = error.message.replace(/\d+ms/, '')
    if (reason === told) return
    told = reason
    onTrouble(error)
  })
  await firstConnection(redis, deadlineMs)
  // A cluster's nodes are connected to when they are first asked, which a take should not have to wait for.
  if (redis instanceof Cluster) await Promise.allSettled(redis.nodes('master').map(node => node.ping()))
  return redis
}

export async function firstConnection (redis: Redis | Cluster, deadlineMs: number): Promise<void> {
  const timeUp = new AbortController()
  await Promise.race([
    redis.connect().catch(() => {}),
    setTimeout(FIRST_CONNECT * deadlineMs, undefined, { signal: timeUp.signal }).catch(() => {})
  ])
  timeUp.abort()
}

function createClient (url: RedisUrl | string, silenceMs: number): Redis | Cluster {
  const parsed = typeof url === 'string' ? parseRedisUrl(url) : url
  if (isCluster(parsed)) return createCluster(parsed, silenceMs)
  // A server that the sentinels name is first asked whether it is a master. Any other that loads its data says so to
  // every take: ioredis would wait for it in silence, and nothing would be logged.
  return createConnection(parsed, 'gatehouse', silenceMs, { enableReadyCheck: parsed.protocol === 'redis+sentinel' })
}

/**
 * All nodes of a cluster hear what is published at one. ioredis would subscribe at one, too, but without any time
 * limit, and without an event when it moves to another, before which messages may have been missed.
 */
export function createSubscriber (url: RedisUrl | string, silenceMs: number): Redis {
  const parsed = typeof url === 'string' ? parseRedisUrl(url) : url
  const { nodes } = parsed
  let tried = 0
  const redis: Redis = createConnection(parsed, 'gatehouse:subscriber', silenceMs, isCluster(parsed)
    ? {
        retryStrategy (attempt: number) {
          // This is where the next connection goes.
          Object.assign(redis.options, nodes[++tried % nodes.length])
          return retryMs(attempt)
        }
      }
    : {})
  return redis
}

const isCluster = ({ protocol, nodes }: RedisUrl): boolean => protocol !== 'redis+sentinel' && nodes.length > 1

/** To the server, to the master that the sentinels name, or to the first node of a cluster. */
function createConnection (
  parsed: RedisUrl, connectionName: string, silenceMs: number,
  special: { enableReadyCheck?: boolean, retryStrategy?: (attempt: number) => number }
): Redis {
  const { protocol, credentials, nodes, db, name } = parsed
  const own = { ...optionsFor(silenceMs), connectionName, scripts, autoResubscribe: false, ...special }
  if (protocol === 'redis+sentinel') {
    return new Redis({
      ...own,
      ...credentials,
      Connector: CheckedSentinels,
      sentinels: nodes,
      name,
      sentinelRetryStrategy: retryMs,
      // Without it ioredis waits for ever for a sentinel that accepts the connection and says nothing.
      sentinelCommandTimeout: silenceMs
    })
  }
  return insistingOnDatabase(new Redis({ ...own, ...ofNodes(parsed), ...nodes[0], db }))
}

/** ioredis would go on in database 0 when it may not select another one. */
function insistingOnDatabase (redis: Redis): Redis {
  const select = redis.select.bind(redis)
  return Object.assign(redis, {
    async select (db: number) {
      try {
        return await select(db)
      } catch (cause) {
        if ((cause as Error).name !== 'ReplyError') throw cause
        const { stream } = redis
        stream.destroy()
        // Until then the connection would still become ready.
        await once(stream, 'close')
        throw new Error(`database ${db} of REDIS_URL cannot be used: ${(cause as Error).message}`, { cause })
      }
    }
  })
}

function ofNodes ({ protocol, credentials }: RedisUrl): RedisUrl['credentials'] & { tls?: object } {
  return { ...credentials, ...protocol === 'rediss' && { tls: {} } }
}

function createCluster (parsed: RedisUrl, silenceMs: number): Cluster {
  const { retryStrategy, enableOfflineQueue, ...ofEach } = optionsFor(silenceMs)
  const redisOptions = {
    ...ofEach,
    ...ofNodes(parsed),
    connectionName: 'gatehouse',
    scripts,
    // A node that loads its data would be waited for, and be sent everything that was queued meanwhile.
    enableReadyCheck: false
  }
  const cluster = new Cluster(parsed.nodes, {
    lazyConnect: true,
    enableOfflineQueue,
    clusterRetryStrategy: retryStrategy,
    // What was in flight when a connection broke would be sent once more: see above.
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    scripts,
    redisOptions
  })
  // A node that slots have moved to is first connected to when it is first asked, and what is asked meanwhile would be
  // refused: while the cluster stands it is queued, until the node is connected, or has been silent for too long at one
  // of the two steps, connecting and logging in. ioredis sends all that it has queued, so a take that was given up
  // after its deadline, and that the fallback has decided, may still count up to a second later.
  cluster.on('ready', () => { cluster.options.enableOfflineQueue = true })
  cluster.on('close', () => { cluster.options.enableOfflineQueue = false })
  // ioredis gives the slots of a range one list of nodes in common, so one that has moved would take the others with
  // it.
  cluster.on('refresh', () => { cluster.slots = cluster.slots.map(nodes => [...nodes]) })
  // ioredis does not wait for the answer to ASKING, and an error that nobody hears of would end the process. What is
  // asked next over the same connection fails as well, or is sent elsewhere.
  cluster.on('+node', (node: Redis) => {
    const asking = node.asking.bind(node)
    node.asking = async () => await asking().catch(() => 'OK' as const)
    checkSlots(node)
  })
  return cluster
}

/** ioredis asks for the slots over a copy of a node's connection, and does not expect nonsense. */
function checkSlots (node: Redis): void {
  const duplicate = node.duplicate.bind(node)
  node.duplicate = (override) => {
    const copy = duplicate(override)
    const cluster = copy.cluster.bind(copy) as (subcommand: string) => Promise<unknown>
    const checked = (subcommand: string, callback: (error: Error | null, slots?: unknown) => void): void => {
      cluster(subcommand).then(checkedSlots).then(slots => callback(null, slots), callback)
    }
    return Object.assign(copy, { cluster: checked })
  }
}
