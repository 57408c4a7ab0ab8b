import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import fp from 'fastify-plugin'
import { AlreadyTaken } from '../../auth/accounts.js'
import { HashQueueFull } from '../../auth/passwords.js'
import { DatabaseUnavailable, NotInEncoding } from '../../database/outage.js'
import {
  badGateway, badRequest, clientLeft, conflict, errorJson, gatewayTimeout, internalServerError, invalidBody,
  invalidQuery, isRefusal, payloadTooLarge, serviceUnavailable, unsupportedMediaType, uriTooLong,
  type ErrorClass, type ErrorResponse, type FaultyField, type Refusal
} from '../../base/errors.js'
import { inOneLine } from '../../base/text.js'
import { StoreUnavailable } from '../../limiter/bucket/bucket.js'
import { UpstreamTimeout, UpstreamUnavailable } from '../../modules/failures.js'

/** The expected failures of the core modules, and the refusal for each. */
const failures: ReadonlyArray<readonly [type: ErrorClass, refusalOf: (failure: Error) => Refusal]> = [
  [StoreUnavailable, failure => serviceUnavailable(1, failure)],
  [DatabaseUnavailable, failure => serviceUnavailable(2, failure)],
  [NotInEncoding, () => badRequest('The body has letters that the database cannot store.')],
  [HashQueueFull, failure => serviceUnavailable(2, failure)],
  [UpstreamUnavailable, badGateway],
  [UpstreamTimeout, gatewayTimeout],
  [AlreadyTaken, () => conflict('The username or the email is already in use.')]
]

/** The refusals that Fastify makes itself, by status. Fastify's own messages reveal internals. */
const fastifyRefusals: Partial<Record<number, () => Refusal>> = {
  400: () => badRequest('The body is not valid JSON.'),
  413: () => payloadTooLarge(),
  414: uriTooLong,
  415: unsupportedMediaType
}

/** Gives every error that a request throws the same shape. */
export default fp(async (app) => {
  app.setErrorHandler(sendThrown)
}, { name: 'error-shape' })

export function sendThrown (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = thrown instanceof Error ? thrown : new Error('what was thrown is no error', { cause: thrown })
  sendError(error as FastifyError, request, reply)
}

/** Also used as Fastify's `frameworkErrors`, for requests that fail before any hook. */
export function sendError (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  // The client closed the connection, or was too slow, before its body was complete. That is not an error of the
  // service.
  const cutShort = error.code === 'ECONNRESET' && request.raw.readableAborted
  const refusal = cutShort ? clientLeft() : refusalFor(error)
  const { statusCode, cause } = refusal
  // Requests that are answered before any hook have no record.
  request.record ??= {}
  // The cause of a refusal goes into the request's own log line. So a flood of refusals writes no more lines than a
  // flood of other answers.
  if (cause instanceof Error) {
    request.record.cause = inOneLine(cause.message)
  }
  if (statusCode === 500) request.log.error({ code: 'request_failed', err: error }, 'request failed')
  // The route may have allowed caching before it failed, or before its client did.
  reply.header('cache-control', 'no-store')
  sendAnswer(refusal, request, reply)
}

/** Sending an answer costs less than throwing it. */
export function sendAnswer (answer: ErrorResponse, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode, code, message, headers, additions, record } = answer
  Object.assign(request.record, record)
  request.record.code = code
  reply.code(statusCode).headers(headers).header('content-type', 'application/json; charset=utf-8')
  reply.send(errorJson(statusCode, message, request.originalUrl, additions))
}

/** An error in neither table is a bug: the answer is 500, and its stack is logged. */
function refusalFor (error: FastifyError): Refusal {
  if (isRefusal(error)) return error
  if (error.validation) return invalid(error.validation.slice(0, MAX_DETAILS), error.validationContext)
  const [, refusalOf] = failures.find(([type]) => error instanceof type) ?? []
  return refusalOf?.(error) ?? fastifyRefusal(error) ?? internalServerError()
}

function invalid (faults: FastifySchemaValidationError[], context: FastifyError['validationContext']): Refusal {
  return context === 'querystring'
    ? invalidQuery(...faults.map(fault => faultyField(fault, wordingOfQuery)))
    : invalidBody(...faults.map(fault => faultyField(fault, wording)))
}

function fastifyRefusal ({ code, statusCode }: FastifyError): Refusal | undefined {
  if (code === 'FST_ERR_CTP_EMPTY_JSON_BODY') return badRequest('The body is empty.')
  if (code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') return badRequest('The Content-Type header is missing.')
  return String(code).startsWith('FST_') ? fastifyRefusals[statusCode ?? 500]?.() : undefined
}

/** A body can have very many faults, and an answer should not be longer than its request. */
const MAX_DETAILS = 10

/** What is expected, by the JSON Schema keyword that failed. */
const wording: Record<string, (params: Record<string, unknown>) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is not known here',
  type: ({ type }) => `must be ${type === 'object' || type === 'integer' ? 'an' : 'a'} ${[type].flat().join(' or ')}`,
  minLength: ({ limit }) => limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} characters`,
  maxLength: ({ limit }) => `must have at most ${String(limit)} characters`,
  pattern: () => 'has characters that are not allowed here'
}

/** A parameter of a query is a text, or a list of texts if it occurs more than once. */
const wordingOfQuery: typeof wording = { ...wording, type: () => 'must be there only once' }

/** What Ajv adds with `verbose`: the schema of the faulty value, whose description says what its pattern means. */
interface ValidationFault extends FastifySchemaValidationError { parentSchema?: { description?: string } }

function faultyField (
  { instancePath, keyword, params, message, parentSchema }: ValidationFault, words: typeof wording
): FaultyField {
  const parent = instancePath.slice(1).replaceAll('/', '.')
  const child = params.missingProperty ?? params.additionalProperty
  const field = child === undefined ? parent || 'body' : join(parent, child)
  const rule = keyword === 'pattern' ? parentSchema?.description : undefined
  return { field, message: rule ?? words[keyword]?.(params) ?? message ?? 'is not valid' }
}

function join (parent: string, child: unknown): string {
  return parent === '' ? String(child) : `${parent}.${String(child)}`
}
