import { parseBucketKey } from '../limiter/bucket/key.js'
import type { Outcome, Unenforced } from './replay.js'
import type { Request } from '../access-log/requests.js'

const HOUR_MS = 3_600_000

/** If more clients are refused, those with the fewest refusals are forgotten. */
const MAX_CLIENTS = 10_000

/** How many requests there were, how many would be refused, and how many were refused in the log (429). */
export interface Counts { requests: number, refused: number, refusedInLog: number }

export interface ClientCounts extends Omit<Counts, 'requests'> { policy: string, client: string }

export type Tally = ReturnType<typeof createTally>

/** Counts the outcomes of requests with bounded memory. */
export function createTally () {
  const tally = {
    add,
    fromMs: Infinity,
    toMs: -Infinity,
    policies: new Map<string, Counts>(),
    /** By policy: how many requests came under a limit that refuses nothing, and why it does not. */
    unenforced: new Map<string, Partial<Record<Unenforced, number>>>(),
    /** By the hour's number since 1970, in UTC, and by policy. */
    hours: new Map<number, Map<string, Counts>>(),
    /** Clients that would be refused, or were refused in the log. */
    clients: new Map<string, ClientCounts>(),
    /** Some counts are too low then. */
    clientsForgotten: false
  }

  function add (request: Request, { admitted, buckets, unenforced }: Outcome): void {
    const { timeMs, policy, status, count, client } = request
    const refused = count - admitted
    const refusedInLog = status === 429 ? count : 0
    tally.fromMs = Math.min(tally.fromMs, timeMs)
    tally.toMs = Math.max(tally.toMs, timeMs)
    raise(countsOf(tally.policies, policy), count, refused, refusedInLog)
    raise(countsOf(hourOf(timeMs), policy), count, refused, refusedInLog)
    if (unenforced !== undefined) addUnenforced(policy, unenforced, count)
    if (client && refused + refusedInLog > 0) addClient(policy, buckets.at(-1)?.key, client.key, refused, refusedInLog)
  }

  function addUnenforced (policy: string, why: Unenforced, count: number): void {
    const counts = tally.unenforced.get(policy) ?? {}
    tally.unenforced.set(policy, { ...counts, [why]: (counts[why] ?? 0) + count })
  }

  function hourOf (timeMs: number): Map<string, Counts> {
    const number = Math.floor(timeMs / HOUR_MS)
    const hour = tally.hours.get(number) ?? new Map<string, Counts>()
    tally.hours.set(number, hour)
    return hour
  }

  /** @param key the key of the bucket, whose owner may be a user; undefined if the client is exempt or blocked */
  function addClient (
    policy: string, key: string | undefined, client: string, refused: number, refusedInLog: number
  ): void {
    const owner = (key !== undefined && parseBucketKey(key)?.owner) || client
    const name = `${policy} ${owner}`
    if (!tally.clients.has(name) && tally.clients.size === MAX_CLIENTS) forgetHalf()
    const counts = tally.clients.get(name) ?? { policy, client: owner, refused: 0, refusedInLog: 0 }
    counts.refused += refused
    counts.refusedInLog += refusedInLog
    tally.clients.set(name, counts)
  }

  function forgetHalf (): void {
    const most = [...tally.clients].sort(([, a], [, b]) => byRefusals(a, b)).slice(0, MAX_CLIENTS / 2)
    tally.clients = new Map(most)
    tally.clientsForgotten = true
  }

  return tally
}

export const byRefusals = (a: ClientCounts, b: ClientCounts): number =>
  b.refused - a.refused || b.refusedInLog - a.refusedInLog

function countsOf (all: Map<string, Counts>, policy: string): Counts {
  const known = all.get(policy)
  if (known) return known
  const counts = { requests: 0, refused: 0, refusedInLog: 0 }
  all.set(policy, counts)
  return counts
}

function raise (counts: Counts, requests: number, refused: number, refusedInLog: number): void {
  counts.requests += requests
  counts.refused += refused
  counts.refusedInLog += refusedInLog
}
