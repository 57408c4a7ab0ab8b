import { STATUS_CODES } from 'node:http'
import type { FastifySchema } from 'fastify'
import type { Config } from '../config/config.js'
import { tooManyRequests } from '../base/errors.js'
import { version } from '../base/version.js'
import type { Policy } from '../limiter/bucket/bucket.js'
import { limitText, numbersOf, type AddressPolicy, type Limits } from '../limiter/limits/policies.js'
import {
  errorExample, ErrorSchema, headerDescriptions, headersByStatus, type HeaderName, type RefusalExamples
} from './error-responses.js'
import type { Operation } from './operations.js'
import { bodyRefusals, commonRefusals, originRefusals, sharedBodyRefusals, sharedRefusals } from './refusals.js'

export interface DocumentedRoute {
  method: string
  url: string
  policy: AddressPolicy
  anyOrigin: boolean
  schema: FastifySchema
  operation: Operation
}

const description = `Login, tokens and users of a school ERP.

Every request takes a token from a bucket of its client, which is an IPv4 address or an IPv6 network (/64 by default). A
client that waits as long as a 429 says is admitted. Every error has the same shape. An unknown path gets 404. A known
path with another method gets 405, with the header \`Allow\`. An operation below gets either only if another release or
a proxy has changed its path or method. Paths of modules, such as \`/api/student/…\`, get 404 if the module is not
there; their other answers are the module's.`

/**
 * The API as an OpenAPI 3.1 document. TypeBox and OpenAPI 3.1 both use JSON Schema 2020-12, so the schemas of the
 * routes are in it unchanged.
 */
export function createOpenapiDocument (
  routes: readonly DocumentedRoute[], config: Config, limits: Limits = config.limits
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const { method, operation } = route
    const [url, ...aliases] = routes.filter(other => other.operation === operation).map(({ url }) => url)
    if (route.url !== url) continue
    const path = url!.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(route, aliases, config, limits) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'gatehouse',
      version,
      description,
      license: { name: 'UNLICENSED', identifier: 'LicenseRef-Unlicensed' }
    },
    servers: [{ url: config.publicOrigin ?? '/' }],
    tags: [
      { name: 'Login', description: 'Logging in, and whose token it is.' },
      { name: 'Sessions', description: 'What logins have begun.' },
      { name: 'Accounts', description: 'Users and their passwords.' },
      { name: 'Keys', description: 'For others who verify tokens.' }
    ],
    paths,
    components: {
      schemas: { Error: ErrorSchema },
      responses: Object.fromEntries(
        Object.entries(responsesOf('/api/auth/login', { ...sharedRefusals, ...sharedBodyRefusals }))
          .map(([status, response]) => [nameOf(status), response])
      ),
      headers: headerDescriptions,
      securitySchemes: {
        bearer: {
          type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token that a login returns.'
        }
      }
    }
  }
}

function describe (route: DocumentedRoute, aliases: string[], config: Config, limits: Limits): object {
  const { method, url, policy, anyOrigin, schema, operation } = route
  const { address, ...own } = limits.policies[policy]!
  const { capacity, periodMs, refill } = own
  const limit = `**Limit** \`${policy}\`: ${sentenceOf(own)}` +
    (address ? `, for each user with a token. The users of one address share ${sentenceOf(address)}.` : '.')
  const paragraphs = [operation.description, ...aliases.map(other => `It is also at \`${other}\`.`), limit]
  const tooMany = tooManyRequests({ capacity, waitMs: periodMs / refill }, {})
  const hasBody = schema.body !== undefined
  const refusals = merge(
    commonRefusals(tooMany),
    anyOrigin ? {} : originRefusals,
    method === 'GET' ? {} : bodyRefusals(hasBody),
    operation.refusals ?? {}
  )
  const everywhere = { ...sharedRefusals, ...method !== 'GET' && sharedBodyRefusals }
  const both = Object.fromEntries(Object.entries(everywhere).filter(([status]) => status in refusals))
  return {
    operationId: operation.operationId,
    summary: operation.summary,
    description: paragraphs.filter(text => text !== undefined).join('\n\n'),
    tags: [operation.tag],
    security: securityOf(operation, config),
    'x-rate-limit': { policy, ...numbersOf(own), ...address && { by: 'user', address: numbersOf(address) } },
    ...parametersOf(url, operation),
    ...hasBody && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: schema.body, examples: named(operation.requests ?? {}) } }
      }
    },
    responses: {
      ...successes(schema, operation),
      ...shared(everywhere),
      ...responsesOf(url, merge(refusals, both))
    }
  }
}

function parametersOf (url: string, { success }: Operation): object {
  const schema = { type: 'string' }
  const ofPath = [...url.matchAll(/:(\w+)/g)].map(([, name]) => ({ name, in: 'path', required: true, schema }))
  const description = 'The ETag of the version that the client has.'
  const parameters = success.cached ? [...ofPath, { name: 'If-None-Match', in: 'header', description, schema }] : ofPath
  return parameters.length > 0 ? { parameters } : {}
}

const sentenceOf = (policy: Policy): string => limitText(numbersOf(policy))

function securityOf ({ operationId, token }: Operation, { userCreation }: Config): object[] {
  const required = token === 'required' || (operationId === 'createUser' && userCreation === 'admin')
  if (required) return [{ bearer: [] }]
  return token === 'optional' ? [{}, { bearer: [] }] : []
}

function successes (schema: FastifySchema, { success }: Operation): object {
  const [[status, ofRoute]] = Object.entries(schema.response ?? { 200: undefined }) as [[string, object | undefined]]
  const { type, schema: content } = success.content ?? { type: 'application/json', schema: ofRoute }
  const caching = success.cached && {
    ETag: { description: 'The version of the answer.', schema: { type: 'string' }, example: '"3q2-7w"' },
    'Cache-Control': {
      description: 'How long the answer may be kept.', schema: { type: 'string' }, example: 'public, max-age=300'
    }
  }
  return {
    [status]: {
      description: success.description,
      headers: { ...references(['X-Request-Id']), ...caching },
      content: { [type]: { schema: content, example: success.example } }
    },
    ...caching && {
      304: {
        description: 'The client has the newest version.', headers: { ...references(['X-Request-Id']), ...caching }
      }
    }
  }
}

function merge (...tables: RefusalExamples[]): RefusalExamples {
  const merged: RefusalExamples = {}
  for (const table of tables) {
    for (const [status, answers] of Object.entries(table)) {
      merged[Number(status)] = { ...merged[Number(status)], ...answers }
    }
  }
  return merged
}

/** By status, with every answer as an example. */
function responsesOf (path: string, refusals: RefusalExamples): Record<string, object> {
  return Object.fromEntries(Object.entries(refusals).map(([status, answers]) => [status, {
    description: `${STATUS_CODES[status]}.`,
    headers: references(['X-Request-Id', ...headersByStatus[Number(status)] ?? []]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: named(Object.fromEntries(
          Object.entries(answers).map(([name, answer]) => [name, errorExample(answer, path)])
        ))
      }
    }
  }]))
}

const shared = (refusals: RefusalExamples): object =>
  Object.fromEntries(Object.keys(refusals).map(status => [
    status, { $ref: `#/components/responses/${nameOf(status)}` }
  ]))

/** `RequestTimeout` for 408. */
const nameOf = (status: string): string => STATUS_CODES[status]!.replace(/[^A-Za-z]/g, '')

const named = (values: Record<string, object>): object =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }]))

const references = (names: HeaderName[]): object =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
