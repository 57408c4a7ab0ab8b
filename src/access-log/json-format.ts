import { isObject } from '../base/read-json.js'
import { begunAt, isPreflight, parseRequestLine, type Line } from './logged-request.js'
import { parseJsonTime } from './log-time.js'

type Members = Record<string, unknown>

/** Names of the same fields in other logs: nginx's variables, Caddy, Traefik, pino. */
const names = {
  // The start of a request comes before the time of its line.
  time: ['StartUTC', 'msec', 'time', 'timestamp', '@timestamp', 'ts', 'time_iso8601', 'time_local'],
  client: ['client', 'client_ip', 'remote_addr', 'remote_ip', 'ip', 'ClientHost'],
  forwarded: ['http_x_forwarded_for', 'x_forwarded_for', 'forwarded_for', 'request_X-Forwarded-For'],
  method: ['method', 'request_method', 'RequestMethod'],
  // nginx's `uri` is what it was rewritten to, such as the page of an error.
  path: ['path', 'request_uri', 'uri', 'url', 'RequestPath'],
  status: ['status', 'status_code', 'DownstreamStatus'],
  /** In seconds, of a line that was written at the end of its request. */
  lasted: ['request_time', 'duration']
}

const MAX_COUNT = 1e9
const MAX_SPAN_MS = 3_600_000
const MAX_USER_LENGTH = 64

/** Parses a line of JSON from gatehouse's own log, or from another log with usual field names. */
export function parseJson (line: string): Line {
  const members = membersOf(line)
  if (!members) return undefined
  if (members.msg === 'repeated requests') return parseSummary(members)
  if ('reqId' in members && 'route' in members) return parseOwn(members)
  return isOtherOfOwn(members) ? 'no request' : parseOther(members)
}

function membersOf (line: string): Members | undefined {
  try {
    const value = JSON.parse(line) as unknown
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isOtherOfOwn = ({ level, msg, status }: Members): boolean =>
  typeof level === 'number' && typeof msg === 'string' && status === undefined

/** Parses a line of gatehouse's own log. The route is null for a path without a route. */
function parseOwn (
  { time, durationMs, client, method, route, status, code, userId, origin, header }: Members
): Line {
  // A request that the HTTP parser refused has no method, and one of a lost connection has no client.
  if (method === null || client === undefined || code === 'PREFLIGHT') return 'no request'
  // CORS has refused it, before the limiter.
  if (origin !== undefined || header !== undefined) return 'no request'
  const writtenMs = parseJsonTime(time)
  if (writtenMs === undefined) return undefined
  const timeMs = begunAt(writtenMs, Number(durationMs))
  return lineOf(timeMs, client, undefined, method, route ?? '', status, userOf(userId))
}

/** The statuses of what the limiter refuses. */
const refusals: Record<string, number> = { TOO_MANY_REQUESTS: 429, NETWORK_BLOCKED: 403, SERVICE_UNAVAILABLE: 503 }

/**
 * Parses a summary of `count` requests in the last `sinceMs`. Only those that the limiter refused count here: others
 * took no token, or have lines of their own.
 */
function parseSummary ({ time, client, policy, code, count, sinceMs }: Members): Line {
  const status = refusals[String(code)]
  if (policy === undefined || status === undefined) return 'no request'
  const timeMs = parseJsonTime(time)
  if (timeMs === undefined || typeof policy !== 'string' || !isUpTo(count, MAX_COUNT)) return undefined
  if (!isUpTo(sinceMs, MAX_SPAN_MS) || !(client === undefined || typeof client === 'string')) return undefined
  return {
    timeMs,
    client,
    forwarded: undefined,
    method: '',
    path: '',
    policyName: policy,
    status,
    count,
    spanMs: sinceMs,
    user: undefined
  }
}

function parseOther (members: Members): Line {
  const { request, logger } = members
  // Caddy also logs the errors of requests, and with `debug` each answer of an upstream.
  if (typeof logger === 'string' && logger.startsWith('http.') && !logger.startsWith('http.log.access')) {
    return 'no request'
  }
  // Copying both into one object would take longer than parsing the line.
  const inner = isObject(request) ? request : {}
  const find = (among: string[]): unknown => {
    for (const name of among) {
      const value = members[name] ?? inner[name]
      if (value !== undefined) return value
    }
  }
  const [method, path] = typeof request === 'string'
    ? parseRequestLine(request) ?? []
    : [find(names.method), find(names.path)]
  const writtenMs = parseJsonTime(find(names.time))
  if (writtenMs === undefined) return undefined
  const status = find(names.status)
  if ((typeof request === 'string' && method === undefined) || isPreflight(method, Number(status))) return 'no request'
  const timeMs = members.StartUTC === undefined ? begunAt(writtenMs, 1000 * Number(find(names.lasted) ?? 0)) : writtenMs
  const forwarded = forwardedIn(inner.headers) ?? find(names.forwarded)
  const said = typeof forwarded === 'string' && forwarded !== '' && forwarded !== '-' ? forwarded : undefined
  return lineOf(timeMs, find(names.client), said, method, path, status, undefined)
}

/** Caddy has the headers of a request as lists. */
function forwardedIn (headers: unknown): string | undefined {
  const listed = isObject(headers) ? headers['X-Forwarded-For'] : undefined
  return Array.isArray(listed) ? listed.join(', ') : undefined
}

function lineOf (
  timeMs: number, client: unknown, forwarded: string | undefined, method: unknown, path: unknown, status: unknown,
  user: string | number | undefined
): Line {
  const number = Number(status)
  if (typeof client !== 'string' || typeof method !== 'string' || typeof path !== 'string') return undefined
  if (!Number.isInteger(number) || number < 0 || number > 999) return undefined
  return { timeMs, client, forwarded, method, path, policyName: undefined, status: number, count: 1, spanMs: 0, user }
}

function userOf (userId: unknown): string | number | undefined {
  if (typeof userId === 'number') return userId
  return typeof userId === 'string' && userId.length <= MAX_USER_LENGTH ? userId : undefined
}

const isUpTo = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most
