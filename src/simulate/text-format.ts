import { begunAt, copied, parseRequestLine, type Line } from './logged-request.js'
import { parseLogDate } from './log-time.js'

/*
 * The two formats with a date in brackets: nginx's and Apache's (`common`, `combined`), and HAProxy's (`option
 * httplog`), which syslog may put something in front of. The date is looked for first. A client can write what it likes
 * into the name of a user, but not the quote that follows a date.
 */

const DATE = /\[(\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d)(?:\.(\d{3})| ([+-]\d{4}))\]/y

/** `"GET /path HTTP/1.1" 200 123`, with quotes in the request escaped. */
const COMBINED = / "([^"\\]*(?:\\.[^"\\]*)*)" (\d{3}) (?:\d+|-)/y

/**
 * ` frontend backend/server TR/Tw/Tc/Tr/Ta status bytes cookie cookie state connections queues {headers} "GET /path`. A
 * long request is cut off, with its last quote.
 */
const HAPROXY = / \S+ (\S+) [-\d/]+\/\+?(-?\d+) (-1|\d{3}) \+?\d+ \S+ \S+ \S+ \S+ \S+(?: \{[^}]*\})* "([^"]*)/y

export function parseText (line: string): Line {
  for (let open = line.indexOf(' ['); open !== -1; open = line.indexOf(' [', open + 1)) {
    DATE.lastIndex = open + 1
    const [, date, ms, zone] = DATE.exec(line) ?? []
    if (date === undefined) continue
    const secondMs = parseLogDate(date, zone)
    if (secondMs === undefined) continue
    const read = ms === undefined
      ? parseCombined(line, secondMs, DATE.lastIndex)
      : parseHaproxy(line, secondMs + Number(ms), open, DATE.lastIndex)
    // Else it may be a date that the client wrote in front of the server's.
    if (read) return read
  }
  return undefined
}

function parseCombined (line: string, timeMs: number, from: number): Line {
  COMBINED.lastIndex = from
  const [all, request = '', status] = COMBINED.exec(line) ?? []
  if (all === undefined) return undefined
  return lineOf(timeMs, line.slice(0, line.indexOf(' ')), request, Number(status))
}

function parseHaproxy (line: string, acceptedMs: number, open: number, from: number): Line {
  HAPROXY.lastIndex = from
  const [all, server = '', durationMs, status, request = ''] = HAPROXY.exec(line) ?? []
  if (all === undefined) return undefined
  // Such as <NOSRV>: HAProxy answered by itself.
  if (server.includes('/<')) return 'no request'
  const source = line.slice(line.lastIndexOf(' ', open - 1) + 1, open)
  const client = source.slice(0, source.lastIndexOf(':'))
  const lastedMs = Math.max(0, Number(durationMs))
  return lineOf(begunAt(acceptedMs + lastedMs, lastedMs), client, request, Number(status))
}

function lineOf (timeMs: number, client: string, request: string, status: number): Line {
  const [method, path] = parseRequestLine(request) ?? []
  if (method === undefined || path === undefined) return 'no request'
  return {
    timeMs, client: copied(client), method, path, policyName: undefined, status, count: 1, spanMs: 0, user: undefined
  }
}
