import type { IncomingMessage, ServerResponse } from 'node:http'
import { unreadableRequest } from '../base/errors.js'
import { UpstreamTimeout } from './failures.js'
import type { Module } from './module.js'
import { hasBody, isAwaited } from './request-body.js'

/*
 * An exchange is a request that is passed on to a module, and its answer:
 *
 *     client ──── body of the request ───> gatehouse ─── connection, body ───> module
 *     client <─── answer ───────────────── gatehouse <── headers, answer ───── module
 *
 * Each of its six clocks runs against the side that has to move. So a silence is the fault of whoever is silent.
 *
 * | clock   | runs while                                        | ends after                  | fault of      |
 * | ------- | ------------------------------------------------- | --------------------------- | ------------- |
 * | connect | a connection to the module is made                | 5 s                         | module: 502   |
 * | answer  | the module has what came of the body, and owes    | `timeout`                   | module: 504   |
 * |         | the headers of its answer                         |                             |               |
 * | pause   | the module owes a part of its answer              | `idle`                      | module: 504 * |
 * | body    | the client owes a part of its body                | `idle` below 500 bytes/s    | client: 408   |
 * | whole   | the client owes the end of its body               | 20 `idle`, or at 100 kB/s   | client: 408   |
 * | reader  | a part of the answer waits for the client         | 2 min without a moved byte  | client: 499 * |
 *
 * (*) If the status has been sent, the answer breaks off instead. The log has 499 for a client that does not read.
 *
 * A fault of the module counts in `gatehouse_module_failures_total`. Only `connect` opens its circuit breaker.
 */

/**
 * How undici runs `connect` and, for each request, `pause`. Backpressure stops `pause`, because then the client has to
 * move. undici's clock for the headers is off. It would not include the wait for a connection, as `answer` does.
 */
export const connectClock = { timeout: 5000 }
export const pauseClock = (idleMs: number) => ({ headersTimeout: 0, bodyTimeout: idleMs })

/**
 * The default minimum rate of Apache's mod_reqtimeout. An upload over a poor mobile connection is several times faster.
 */
const LEAST_BYTES_PER_SECOND = 500

/**
 * A whole body may take this many times `idle`, or the time that the largest permitted body takes at the minimum rate.
 */
const WHOLE_BODY_IDLES = 20
const WHOLE_BODY_BYTES_PER_MS = 100
/** The longest time that a timer of Node can have. It would treat a longer one as 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * The kernel takes more from a sender only after the reader has made much room: 1.4 MB with the largest buffers that
 * Linux has by default. A client that reads 20 kB a second takes 70 seconds for that.
 */
const READER_MS = 120_000

interface Clocks {
  /** The module was given a part of the request's body. */
  gave: (bytes: number) => void
  /** The headers of the answer have come, or the exchange failed. */
  answered: () => void
  stop: () => void
}

/** @param end called with the reason when one of the clocks `answer`, `body` and `whole` ends the exchange */
export function startClocks (
  raw: IncomingMessage, response: ServerResponse, { timeoutMs, idleMs, maxBodyBytes }: Module,
  end: (reason: Error) => void
): Clocks {
  const answer = setTimeout(() => {
    if (isAwaited(raw)) answer.refresh()
    else end(new UpstreamTimeout(`no answer in ${timeoutMs} ms`))
  }, timeoutMs)

  let bytes = 0
  const body = hasBody(raw.headers)
    ? setInterval(() => {
      const tooFew = bytes < LEAST_BYTES_PER_SECOND * idleMs / 1000
      if (tooFew && isAwaited(raw)) end(unreadableRequest(408, new Error(`${bytes} bytes of the body in ${idleMs} ms`)))
      bytes = 0
    }, idleMs)
    : undefined

  const wholeMs = Math.min(
    Math.max(WHOLE_BODY_IDLES * idleMs, maxBodyBytes / WHOLE_BODY_BYTES_PER_MS), LONGEST_TIMER_MS
  )
  const whole = body && setTimeout(() => {
    if (isAwaited(raw)) end(unreadableRequest(408, new Error(`no end of the body in ${wholeMs} ms`)))
    else whole?.refresh()
  }, wholeMs)

  // Node sets its own idle timeout again for the next request. The socket of an injected request has no `setTimeout`.
  raw.socket.setTimeout?.(READER_MS)
  response.on('timeout', () => {
    if (response.writableLength > 0) raw.socket.destroy()
    else raw.socket.setTimeout(READER_MS)
  })

  return {
    gave (length) {
      bytes += length
      answer.refresh()
    },
    answered: () => clearTimeout(answer),
    stop () {
      clearTimeout(answer)
      clearInterval(body)
      clearTimeout(whole)
    }
  }
}
