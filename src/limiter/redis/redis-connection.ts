import { once } from 'node:events'
import { Cluster, Redis, type RedisOptions } from 'ioredis'
import { within } from '../../base/within.js'
import { connectionError, createCluster } from './cluster.js'
import { Connector } from './connector.js'
import { parseRedisUrl, type RedisUrl } from './redis-url.js'
import { scripts } from './scripts.js'
import { sentinelError, leaveReplacedMaster, MasterConnector, NO_MASTER, PULSE_MS } from './sentinels.js'

/**
 * After this time a take is decided without Redis. The service and the commands pass REDIS_TIMEOUT_MS, which has the
 * same default. deadline.ts says how the time is measured.
 */
export const DEADLINE_MS = 100

/**
 * A connection is given up if nothing arrives for this many deadlines of a take. TCP would notice a cut connection only
 * after a quarter of an hour. A process that itself stalls for this long also treats Redis as silent. It reconnects,
 * and uses the fallback until then.
 */
export const SILENCE = 5
/** How many deadlines a start waits for Redis. After that the service starts without Redis and keeps trying. */
const FIRST_CONNECT = 10

/**
 * ioredis's defaults are made for jobs that must not be lost. A take must be decided now and counted once. So a command
 * is not sent again if its reply was lost, and nothing is queued without a connection. The only exception is a node of
 * a cluster that is still connecting (see `createCluster`).
 */
function optionsFor (silenceMs: number) {
  return {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // The documented user may not use CLIENT SETINFO, and Redis would note each refusal in ACL LOG.
    disableClientInfo: true,
    connectTimeout: silenceMs,
    socketTimeout: silenceMs,
    commandTimeout: 2 * silenceMs,
    // By default ioredis asks a Redis that loads its data again only after the time that Redis estimates, up to ten
    // seconds.
    maxLoadingRetryTime: 250,
    retryStrategy: retryMs,
    reconnectOnError: reconnectOnFailover()
  } satisfies RedisOptions
}

const retryMs = (attempt: number): number => Math.min(attempt * 50, 250)

/** Errors such as `READONLY` that come within this time belong to one burst. */
const BURST_MS = 20

/**
 * For `reconnectOnError`: errors which mean that there may be a new master, which a new connection finds. One reconnect
 * per burst is enough: ioredis would close the connection once per reply, and Node would warn of a leak. The nodes of a
 * cluster share this.
 */
function reconnectOnFailover (): (error: Error) => 1 | false {
  let lastMs = -Infinity
  return ({ message }) => {
    if (!/READONLY|NOREPLICAS/.test(message) || performance.now() - lastMs < BURST_MS) return false
    lastMs = performance.now()
    // Reconnects without sending the command again.
    return 1
  }
}

/**
 * A connection that reconnects by itself. While there is no connection, every command fails.
 *
 * @param url as `parseRedisUrl` reads it, or its text
 * @param onTrouble called with each reason why there is no connection: once, until a connection succeeds
 * @param deadlineMs the deadline of a take. The limits for silence and for the first connection are multiples of it
 * @param silenceMs after this silence a connection is given up. By default it follows from `deadlineMs`
 */
export async function connect (
  url: RedisUrl | string, onTrouble: (error: Error) => void = () => {}, deadlineMs = DEADLINE_MS,
  silenceMs = SILENCE * deadlineMs
): Promise<Redis | Cluster> {
  const redis = createClient(url, silenceMs)
  const reported = new Set<string>()
  const report = (reason: string, error: Error): void => {
    if (reported.has(reason)) return
    reported.add(reason)
    onTrouble(error)
  }
  redis.on('ready', () => { reported.clear() })
  let saidBySentinel: Error | undefined
  redis.on('sentinelError', (error: Error) => { saidBySentinel = error })
  redis.on('error', (error: Error & { lastNodeError?: Error | null }) => {
    if (saidBySentinel && NO_MASTER.test(error.message)) error = sentinelError(saidBySentinel)
    // ioredis puts its growing delay into the message. Errors of the nodes of a cluster are reported below.
    if (!error.lastNodeError) report(error.message.replace(/\d+ms/, ''), error)
  })
  const explain = async (cluster: Cluster, node: string, error: NodeJS.ErrnoException): Promise<void> => {
    const { code, message } = await connectionError(cluster, node) ?? error
    // Nodes usually fail for the same reason. The error for several addresses of a name has a code, but no message.
    const reason = code ?? message
    report(reason, Object.assign(new Error(`${node}: ${message || reason}`), { code }))
  }
  let explained: Promise<unknown> = Promise.resolve()
  redis.on('node error', (error: NodeJS.ErrnoException, node: string) => {
    if (!(redis instanceof Cluster) || redis.status === 'ready' || reported.has(node)) return
    reported.add(node)
    explained = explain(redis, node, error)
  })
  // With the reason, so that a command that fails now can tell it.
  await firstConnection(redis.connect().catch(() => explained), deadlineMs)
  // ioredis connects to a node of a cluster at its first command. A take should not have to wait for that.
  if (redis instanceof Cluster) await Promise.allSettled(redis.nodes('master').map(node => node.ping()))
  return redis
}

