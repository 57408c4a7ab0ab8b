import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { clientLeft, isRefusal, payloadTooLarge, unreadable, type Refusal } from '../errors.js'
import type { Module } from './module.js'

/** Apache's (mod_reqtimeout). An upload over a poor mobile connection has several times that. */
const LEAST_BYTES_PER_SECOND = 500

type BodyLimits = Pick<Module, 'maxBodyBytes' | 'idleMs'>

interface BodyOptions {
  module: BodyLimits
  onChunk: () => void
  /** Called instead of an error: a body that throws would look like a fault of the module. */
  onFault: (fault: Refusal) => void
}

/** @returns the body of a request as it comes, or null if it has none */
export function bodyOf (raw: IncomingMessage, options: BodyOptions): AsyncGenerator<Buffer> | null {
  if (!hasBody(raw.headers)) return null
  // Nobody reads it while the request waits for a connection, or after an early answer. It may break off even then.
  const whileUnread = (error: Error): void => options.onFault(faultOf(error))
  raw.on('error', whileUnread)
  return chunksOf(raw, options, whileUnread)
}

export function hasBody (headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || lengthOf(headers) > 0
}

/** Whether the client still sends its body. Node calls a request without one complete only after its first hooks. */
export const isArriving = (raw: IncomingMessage): boolean => !raw.complete && hasBody(raw.headers)

export function isTooLong (headers: IncomingHttpHeaders, { maxBodyBytes }: BodyLimits): boolean {
  return lengthOf(headers) > maxBodyBytes
}

export const tooLarge = ({ maxBodyBytes }: BodyLimits): Refusal => payloadTooLarge(`${maxBodyBytes} bytes`)

/** A client that pauses, or sends a byte now and then, would hold one of the connections to the module. */
async function * chunksOf (
  raw: IncomingMessage, { module, onChunk, onFault }: BodyOptions, whileUnread: (error: Error) => void
): AsyncGenerator<Buffer> {
  const { maxBodyBytes, idleMs } = module
  const leastBytes = LEAST_BYTES_PER_SECOND * idleMs / 1000
  let bytes = 0
  let enoughBytes = leastBytes
  const tooSlow = setTimeout(() => {
    if (raw.readableLength > 0) tooSlow.refresh() // It is the module that pauses.
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

/** What the client sends is broken, or it has left. */
const faultOf = (error: Error): Refusal => isRefusal(error) ? error : clientLeft()

const lengthOf = (headers: IncomingHttpHeaders): number => Number(headers['content-length'] ?? 0)
