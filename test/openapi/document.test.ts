import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import openapiTypescript, { astToString } from 'openapi-typescript'
import t from 'tap'
import { startApp } from '../fixtures/app.js'

const { app, client } = await startApp(t)

interface Operation { operationId: string, responses: Record<string, unknown> }
interface Document { paths: Record<string, Record<string, Operation>> }

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
const { body } = await app.inject({ url: '/docs/openapi.json', remoteAddress: client() })
const { paths } = JSON.parse(body) as Document

t.test('openapi.json and the types of the client are those of the routes: otherwise, npm run openapi', async (t) => {
  t.equal(read('openapi.json'), `${body}\n`)
  t.ok(read('examples/client/gatehouse.d.ts').endsWith(astToString(await openapiTypescript(body))))
})

t.test('Redocly\'s recommended rules find no fault in it, and every example fits its schema', async (t) => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: { 'no-invalid-media-type-examples': 'error', 'no-invalid-schema-examples': 'error' }
  })
  const problems = await lintFromString({ source: body, config })
  t.same(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`), [])
})

t.test('every operation has a name of its own and says what happens if it is asked too often', async (t) => {
  const operations = Object.values(paths).flatMap(methods => Object.values(methods))
  t.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
  for (const { operationId, responses } of operations) {
    t.match(operationId, /^[a-z][A-Za-z]+$/)
    for (const status of [400, 408, 414, 429, 431, 500, 503]) t.ok(responses[status], `${operationId} ${status}`)
  }
})

t.test('where administrators alone create users, and limits are others, the document says so', async (t) => {
  const { app, client } = await startApp(t, { USER_CREATION: 'admin', PUBLIC_URL: 'https://login.school.example' })
  const document = (await app.inject({ url: '/docs/openapi.json', remoteAddress: client() })).json()
  t.same(document.paths['/auth/UserCreation'].post.security, [{ bearer: [] }])
  t.same(document.servers, [{ url: 'https://login.school.example' }])
})

t.end()
