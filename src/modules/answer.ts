import type { IncomingHttpHeaders } from 'node:http'
import { Readable, type Duplex } from 'node:stream'
import type { Dispatcher } from 'undici'

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

/** Makes one answer of what undici reads, and streams what does not come at once. */
export class AnswerReader implements Dispatcher.DispatchHandler {
  #answered: Answered | undefined
  #controller: Dispatcher.DispatchController | undefined
  #reason: Error | undefined
  #answer: { statusCode: number, headers: IncomingHttpHeaders } | undefined
  #chunks: Buffer[] = []
  #stream: Readable | undefined

  constructor (answered: Answered) {
    this.#answered = answered
  }

  /** Ends the request, whatever is under way, also while it waits for a connection. */
  abort (reason: Error): void {
    if (this.#reason) return
    this.#reason = reason
    if (this.#controller) this.#controller.abort(reason)
    else this.#settle(reason)
  }

  get aborted (): boolean {
    return this.#reason !== undefined
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
    setImmediate(() => this.#beginStream())
  }

  onResponseData (controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#stream) this.#chunks.push(chunk)
    else if (!this.#stream.push(chunk)) controller.pause()
  }

  onResponseEnd (): void {
    if (this.#stream) this.#stream.push(null)
    else {
      const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
      this.#settle(null, { ...this.#answer!, body })
    }
  }

  onResponseError (_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#stream) this.#stream.destroy(error)
    else this.#settle(error)
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
    for (const chunk of this.#chunks) this.#stream.push(chunk)
    this.#settle(null, { ...this.#answer!, body: this.#stream })
  }

  #settle (error: Error | null, answer?: UpstreamAnswer): void {
    const answered = this.#answered
    this.#answered = undefined
    answered?.(error, answer)
  }
}
