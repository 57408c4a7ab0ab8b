import { EventEmitter } from 'node:events'
import type { Subscriber } from '../redis/announcements.js'

/*
 * An operator can watch the takes of one client, or all refusals, on every replica, as they happen. The watcher
 * announces every second what it watches. Each replica answers an announcement with a report. Until the announcement
 * expires, the replica also reports each take of a watched client: see take-feed.ts. So nothing is published while
 * nobody watches, and a watcher that died is forgotten.
 */

/** A message says what is watched: a client, or `ALL_CLIENTS`. */
export const WATCH_CHANNEL = 'gatehouse:watch'
export const ALL_CLIENTS = '*'
/** The channel on which replicas report the takes of a watched client, or the refusals of `ALL_CLIENTS`. */
export const reportChannel = (watched: string): string => `gatehouse:takes:${watched}`

const ANNOUNCED_EVERY_MS = 1000
/** An announcement is valid for this time, so that two in a row may get lost. */
export const WATCHED_MS = 3500

/** A request that took a token, or was refused one. */
export interface Take {
  /** By the replica's clock, in ms since 1970. */
  atMs: number
  client: string
  /** The bucket that decided: its policy, and its owner as in its key, mostly the client. */
  policy: string
  owner: string
  method: string
  /** The route as it was registered, never the path; null for a path without a route. */
  route: string | null
  allowed: boolean
  /** Whether this is a cached denial: Redis was not asked. */
  cached: boolean
  /** Set if the client's network is blocked, so that it has no bucket. */
  blocked?: true
  /** Tokens in the bucket afterwards. */
  remaining: number
  /** Ms until the same request would be admitted; 0 if this one was. */
  waitMs: number
}

/** How many takes from a bucket were refused since the last report, or how many requests of a blocked client. */
export interface RefusedTakes {
  policy: string
  owner: string
  count: number
  blocked?: true
}

export interface TakeReport<Entry> {
  replica: string
  entries: Entry[]
  /** How many takes or refusals were left out of the entries because there were too many. */
  more: number
}

/** The channels between replicas and watchers. */
export interface Bus {
  publish: (channel: string, message: string) => Promise<unknown>
  subscribe: Subscriber['subscribe']
}

/** The bus of a single process without Redis. */
export function createLocalBus (): Bus {
  const channels = new EventEmitter().setMaxListeners(0)
  return {
    async publish (channel, message) { channels.emit(channel, message) },
    async subscribe (channel, onMessage) {
      channels.on(channel, onMessage)
      return () => { channels.off(channel, onMessage) }
    }
  }
}

/**
 * Calls `onReport` with each replica's reports: of the takes of one client, or, for `ALL_CLIENTS`, of the most refused
 * buckets since the last report. They come every second, even if there was no take, and at most ten times a second.
 * Takes that a replica decides while Redis is unavailable are not reported.
 *
 * @param watched the owner of a bucket: an address as in keys, or `user:17`; or `ALL_CLIENTS`
 * @returns `begun` rejects if the watch could not be announced. It is announced again until `end`
 */
export function watchTakes<Entry extends Take | RefusedTakes> (
  bus: Bus, watched: string, onReport: (report: TakeReport<Entry>) => void
): { begun: Promise<unknown>, end: () => void } {
  const announce = (): Promise<unknown> => bus.publish(WATCH_CHANNEL, watched)
  const subscribed = bus.subscribe(reportChannel(watched), (message) => {
    if (message !== undefined) onReport(JSON.parse(message) as TakeReport<Entry>)
  })
  // Subscribe before the announcement, so that no answer is missed.
  const begun = subscribed.then(announce)
  const announced = begun.catch(() => {})
  const renewal = setInterval(() => announce().catch(() => {}), ANNOUNCED_EVERY_MS)
  return {
    begun,
    end () {
      clearInterval(renewal)
      announced.then(() => subscribed).then(stop => stop())
    }
  }
}
