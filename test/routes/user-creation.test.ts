// Anyone may create users of the lowest role with a valid name and password, and only administrators more. No request
// is half done.

import { STATUS_CODES } from 'node:http'
import type { LightMyRequestResponse } from 'fastify'
import t, { type Test } from 'tap'
import { startApp } from '../fixtures/app.js'
import { newDatabase } from '../fixtures/shared-postgres.js'

const { app, client, login, logs, user } = await startApp(t)
// For apps that are set up in another way, or that are two.
const DATABASE_URL = await newDatabase()

const url = '/auth/UserCreation'
type App = typeof app

let names = 0

/** The body of a user that no other test has. */
function newUser (changes: object = {}) {
  const username = `new${process.pid}x${++names}`
  return { username, password: 'correct horse battery', email: `${username}@school.example`, ...changes }
}

interface Sender { token?: string | undefined, remoteAddress?: string, to?: App }

function create (
  body: object, { token, remoteAddress = client(), to = app }: Sender = {}
): Promise<LightMyRequestResponse> {
  return to.inject({
    method: 'POST',
    url,
    remoteAddress,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    payload: body
  })
}

/** Someone with a token that says this role, as does the database. */
async function someone (role: string, on: Pick<Awaited<ReturnType<typeof startApp>>, 'app' | 'user'> = { app, user }) {
  const { id, username } = await on.user({ passwordHash: null })
  const row = await on.app.db.user.update({ where: { id }, data: { role } })
  return { id, username, token: on.app.issueToken(row) }
}

/** The one shape of a refusal, with nothing of the inside. */
function isRefusal (t: Test, reply: LightMyRequestResponse, status: number, what: string): void {
  t.equal(reply.statusCode, status, `${what}: ${reply.body.slice(0, 200)}`)
  const { timestamp, message, details, ...rest } = reply.json()
  t.strictSame(rest, { status, error: STATUS_CODES[status], path: url }, what)
  t.match(message, /^[A-Z].*\.$/)
  t.equal(details !== undefined, status === 400 && message === 'The body is not valid.')
  t.notMatch(reply.body, /prisma|postgres|sql|P\d{4}|bcrypt|constraint|stack/i)
}

t.test('anyone may create a user of the lowest role; the answer is a login\'s data without a token', async (t) => {
  const { username, password, email } = newUser({ email: `Asha.${process.pid}@School.Example` })
  const reply = await create({ username, password, email })
  const row = await app.db.user.findUniqueOrThrow({ where: { username } })
  t.equal(reply.statusCode, 201)
  t.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
  t.equal(reply.headers['cache-control'], 'no-store')
  t.match(row, {
    email: email.toLowerCase(), tokenVersion: 0, disabledAt: null, resetTokenHash: null, selfRegistered: true
  })

  const { token, ...data } = (await login(client(), username, password)).json().data
  t.match(data, { userName: username, userId: row.id, userType: 'STUDENT', role: 'USER' })
  t.equal(reply.body, JSON.stringify({ success: true, status: 201, data }), 'these keys, in this order, and no other')
  t.ok(token)
})

// S100
t.test('with USER_CREATION=admin, others get 401 or 403, administrators 201, the eleventh 429', async (t) => {
  const admins = await startApp(t, { DATABASE_URL, USER_CREATION: 'admin' })
  const [student, admin] = [await someone('USER', admins), await someone('ADMIN', admins)]
  const count = await admins.app.db.user.count()

  const nobody = await create(newUser(), { to: admins.app })
  isRefusal(t, nobody, 401, 'nobody')
  t.equal(nobody.headers['www-authenticate'], 'Bearer')
  isRefusal(t, await create(newUser(), { to: admins.app, token: 'x.y.z' }), 401, 'a token that is none')
  isRefusal(t, await create(newUser(), { to: admins.app, token: student.token }), 403, 'a student')
  isRefusal(t, await create({}, { to: admins.app }), 401, 'nobody learns of what the body should be')
  isRefusal(t, await create({}, { to: admins.app, token: student.token }), 403, 'nor does a student')
  t.equal(await admins.app.db.user.count(), count)

  t.equal((await create(newUser(), { to: admins.app, token: admin.token })).statusCode, 201)
  isRefusal(t, await create({}, { to: admins.app, token: admin.token }), 400, 'an administrator does')

  const remoteAddress = client()
  for (let i = 0; i < 10; i++) t.equal((await create(newUser(), { to: admins.app, remoteAddress })).statusCode, 401)
  t.equal((await create(newUser(), { to: admins.app, remoteAddress })).statusCode, 429)
  t.equal((await create(newUser(), {
    to: admins.app, remoteAddress, token: admin.token
  })).statusCode, 429, 'an administrator at that address too')
})

