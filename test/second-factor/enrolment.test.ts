// A second factor is set up by a link to the owner's mailbox, or by an operator. Its secret is on its page and nowhere
// else.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { notify } from '#src/mail/account-mails.js'
import { otpauthUri } from '#src/second-factor/authenticator.js'
import { factorSealing, ofUser, sealingOf } from '#src/second-factor/sealing.js'
import { startApp } from '../fixtures/app.js'
import { command } from '../fixtures/command.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { startRedis } from '../fixtures/redis.js'
import { phoneOf, recoveryCodesIn, secretIn } from '../fixtures/phone.js'
import { confirm, enrol, linkFor, lookAt } from '../fixtures/second-factor.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { startSmtp } from '../fixtures/smtp.js'
import { until } from '../fixtures/until.js'

const smtp = await startSmtp(t)
const redis = await startRedis(t)
const directory = newDirectory(t)
const settings = {
  REDIS_URL: redis.url,
  DATABASE_URL: await newDatabase(),
  PUBLIC_URL: 'https://login.school.example',
  SMTP_URL: smtp.url,
  SECOND_FACTOR_KEY: 'a secret of the service for its second factors',
  SECOND_FACTOR_ROLES: 'ADMIN',
  AUDIT_LOG: join(directory, 'audit.log')
}
const main = await startApp(t, settings)
const { app, client, login, logs, user } = main
const gatehouse = (...args: string[]) => command(['users', ...args], settings)

async function person () {
  const one = await user()
  const email = `${one.username}@school.example`
  await app.db.user.update({ where: { id: one.id }, data: { email } })
  return { ...one, email }
}

/** The newest mail to an address. */
async function mailTo (address: string, many = 1): Promise<string> {
  const mails = () => smtp.mails.filter(({ recipients }) => recipients.includes(address))
  await until(() => mails().length >= many, 'the mail has come')
  return mails().at(-1)!.email.text!
}

const tokenIn = (text: string): string => /second-factor\?token=([\w-]{43})\s/.exec(text)?.[1] ?? 'no token'

/** The step in which a code is made has to be that in which it is checked. This one may be about to end. */
async function earlyInStep (): Promise<void> {
  const leftMs = 30_000 - Date.now() % 30_000
  if (leftMs < 5000) await setTimeout(leftMs)
}

t.test('the owner of a token gets a link by mail, whose page has a secret and then ten recovery codes', async (t) => {
  const one = await person()
  const { token } = (await login(client(), one.username, one.password)).json().data
  const headers = { authorization: `Bearer ${token}` }
  const ask = async () => await app.inject({
    method: 'POST', url: '/api/auth/second-factor', remoteAddress: client(), headers
  })
  const reply = await ask()
  t.match(reply.json(), { success: true, status: 200, data: { message: /has been sent/ } })
  t.equal((await ask()).body, reply.body)
  const link = tokenIn(await mailTo(one.email))
  t.equal(await app.db.mail.count({ where: { userId: one.id } }), 1, 'one within a minute')

  const page = await lookAt(main, link)
  t.match(page, { statusCode: 200, headers: { 'cache-control': 'no-store', 'referrer-policy': 'same-origin' } })
  const phone = phoneOf(secretIn(page.body))
  t.match((await confirm(main, link, 'abc')).body, /not the code of this entry/)
  await earlyInStep()
  const done = await confirm(main, link, phone.code(-1))
  t.equal(new Set(recoveryCodesIn(done.body)).size, 10)
  t.notOk(done.body.includes(secretIn(page.body)))
  t.match(logs.findLast(({ event }) => event === 'authn_second_factor_set'), { actor: one.username, userId: one.id })
  const me = async () => await app.inject({ url: '/api/auth/me', remoteAddress: client(), headers })
  await until(async () => (await me()).statusCode === 401, 'the session of before has ended')
  t.equal((await app.inject({ method: 'POST', url: '/api/auth/second-factor' })).statusCode, 401)
})

