import { performance } from 'node:perf_hooks'

/** A timer of Node may fire a moment too early. */
const ROUNDING_MS = 5

/**
 * Does something again and again, never twice at once. It begins at whole multiples of `everyMs` of the process's age,
 * so that all such work begins together: to wake up takes more CPU time of an idle process than most of the work.
 *
 * @param action handles its own failures
 * @param laterMs after those moments. Queries that begin a few ms apart share a connection to PostgreSQL
 * @returns a function that ends it, and resolves when what is under way has ended
 */
export function every (everyMs: number, action: () => unknown, laterMs = 0): () => Promise<void> {
  let timer: NodeJS.Timeout
  let isEnded = false
  let working = Promise.resolve()

  function wait (): void {
    const nowMs = performance.now() - laterMs
    const nextMs = (Math.floor((nowMs + ROUNDING_MS) / everyMs) + 1) * everyMs
    timer = setTimeout(() => { working = work() }, nextMs - nowMs)
  }

  async function work (): Promise<void> {
    await action()
    if (!isEnded) wait()
  }

  wait()
  return () => {
    isEnded = true
    clearTimeout(timer)
    return working
  }
}
