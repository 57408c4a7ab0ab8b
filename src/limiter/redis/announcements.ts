import type { Cluster, Redis } from 'ioredis'
import { every } from '../../base/every.js'
import { keyPrefix } from './cluster.js'
import { createSubscriber, DEADLINE_MS, firstConnection, SILENCE } from './redis-connection.js'
import type { RedisUrl } from './redis-url.js'

/* What replicas announce to each other. A message that is missed is made good by a renewed subscription. */

export const ANNOUNCEMENTS_CHANNEL = 'gatehouse:reset'
const RETURNED = 'returned '
/** Limits that were set at run time have changed. */
export const LIMITS_CHANGED = 'limits'
/** A message without content, which proves that announcements arrive. Older releases ignore it. */
export const PROOF = 'heard'

/** A bucket was reset, or a token came back to one that was empty; or limits have changed. */
type Announcement = { reset: string } | { returned: string } | { limits: true }

/** @param channel as the source names it, without the prefix of names in Redis */
export const publish = (redis: Redis | Cluster, channel: string, message: string): Promise<unknown> =>
  redis.publish(keyPrefix(redis) + channel, message)

export const announce = (redis: Redis | Cluster, message: string): Promise<unknown> =>
  publish(redis, ANNOUNCEMENTS_CHANNEL, message)

export const announceReturned = (redis: Redis | Cluster, key: string): Promise<unknown> =>
  announce(redis, RETURNED + key)

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

/** How a subscription to `CHANNEL` is tested: by messages that go out over another connection. */
interface Proof {
  /** Sends `PROOF`. */
  send: () => Promise<unknown>
  /** Called when what was sent did not arrive, so that the subscription begins again. */
  onUnproved: () => void
}

const PULSE_MS = 1000
/** After so many proofs in a row that were sent and not heard, the subscription begins again. */
const MOST_UNHEARD = 3

/**
 * @param proof by default, the subscription is not proved
 * @returns once the first attempt to connect succeeded, failed or took too long
 */
export async function openSubscriber (
  url: RedisUrl | string, deadlineMs = DEADLINE_MS, proof?: Proof
): Promise<Subscriber> {
  const redis = createSubscriber(url, SILENCE * deadlineMs)
  const prefix = keyPrefix(redis)
  const listeners = new Set<Listener>()
  /** Whether any replica was heard since the last pulse, and how many proofs of this one were not. */
  let [heard, unheard] = [false, 0]

  async function listen (listener: Listener): Promise<void> {
    try {
      await redis.subscribe(prefix + listener.channel)
      listener.refused = false
      if (!listener.stands && listeners.has(listener)) listener.onMessage()
      listener.stands = true
    } catch (error) {
      if (listener.refused || (error as Error).name !== 'ReplyError') return
      listener.refused = true
      listener.onRefused(error as Error)
    }
  }

  const listenToAll = (): void => { for (const listener of listeners) listen(listener) }

  /**
   * A node that was taken out of a cluster keeps its subscribers, answers them, and gets no messages of the others. If
   * another replica was heard, nothing is sent, so that a fleet sends about one proof a second.
   */
  function ping (): void {
    const stands = [...listeners].some(({ channel, stands }) => channel === ANNOUNCEMENTS_CHANNEL && stands)
    if (heard || !stands) {
      heard = false
      unheard = 0
    } else if (unheard < MOST_UNHEARD) {
      proof!.send().then(() => { unheard++ }, () => {})
    } else {
      unheard = 0
      proof!.onUnproved()
      redis.disconnect(true)
    }
  }

  redis.on('error', () => {})
  redis.on('ready', listenToAll)
  redis.on('close', () => { for (const listener of listeners) listener.stands = false })
  redis.on('message', (name: string, message: string) => {
    const channel = name.slice(prefix.length)
    heard ||= channel === ANNOUNCEMENTS_CHANNEL
    if (message === PROOF) return
    for (const listener of listeners) if (listener.channel === channel) listener.onMessage(message)
  })
  // A healthy subscription may be silent, too, so only an answer shows that its connection is alive.
  const endPulse = every(PULSE_MS, () => {
    if (redis.status !== 'ready') return
    listenToAll()
    if (proof) ping()
  })
  await firstConnection(redis.connect(), deadlineMs)

  return {
    async subscribe (channel, onMessage, onRefused = () => {}) {
      const listener = { channel, onMessage, onRefused, stands: false, refused: false }
      listeners.add(listener)
      if (redis.status === 'ready') await listen(listener)
      return () => {
        listeners.delete(listener)
        const isHeard = [...listeners].some(other => other.channel === channel)
        if (!isHeard && redis.status === 'ready') redis.unsubscribe(prefix + channel).catch(() => {})
      }
    },

    close () {
      endPulse()
      redis.disconnect()
    }
  }
}
