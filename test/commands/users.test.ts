// Operators can create, list and change users. Changes end tokens within a second, and no password is an argument or is
// shown.

import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { watchRevocations } from '#src/auth/revocations.js'
import { listed } from '#src/auth/user-fields.js'
import { endedInMemory } from '#src/auth/ended.js'
import { newClient, newUsername, startApp } from '../fixtures/app.js'
import { command } from '../fixtures/command.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import type { Finished } from '../fixtures/process.js'
import { freePort } from '../fixtures/redis.js'
import { until } from '../fixtures/until.js'

const url = await newDatabase()
const { app, login, user } = await startApp(t, { DATABASE_URL: url })
const password = 'three quiet lamps'
const environment = { DATABASE_URL: url, BCRYPT_COST: '10' }
const gatehouse = (args: string[], input: string | Buffer = ''): Promise<Finished> =>
  command(args, environment, input)
const me = (token: string) => app.inject({
  url: '/api/auth/me', remoteAddress: newClient(), headers: { authorization: `Bearer ${token}` }
})
const tokenOf = async (username: string, phrase = password): Promise<string> =>
  (await login(newClient(), username, phrase)).json().data.token

t.test('the first administrator is created with a password from standard input, and may create others', async (t) => {
  const made = await gatehouse([
    'users', 'create', 'Head.Master', '--role', 'ADMIN', '--type', 'EMPLOYEE', '--email', 'Head@School.example',
    '--adp-status', 'ACTIVE', '--designation', 'DEAN'
  ], `${password}\n`)
  t.match(made, { code: 0, stdout: /^Created head\.master, user \d+, EMPLOYEE, ADMIN\.\n$/, stderr: '' })
  const { passwordHash } = await app.db.user.findUniqueOrThrow({ where: { username: 'head.master' } })
  t.match(passwordHash, /^\$2b\$10\$/)
  const reply = await login(newClient(), 'head.master', password)
  t.match(reply.json().data, {
    role: 'ADMIN', userType: 'EMPLOYEE', adpStatus: 'ACTIVE', book_chapter_approver_designation: 'DEAN'
  })
  const created = await app.inject({
    method: 'POST',
    url: '/auth/UserCreation',
    remoteAddress: newClient(),
    headers: { authorization: `Bearer ${reply.json().data.token}` },
    payload: { username: newUsername(), password, email: 'teacher@school.example', role: 'TEACHER' }
  })
  t.equal(created.statusCode, 201)
})

t.test('a user who was created with a temporary password has to change it before the first login', async (t) => {
  const username = newUsername()
  t.match(await gatehouse(['users', 'create', username, '--temporary'], password), { code: 0 })
  t.equal((await login(newClient(), username, password)).statusCode, 403)
})

// B7
t.test('a piped password loses its byte order mark, and one in another encoding is refused', async (t) => {
  const username = newUsername()
  const create = (input: string | Buffer) => gatehouse(['users', 'create', username], input)

  t.match(await create(Buffer.from(`l\u00e4rm ${password}\n`, 'latin1')), { code: 2, stderr: /password is not UTF-8/ })
  t.match(await create(Buffer.from(`\ufeff${password}\n`, 'utf16le')), { code: 2, stderr: /password is not UTF-8/ })
  t.match(await create(`\ufeff${password}\r\n`), { code: 0 })
  const { statusCode } = await app.inject({
    method: 'POST', url: '/api/auth/login', remoteAddress: newClient(), payload: { username, password }
  })

  t.equal(statusCode, 200)
})

t.test('a fault of a new user is reported, and nothing is stored', async (t) => {
  const before = await app.db.user.count()
  const wrong: Array<[string[], string, number, RegExp]> = [
    [['a b'], password, 2, /the username must have 3 to 64 letters/],
    [['someone', '--email', 'nobody'], password, 2, /--email must be an address/],
    [['someone', '--role', 'admin'], password, 2, /--role must have capital letters/],
    [['someone', '--type', ''], password, 2, /--type must have capital letters/],
    [['someone', '--password', 'x'], password, 2, /No flag registered for --password/],
    [['someone'], 'short', 2, /the password must have at least 8 characters/],
    [['someone'], 'password1', 2, /the password is among the first/],
    [['some.one'], 'some.one123', 2, /the password must not be the username/],
    [['head.master'], password, 1, /the username head\.master is already in use/]
  ]
  for (const [args, input, code, message] of wrong) {
    const finished = await gatehouse(['users', 'create', ...args], `${input}\n`)
    t.match(finished, { code, stdout: '', stderr: message }, `${args.join(' ')} < ${input}`)
  }
  t.equal(await app.db.user.count(), before)
})

