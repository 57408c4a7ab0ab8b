/** `2 replicas`, `1 replica`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** A duration in a form for people. The sign of `ms` does not matter. */
export function duration (ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000)
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} hours` : `${Math.round(seconds / 86_400)} days`
}
