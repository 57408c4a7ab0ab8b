#!/usr/bin/env bash
# @fastify/swagger 9.9.3 with fastify 5.12.8.
# Expected: a `transform` may give a status a Response Object, since `content` with its examples and `description` come
# through as they are. A reference to a shared response under `components.responses` is a Response Object, too.
# Seen: the reference becomes the schema of an answer in JSON: `content["application/json"].schema.$ref` names a
# response, which is no schema, and the status has the description "Default Response".
#   429 examples ["one","two"]
#   408 {"application/json":{"schema":{"$ref":"#/components/responses/RequestTimeout"}}} Default Response
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund @fastify/swagger@9.9.3 fastify@5.12.8 > /dev/null
cat > document.mjs << 'JS'
import swagger from '@fastify/swagger'
import fastify from 'fastify'

const json = { schema: { type: 'object' } }
const response = {
  429: { description: 'Too many requests.', content: {
    'application/json': { ...json, examples: { one: { value: { status: 429 } }, two: { value: { status: 429 } } } }
  } },
  408: { $ref: '#/components/responses/RequestTimeout' }
}
const app = fastify()
await app.register(swagger, {
  openapi: {
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    components: { responses: { RequestTimeout: { description: 'Too slow.', content: { 'application/json': json } } } }
  },
  transform: ({ schema, url }) => ({ url, schema: { ...schema, response } })
})
app.get('/x', {}, async () => ({}))
await app.ready()
const { responses } = app.swagger().paths['/x'].get
console.log('429 examples', JSON.stringify(Object.keys(responses[429].content['application/json'].examples)))
console.log('408', JSON.stringify(responses[408].content), responses[408].description)
JS
node document.mjs | tee seen
diff seen - << 'TEXT'
429 examples ["one","two"]
408 {"application/json":{"schema":{"$ref":"#/components/responses/RequestTimeout"}}} Default Response
TEXT
