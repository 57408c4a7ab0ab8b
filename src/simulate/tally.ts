import { getOrCreate } from '../base/get-or-create.js'
import { parseBucketKey } from '../limiter/bucket/key.js'
import type { Replayed, Unenforced } from './replay.js'
import type { TimedRequest } from '../access-log/requests.js'

const HOUR_MS = 3_600_000

/** If more clients are refused, those with the fewest refusals are forgotten. */
const MAX_CLIENTS = 10_000

/** How many requests there were, how many would be refused, and how many were refused in the log (429). */
export interface RequestCounts { requests: number, refused: number, refusedInLog: number }

interface ClientCounts extends Omit<RequestCounts, 'requests'> { policy: string, client: string }

/** Counts the outcomes of requests with bounded memory. */
export class Tally {
  fromMs = Infinity
  toMs = -Infinity
  readonly policies = new Map<string, RequestCounts>()
  /** By policy: how many requests came under a limit that refuses nothing, and why it does not. */
  readonly unenforced = new Map<string, Partial<Record<Unenforced, number>>>()
  /** By the hour's number since 1970, in UTC, and by policy. */
  readonly hours = new Map<number, Map<string, RequestCounts>>()
  /** Clients that would be refused, or were refused in the log. */
  clients = new Map<string, ClientCounts>()
  /** Some counts are too low then. */
  clientsForgotten = false

  add (request: TimedRequest, { admitted, buckets, unenforced }: Replayed): void {
    const { timeMs, policy, status, count, client } = request
    const refused = count - admitted
    const refusedInLog = status === 429 ? count : 0
    this.fromMs = Math.min(this.fromMs, timeMs)
    this.toMs = Math.max(this.toMs, timeMs)
    const hour = getOrCreate(this.hours, Math.floor(timeMs / HOUR_MS), () => new Map<string, RequestCounts>())
    for (const counts of [this.policies, hour]) {
      raise(getOrCreate(counts, policy, newCounts), count, refused, refusedInLog)
    }
    if (unenforced !== undefined) this.#addUnenforced(policy, unenforced, count)
    if (client && refused + refusedInLog > 0) {
      const owner = buckets.length > 0 ? parseBucketKey(buckets.at(-1)!.key)!.owner : client.key
      this.#addClient(policy, owner, refused, refusedInLog)
    }
  }

  #addUnenforced (policy: string, why: Unenforced, count: number): void {
    const counts = this.unenforced.get(policy) ?? {}
    this.unenforced.set(policy, { ...counts, [why]: (counts[why] ?? 0) + count })
  }

  /** @param owner of the bucket, who may be a user; the client itself if it is exempt or blocked */
  #addClient (policy: string, owner: string, refused: number, refusedInLog: number): void {
    const name = `${policy} ${owner}`
    if (!this.clients.has(name) && this.clients.size === MAX_CLIENTS) this.#forgetHalf()
    const counts = getOrCreate(this.clients, name, () => ({ policy, client: owner, refused: 0, refusedInLog: 0 }))
    counts.refused += refused
    counts.refusedInLog += refusedInLog
  }

  #forgetHalf (): void {
    this.clients = new Map([...this.clients].sort(([, a], [, b]) => byRefusals(a, b)).slice(0, MAX_CLIENTS / 2))
    this.clientsForgotten = true
  }
}

export const byRefusals = (a: ClientCounts, b: ClientCounts): number =>
  b.refused - a.refused || b.refusedInLog - a.refusedInLog

const newCounts = (): RequestCounts => ({ requests: 0, refused: 0, refusedInLog: 0 })

function raise (counts: RequestCounts, requests: number, refused: number, refusedInLog: number): void {
  counts.requests += requests
  counts.refused += refused
  counts.refusedInLog += refusedInLog
}
