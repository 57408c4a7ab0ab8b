// A login is one event, which no client-supplied text can forge. Other events are in the files of their operations.

import t, { type Test } from 'tap'
import { accountKey } from '#src/auth/username.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { newUsername, startApp } from '../../fixtures/app.js'

const { app, client, login, logs, user } = await startApp(t)

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

t.end()
