// A request for a reset gets the same answer for every account. Its mail comes within seconds and has a link of
// PUBLIC_URL.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import PostalMime, { type Email } from 'postal-mime'
import t, { type Test } from 'tap'
import { setPassword } from '#src/auth/password-changes.js'
import { startApp, type TestApp } from '../fixtures/app.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { startSmtp } from '../fixtures/smtp.js'
import { until } from '../fixtures/until.js'

const page = 'https://login.school.example/reset-password'
const smtp = await startSmtp(t)
const main = await startApp(t, { PUBLIC_URL: 'https://login.school.example', SMTP_URL: smtp.url })
const { app, client, login, logs } = main

const url = '/auth/forgot-password'

function ask (payload: object, options: InjectOptions = {}): Promise<LightMyRequestResponse> {
  return app.inject({ method: 'POST', url, remoteAddress: client(), payload, ...options })
}

let people = 0

/** A new user, with a mail address by default. */
async function person (
  fields: { username?: string, email?: string | null, disabledAt?: Date, password?: string } = {},
  { app, user }: TestApp = main
) {
  const { email = `person${process.pid}x${++people}@school.example`, ...others } = fields
  const { id, username } = await user(others)
  await app.db.user.update({ where: { id }, data: { email } })
  return { id, username, email: email ?? '' }
}

/** Waits until no mail is due or being sent. The worker looks every 0.5 to 1.5 seconds. */
async function settled ({ app }: Pick<TestApp, 'app'> = main): Promise<void> {
  await until(async () => await app.db.mail.count({ where: { dueAt: { not: null } } }) === 0, 'no mail is due')
}

/** What has been sent to an address, in the order of sending. */
const mailsTo = (address: string): Email[] =>
  smtp.mails.filter(({ recipients }) => recipients.includes(address)).map(({ email }) => email)

const linkIn = ({ text }: Email): string => /https?:\S+/.exec(text ?? '')?.[0] ?? 'no link'
const tokenIn = (mail: Email): string => /#token=([\w-]+)/.exec(linkIn(mail))?.[1] ?? 'no token'
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const answer = '{"success":true,"status":200,"data":{"message":"If an account matches, password reset instructions ' +
  'have been sent."}}'

function isAnswer (t: Test, reply: LightMyRequestResponse, what = ''): void {
  t.equal(reply.statusCode, 200, what)
  t.equal(reply.body, answer, what)
}

// A copy of what the requests write, before the worker changes it.
await app.db.$executeRawUnsafe('CREATE TABLE written AS SELECT * FROM mails')
await app.db.$executeRawUnsafe('CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO ' +
  'written SELECT NEW.*; RETURN NEW; END $$')
await app.db.$executeRawUnsafe('CREATE TRIGGER note AFTER INSERT ON mails FOR EACH ROW EXECUTE FUNCTION note()')

