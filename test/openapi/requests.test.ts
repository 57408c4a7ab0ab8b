// Requests that are made of the document, right and wrong ones, get only answers that the document describes.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { LightMyRequestResponse } from 'fastify'
import t from 'tap'
import { newUsername, startApp } from '../fixtures/app.js'
import { generator } from '../fixtures/random.js'
import { requestFor, type Operation, type Target } from './requests.js'

const COUNT = 2000
/** So few that some of them are limited. */
const CLIENTS = 150

interface Answer { $ref?: string, headers?: Record<string, unknown>, content?: Record<string, Content> }
interface Content { schema: object, examples: Record<string, { value: { message: string } }> }
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Answer> }
}

const seed = Number(process.env.OPENAPI_SEED ?? Date.now() % 1e9)
const random = generator(seed)
const { app, client, user, login } = await startApp(t, { CORS_ORIGINS: 'https://erp.example' })
const document: Document = (await app.inject({ url: '/docs/openapi.json', remoteAddress: client() })).json()
const ajv = new Ajv2020({ strict: false, validateFormats: false, schemas: [{ ...document, $id: 'openapi' }] })
const validators = new Map<object, ValidateFunction>()

const targets = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]): Target => ({ method: method.toUpperCase(), path, operation })))
const seen = new Set<string>()

/** @returns what the document does not say of an answer. Messages of other paths are not in it */
function faultOf (
  { operation: { operationId, responses } }: Target, { statusCode, headers, body }: LightMyRequestResponse,
  isElsewhere: boolean
): string | undefined {
  if (statusCode >= 500) return `${statusCode}`
  seen.add(`${operationId} ${statusCode}`)
  const answer = resolve(responses[statusCode] as Answer | undefined)
  if (!answer) return `${statusCode} is not there`
  for (const name of Object.keys(answer.headers ?? {})) {
    if (headers[name.toLowerCase()] === undefined) return `${statusCode} has no ${name}`
  }
  const [content] = Object.entries(answer.content ?? {})
  if (!content) return body === '' ? undefined : `${statusCode} has a body`
  const [type, { schema, examples }] = content
  if (!String(headers['content-type']).startsWith(type)) return `${statusCode} is ${String(headers['content-type'])}`
  const validate = validatorOf(schema)
  const value: unknown = type === 'application/json' ? JSON.parse(body) : body
  if (!validate(value)) return `${statusCode}: ${ajv.errorsText(validate.errors)}`
  if (statusCode < 400 || isElsewhere) return
  const text = textOf(value as { message: string })
  const hasExample = Object.values(examples).some(({ value }) => textOf(value) === text)
  return hasExample ? undefined : `${statusCode} has no example of: ${text}`
}

/** Without the seconds of a 429 and the methods of a 405. */
const textOf = ({ message }: { message: string }): string => message.replace(/\d+ seconds?|\b[A-Z]+\b(, )?/g, '')

function resolve (answer: Answer | undefined): Answer | undefined {
  return answer?.$ref ? document.components.responses[answer.$ref.split('/').at(-1)!] : answer
}

function validatorOf (schema: object): ValidateFunction {
  const validator = validators.get(schema) ?? ajv.compile({ $id: `schema${validators.size}`, ...absolute(schema) })
  validators.set(schema, validator)
  return validator
}

/** A reference within the document means the same in a schema that was taken out of it. */
const absolute = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', '"$ref":"openapi#')) as object

t.test(`of ${COUNT} requests none gets a 5xx or an answer beside the document (OPENAPI_SEED=${seed})`, async (t) => {
  const { id, username, password } = await user()
  const token = (await login(client(), username, password)).json().data.token as string
  const known = {
    credentials: { username, password },
    tokenFor: (operationId: string) => operationId === 'logout'
      ? app.issueToken({ id, username, role: 'USER', userType: 'STUDENT', tokenVersion: 0 })
      : token,
    etag: String((await app.inject({ url: '/.well-known/jwks.json', remoteAddress: client() })).headers.etag),
    newUsername
  }
  const clients = Array.from({ length: CLIENTS }, client)
  const faults: string[] = []
  // Requests that meet too few kinds of answers would show little. Chance may leave one of them to later requests.
  const expected = [
    'login 200', 'login 400', 'login 401', 'getMe 200', 'getMe 401', 'createUser 201', 'createUser 400',
    'createUser 401', 'createUser 409', 'forgotPassword 200', 'forgotPassword 429', 'resetPassword 400',
    'showResetPage 200', 'getKeys 200', 'getKeys 304', 'changePassword 400', 'changePassword 401', 'refresh 200',
    'refresh 429', 'listSessions 200', 'endSession 404', 'logout 200', 'logout 401', 'logout 415'
  ]
  const isMissing = (): boolean => expected.some(answer => !seen.has(answer))
  for (let i = 0; i < COUNT || (isMissing() && i < 5 * COUNT); i++) {
    const target = targets[i % targets.length]!
    const request = requestFor(target, random, known)
    const answer = await app.inject({ ...request, remoteAddress: clients[Math.floor(random() * CLIENTS)]! })
    const fault = faultOf(target, answer, String(request.url).endsWith('/nowhere'))
    if (fault === undefined) continue
    faults.push(`${target.operation.operationId} ${JSON.stringify(request).slice(0, 400)}: ${fault}`)
  }
  t.same(faults, [])
  t.comment([...seen].sort().join(', '))
  for (const answer of expected) t.ok(seen.has(answer), answer)
  for (const status of [403, 404, 405, 413, 415]) {
    t.ok([...seen].some(answer => answer.endsWith(` ${status}`)), String(status))
  }
})

t.end()
