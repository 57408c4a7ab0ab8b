// Who has a second factor logs in with a code, too. On any replica, no code works twice, and guesses have an end. For
// everyone else a login is as before.

import t from 'tap'
import { setRole } from '#src/auth/account-changes.js'
import { accountKey } from '#src/auth/username.js'
import { removeFactor } from '#src/second-factor/factors.js'
import { bucketOf, userOwner } from '#src/limiter/bucket/key.js'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { newClient, startApp } from '../fixtures/app.js'
import { seriesOf } from '../fixtures/metrics.js'
import { startRedis } from '../fixtures/redis.js'
import { phoneOf, secretIn } from '../fixtures/phone.js'
import { confirm, enrol, letTimePass, linkFor, lookAt } from '../fixtures/second-factor.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { until } from '../fixtures/until.js'

const redis = await startRedis(t)
const shared = {
  REDIS_URL: redis.url,
  DATABASE_URL: await newDatabase(),
  JWT_SECRET: 'a secret of both replicas for their tokens',
  SECOND_FACTOR_KEY: 'a secret of both replicas for their factors',
  SECOND_FACTOR_ROLES: 'HR'
}
const main = await startApp(t, shared)
const other = await startApp(t, shared)
const replicas = [main, other]
const { app, logs, user } = main

/** A login from a new address, at one of the replicas. */
const login = async (
  { username, password }: { username: string, password: string }, code?: unknown, { app } = main
) => await app.inject({
  method: 'POST', url: '/api/auth/login', remoteAddress: newClient(), payload: { username, password, code }
})

async function person () {
  const one = await user()
  await app.db.user.update({ where: { id: one.id }, data: { email: `${one.username}@school.example` } })
  return one
}

async function enrolled () {
  const one = await person()
  return { ...one, ...await enrol(main, one.id) }
}

const factorOf = async ({ id }: { id: number }) =>
  await app.db.secondFactor.findUniqueOrThrow({ where: { userId: id } })
const mailsTo = async ({ id }: { id: number }) => await app.db.mail.findMany({ where: { userId: id } })
const withoutTime = (body: string): string => body.replace(/"timestamp":"[^"]*"/, '')

t.test('a login without a factor takes a code as little as before, and its answer has no other members', async (t) => {
  const one = await user()
  for (const code of [undefined, '123456']) {
    const { data } = (await login(one, code)).json()
    t.same(Object.keys(data), [
      'userName', 'userType', 'userId', 'role', 'adpStatus', 'book_chapter_approver_designation', 'token'
    ])
    t.notMatch(JSON.parse(Buffer.from(data.token.split('.')[1], 'base64url').toString()), { amr: Array })
  }
})

// J9
t.test('right password and no code: 403 that asks for one; with it: 200, and the token says so', async (t) => {
  const one = await enrolled()
  const asked = await login(one)
  t.match(asked.json(), { status: 403, details: [{ field: 'code', message: /second factor/ }] })
  t.equal(asked.headers['cache-control'], 'no-store')
  t.equal((await login(one, ' \t')).statusCode, 403, 'an empty field is no code')
  t.equal(await app.db.knownAddress.count({ where: { userId: one.id } }), 0, 'no address became known')
  t.match(await factorOf(one), { wrongCodes: 0 })

  const reply = await login(one, one.code())
  t.equal(reply.statusCode, 200)
  const refreshed = await app.inject({
    method: 'POST', url: '/api/auth/refresh', headers: { authorization: `Bearer ${reply.json().data.token}` }
  })
  for (const { data: { token } } of [reply.json(), refreshed.json()]) {
    t.match(JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()), { amr: ['pwd', 'otp', 'mfa'] })
  }
  t.equal(await app.db.knownAddress.count({ where: { userId: one.id } }), 1)
})

// J9 J12
t.test('a wrong code is the answer of a wrong password, and counts as a failed login', async (t) => {
  const one = await enrolled()
  const wrong = await login({ ...one, password: 'wrong horse battery' })
  for (const code of ['000000', 'no code at all', one.code(-4), one.code(4), 'x'.repeat(10_000)]) {
    const reply = await login(one, code)
    t.equal(reply.statusCode, 401)
    t.equal(withoutTime(reply.body), withoutTime(wrong.body))
    t.same({ ...reply.headers, date: '', 'x-request-id': '' }, { ...wrong.headers, date: '', 'x-request-id': '' })
  }
  t.match(await factorOf(one), { wrongCodes: 5, lastRefusal: 'wrong' })
  t.same(logs.filter(({ actor, secondFactor }) => actor === one.username && secondFactor)
    .map(({ event, secondFactor }) => [event, secondFactor]),
  ['wrong', 'wrong', 'late', 'early', 'wrong'].map(outcome => ['authn_login_fail', outcome]))
  t.match(await app.buckets.peek(bucketOf(defaultLimits.policies.account, accountKey(one.username))), { remaining: 94 })
  t.equal((await login(one, 123_456)).statusCode, 400, 'a number is no text')
  const { values = [] } = { values: await seriesOf(app, 'gatehouse_second_factor_codes_total') }
  for (const outcome of ['accepted', 'none', 'wrong', 'late', 'early']) {
    t.ok(values.some(({ labels }) => labels.outcome === outcome), outcome)
  }
})