export async function firstConnection (connected: Promise<unknown>, deadlineMs: number): Promise<void> {
  await within(FIRST_CONNECT * deadlineMs, connected.catch(() => {}))
}

function createClient (url: RedisUrl | string, silenceMs: number): Redis | Cluster {
  const parsed = typeof url === 'string' ? parseRedisUrl(url) : url
  if (isCluster(parsed)) {
    return createCluster(parsed.nodes, {
      ...optionsFor(silenceMs), ...parsed.server, ...prefixed(parsed), connectionName: 'gatehouse'
    })
  }
  // A server that the sentinels name is first asked whether it is a master. Other servers are not checked: while one
  // loads its data, every take fails with that reason. With the check, ioredis would wait silently and nothing would be
  // logged.
  return createConnection(parsed, 'gatehouse', silenceMs, { enableReadyCheck: parsed.sentinels !== undefined })
}

/**
 * All nodes of a cluster receive what is published at one of them. ioredis would also subscribe at one node, but
 * without a timeout. It would also emit no event when it moves to another node, although messages may have been missed
 * by then.
 */
export function createSubscriber (url: RedisUrl | string, silenceMs: number): Redis {
  const parsed = typeof url === 'string' ? parseRedisUrl(url) : url
  const { nodes } = parsed
  let tried = 0
  const redis: Redis = createConnection(parsed, 'gatehouse:subscriber', silenceMs, isCluster(parsed)
    ? {
        retryStrategy (attempt: number) {
          // The next connection goes to this node.
          Object.assign(redis.options, nodes[++tried % nodes.length])
          return retryMs(attempt)
        }
      }
    : {})
  return redis
}

const isCluster = ({ sentinels, nodes }: RedisUrl): boolean => !sentinels && nodes.length > 1

/** A client of the server, of the master that the sentinels name, or of the first node of a cluster. */
function createConnection (
  parsed: RedisUrl, connectionName: string, silenceMs: number,
  special: { enableReadyCheck?: boolean, retryStrategy?: (attempt: number) => number }
): Redis {
  const { nodes, server, db, sentinels } = parsed
  const own = {
    ...optionsFor(silenceMs),
    ...server,
    ...prefixed(parsed),
    connectionName,
    scripts,
    autoResubscribe: false,
    ...special
  }
  if (sentinels) {
    const { name, username, password } = sentinels
    const { tls } = server
    const redis = new Redis({
      ...own,
      ...tls && { enableTLSForSentinelMode: true, sentinelTLS: tls },
      sentinelUsername: username,
      sentinelPassword: password,
      sentinels: nodes,
      name,
      sentinelRetryStrategy: retryMs,
      // Without this, ioredis waits forever for a sentinel that accepts the connection but never answers.
      sentinelCommandTimeout: silenceMs,
      Connector: MasterConnector
    })
    const ofSentinels = {
      ...optionsFor(silenceMs),
      username,
      password,
      ...tls && { tls },
      connectionName,
      autoResubscribe: false,
      retryStrategy: () => PULSE_MS,
      Connector
    }
    return leaveReplacedMaster(redis, name, nodes.map(node => () => new Redis({ ...ofSentinels, ...node })))
  }
  const redis = new Redis({ ...own, ...nodes[0], db, Connector })
  return isCluster(parsed) ? redis : insistingOnDatabase(insistingOnServer(redis))
}

/** Servers of the wrong kind, and how to correct REDIS_URL. Over such a connection some takes would fail, or all. */
const OTHER_SERVERS: NodeJS.Dict<string> = {
  cluster: 'REDIS_URL names one node of a cluster: name several, comma-separated, or this one twice',
  sentinel: 'REDIS_URL names a sentinel: it must look like redis+sentinel://a:26379,b:26379/name'
}

/** The answer to ioredis's first command says what the server is. */
function insistingOnServer (redis: Redis): Redis {
  const hello = redis.hello.bind(redis) as unknown as (...args: unknown[]) => Promise<unknown[]>
  return Object.assign(redis, {
    async hello (...args: unknown[]) {
      const reply = await hello(...args)
      const fault = OTHER_SERVERS[String(reply[reply.indexOf('mode') + 1])]
      if (fault !== undefined) throw new Error(fault)
      return reply
    }
  })
}

/** ioredis would continue in database 0 if it is not allowed to select another one. */
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

const prefixed = ({ prefix }: RedisUrl): { keyPrefix?: string } => prefix === undefined ? {} : { keyPrefix: prefix }
