/** By how many ms the clock of the service is ahead of this one. */
let aheadMs = 0

/** @param {string} at what time it is there, ISO 8601 */
export function setClock (at) {
  aheadMs = Date.parse(at) - Date.now()
}

/** The time there, in ms since 1970. */
export const nowMs = () => Date.now() + aheadMs

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium', hourCycle: 'h23' })
const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' })

/** The time of day by the clock of the person who reads it; of another day, with its date. */
export function timeText (ms) {
  if (Number.isNaN(ms)) return 'unknown'
  const at = new Date(ms)
  return (at.toDateString() === new Date().toDateString() ? clock : date).format(at)
}

const units = [['d', 86_400], ['h', 3600], ['min', 60], ['s', 1]]

/** Two units at most: `24 s`, `4 min 10 s`, `2 h 5 min`. */
export function spanText (ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const first = units.findIndex(([, size]) => seconds >= size)
  if (first === -1) return '0 s'
  const [[unit, size], [smaller, part] = []] = units.slice(first, first + 2)
  const rest = part === undefined ? 0 : Math.floor(seconds % size / part)
  return `${Math.floor(seconds / size)} ${unit}${rest > 0 ? ` ${rest} ${smaller}` : ''}`
}

/** A limit in words: of a bucket, whose period is in ms, or in force, whose period is a text such as `1m`. */
export function limitText ({ capacity, refill, period, periodMs, address }) {
  const text = `${capacity} at once, then ${refill} every ${period ?? spanText(periodMs)}`
  return address ? `${text}, for each user; ${limitText(address)}, shared by an address` : text
}
