import type { IncomingHttpHeaders } from 'node:http'
import { Readable, type Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import { UpstreamTimeout, UpstreamUnavailable } from './failures.js'

/** The answer of a module. */
export interface UpstreamAnswer {
  statusCode: number
  /** By names in lower case. */
  headers: IncomingHttpHeaders
  /** Whole, if it came with the headers: most answers are short, and a stream costs more than all the rest. */
  body: Buffer | Readable
  /** Instead of a body, what the module has switched to, if it was asked to upgrade. */
  socket?: Duplex
}

export type Answered = (error: Error | null, answer?: UpstreamAnswer) => void

const EMPTY = Buffer.alloc(0)

/**
 * Makes one answer of what undici reads, and streams what does not come at once. An answer begins with its first byte
 * after the headers: what fails before is an error, not an answer that breaks off.
 */
export class AnswerReader implements Dispatcher.DispatchHandler {
  #answered: Answered | undefined
  readonly #onHeaders: () => void
  #controller: Dispatcher.DispatchController | undefined
  #reason: Error | undefined
  #answer: { statusCode: number, headers: IncomingHttpHeaders } | undefined
  #chunks: Buffer[] = []
  /** What follows the headers did not come with them. */
  #late = false
  #stream: Readable | undefined
  #released = false

  constructor (onHeaders: () => void, answered: Answered) {
    this.#onHeaders = onHeaders
    this.#answered = answered
  }

  /** Ends the request, whatever is under way, also while it waits for a connection. */
  abort (reason: Error): void {
    if (this.#reason) return
    this.#reason = reason
    if (this.#controller) this.#controller.abort(reason)
    else this.#settle(reason)
  }

  /** From now on no part of the answer is held back until its client has read more. */
  release (): void {
    this.#released = true
    this.#controller?.resume()
  }

  get aborted (): boolean {
    return this.#reason !== undefined
  }

  /** The headers came: to ask again would be to ask twice. */
  get hasHeaders (): boolean {
    return this.#answer !== undefined
  }

  onRequestStart (controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#reason) controller.abort(this.#reason)
  }

  onRequestUpgrade (
    _controller: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders, socket: Duplex
  ): void {
    this.#settle(null, { statusCode, headers, body: EMPTY, socket })
  }

  onResponseStart (_controller: Dispatcher.DispatchController, statusCode: number, headers: IncomingHttpHeaders): void {
    if (statusCode < 200) return
    this.#answer = { statusCode, headers }
    this.#onHeaders()
    // These have no body, whatever their headers say. undici takes the length that a 304 may have for one.
    if (statusCode === 204 || statusCode === 304) this.#settle(null, { ...this.#answer, body: EMPTY })
    setImmediate(() => {
      this.#late = true
      if (this.#chunks.length > 0) this.#beginStream()
    })
  }

  onResponseData (controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#stream) this.#chunks.push(chunk)
    else if (!this.#stream.push(chunk) && !this.#released) controller.pause()
    if (this.#late) this.#beginStream()
  }

  onResponseEnd (): void {
    if (this.#stream) this.#stream.push(null)
    else {
      const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
      const { statusCode, headers } = this.#answer!
      this.#settle(null, { statusCode, headers, body })
    }
  }

  onResponseError (_controller: Dispatcher.DispatchController, error: Error): void {
    const failure = this.#reason ?? failureOf(error)
    if (this.#stream) this.#stream.destroy(failure)
    else this.#settle(failure)
  }

  #beginStream (): void {
    if (!this.#answered) return
    const controller = this.#controller!
    this.#stream = new Readable({
      read: () => controller.resume(),
      destroy (error, done) {
        controller.abort(error ?? new Error('nobody reads the answer'))
        done(error)
      }
    })
    // An answer that is not passed on is aborted, and then nobody else listens.
    this.#stream.on('error', () => {})
    for (const chunk of this.#chunks) this.#stream.push(chunk)
    this.#settle(null, { ...this.#answer!, body: this.#stream })
  }

  #settle (error: Error | null, answer?: UpstreamAnswer): void {
    const answered = this.#answered
    this.#answered = undefined
    answered?.(error, answer)
  }
}

/** The module's part in an error of undici. */
function failureOf (error: Error & { code?: string }): Error {
  const Failure = error.code === 'UND_ERR_BODY_TIMEOUT' ? UpstreamTimeout : UpstreamUnavailable
  return new Failure(error.message, { cause: error })
}