t.test('a mail comes within seconds, its token has 32 random bytes, and a hash is stored for an hour', async (t) => {
  const { id, username, email } = await person({ username: `o<b>'"&${process.pid}` })
  isAnswer(t, await ask({ username }))
  await settled()
  const [mail, ...others] = mailsTo(email)
  t.strictSame(others, [])
  t.match(mail, {
    subject: 'Set a new password', from: { address: 'gatehouse@login.school.example' }, to: [{ address: email }]
  })
  t.match(linkIn(mail!), /^https:\/\/login\.school\.example\/reset-password#token=[\w-]{43}&username=[\w%]+$/)
  t.ok(mail!.text!.includes(username))
  const href = linkIn(mail!).replace('&', '&#38;')
  t.ok(mail!.html!.includes(`<a href="${href}">${href}</a>`))
  t.notOk(mail!.html!.includes('<b>'), 'a name is no markup')

  const row = await app.db.user.findUniqueOrThrow({ where: { id } })
  t.equal(row.resetTokenHash, sha256(tokenIn(mail!)))
  t.ok(Math.abs(row.resetTokenExpiresAt!.getTime() - Date.now() - 60 * 60_000) < 60_000)
})

// B10: the relay of Google Workspace refuses the [127.0.0.1] that containers would send.
t.test('the mail server is greeted with the host of PUBLIC_URL', async (t) => {
  for (const [PUBLIC_URL, greeting] of [
    ['https://login.school.example:8443', 'login.school.example'],
    ['https://[2001:db8::1]', '[ipv6:2001:db8::1]']
  ] as const) {
    const smtp = await startSmtp(t)
    const service = await startApp(t, { PUBLIC_URL, SMTP_URL: smtp.url, MAIL_FROM: 'gatehouse@school.example' })
    const { username } = await person({}, service)

    await service.app.inject({ method: 'POST', url, payload: { username } })
    await until(() => smtp.mails.length > 0, 'the mail has come')

    t.equal(smtp.mails[0]!.greeting, greeting)
  }
})

t.test('a mail is in the language of the request that asked for it, and says APP_NAME and LOGIN_URL', async (t) => {
  const smtp = await startSmtp(t)
  const service = await startApp(t, {
    PUBLIC_URL: 'https://login.school.example',
    SMTP_URL: smtp.url,
    APP_NAME: 'विद्यालय & Co.',
    LOGIN_URL: 'https://erp.school.example/login'
  })
  const headers = { 'accept-language': 'hi-IN,en;q=0.5' }
  const { username } = await person({}, service)
  const mailed = async (subject: string): Promise<Email> => {
    await until(() => smtp.mails.some(({ email }) => email.subject === subject), `"${subject}" has come`)
    return smtp.mails.at(-1)!.email
  }

  await service.app.inject({ method: 'POST', url, payload: { username }, headers })
  const mail = await mailed('आप अपना नया पासवर्ड बनाइए')
  const payload = { token: tokenIn(mail), newPassword: 'a new horse battery' }
  await service.app.inject({ method: 'POST', url: '/auth/resetPassword', payload, headers })
  const announced = await mailed('आपका पासवर्ड बदल दिया गया')

  t.equal(mail.from?.name, 'विद्यालय & Co.')
  t.match(mail.text, `विद्यालय & Co. पर खाता ${username} का`)
  t.match(mail.text, /60 मिनट.*विद्यालय & Co\.: https:\/\/erp\.school\.example\/login/s)
  t.match(mail.html, '<html lang="hi">')
  t.match(announced.html, `विद्यालय &#38; Co. पर खाता ${username} का`)
  await setPassword(service.app.db, username, 'a hash')
  await mailed('Your password was changed')
})

// S49
t.test('the answer has the same bytes and headers for every account, and a row is always written', async (t) => {
  const known = await person()
  const disabled = await person({ disabledAt: new Date() })
  const withoutMail = await person({ email: null })
  const served = await person()
  for (let i = 0; i < 3; i++) {
    await app.db.mail.create({ data: { kind: 'password_reset', userId: served.id, requestId: 'x', dueAt: null } })
  }
  const before = new Map((await app.db.user.findMany()).map(row => [row.id, row]))
  const payloads = [
    { username: known.username }, { email: known.email }, { username: 'nobody-of-this-name' },
    { email: 'nobody@school.example' },
    { username: disabled.username }, { email: disabled.email }, { username: withoutMail.username },
    { username: served.username }, { email: served.email },
    { username: '\u{1f600}' }, { username: "' or 1=1--" }, { username: '%' }
  ]
  const answers = new Set()
  for (const payload of payloads) {
    const reply = await ask(payload)
    const { date, 'x-request-id': requestId, ...headers } = reply.headers
    answers.add(JSON.stringify([reply.statusCode, headers, reply.body]))
    t.equal(headers['cache-control'], 'no-store')
    const rows = await app.db.$queryRaw<object[]>`
      SELECT kind::text, username, email, user_id, attempts, due_at <= now() AS due FROM written WHERE request_id
        = ${requestId}`
    t.strictSame(rows, [
      { kind: 'password_reset', username: null, email: null, ...payload, user_id: null, attempts: 0, due: true }
    ])
  }
  t.strictSame([...answers].map(text => JSON.parse(text as string)[2]), [answer])

  await settled()
  t.equal(mailsTo(known.email).length, 2)
  for (const { email } of [disabled, served]) t.strictSame(mailsTo(email), [])
  for (const { id } of [disabled, withoutMail, served]) {
    t.strictSame(await app.db.user.findUnique({ where: { id } }), before.get(id))
  }
  t.equal(await app.db.mail.count({ where: { userId: null } }), 0, 'what nobody was sent is not kept')
})

t.test('exactly one of username and email is accepted, and only as text', async (t) => {
  const either = { field: 'body', message: 'must have either username or email, and not both' }
  const address = 'must be an address such as asha@school.example'
  const table: Array<[payload: unknown, details: object[]]> = [
    [{}, [either]],
    [{ username: 'asha', email: 'asha@school.example' }, [either]],
    [{ username: '' }, [{ field: 'username', message: 'must not be empty' }]],
    [{ username: 'a'.repeat(256) }, [{ field: 'username', message: 'must have at most 255 characters' }]],
    [{ email: 'a@school.example\nBcc: b@school.example' }, [{ field: 'email', message: address }]],
    [{ username: 'asha', email: null }, [{ field: 'email', message: 'must be a string' }]],
    [{ username: { contains: '' } }, [{ field: 'username', message: 'must be a string' }]],
    [{ username: 'asha\0' }, [{ field: 'username', message: 'has characters that are not allowed here' }]],
    [{ username: 'asha', userId: 1 }, [{ field: 'userId', message: 'is not known here' }]],
    [[], [{ field: 'body', message: 'must be an object' }]]
  ]
  const count = async () => (await app.db.$queryRaw<[{ n: bigint }]>`SELECT count(*) AS n FROM written`)[0].n
  const before = await count()
  for (const [payload, details] of table) {
    const reply = await ask(payload as object)
    t.equal(reply.statusCode, 400, JSON.stringify(payload))
    t.strictSame({ ...reply.json(), timestamp: '' }, {
      timestamp: '', status: 400, error: 'Bad Request', message: 'The body is not valid.', path: url, details
    })
  }
  t.equal(await count(), before, 'and nothing is written')
})

// S39
t.test('an account is found in any spelling of its name or email', async (t) => {
  const { email } = await person({ username: `asha${process.pid}`, email: `asha.${process.pid}@school.example` })
  const payloads = [
    { username: `ASHA${process.pid}` }, { username: `\uff21\uff33\uff48\uff41${process.pid}` },
    { email: `ASHA.${process.pid}@School.Example` }
  ]
  for (const payload of payloads) isAnswer(t, await ask(payload))
  await settled()
  t.equal(mailsTo(email).length, payloads.length)
})

// S18 S51
t.test('the link is built from PUBLIC_URL, whatever a request says about the host', async (t) => {
  const evil = 'evil.example'
  const headers: Array<InjectOptions['headers'] & object> = [
    { host: evil, forwarded: `host=${evil};proto=http` },
    { host: evil, 'x-forwarded-host': evil, 'x-forwarded-proto': 'http', 'x-forwarded-prefix': `//${evil}` }
  ]
  const asked = []
  for (const header of headers) {
    const { username, email } = await person()
    isAnswer(t, await ask({ username }, { headers: header }), JSON.stringify(header))
    asked.push(email)
  }
  const absolute = await person()
  isAnswer(t, await ask({ username: absolute.username }, { url: `http://${evil}${url}` }))

  await settled()
  for (const email of [...asked, absolute.email]) {
    const [mail, ...others] = mailsTo(email)
    t.strictSame(others, [])
    t.equal(linkIn(mail!).split('#')[0], page)
    t.notMatch(JSON.stringify(mail), /evil/)
  }
})

// S51
t.test('without PUBLIC_URL the link leads to this machine, whatever a request says', async (t) => {
  const directory = newDirectory(t)
  const local = await startApp(t, { PORT: '3456', DATA_DIR: directory })
  const { username, email } = await person({}, local)
  isAnswer(t, await local.app.inject({
    method: 'POST', url, remoteAddress: client(), payload: { username }, headers: { host: 'evil.example' }
  }))
  await settled(local)
  const [file] = readdirSync(join(directory, 'outbox'))
  const mail = await PostalMime.parse(readFileSync(join(directory, 'outbox', file!)))
  t.match(mail, { from: { address: 'gatehouse@localhost' }, to: [{ address: email }] })
  t.match(linkIn(mail), /^http:\/\/127\.0\.0\.1:3456\/reset-password#token=[\w-]{43}&username=\w+$/)
})

// S58
t.test('a request neither locks nor changes an account', async (t) => {
  const { id, username, email } = await person({ password: 'correct horse battery' })
  const { token } = (await login(client(), username, 'correct horse battery')).json().data
  const row = async () => {
    const { resetTokenHash, resetTokenExpiresAt, ...rest } = await app.db.user.findUniqueOrThrow({ where: { id } })
    return rest
  }
  const before = await row()
  for (let i = 0; i < 5; i++) isAnswer(t, await ask(i % 2 ? { username } : { email }))
  await settled()
  t.equal(mailsTo(email).length, 3)
  t.strictSame(await row(), before)
  t.equal((await login(client(), username, 'correct horse battery')).statusCode, 200)
  t.equal((await app.inject({
    url: '/api/auth/me', remoteAddress: client(), headers: { authorization: `Bearer ${token}` }
  })).statusCode, 200)
})

// S57 S91 S92
t.test('the log links a mail to its request, and contains no token, address or name', async (t) => {
  const { id, username, email } = await person()
  const remoteAddress = client()
  const [byName, byEmail, unknown] = [
    await ask({ username }, { remoteAddress }), await ask({ email }, { remoteAddress }),
    await ask({ username: 'nobody-of-that-name' })
  ]
  await settled()
  const lines = (reply: LightMyRequestResponse, field: string) =>
    logs.filter(line => line[field] === reply.headers['x-request-id'])
  for (const reply of [byName, byEmail]) {
    t.match(lines(reply, 'reqId'), [
      { msg: 'request', event: 'authn_password_reset_request', client: remoteAddress, status: 200 }
    ])
  }
  t.match(lines(unknown, 'reqId'), [{ msg: 'request', event: 'authn_password_reset_request' }])
  t.match(lines(byName, 'requestId'), [{ code: 'mail_sent', kind: 'password_reset', userId: id }])
  t.strictSame(lines(unknown, 'requestId'), [])

  const mails = mailsTo(email)
  t.equal(mails.length, 2)
  const everything = JSON.stringify(logs)
  for (const secret of [
    ...mails.map(tokenIn), ...mails.map(mail => sha256(tokenIn(mail))), email, username, 'nobody-of-that-name'
  ]) {
    t.notOk(everything.includes(secret), secret)
  }
})

t.end()