// J4
t.test('a code is read as people type it', async (t) => {
  const one = await enrolled()
  const [digits, recovery] = [one.code(), one.recoveryCodes[0]!]
  const inDevanagari = digits.replace(/\d/g, digit => String.fromCodePoint(0x966 + Number(digit)))
  const forms = [
    `${digits.slice(0, 3)} ${digits.slice(3)}`, ` ${[...digits].join('-')} `, inDevanagari,
    digits.replace(/\d/g, digit => String.fromCodePoint(0xff10 + Number(digit))),
    recovery.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l').replaceAll(' ', '-')
  ]
  for (const form of forms) {
    t.equal((await login(one, form)).statusCode, 200, form)
    await letTimePass(main, one.id)
  }
})

// J1 J4
t.test('of the same code at once on both replicas one is accepted, and the other is not counted', async (t) => {
  const one = await enrolled()
  const code = one.code()
  const replies = await Promise.all(Array.from({ length: 8 }, (_, i) => login(one, code, replicas[i % 2])))
  t.same(replies.map(({ statusCode }) => statusCode).sort(), [200, ...Array<number>(7).fill(401)])
  t.equal((await login(one, one.code(-1), other)).statusCode, 401, 'nor is the step before it')
  t.match(await factorOf(one), { wrongCodes: 0, lastRefusal: 'used' })

  const [recovery] = one.recoveryCodes
  const again = await Promise.all(replicas.map(replica => login(one, recovery, replica)))
  t.same(again.map(({ statusCode }) => statusCode).sort(), [200, 401], 'of a recovery code as well')
  t.equal(await app.db.recoveryCode.count({ where: { userId: one.id } }), 9)
  t.equal((await login(one, code)).statusCode, 401, 'and it makes no code new')
})

// J2
t.test('after ten wrong codes, wherever they came from, the password counts as stolen', async (t) => {
  const one = await enrolled()
  const newPassword = 'another horse battery'
  const change = async (code: string, at: string, { app } = main) => await app.inject({
    method: 'POST',
    url: at,
    remoteAddress: newClient(),
    payload: { username: one.username, currentPassword: one.password, newPassword, code }
  })
  const wrong = await Promise.all(Array.from({ length: 50 }, (_, i) => i % 3 === 0
    ? change('000000', '/auth/changePassword', replicas[i % 2])
    : login(one, '000000', replicas[i % 2])))
  t.ok(wrong.every(({ statusCode }) => statusCode === 401))
  t.match(await factorOf(one), { wrongCodes: 10, wrongOfPassword: 10 })
  for (const code of [undefined, one.code(), one.recoveryCodes[0]]) t.equal((await login(one, code)).statusCode, 401)
  t.equal((await change(one.code(), '/api/auth/changePassword')).statusCode, 401)
  t.same((await mailsTo(one)).map(({ kind }) => kind), ['password_stolen'])

  await app.db.user.update({ where: { id: one.id }, data: { passwordHash: await app.passwords.hash(newPassword) } })
  t.equal((await login({ ...one, password: newPassword }, one.code())).statusCode, 200)
  t.match(await factorOf(one), { wrongCodes: 0, wrongOfPassword: 0 })
})

// J2 J3
t.test('after a hundred wrong codes only an operator helps, however often the password is set', async (t) => {
  const one = await enrolled()
  await app.db.secondFactor.update({ where: { userId: one.id }, data: { wrongCodes: 99 } })
  t.equal((await login(one, '000000')).statusCode, 401)
  t.equal((await login(one, one.code(), other)).statusCode, 401)
  const password = 'another horse battery'
  await app.db.user.update({ where: { id: one.id }, data: { passwordHash: await app.passwords.hash(password) } })
  t.equal((await login({ ...one, password }, one.code())).statusCode, 401)
  t.ok(await removeFactor(app.db, one.id, 'test'))
  t.equal((await login({ ...one, password })).statusCode, 200)
})

// J2
t.test('guesses are counted while Redis is away, whatever the limiter does then', async (t) => {
  for (const mode of ['local', 'open', 'closed']) {
    const settings = { ...shared, REDIS_URL: 'redis://127.0.0.1:1', LIMITER_ON_REDIS_FAILURE: mode }
    const away = await startApp(t, settings)
    const one = await enrolled()
    const replies = await Promise.all(Array.from({ length: 12 }, () => login(one, '000000', away)))
    if (mode === 'closed') t.ok(replies.every(({ statusCode }) => statusCode === 503), mode)
    else t.match(await factorOf(one), { wrongCodes: 10 }, mode)
    await away.app.close()
  }
})

