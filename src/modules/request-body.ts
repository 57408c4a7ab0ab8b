import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { clientLeft, isRefusal, payloadTooLarge, type Refusal } from '../base/errors.js'
import type { Module } from './module.js'

type BodyLimits = Pick<Module, 'maxBodyBytes'>

interface BodyOptions extends BodyLimits {
  onChunk: (bytes: number) => void
  /** Called instead of throwing an error: an error from the body would look like a failure of the module. */
  onFault: (fault: Refusal) => void
}

/** @returns the body of a request as it arrives, or null if the request has no body */
export function requestBody (raw: IncomingMessage, options: BodyOptions): AsyncGenerator<Buffer> | null {
  if (!hasBody(raw.headers)) return null
  // A body may break off even while it is not read: while the request waits for a connection, or after an early answer.
  // A refusal stays as it is, unless its reason is the end of the connection. Any other error means that the client has
  // left.
  raw.on('error', error => options.onFault(isRefusal(error) && !raw.socket.readableEnded ? error : clientLeft()))
  return chunksOf(raw, options)
}

export function hasBody (headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || lengthOf(headers) > 0
}

/**
 * Whether the client is still sending its body. `complete` is not enough: without a body, Node sets it only after the
 * first hooks.
 */
export const isArriving = (raw: IncomingMessage): boolean => !raw.complete && hasBody(raw.headers)

/** Whether all of the body that has arrived was passed on, and the rest has not arrived yet. */
export const isAwaited = (raw: IncomingMessage): boolean => isArriving(raw) && raw.readableLength === 0

export function isTooLong (headers: IncomingHttpHeaders, { maxBodyBytes }: BodyLimits): boolean {
  return lengthOf(headers) > maxBodyBytes
}

export const bodyTooLarge = ({ maxBodyBytes }: BodyLimits): Refusal => payloadTooLarge(`${maxBodyBytes} bytes`)

async function * chunksOf (raw: IncomingMessage, { onChunk, onFault, ...limits }: BodyOptions): AsyncGenerator<Buffer> {
  let bytes = 0
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > limits.maxBodyBytes) return onFault(bodyTooLarge(limits))
      onChunk(chunk.length)
      yield chunk
    }
  } catch {
    // The listener of `requestBody` has handled the error.
  } finally {
    // What comes after an early answer is dropped.
    raw.resume()
  }
}

const lengthOf = (headers: IncomingHttpHeaders): number => Number(headers['content-length'] ?? 0)
