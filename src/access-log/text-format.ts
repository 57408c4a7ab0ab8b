import { parseAddress } from '../base/networks.js'
import { begunAt, isPreflight, parseRequestLine, type Line } from './logged-request.js'
import { parseLogDate } from './log-time.js'

/*
 * The two formats with a date in brackets: that of nginx and Apache (`common`, `combined`), and that of HAProxy
 * (`option httplog`), which may have a prefix of syslog. The date is searched for first. A client can put any text into
 * the user name, but not the quote after a date.
 */

const DATE = /\[(\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d)(?:\.(\d{3})| ([+-]\d{4}))\]/y

/**
 * `"GET /path HTTP/1.1" 200 123 "referer" "agent" "forwarded"`, with quotes in these texts escaped. The last three may
 * be missing. nginx's `main` format has the last one.
 */
const QUOTED = '"([^"\\\\]*(?:\\\\.[^"\\\\]*)*)"'
const COMBINED = new RegExp(` ${QUOTED} (\\d{3}) (?:\\d+|-)(?: ${QUOTED} ${QUOTED}(?: ${QUOTED})?)?`, 'y')

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
    const logged = ms === undefined
      ? parseCombined(line, secondMs, open, DATE.lastIndex)
      : parseHaproxy(line, secondMs + Number(ms), open, DATE.lastIndex)
    // If the line does not match here, this may be a date that the client wrote before the server's date.
    if (logged) return logged
  }
  return undefined
}

function parseCombined (line: string, timeMs: number, open: number, from: number): Line {
  COMBINED.lastIndex = from
  const [all, request = '', status, , , forwarded] = COMBINED.exec(line) ?? []
  const client = clientIn(line.slice(0, open))
  if (all === undefined || client === undefined) return undefined
  return lineOf(timeMs, client, request, Number(status), forwarded)
}

/**
 * The client is the first word. Apache's `vhost_combined` has the name of the site and its port in front of it, and
 * lighttpd has the name of the site behind it, which may be an address. A list such as X-Forwarded-For does not say
 * which of its addresses the service took.
 *
 * @param text what stands before the date
 */
function clientIn (text: string): string | undefined {
  const [first = '', second = '', ...rest] = text.split(' ', 4)
  if (first.endsWith(',')) return undefined
  const isFirst = IPV4.test(first) || parseAddress(first) !== undefined
  if (second === '-' || !parseAddress(second)) return isFirst ? first : undefined
  if (!isFirst || PORT.test(first)) return second
  return rest.length === 1 ? first : undefined
}

/** Of an address, not of the end of an IPv6 one. */
const PORT = /(?:\.\d+|\]):\d+$/
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/

function parseHaproxy (line: string, acceptedMs: number, open: number, from: number): Line {
  HAPROXY.lastIndex = from
  const [all, server = '', durationMs, status, request = ''] = HAPROXY.exec(line) ?? []
  if (all === undefined) return undefined
  // A name such as <NOSRV> means that HAProxy answered itself.
  if (server.includes('/<')) return 'no request'
  const source = line.slice(line.lastIndexOf(' ', open - 1) + 1, open)
  const client = source.slice(0, source.lastIndexOf(':'))
  const lastedMs = Math.max(0, Number(durationMs))
  return lineOf(begunAt(acceptedMs + lastedMs, lastedMs), client, request, Number(status), undefined)
}

function lineOf (
  timeMs: number, client: string, request: string, status: number, forwarded: string | undefined
): Line {
  const [method, path] = parseRequestLine(request) ?? []
  if (method === undefined || path === undefined || isPreflight(method, status)) return 'no request'
  return {
    timeMs,
    client,
    forwarded: forwarded === undefined || forwarded === '-' ? undefined : forwarded,
    method,
    path,
    policyName: undefined,
    status,
    count: 1,
    spanMs: 0,
    user: undefined
  }
}
