// A school's accounts come from other systems in one file, which is checked as a whole before anything is written.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import bcrypt from 'bcrypt'
import pg from 'pg'
import t from 'tap'
import { newClient, startApp } from '../fixtures/app.js'
import { command } from '../fixtures/command.js'
import { newDirectory } from '../fixtures/lifetime.js'
import type { Finished } from '../fixtures/process.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { until } from '../fixtures/until.js'

const url = await newDatabase()
const { app, login } = await startApp(t, { DATABASE_URL: url })
const directory = newDirectory(t)
const environment = { DATABASE_URL: url, BCRYPT_COST: '10', AUDIT_LOG: join(directory, 'audit.log') }
const gatehouse = (args: string[], input = ''): Promise<Finished> => command(['users', ...args], environment, input)
const phrase = 'three quiet lamps'
const hash = (await bcrypt.hash(phrase, 4)).replace('$2b$', '$2y$')
const statusOf = async (username: string, password = phrase): Promise<number> =>
  (await login(newClient(), username, password)).statusCode
const rowOf = (username: string) => app.db.user.findUniqueOrThrow({ where: { username } })

function fileOf (text: string, name = 'users.csv'): string {
  const file = join(directory, name)
  writeFileSync(file, text)
  return file
}

t.test('a table of users of Moodle is imported: byte order mark, sep=;, CRLF, suspended users', async (t) => {
  const file = fileOf([
    '\ufeffsep=;',
    'id;auth;confirmed;suspended;username;password;idnumber;firstname;lastname;email;description',
    `2;manual;1;0;m.asha;${hash};2023/0145;Asha;Verma;asha@moodle.example;"Class 7;\r\nblue house"`,
    `3;manual;1;1;m.ravi;${hash};2023/0146;Ravi;Menon;;`
  ].join('\r\n'))

  const { code, stdout } = await gatehouse(['import', file, '--map', 'suspended=disabled'])

  t.match({ code, stdout }, { code: 0, stdout: /created +2\n/ })
  t.match(stdout, /Ignored columns: id, auth, confirmed, idnumber, firstname, lastname, description\n$/)
  t.equal(await statusOf('m.asha'), 200)
  t.equal(await statusOf('m.ravi'), 401, 'suspended')
})

t.test('users of WordPress, whose hashes are not bcrypt, are invited once to set a password', async (t) => {
  const file = fileOf('ID,user_login,user_pass,user_nicename,user_email,user_registered,user_status,role\n' +
    '1,wp.asha,$P$B7889EMq/erHIuZapMB8GEizebcIy9.,asha,asha@wp.example,2021-09-01 08:00:00,0,subscriber\n')
  const args = ['import', file, '--map', 'user_login=username,user_email=email,role=', '--invite']

  const first = await gatehouse(args)
  const second = await gatehouse(args)
  await until(async () => (await rowOf('wp.asha')).resetTokenHash !== null)
  const third = await gatehouse(args)

  t.match(first.stdout, /created +1\n[^]*invited +1\n/)
  t.match([second.stdout, third.stdout], [/invited +0\n/, /invited +0\n/])
  const { resetTokenExpiresAt } = await rowOf('wp.asha')
  t.ok(resetTokenExpiresAt!.getTime() > Date.now() + 6 * 86_400_000, 'the link is valid for a week')
})

t.test('every fault is found in one run, with its physical line, and nothing is written', async (t) => {
  const before = await app.db.user.count()
  const file = fileOf([
    'username,email,role,passwordHash,password',
    'fault.one,"asha\n@school.example",,,',
    'fault..two,,head teacher,,',
    '',
    'fault.three,twin@school.example,,$2y$31$' + 'a'.repeat(53) + ',',
    'FAULT.three,twin@school.example,,,short',
    'fault.four,asha@moodle.example,,$P$B7889EMq,',
    'fault.five,,,,$6$rounds=10000$salt$hash',
    'fault.six,,',
    `fault.hex,,,,${'0af'.repeat(10)}0a`,
    'fault.seven,,,"$2y$15$' + 'a'.repeat(53) + '",',
    'fault.eight,,,"un"closed,'
  ].join('\n'))

  const { code, stdout, stderr } = await gatehouse(['import', file])

  t.match({ code, stdout }, { code: 1, stdout: '' })
  t.same(stderr.match(/line \d+: \w+/g), [
    'line 2: email', 'line 4: role', 'line 4: username', 'line 6: passwordHash', 'line 7: password',
    'line 7: username', 'line 8: passwordHash', 'line 9: password', 'line 10: has',
    'line 11: password', 'line 12: passwordHash', 'line 13: has'
  ])
  t.match(stderr, /line 12: passwordHash has cost 15, far above BCRYPT_COST \(10\)/)
  t.match(stderr, /line 13: has text behind the quote that ends a cell.*Nothing after it was read/)
  t.equal(await app.db.user.count(), before)
})

