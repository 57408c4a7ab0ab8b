import { setTimeout as sleep } from 'node:timers/promises'

/**
 * `ok`: nothing to do. `note`: worth knowing, or it could not be found out. `action`: an operator has to do something.
 */
export type Status = 'ok' | 'note' | 'action'

export interface Result {
  status: Status
  /** What was found, and why it matters. It never holds a secret. */
  found: string
  /** What to do, with the command if there is one. */
  remedy?: string
}

export interface Finding extends Result {
  check: string
}

export const ok = (found: string): Result => ({ status: 'ok', found })
export const note = (found: string, remedy?: string): Result => ({ status: 'note', found, ...remedy && { remedy } })
export const action = (found: string, remedy: string): Result => ({ status: 'action', found, remedy })

/** The checks by name. If a check throws, its result is a `note`. */
export type Checks = Record<string, () => Result | Result[] | Promise<Result | Result[]>>

/**
 * Runs all checks in parallel.
 *
 * @param leftMs the time that they have, in case something hangs
 * @returns the results in the order of the checks
 */
export async function runAll (checks: Checks, leftMs: number): Promise<Finding[]> {
  const findings = await Promise.all(Object.entries(checks).map(async ([check, run]) =>
    [await inTime(run, leftMs)].flat().map(result => ({ check, ...result }))))
  return findings.flat()
}

async function inTime (run: Checks[string], leftMs: number): Promise<Result | Result[]> {
  const ended = new AbortController()
  const timeUp = sleep(leftMs, note('unknown: the time for all checks was over'), { signal: ended.signal })
  try {
    // A check that throws synchronously is handled in the same way.
    return await Promise.race([timeUp, Promise.resolve().then(run)])
  } catch (error) {
    return note(`unknown: ${(error as Error).message.replaceAll(/\s+/g, ' ').slice(0, 300)}`)
  } finally {
    ended.abort()
    timeUp.catch(() => {})
  }
}

/** `2 replicas`, `1 replica`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** A duration in a form for people. The sign of `ms` does not matter. */
export function duration (ms: number): string {
  const seconds = Math.round(Math.abs(ms) / 1000)
  if (seconds < 120) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} minutes`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} hours` : `${Math.round(seconds / 86_400)} days`
}
