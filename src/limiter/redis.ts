import { setTimeout } from 'node:timers/promises'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { heartbeatScript } from './heartbeat.js'
import { RESET_CHANNEL, scripts as bucketScripts } from './redis-store.js'

const scripts = { ...bucketScripts, ...heartbeatScript }

/** How long a start waits for Redis; after that the service starts without it and goes on trying. */
const FIRST_CONNECT_MS = 1000

/**
 * ioredis's defaults are made for jobs that must not be lost. A take must be decided now and counted once: nothing is
 * queued while there is no connection, and nothing whose reply was lost is sent again.
 */
const options = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: FIRST_CONNECT_MS,
  commandTimeout: 1000,
  retryStrategy: (attempt: number) => Math.min(attempt * 50, 250),
  // After a failover the old master is read-only: a new connection finds the new one. 1: without sending again.
  reconnectOnError: (error: Error) => /READONLY/.test(error.message) ? 1 : false
} satisfies RedisOptions

/**
 * A connection that keeps itself open; whether it is, every command tells.
 *
 * @param url `redis://` or `rediss://`; with several nodes, comma-separated, a cluster; `redis+sentinel://host,…/name`
 * @param onTrouble told why there is no connection, once until the reason changes or there was one
 */
export async function connect (url: string, onTrouble: (error: Error) => void = () => {}): Promise<Redis | Cluster> {
  const redis = createClient(url, 'gatehouse')
  let told: string | undefined
  redis.on('ready', () => { told = undefined })
  redis.on('error', (error: Error) => {
    if (error.message === told) return
    told = error.message
    onTrouble(error)
  })
  await firstConnection(redis)
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
export async function subscribe (url: string, forget: (key?: string) => void): Promise<() => void> {
  const redis = createClient(url, 'gatehouse:resets')
  let subscribed: Promise<void> | undefined
  redis.on('error', () => {})
  redis.on('ready', () => {
    subscribed = redis.subscribe(RESET_CHANNEL).then(() => forget(), () => redis.disconnect(true))
  })
  redis.on('message', (_channel: string, key: string) => forget(key))
  await firstConnection(redis)
  await subscribed
  return () => redis.disconnect()
}

async function firstConnection (redis: Redis | Cluster): Promise<void> {
  const timeUp = new AbortController()
  await Promise.race([
    redis.connect().catch(() => {}),
    setTimeout(FIRST_CONNECT_MS, undefined, { signal: timeUp.signal }).catch(() => {})
  ])
  timeUp.abort()
}

function createClient (url: string, connectionName: string): Redis | Cluster {
  const { protocol, credentials, nodes, path } = parseRedisUrl(url)
  const own = { ...options, connectionName, scripts, autoResubscribe: false }
  if (protocol === 'redis+sentinel') {
    return new Redis({ ...own, ...credentials, sentinels: nodes, name: path, sentinelRetryStrategy: options.retryStrategy })
  }
  if (nodes.length === 1) return new Redis(url, own)

  const { retryStrategy, enableOfflineQueue, ...redisOptions } = { ...own, ...credentials, ...protocol === 'rediss' && { tls: {} } }
  return new Cluster(nodes, { lazyConnect: true, enableOfflineQueue, clusterRetryStrategy: retryStrategy, scripts, redisOptions })
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
