// Logins, refusals, resets, creations and role denials are one event each, which no client-supplied text can forge.

import t, { type Test } from 'tap'
import { accountKey } from '#src/auth/username.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { newUsername, startApp } from '../../fixtures/app.js'

const { app, client, login, logs, user } = await startApp(t)

const post = (url: string, payload: object, remoteAddress = client(), token?: string) =>
  app.inject({
    method: 'POST',
    url,
    payload,
    remoteAddress,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` }
  })

/** The one line that records the event of the request that was answered last. */
function lastEvent (t: Test, reply: { headers: Record<string, unknown> }): Record<string, unknown> {
  const lines = logs.filter(line => line.reqId === reply.headers['x-request-id'] && line.event !== undefined)
  t.equal(lines.length, 1, 'one line for one event')
  t.match(lines[0], { time: String, client: /^198\.18\./ })
  return lines[0]!
}

// S92
t.test('a login that succeeds, fails or is throttled is one event, with actor, client and request', async (t) => {
  const { id, username, password } = await user()
  t.match(lastEvent(t, await login(client(), username, password)), {
    event: 'authn_login_success', actor: username, userId: id, status: 200
  })
  const failed = lastEvent(t, await login(client(), username, 'wrong horse battery'))
  t.match(failed, { event: 'authn_login_fail', actor: username, userId: id, status: 401 })

  const nobody = newUsername()
  const unknown = lastEvent(t, await login(client(), nobody, 'wrong horse battery'))
  t.match(unknown, { event: 'authn_login_fail', status: 401 })
  t.notOk('actor' in unknown, 'what may be a password in the wrong field is not in the log, not even as a hash')
  const { account } = defaultLimits.policies
  for (let i = 1; i < account.capacity; i++) await app.buckets.take(bucketOf(account, accountKey(nobody)))
  t.match(lastEvent(t, await login(client(), nobody, 'wrong horse battery')), {
    event: 'authn_login_fail_max', actor: accountKey(nobody), policy: 'account', status: 429
  })
})

// S92
t.test('exceeding a limit is an event', async (t) => {
  const address = client()
  for (let i = 0; i < 5; i++) await login(address, newUsername(), 'wrong horse battery')
  t.match(lastEvent(t, await login(address, newUsername(), 'wrong horse battery')), {
    event: 'excess_rate_limit_exceeded', policy: 'login', client: address, status: 429
  })
})

// S92
t.test('creations, role denials, revoked tokens, reset requests and failed resets are events', async (t) => {
  const name = newUsername()
  const created = await post('/auth/UserCreation', {
    username: name, password: 'a phrase of my own', email: `${name}@school.example`
  })
  t.match(lastEvent(t, created), { event: 'user_created', subject: name, status: 201 })
  const { token } = (await login(client(), name, 'a phrase of my own')).json().data
  const refused = await post('/auth/UserCreation', {
    username: newUsername(), password: 'a phrase of my own', email: 'x@school.example', role: 'ADMIN'
  }, client(), token)
  t.match(lastEvent(t, refused), { event: 'authz_fail', actor: name, userId: created.json().data.userId, status: 403 })

  const asked = await post('/auth/forgot-password', { username: name })
  t.match(lastEvent(t, asked), { event: 'authn_password_reset_request', status: 200 })
  const reset = await post('/auth/resetPassword', { token: 'A'.repeat(43), newPassword: 'another phrase of mine' })
  t.match(lastEvent(t, reset), { event: 'authn_password_change_fail', status: 400 })

  await app.db.$executeRaw`UPDATE users SET token_version = 1, tokens_revoked_at = now() WHERE username = ${name}`
  await new Promise(resolve => setTimeout(resolve, 1000))
  const me = await app.inject({
    url: '/api/auth/me', remoteAddress: client(), headers: { authorization: `Bearer ${token}` }
  })
  t.match(lastEvent(t, me), { event: 'authn_token_reuse', userId: created.json().data.userId, status: 401 })
})

t.end()
