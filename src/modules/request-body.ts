import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { clientLeft, isRefusal, payloadTooLarge, unreadable, type Refusal } from '../base/errors.js'
import type { Module } from './module.js'

/**
 * The default minimum rate of Apache's mod_reqtimeout. An upload over a poor mobile connection is several times faster.
 */
const LEAST_BYTES_PER_SECOND = 500

type BodyLimits = Pick<Module, 'maxBodyBytes' | 'idleMs'>

interface BodyOptions {
  module: BodyLimits
  onChunk: () => void
  /** Called instead of throwing an error: an error from the body would look like a failure of the module. */
  onFault: (fault: Refusal) => void
}

/** @returns the body of a request as it arrives, or null if the request has no body */
export function bodyOf (raw: IncomingMessage, options: BodyOptions): AsyncGenerator<Buffer> | null {
  if (!hasBody(raw.headers)) return null
  // The body is not read while the request waits for a connection, or after an early answer. Even then it may break
  // off.
  const whileUnread = (error: Error): void => options.onFault(faultOf(error))
  raw.on('error', whileUnread)
  return chunksOf(raw, options, whileUnread)
}

export function hasBody (headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || lengthOf(headers) > 0
}

/**
 * Whether the client is still sending its body. `complete` is not enough: without a body, Node sets it only after the
 * first hooks.
 */
export const isArriving = (raw: IncomingMessage): boolean => !raw.complete && hasBody(raw.headers)

export function isTooLong (headers: IncomingHttpHeaders, { maxBodyBytes }: BodyLimits): boolean {
  return lengthOf(headers) > maxBodyBytes
}

export const tooLarge = ({ maxBodyBytes }: BodyLimits): Refusal => payloadTooLarge(`${maxBodyBytes} bytes`)

/**
 * The chunks of a body, with a minimum rate. Without this rate, a client that pauses or sends single bytes would hold a
 * connection to the module.
 */
async function * chunksOf (
  raw: IncomingMessage, { module, onChunk, onFault }: BodyOptions, whileUnread: (error: Error) => void
): AsyncGenerator<Buffer> {
  const { maxBodyBytes, idleMs } = module
  const leastBytes = LEAST_BYTES_PER_SECOND * idleMs / 1000
  let bytes = 0
  let enoughBytes = leastBytes
  const tooSlow = setTimeout(() => {
    if (raw.readableLength > 0) tooSlow.refresh() // The module pauses, not the client.
    else onFault(unreadable(408, new Error(`${leastBytes - enoughBytes + bytes} bytes of the body in ${idleMs} ms`)))
  }, idleMs)
  raw.off('error', whileUnread)
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxBodyBytes) return onFault(tooLarge(module))
      if (bytes >= enoughBytes) {
        enoughBytes = bytes + leastBytes
        tooSlow.refresh()
      }
      onChunk()
      yield chunk
    }
  } catch (error) {
    onFault(faultOf(error as Error))
  } finally {
    clearTimeout(tooSlow)
    raw.on('error', whileUnread)
  }
}

/** A refusal stays as it is. Any other error means that the client has left. */
const faultOf = (error: Error): Refusal => isRefusal(error) ? error : clientLeft()

const lengthOf = (headers: IncomingHttpHeaders): number => Number(headers['content-length'] ?? 0)
