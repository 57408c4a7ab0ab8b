// openapi.json is that of the routes, valid, and has an example of every answer.

import { readFileSync } from 'node:fs'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import openapiTypescript, { astToString } from 'openapi-typescript'
import t from 'tap'
import { startApp } from '../fixtures/app.js'
import { newDirectory } from '../fixtures/lifetime.js'

const { app, client } = await startApp(t)

interface Answer { $ref?: string, headers?: Record<string, unknown>, content?: Record<string, Examples> }
interface Examples { example?: unknown, examples?: Record<string, { value: { status: number, message: string } }> }
interface Operation { operationId: string, responses: Record<string, Answer> }
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Answer> }
}

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
const { body } = await app.inject({ url: '/docs/openapi.json', remoteAddress: client() })
const { paths, components } = JSON.parse(body) as Document

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

t.test('every status of every operation has an example, and those of the balancer are its own', (t) => {
  for (const { operationId, responses } of Object.values(paths).flatMap(methods => Object.values(methods))) {
    for (const [status, response] of Object.entries(responses)) {
      const { headers, content } = response.$ref ? components.responses[response.$ref.split('/').at(-1)!]! : response
      if (status === '304') continue
      const [{ example, examples } = {}] = Object.values(content ?? {})
      t.ok(example ?? Object.keys(examples ?? {}).length > 0, `${operationId} ${status}`)
      if (status === '405') t.ok(headers?.Allow)
    }
  }
  const balancer = read('deploy/haproxy/haproxy.cfg')
  for (const name of ['BadGateway', 'GatewayTimeout']) {
    const { status, message } = components.responses[name]!.content!['application/json']!.examples!.balancer!.value
    t.ok(balancer.includes(`"status":${status}`) && balancer.includes(`"message":"${message}"`), message)
  }
  t.end()
})

t.test('where administrators alone create users, and limits are others, the document says so', async (t) => {
  const address = { capacity: 900, refill: 90, period: '1m' }
  const general = { by: 'user', capacity: 30, refill: 3, period: '1m', address }
  const LIMITS_FILE = `${newDirectory(t, { 'limits.json': JSON.stringify({ policies: { general } }) })}/limits.json`
  const { app, client } = await startApp(t, {
    USER_CREATION: 'admin', PUBLIC_URL: 'https://login.school.example', LIMITS_FILE
  })
  const document = (await app.inject({ url: '/docs/openapi.json', remoteAddress: client() })).json()
  t.same(document.paths['/auth/UserCreation'].post.security, [{ bearer: [] }])
  t.same(document.servers, [{ url: 'https://login.school.example' }])
  const { description, 'x-rate-limit': limit } = document.paths['/api/auth/me'].get
  t.same(limit, { policy: 'general', ...general })
  t.match(description, '30 at once, then 3 every 1m, for each user with a token. The users of one address share ' +
    '900 at once, then 90 every 1m.')
})

t.end()
