import type { Verdict } from '../bucket/bucket.js'
import { accountOfOwner, parseBucketKey } from '../bucket/key.js'
import {
  ALL_CLIENTS, reportChannel, watchTakes, WATCH_CHANNEL, WATCHED_MS, type Bus, type RefusedTakes, type Take,
  type TakeReport
} from './watch.js'

/** How often and how much is reported about a watched client. */
const REPORT_EVERY_MS = 100
const MAX_TAKES = 10
/** Of the refusals of all clients, the most refused buckets are reported. */
const MAX_REPORTED = 100

/** Where a verdict came from. */
export type TakeOrigin = Pick<Take, 'client' | 'method' | 'route' | 'cached' | 'blocked'>

/** What a replica reports to watching operators. */
export interface TakeFeed {
  /** To be called with every take, the key of its bucket, and the verdict. Undefined while nobody watches. */
  report: ((of: TakeOrigin, key: string, verdict: Verdict) => void) | undefined
  /** See `watchTakes`. The console of this replica shows the refusals of all replicas. @returns a function to end it */
  watchRefusals: (onReport: (report: TakeReport<RefusedTakes>) => void) => () => void
  close: () => void
}

/** Collects the entries of the next report. */
interface Notes {
  add: (take: Take) => void
  /** Removes and returns all entries. */
  drain: () => Omit<TakeReport<unknown>, 'replica'>
}

interface Watched {
  notes: Notes
  sentAtMs: number
  /** The timer of the next report; undefined while there is nothing to report. */
  next?: NodeJS.Timeout | undefined
  expiry: NodeJS.Timeout
}

/**
 * @param replica its name
 * @param onRefused called with the reason when Redis does not let this replica hear what is watched
 */
export async function openTakeFeed (
  bus: Bus, replica: string, onRefused: (error: Error) => void = () => {}
): Promise<TakeFeed> {
  const watched = new Map<string, Watched>()
  const feed: TakeFeed = {
    report: undefined,
    watchRefusals: onReport => watchTakes(bus, ALL_CLIENTS, onReport).end,
    close () {
      unsubscribe()
      for (const name of [...watched.keys()]) forget(name)
    }
  }
  const report: TakeFeed['report'] = (of, key, { allowed, remaining, waitMs }) => {
    const { policyName: policy, owner } = parseBucketKey(key)!
    const take = { atMs: Date.now(), ...of, policy, owner, allowed, remaining, waitMs }
    note(of.client, take)
    if (owner !== of.client) note(owner, take)
    // Of `account@client`, an operator may watch the account.
    const account = accountOfOwner(owner)
    if (account !== owner) note(account, take)
    // `ALL_CLIENTS` is asked for every second, so a refusal does not trigger a report.
    if (!allowed) watched.get(ALL_CLIENTS)?.notes.add(take)
  }

  const unsubscribe = await bus.subscribe(WATCH_CHANNEL, (name) => {
    if (name !== undefined) remember(name)
  }, onRefused)
  return feed

  function note (name: string, take: Take): void {
    const one = watched.get(name)
    if (!one) return
    one.notes.add(take)
    sendSoon(name, one)
  }

  function remember (name: string): void {
    const known = watched.get(name)
    if (known) {
      known.expiry.refresh()
      return sendSoon(name, known)
    }
    const one = {
      notes: name === ALL_CLIENTS ? countRefusals() : keepTakes(),
      sentAtMs: -Infinity,
      expiry: setTimeout(forget, WATCHED_MS, name).unref()
    }
    watched.set(name, one)
    feed.report = report
    sendSoon(name, one)
  }

  function forget (name: string): void {
    const { next, expiry } = watched.get(name)!
    clearTimeout(next)
    clearTimeout(expiry)
    watched.delete(name)
    if (watched.size === 0) feed.report = undefined
  }

  function sendSoon (name: string, one: Watched): void {
    one.next ??= setTimeout(send, Math.max(0, one.sentAtMs + REPORT_EVERY_MS - performance.now()), name, one)
  }

  function send (name: string, one: Watched): void {
    one.next = undefined
    one.sentAtMs = performance.now()
    bus.publish(reportChannel(name), JSON.stringify({ replica, ...one.notes.drain() })).catch(() => {})
  }
}

function keepTakes (): Notes {
  let entries: Take[] = []
  let more = 0
  return {
    add (take) {
      if (entries.length < MAX_TAKES) entries.push(take)
      else more++
    },
    drain () {
      const drained = { entries, more }
      entries = []
      more = 0
      return drained
    }
  }
}

function countRefusals (): Notes {
  let counts = new Map<string, RefusedTakes>()
  return {
    add ({ policy, owner, blocked }) {
      const key = `${policy}:${owner}:${blocked ?? ''}`
      const known = counts.get(key)
      if (known) known.count++
      else counts.set(key, { policy, owner, count: 1, ...blocked && { blocked } })
    },
    drain () {
      const sorted = [...counts.values()].sort((a, b) => b.count - a.count)
      counts = new Map()
      const more = sorted.slice(MAX_REPORTED).reduce((sum, { count }) => sum + count, 0)
      return { entries: sorted.slice(0, MAX_REPORTED), more }
    }
  }
}