// S33
t.test('whoever is no administrator now may not set role, userType, adpStatus and the designation', async (t) => {
  const student = await someone('USER')
  const demoted = await someone('ADMIN')
  await app.db.user.update({ where: { id: demoted.id }, data: { role: 'USER' } })
  const disabled = await someone('ADMIN')
  await app.db.user.update({ where: { id: disabled.id }, data: { disabledAt: new Date() } })
  const removed = await someone('ADMIN')
  await app.db.user.delete({ where: { id: removed.id } })

  const count = await app.db.user.count()
  const others: Array<[string, string | undefined, number]> = [
    ['nobody', undefined, 401], ['a student', student.token, 403],
    ['one whose token still says ADMIN', demoted.token, 403],
    ['a disabled administrator', disabled.token, 403], ['a removed one', removed.token, 401],
    ['a token that is none', 'x.y.z', 401]
  ]
  const fields = [
    { role: 'ADMIN' }, { role: 'USER' }, { userType: 'EMPLOYEE' }, { adpStatus: 'ACTIVE' }, { adpStatus: null },
    { book_chapter_approver_designation: 'Dean' }, { book_chapter_approver_designation: null }
  ]
  for (const [who, token, status] of others) {
    for (const field of fields) {
      isRefusal(t, await create(newUser(field), { token }), status, `${who}: ${JSON.stringify(field)}`)
    }
  }
  t.equal(await app.db.user.count(), count, 'no user was created')
  t.match(
    logs.findLast(({ event }) => event === 'authn_token_reuse'),
    { userId: removed.id, status: 401 },
    'the use of a removed one\'s token is told'
  )
})

t.test('an administrator may set them, also one who became one after the login', async (t) => {
  const promoted = await someone('USER')
  await app.db.user.update({ where: { id: promoted.id }, data: { role: 'ADMIN' } })
  const all = { role: 'APPROVER', userType: 'EMPLOYEE', adpStatus: 'ACTIVE', book_chapter_approver_designation: 'Dean' }
  const body = newUser(all)
  const { userId, ...data } = (await create(body, { token: promoted.token })).json().data
  t.match(data, { userName: body.username, ...all })
  t.match(await app.db.user.findUnique({ where: { id: userId } }), {
    role: 'APPROVER',
    userType: 'EMPLOYEE',
    adpStatus: 'ACTIVE',
    bookChapterApproverDesignation: 'Dean',
    selfRegistered: false
  })
})

t.test('a creation with an invalid token is 401, not an anonymous creation', async (t) => {
  isRefusal(t, await create(newUser(), { token: 'x.y.z' }), 401, 'a token that is none')
})

// S33
t.test('an unknown key is refused, whoever sends it, and never stored', async (t) => {
  const { token } = await someone('ADMIN')
  const count = await app.db.user.count()
  const keys: Array<[key: string, value: unknown]> = [
    ['id', 1], ['isAdmin', true], ['password_hash', '$2b$10$x'], ['passwordHash', '$2b$10$x'], ['token_version', -1],
    ['tokenVersion', -1],
    ['disabledAt', null], ['createdAt', '2000-01-01'], ['mails', { create: {} }], ['role ', 'ADMIN'], ['Role', 'ADMIN'],
    ['toString', 1]
  ]
  for (const [key, value] of keys) {
    for (const sender of [{}, { token }]) {
      const reply = await create(newUser({ [key]: value }), sender)
      isRefusal(t, reply, 400, key)
      t.strictSame(reply.json().details, [{ field: key, message: 'is not known here' }])
    }
  }
  t.equal(await app.db.user.count(), count)
})

