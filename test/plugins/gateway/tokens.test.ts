// A module that asks for it gets a token of its own, which it verifies by the public keys.

import { createLocalJWKSet, jwtVerify } from 'jose'
import t from 'tap'
import { startApp } from '../../fixtures/app.js'
import { newKeyPair } from '../../fixtures/keys.js'
import { startUpstream } from '../../fixtures/upstream.js'

/** Half of the minute of a token. */
const REUSED_FOR_SECONDS = 30

const upstream = await startUpstream(t)
const key = newKeyPair('ec', { namedCurve: 'P-256' }).privateKey
const { app, client, login, user } = await startApp(t, {
  JWT_PRIVATE_KEY: String(key.export({ type: 'pkcs8', format: 'pem' })),
  MODULES: `/api/student=${upstream.url};token=own,/api/employee=${upstream.url};token=own`
})

t.test('a module gets a token of a minute for itself alone, which it can verify by the public keys', async (t) => {
  const { id, username, password } = await user()
  const { token } = (await login(client(), username, password)).json().data
  const ask = async (url: string, bearer = token) =>
    await app.inject({ url, remoteAddress: client(), headers: { authorization: `Bearer ${bearer}` } })
  const tokenAt = async (url: string): Promise<string> =>
    (await ask(url)).json().headers.authorization.replace('Bearer ', '')
  const own = await tokenAt('/api/student/1')
  const keys = createLocalJWKSet((await app.inject('/.well-known/jwks.json')).json())
  const { payload } = await jwtVerify(own, keys, { issuer: 'gatehouse', audience: 'student', algorithms: ['ES256'] })
  t.match(payload, { sub: String(id), name: username, role: 'USER', userType: 'STUDENT', aud: 'student' })
  t.equal(payload.exp! - payload.iat!, 60 + 2 * 30)
  t.equal(await tokenAt('/api/student/2'), own, 'one signature serves for a while')

  const others = await tokenAt('/api/employee/1')
  await t.rejects(jwtVerify(others, keys, { audience: 'student' }))
  for (const url of ['/api/auth/me', '/api/student/1', '/api/employee/1']) {
    t.equal((await ask(url, own)).statusCode, 401, `${url} takes no token of a module`)
  }
})

t.test('a module whose clock is 30 s slow or fast accepts its token, for as long as one is used again', async (t) => {
  const { username, password } = await user()
  const { token } = (await login(client(), username, password)).json().data
  const headers = { authorization: `Bearer ${token}` }
  const answer = await app.inject({ url: '/api/student/1', remoteAddress: client(), headers })
  const { authorization } = answer.json().headers
  const keys = createLocalJWKSet((await app.inject('/.well-known/jwks.json')).json())

  // jose looks at `iat` only if there is a greatest age.
  for (const seconds of [-30, 0, 30, REUSED_FOR_SECONDS + 30]) {
    const currentDate = new Date(Date.now() + seconds * 1000)
    const { payload } = await jwtVerify(authorization.slice('Bearer '.length), keys, { currentDate, maxTokenAge: '1h' })
    t.ok(payload, `${seconds} s from our clock`)
  }
})

t.end()
