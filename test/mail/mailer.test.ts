// A mail reaches its one recipient, encrypted where it leaves this machine, or fails with the reason. No text in it can
// add a header, a recipient or a command.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { Socket, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { mock } from 'node:test'
import PostalMime from 'postal-mime'
import t, { type Test } from 'tap'
import { languageOf, readLanguages } from '#src/languages/languages.js'
import { letter as letterOf } from '#src/mail/letters.js'
import { createMailer, RecipientRefused, serverFaultOf } from '#src/mail/mailer.js'
import { parseTokenUrl } from '#src/mail/smtp-token.js'
import { parseSmtpUrl } from '#src/mail/smtp-url.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { noOpenssl } from '../fixtures/openssl.js'
import { certificate, hang, outerAddress, refuse, startScripted, startSmtp, type Smtp } from '../fixtures/smtp.js'
import { startTcp } from '../fixtures/socket.js'

const from = 'Gatehouse <gatehouse@school.example>'
const to = 'asha@school.example'
const id = '0b8f2d9e-2f0f-4a53-9a9b-0d5c1f3f7a11'
const link = new URL('https://login.school.example/reset-password#token=abc')
const wording = { appName: '<b> "School" & ERP', loginUrl: undefined }
const languages = readLanguages()
const resetLetter = (username: string, link: URL) =>
  letterOf('password_reset', { username, hasPassword: true, link }, languageOf(languages, null), wording)
const changedLetter = (username: string) =>
  letterOf('password_changed', { username, hasPassword: true }, languageOf(languages, null), wording)
const letter = resetLetter('asha.verma', link)

const mailerTo = (smtpUrl: string) => createMailer({ smtpUrl, from, directory: '/nowhere' })

// B10
t.test('the sender of a mail is the one that MAIL_FROM was checked for, whatever signs its name has', async (t) => {
  const smtp = await startSmtp(t)
  const names = ['School: Office', 'Office (Delhi)', '"Rao, A."', 'a "b" c', 'Büro; x']
  const senders = names.map(name => `${name} <o@s.example>`)

  for (const from of senders) {
    const { send } = createMailer({ smtpUrl: smtp.url, from, directory: '/nowhere' })
    await send('a@b.example', changedLetter('asha'), '1')
  }

  t.same(smtp.mails.map(({ sender }) => sender), senders.map(() => 'o@s.example'))
  t.same(smtp.mails.map(({ email }) => email.from?.name), [
    'School: Office', 'Office (Delhi)', 'Rao, A.', 'a "b" c', 'Büro; x'
  ])
})

t.test('a mail has equivalent text and HTML parts, and headers that prevent automatic replies', async (t) => {
  const smtp = await startSmtp(t)
  await mailerTo(smtp.url).send(to, letter, id)
  t.equal(smtp.mails.length, 1)
  const { sender, recipients, email, source } = smtp.mails[0]!
  t.equal(sender, 'gatehouse@school.example')
  t.same(recipients, [to])
  t.match(email, {
    from: { name: 'Gatehouse', address: 'gatehouse@school.example' },
    to: [{ address: to }],
    subject: 'Set a new password'
  })
  t.match(email.headers.find(({ key }) => key === 'auto-submitted'), { value: 'auto-generated' })
  t.equal(email.messageId, `<${id}@school.example>`)
  t.ok(Math.abs(Date.parse(email.date!) - Date.now()) < 60_000)
  t.match(source, /^Content-Type: multipart\/alternative;/m)
  t.same(email.attachments, [])
  t.equal(email.text!.trim(), letter.text.trim())
  t.equal(email.html!.trim(), letter.html.trim())
  for (const part of [email.text!, email.html!]) {
    t.match(part, 'asha.verma')
    t.match(part, link.href)
    t.match(part, '60 minutes')
  }
  t.match(email.html, `<a href="${link.href}">`)
})

