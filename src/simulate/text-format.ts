import { begunAt, copied, parseRequestLine, type Line } from './logged-request.js'
import { parseLogDate } from './log-time.js'

/*
 * The two formats with a date in brackets: that of nginx and Apache (`common`, `combined`), and that of HAProxy
 * (`option httplog`), which may have a prefix of syslog. The date is searched for first. A client can put any text into
 * the user name, but not the quote after a date.
 */

const DATE = /\[(\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d)(?:\.(\d{3})| ([+-]\d{4}))\]/y

/** `"GET /path HTTP/1.1" 200 123`, with quotes in the request escaped. */
const COMBINED = / "([^"\\]*(?:\\.[^"\\]*)*)" (\d{3}) (?:\d+|-)/y

/**
 * ` frontend backend/server TR/Tw/Tc/Tr/Ta status bytes cookie cookie state connections queues {headers} "GET /path`. A
 * long request is cut off, including its last quote.
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
    // If the line does not match here, this may be a date that the client wrote before the server's date.
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
  // A name such as <NOSRV> means that HAProxy answered itself.
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
