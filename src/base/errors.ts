import { STATUS_CODES } from 'node:http'
import createError, { type FastifyError } from '@fastify/error'
import { isoNow, isoSecond } from './iso-time.js'
import type { RequestRecord } from './request-record.js'

/** A class of failures that are expected. */
export type ErrorClass = abstract new (...args: never[]) => Error

/** The answer to a request that is refused on purpose. Its message is safe to show. */
export interface ErrorResponse {
  statusCode: number
  code: string
  message: string
  headers: Record<string, string>
  /** Additional members of the body, as JSON. It is empty, or starts with a comma. */
  additions: string
  /** What the request's log line says about it. */
  record: RequestRecord
}

/** An answer to be thrown. */
export interface Refusal extends ErrorResponse, FastifyError {
  statusCode: number
}

export interface FaultyField { field: string, message: string }

/**
 * The one shape of every answer that is not a success.
 *
 * @param target the request target as it came: origin form or absolute form, with or without a query
 * @param additions `rateLimitInfo` or `details`, with a comma in front
 */
export function errorJson (status: number, message: string, target: string, additions = ''): string {
  return `{"timestamp":"${isoNow()}","status":${status},"error":"${STATUS_CODES[status] ?? 'Unknown Error'}",` +
    `"message":${JSON.stringify(message)},"path":${JSON.stringify(pathOf(target))}${additions}}`
}

const pathOf = (target: string): string =>
  target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '') || '/'

/**
 * The status of a request whose client left, as in nginx. It is used only in the log and the metrics, and is never
 * sent.
 */
export const CLIENT_LEFT = 499

export const badRequest = (message: string, details?: FaultyField[]): Refusal =>
  refusal(400, 'BAD_REQUEST', message, details && { additions: `,"details":${JSON.stringify(details)}` })

export const invalidBody = (...details: FaultyField[]): Refusal => badRequest('The body is not valid.', details)

export const invalidQuery = (...details: FaultyField[]): Refusal => badRequest('The query is not valid.', details)

export const unauthorized = (message: string, record: RequestRecord = {}): Refusal =>
  refusal(401, 'UNAUTHORIZED', message, { headers: { 'www-authenticate': 'Bearer' }, record })

export const invalidToken = (record: RequestRecord = {}): Refusal =>
  unauthorized('A valid token is required. Please log in.', record)

export const forbidden = (message: string, record: RequestRecord = {}): Refusal =>
  refusal(403, 'FORBIDDEN', message, { record })

/** A developer whose page is refused reads the answer, and not the log. */
export const originRefused = (record: RequestRecord = {}): Refusal =>
  forbidden('This origin may not use the API: CORS_ORIGINS does not list it.', record)

/** For a login with the right password, which the user has to change first. */
export const passwordTemporary = (record: RequestRecord = {}): Refusal => {
  const details = [{ field: 'password', message: 'is temporary: change it by POST /auth/changePassword' }]
  const additions = `,"details":${JSON.stringify(details)}`
  return refusal(403, 'PASSWORD_TEMPORARY', 'Please choose a password of your own, and log in again.', {
    additions, record
  })
}

/** For a login with the right password of a user who has a second factor, or whose role needs one. */
export const codeRequired = (message: string, record: RequestRecord = {}): Refusal =>
  refusal(403, 'CODE_REQUIRED', 'A code of your second factor is needed, too.', {
    additions: `,"details":${JSON.stringify([{ field: 'code', message }])}`, record
  })

/** For a client in a blocked network. It has no Retry-After, because the end of a block is not known. */
export const networkBlocked = (): Refusal =>
  refusal(403, 'NETWORK_BLOCKED', 'Requests from your network are not accepted here.')

export const notFound = (message = 'There is nothing at this path.'): Refusal => refusal(404, 'NOT_FOUND', message)

export function methodNotAllowed (allowed: readonly string[]): Refusal {
  const allow = allowed.join(', ')
  return refusal(405, 'METHOD_NOT_ALLOWED', `This path answers to ${allow} only.`, { headers: { allow } })
}

export const conflict = (message: string): Refusal => refusal(409, 'CONFLICT', message)

export const payloadTooLarge = (limit = '16 KiB'): Refusal =>
  refusal(413, 'PAYLOAD_TOO_LARGE', `The body is too large: at most ${limit} are accepted.`)

export const uriTooLong = (): Refusal => refusal(414, 'URI_TOO_LONG', 'The path is too long.')