// J12
t.test('a clock that is off is named with its offset, and nothing changes', async (t) => {
  const { id } = await user()
  const token = await linkFor(main, id)
  const phone = phoneOf(secretIn((await lookAt(main, token)).body))
  await earlyInStep()
  for (const [steps, said] of [[-2, '60 seconds'], [3, '90 seconds'], [-120, '60 minutes']] as const) {
    const reply = await confirm(main, token, phone.code(steps))
    t.equal(reply.statusCode, 400)
    t.match(reply.body, `off by ${said}`)
  }
  t.match(await app.db.user.findUnique({ where: { id } }), { secondFactorSince: null, tokenVersion: 0 })
})

// J6
t.test('a link is void when it is old, replaced, another\'s, or its account has changed', async (t) => {
  const isDead = async (token: string, why: string) => {
    const page = await lookAt(main, token)
    t.match(page, { statusCode: 400, body: /not valid any more/ }, why)
    t.match(await confirm(main, token, '123456'), { statusCode: 400, body: /not valid any more/ }, why)
  }
  const { id, username } = await person()
  const change = async (data: object) => await app.db.user.update({ where: { id }, data })
  const [first, second] = [await linkFor(main, id), await linkFor(main, id)]
  await isDead(first, 'replaced')
  await app.db.secondFactor.update({ where: { userId: id }, data: { linkExpiresAt: new Date(Date.now() - 1) } })
  await isDead(second, 'old')
  for (const change of [['disable'], ['set-role', 'TEACHER']] as const) {
    const token = await linkFor(main, id)
    t.match(await gatehouse(change[0], username, ...change.slice(1)), { code: 0 })
    await isDead(token, change[0])
    t.match(await gatehouse('enable', username), { code: 0 })
  }
  const mailed = await linkFor(main, id)
  await app.db.secondFactor.update({ where: { userId: id }, data: { linkEmail: 'old@school.example' } })
  await isDead(mailed, 'mailed to an address of before')
  await change({ email: null })
  for (const token of ['', 'x'.repeat(43), '%00', 'a&token=b']) await isDead(token, token)
})

t.test('a link that is replaced while its code is checked confirms nothing', async (t) => {
  const { id } = await person()
  const token = await linkFor(main, id)
  const phone = phoneOf(secretIn((await lookAt(main, token)).body))
  let confirmed: ReturnType<typeof confirm> | undefined
  await app.db.$transaction(async (tx) => {
    await tx.secondFactor.update({ where: { userId: id }, data: { linkHash: id.toString(), newSecret: 'another' } })
    confirmed = confirm(main, token, phone.code())
    const waits = async () => await app.db.$queryRaw<unknown[]>`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE second_factors%'`
    await until(async () => (await waits()).length > 0, 'the code is checked')
  })
  t.match(await confirmed, { statusCode: 400, body: /not valid any more/ })
  t.match(await app.db.secondFactor.findUnique({ where: { userId: id } }), { secret: null, newSecret: 'another' })
  t.match(await app.db.user.findUnique({ where: { id } }), { secondFactorSince: null })
})

t.test('a mail that is tried again keeps link and secret', async (t) => {
  const one = await person()
  t.match(await gatehouse('second-factor', one.username), { code: 0, stdout: /is being mailed/ })
  const link = tokenIn(await mailTo(one.email))
  const secret = secretIn((await lookAt(main, link)).body)
  await app.db.mail.updateMany({ where: { userId: one.id }, data: { sentAt: null, dueAt: new Date() } })
  t.equal(tokenIn(await mailTo(one.email, 2)), link)
  t.equal(secretIn((await lookAt(main, link)).body), secret)
})

t.test('an owner gets three such mails an hour', async (t) => {
  const { id } = await person()
  for (const expected of [true, true, true, false]) {
    t.equal(await notify(app.db, 'second_factor', id, 'test'), expected)
    await app.db.mail.updateMany({ where: { userId: id }, data: { createdAt: new Date(Date.now() - 1_800_000) } })
  }
})

t.test('a mail that still waits when an enrolment is confirmed brings no other link', async (t) => {
  const { id } = await person()
  const dueAt = new Date(Date.now() + 3_600_000)
  await app.db.mail.create({ data: { kind: 'second_factor', userId: id, requestId: 'test', dueAt } })
  await enrol(main, id)
  t.equal(await app.db.mail.count({ where: { userId: id, dueAt: { not: null } } }), 0)
})

