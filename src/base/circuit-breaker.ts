import { performance } from 'node:perf_hooks'

/** Most hiccups are over after the first backoff. Each backoff is twice the one before, up to the longest. */
const FIRST_BACKOFF_MS = 25
const LONGEST_BACKOFF_MS = 200
/** Every backoff has ±20 % jitter, so that replicas do not probe together. */
const JITTER = 0.2
/**
 * A node that fails again so soon after it recovered, and before so many calls succeeded, is flapping. Its first
 * backoff is already the longest one, because it would fill the log otherwise. One slow reply in hundreds is not
 * flapping, and opens the breaker only briefly.
 */
const FLAPPING_MS = 10_000
const FLAPPING_CALLS = 100

export type CircuitBreaker<Failure extends Error> = ReturnType<typeof createCircuitBreaker<Failure>>

/**
 * The circuit breaker of one node.
 *
 * - Closed: calls go to the node. The first call that fails opens the breaker.
 * - Open: no call goes to the node. After a backoff the breaker is half-open.
 * - Half-open: one probe goes to the node, but no call. If it succeeds, and after the first backoff another one, the
 *   breaker closes: one alone may have had luck. Otherwise it opens for another backoff.
 */
export function createCircuitBreaker<Failure extends Error> (
  { onOpen, onClose, onOtherReason }: {
    onOpen: (failure: Failure) => void
    /** Called once two probes in a row have succeeded. The breaker is closed by then. */
    onClose: () => void
    /** Called when a probe fails for a reason that was not reported since the breaker opened. */
    onOtherReason: (failure: Error) => void
  }
) {
  let failure: Failure | undefined
  /** The first reason is often only a symptom: a connection breaks, and Redis says only later why it refuses. */
  let reportedReasons = new Set<string>()
  let closedAtMs = -Infinity
  let successes = 0
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  return {
    /** Why it is open or half-open; undefined while it is closed. */
    get failure (): Failure | undefined {
      return failure
    },

    /** To be called after each call that succeeded. */
    succeeded (): void {
      successes++
    },

    /** @param probe calls the node, and rejects if that fails */
    open (reason: Failure, probe: () => Promise<void>): void {
      if (failure || stopped) return
      failure = reason
      reportedReasons = new Set([reason.message])
      onOpen(reason)
      const flapping = successes < FLAPPING_CALLS && performance.now() - closedAtMs <= FLAPPING_MS
      probeAfter(flapping ? LONGEST_BACKOFF_MS : FIRST_BACKOFF_MS, probe)
    },

    stop (): void {
      stopped = true
      clearTimeout(timer)
    }
  }

  function probeAfter (backoffMs: number, probe: () => Promise<void>, isSecond = false): void {
    if (stopped) return
    const delayMs = backoffMs * (1 - JITTER + Math.random() * 2 * JITTER)
    const succeeded = isSecond ? close : () => probeAfter(FIRST_BACKOFF_MS, probe, true)
    timer = setTimeout(() => { probe().then(succeeded, error => stayOpen(error, backoffMs, probe)) }, delayMs)
  }

  function close (): void {
    if (stopped) return
    failure = undefined
    closedAtMs = performance.now()
    successes = 0
    onClose()
  }

  function stayOpen (error: Error, backoffMs: number, probe: () => Promise<void>): void {
    probeAfter(Math.min(2 * backoffMs, LONGEST_BACKOFF_MS), probe)
    if (!reportedReasons.has(error.message)) onOtherReason(error)
    reportedReasons.add(error.message)
  }
}
