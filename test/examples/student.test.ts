// The example module, as a process behind gatehouse, admits students and trusts only gatehouse about who the user is.

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { startApp } from '../fixtures/app.js'
import { end } from '../fixtures/lifetime.js'
import { newDatabase } from '../fixtures/shared-postgres.js'

const program = fileURLToPath(new URL('../../examples/student/server.js', import.meta.url))
const asha = { name: 'Asha Verma', dateOfBirth: '2008-02-29', programme: 'Physics' }

/** @returns its URL */
async function startStudent (t: Test): Promise<string> {
  const child = spawn(process.execPath, [program], {
    env: { DATABASE_URL: await newDatabase(), PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit']
  })
  t.after(() => end(child, 'SIGTERM'))
  return await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { msg } = JSON.parse(line) as { msg: unknown }
      const [, url] = /^Server listening at (.*)/.exec(String(msg)) ?? []
      if (url) resolve(url)
    })
    child.once('exit', code => reject(new Error(`the module ended with ${code}`)))
  })
}

const student = await startStudent(t)
const { app, client, user } = await startApp(t, {
  MODULES: `/api/student=${student}`, TRUST_PROXY: '127.0.0.0/8'
})
const gatehouse = await app.listen({ port: 0, host: '127.0.0.1' })

interface Question {
  body?: unknown
  token?: string
  from?: string
  headers?: Record<string, string>
}

/** A GET, or a POST if there is a body. By default each request comes from a new client. */
async function ask (path: string, { body, token, from = client(), headers = {} }: Question = {}) {
  const response = await fetch(gatehouse + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-forwarded-for': from,
      ...body !== undefined && { 'content-type': 'application/json' },
      ...token !== undefined && { authorization: `Bearer ${token}` },
      ...headers
    },
    ...body !== undefined && { body: JSON.stringify(body) }
  })
  return { status: response.status, headers: response.headers, body: await response.json() as Record<string, any> }
}

/** A user who has logged in. */
async function newUser (role = 'USER'): Promise<{ id: number, token: string }> {
  const { id, username, password } = await user()
  await app.db.user.update({ where: { id }, data: { role } })
  const { body } = await ask('/api/auth/login', { body: { username, password } })
  return { id, token: body.data.token }
}

const [someone, other, head] = [await newUser(), await newUser(), await newUser('ADMIN')]
const admit = async (body: unknown, question: Question = {}) =>
  await ask('/api/student/admission', { body, token: someone.token, ...question })

t.test('a user admits a student and reads it; other users do not see it, an administrator does', async (t) => {
  const { status, headers, body } = await admit(asha)
  t.equal(status, 201)
  t.match(body, { success: true, status: 201, data: { id: Number } })
  const path = `/api/student/${body.data.id}`
  t.equal(headers.get('location'), path)
  const read = await ask(path, { token: someone.token })
  t.equal(read.status, 200)
  t.equal(read.headers.get('cache-control'), 'no-store')
  t.same(read.body.data, { ...asha, id: body.data.id, admittedBy: someone.id })
  t.equal((await ask(path, { token: head.token })).status, 200)
  t.match(await ask(path, { token: other.token }), { status: 404, body: { error: 'Not Found', path } })
  for (const id of ['0', '999999999', '1234567890', 'x']) {
    t.equal((await ask(`/api/student/${id}`, { token: someone.token })).status, 404, id)
  }
})

t.test('a request that bypasses gatehouse is refused, unless it forges gatehouse\'s headers', async (t) => {
  t.equal((await fetch(`${student}/api/student/1`)).status, 401)
  // This is why a module must have a network of its own.
  t.equal((await fetch(`${student}/api/student/999999999`, { headers: { 'X-User-Id': '1' } })).status, 404)
  t.same(await (await fetch(`${student}/healthz`)).json(), { ok: true })
})

t.end()
