import type { IncomingHttpHeaders } from 'node:http'
import { Readable, type Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'
import { UpstreamTimeout, UpstreamUnavailable } from './failures.js'

/** The answer of a module. */
export interface UpstreamAnswer {
  statusCode: number
  /** The names are in lower case. */
  headers: IncomingHttpHeaders
  /**
   * A Buffer if the whole body came with the headers, otherwise a stream. Most answers are short, and a stream costs
   * more than the rest of a request.
   */
  body: Buffer | Readable
  /** After an upgrade, the connection on which the module has switched the protocol. The body is empty then. */
  socket?: Duplex
}

export type Answered = (error: Error | null, answer?: UpstreamAnswer) => void

const EMPTY = Buffer.alloc(0)

/**
 * Makes one answer of the data that undici reads, and streams a body that does not arrive at once. An answer begins
 * with the first byte after its headers. A failure before that is an error, not an answer that breaks off. A stream of
 * events begins with its headers, because its first event may take hours.
 */
export class AnswerReader implements Dispatcher.DispatchHandler {
  #answered: Answered | undefined
  readonly #onHeaders: () => void
  #controller: Dispatcher.DispatchController | undefined
  #reason: Error | undefined
  #answer: { statusCode: number, headers: IncomingHttpHeaders } | undefined
  #chunks: Buffer[] = []
  /**
   * Set at the end of the turn of the event loop in which the headers came. Body data that arrives later is streamed.
   */
  #late = false
  #stream: Readable | undefined
  #released = false

  constructor (onHeaders: () => void, answered: Answered) {
    this.#onHeaders = onHeaders
    this.#answered = answered
  }

  /** Ends the request in any state, even while it waits for a connection. */
  abort (reason: Error): void {
    if (this.#reason) return
    this.#reason = reason
    if (this.#controller) this.#controller.abort(reason)
    else this.#settle(reason)
  }

  /** Switches backpressure off: from now on the answer is read even if the client does not read. */
  release (): void {
    this.#released = true
    this.#controller?.resume()
  }

  get aborted (): boolean {
    return this.#reason !== undefined
  }

  /** Whether the headers have arrived. The module has then received the request, so it must not be sent again. */
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
    // A 204 or 304 has no body, whatever its headers say. A 304 may have a Content-Length, which undici takes for the
    // length of a body.
    if (statusCode === 204 || statusCode === 304) this.#settle(null, { ...this.#answer, body: EMPTY })
    setImmediate(() => {
      this.#late = true
      if (this.#chunks.length > 0 || isEventStream(headers)) this.#beginStream()
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
    // An answer that is not passed on is aborted. Its stream then has no other error listener.
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

export const isEventStream = ({ 'content-type': type }: IncomingHttpHeaders): boolean =>
  type !== undefined && /^text\/event-stream\b/i.test(type)

/** Turns an error of undici into a failure of the module. */
function failureOf (error: Error & { code?: string }): Error {
  const Failure = error.code === 'UND_ERR_BODY_TIMEOUT' ? UpstreamTimeout : UpstreamUnavailable
  return new Failure(error.message, { cause: error })
}
