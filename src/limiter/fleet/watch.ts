import { EventEmitter } from 'node:events'
import type { Subscriber } from './subscriber.js'

/*
 * An operator can watch the takes of one client, or all refusals, on every replica, as they happen. The watcher
 * announces every second what it watches. Each replica answers an announcement with a report. Until the announcement
 * expires, the replica also reports each take of a watched client: see take-feed.ts. So nothing is published while
 * nobody watches, and a watcher that died is forgotten.
 */

/** A message says what is watched: a client, or `EVERYONE`. */
export const WATCH_CHANNEL = 'gatehouse:watch'
export const EVERYONE = '*'
/** The channel on which replicas report the takes of a watched client, or the refusals of `EVERYONE`. */
export const reportsOn = (watched: string): string => `gatehouse:takes:${watched}`

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
  /** Tokens in the bucket afterwards. */
  remaining: number
  /** Ms until the same request would be admitted; 0 if this one was. */
  waitMs: number
}

/** How many takes from a bucket were refused since the last report. */
export interface Refusals {
  policy: string
  owner: string
  count: number
}

export interface Report<Entry> {
  replica: string
  entries: Entry[]
  /** How many takes or refusals were left out of the entries because there were too many. */
  more: number
  /** Set if the replica does not watch this client, because it already watches as many as it can. */
  full?: boolean
}

/** The channels between replicas and watchers. */
export interface Bus {
  publish: (channel: string, message: string) => Promise<unknown>
  hear: Subscriber['hear']
}

/** The bus of a single process without Redis. */
export function createLocalBus (): Bus {
  const channels = new EventEmitter().setMaxListeners(0)
  return {
    async publish (channel, message) { channels.emit(channel, message) },
    async hear (channel, onMessage) {
      channels.on(channel, onMessage)
      return () => { channels.off(channel, onMessage) }
    }
  }
}

/**
 * Calls `onReport` with each replica's reports of the takes of one client. They come every second, even if there was no
 * take, and at most ten times a second. Takes that a replica decides while Redis is unavailable are not reported.
 *
 * @param client the owner of a bucket: an address as in keys, or `user:17`
 * @returns a function that ends the watch
 */
export function watchTakes (bus: Bus, client: string, onReport: (report: Report<Take>) => void): () => void {
  return watch(bus, client, isTake, onReport)
}

/** The same for the refusals of all clients: the totals of the most refused buckets since the last report. */
export function watchRefusals (bus: Bus, onReport: (report: Report<Refusals>) => void): () => void {
  return watch(bus, EVERYONE, areRefusals, onReport)
}

function watch<Entry> (
  bus: Bus, watched: string, isEntry: (value: Fields) => boolean, onReport: (report: Report<Entry>) => void
): () => void {
  const announce = (): void => { bus.publish(WATCH_CHANNEL, watched).catch(() => {}) }
  const hearing = bus.hear(reportsOn(watched), (message) => {
    const report = message === undefined ? undefined : parseReport<Entry>(message, isEntry)
    if (report) onReport(report)
  })
  // Subscribe before the announcement, so that no answer is missed.
  const begun = hearing.then(announce)
  const renewal = setInterval(announce, ANNOUNCED_EVERY_MS)
  return () => {
    clearInterval(renewal)
    begun.then(() => hearing).then(stop => stop())
  }
}

/** Limits for a report, because any client of Redis may have published it. */
const MAX_LENGTH = 100_000
const MAX_TEXT = 200

type Fields = Record<string, unknown>

/** @returns undefined for a message that no replica can have sent */
function parseReport<Entry> (message: string, isEntry: (value: Fields) => boolean): Report<Entry> | undefined {
  if (message.length > MAX_LENGTH) return undefined
  try {
    const report = JSON.parse(message) as Fields
    const { replica, entries, more } = report
    const isReport = isText(replica) && isCount(more) && Array.isArray(entries) && entries.every(isEntry)
    return isReport ? report as unknown as Report<Entry> : undefined
  } catch {
    return undefined
  }
}

function isTake ({ atMs, client, policy, owner, method, route, allowed, cached, remaining, waitMs }: Fields): boolean {
  return [client, policy, owner, method].every(isText) && (route === null || isText(route)) &&
    typeof allowed === 'boolean' && typeof cached === 'boolean' &&
    isCount(remaining) && isCount(waitMs) && isCount(atMs) && !Number.isNaN(new Date(atMs as number).getTime())
}

const areRefusals = ({ policy, owner, count }: Fields): boolean => isText(policy) && isText(owner) && isCount(count)

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_TEXT

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