// S41
t.test('of ten concurrent creations of one user on two replicas, one is 201, the rest 409', async (t) => {
  const [a, b] = [await startApp(t, { DATABASE_URL }), await startApp(t, { DATABASE_URL })]
  const shared = newUser()
  for (const [what, same] of [
    ['one username', { username: shared.username }], ['one email', { email: shared.email }]
  ] as const) {
    const before = await a.app.db.user.count()
    const replies = await Promise.all(Array.from({ length: 10 }, (_, i) => create(newUser(same), {
      to: (i % 2 ? a : b).app
    })))
    t.strictSame(replies.map(reply => reply.statusCode).sort(), [201, ...Array(9).fill(409)], what)
    isRefusal(t, replies.find(reply => reply.statusCode === 409)!, 409, what)
    t.equal(await a.app.db.user.count(), before + 1, what)
  }
})

t.test('only an administrator may give an account the address of another', async (t) => {
  const { token } = await someone('ADMIN')
  const made = newUser({ role: 'USER' })
  t.equal((await create(made, { token })).statusCode, 201)

  for (const [what, sender] of Object.entries({ nobody: {}, 'an administrator who sets nothing': { token } })) {
    isRefusal(t, await create(newUser({ email: made.email }), sender), 409, what)
  }
  t.equal((await create(newUser({ email: made.email, role: 'USER' }), { token })).statusCode, 201)
  await app.db.user.updateMany({ where: { email: made.email }, data: { disabledAt: new Date() } })
  isRefusal(t, await create(newUser({ email: made.email })), 409, 'of disabled accounts')
})

// S39
t.test('case and full-width letters do not make a second account', async (t) => {
  const first = newUser({ username: `Asha${process.pid}`, email: `asha${process.pid}@school.example` })
  t.equal((await create(first)).json().data.userName, `asha${process.pid}`)
  isRefusal(t, await create(newUser({ username: `ASHA${process.pid}` })), 409, 'in capitals')
  isRefusal(t, await create(newUser({ email: `ASHA${process.pid}@SCHOOL.example` })), 409, 'an email in capitals')
  for (const username of [` asha${process.pid} `, `asha${process.pid} `, `\uff41\uff53\uff48\uff41${process.pid}`]) {
    isRefusal(t, await create(newUser({ username })), 400, username)
  }
  t.equal((await login(client(), `ASHA${process.pid}`, first.password)).statusCode, 200)
})

// S37 S40 S42
t.test('a username has no look-alike letters, and its signs only between letters or digits', async (t) => {
  const bad = [
    '\u0130stanbul', '\u212aelvin', '\u0430dmin', 'admin\u200b', 'admin\n', '__proto__', '*', '{abc}', 'a:b:c',
    '-abc', 'abc/', 'ab', '', "' OR 1=1--", 'a%c', 'a/../b', 'a b c', 'a@.b', '<b>abc</b>', 'a'.repeat(65)
  ]
  for (const username of bad) {
    const reply = await create(newUser({ username }))
    isRefusal(t, reply, 400, JSON.stringify(username))
    t.strictSame(reply.json().details, [
      {
        field: 'username',
        message: 'must have 3 to 64 letters from a to z, digits and the signs . _ - / @ +, begin and end with a ' +
          'letter or digit, and have no two signs in a row'
      }
    ])
  }
  for (const username of [
    'constructor', 'null', 'undefined', 'toString', 'a_c', '123', 'a'.repeat(64), '2023/0145',
    'A.Verma+1@school-1.example'
  ]) {
    const body = newUser({ username })
    t.equal((await create(body)).json().data?.userName, username.toLowerCase())
    t.equal((await login(client(), username, body.password)).statusCode, 200, `${username} can log in`)
  }
  t.equal((await login(client(), 'abc', 'correct horse battery')).statusCode, 401, 'an underscore is no wildcard')
})