// J13
t.test('an operator prints a link, and removes a factor: announced, recorded, and sessions end', async (t) => {
  const one = await person()
  t.match(await gatehouse('second-factor', one.username, '--remove', '--why', 'lost'), { code: 1, stderr: /no second/ })
  const { stdout } = await gatehouse('second-factor', one.username, '--link')
  t.match(JSON.parse(readFileSync(settings.AUDIT_LOG, 'utf8').trim().split('\n').at(-1)!), {
    event: 'authn_second_factor_request', subject: one.username, printed: true
  })
  const link = tokenIn(stdout)
  const phone = phoneOf(secretIn((await lookAt(main, link)).body))
  t.equal((await confirm(main, link, phone.code())).statusCode, 200)
  t.match(JSON.parse((await gatehouse('show', one.username, '--json')).stdout), {
    secondFactor: { since: /^20/, lastUsedAt: null, recoveryCodes: 10, wrongCodes: 0, barred: null }
  })
  t.match((await gatehouse('show', one.username)).stdout, /since 20.*last used never; 10 recovery codes left/)
  t.match(await gatehouse('second-factor', one.username, '--remove'), { code: 2, stderr: /--why/ })

  t.match(await gatehouse('second-factor', one.username, '--remove', '--why', 'lost phone'), { code: 0 })
  const line = readFileSync(settings.AUDIT_LOG, 'utf8').split('\n').find(line => line.includes('factor_removed'))!
  t.match(JSON.parse(line), { subject: one.username, why: 'lost phone' })
  t.match(await mailTo(one.email), /has removed the second factor/)
  t.match(await app.db.user.findUnique({ where: { id: one.id } }), { tokenVersion: 2, secondFactorSince: null })
  t.equal(await app.db.recoveryCode.count({ where: { userId: one.id } }), 0)
  t.equal((await login(client(), one.username, one.password)).statusCode, 200)
})

// J8
t.test('while a replica of an earlier release runs, no link is made', async (t) => {
  const { username } = await person()
  const at = Date.now() + 3_600_000
  await redis.client.zadd('gatehouse:replicas', at, 'older-1')
  await redis.client.set('gatehouse:replica:older-1', JSON.stringify({ version: '0.1.0' }), 'PX', 60_000)
  for (const args of [[], ['--link']]) {
    t.match(await gatehouse('second-factor', username, ...args), { code: 1, stderr: /older-1.*Finish the release/ })
  }
  await redis.client.zrem('gatehouse:replicas', 'older-1')
})

// J5
t.test('a new password leaves the factor, whoever sets it', async (t) => {
  const one = await person()
  await enrol(main, one.id)
  const isAsked = async (password: string, why: string) =>
    t.match((await login(client(), one.username, password)).json(), { details: [{ field: 'code' }] }, why)
  const payload = { username: one.username }
  await app.inject({ method: 'POST', url: '/auth/forgot-password', remoteAddress: client(), payload })
  const reset = /#token=([\w-]+)/.exec(await mailTo(one.email))![1]!
  const newPassword = 'reset horse battery'
  t.equal((await app.inject({
    method: 'POST', url: '/auth/resetPassword', remoteAddress: client(), payload: { token: reset, newPassword }
  })).statusCode, 200)
  await isAsked(newPassword, 'a reset')
  t.match(await command(['users', 'set-password', one.username], settings, 'set horse battery\n'), { code: 0 })
  await isAsked('set horse battery', 'an operator')
  const hash = await app.passwords.hash('imported horse battery')
  const file = `username,passwordHash\n${one.username},${hash}\n`
  const args = ['users', 'import', '-', '--update', '--passwords', '--keep-passwords']
  t.match(await command(args, settings, file), { code: 0 })
  await isAsked('imported horse battery', 'an import')
})

