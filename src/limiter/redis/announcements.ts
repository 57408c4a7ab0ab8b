import type { Cluster, Redis } from 'ioredis'
import { createSubscriber, DEADLINE_MS, firstConnection, SILENCE } from './connection.js'
import type { RedisUrl } from './redis-url.js'

/* What replicas announce to each other. A message that is missed is made good by a renewed subscription. */

export const CHANNEL = 'gatehouse:reset'
const RETURNED = 'returned '
/** Limits that were set at run time have changed. */
export const LIMITS_CHANGED = 'limits'

/** A bucket was reset, or a token came back to one that was empty; or limits have changed. */
export type Announcement = { reset: string } | { returned: string } | { limits: true }

export const announceReset = (redis: Redis | Cluster, key: string): Promise<unknown> => redis.publish(CHANNEL, key)

export const announceReturned = (redis: Redis | Cluster, key: string): Promise<unknown> =>
  redis.publish(CHANNEL, RETURNED + key)

export function parseAnnouncement (message: string): Announcement {
  if (message === LIMITS_CHANGED) return { limits: true }
  return message.startsWith(RETURNED) ? { returned: message.slice(RETURNED.length) } : { reset: message }
}

/** Receives messages of channels over one connection that reconnects by itself. */
export interface Subscriber {
  /**
   * Calls `onMessage` with each message of a channel. It also calls it without a message whenever the subscription
   * starts or restarts, because messages may have been missed.
   *
   * @param onRefused called with the reason when Redis refuses the subscription, once until it accepts it
   * @returns a function that ends the subscription. With a connection, the first attempt to subscribe is over by then
   */
  subscribe: (
    channel: string, onMessage: (message?: string) => void, onRefused?: (error: Error) => void
  ) => Promise<() => void>
  close: () => void
}

interface Listener {
  channel: string
  onMessage: (message?: string) => void
  onRefused: (error: Error) => void
  stands: boolean
  refused: boolean
}

const PULSE_MS = 1000

/** @returns once the first attempt to connect succeeded, failed or took too long */
export async function openSubscriber (url: RedisUrl | string, deadlineMs = DEADLINE_MS): Promise<Subscriber> {
  const redis = createSubscriber(url, SILENCE * deadlineMs)
  const listeners = new Set<Listener>()

  async function listen (listener: Listener): Promise<void> {
    try {
      await redis.subscribe(listener.channel)
      listener.refused = false
      if (!listener.stands && listeners.has(listener)) listener.onMessage()
      listener.stands = true
    } catch (error) {
      if (listener.refused || !(error as Error).message.startsWith('NOPERM')) return
      listener.refused = true
      listener.onRefused(error as Error)
    }
  }

  const listenToAll = (): void => { for (const listener of listeners) listen(listener) }

  redis.on('error', () => {})
  redis.on('ready', listenToAll)
  redis.on('close', () => { for (const listener of listeners) listener.stands = false })
  redis.on('message', (channel: string, message: string) => {
    for (const listener of listeners) if (listener.channel === channel) listener.onMessage(message)
  })
  // A healthy subscription may be silent, too, so only an answer shows that its connection is alive.
  const pulse = setInterval(() => { if (redis.status === 'ready') listenToAll() }, PULSE_MS)
  await firstConnection(redis, deadlineMs)

  return {
    async subscribe (channel, onMessage, onRefused = () => {}) {
      const listener = { channel, onMessage, onRefused, stands: false, refused: false }
      listeners.add(listener)
      if (redis.status === 'ready') await listen(listener)
      return () => {
        listeners.delete(listener)
        const isHeard = [...listeners].some(other => other.channel === channel)
        if (!isHeard && redis.status === 'ready') redis.unsubscribe(channel).catch(() => {})
      }
    },

    close () {
      clearInterval(pulse)
      redis.disconnect()
    }
  }
}
