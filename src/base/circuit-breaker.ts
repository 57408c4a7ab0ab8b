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

interface CircuitBreakerOptions<Failure extends Error> {
  onOpen: (failure: Failure) => void
  /** Called once two probes in a row have succeeded. The breaker is closed by then. */
  onClose: () => void
  /** Called when a probe fails for a reason that was not reported since the breaker opened. */
  onOtherReason: (failure: Error) => void
}

/**
 * The circuit breaker of one node.
 *
 * - Closed: calls go to the node. The first call that fails opens the breaker.
 * - Open: no call goes to the node. After a backoff the breaker is half-open.
 * - Half-open: one probe goes to the node, but no call. If it succeeds, and after the first backoff another one, the
 *   breaker closes: one alone may have had luck. Otherwise it opens for another backoff.
 */
export class CircuitBreaker<Failure extends Error> {
  /** Why it is open or half-open; undefined while it is closed. */
  failure: Failure | undefined
  /** The first reason is often only a symptom: a connection breaks, and Redis says only later why it refuses. */
  #reportedReasons = new Set<string>()
  #closedAtMs = -Infinity
  #successes = 0
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor (private readonly options: CircuitBreakerOptions<Failure>) {}

  /** To be called after each call that succeeded. */
  succeeded (): void {
    this.#successes++
  }

  /** @param probe calls the node, and rejects if that fails */
  open (reason: Failure, probe: () => Promise<void>): void {
    if (this.failure || this.#stopped) return
    this.failure = reason
    this.#reportedReasons = new Set([reason.message])
    this.options.onOpen(reason)
    const flapping = this.#successes < FLAPPING_CALLS && performance.now() - this.#closedAtMs <= FLAPPING_MS
    this.#probeAfter(flapping ? LONGEST_BACKOFF_MS : FIRST_BACKOFF_MS, probe)
  }

  stop (): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  #probeAfter (backoffMs: number, probe: () => Promise<void>, isSecond = false): void {
    if (this.#stopped) return
    const delayMs = backoffMs * (1 - JITTER + Math.random() * 2 * JITTER)
    const succeeded = (): void => isSecond ? this.#close() : this.#probeAfter(FIRST_BACKOFF_MS, probe, true)
    const failed = (error: Error): void => this.#stayOpen(error, backoffMs, probe)
    this.#timer = setTimeout(() => { probe().then(succeeded, failed) }, delayMs)
  }

  #close (): void {
    if (this.#stopped) return
    this.failure = undefined
    this.#closedAtMs = performance.now()
    this.#successes = 0
    this.options.onClose()
  }

  #stayOpen (error: Error, backoffMs: number, probe: () => Promise<void>): void {
    this.#probeAfter(Math.min(2 * backoffMs, LONGEST_BACKOFF_MS), probe)
    if (!this.#reportedReasons.has(error.message)) this.options.onOtherReason(error)
    this.#reportedReasons.add(error.message)
  }
}
