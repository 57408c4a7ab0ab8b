import { Type, type TObject } from 'typebox'
import { errorJson, type ErrorResponse } from '../base/errors.js'

export const ErrorSchema: TObject = Type.Object({
  timestamp: Type.String({ format: 'date-time' }),
  status: Type.Integer({ minimum: 400, maximum: 599 }),
  error: Type.String({ description: 'The name of the status.' }),
  message: Type.String({ description: 'A sentence that may be shown to the user.' }),
  path: Type.String({ description: 'The path of the request, without its query.' }),
  details: Type.Optional(Type.Array(
    Type.Object({ field: Type.String(), message: Type.String() }, { additionalProperties: false }),
    { description: 'The fields that are not valid, at most 10 faults. In a 400, and a temporary password in a 403.' }
  )),
  rateLimitInfo: Type.Optional(Type.Object({
    limit: Type.Integer({ minimum: 1, description: 'The capacity of the bucket.' }),
    remaining: Type.Literal(0),
    resetTime: Type.String({ format: 'date-time', description: 'When the next token comes.' }),
    retryAfter: Type.Integer({ minimum: 1, description: 'Seconds until then.' })
  }, { additionalProperties: false, description: 'Only in a 429.' }))
}, { additionalProperties: false })

/** The answers by status, and for each status by name. */
export type RefusalExamples = Record<number, Record<string, ErrorResponse>>

/** A fixed time for the answers of the examples, so that the document is always the same. */
const exampleTime = '2026-11-22T08:00:00.000Z'

/** The body of an answer as a client gets it. */
export function errorExample (
  { statusCode, message, additions }: ErrorResponse, path: string
): Record<string, unknown> {
  const body = JSON.parse(errorJson(statusCode, message, path, additions)) as { rateLimitInfo?: { retryAfter: number } }
  if (!body.rateLimitInfo) return { ...body, timestamp: exampleTime }
  const resetTime = new Date(Date.parse(exampleTime) + body.rateLimitInfo.retryAfter * 1000).toISOString()
  return { ...body, timestamp: exampleTime, rateLimitInfo: { ...body.rateLimitInfo, resetTime } }
}

const integer = (description: string, example: number) => ({
  description, schema: Type.Integer({ minimum: 0 }), example
})
const text = (description: string, example: string) => ({ description, schema: Type.String(), example })

export const headerDescriptions = {
  'X-Request-Id': text(
    'The request\'s name in the log. A client may send its own.', '0198f3c2-7d11-7a52-9c0e-6d1f0a2b3c4d'
  ),
  'Retry-After': integer('Seconds until a request like this one may be sent again.', 60),
  'X-RateLimit-Limit': integer('The capacity of the bucket.', 5),
  'X-RateLimit-Remaining': integer('The tokens that are left: none.', 0),
  'X-RateLimit-Reset': integer('When the next token comes, in seconds of Unix time.', 1795334460),
  'X-RateLimit-Retry-After': integer('Seconds until then.', 60),
  'WWW-Authenticate': text('How to authenticate.', 'Bearer'),
  Allow: text('The methods that the path answers to.', 'POST')
}

export type HeaderName = keyof typeof headerDescriptions

/** The headers of answers with a status, in addition to those of every answer. */
export const headersByStatus: Record<number, HeaderName[]> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-RateLimit-Retry-After'],
  503: ['Retry-After']
}
