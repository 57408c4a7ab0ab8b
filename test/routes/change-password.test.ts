// Who knows the current password sets another one, without a token. A guess costs what a failed login costs.

import t from 'tap'
import { linkTokenHash } from '#src/mail/link-tokens.js'
import { accountKey } from '#src/auth/username.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { startApp } from '../fixtures/app.js'
import { seriesOf } from '../fixtures/metrics.js'

const { app, client, login, logs, user } = await startApp(t)
const [url, newPassword] = ['/auth/changePassword', 'staple battery horse']

const change = async (body: object, remoteAddress = client(), at = url) =>
  await app.inject({ method: 'POST', url: at, remoteAddress, payload: { newPassword, ...body } })

const temporary = async () => {
  const one = await user()
  await app.db.user.update({ where: { id: one.id }, data: { passwordTemporary: true } })
  return one
}

t.test('a change sets the password, revokes tokens and links, and is announced, logged and counted', async (t) => {
  const { id, username, password } = await user()
  // The mail of a user without an address is dropped as soon as a worker sees it.
  const email = `${username}@school.example`
  await app.db.user.update({ where: { id }, data: { email, resetTokenHash: linkTokenHash('x'.repeat(43))! } })
  const remoteAddress = client()

  const reply = await change({ username, currentPassword: password }, remoteAddress, `/api${url}`)

  t.equal(reply.body, '{"success":true,"status":200,"data":{"message":"Password has been changed. Please log in."}}')
  t.equal(reply.headers['cache-control'], 'no-store')
  t.equal((await login(client(), username, password)).statusCode, 401)
  t.equal((await login(client(), username, newPassword)).statusCode, 200)
  t.match(await app.db.user.findUnique({ where: { id } }), { tokenVersion: 1, resetTokenHash: null })
  t.match(await app.db.knownAddress.findMany({ where: { userId: id, client: remoteAddress } }), [{ tokenVersion: 1 }])
  t.match(await app.db.mail.findMany({ where: { userId: id } }), [{ kind: 'password_changed' }])
  t.match(logs.findLast(({ event }) => event === 'authn_password_change'), { actor: username, userId: id, status: 200 })
  t.match(await seriesOf(app, 'gatehouse_password_changes_total'), [{ labels: { outcome: 'success' }, value: 1 }])
})

t.test('a wrong password gets the answer of a failed login, whoever it is', async (t) => {
  const { username } = await user()
  const disabled = await user({ disabledAt: new Date() })
  const bodies = new Set<string>()
  for (const [name, currentPassword] of [
    [username, 'wrong'], ['nobody.at.all', 'wrong'], [disabled.username, disabled.password]
  ]) {
    const reply = await change({ username: name, currentPassword })
    t.equal(reply.statusCode, 401)
    bodies.add(reply.body.replace(/"timestamp":"[^"]*"/, ''))
  }
  t.strictSame([...bodies], [
    `{,"status":401,"error":"Unauthorized","message":"Invalid username or password","path":"${url}"}`
  ])
})

t.test('guesses by login and by changePassword take from the same buckets', async (t) => {
  const { username, password } = await user()
  const remoteAddress = client()
  for (let i = 0; i < 2; i++) {
    t.equal((await login(remoteAddress, username, 'wrong')).statusCode, 401)
    t.equal((await change({ username, currentPassword: 'wrong' }, remoteAddress)).statusCode, 401)
  }
  t.equal((await login(remoteAddress, username, password)).statusCode, 200)
  t.equal((await change({ username, currentPassword: password }, remoteAddress)).statusCode, 429, 'of the address')
  const ofAccount = bucketOf(defaultLimits.policies.account, accountKey(username))
  t.match(await app.buckets.peek(ofAccount), { remaining: 96 })
})

t.test('a new password that is weak, or the current one, is a fault of its field, whatever the account', async (t) => {
  const { username, password } = await user()
  for (const [name, weak] of [[username, 'short'], [username, password], ['nobody.at.all', password]] as const) {
    const reply = await change({ username: name, currentPassword: password, newPassword: weak })
    t.match(reply.json(), { status: 400, details: [{ field: 'newPassword', message: /^must / }] })
  }
  t.equal((await login(client(), username, password)).statusCode, 200)
})

t.test('of two changes at once, one succeeds', async (t) => {
  const { username, password: currentPassword } = await user()
  const passwords = [newPassword, 'battery horse staple']

  const replies = await Promise.all(passwords.map(one => change({ username, currentPassword, newPassword: one })))

  t.strictSame(replies.map(({ statusCode }) => statusCode).sort(), [200, 401])
  const winner = passwords[replies.findIndex(({ statusCode }) => statusCode === 200)]!
  t.equal((await login(client(), username, winner)).statusCode, 200)
})

t.test('a temporary password logs nobody in until it is changed, and says so only to who knows it', async (t) => {
  const { id, username, password } = await temporary()
  t.equal((await login(client(), username, 'wrong')).statusCode, 401)

  const reply = await login(client(), username, password)

  t.match(reply.json(), { status: 403, error: 'Forbidden', details: [{ field: 'password', message: /^is temporary/ }] })
  t.strictSame(await app.db.session.count({ where: { userId: id } }), 0)
  t.match(logs.findLast(({ event }) => event === 'authn_password_temporary'), { actor: username, status: 403 })
  t.match(await seriesOf(app, 'gatehouse_logins_total'), [{}, {}, { labels: { outcome: 'temporary' }, value: 1 }])
  t.equal((await change({ username, currentPassword: password })).statusCode, 200)
  t.equal((await login(client(), username, newPassword)).statusCode, 200)
})

t.end()
