import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify'
import fp from 'fastify-plugin'
import { badRequest, errorBody, invalidBody, isRefusal, type FaultyField, type Refusal } from '../errors.js'

/** What is said of the refusals that Fastify makes itself; its own sentences name internals. */
const sentences: Record<number, string> = {
  400: 'The body is not valid JSON.',
  408: 'The request took too long to arrive.',
  413: 'The body is too large: at most 16 KiB are accepted.',
  414: 'The path is too long.',
  415: 'Send the body as application/json, encoded in UTF-8.',
  431: 'The request headers are too large: at most 16 KiB are accepted.',
  500: 'Something went wrong on our side. Please try again later.',
  503: 'The service cannot answer right now. Please try again in a few seconds.'
}

/** Gives everything that is thrown on the way of a request the one shape. */
export default fp(async (app) => {
  app.setErrorHandler((thrown: unknown, request, reply) => {
    const error = thrown instanceof Error ? thrown : new Error('what was thrown is no error', { cause: thrown })
    sendError(error as FastifyError, request, reply)
  })

  // By default Node itself answers an unknown expectation (417) with an empty body; RFC 9110 lets a server ignore one.
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    app.server.emit('request', request, response)
  })

  // And hangs up on CONNECT, without a word.
  app.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    answerOn(socket, 400, 'This service is no proxy.')
  })
}, { name: 'error-shape' })

/** Also Fastify's `frameworkErrors`, for requests that do not get as far as a hook. */
export function sendError (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  // The client hung up, or was too slow, before its body was complete: nobody reads the answer, and it is no fault of ours.
  const cutShort = error.code === 'ECONNRESET' && request.raw.readableAborted
  const { status, message, headers = {}, additions } = describe(cutShort ? badRequest('The body is not complete.') : error)
  // A refusal says why in the request's own line: a flood of them must not write more than a flood of answers.
  if (isRefusal(error)) request.cause = error.cause instanceof Error ? error.cause.message.replace(/\s+/g, ' ').trim() : undefined
  else if (status >= 500) request.log.error({ err: error }, 'request failed')
  reply.code(status).headers(headers).send({ ...errorBody(status, message, request.originalUrl), ...additions })
}

function describe (error: FastifyError): { status: number, message: string, headers?: Refusal['headers'], additions?: object } {
  if (error.validation) return describe(invalidBody(...error.validation.slice(0, MAX_DETAILS).map(faultyField)))
  if (isRefusal(error)) return { status: error.statusCode, message: error.message, headers: error.headers, additions: error.additions }
  // Fastify's own errors keep their status but not their words, and everything else is a fault of ours.
  const status = error.code?.startsWith('FST_') && error.statusCode !== undefined ? error.statusCode : 500
  const message = error.code === 'FST_ERR_CTP_EMPTY_JSON_BODY' ? 'The body is empty.' : sentences[status] ?? sentences[500]!
  return { status, message }
}

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

/** How long a client that sent nonsense may take to read the answer. */
const LINGER_MS = 1000

/** Fastify's `clientErrorHandler`: what Node's HTTP parser refuses gets the one shape too, and then the door. */
export function answerClientError (error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  answerOn(socket, status, status === 400 ? 'The request is not valid HTTP.' : sentences[status]!)
}

/** An answer to what never became a request, and the end of its connection. */
function answerOn (socket: Socket, status: number, message: string): void {
  const body = JSON.stringify(errorBody(status, message, ''))
  socket.end([
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '', body
  ].join('\r\n'))
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