t.test('a list shows roles and disabled users, but no hash', async (t) => {
  const username = newUsername()
  await gatehouse(['users', 'create', username, '--role', 'LIBRARIAN'], password)
  const { stdout } = await gatehouse(['users', 'list', '--role', 'LIBRARIAN'])
  const [headings, cells] = stdout.split('\n').map(line => line.split(/ {2,}/))
  t.same(headings, ['ID', ...listed.map(({ heading }) => heading.toUpperCase())])
  t.match(Object.fromEntries(headings!.map((heading, i) => [heading, cells![i]])), {
    ID: /^\d+$/,
    USERNAME: username,
    TYPE: 'STUDENT',
    ROLE: 'LIBRARIAN',
    EMAIL: '-',
    CREATED: /^\d{4}-\d\d-\d\d$/,
    DISABLED: '-'
  })
  await gatehouse(['users', 'disable', username])
  const disabled = JSON.parse((await gatehouse([
    'users', 'list', '--disabled', '--json'
  ])).stdout) as Array<{ username: string, disabledAt: string }>
  t.match(disabled.find(user => user.username === username), {
    userId: Number, role: 'LIBRARIAN', email: null, disabledAt: /^\d{4}-/
  })
  t.notMatch(JSON.stringify(disabled), /\$2b|hash/i)
  t.match(await gatehouse(['users', 'list', '--role', 'NOBODY']), { code: 0, stdout: 'No user.\n' })
})

t.test('disable, set-role and tokens revoke end all tokens in a second; enable admits the user again', async (t) => {
  const ends: Array<[string[], string, RegExp]> = [
    [['tokens', 'revoke'], '', /^Every token of \S+ is refused within a second\.\n$/],
    [['users', 'set-role'], 'TEACHER', /is TEACHER now/],
    [['users', 'disable'], '', /cannot log in any more/]
  ]
  await Promise.all(ends.map(async ([command, argument, said]) => {
    const { username } = await user({ password })
    const token = await tokenOf(username)
    t.equal((await me(token)).statusCode, 200)
    const finished = await gatehouse([...command, username.toUpperCase(), ...argument === '' ? [] : [argument]])
    t.match(finished, { code: 0, stdout: said })
    await until(async () => (await me(token)).statusCode === 401, command.join(' '), 1000)
    t.equal((await login(newClient(), username, password)).statusCode, command[1] === 'disable' ? 401 : 200)
    if (command[1] !== 'disable') return
    t.match(await gatehouse(['users', 'enable', username]), { code: 0, stdout: `${username} can log in again.\n` })
    t.equal((await login(newClient(), username, password)).statusCode, 200)
    await until(async () => (await me(token)).statusCode === 401, 'but not with what was revoked', 1000)
  }))
})

t.test('a deleted user is gone with everything of theirs, and replicas refuse the tokens, also those that start later',
  async (t) => {
    const { id, username } = await user({ password })
    await tokenOf(username)
    const log = { info () {}, warn () {} }
    const running = await watchRevocations(app.db, endedInMemory(), 'known', log)
    t.teardown(() => running.close())

    // Another account had the number days ago, as after a move.
    await app.db.deletedUser.create({ data: { id, deletedAt: new Date(Date.now() - 2 * 86_400_000) } })

    const asked = await gatehouse(['users', 'delete', username])
    const before = running.isRevoked(id, 0)
    const deleted = await gatehouse(['users', 'delete', username, '--yes'])
    await until(() => running.isRevoked(id, 0), 'it is known', 1000)
    const later = await watchRevocations(app.db, endedInMemory(), 'known', log)
    t.teardown(() => later.close())

    t.match(asked, { code: 2, stderr: new RegExp(`this deletes ${username}, user ${id}, .*: repeat it with --yes`) })
    t.match(deleted, { code: 0, stdout: /is deleted, and every token/ })
    t.same([before, later.isRevoked(id, 99)], [false, true])
    t.equal(await app.db.user.count({ where: { id } }) + await app.db.knownAddress.count({ where: { userId: id } }), 0)
    t.match(await gatehouse(['users', 'create', username], password), { code: 0 }, 'the name is free')
  })