t.test('the error contains the server\'s refusal, at whichever step it comes', async (t) => {
  const smtp = await startSmtp(t)
  const { send } = mailerTo(smtp.url)
  smtp.on.connect = refuse(421, 'too busy')
  await t.rejects(send(to, letter, id), /421/)
  smtp.on = { recipient: refuse(550, 'no such mailbox') }
  await t.rejects(send(to, letter, id), /550 no such mailbox/)
  smtp.on = { data: refuse(451, 'disk full') }
  await t.rejects(send(to, letter, id), /451 disk full/)
  t.equal(smtp.mails.length, 0)
  await smtp.stop()
  await t.rejects(send(to, letter, id), /ECONNREFUSED/)
  await smtp.start()
  smtp.on = {}
  await send(to, letter, id)
  t.equal(smtp.mails.length, 1, 'and the same mailer finds the server again')
})

t.test('the user and password of the URL, decoded, are used to log in', async (t) => {
  const login = { username: 'gate@school.example', password: 'p@ss/w:rd %' }
  const smtp = await startSmtp(t, { login })
  const url = (password: string) =>
    smtp.url.replace('//', `//${encodeURIComponent(login.username)}:${encodeURIComponent(password)}@`)
  await mailerTo(url(login.password)).send(to, letter, id)
  t.same(smtp.logins, [{ ...login, secure: false }], 'in clear, as it does not leave this machine')
  t.equal(smtp.mails.length, 1)
  await t.rejects(mailerTo(url('wrong')).send(to, letter, id), /535/)
  await t.rejects(mailerTo(smtp.url).send(to, letter, id), /530/, 'without a login, where one is asked for')
  t.equal(smtp.mails.length, 1)
})

t.test('without STARTTLS a remote server gets neither the password nor the mail', async (t) => {
  const login = { username: 'gatehouse', password: 'secret' }
  const smtp = await startSmtp(t, { host: outerAddress, login })
  await t.rejects(mailerTo(`smtp://gatehouse:secret@${outerAddress}:${smtp.port}`).send(to, letter, id), {
    code: 'ETLS'
  })
  t.ok(smtp.connections() > 0, 'it was reached')
  t.same(smtp.logins, [])
  t.same(smtp.mails, [])

  for (const alias of ['localhost.', 'LOCALHOST', '127.0.0.1.nip.invalid', '127.1', '[::ffff:127.0.0.1]']) {
    await t.rejects(mailerTo(`smtp://gatehouse:secret@${alias}:${smtp.port}`)
      .send(to, letter, id), Error, `${alias} is no name of this machine that needs no TLS`)
  }
  t.same(smtp.logins, [])
})

/** Runs the built mailer in a process of its own, because a process reads its trusted certificates at its start. */
async function sendElsewhere (t: Test, smtpUrl: string, trusted: string): Promise<string> {
  const directory = newDirectory(t, { 'ca.pem': trusted })
  const program = `
    const { createMailer } = await import(${JSON.stringify(new URL('../../dist/mail/mailer.js', import.meta.url).href)})
    const { smtpUrl, from, to, letter, id } = JSON.parse(process.argv[1])
    await createMailer({ smtpUrl, from, directory: '' }).send(to, letter, id).then(() => console.log('sent'), ` +
      'error => console.log(error.message))'
  const { NODE_OPTIONS, NODE_EXTRA_CA_CERTS, ...environment } = process.env
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, JSON.stringify({
    smtpUrl, from, to, letter, id
  })], {
    env: { ...environment, NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem') },
    stdio: ['ignore', 'pipe', 'inherit']
  })
  return (await text(child.stdout)).trim()
}

for (const [what, scheme, options] of [
  ['with STARTTLS, login and mail are encrypted', 'smtp', { startTls: true }],
  ['smtps:// is TLS from the first byte', 'smtps', { secure: true }]
] as const) {
  t.test(`${what}; an untrusted certificate gets neither`, { skip: noOpenssl }, async (t) => {
    const login = { username: 'gatehouse', password: 'secret' }
    const smtp = await startSmtp(t, { host: outerAddress, ...options, login })
    const url = `${scheme}://gatehouse:secret@${outerAddress}:${smtp.port}`
    await t.rejects(mailerTo(url).send(to, letter, id), /self-signed certificate/)
    t.same([smtp.logins, smtp.mails], [[], []])
    t.equal(await sendElsewhere(t, url, certificate().cert), 'sent')
    t.same(smtp.logins, [{ ...login, secure: true }])
    t.match(smtp.mails, [{ secure: true, recipients: [to] }])
  })
}

