import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster, Redis } from 'ioredis'
import type { PrismaClient } from '../../prisma/client.js'
import { note, type Finding } from '../base/finding.js'
import { inOneLine } from '../base/text.js'
import type { Config } from '../config/config.js'
import type { BucketStore } from '../limiter/bucket/bucket.js'
import type { Replica } from '../limiter/fleet/replicas.js'

export interface CheckResult extends Finding {
  check: string
}

/** What the checks look at. What cannot be reached is undefined. */
export interface Deployment {
  config: Config
  redis?: Redis | Cluster | undefined
  /** The buckets in that Redis. */
  store?: BucketStore | undefined
  /** Why Redis refuses takes, although it answers. */
  takeError?: string | undefined
  db?: PrismaClient | undefined
  /** The replicas that run, with their descriptions. */
  replicas: Replica[]
  /** Why Redis could not list them. */
  listError?: string | undefined
  /** Aborts when the time for all checks is over. A check may then still report what it waits for. */
  timeUp: AbortSignal
}

/** The checks by name. If a check throws, its result is a `note`. */
export type Checks = Record<string, () => Finding | Finding[] | Promise<Finding | Finding[]>>

/** An answer that takes longer counts as none. */
export const ANSWER_MS = 2000
/** How long a check may still answer after the time of all is over. */
export const LAST_WORDS_MS = 1000

/**
 * Runs all checks in parallel.
 *
 * @param timeUp aborts when their time is over, in case something hangs
 * @returns the results in the order of the checks
 */
export async function runChecks (checks: Checks, timeUp: AbortSignal): Promise<CheckResult[]> {
  const over = endOf(timeUp)
  const findings = await Promise.all(Object.entries(checks).map(async ([check, run]) => {
    // A check that throws synchronously is handled in the same way.
    const { answer, error } = await timed(() => Promise.race([over, Promise.resolve().then(run)]))
    const judged = error ? note(`unknown: ${inOneLine(error.message)}`) : answer
    return [judged].flat().map(result => ({ check, ...result }))
  }))
  return findings.flat()
}

async function endOf (timeUp: AbortSignal): Promise<Finding> {
  if (!timeUp.aborted) await once(timeUp, 'abort')
  await sleep(LAST_WORDS_MS)
  return note('unknown: the time for all checks was over')
}

export type Timed<Answer> =
  { answer: Answer, ms: number, error?: never } | { error: Error, answer?: never, ms?: never }

/**
 * Asks somebody who may not answer, several times if it is the time that matters: the first answer includes connecting,
 * and replicas are already connected. Who answers late is not asked again.
 *
 * @returns the last answer and the median of the times, or the error
 */
export async function timed<Answer> (ask: () => PromiseLike<Answer>, tries = 1): Promise<Timed<Answer>> {
  const endMs = performance.now() + ANSWER_MS
  const times: number[] = []
  try {
    for (;;) {
      const startedMs = performance.now()
      const answer = await ask()
      times.push(performance.now() - startedMs)
      if (times.length < tries && performance.now() < endMs) continue
      return { answer, ms: times.sort((a, b) => a - b)[Math.floor((times.length - 1) / 2)]! }
    }
  } catch (error) {
    return { error: error as Error }
  }
}
