import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Verdict } from '../bucket/bucket.js'
import { parseBucketKey } from '../bucket/key.js'
import {
  EVERYONE, reportsOn, WATCH_CHANNEL, WATCHED_MS, watchRefusals, watchTakes,
  type Bus, type Refusals, type Report, type Take
} from './watch.js'

/** How many clients are watched at a time, and how often and how much is reported about each. */
const MAX_WATCHED = 16
const REPORT_EVERY_MS = 100
const MAX_TAKES = 10
/**
 * For the refusals of all clients: how many buckets are reported, and how many are counted between two reports. The
 * most refused clients appear early, so those that come when the table is full do not matter.
 */
const MAX_REPORTED = 100
const MAX_COUNTED = 10_000
/** The longest owner is `account@client`. */
const WATCHABLE = /^[\w.:/@-]{1,100}$/

/** Where a verdict came from. */
export type TakeOrigin = Pick<Take, 'client' | 'method' | 'route' | 'cached'>

/** What a replica reports to watching operators. */
export interface TakeFeed {
  /**
   * To be called with every take, the key of its bucket, and the verdict. It is undefined while nobody watches, so that
   * a take only costs one check.
   */
  report: ((of: TakeOrigin, key: string, verdict: Verdict) => void) | undefined
  /** See `watchTakes` and `watchRefusals` of watch.ts. This replica shows the takes of all replicas. */
  watchTakes: (client: string, onReport: (report: Report<Take>) => void) => () => void
  watchRefusals: (onReport: (report: Report<Refusals>) => void) => () => void
  close: () => void
}

/** Collects the entries of the next report. */
interface Notes {
  add: (take: Take) => void
  /** Removes and returns all entries. `total` is the number of takes that `entries` and `more` stand for. */
  drain: () => Pick<Report<unknown>, 'entries' | 'more'> & { total: number }
  /** Counts takes that could not be sent. */
  miss: (count: number) => void
}

interface Watched {
  notes: Notes
  sentAtMs: number
  /** The timer of the next report; undefined while there is nothing to report. */
  next?: NodeJS.Timeout | undefined
  expiry: NodeJS.Timeout
}

/** @param onRefused called with the reason when Redis does not let this replica hear what is watched */
export async function openTakeFeed (
  bus: Bus, onRefused: (error: Error) => void = () => {}, replica = newReplicaName()
): Promise<TakeFeed> {
  const watched = new Map<string, Watched>()
  const feed: TakeFeed = {
    report: undefined,
    watchTakes: (client, onReport) => watchTakes(bus, client, onReport),
    watchRefusals: onReport => watchRefusals(bus, onReport),
    close () {
      stopHearing()
      for (const name of [...watched.keys()]) forget(name)
    }
  }
  const report: TakeFeed['report'] = (of, key, { allowed, remaining, waitMs }) => {
    const { policyName: policy, owner } = parseBucketKey(key)!
    const take = { atMs: Date.now(), ...of, policy, owner, allowed, remaining, waitMs }
    note(of.client, take)
    if (owner !== of.client) note(owner, take)
    // `EVERYONE` is asked for every second, so a refusal does not trigger a report.
    if (!allowed) watched.get(EVERYONE)?.notes.add(take)
  }

  const stopHearing = await bus.hear(WATCH_CHANNEL, (name) => { if (name !== undefined) remember(name) }, onRefused)
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
    if (name !== EVERYONE && !WATCHABLE.test(name)) return
    if (name !== EVERYONE && watched.size - Number(watched.has(EVERYONE)) >= MAX_WATCHED) {
      publish(name, { entries: [], more: 0, full: true }).catch(() => {})
      return
    }
    const one = {
      notes: name === EVERYONE ? countRefusals() : keepTakes(),
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
    const { total, ...report } = one.notes.drain()
    publish(name, report).catch(() => one.notes.miss(total))
  }

  async function publish (name: string, report: Omit<Report<unknown>, 'replica'>): Promise<void> {
    await bus.publish(reportsOn(name), JSON.stringify({ replica, ...report }))
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
      const drained = { entries, more, total: entries.length + more }
      entries = []
      more = 0
      return drained
    },
    miss (count) { more += count }
  }
}

function countRefusals (): Notes {
  let counts = new Map<string, Refusals>()
  let more = 0
  return {
    add ({ policy, owner }) {
      const key = `${policy}:${owner}`
      const known = counts.get(key)
      if (known) known.count++
      else if (counts.size < MAX_COUNTED) counts.set(key, { policy, owner, count: 1 })
      else more++
    },
    drain () {
      const sorted = [...counts.values()].sort((a, b) => b.count - a.count)
      const drained = {
        entries: sorted.slice(0, MAX_REPORTED),
        more: more + sumOf(sorted.slice(MAX_REPORTED)),
        total: more + sumOf(sorted)
      }
      counts = new Map()
      more = 0
      return drained
    },
    miss (count) { more += count }
  }
}

const sumOf = (refusals: Refusals[]): number => refusals.reduce((sum, { count }) => sum + count, 0)

/** A new name for each run. Several replicas may be on one machine, and a container has a host name of its own. */
const newReplicaName = (): string => `${hostname().slice(0, 40)}-${randomBytes(2).toString('hex')}`
