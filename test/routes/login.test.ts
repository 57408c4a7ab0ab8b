// A login answers a right password with the user and a token, and every other one with the same 401.

import bcrypt from 'bcrypt'
import t from 'tap'
import * as accountChanges from '#src/auth/account-changes.js'
import { openDatabase } from '#src/database/database.js'
import { startApp } from '../fixtures/app.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { until } from '../fixtures/until.js'

const { app, client, login, user } = await startApp(t)

t.test('a login answers with the user\'s data and a token: always seven keys, null included', async (t) => {
  const { id, username, password } = await user()
  const reply = await login(client(), username, password)
  t.equal(reply.statusCode, 200)
  t.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
  const { token, ...data } = reply.json().data
  t.same(reply.json(), { success: true, status: 200, data: { ...data, token } })
  t.same(data, {
    userName: username,
    userType: 'STUDENT',
    userId: id,
    role: 'USER',
    adpStatus: null,
    book_chapter_approver_designation: null
  })
  t.same(Object.keys(reply.json().data), [
    'userName', 'userType', 'userId', 'role', 'adpStatus', 'book_chapter_approver_designation', 'token'
  ])
  t.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/)
})

t.test('/api/auth/me answers a token with the user\'s current data', async (t) => {
  const { id, username, password } = await user()
  const { token, ...atLogin } = (await login(client(), username, password)).json().data
  const me = () => app.inject({
    url: '/api/auth/me', remoteAddress: client(), headers: { authorization: `Bearer ${token}` }
  })
  await app.db.user.update({ where: { id }, data: { adpStatus: 'ACTIVE', bookChapterApproverDesignation: 'Dean' } })
  t.strictSame((await me()).json(), {
    success: true,
    status: 200,
    data: { ...atLogin, adpStatus: 'ACTIVE', book_chapter_approver_designation: 'Dean' }
  })
  await app.db.user.update({ where: { id }, data: { disabledAt: new Date() } })
  t.equal((await me()).statusCode, 401)
  await app.db.user.delete({ where: { id } })
  t.equal((await me()).statusCode, 401)
})

// S1 S2 S3 S44
t.test('every kind of failure gets the same answer', async (t) => {
  const good = await user()
  const disabled = await user({ disabledAt: new Date() })
  const long = await user({ password: 'x'.repeat(72) })
  const damaged = await Promise.all([
    null, '', 'plain text', '$2b$10$tooshort', '$2y$10$abcdefghijklmnopqrstuuPP3Z2pZ1xhYQvQy3ZbqV1oBq0Y3n1i6',
    '{noop}correct horse battery', '{bcrypt}'
  ].map(passwordHash => user({ passwordHash })))
  const attempts: Array<[string, string, string]> = [
    ['an unknown user', 'nobody-of-this-name', 'x'],
    ['a wrong password', good.username, 'wrong'],
    ['a disabled user, wrong password', disabled.username, 'wrong'],
    ['a disabled user, right password', disabled.username, disabled.password],
    ['a password of 73 bytes', long.username, 'x'.repeat(73)],
    ['a password of 10 kB', long.username, 'x'.repeat(10_000)],
    ...damaged.map(({ username }, i) =>
      [`damaged hash ${i}`, username, 'correct horse battery'] as [string, string, string])
  ]
  const answers = new Set()
  for (const [kind, username, password] of attempts) {
    const reply = await login(client(), username, password)
    t.equal(reply.statusCode, 401, kind)
    const { timestamp, ...body } = reply.json()
    t.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const { date, 'x-request-id': id, ...headers } = reply.headers
    answers.add(JSON.stringify({ body, headers }))
  }
  t.equal(answers.size, 1)
  t.match(JSON.parse([...answers][0] as string).body, {
    status: 401, error: 'Unauthorized', message: 'Invalid username or password', path: '/api/auth/login'
  })
})

// S39
t.test('a username matches in any case and width, and with spaces around it', async (t) => {
  const { username, password } = await user({ username: 'asha.verma' })
  // Keyboards of phones add the space.
  for (const name of [username, 'ASHA.Verma', '\uff41\uff53\uff48\uff41.verma', 'asha.verma ']) {
    t.equal((await login(client(), name, password)).statusCode, 200, name)
  }
})

// S45
t.test('a password matches whether its letters are composed or decomposed', async (t) => {
  const { username } = await user({ passwordHash: await bcrypt.hash('pa\u00dfw\u00f6rter'.normalize('NFC'), 4) })
  t.equal((await login(client(), username, 'pa\u00dfwo\u0308rter')).statusCode, 200)
})

