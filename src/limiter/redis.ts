import { setTimeout } from 'node:timers/promises'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { heartbeatScript } from './heartbeat.js'
import { RESET_CHANNEL, scripts as bucketScripts } from './redis-store.js'

const scripts = { ...bucketScripts, ...heartbeatScript }

/** How long a start waits for Redis; after that the service starts without it and goes on trying. */
const FIRST_CONNECT_MS = 1000
/**
 * A connection on which nothing comes back for this long is given up, because TCP would wait a quarter of an hour for one
 * that was cut. A process that itself stalls for as long takes Redis for silent, too: it connects anew, and falls back
 * until it has.
 */
const SILENCE_MS = 500
const PULSE_MS = 1000

/**
 * ioredis's defaults are made for jobs that must not be lost. A take must be decided now and counted once: nothing whose
 * reply was lost is sent again, and nothing is queued while there is no connection, but for a node of a cluster that is
 * being connected to (see `createCluster`).
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
    // By default a Redis that loads its data is asked again after as long as it says that it will take, up to ten seconds.
    maxLoadingRetryTime: 250,
    retryStrategy: retryMs,
    reconnectOnError: reconnectOnFailover()
  } satisfies RedisOptions
}

const retryMs = (attempt: number): number => Math.min(attempt * 50, 250)

/** `READONLY` and the like that come within this time are of one burst. */
const BURST_MS = 20

/**
 * For `reconnectOnError`: what means that another master may have taken over, which a new connection finds. One reply of a
 * burst is enough: ioredis would close the connection once more for each, and Node warn of a leak. Nodes of a cluster share this.
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
 * A connection that keeps itself open; whether it is, every command tells.
 *
 * @param url `redis://` or `rediss://`; with several nodes, comma-separated, a cluster; `redis+sentinel://host,…/name`
 * @param onTrouble told why there is no connection, once until the reason changes or there was one
 * @param timeoutFactor how much longer than usual Redis is waited for
 */
export async function connect (url: string, onTrouble: (error: Error) => void = () => {}, timeoutFactor = 1): Promise<Redis | Cluster> {
  const redis = createClient(url, timeoutFactor * SILENCE_MS)
  let told: string | undefined
  redis.on('ready', () => { told = undefined })
  redis.on('error', (error: Error) => {
    if (error.message === told) return
    told = error.message
    onTrouble(error)
  })
  await firstConnection(redis, timeoutFactor)
  // A cluster's nodes are connected to when they are first asked, which a take should not have to wait for.
  if (redis instanceof Cluster) await Promise.allSettled(redis.nodes('master').map(node => node.ping()))
  return redis
}

/**
 * Tells `forget` the key of every bucket that is reset, and tells it to forget everything whenever the subscription
 * (re)starts, since resets may have been missed.
 *
 * @returns once the subscription stands, or could not be had at first; ends it
 */
export async function subscribe (url: string, forget: (key?: string) => void, timeoutFactor = 1): Promise<() => void> {
  const redis = createSubscriber(url, timeoutFactor * SILENCE_MS)
  let subscribed: Promise<void> | undefined
  redis.on('error', () => {})
  redis.on('ready', () => {
    subscribed = redis.subscribe(RESET_CHANNEL).then(() => forget(), () => redis.disconnect(true))
  })
  redis.on('message', (_channel: string, key: string) => forget(key))
  // A subscription is silent when all is well, too: only an answer tells whether its connection is alive.
  const pulse = setInterval(() => { redis.subscribe(RESET_CHANNEL).catch(() => {}) }, PULSE_MS)
  await firstConnection(redis, timeoutFactor)
  await subscribed
  return () => {
    clearInterval(pulse)
    redis.disconnect()
  }
}

async function firstConnection (redis: Redis | Cluster, timeoutFactor: number): Promise<void> {
  const timeUp = new AbortController()
  await Promise.race([
    redis.connect().catch(() => {}),
    setTimeout(timeoutFactor * FIRST_CONNECT_MS, undefined, { signal: timeUp.signal }).catch(() => {})
  ])
  timeUp.abort()
}

