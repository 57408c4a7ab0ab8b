import { METHODS } from 'node:http'

/** What a line says of a request, or of `count` requests. */
export interface LoggedRequest {
  /** When it began. A summary is about the time before that: `spanMs`. */
  timeMs: number
  /** The text of an address; undefined for requests of clients that a summary does not name. */
  client: string | undefined
  method: string
  /** The target of the request, or the route. */
  path: string
  /** Of a summary, instead of method and path. */
  policyName: string | undefined
  status: number
  count: number
  spanMs: number
  /** Who it was counted by. */
  user: string | number | undefined
}

/** A line can also be about no request that took a token, or be unreadable, which is undefined. */
export type Line = LoggedRequest | 'no request' | undefined

/**
 * The server may have waited so long with the line of a request. What took longer counts as if it had begun so long
 * before its line: a WebSocket's line would come hours late.
 */
export const MAX_LATE_MS = 30_000

/** When a request began whose line was written after `durationMs`. */
export const begunAt = (writtenMs: number, durationMs: number): number =>
  durationMs > 0 ? writtenMs - Math.min(Math.floor(durationMs), MAX_LATE_MS) : writtenMs

const methods = new Set(METHODS)
const REQUEST_LINE = /^([A-Z-]+) (\S+)(?: HTTP\/\d(?:\.\d)?)?$/

/** @returns method and target of `GET /path HTTP/1.1`; undefined for what a server refuses to read */
export function parseRequestLine (text: string): [method: string, path: string] | undefined {
  const [, method = '', path = ''] = REQUEST_LINE.exec(text) ?? []
  return methods.has(method) ? [method, path] : undefined
}

/** A part of a chunk would keep the whole chunk in memory. */
export const copied = (text: string): string => Buffer.from(text, 'latin1').toString('latin1')
