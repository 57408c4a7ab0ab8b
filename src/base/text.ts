/** How much of another server's words is passed on: they may have any length. */
const MAX_LENGTH = 300

/** Another server's words in one line, such as those of an error. */
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_LENGTH)

/**
 * A copy to keep. V8 does not copy what is cut from a text, but refers to the whole of it. An address that is
 * remembered would keep its X-Forwarded-For, of up to 16 KiB.
 */
export const detached = (text: string): string => Buffer.from(text).toString()

/** `1 bucket`, `2 buckets`. */
export const pluralize = (amount: number, thing: string): string => `${amount} ${thing}${amount === 1 ? '' : 's'}`

/** A duration for a person, such as `90 s` or `5 minutes`. The sign of `ms` does not matter. */
export function duration (ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000)
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} hours` : `${Math.round(seconds / 86_400)} days`
}

/** `12,345`. */
export const groupDigits = (value: number): string => value.toLocaleString('en-US')

export const percent = (part: number, whole: number): string =>
  whole === 0 ? '0 %' : `${(part / whole * 100).toFixed(2)} %`