function createClient (url: string, silenceMs: number): Redis | Cluster {
  const parsed = parseRedisUrl(url)
  if (isCluster(parsed)) return createCluster(parsed, silenceMs)
  // Whom the sentinels name is first asked whether it is a master. Any other that loads its data says so to every take:
  // ioredis would wait for it in silence, and the log would not know.
  return createConnection(url, parsed, 'gatehouse', silenceMs, { enableReadyCheck: parsed.protocol === 'redis+sentinel' })
}

/**
 * All nodes of a cluster hear what is published at one. ioredis would subscribe at one, too, but without any time limit,
 * and without telling when it has changed over to another, before which resets may have been missed.
 */
function createSubscriber (url: string, silenceMs: number): Redis {
  const parsed = parseRedisUrl(url)
  const { nodes } = parsed
  let tried = 0
  const redis: Redis = createConnection(url, parsed, 'gatehouse:resets', silenceMs, isCluster(parsed)
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
function createConnection (url: string, parsed: RedisUrl, connectionName: string, silenceMs: number, special: { enableReadyCheck?: boolean, retryStrategy?: (attempt: number) => number }): Redis {
  const { protocol, credentials, nodes, path } = parsed
  const own = { ...optionsFor(silenceMs), connectionName, scripts, autoResubscribe: false, ...special }
  if (protocol === 'redis+sentinel') {
    return new Redis({ ...own, ...credentials, sentinels: nodes, name: path, sentinelRetryStrategy: retryMs })
  }
  return isCluster(parsed) ? new Redis({ ...own, ...ofNodes(parsed), ...nodes[0] }) : new Redis(url, own)
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
  // refused: while the cluster stands it is queued, until the node is connected, or has been silent for SILENCE_MS at one
  // of the two steps, connecting and logging in. ioredis sends all that it has queued, so a take that was given up after
  // its deadline, and that the fallback has decided, may still count up to a second later.
  cluster.on('ready', () => { cluster.options.enableOfflineQueue = true })
  cluster.on('close', () => { cluster.options.enableOfflineQueue = false })
  // ioredis gives the slots of a range one list of nodes in common, so one that has moved would take the others with it.
  cluster.on('refresh', () => { cluster.slots = cluster.slots.map(nodes => [...nodes]) })
  // ioredis does not wait for the answer to ASKING, and an error that nobody hears of would end the process. What is asked
  // next over the same connection fails as well, or is sent elsewhere.
  cluster.on('+node', (node: Redis) => {
    const asking = node.asking.bind(node)
    node.asking = async () => await asking().catch(() => 'OK' as const)
  })
  return cluster
}

const FORMS = 'must look like redis://host:6379, rediss://user:password@host:6379, redis://a:6379,b:6379,c:6379 for a cluster, or redis+sentinel://a:26379,b:26379/name'

interface RedisUrl {
  protocol: string
  credentials: { username?: string, password?: string }
  nodes: Array<{ host: string, port: number }>
  path: string
}

/** @throws {RangeError} a text that is none of the forms `connect` takes */
export function parseRedisUrl (url: string): RedisUrl {
  const [, protocol, userinfo, hosts, path = ''] =
    /^(rediss?|redis\+sentinel):\/\/(?:([^@/]*)@)?([^/@]+)(?:\/([^/]*))?$/.exec(url.replace(/,\s*rediss?:\/\//g, ',')) ?? []
  const nodes = hosts?.split(',').map(host => /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(host.trim()))
  if (protocol === undefined || !nodes?.every(node => node !== null)) throw new RangeError(FORMS)
  if (nodes.some(([, , port]) => Number(port ?? 1) > 65535)) throw new RangeError(FORMS)
  if (protocol === 'redis+sentinel' ? path === '' : path !== '' && nodes.length > 1) throw new RangeError(FORMS)
  const [, username, password] = (/^([^:]*):?(.*)$/.exec(userinfo ?? '') ?? []).map(decode)
  return {
    protocol,
    credentials: { ...username && { username }, ...password && { password } },
    nodes: nodes.map(([, host, port]) => ({
      host: host!.replace(/^\[|\]$/g, ''), port: Number(port ?? (protocol === 'redis+sentinel' ? 26379 : 6379))
    })),
    path
  }
}

function decode (text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new RangeError('has a % that encodes nothing: write % as %25, @ as %40 and / as %2F in a user or password')
  }
}