t.test('set-email voids the links that were mailed', async (t) => {
  const one = newUsername()
  const data = { userType: 'STUDENT', role: 'USER', passwordHash: null }
  const known = { client: newClient(), tokenVersion: 0 }
  const voided = { client: newClient(), tokenVersion: -1 }
  const old = { client: newClient(), tokenVersion: 0, lastLoginAt: new Date(Date.now() - 31 * 86_400_000) }
  const knownAddresses = { create: [known, voided, old] }
  const link = { resetTokenHash: one, resetTokenExpiresAt: new Date() }
  await app.db.user.create({ data: { ...data, ...link, knownAddresses, username: one } })

  const set = await gatehouse(['users', 'set-email', one, `${one}@School.example`])
  const search = ['--search', `${one.slice(1)}@SCHOOL`, '--limit', '1', '--after', '1']
  const found = await gatehouse(['users', 'list', ...search])
  const shown = JSON.parse((await gatehouse(['users', 'show', one, '--json'])).stdout)

  t.equal(set.code, 0)
  t.equal((await app.db.user.findUniqueOrThrow({ where: { username: one } })).resetTokenHash, null)
  t.match(found.stdout, new RegExp(`^ID .*\\n\\d+ +${one} [^\\n]*\\n$`))
  t.match(shown, { username: one, email: `${one}@school.example`, password: 'none', knownAddresses: 1 })
})

t.test('several accounts may have one address, and each command says who else has it', async (t) => {
  const [asha, ravi, esha] = [newUsername(), newUsername(), newUsername()]
  const email = `parent.${asha}@school.example`
  await gatehouse(['users', 'create', asha, '--email', email], password)

  const created = await gatehouse(['users', 'create', ravi, '--email', email.toUpperCase()], password)
  await gatehouse(['users', 'create', esha], password)
  const set = await gatehouse(['users', 'set-email', esha, email])
  const show = async (...args: string[]) => (await gatehouse(['users', 'show', ravi, ...args])).stdout

  t.match([created, set], [
    { code: 0, stdout: `This is also the address of ${asha}.` },
    { code: 0, stdout: `${esha} has ${email} now. This is also the address of ${asha}, ${ravi}.` }
  ])
  t.same(JSON.parse(await show('--json')).emailAlsoOf, [asha, esha])
  t.match(await show(), new RegExp(`emailAlsoOf +${asha}, ${esha}\n`))
})

t.test('set-password replaces the password, ends the tokens, and is announced by mail', async (t) => {
  const { id, username } = await user({ password })
  await app.db.user.update({ where: { id }, data: { email: `${username}@school.example` } })
  const token = await tokenOf(username)
  t.match(await gatehouse(['users', 'set-password', username], 'four loud lamps\r\n'), { code: 0, stderr: '' })
  t.equal((await login(newClient(), username, password)).statusCode, 401)
  t.equal((await login(newClient(), username, 'four loud lamps')).statusCode, 200)
  await until(async () => (await me(token)).statusCode === 401, 'the token has ended', 1000)
  t.match(await app.db.mail.findMany({ where: { userId: id } }), [{ kind: 'password_changed' }])
})

t.test('set-password succeeds without Redis, and reports what is left to do', async (t) => {
  const { username } = await user({ password })
  const away = { ...environment, REDIS_URL: `redis://:hunter2@127.0.0.1:${await freePort()}` }
  const { code, stdout, stderr } = await command(
    ['users', 'set-password', username], away, 'four loud lamps\n'
  )
  t.match({ code, stdout }, {
    code: 0, stdout: `${username} has a new password, and has to log in again everywhere.\n`
  })
  t.match(stderr, new RegExp(
    'bucket was not refilled: Redis at .* does not answer: .*\nOnce Redis answers again, run: gatehouse buckets ' +
      `reset account ${username}\n$`
  ))
  t.notMatch(stderr, /hunter2/)
  t.equal((await login(newClient(), username, 'four loud lamps')).statusCode, 200)
})