export const unsupportedMediaType = (): Refusal =>
  refusal(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json, encoded in UTF-8.')

/** For a bug. The client gets no details. */
export const internalServerError = (): Refusal =>
  refusal(500, 'INTERNAL_SERVER_ERROR', 'Something went wrong on our side. Please try again later.')

/** Ends a request whose client has left. The answer is never read, but its status is logged. */
export const clientLeft = (): Refusal => refusal(CLIENT_LEFT, 'CLIENT_CLOSED_REQUEST', 'The client has left.')

/** @param cause what failed behind the gateway. It is logged and never sent */
export const badGateway = (cause: Error): Refusal => refusal(502, 'BAD_GATEWAY',
  'The service behind this path cannot be reached right now. Please try again in a few seconds.', { cause })

export const gatewayTimeout = (cause: Error): Refusal =>
  refusal(504, 'GATEWAY_TIMEOUT', 'The service behind this path did not answer in time.', { cause })

/** After one of these errors, nothing more can be read from the connection. */
const unreadableErrors = {
  400: ['NOT_HTTP', 'The request is not valid HTTP.'],
  408: ['REQUEST_TIMEOUT', 'The request took too long to arrive.'],
  413: ['CHUNK_EXTENSIONS_TOO_LARGE', 'The extensions of the chunks are too large: at most 16 KiB are accepted.'],
  431: ['HEADERS_TOO_LARGE', 'The request headers are too large: at most 16 KiB are accepted.']
} as const

/** @param cause the error of Node's HTTP parser. It is logged and never sent */
export function unreadableRequest (status: keyof typeof unreadableErrors, cause: Error): Refusal {
  const [code, message] = unreadableErrors[status]
  return refusal(status, code, message, { headers: { connection: 'close' }, cause })
}

/**
 * @param retryAfterSeconds the shortest wait. With jitter some clients wait up to twice as long, so that not all return
 * at once
 * @param cause what failed inside. It is logged and never sent
 */
export function serviceUnavailable (
  retryAfterSeconds: number, cause?: unknown,
  message = 'The service cannot answer right now. Please try again in a few seconds.'
): Refusal {
  const spreadSeconds = Math.floor(Math.random() * (retryAfterSeconds + 1))
  const headers = { 'retry-after': String(retryAfterSeconds + spreadSeconds) }
  return refusal(503, 'SERVICE_UNAVAILABLE', message, { headers, cause })
}

/**
 * The answer to a refused take. The instants in it are by the clock that decided, since the client's clock is more
 * likely to agree with Redis's than with that of one replica that is wrong. All its times are rounded up from the same
 * verdict. So a client is admitted if it waits `retryAfter` seconds, or until `resetTime` or `X-RateLimit-Reset`. It is
 * composed by hand, because a refusal must not cost more than an admission.
 */
export function tooManyRequests (
  { capacity, waitMs }: { capacity: number, waitMs: number }, record: RequestRecord, nowMs = Date.now()
): ErrorResponse {
  const resetSeconds = Math.ceil((nowMs + waitMs) / 1000)
  const retryAfter = Math.max(1, Math.ceil(waitMs / 1000))
  return {
    statusCode: 429,
    code: 'TOO_MANY_REQUESTS',
    message: `Too many requests. Please try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`,
    headers: {
      'retry-after': `${retryAfter}`,
      'x-ratelimit-limit': `${capacity}`,
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': `${resetSeconds}`,
      'x-ratelimit-retry-after': `${retryAfter}`
    },
    additions: `,"rateLimitInfo":{"limit":${capacity},"remaining":0,"resetTime":"${isoSecond(resetSeconds)}",` +
      `"retryAfter":${retryAfter}}`,
    record: Object.assign({ waitMs }, record)
  }
}

/** No stack is captured, because it adds nothing to a refusal and would be a large part of its cost. */
const Thrown = createError('THROWN', '%s', 500, Error, false)

/** For code that cannot send an answer, but can throw it. */
export const asRefusal = (answer: ErrorResponse): Refusal => Object.assign(new Thrown(answer.message), answer)

function refusal (
  statusCode: number, code: string, message: string,
  { cause, ...extra }: Partial<Pick<ErrorResponse, 'headers' | 'additions' | 'record'>> & { cause?: unknown } = {}
): Refusal {
  const error = cause === undefined ? new Thrown(message) : new Thrown(message, { cause })
  return Object.assign(error, { statusCode, code, headers: {}, additions: '', record: {} }, extra)
}

export function isRefusal (error: object): error is Refusal {
  return 'headers' in error && 'additions' in error
}
