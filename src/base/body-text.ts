import type { IncomingHttpHeaders } from 'node:http'
import { badRequest, unsupportedMediaType } from './errors.js'

const utf8 = new TextDecoder('utf-8', { fatal: true })

export const notUtf8 = () => badRequest('The body is not valid UTF-8.')

/**
 * The text of a body, which may not be compressed.
 *
 * @throws {Refusal} unless it is in UTF-8
 */
export function bodyText (headers: IncomingHttpHeaders, body: Buffer): string {
  const coding = headers['content-encoding'] ?? 'identity'
  if (coding.toLowerCase() !== 'identity') throw unsupportedMediaType()
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw unsupportedMediaType()
  try {
    return utf8.decode(body)
  } catch {
    throw notUtf8()
  }
}