t.test('a mail server on this machine may have a self-signed certificate', { skip: noOpenssl }, async (t) => {
  const smtp = await startSmtp(t, { startTls: true })
  await mailerTo(smtp.url).send(to, letter, id)
  t.match(smtp.mails, [{ secure: true, recipients: [to] }])
})

t.test('with ?tls=optional a mail goes over TLS that proves nothing rather than without; a login never does', {
  skip: noOpenssl
}, async (t) => {
  const login = { username: 'gatehouse', password: 'secret' }
  const smtp = await startSmtp(t, { host: outerAddress, startTls: true })
  const withLogin = await startSmtp(t, { host: outerAddress, startTls: true, login })
  const implicit = await startSmtp(t, { host: outerAddress, secure: true })

  await mailerTo(`${smtp.url}?tls=optional`).send(to, letter, id)
  await t.rejects(mailerTo(`${withLogin.url.replace('//', '//gatehouse:secret@')}?tls=optional`).send(to, letter, id),
    /self-signed certificate/)
  await t.rejects(mailerTo(`${implicit.url}?tls=optional`).send(to, letter, id), /self-signed certificate/)

  t.match(smtp.mails, [{ secure: true, recipients: [to] }])
  t.same([withLogin.logins, withLogin.mails, implicit.mails], [[], [], []])
})

t.test('a server that offers STARTTLS and then refuses it gets mails without a login in plain text', async (t) => {
  const answers = { EHLO: '250-x\r\n250-AUTH PLAIN\r\n250 STARTTLS', STARTTLS: '454 4.7.0 TLS not available' }
  const { url, lines } = await startScripted(t, answers)

  await mailerTo(url).send(to, letter, id)
  t.ok(lines.includes(`RCPT TO:<${to}>`))
  lines.length = 0
  await t.rejects(mailerTo(url.replace('//', '//gatehouse:secret@')).send(to, letter, id), /offers no login/)

  t.notMatch(lines.join('\n'), /AUTH|MAIL/)
})

t.test('a password is sent to no server that takes only tokens, and a mail to none that offers no login', async (t) => {
  const sent = async (offers: string): Promise<string> => {
    const { url, lines } = await startScripted(t, { EHLO: `250-x\r\n${offers}`, AUTH: '235 ok' })
    const error = await mailerTo(url.replace('//', '//gatehouse:secret@')).send(to, letter, id).catch(error => error)
    return `${(error as Error | undefined)?.message} ${lines.find(line => /^(AUTH|MAIL)/.test(line))}`
  }

  t.match(await sent('250 AUTH XOAUTH2'), /only a token \(XOAUTH2\): set SMTP_TOKEN_URL undefined/)
  t.match(await sent('250 AUTH NTLM GSSAPI'), /offers no login .* undefined/)
  t.match(await sent('250 8BITMIME'), /offers no login .* undefined/)
  t.match(await sent('250 AUTH XOAUTH2 PLAIN'), `undefined AUTH PLAIN ${btoa('\0gatehouse\0secret')}`)
})

