import { setTimeout } from 'node:timers/promises'

/** @returns undefined if the promise takes longer. The time limit alone does not keep the process running */
export async function within<Result> (ms: number, promise: Promise<Result>): Promise<Result | undefined> {
  return await Promise.race([promise, setTimeout(ms, undefined, { ref: false })])
}
