import type { KnownClient } from '../limiter/limits/known-clients.js'
import { isAccountPolicy, hasPolicy, type AddressPolicy, type Limits } from '../limiter/limits/policies.js'
import { parseJson } from './json-format.js'
import { readLines } from './lines.js'
import type { Line, LoggedRequest } from './logged-request.js'
import { parseText } from './text-format.js'
import { unwrapLine } from './wrappers.js'

/** One request of the log, or `count` requests of one client at the same time. */
export interface TimedRequest {
  timeMs: number
  /** Undefined for clients that a summary does not name. */
  client: KnownClient | undefined
  policy: AddressPolicy
  status: number
  count: number
  user: string | number | undefined
}

interface Reader {
  limits: Limits
  /** @param forwarded what a proxy said, if the line has it */
  clientOf: (text: string, forwarded: string | undefined) => KnownClient | undefined
  policyFor: (method: string, target: string) => AddressPolicy
}

/** How many lines one log has, and how many of them are readable or not. */
export interface LogLines {
  file: string
  lines: number
  readable: number
  unreadable: number
  first: Array<{ line: number, text: string }>
}

const MAX_SHOWN = 3
const MAX_SHOWN_LENGTH = 120

/** The requests of a summary are spread over its time, in at most this many steps. */
const MAX_STEPS = 100

/** The requests of one log, a few hundred at a time. */
export async function * readRequests (log: LogLines, reader: Reader): AsyncGenerator<TimedRequest[]> {
  for await (const lines of readLines(log.file)) {
    const requests: TimedRequest[] = []
    for (const text of lines) {
      log.lines++
      if (text === '' || text === '\r') continue
      if (addRequests(text, reader, requests)) log.readable++
      else notice(log, text)
    }
    yield requests
  }
}

function addRequests (
  text: string, { limits, clientOf, policyFor }: Reader, requests: TimedRequest[]
): boolean {
  const written = unwrapLine(text)
  const line: Line = written.startsWith('{') ? parseJson(written) : parseText(written)
  if (line === 'no request') return true
  if (!line) return false
  const { policyName: policy = policyFor(line.method, line.path) } = line
  if (!hasPolicy(limits, policy) || isAccountPolicy(policy)) return false
  const client = line.client === undefined ? undefined : clientOf(line.client, line.forwarded)
  if (line.client !== undefined && !client) return false
  addSteps(requests, line, client, policy)
  return true
}

function addSteps (
  requests: TimedRequest[], { timeMs, status, user, count, spanMs }: LoggedRequest, client: KnownClient | undefined,
  policy: AddressPolicy
): void {
  const steps = Math.min(count, spanMs === 0 ? 1 : MAX_STEPS)
  for (let step = 1; step <= steps; step++) {
    requests.push({
      timeMs: timeMs - Math.floor(spanMs * (steps - step) / steps),
      client,
      policy,
      status,
      count: Math.floor(count * step / steps) - Math.floor(count * (step - 1) / steps),
      user
    })
  }
}

function notice (log: LogLines, text: string): void {
  log.unreadable++
  if (log.first.length === MAX_SHOWN) return
  log.first.push({ line: log.lines, text: shown(text) })
}

/** Replaces characters that a terminal would interpret as commands. */
function shown (text: string): string {
  const printable = Buffer.from(text.slice(0, MAX_SHOWN_LENGTH), 'latin1').toString('utf8')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?')
  return text.length > MAX_SHOWN_LENGTH ? `${printable}…` : printable
}