/** A token endpoint as RFC 6749 has it. Its answer can be changed at any time. */
async function startTokens (t: Test) {
  const tokens = {
    asked: [] as Array<Record<string, string>>,
    answer: (): { status: number, body: object } =>
      ({ status: 200, body: { access_token: `token ${tokens.asked.length}`, expires_in: '3600' } }),
    url: ''
  }
  const server = createHttpServer((request, response) => {
    text(request).then((body) => {
      tokens.asked.push({ ...Object.fromEntries(new URLSearchParams(body)), path: request.url! })
      const { status, body: answer } = tokens.answer()
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    }, () => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => { server.close() })
  const { port } = server.address() as AddressInfo
  tokens.url = `http://the-client:top%2Fsecret@127.0.0.1:${port}/t/token?scope=mail.send&p=1`
  return tokens
}

t.test('a token is the login: fetched once while it is valid, and again after the server refused it', async (t) => {
  const tokens = await startTokens(t)
  let valid = 'token 1'
  const smtp = await startSmtp(t, { token: { username: 'gate@school.example', accepts: token => token === valid } })
  const smtpUrl = parseSmtpUrl(smtp.url.replace('//', '//gate%40school.example@'))
  const { send } = createMailer({ smtpUrl: { ...smtpUrl, token: parseTokenUrl(tokens.url) }, from, directory: '' })

  await send(to, letter, id)
  await send(to, letter, id)
  t.same(tokens.asked, [{
    grant_type: 'client_credentials',
    client_id: 'the-client',
    client_secret: 'top/secret',
    scope: 'mail.send',
    path: '/t/token?p=1'
  }])
  valid = 'token 2'
  await t.rejects(send(to, letter, id), /535/)
  await send(to, letter, id)

  t.equal(smtp.mails.length, 3)
  t.same(smtp.logins.map(({ password }) => password), ['token 1', 'token 1', 'token 1', 'token 2'])
})

t.test('without a token there is no login, and the error has the words of its issuer, not the secret', async (t) => {
  const tokens = await startTokens(t)
  const smtp = await startSmtp(t, { token: { username: 'gatehouse', accepts: () => true } })
  const smtpUrl = parseSmtpUrl(smtp.url.replace('//', '//gatehouse@'))
  const { send } = createMailer({ smtpUrl: { ...smtpUrl, token: parseTokenUrl(tokens.url) }, from, directory: '' })
  const failure = async () => await send(to, letter, id).catch(error => error) as Error

  const refused = { error: 'invalid_client', error_description: 'No top/secret\r\nhere' }
  tokens.answer = () => ({ status: 401, body: refused })
  t.match(await failure(), {
    code: 'EAUTH', message: /^no token from 127.0.0.1:\d+: 401 invalid_client: No \(secret\) here$/
  })
  tokens.answer = () => ({ status: 503, body: ['busy'] })
  t.match((await failure()).message, /: 503 \["busy"\]$/)
  tokens.answer = () => ({ status: 200, body: { token: 'x' } })
  t.match((await failure()).message, /: 200 without an access_token$/)

  t.same([smtp.logins, smtp.mails], [[], []])
  const passwords = await startSmtp(t, { login: { username: 'gatehouse', password: 'x' } })
  const { send: sendThere } = createMailer({
    smtpUrl: { ...smtpUrl, port: passwords.port, token: parseTokenUrl(tokens.url) }, from, directory: ''
  })
  await t.rejects(sendThere(to, letter, id), /takes no token/)
})

/** A mail server that takes its time at one step. */
async function startSlow (t: Test, slowAt: string, wait: () => Promise<unknown>): Promise<string> {
  const port = await startTcp(t, (socket) => {
    const answer = async (step: string, reply: string): Promise<void> => {
      if (step === slowAt) await wait()
      socket.write(`${reply}\r\n`)
    }
    let received = ''
    socket.on('data', (chunk) => {
      received += String(chunk)
      const [, command = 'mail'] = /^([A-Z]+)[ \r]/.exec(received) ?? []
      if (!received.endsWith(command === 'mail' ? '\r\n.\r\n' : '\r\n')) return
      received = ''
      answer(command, command === 'DATA' ? '354 go on' : '250 ok')
    })
    answer('greeting', '220 slow')
  })
  return `smtp://127.0.0.1:${port}`
}

// Each of these uses the mailer's own time, which passes a hundred times faster.
t.test('a mail server may take as long as RFC 5321 says, and no longer than that for ever', { jobs: 9 }, async (t) => {
  const FASTER = 100
  const { setTimeout } = globalThis
  const minutes = (n: number) => () => new Promise(resolve => setTimeout(resolve, n * 60_000 / FASTER))
  const timers = mock.method(globalThis, 'setTimeout', (run: () => void, ms: number) => setTimeout(run, ms / FASTER))
  const socketTimeout = Socket.prototype.setTimeout
  const sockets = mock.method(Socket.prototype, 'setTimeout', function (this: Socket, ms: number) {
    return socketTimeout.call(this, ms / FASTER)
  })
  t.after(() => { for (const { mock } of [timers, sockets]) mock.restore() })

  const steps = [['greeting', 5], ['EHLO', 5], ['MAIL', 5], ['RCPT', 5], ['DATA', 2], ['mail', 10]] as const
  for (const [step, least] of steps) {
    t.test(`${least} minutes for ${step}`, async (t) => {
      await mailerTo(await startSlow(t, step, minutes(least * 0.7))).send(to, letter, id)
    })
  }
  for (const step of ['greeting', 'RCPT', 'mail']) {
    t.test(`not for ever for ${step}`, async (t) => {
      await t.rejects(mailerTo(await startSlow(t, step, () => new Promise(() => {}))).send(to, letter, id), {
        code: 'ETIMEDOUT'
      })
    })
  }
  t.test('not for ever for a TLS handshake', async (t) => {
    await t.rejects(mailerTo(`smtps://127.0.0.1:${await startTcp(t)}`).send(to, letter, id), { code: 'ETIMEDOUT' })
  })
})

t.test('a delivery that lasts too long is cut off by the signal', async (t) => {
  const smtp = await startSmtp(t)
  smtp.on.sender = hang
  await t.rejects(mailerTo(smtp.url).send(to, letter, id, AbortSignal.timeout(200)), { code: 'EABORT' })
})

const unknown = '5.1.1 The email account that you tried to reach does not exist. w9-20020a170902.12 - gsmtp'
const sendAsDenied = '5.2.252 SendAsDenied; gatehouse@school.example not allowed to send as a@school.example'
/** As these servers word them, and what each means. */
const answers: Array<[meaning: string, step: keyof Smtp['on'], code: number, reply: string]> = [
  // Microsoft
  ['recipient', 'recipient', 550, '5.4.1 Recipient address rejected: Access denied. AS(201806281) [a.example]'],
  ['recipient', 'recipient', 550, '5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address'],
  ['mail', 'data', 554, sendAsDenied],
  ['mail', 'recipient', 554, sendAsDenied],
  ['mail', 'data', 432, '4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded'],
  ['server', 'login', 535, '5.7.139 Authentication unsuccessful, basic authentication is disabled.'],
  ['server', 'sender', 550, '5.7.60 SMTP; Client does not have permissions to send as this sender'],
  ['server', 'recipient', 451, '4.7.500 Server busy. Please try again later from [192.0.2.1].'],
  // Google
  ['recipient', 'recipient', 550, unknown],
  ['recipient', 'recipient', 550, '5.2.1 The email account that you tried to reach is disabled.'],
  ['mail', 'recipient', 552, '5.2.2 The email account that you tried to reach is over quota.'],
  ['mail', 'recipient', 450, '4.2.1 The user you are trying to contact is receiving mail too quickly.'],
  ['mail', 'data', 550, unknown],
  ['mail', 'data', 550, '5.4.5 Daily user sending limit exceeded.'],
  ['server', 'login', 454, '4.7.0 Too many login attempts, please try again later.'],
  ['server', 'connect', 421, '4.7.0 Our system has detected an unusual rate of unsolicited mail'],
  ['server', 'recipient', 421, '4.7.0 Try again later, closing connection.'],
  // Others
  ['recipient', 'recipient', 524, '5.2.4 Mailing list expansion problem: <asha@school.example>'],
  ['recipient', 'recipient', 553, 'no mailbox here by that name'],
  ['recipient', 'recipient', 550, '5.1.0 Address rejected.'],
  ['mail', 'recipient', 550, '5.1.0 <gatehouse@school.example>: Sender address rejected: User unknown'],
  ['mail', 'recipient', 554, 'the client 5.1.10.2 is not welcome'],
  ['mail', 'recipient', 554, '5.7.1 Relay access denied'],
  ['mail', 'recipient', 450, '4.2.0 Greylisted, see http://postgrey.schweikert.ch/help/school.example.html'],
  ['mail', 'recipient', 553, 'sorry, that domain is not in my list of allowed rcpthosts (#5.7.1)'],
  ['mail', 'recipient', 530, 'Authentication required'],
  ['mail', 'recipient', 550, '5.1.8 <gatehouse@erp.local>: Sender address rejected: Domain not found'],
  ['mail', 'recipient', 504, '5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname'],
  ['mail', 'recipient', 550, 'relay not permitted'],
  ['server', 'sender', 550, '5.1.0 Sender denied']
]

t.test('an answer means what it answers: the recipient, the mail or the server', async (t) => {
  const login = { username: 'gatehouse', password: 'secret' }
  const smtp = await startSmtp(t, { login })
  const { send } = mailerTo(smtp.url.replace('//', '//gatehouse:secret@'))
  const means = (error: unknown): string =>
    error instanceof RecipientRefused ? 'recipient' : serverFaultOf(error) ? 'server' : 'mail'

  for (const [meaning, step, code, reply] of answers) {
    smtp.on = { [step]: refuse(code, reply) }
    t.equal(await send(to, letter, id).then(() => 'sent', means), meaning, `${step}: ${code} ${reply}`)
  }
  await smtp.stop()
  t.equal(await send(to, letter, id).then(() => 'sent', means), 'server', 'nobody answers')
})

t.test('without a server each mail is a whole .eml file that only its owner can read', async (t) => {
  const directory = join(newDirectory(t), 'data', 'outbox')
  const { send } = createMailer({ smtpUrl: undefined, from, directory })
  await send(to, letter, id)
  await new Promise(resolve => setTimeout(resolve, 5))
  await send('devi@school.example', changedLetter('devi'), id.replace('0', '1'))
  t.equal(statSync(directory).mode & 0o777, 0o700)
  const files = readdirSync(directory).sort()
  t.equal(files.length, 2, 'and nothing else, such as a part of one')
  for (const file of files) {
    t.match(file, /^\d{4}-\d\d-\d\dT[\d-]+Z-[0-9a-f-]{36}\.eml$/)
    t.equal(statSync(join(directory, file)).mode & 0o777, 0o600)
  }
  t.match(files[0], id, 'the first one sent is the first one listed')
  const source = readFileSync(join(directory, files[0]!), 'utf8')
  t.notMatch(source, /[^\r]\n|\r[^\n]/, 'every line ends in CRLF')
  const email = await PostalMime.parse(source)
  t.match(email, {
    from: { address: 'gatehouse@school.example' }, to: [{ address: to }], subject: 'Set a new password'
  })
  t.match(email.headers.find(({ key }) => key === 'auto-submitted'), { value: 'auto-generated' })
  t.match(email.text, link.href)
  t.match(email.html, link.href)
})

t.test('a mail that cannot be stored is an error, and leaves no .eml behind', async (t) => {
  const directory = newDirectory(t, { outbox: 'a file, not a directory' })
  await t.rejects(createMailer({
    smtpUrl: undefined, from, directory: join(directory, 'outbox')
  }).send(to, letter, id), { code: 'EEXIST' })
})

t.test('no address leads a mail to another recipient', async (t) => {
  const smtp = await startSmtp(t)
  const addresses = [
    'asha@school.example, eve@evil.example',
    'asha@school.example\r\nBcc: eve@evil.example',
    'asha: eve@evil.example;',
    'asha@school.example <eve@evil.example>'
  ]
  for (const address of addresses) {
    await mailerTo(smtp.url).send(address, letter, id).catch(() => {})
  }
  t.same(smtp.mails.flatMap(({ recipients }) => recipients).filter(address => address === 'eve@evil.example'), [])
})

t.test('every address that an account may have is one recipient, unchanged', async (t) => {
  const smtp = await startSmtp(t)
  const addresses = ["o'brien+x{y}|z@school.example", '!#$%&*/=?^_`~-@a.b-c.example', 'a.b@school.example']
  for (const address of addresses) await mailerTo(smtp.url).send(address, letter, id)
  t.same(smtp.mails.map(({ recipients }) => recipients), addresses.map(address => [address]))
})