// S30
t.test('only text is accepted as text, and no object gets into a query', async (t) => {
  const { token } = await someone('ADMIN')
  for (const field of [
    'username', 'password', 'email', 'role', 'userType', 'adpStatus', 'book_chapter_approver_designation'
  ]) {
    const orNull = /adp|book/.test(field)
    for (const value of [123, ...orNull ? [] : [null], ['asha'], { contains: '' }]) {
      const reply = await create(newUser({ [field]: value }), { token })
      isRefusal(t, reply, 400, `${field}: ${JSON.stringify(value)}`)
      t.strictSame(reply.json().details, [{ field, message: `must be a string${orNull ? ' or null' : ''}` }])
    }
  }
})

// S35 S36
t.test('NUL and lone surrogates are refused in every field; other text is kept unchanged', async (t) => {
  const { token } = await someone('ADMIN')
  for (const field of [
    'username', 'password', 'email', 'role', 'userType', 'adpStatus', 'book_chapter_approver_designation'
  ]) {
    for (const text of ['asha\0verma', 'asha verma \ud83d']) {
      const reply = await create(newUser({ [field]: text }), { token })
      isRefusal(t, reply, 400, `${field}: ${JSON.stringify(text)}`)
      t.match(reply.json().details, [{ field }])
    }
  }
  const text = 'Dean\ufeff\u2028of \u2029"letters" </script> \\ \u{1f600} \u0007'
  const reply = await create(newUser({ book_chapter_approver_designation: text, adpStatus: '' }), { token })
  const { book_chapter_approver_designation: designation, adpStatus } = reply.json().data
  t.strictSame([designation, adpStatus], [text, ''])
})

// S38
t.test('no text takes long to be refused', async (t) => {
  const { token } = await someone('ADMIN')
  const long = 'a'.repeat(15_000)
  const texts: object[] = [
    { username: `${long}!` }, { username: `${'a-'.repeat(7500)}!` }, { email: `${long}!` }, { email: `a@${long}` },
    { email: `a@${'a.'.repeat(7500)}` },
    { email: `a@${'a-'.repeat(120)}` }, { email: `a@${'a'.repeat(62)}.${'a-'.repeat(90)}` },
    { email: `a@${'a.'.repeat(125)}!` },
    { password: `${long}!` }, { password: '1'.repeat(15_000) }, { password: 'a\u0308'.repeat(5000) },
    { role: `${'A'.repeat(15_000)}!` }, { adpStatus: `${long}\0` }
  ]
  await create({})
  for (const text of texts) {
    const before = process.cpuUsage()
    const reply = await create(newUser(text), { token })
    const { user, system } = process.cpuUsage(before)
    t.ok(user + system < 300_000, `${JSON.stringify(text).slice(0, 30)}: ${user + system} µs of the processor`)
    t.equal(reply.statusCode, 400)
    t.ok(reply.body.length < 1000, 'nor is the answer long')
  }
})

t.test('a refusal names the field and what is valid, for all fields at once', async (t) => {
  const { token } = await someone('ADMIN')
  const email = 'must be an address such as asha@school.example'
  const code = 'must have capital letters, digits and underscores only, such as TEACHER'
  const table: Array<[changes: object, field: string, message: string]> = [
    [{ username: undefined }, 'username', 'is required'],
    [{ password: undefined }, 'password', 'is required'],
    [{ email: undefined }, 'email', 'is required'],
    ...['asha', 'asha@school', 'asha@-school.example', 'a@b@school.example',
      'asha@school.example\r\nBcc: all@school.example', 'asha@school.example, all@school.example',
      'Asha <asha@school.example>', '']
      .map(text => [{ email: text }, 'email', email] as [object, string, string]),
    [
      { email: `${'a'.repeat(64)}@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example` }, 'email',
      'must have at most 254 characters'
    ],
    [{ role: 'admin' }, 'role', code],
    [{ role: '' }, 'role', code],
    [{ userType: 'TEACHER ' }, 'userType', code],
    [{ adpStatus: 'x'.repeat(256) }, 'adpStatus', 'must have at most 255 characters'],
    [
      { book_chapter_approver_designation: 'x'.repeat(256) }, 'book_chapter_approver_designation',
      'must have at most 255 characters'
    ],
    [{ password: 'short' }, 'password', 'must have at least 8 characters']
  ]
  for (const [changes, field, message] of table) {
    const reply = await create(newUser(changes), { token })
    isRefusal(t, reply, 400, JSON.stringify(changes))
    t.strictSame(reply.json().details, [{ field, message }], JSON.stringify(changes).slice(0, 80))
  }
  const fields = (await create({ username: 'x', email: 'x', role: 'x' }, {
    token
  })).json().details.map(({ field }: { field: string }) => field)
  t.strictSame(fields.sort(), ['email', 'password', 'role', 'username'])
})