t.test('a temporary password comes first, and its change needs the code', async (t) => {
  const one = await enrolled()
  await app.db.user.update({ where: { id: one.id }, data: { passwordTemporary: true } })
  t.match((await login(one, '000000')).json(), { status: 403, details: [{ field: 'password' }] })
  t.match(await factorOf(one), { wrongCodes: 0 })
  const change = async (code?: string) => await app.inject({
    method: 'POST',
    url: '/auth/changePassword',
    remoteAddress: newClient(),
    payload: { username: one.username, currentPassword: one.password, newPassword: 'another horse battery', code }
  })
  t.match((await change()).json(), { status: 403, details: [{ field: 'code' }] })
  t.equal((await change(one.code())).statusCode, 200)
})

// J5 J6
t.test('a role that needs a factor: no login without one, a mailed link, and tokens of before end', async (t) => {
  const one = await person()
  await setRole(app.db, one.username, 'HR')
  for (const code of [undefined, '123456']) {
    t.match((await login(one, code)).json(), { status: 403, details: [{ field: 'code', message: /link in your/ }] })
  }
  t.match(await mailsTo(one), [{ kind: 'second_factor' }])
  t.equal((await mailsTo(one)).length, 1)
  const token = app.issueToken({ ...one, role: 'HR', userType: 'EMPLOYEE', tokenVersion: 1 })
  const me = async (token: string) =>
    await app.inject({ url: '/api/auth/me', remoteAddress: newClient(), headers: { authorization: `Bearer ${token}` } })
  t.equal((await me(token)).statusCode, 401)
  const headers = { authorization: `Bearer ${token}` }
  t.equal((await app.inject({ url: '/api/auth/sessions', headers })).statusCode, 401)
  const ofUser = bucketOf(defaultLimits.policies.session, userOwner(one.id))
  t.match(await app.buckets.peek(ofUser), { remaining: 10 }, 'it does not take from what its owner has')

  // Its link would replace that of the test.
  await until(async () => (await mailsTo(one)).every(({ dueAt }) => dueAt === null), 'the mail is sent')
  const { code } = await enrol(main, one.id)
  const reply = await login(one, code())
  t.equal(reply.statusCode, 200)
  t.equal((await me(reply.json().data.token)).statusCode, 200)
})

// J5 J6
t.test('what ends an old factor is a code of the new one, and nothing less', async (t) => {
  const one = await enrolled()
  const before = await app.db.user.findUniqueOrThrow({ where: { id: one.id } })
  const token = await linkFor(main, one.id)
  const newPhone = phoneOf(secretIn((await lookAt(other, token)).body))
  t.equal(secretIn((await lookAt(main, token)).body), secretIn((await lookAt(other, token)).body), 'at each look')
  t.equal((await confirm(main, token, one.code())).statusCode, 400, 'a code of the old one')
  t.equal((await login(one, newPhone.code())).statusCode, 401)
  t.equal((await login(one, one.code())).statusCode, 200)

  await letTimePass(main, one.id)
  const confirmed = newPhone.code()
  t.equal((await confirm(main, token, confirmed)).statusCode, 200)
  t.equal((await confirm(main, token, confirmed)).statusCode, 400, 'the link works once')
  t.match(await app.db.user.findUnique({ where: { id: one.id } }), { tokenVersion: before.tokenVersion + 1 })
  t.equal((await login(one, confirmed)).statusCode, 401, 'the code that confirmed it is used')
  await letTimePass(main, one.id)
  t.equal((await login(one, one.code())).statusCode, 401)
  t.equal((await login(one, one.recoveryCodes[0])).statusCode, 401)
  t.equal((await login(one, newPhone.code())).statusCode, 200)
})

// J10
t.test('a factor is checked by the key that sealed it, and a login seals it by the first one', async (t) => {
  const one = await enrolled()
  const newKey = 'the key that comes after the first and seals'
  const [rotated, lost] = await Promise.all([
    startApp(t, { ...shared, SECOND_FACTOR_KEY: `${newKey},${shared.SECOND_FACTOR_KEY}` }),
    startApp(t, { ...shared, SECOND_FACTOR_KEY: newKey })
  ])
  const reply = await login(one, one.code(), lost)
  t.equal(reply.statusCode, 503)
  t.match(lost.logs.findLast(({ status }) => status === 503), { cause: /SECOND_FACTOR_KEY/ })
  t.match(await factorOf(one), { wrongCodes: 0 })
  t.equal((await login(one, one.code(), rotated)).statusCode, 200)
  await letTimePass(main, one.id)
  t.equal((await login(one, one.code(), lost)).statusCode, 200)
  const [{ secret }, another] = [await factorOf(one), await enrolled()]
  await app.db.secondFactor.update({ where: { userId: another.id }, data: { secret } })
  t.equal((await login(another, one.code(), rotated)).statusCode, 503, 'a secret in another row opens nothing')
})

// J7
t.test('while PostgreSQL is read-only, codes are 503, and other logins succeed', async (t) => {
  const [one, without] = [await enrolled(), await user()]
  const DATABASE_URL = `${shared.DATABASE_URL}?options=-c%20default_transaction_read_only%3Don`
  const readOnly = await startApp(t, { ...shared, DATABASE_URL })
  t.equal((await login(one, one.code(), readOnly)).statusCode, 503)
  t.equal((await login(without, undefined, readOnly)).statusCode, 200)
  t.equal((await login(one, one.code())).statusCode, 200)
})
