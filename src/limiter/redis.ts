import { Redis, type RedisOptions } from 'ioredis'
import { RESET_CHANNEL, scripts } from './redis-store.js'

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
 * @param onTrouble told why there is no connection, once until the reason changes or there was one
 */
export async function connect (url: string, onTrouble: (error: Error) => void = () => {}): Promise<Redis> {
  const redis = new Redis(url, { ...options, connectionName: 'gatehouse', scripts })
  let told: string | undefined
  redis.on('ready', () => { told = undefined })
  redis.on('error', (error) => {
    if (error.message === told) return
    told = error.message
    onTrouble(error)
  })
  await redis.connect().catch(() => {})
  return redis
}

/**
 * Tells `forget` the key of every bucket that is reset, and tells it to forget everything whenever the subscription
 * (re)starts, since resets may have been missed.
 *
 * @returns ends the subscription
 */
export function subscribe (url: string, forget: (key?: string) => void): () => void {
  const redis = new Redis(url, { ...options, connectionName: 'gatehouse:resets', autoResubscribe: false })
  redis.on('error', () => {})
  redis.on('ready', () => {
    redis.subscribe(RESET_CHANNEL).then(() => forget(), () => redis.disconnect(true))
  })
  redis.on('message', (_channel, key: string) => forget(key))
  redis.connect().catch(() => {})
  return () => redis.disconnect()
}
