import { createNetworkMatcher, type Network } from '../base/networks.js'
import { createClientCache } from '../limiter/limits/known-clients.js'
import type { Limits } from '../limiter/limits/policies.js'
import { mergeByTime } from '../access-log/in-order.js'
import { UnreadableLog } from '../access-log/lines.js'
import { MAX_LATE_MS } from '../access-log/logged-request.js'
import { createPeers } from '../access-log/client-address.js'
import { Replay } from './replay.js'
import { createSimulationReport, type SimulationReport } from './simulation-report.js'
import { readRequests, type LogLines, type TimedRequest } from '../access-log/requests.js'
import { createRoutePolicies, type Routes } from './route-policies.js'
import { createSuggestions } from './suggestions.js'
import { Tally } from './tally.js'

export interface Simulation {
  limits: Limits
  routes: Routes
  /** The proxies whose X-Forwarded-For is believed. */
  trustProxy?: readonly Network[]
  /** A suggested capacity refuses less than this share of the good requests; undefined for no suggestions. */
  share?: number | undefined
}

/** How many clients are remembered. With more, garbage collection costs more than parsing addresses again. */
const MAX_CLIENTS = 2000

/**
 * Replays logs through limits while they are read, with bounded memory.
 *
 * @param files names, or `-` for standard input
 * @throws {UnreadableLog} also if a file is no log, or none of them has a request
 */
export async function simulateLogs (
  files: string[], { limits, routes, trustProxy = [], share }: Simulation
): Promise<SimulationReport> {
  // The service's own log has the network of an IPv6 client.
  const remembered = createClientCache(limits, undefined, MAX_CLIENTS, text => limits.clients.parse(text))
  const peers = createPeers(text => remembered(text, undefined), createNetworkMatcher(trustProxy))
  const reader = { limits, clientOf: peers.clientOf, policyFor: createRoutePolicies(routes) }
  const logs = files.map((file): LogLines => ({ file, lines: 0, readable: 0, unreadable: 0, first: [] }))
  const replay = new Replay()
  const tally = new Tally()
  const suggestions = share === undefined ? undefined : createSuggestions(limits)
  const anomalies = { jumps: 0, withoutClient: 0, withoutUser: 0 }

  function add (request: TimedRequest): void {
    if (!request.client) {
      anomalies.withoutClient += request.count
      return
    }
    if (request.user === undefined && request.client.sharedBucketFor(request.policy)) {
      anomalies.withoutUser += request.count
    }
    const outcome = replay.take(request)
    tally.add(request, outcome)
    suggestions?.add(request, outcome)
  }

  const requests = mergeByTime(logs.map(log => readRequests(log, reader)), () => { anomalies.jumps++ })
  for await (const batch of requests) for (const request of batch) add(request)
  mustBeLogs(logs)
  if (tally.policies.size === 0) throw new UnreadableLog(`${files.join(', ')}: there is no request in it`)

  const notes = notesOf({
    ...anomalies,
    dropped: replay.dropped() + (suggestions?.dropped() ?? 0),
    clientsForgotten: tally.clientsForgotten
  })
  const best = suggestions?.best(share!)
  return createSimulationReport({ limits, logs, tally, suggestions: best, notes: [...peers.notes(), ...notes] })
}

function mustBeLogs (logs: LogLines[]): void {
  const unread = logs.find(({ readable, unreadable }) => readable === 0 && unreadable > 0)
  if (!unread) return
  const sample = unread.first.map(({ line, text }) => `\n  ${line}: ${text}`).join('')
  throw new UnreadableLog(
    `${unread.file} has no line that can be read. Known are nginx's, Apache's and Traefik's text formats, HAProxy's ` +
    'HTTP format (option httplog), and JSON lines of nginx, Caddy, Traefik and gatehouse itself. It begins with:' +
    sample
  )
}

interface Odd {
  jumps: number
  withoutClient: number
  withoutUser: number
  dropped: number
  clientsForgotten: boolean
}

function notesOf ({ jumps, withoutClient, withoutUser, dropped, clientsForgotten }: Odd): string[] {
  const notes: Array<[boolean | number, string]> = [
    [jumps, `${jumps === 1 ? 'Once' : `${jumps} times`} a log goes back by more than ${MAX_LATE_MS / 1000} s. ` +
      'What follows is replayed by its own times, after what was there before. ' +
      'Give the logs of several replicas as several files.'],
    [withoutClient, `Refused requests that name no client in the log, and are not counted: ${withoutClient}.`],
    [withoutUser, 'Requests under a policy by user that name no user in the log, and are counted by address: ' +
      `${withoutUser}.`],
    [dropped, 'Buckets that were forgotten before they were full, because there are too many clients: ' +
      `${dropped}. Some refusals are missing.`],
    [clientsForgotten, 'More clients are refused than are kept. Some clients have more refusals than their row says.']
  ]
  return notes.filter(([happened]) => happened).map(([, note]) => note)
}