t.test('names that are the same are faults', async (t) => {
  const { code, stderr } = await gatehouse(['import', '-'], 'username\nsame.one\nSAME.one\n')

  t.equal(code, 1)
  t.match(stderr, 'standard input has 1 fault, and nothing was written:\n' +
    '  line 3: username same.one is also in line 2\n')
})

t.test('brothers and sisters have one address, swap addresses within one file, and an export keeps them', async (t) => {
  const [parent, other] = ['Parent@school.example', 'other.parent@school.example']
  const rows = (...emails: string[]): string =>
    `username,email\n${emails.map((email, i) => `sibling.${i},${email}`).join('\n')}\n`
  await gatehouse(['import', '-'], rows(parent))

  const added = await gatehouse(['import', '-'], rows(parent, parent.toUpperCase(), other))
  const swapped = await gatehouse(['import', '-', '--update'], rows(other, parent, parent))

  t.match([added.stdout, swapped.stdout], [/created +2\n/, /changed +2\n/])
  const { stdout } = await gatehouse(['export'])
  const emails = [0, 1, 2].map(i => new RegExp(`^\\d+,sibling\\.${i},([^,]*),`, 'm').exec(stdout)?.[1])
  t.same(emails, [other, parent, parent].map(email => email.toLowerCase()))
  t.match((await gatehouse(['import', '-', '--update'], stdout)).stdout, /changed +0\n/)
})