t.test('the audit log says who changed what of whom, and gatehouse logins since when one is disabled', async (t) => {
  const AUDIT_LOG = join(newDirectory(t, { 'audit.log': '' }), 'audit.log')
  const username = newUsername()
  const email = `${username}@school.example`
  const audited = (args: string[], input = '') => command(args, { ...environment, AUDIT_LOG }, input)

  const created = await audited(['users', 'create', username, '--role', 'TEACHER', '--json'], password)
  const { userId } = JSON.parse(created.stdout) as { userId: number }
  await audited(['users', 'set-password', username], 'four loud lamps')
  await audited(['users', 'set-email', username, email])
  await audited(['users', 'set-role', username, 'ADMIN'])
  await audited(['users', 'disable', username])
  const disabled = await audited(['logins', username])
  await audited(['tokens', 'revoke', username])
  await audited(['users', 'enable', username])
  await audited(['users', 'delete', username, '--yes'])
  const deleted = await audited(['logins', username])

  const lines = readFileSync(AUDIT_LOG, 'utf8').trimEnd().split('\n').map(line => JSON.parse(line) as object)
  t.match(lines, [
    { event: 'user_created', role: 'TEACHER', after: { role: 'TEACHER', userType: 'STUDENT', email: null } },
    { event: 'authn_password_change' },
    { event: 'user_updated', before: { email: null }, after: { email } },
    { event: 'privilege_permissions_changed', role: 'ADMIN', before: { role: 'TEACHER' }, after: { role: 'ADMIN' } },
    { event: 'user_disabled', before: { disabled: false }, after: { disabled: true } },
    { event: 'authn_token_revoked' },
    { event: 'user_enabled', before: { disabled: true }, after: { disabled: false } },
    { event: 'user_deleted', before: { role: 'ADMIN', userType: 'STUDENT', email, disabled: false } }
  ].map(event => ({ ...event, actor: /@/, subject: username, subjectId: userId })))
  t.match(disabled.stdout, new RegExp(`^${username} is disabled since \\d{4}-`, 'm'))
  t.match(deleted.stdout, `There is no user ${username}.`)
})

t.test('a command whose event AUDIT_LOG does not take says so', async (t) => {
  const { id, username } = await user({ passwordHash: null })
  const AUDIT_LOG = join(newDirectory(t), 'new.log')
  const importTo = (file: string) => command(['users', 'import', '-', '--update'], { ...environment, AUDIT_LOG: file },
    `username,disabled\n${username},true`)

  const missing = await command(['users', 'disable', username], { ...environment, AUDIT_LOG })
  await gatehouse(['users', 'enable', username])
  const full = await importTo('/dev/full')

  t.match(missing, { code: 0, stderr: `this is done, but AUDIT_LOG lacks it (user_disabled of ${username})` })
  t.notOk(existsSync(AUDIT_LOG), 'the service makes it, and owns it')
  t.match(full, { code: 0, stderr: /AUDIT_LOG lacks it \(2 events\): ENOSPC/ })
  t.ok((await app.db.user.findUniqueOrThrow({ where: { id } })).disabledAt)
})

t.test('an unknown user is exit code 3, before the password prompt', async (t) => {
  for (const args of [['users', 'disable'], ['users', 'enable'], ['users', 'set-password'], ['tokens', 'revoke']]) {
    t.match(await gatehouse([...args, 'nobody.here']), {
      code: 3, stdout: '', stderr: 'gatehouse: there is no user nobody.here\n'
    })
  }
  t.match(await gatehouse(['users', 'set-role', 'nobody.here', 'ADMIN']), { code: 3 })
})

t.test('at a terminal the password is asked for twice and never shown', async (t) => {
  const username = newUsername()
  const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
  const typed = async (...lines: string[]): Promise<string> => {
    // script(1) gives the command a terminal of its own.
    const child = spawn('script', ['-qec', `${process.execPath} ${cli} users create ${username}`, '/dev/null'], {
      env: { ...process.env, ...environment }, stdio: ['pipe', 'pipe', 'pipe']
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const asked = (output.match(/Password for|The same again/g) ?? []).length
      if (asked > 0 && lines.length > 0 && asked > answered) child.stdin.write(`${lines[answered++]}\r`)
    })
    let answered = 0
    await new Promise(resolve => child.on('close', resolve))
    return output
  }
  const differing = await typed('hidden words here', 'hidden words there')
  t.match(differing, /the two passwords differ/)
  const output = await typed('hidden words here', 'hidden words here')
  t.match(output, /Password for .*The same again.*Created/s)
  t.notMatch(differing + output, /hidden words/)
  t.equal((await login(newClient(), username, 'hidden words here')).statusCode, 200)
})

t.test('a command that finds no database creates none, and says what to set', async (t) => {
  const DATA_DIR = join(newDirectory(t), 'data')
  const stderr = new RegExp(`^gatehouse: DATABASE_URL is not set, and .* in ${DATA_DIR}\\. Set DATABASE_URL or .*\n$`)
  for (const args of [['users', 'list'], ['users', 'create', 'someone'], ['tokens', 'revoke', 'someone']]) {
    t.match(await command(args, { DATA_DIR }, password), { code: 1, stdout: '', stderr }, args.join(' '))
  }
  t.notOk(existsSync(DATA_DIR))
})

t.end()