// S43 S44 S45 S46 S47 S48. The table of passwords is in test/auth/password-policy.test.ts.
t.test('a valid password is stored exactly, an invalid one is refused and not repeated', async (t) => {
  for (const password of ['abcdefgh'.repeat(9), ' pa\u00dfwo\u0308rter ']) {
    const body = newUser({ password })
    t.equal((await create(body)).statusCode, 201, password)
    t.equal((await login(client(), body.username, password.normalize('NFC'))).statusCode, 200, password)
    const { passwordHash } = await app.db.user.findUniqueOrThrow({ where: { username: body.username } })
    t.match(passwordHash, /^\$2b\$04\$/)
    for (const other of [`${password}x`, password.slice(1)]) {
      t.equal((await login(client(), body.username, other)).statusCode, 401)
    }
  }

  const { username } = newUser()
  const count = await app.db.user.count()
  for (const password of [`${'abcdefgh'.repeat(9)}i`, 'correct\0horse', 'erp2026!!', `${username}!`]) {
    const reply = await create(newUser({ username, password }))
    isRefusal(t, reply, 400, JSON.stringify(password))
    t.match(reply.json().details, [{ field: 'password', message: /^(must|is|has) / }])
    t.notOk(reply.body.includes(password))
  }
  t.equal(await app.db.user.count(), count)
})

// S91 S92
t.test('the log says who created which user and who was denied a role, and no password', async (t) => {
  const line = (reply: LightMyRequestResponse) =>
    logs.find(line => line.msg === 'request' && line.reqId === reply.headers['x-request-id'])!
  const [admin, student] = [await someone('ADMIN'), await someone('USER')]
  const remoteAddress = client()
  const [own, given, denied] = [newUser(), newUser({ role: 'ADMIN' }), newUser({ role: 'ADMIN' })]

  const byNobody = line(await create(own, { remoteAddress }))
  t.match(byNobody, {
    event: 'user_created', subject: own.username, client: remoteAddress, status: 201, reqId: String, time: String
  })
  t.notOk('userId' in byNobody || 'actor' in byNobody)
  t.strictSame(byNobody.after, { role: 'USER', userType: 'STUDENT' })
  t.match(line(await create(given, { remoteAddress, token: admin.token })), {
    event: 'user_created',
    actor: admin.username,
    userId: admin.id,
    subject: given.username,
    subjectId: (await app.db.user.findUniqueOrThrow({ where: { username: given.username } })).id,
    after: { role: 'ADMIN', userType: 'STUDENT', email: given.email.toLowerCase() },
    client: remoteAddress,
    status: 201
  })
  t.match(line(await create(denied, { remoteAddress, token: student.token })), {
    event: 'authz_fail', actor: student.username, userId: student.id, client: remoteAddress, status: 403
  })
  const refused = line(await create(denied, { remoteAddress }))
  t.match(refused, { status: 401, client: remoteAddress })
  t.not(refused.event, 'user_created')

  // The fixture looks for passwords, tokens and hashes.
  const everything = JSON.stringify(logs)
  t.notOk(everything.includes(own.email))
  t.notOk(everything.includes(denied.username), 'nor a name that is no account\'s')
})

t.end()