t.test('doctor names who has to have a factor, and a key that is lost', async (t) => {
  const [one, lacking] = [await person(), await user()]
  await enrol(main, one.id)
  await app.db.user.update({ where: { id: lacking.id }, data: { role: 'ADMIN', email: null } })
  const found = async (more: object) => {
    const { stdout } = await command(['doctor', '--json'], { ...settings, ...more })
    return (JSON.parse(stdout) as { findings: Array<{ check: string, status: string, found: string }> }).findings
      .filter(({ check }) => check.startsWith('second-factor'))
  }
  t.match(await found({}), [
    { check: 'second-factor-key', status: 'ok' },
    { check: 'second-factor-roles', status: 'note', found: new RegExp(lacking.username) },
    { check: 'second-factor-roles', status: 'action', found: /no address/ }
  ])
  t.match(await found({ SECOND_FACTOR_KEY: 'another secret than the one of the service' }), [{ status: 'action' }])
  const both = `another secret than the one of the service,${settings.SECOND_FACTOR_KEY}`
  t.match(await found({ SECOND_FACTOR_KEY: both }), [{ status: 'note', found: /older key/ }])
})

t.test('production without a key has no second factors, and needs one for roles', async (t) => {
  const { readConfig } = await import('#src/config/load.js')
  const keyless = { ...settings, NODE_ENV: 'production', SECOND_FACTOR_KEY: '' }
  t.throws(() => readConfig(keyless), /SECOND_FACTOR_KEY: must be/)
  t.throws(() => readConfig({ ...settings, SECOND_FACTOR_ROLES: 'admin' }), /SECOND_FACTOR_ROLES: "admin" must have/)
  t.match(readConfig({ DATA_DIR: directory }).secondFactorKeys, [])
  for (const production of [true, false]) {
    t.equal(sealingOf({ secondFactorKeys: [], production, dataDir: newDirectory(t) }).works, !production)
  }
})

t.test('an address for authenticators is one that all of them read', async (t) => {
  const secret = Buffer.from('12345678901234567890')
  const of = (username: string, appName = 'Greenwood: High School') =>
    otpauthUri({ userId: 1, username, secret, generation: 1 }, appName)
  t.equal(of('priya'), 'otpauth://totp/Greenwood%20High%20School:priya?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' +
    '&issuer=Greenwood%20High%20School')
  t.match(of('\u0905'.repeat(30), '\u0917'.repeat(12)), /^otpauth:\/\/totp\/%E0%A4%85/, 'a long one has no prefix')
})

t.test('the entry of a second enrolment has another name, because the first one may still be in use', async (t) => {
  const { id, username } = await person()
  const nameIn = async (token: string) => /otpauth:[^?]*:([^?]*)\?/.exec((await lookAt(main, token)).body)?.[1]
  t.equal(await nameIn(await linkFor(main, id)), encodeURIComponent(username))
  t.equal(await nameIn(await linkFor(main, id)), `${encodeURIComponent(username)}%20(2)`)
})

t.test('a sealed secret opens whole, as that of its user, and in no other case', async (t) => {
  const sealing = factorSealing(['a secret of the service for its second factors'])
  const secret = Buffer.from('12345678901234567890')
  const sealed = sealing.seal(secret, ofUser(1))
  t.same(sealing.open(sealed, ofUser(1)), secret)
  t.equal(sealing.open(sealed, ofUser(2)), undefined)
  for (const length of [0, 12, 16, 47]) {
    const cut = Buffer.from(sealed, 'base64url').subarray(0, length).toString('base64url')
    t.equal(sealing.open(cut, ofUser(1)), undefined)
  }
})

// J10
t.test('secrets and codes are in no export', async (t) => {
  const one = await person()
  const { recoveryCodes } = await enrol(main, one.id)
  const { stdout } = await gatehouse('export')
  t.ok(stdout.includes(one.username))
  const { secret } = await app.db.secondFactor.findUniqueOrThrow({ where: { userId: one.id } })
  for (const hidden of [secret!, ...recoveryCodes]) t.notOk(stdout.includes(hidden))
  t.equal((await gatehouse('delete', one.username, '--yes')).code, 0)
  t.equal(await app.db.secondFactor.count({ where: { userId: one.id } }), 0)
})