t.test('the same file again changes nothing; another is named, and changes users only with --update', async (t) => {
  const rows = (role: string) =>
    `{"username":"again.one","role":"${role}","passwordHash":"${hash}"}\n{"username":"again.two","adpStatus":null}\n`
  await gatehouse(['import', '-'], rows('TEACHER'))
  // A login renews the hash of an import.
  const users = async (): Promise<unknown> => (await app.db.user.findMany({ orderBy: { id: 'asc' } }))
    .map(({ passwordHash, updatedAt, ...rest }) => rest)
  const before = await users()
  const token = (await login(newClient(), 'again.one', phrase)).json().data.token as string

  const same = await gatehouse(['import', '-', '--update'], rows('TEACHER').replace(/,"passwordHash":"[^"]*"/, ''))
  const differing = await gatehouse(['import', '-'], rows('LIBRARIAN'))
  const dry = await gatehouse(['import', '-', '--update', '--dry-run'], rows('LIBRARIAN'))
  const unchanged = await users()
  const { passwordHash } = await rowOf('again.one')
  const updated = await gatehouse(['import', '-', '--update'], rows('LIBRARIAN'))

  t.match([same.stdout, dry.stdout, updated.stdout], [/the same +2\n/, /changed +1\n/, /changed +1\n/])
  t.match(differing.stdout, /differ +1, not changed: --update changes them\n +again\.one \(role\)\n/)
  t.strictSame(unchanged, before)
  t.match(await rowOf('again.one'), { role: 'LIBRARIAN', tokenVersion: 1, passwordHash })
  const { tokensRevokedAt, updatedAt } = await rowOf('again.one')
  t.ok(tokensRevokedAt! > updatedAt, 'revoked at the end of the transaction, where replicas look for it')
  const authorization = `Bearer ${token}`
  await until(async () => (await app.inject({ url: '/api/auth/me', headers: { authorization } })).statusCode === 401)
})

t.test('a name of earlier releases can only be that of an account', async (t) => {
  const { id } = await app.db.user.create({ data: { username: 'old__name', role: 'USER', userType: 'STUDENT' } })
  t.teardown(() => app.db.user.delete({ where: { id } }))

  const known = await gatehouse(['import', '-', '--update'], 'username,role\nold__name,TEACHER\n')
  const unknown = await gatehouse(['import', '-'], 'username\nother__name\n')

  t.match(known.stdout, /changed +1\n/)
  t.match(unknown.stderr, /has 1 fault, [^]*line 2: username .*no two signs in a row\n$/)
})

t.test('passwords of a file are temporary unless they are kept, and replace others only if asked', async (t) => {
  const rows = 'username,password\npw.one,three quiet lamps\n'
  await gatehouse(['import', '-'], rows)
  const first = await rowOf('pw.one')
  await gatehouse(['import', '-', '--keep-passwords'], rows.replace('pw.one', 'pw.two'))

  const other = rows.replace('three', 'four')
  const kept = await gatehouse(['import', '-', '--update'], other)
  const same = await gatehouse(['import', '-', '--update', '--passwords'], rows)
  const replaced = await gatehouse(['import', '-', '--update', '--passwords'], other)

  t.equal(first.passwordTemporary, true)
  t.match(first.passwordHash, /^\$2b\$10\$/)
  t.equal((await rowOf('pw.two')).passwordTemporary, false)
  t.match([kept.stdout, same.stdout, replaced.stdout], [/the same +1\n/, /the same +1\n/, /changed +1\n/])
  const { passwordHash, tokenVersion } = await rowOf('pw.one')
  t.ok(await bcrypt.compare('four quiet lamps', passwordHash!))
  t.equal(tokenVersion, 1, 'as set-password does')
  t.match(await gatehouse(['import', '-', '--passwords'], rows), { code: 2, stderr: /goes with --update/ })
})

t.test('passwordTemporary of a file asks for another password, which ends tokens, or no longer does', async (t) => {
  const rows = 'username,password\nlist.one,three quiet lamps\n'
  await gatehouse(['import', '-', '--keep-passwords'], rows)

  const asked = await gatehouse(
    ['import', '-', '--update', '--passwords'], 'username,passwordTemporary\nlist.one,true\n')
  const between = await rowOf('list.one')
  const lifted = await gatehouse(['import', '-', '--update', '--passwords', '--keep-passwords'], rows)

  t.match([asked.stdout, lifted.stdout], [/changed +1\n/, /changed +1\n/])
  t.match(between, { passwordTemporary: true, tokenVersion: 1 })
  t.match(await rowOf('list.one'), { passwordTemporary: false, tokenVersion: 1 })
})

t.test('an account that a stranger may have registered is named, and gets a role only with a password', async (t) => {
  await app.inject({
    method: 'POST',
    url: '/auth/UserCreation',
    remoteAddress: newClient(),
    payload: { username: '2023/0777', password: 'a stranger knows it', email: 'stranger@evil.example' }
  })
  const rows = `username,role,passwordHash\n2023/0777,TEACHER,${hash}\n`

  const named = await gatehouse(['import', '-', '--update'], rows)
  const before = await rowOf('2023/0777')
  const taken = await gatehouse(['import', '-', '--update', '--passwords'], rows)
  const again = await gatehouse(['import', '-', '--update', '--passwords'], rows)

  t.match(named.stdout, /the same +0\n[^]*registered 1, perhaps by strangers.*\n +2023\/0777\n/)
  t.equal(before.role, 'USER')
  t.match([taken.stdout, again.stdout], [/changed +1\n/, /the same +1\n/])
  t.match(await rowOf('2023/0777'), { role: 'TEACHER', email: null, passwordHash: hash, selfRegistered: false })
})

t.test('an imported hash compares the first 72 bytes of a longer password, as PHP and Python did', async (t) => {
  const long = 'पाठशालाकीकुंजीसुरक्षितरखना'
  const hashes = {
    'php.long': '$2y$04$vZaVkkgcCO7D2So.yUrnGOSM/Qo8H5el3JcGy9GUzbwikV1qc4AUO',
    'python.long': '$2b$04$mrxifXF4ZtTz1ytZZK6RfO3qdS6EabVswLdPZ9oi3ALRcjCut2uky'
  }
  const rows = Object.entries(hashes).map(row => row.join(',')).join('\n')
  await gatehouse(['import', '-'], `username,passwordHash\n${rows}\n`)

  for (const username of Object.keys(hashes)) {
    t.equal(await statusOf(username, long), 200, username)
    t.equal(await statusOf(username, long), 200, 'and again: no hash of ours replaces it')
    t.equal(await statusOf(username, long.replace('शा', 'सा')), 401)
    t.equal(await statusOf(username, long.slice(0, 20)), 401)
    const payload = { username, currentPassword: long, newPassword: 'three quiet lamps' }
    const changed = await app.inject({
      method: 'POST', url: '/auth/changePassword', remoteAddress: newClient(), payload
    })
    t.equal(changed.statusCode, 200)
    t.equal(await statusOf(username), 200)
  }
  const again = await gatehouse(['import', '-', '--update', '--passwords'], `username,passwordHash\n${rows}\n`)
  t.match(again.stdout, /changed +2\n/)
})

t.test('what is exported is imported to the byte, also into another database, and no cell is a formula', async (t) => {
  await gatehouse(['import', '-'], JSON.stringify({
    username: 'out/1', email: '=1+1@school.example', adpStatus: ' "a",\r\nb ', book_chapter_approver_designation: "'-x"
  }))
  // It registered itself, and can still be taken over there.
  await app.db.user.create({
    data: { username: 'out/2', role: 'USER', userType: 'STUDENT', adpStatus: '123456789012', selfRegistered: true }
  })
  const { stdout } = await gatehouse(['export', '--with-hashes'])
  const before = await app.db.user.findMany({ orderBy: { id: 'asc' } })

  const here = await gatehouse(['import', '-', '--update', '--passwords'], stdout)
  const there = { ...environment, DATABASE_URL: await newDatabase() }
  const moved = await command(['users', 'import', '-'], there, stdout)
  const again = await command(['users', 'export', '--with-hashes'], there)

  t.match(stdout, /\n\d+,out\/1,'=1\+1@school\.example,USER,STUDENT," ""a"",\r\nb ",'-x,false,false,,false\n/)
  t.match(stdout, /\n\d+,out\/2,,USER,STUDENT,'123456789012,,false,true,,false\n/)
  t.match([here.stdout, moved.stdout], [/the same +\d\d?\n/, /created +\d\d?\n/])
  t.same(await app.db.user.findMany({ orderBy: { id: 'asc' } }), before)
  t.equal(again.stdout, stdout.replaceAll('$2b$', '$2y$'), 'there they came by an import')
  t.notMatch((await gatehouse(['export'])).stdout, /\$2|passwordHash/)
})

t.test('an import into an empty database keeps the numbers of its file; later accounts get higher ones', async (t) => {
  const there = await newDatabase()
  const admin = new pg.Client(there)
  await admin.connect()
  t.teardown(() => admin.end())
  const role = `importer${process.pid}`
  await admin.query(`
    CREATE ROLE ${role} LOGIN PASSWORD 'gatehouse';
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
    GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${role}`)
  t.teardown(() => admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`))
  const asRole = Object.assign(new URL(there), { username: role }).href
  const importThere = (rows: object[], ...args: string[]): Promise<Finished> => command(
    ['users', 'import', '-', ...args], { ...environment, DATABASE_URL: asRole },
    rows.map(row => JSON.stringify(row)).join('\n'))
  const numbers = async (): Promise<unknown> =>
    (await admin.query('SELECT username, id FROM users ORDER BY id')).rows.map(({ username, id }) => [username, id])

  const faulty = await importThere([
    { userId: 0, username: 'num.zero' }, { userId: 5, username: 'num.five' }, { userId: '5', username: 'num.twin' }
  ])
  const kept = await importThere([
    { userId: 41, username: 'num.one' }, { username: 'num.next' }, { userId: '7', username: 'num.two' }
  ])
  const again = await importThere([{ userId: 41, username: 'num.one' }])
  const other = await importThere([{ userId: 8, username: 'num.one' }, { userId: 9, username: 'num.three' }], '--json')

  t.match(faulty.stderr, /line 1: userId must be a number from 1 to \d+; .*\n +line 3: userId 5 is also in line 2\n/)
  t.match([kept, again], [{ code: 0, stdout: /^(?!.*renumbered)/s }, { code: 0, stdout: /^(?!.*renumbered)/s }])
  t.match(JSON.parse(other.stdout), { created: 1, renumbered: 2 })
  t.same(await numbers(), [['num.two', 7], ['num.one', 41], ['num.next', 42], ['num.three', 43]])

  await admin.query('DELETE FROM users; INSERT INTO deleted_users (id) VALUES (7)')
  const emptied = await importThere([{ userId: 7, username: 'num.late' }])
  t.match(emptied.stdout, /renumbered 1, /)
  t.same(await numbers(), [['num.late', 44]], 'the tokens of who was deleted are still refused by their number')
})

t.test('what an import cannot use is said before anything is read', async (t) => {
  const wrong: Array<[string[], string, number, RegExp]> = [
    [['-', '--map', 'a'], '', 2, /--map takes COLUMN=FIELD/],
    [['-', '--map', 'login=user'], '', 2, /did you mean "login=username"\?/],
    [['-'], 'login,mail\nx,y\n', 1, /^(?!.*mail).*line 1: is the header, and has no column username/s],
    [['-'], 'name,E-Mail\nx,y\n', 1, /or if people log in with it, --map E-Mail=username,E-Mail=email/],
    [['-'], '{"username":12345678901234567890}', 1, /line 1: has a number in username that may be rounded/],
    [['-'], 'username\n2.02301e+11\n', 1, /line 2: username is a long number that a spreadsheet has rounded/],
    [['-', '--map', 'name=username'], 'login\nx\n', 1, /line 1: has no column name, which --map names/],
    [['-'], 'username,User Name\nx,y\n', 1, /line 1: has two columns for username/],
    [['-'], '', 1, /standard input has no rows/],
    [['-'], '[{"username":"x"}]', 1, /line 1: is a list of JSON: write one object in each line/],
    [['-'], 'PK\u0003\u0004\0', 1, /line 1: is a spreadsheet: save it as CSV/],
    [[join(directory, 'none.csv')], '', 3, /there is no file/]
  ]
  for (const [args, input, code, stderr] of wrong) {
    t.match(await gatehouse(['import', ...args], input), { code, stdout: '', stderr }, String(stderr))
  }
  const latin1 = fileOf('', 'latin1.csv')
  writeFileSync(latin1, Buffer.from('username,adpStatus\nlatin.one,M\xfcller\n', 'latin1'))
  t.match(await gatehouse(['import', latin1]), { code: 1, stderr: /line 2: is not UTF-8/ })
})

t.test('an import is an event for each account and what changed of it, and one with its counts', async (t) => {
  writeFileSync(environment.AUDIT_LOG, '')
  const header = 'username,email,role,passwordHash,disabled,adpStatus'

  await gatehouse(['import', '-'], `${header}\naudited.one,,,,,\naudited.two,two@school.example,,,,\n`)
  const [one, two] = await Promise.all(['audited.one', 'audited.two'].map(rowOf))
  await gatehouse(['import', '-', '--update', '--dry-run'], `${header}\naudited.one,,ADMIN,,,\n`)
  await gatehouse(['import', '-', '--update', '--passwords'],
    `${header}\naudited.one,,ADMIN,${hash},true,\naudited.two,2@school.example,,,,ACTIVE\n`)
  await gatehouse(['import', '-', '--update'], `${header}\naudited.one,,,,false,\naudited.two,,,,,\n`)

  const lines = readFileSync(environment.AUDIT_LOG, 'utf8').trimEnd().split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>)
  const ofOne = { subject: 'audited.one', subjectId: one!.id }
  const ofTwo = { subject: 'audited.two', subjectId: two!.id }
  const expected = [
    { event: 'user_created', ...ofOne, role: 'USER', after: { role: 'USER', userType: 'STUDENT', email: null } },
    { event: 'user_created', ...ofTwo, role: 'USER', after: { email: 'two@school.example', disabled: false } },
    { event: 'users_imported', rows: 2, created: 2, changed: 0, invited: 0 },
    { event: 'privilege_permissions_changed', ...ofOne, role: 'ADMIN', before: { role: 'USER' } },
    { event: 'user_disabled', ...ofOne, after: { disabled: true } },
    { event: 'authn_password_change', ...ofOne },
    { event: 'user_updated', ...ofTwo, before: { adpStatus: null }, after: { adpStatus: 'ACTIVE' } },
    { event: 'users_imported', changed: 2 },
    { event: 'user_enabled', ...ofOne, before: { disabled: true }, after: { disabled: false } },
    { event: 'users_imported', changed: 1, same: 1 }
  ]
  t.equal(lines.length, expected.length)
  t.match(lines, expected.map(event => ({ ...event, actor: /@/ })))
  t.notMatch(lines, new RegExp(hash.slice(7).replace(/[.$]/g, '\\$&')))
})

t.end()
