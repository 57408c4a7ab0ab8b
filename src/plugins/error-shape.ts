import { STATUS_CODES } from 'node:http'
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import fp from 'fastify-plugin'
import { clientLeft, errorBody, invalidBody, isRefusal, type FaultyField, type Refusal } from '../errors.js'

/** What is said of the refusals that Fastify makes itself; its own sentences name internals. */
const sentences: Record<number, string> = {
  400: 'The body is not valid JSON.',
  413: 'The body is too large: at most 16 KiB are accepted.',
  414: 'The path is too long.',
  415: 'Send the body as application/json, encoded in UTF-8.',
  500: 'Something went wrong on our side. Please try again later.',
  503: 'The service cannot answer right now. Please try again in a few seconds.'
}

/** Gives everything that is thrown on the way of a request the one shape. */
export default fp(async (app) => {
  app.setErrorHandler(sendThrown)
}, { name: 'error-shape' })

export function sendThrown (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = thrown instanceof Error ? thrown : new Error('what was thrown is no error', { cause: thrown })
  sendError(error as FastifyError, request, reply)
}

/** Also Fastify's `frameworkErrors`, for requests that do not get as far as a hook. */
export function sendError (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  // The client hung up, or was too slow, before its body was complete. That is no fault of ours.
  const cutShort = error.code === 'ECONNRESET' && request.raw.readableAborted
  const { status, code, message, headers = {}, additions } = describe(cutShort ? clientLeft() : error)
  request.code = code
  // A refusal says why in the request's own line: a flood of them must not write more than a flood of answers.
  if (isRefusal(error)) request.cause = error.cause instanceof Error ? error.cause.message.replace(/\s+/g, ' ').trim() : undefined
  else if (status >= 500) request.log.error({ err: error }, 'request failed')
  reply.code(status).headers(headers).send({ ...errorBody(status, message, request.originalUrl), ...additions })
}

interface Described { status: number, code: string, message: string, headers?: Refusal['headers'], additions?: object }

function describe (error: FastifyError): Described {
  if (error.validation) return describe(invalidBody(...error.validation.slice(0, MAX_DETAILS).map(faultyField)))
  if (isRefusal(error)) {
    return { status: error.statusCode, code: error.code, message: error.message, headers: error.headers, additions: error.additions }
  }
  // Fastify's own errors keep their status but not their words, and everything else is a fault of ours.
  const status = error.code?.startsWith('FST_') && error.statusCode !== undefined ? error.statusCode : 500
  const message = error.code === 'FST_ERR_CTP_EMPTY_JSON_BODY' ? 'The body is empty.' : sentences[status] ?? sentences[500]!
  return { status, code: codeOf(status), message }
}

/** The code of what Fastify refuses, made like those of errors.ts: 413 is PAYLOAD_TOO_LARGE. */
const codeOf = (status: number): string => STATUS_CODES[status]!.toUpperCase().replaceAll(/\W+/g, '_')

/** A body can have more faults than anyone wants to read, and an answer should not be longer than its request. */
const MAX_DETAILS = 10

/** What would be right, by the keyword of JSON Schema that says it is not. */
const wording: Record<string, (params: Record<string, unknown>) => string> = {
  required: () => 'is required',
  additionalProperties: () => 'is not known here',
  type: ({ type }) => `must be ${type === 'object' || type === 'integer' ? 'an' : 'a'} ${[type].flat().join(' or ')}`,
  minLength: ({ limit }) => limit === 1 ? 'must not be empty' : `must have at least ${String(limit)} characters`,
  maxLength: ({ limit }) => `must have at most ${String(limit)} characters`,
  pattern: () => 'has characters that are not allowed here'
}

/** What Ajv adds with `verbose`: the schema of the faulty value, whose description says what its pattern means. */
interface ValidationFault extends FastifySchemaValidationError { parentSchema?: { description?: string } }

function faultyField ({ instancePath, keyword, params, message, parentSchema }: ValidationFault): FaultyField {
  const parent = instancePath.slice(1).replaceAll('/', '.')
  const child = params.missingProperty ?? params.additionalProperty
  const field = child === undefined ? parent || 'body' : join(parent, child)
  const rule = keyword === 'pattern' ? parentSchema?.description : undefined
  return { field, message: rule ?? wording[keyword]?.(params) ?? message ?? 'is not valid' }
}

function join (parent: string, child: unknown): string {
  return parent === '' ? String(child) : `${parent}.${String(child)}`
}
