// A reset token works once, ends every earlier login, and an invalid one changes nothing.

import { createHash, randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { linkTokenHash } from '#src/mail/link-tokens.js'
import { startApp, type TestApp } from '../fixtures/app.js'
import { fillQueue } from '../fixtures/hash-queue.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { startSmtp } from '../fixtures/smtp.js'
import { ownTime, until } from '../fixtures/until.js'

// The replicas of a later test are on it too: as each sends whatever mails there are, all have one mail server.
const DATABASE_URL = await newDatabase()
const smtp = await startSmtp(t)
const mailing = { DATABASE_URL, SMTP_URL: smtp.url, PUBLIC_URL: 'https://login.school.example' }
const main = await startApp(t, mailing)
const { app, client, login, logs } = main

const url = '/auth/resetPassword'
const [oldPassword, newPassword] = ['correct horse battery', 'a brand new phrase']

function reset (payload: object, options: InjectOptions = {}, to = app): Promise<LightMyRequestResponse> {
  return to.inject({ method: 'POST', url, remoteAddress: client(), payload, ...options })
}

let people = 0

/** A new user with a mail address, and with a reset token that is valid for another half an hour. */
async function person ({ app, user }: TestApp = main) {
  const { id, username } = await user({ password: oldPassword })
  const email = `reset${process.pid}x${++people}@school.example`
  const token = randomBytes(32).toString('base64url')
  await app.db.user.update({
    where: { id },
    data: { email, resetTokenHash: linkTokenHash(token)!, resetTokenExpiresAt: new Date(Date.now() + 30 * 60_000) }
  })
  return { id, username, email, token }
}

const me = (token: string, to = app) => to.inject({
  url: '/api/auth/me', remoteAddress: client(), headers: { authorization: `Bearer ${token}` }
})

/** Waits until no mail is due or being sent. The worker looks every 0.5 to 1.5 seconds. */
async function settled (): Promise<void> {
  await until(async () => await app.db.mail.count({ where: { dueAt: { not: null } } }) === 0, 'no mail is due')
}

/** The tokens that have been sent to an address, in the order of sending. */
const tokensTo = (address: string): string[] => smtp.mails.filter(({ recipients }) => recipients.includes(address))
  .map(({ email }) => /#token=([\w-]+)/.exec(email.text!)![1]!)

const answer = '{"success":true,"status":200,"data":{"message":"Password has been reset. Please log in."}}'

function isAnswer (t: Test, reply: LightMyRequestResponse, what = ''): void {
  t.equal(reply.statusCode, 200, what)
  t.equal(reply.body, answer, what)
}

/** Checks for the common answer to every invalid token. */
function isBadToken (t: Test, reply: LightMyRequestResponse, what: string): void {
  t.equal(reply.statusCode, 400, what)
  t.strictSame({ ...reply.json(), timestamp: '' }, {
    timestamp: '',
    status: 400,
    error: 'Bad Request',
    message: 'The body is not valid.',
    path: url,
    details: [{
      field: 'token', message: 'must be the one of the newest mail, not used yet and not expired'
    }]
  }, what)
}

// S54
t.test('of two requested mails, the newer one sets the password, once', async (t) => {
  const { id, username, email, token: earlier } = await person()
  for (let i = 0; i < 2; i++) {
    await app.inject({ method: 'POST', url: '/auth/forgot-password', remoteAddress: client(), payload: { username } })
  }
  await settled()
  const [first, second] = tokensTo(email) as [string, string]
  t.ok(Buffer.from(second, 'base64url').length * 8 >= 128)
  const row = await app.db.user.findUniqueOrThrow({ where: { id } })
  t.equal(row.resetTokenHash, createHash('sha256').update(second).digest('hex'), 'what is kept is its hash')
  t.notOk(JSON.stringify([row, await app.db.mail.findMany()]).includes(second), 'and nothing else')

  for (const token of [earlier, first]) isBadToken(t, await reset({ token, newPassword }), 'an older one')
  isAnswer(t, await reset({ token: second, newPassword }))
  isBadToken(t, await reset({ token: second, newPassword: 'yet another phrase' }), 'used')
  t.equal((await login(client(), username, newPassword)).statusCode, 200)
})

// S52
t.test('every invalid token gets the same answer, and changes nothing', async (t) => {
  const { id, token } = await person()
  const used = await person()
  isAnswer(t, await reset({ token: used.token, newPassword }))
  const expired = await person()
  await app.db.$executeRaw`UPDATE users SET reset_token_expires_at = now() - interval '1 second' WHERE id =
    ${expired.id}`
  const disabled = await person()
  await app.db.user.update({ where: { id: disabled.id }, data: { disabledAt: new Date() } })
  const removed = await person()
  await app.db.user.delete({ where: { id: removed.id } })

  const before = await app.db.user.findMany({ orderBy: { id: 'asc' } })
  const middle = token[20] === 'A' ? 'B' : 'A'
  const tokens: Array<[string, unknown]> = [
    ['used', used.token], ['expired', expired.token], ['of a disabled account', disabled.token],
    ['of a removed account', removed.token],
    ['of nobody', randomBytes(32).toString('base64url')], ['tampered', token.slice(0, 20) + middle + token.slice(21)],
    ['cut', token.slice(0, -1)], ['padded', `${token}=`], ['in other letters', token.toLowerCase()],
    ['with NUL', `${token.slice(0, -1)}\0`], ['its hash', linkTokenHash(token)], ['empty', ''],
    ['10 KB', randomBytes(7500).toString('base64url')], ['an array', [token]], ['an object', { contains: '' }],
    ['null', null], ['half a character', '\ud83d'], ['a wildcard', '%']
  ]
  for (const [what, bad] of tokens) isBadToken(t, await reset({ token: bad, newPassword: 'some other phrase' }), what)
  t.strictSame(await app.db.user.findMany({ orderBy: { id: 'asc' } }), before)
  isAnswer(t, await reset({ token, newPassword }), `while ${id}'s own token is good`)
})

t.test('the body has a token and a new password, and nothing else', async (t) => {
  const { token } = await person()
  const table: Array<[payload: unknown, fields: string[]]> = [
    [{ newPassword }, ['token']], [{ token }, ['newPassword']], [{}, ['newPassword', 'token']], [[], ['body']],
    [{ token, newPassword: 12345678 }, ['newPassword']], [{ token, newPassword: null }, ['newPassword']],
    [{ token, newPassword: [newPassword] }, ['newPassword']],
    [{ token, newPassword, username: 'admin' }, ['username']], [{ token, newPassword, role: 'ADMIN' }, ['role']]
  ]
  for (const [payload, fields] of table) {
    const reply = await reset(payload as object)
    t.equal(reply.statusCode, 400)
    t.strictSame(reply.json().details.map(({ field }: { field: string }) => field)
      .sort(), fields, JSON.stringify(payload))
  }
  isAnswer(t, await reset({ token, newPassword }))
})

// S56
t.test('an invalid password is reported as such, and the token stays valid', async (t) => {
  const { username, token } = await person()
  const long = 'abcdefgh'.repeat(9)
  const faults: Array<[password: string, message: RegExp]> = [
    ['x7-kq!m', /at least 8/], [`${long}i`, /at most 72 bytes/], ['password', /guessed/],
    ['new\0password', /not allowed/], [username, /username/]
  ]
  for (const [i, [password, message]] of faults.entries()) {
    const reply = await reset({ token, newPassword: password })
    t.equal(reply.statusCode, 400, `${i}`)
    t.match(reply.json(), {
      status: 400, message: 'The body is not valid.', path: url, details: [{ field: 'newPassword', message }]
    })
    t.equal(reply.json().details.length, 1)
  }
  t.equal((await login(client(), username, oldPassword)).statusCode, 200)
  isAnswer(t, await reset({ token, newPassword: long }))
  t.equal((await login(client(), username, long)).statusCode, 200)
})

// S53 S55
t.test('of twenty concurrent resets on two replicas one succeeds, and ends all logins', async (t) => {
  const environment = { ...mailing, JWT_SECRET: 'Uw7-secret-of-two-replicas-aa91x0' }
  const [a, b] = [await startApp(t, environment), await startApp(t, environment)]
  const { id, username, token } = await person(a)
  const tokens = []
  for (const replica of [a, b]) tokens.push((await replica.login(client(), username, oldPassword)).json().data.token)
  for (const token of tokens) for (const replica of [a, b]) t.equal((await me(token, replica.app)).statusCode, 200)

  const passwords = Array.from({ length: 20 }, (_, i) => `brand new phrase ${i}`)
  const replies = await Promise.all(passwords.map((newPassword, i) =>
    reset({ token, newPassword }, {}, (i % 2 ? a : b).app)))
  const started = ownTime()
  t.strictSame(replies.map(reply => reply.statusCode).sort(), [200, ...Array(19).fill(400)])
  const winner = replies.findIndex(reply => reply.statusCode === 200)
  isAnswer(t, replies[winner]!)
  for (const [i, reply] of replies.entries()) if (i !== winner) isBadToken(t, reply, `attempt ${i}`)

  const holds = async (token: string, replica: TestApp) => (await me(token, replica.app)).statusCode !== 401
  for (let rest = 1; rest > 0; await setTimeout(20)) {
    const checks = await Promise.all(tokens.flatMap(token => [a, b].map(replica => holds(token, replica))))
    rest = checks.filter(Boolean).length
    if (ownTime() - started > 1000) break
  }
  for (const token of tokens) {
    for (const replica of [a, b]) t.equal((await me(token, replica.app)).statusCode, 401, 'an earlier login has ended')
  }

  t.equal((await a.login(client(), username, oldPassword)).statusCode, 401)
  t.equal(
    (await a.login(client(), username, passwords[(winner + 1) % 20]!)).statusCode,
    401,
    'a password of those that failed'
  )
  const fresh = (await b.login(client(), username, passwords[winner]!)).json().data.token
  for (const replica of [a, b]) t.equal((await me(fresh, replica.app)).statusCode, 200, 'a new login holds')
  t.match(await a.app.db.user.findUnique({ where: { id } }), { tokenVersion: 1, resetTokenHash: null })
  t.match(await a.app.db.mail.findMany({ where: { userId: id } }), [{ kind: 'password_changed' }], 'one mail')
})

// S84
t.test('while the hash queue is full, a reset is 503, and the token stays valid', async (t) => {
  const { username, token } = await person()
  const empty = fillQueue(app)
  const reply = await reset({ token, newPassword })
  t.equal(reply.statusCode, 503)
  t.match(reply.headers['retry-after'], /^[1-9]\d*$/)
  t.match(reply.json(), { status: 503, error: 'Service Unavailable', path: url })
  await empty()
  isAnswer(t, await reset({ token, newPassword }))
  t.equal((await login(client(), username, newPassword)).statusCode, 200)
})

// S57
t.test('a reset is not a login, and its token counts in the body only', async (t) => {
  const { username, token } = await person()
  const elsewhere: InjectOptions[] = [
    { url: `${url}?token=${token}` }, { headers: { authorization: `Bearer ${token}` } },
    { headers: { cookie: `token=${token}` } }, { headers: { 'x-reset-token': token } }
  ]
  for (const options of elsewhere) t.equal((await reset({ newPassword }, options)).statusCode, 400)
  t.equal((await me(token)).statusCode, 401)
  t.equal((await app.inject({ url: `${url}?token=${token}`, remoteAddress: client() })).statusCode, 405)
  t.equal((await login(client(), username, oldPassword)).statusCode, 200, 'none of them did anything')

  const reply = await reset({ token, newPassword })
  isAnswer(t, reply)
  t.equal(reply.headers['cache-control'], 'no-store')
  t.strictSame(Object.keys(reply.headers).filter(name => /cookie|authorization|token|location/.test(name)), [])
})

// S57 S91 S92
t.test('the line of a reset names the user, but contains neither token nor password', async (t) => {
  const { id, username, token } = await person()
  const remoteAddress = client()
  const line = (reply: LightMyRequestResponse) =>
    logs.find(line => line.msg === 'request' && line.reqId === reply.headers['x-request-id'])!
  t.match(line(await reset({ token, newPassword: username }, { remoteAddress })), {
    event: 'authn_password_change_fail', actor: username, client: remoteAddress, status: 400
  })
  t.match(line(await reset({ token, newPassword }, { remoteAddress })), {
    event: 'authn_password_change', actor: username, userId: id, client: remoteAddress, status: 200
  })
  const used = line(await reset({ token, newPassword }, { remoteAddress }))
  t.match(used, { event: 'authn_password_change_fail', client: remoteAddress, status: 400 })
  t.notOk('actor' in used, 'a token that is none is nobody\'s')
  // The fixture looks for tokens and passwords.
  t.notMatch(JSON.stringify(logs), linkTokenHash(token)!)
})

t.end()
