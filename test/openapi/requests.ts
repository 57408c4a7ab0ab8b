import type { InjectOptions } from 'fastify'

/** What the document says of one operation, as far as requests are made of it. */
export interface Operation {
  operationId: string
  security: object[]
  parameters?: Array<{ name: string }>
  requestBody?: { content: Record<string, { schema: Schema, examples: Record<string, { value: object }> }> }
  responses: Record<string, unknown>
}

interface Schema { properties: Record<string, object> }

export interface Target { method: string, path: string, operation: Operation }

/** Values that the document cannot contain, so that some requests succeed. */
export interface Known {
  credentials: { username: string, password: string }
  /** A request for this operation may end the token. */
  tokenFor: (operationId: string) => string
  etag: string
  newUsername: () => string
}

const texts = [
  '', ' ', 'a', 'asha', 'ASHA', 'ADMIN', 'asha@school.example', 'not@an@address', 'x'.repeat(80), 'x'.repeat(300),
  'é\u202e', '\0', '\ud800', '🙂🙂🙂🙂🙂🙂🙂🙂', '../..', '__proto__'
]
const values: unknown[] = [...texts, null, true, 0, -1, 1e308, [], ['asha'], {}, { $gt: '' }]
const otherBodies = [
  '', '{', '[]', 'null', '"text"', '{"a":1}}', '{"__proto__":{"role":"ADMIN"}}', '\ufeff{}',
  `{"username":"${'x'.repeat(17_000)}"}`
]
const contentTypes = [
  'text/plain', 'application/xml', 'application/json; charset=latin1', 'application/json;charset=UTF-8',
  'multipart/form-data', 'application/x-www-form-urlencoded'
]

/**
 * A request for an operation: often as the document's examples have it, otherwise with faults.
 *
 * @param random from 0 to 1
 */
export function requestFor ({ method, path, operation }: Target, random: () => number, known: Known): InjectOptions {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const sometimes = (share: number): boolean => random() < share
  const headers: Record<string, string> = {}
  if (sometimes(0.05)) headers.origin = pick(['https://foreign.example', 'null', 'https://erp.example'])
  if (sometimes(operation.security.length > 0 ? 0.6 : 0.1)) {
    headers.authorization = pick([`Bearer ${known.tokenFor(operation.operationId)}`, 'Bearer eyJ', 'Basic YTpi', ''])
  }
  if (operation.parameters && sometimes(0.5)) headers['if-none-match'] = pick(['"x"', 'W/"y"', known.etag])
  const request = {
    method: (sometimes(0.02) ? pick(['PUT', 'PATCH', 'DELETE', method === 'GET' ? 'POST' : 'GET']) : method) as 'GET',
    url: sometimes(0.1) ? `${path}${pick(['?a=1', '?a=%zz', '?', '/nowhere'])}` : path,
    headers
  }
  const json = operation.requestBody?.content['application/json']
  if (!json && sometimes(0.8)) return request

  headers['content-type'] = sometimes(json ? 0.05 : 0.5) ? pick(contentTypes) : 'application/json'
  if (!json) return { ...request, payload: pick(otherBodies) }
  return {
    ...request,
    payload: sometimes(0.1)
      ? pick(otherBodies)
      : JSON.stringify(body(json.schema, pick(Object.values(json.examples)).value))
  }

  function body (schema: Schema, example: object): object {
    const fields: Record<string, unknown> = { ...example }
    if ('email' in fields) fields.email = `${known.newUsername()}@school.example`
    if ('username' in fields) fields.username = known.newUsername()
    if ('password' in fields && sometimes(0.2)) Object.assign(fields, known.credentials)
    for (const name of [...Object.keys(schema.properties), 'unknown']) {
      if (sometimes(0.85)) continue
      if (sometimes(0.3)) delete fields[name]
      else fields[name] = pick(values)
    }
    return fields
  }
}
