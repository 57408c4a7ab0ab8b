import { METHODS } from 'node:http'

/** What a line says about a request, or about `count` requests. */
export interface LoggedRequest {
  /** When the request began. A summary covers the `spanMs` before this. */
  timeMs: number
  /** The text of an address; undefined for requests of clients that a summary does not name. */
  client: string | undefined
  /** What a proxy in front of the client said of it: `X-Forwarded-For`, if the line has it. */
  forwarded: string | undefined
  method: string
  /** The target of the request, or the route. */
  path: string
  /** A summary has this instead of method and path. */
  policyName: string | undefined
  status: number
  count: number
  spanMs: number
  /** The user that the request was counted by. */
  user: string | number | undefined
}

/** `no request` is a line about no request that took a token. Undefined is an unreadable line. */
export type Line = LoggedRequest | 'no request' | undefined

/**
 * How long after the start of a request its line may come. A longer request counts as if it had begun this long before
 * its line: a WebSocket's line would come hours late.
 */
export const MAX_LATE_MS = 30_000

/** When a request began, if its line was written after `durationMs`. */
export const begunAt = (writtenMs: number, durationMs: number): number =>
  durationMs > 0 ? writtenMs - Math.min(Math.floor(durationMs), MAX_LATE_MS) : writtenMs

const methods = new Set(METHODS)
const REQUEST_LINE = /^([A-Z-]+) (\S+)(?: HTTP\/\d(?:\.\d)?)?$/

/** @returns method and target of `GET /path HTTP/1.1`; undefined for a line that a server refuses to parse */
export function parseRequestLine (text: string): [method: string, path: string] | undefined {
  const [, method = '', path = ''] = REQUEST_LINE.exec(text) ?? []
  return methods.has(method) ? [method, path] : undefined
}

/**
 * Whether a line of another log is of a preflight, which takes no token: a browser asks before its request. The service
 * takes one for any other request by OPTIONS, and refuses most of these.
 */
export const isPreflight = (method: unknown, status: number): boolean => method === 'OPTIONS' && status < 300
