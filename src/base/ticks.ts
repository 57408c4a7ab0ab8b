import { performance } from 'node:perf_hooks'

/** In ms of the process's age. */
export const TICK_MS = 500
/** A timer of Node may fire a moment too early. */
const ROUNDING_MS = 5

/**
 * When work that repeats begins again. All of it waits for a whole multiple of half a second of the process's age, so
 * that it begins together: to wake up costs a process that has nothing else to do more CPU than most of the work.
 *
 * @param ticks 1 is the next tick, 2 the one after it
 * @param laterMs after that tick. Statements that begin a few ms apart share a connection to PostgreSQL
 * @returns in ms from now
 */
export function untilTick (ticks = 1, laterMs = 0): number {
  const nowMs = performance.now() - laterMs
  return (Math.floor((nowMs + ROUNDING_MS) / TICK_MS) + ticks) * TICK_MS - nowMs
}

/**
 * Does something again and again, by default on every second tick.
 *
 * @returns a function that ends it
 */
export function onTicks (action: () => unknown, ticks = 2, laterMs = 0): () => void {
  let timer: NodeJS.Timeout
  const wait = (): void => {
    timer = setTimeout(() => {
      wait()
      action()
    }, untilTick(ticks, laterMs)).unref()
  }
  wait()
  return () => clearTimeout(timer)
}
