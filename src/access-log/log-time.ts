/* Parses the times of logs into milliseconds since 1970. */

const DAY_MS = 86_400_000

/** No log is older. */
const FIRST_MS = Date.UTC(1995, 0)

/** One day of tolerance for clocks and time zones. A line from the year 9999 would make all others late. */
const lastMs = Date.now() + DAY_MS

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const DATE = /^([0-3]\d)\/([A-Z][a-z]{2})\/(\d{4}):([01]\d|2[0-3]):([0-5]\d):([0-6]\d)$/

/** Lines of the same second follow each other. */
let last: { date?: string, zone?: string | undefined, ms?: number | undefined } = {}

/**
 * @param date such as `22/Nov/2026:23:59:59`
 * @param zone such as `+0530`; undefined for the zone of this machine, since HAProxy's log has none
 * @returns undefined for a text that is not a date in the past
 */
export function parseLogDate (date: string, zone: string | undefined): number | undefined {
  if (date !== last.date || zone !== last.zone) last = { date, zone, ms: msOf(date, zone) }
  return last.ms
}

function msOf (date: string, zone: string | undefined): number | undefined {
  const [, day, monthName = '', year, hour, minute, second] = DATE.exec(date) ?? []
  const month = months.indexOf(monthName)
  if (month === -1) return undefined
  const parts = [Number(year), month, Number(day), Number(hour), Number(minute), Number(second)] as const
  if (zone === undefined) return plausible(new Date(...parts).getTime())
  const offsetMinutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3))
  return plausible(Date.UTC(...parts) - (zone[0] === '-' ? -1 : 1) * offsetMinutes * 60_000)
}

const BRACKETED = /^\[?(\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d) ([+-]\d{4})\]?$/
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/

/**
 * @param time ISO 8601, Unix time in seconds or milliseconds, or the date of the common log format
 * @returns undefined for a value that is not a time in the past
 */
export function parseJsonTime (time: unknown): number | undefined {
  if (typeof time === 'string' && ISO.test(time)) return plausible(Date.parse(time))
  const [, date, zone] = (typeof time === 'string' && BRACKETED.exec(time)) || []
  if (date !== undefined) return parseLogDate(date, zone)
  const number = typeof time === 'string' && /^\d{9,13}(\.\d+)?$/.test(time) ? Number(time) : time
  // A smaller number is in seconds, which reach 1e11 only in the year 5138.
  return typeof number === 'number' ? plausible(number < 1e11 ? number * 1000 : number) : undefined
}

function plausible (ms: number): number | undefined {
  return ms >= FIRST_MS && ms <= lastMs ? Math.floor(ms) : undefined
}