t.test('a successful login renews a hash of another cost, and the password still works', async (t) => {
  const { id, username, password } = await user({ passwordHash: await bcrypt.hash('correct horse battery', 5) })

  t.equal((await login(client(), username, password)).statusCode, 200)

  const { passwordHash } = await app.db.user.findUniqueOrThrow({ where: { id } })
  t.match(passwordHash, /^\$2b\$04\$/)
  t.equal((await login(client(), username, password)).statusCode, 200)
  t.equal((await login(client(), username, 'wrong')).statusCode, 401)
})

// B9. The hashes were made by PHP, htpasswd and Spring.
t.test('a bcrypt hash of another system logs in, and the first login makes it one of ours', async (t) => {
  const php = '$2y$04$q5PmgexnPmNVp3ROFioVQuSWLWZxqeqYJS5oiPtyMksl8mGHT9SBS'
  for (const [password, passwordHash] of [
    ['correct horse battery', php],
    ['correct horse battery', `{bcrypt}${php}`],
    ['correct horse battery', '$2y$05$VTio87NLfTzGeBgraZVR/.nk4FQmTWtPglUrf3mIcwji4tkaW7FcS'],
    ['p\u00e4ssw\u00f6rter', '$2a$05$abcdefghijklmnopqrstuu8.jUwy2H39vflZqscoNSFkfjFPyCXMu'],
    ['password', '{bcrypt}$2a$10$dXJ3SW6G7P50lGmMkkmwe.20cQQubK3.HZWzG3YB1tlRy.fqvM/BG']
  ] as const) {
    const { id, username } = await user({ passwordHash })
    t.equal((await login(client(), username, 'wrong')).statusCode, 401)
    t.equal((await login(client(), username, password)).statusCode, 200, passwordHash)
    t.match(await app.db.user.findUniqueOrThrow({ where: { id } }), { passwordHash: /^\$2b\$04\$/ })
    t.equal((await login(client(), username, password)).statusCode, 200)
  }
})

t.test('a login waits for no transaction that changes its user, such as an import', async (t) => {
  const DATABASE_URL = await newDatabase()
  const { app, client, login, user } = await startApp(t, { DATABASE_URL })
  const importer = await openDatabase({ databaseUrl: DATABASE_URL, dataDir: '', databaseTimeoutMs: 20_000 })
  t.teardown(() => importer.close())
  const { username, password } = await user({ passwordHash: await bcrypt.hash('correct horse battery', 5) })
  await app.db.user.update({ where: { username }, data: { resetTokenHash: 'of a mail' } })
  const known = client()
  await login(known, username, password)
  await app.db.user.update({ where: { username }, data: { passwordHash: await bcrypt.hash(password, 5) } })
  const isBlocked = async (): Promise<boolean> => (await app.db.$queryRaw<unknown[]>`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).length > 0
  type Changes = Record<string, (tx: Parameters<typeof accountChanges.setRole>[0]) => Promise<unknown>>
  const changes: Changes = {
    role: tx => accountChanges.setRole(tx, username, 'TEACHER'),
    email: tx => accountChanges.setEmail(tx, username, 'asha@school.example'),
    disabled: tx => accountChanges.disable(tx, username)
  }

  for (const [what, change] of Object.entries(changes)) {
    for (const address of [known, client()]) {
      let found: unknown
      await importer.prisma.$transaction(async (tx) => {
        await change(tx)
        login(address, username, password).then(({ statusCode }) => { found = statusCode }, () => {})
        await until(async () => {
          if (found === undefined && await isBlocked()) found ??= 'it waits'
          return found !== undefined
        })
        throw new Error('nothing is committed')
      }, { timeout: 120_000 }).catch(() => {})
      t.equal(found, 200, `${what}, ${address === known ? 'a known' : 'another'} address`)
    }
  }
})

// S8
t.test('the sixth login in a minute is refused, and other requests of the client are not affected', async (t) => {
  const { username, password } = await user()
  const address = client()
  for (let i = 0; i < 5; i++) t.equal((await login(address, username, 'wrong')).statusCode, 401)
  t.equal((await login(address, username, password)).statusCode, 429)
  t.equal((await login(client(), username, password)).statusCode, 200)
  t.equal((await app.inject({ url: '/api/auth/me', remoteAddress: address })).statusCode, 401)
})

t.end()
