// A school's roster comes as its tool writes it, every night, and can do no harm in silence.

import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import bcrypt from 'bcrypt'
import pg from 'pg'
import t from 'tap'
import { parse } from 'yaml'
import { newClient, startApp } from '../fixtures/app.js'
import { command } from '../fixtures/command.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { readPages, root } from '../fixtures/markdown.js'
import type { Finished } from '../fixtures/process.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { until } from '../fixtures/until.js'

const url = await newDatabase()
const { app, login } = await startApp(t, { DATABASE_URL: url })
const directory = newDirectory(t)
const environment = { DATABASE_URL: url, BCRYPT_COST: '10', AUDIT_LOG: join(directory, 'audit.log') }
writeFileSync(environment.AUDIT_LOG, '')
const gatehouse = (args: string[], input = ''): Promise<Finished> => command(['users', ...args], environment, input)
const rowOf = (username: string) => app.db.user.findUniqueOrThrow({ where: { username } })
const audited = () => readFileSync(environment.AUDIT_LOG, 'utf8').trimEnd().split('\n')
  .map(line => JSON.parse(line) as Record<string, unknown>)

/** A roster with a source of its own. */
function newRoster (name: string) {
  const run = async (rows: string[], ...args: string[]): Promise<Finished> =>
    await gatehouse(['import', '-', '--source', name, ...args],
      `sourcedId,username,email,role\n${rows.join('\n')}\n`)
  return { run, nightly: (rows: string[], ...args: string[]) => run(rows, '--update', '--disable-missing', ...args) }
}

const page = readPages().get('docs/rosters.md')!
const recipes = [...page.slice(page.indexOf('## Recipes')).matchAll(/^npx gatehouse users import (\S+)(.*)$/gm)]
  .map(([, file, options]) => ({ file: file!, options: options!.trim().split(' ').filter(Boolean) }))

/** What each file makes: the format, and some of an account. */
const expected: Record<string, [format: RegExp, username: string, account: object, leavesOut?: RegExp]> = {
  'oneroster-1.1': [/OneRoster 1\.1, 5 rows\n.*created +4\n/s, 'c.lim', { role: 'TEACHER', sourcedId: 'u-3' }],
  'oneroster-1.2.zip': [/OneRoster 1\.2, 3 rows/, 'd.khan', { role: 'PRINCIPAL', userType: 'PRINCIPAL' }],
  'sds-2.1': [/SDS 2\.1, 3 rows/, 'kfein@sds.example', { role: 'TEACHER' }],
  'Student.csv': [/SDS 1, 2 rows\n.*created +1\n/s, 'oklein', { role: 'STUDENT', email: 'ora@home.example' }],
  'entra-list.csv': [/Entra's list of users, 3 rows/, 'noor@entra.example', { userType: 'STUDENT' }, /has #, and must/],
  'entra-bulk.csv': [/Entra's list for bulk creation, 2 rows/, 'lena@bulk.example', { disabledAt: null }],
  'google.csv': [/Google's list of users, 2 rows\n.*invited +1\n/s, 'ilse@google.example', { passwordHash: null }],
  'auth0.json': [/Auth0, 2 rows/, 'kim@auth0.example', { role: 'TEACHER', sourcedId: 'auth0|5f1' }],
  'mongoexport.json': [/mongoexport, 1 row\n.*hash +1\n/s, 'mo@mongo.example', { sourcedId: /^5dea9f9c82dd/ }],
  'moodle.csv': [/Moodle, 2 rows/, 'om.jain', { sourcedId: '8' }],
  'pandas.csv': [/CSV, 2 rows/, '00451', { sourcedId: '00017', role: 'STUDENT', adpStatus: 'Class 5, "blue"' }]
}

t.test('each recipe of docs/rosters.md imports a file as its tool writes it', async (t) => {
  const files = newDirectory(t)
  cpSync(join(root, 'test/commands/rosters'), files, { recursive: true })
  cpSync(join(files, 'sds-1/Student.csv'), join(files, 'Student.csv'))

  t.same(recipes.map(({ file }) => file).sort(), Object.keys(expected).sort())
  for (const { file, options } of recipes) {
    const [format, username, account, leavesOut] = expected[file]!
    const { code, stdout, stderr } = await gatehouse(['import', join(files, file), ...options])
    t.match({ code, stdout, stderr }, { code: 0, stdout: format, stderr: '' }, file)
    t.match(await rowOf(username), account, username)
    if (leavesOut) t.match(stdout, leavesOut)
  }
  const disabled = await app.db.user.findMany({ where: { disabledAt: { not: null } }, orderBy: { username: 'asc' } })
  t.same(disabled.map(({ username }) => username), [
    'ira.sen', 'lou@auth0.example', 'noor@entra.example', 'omar@bulk.example', 'ravi.menon', 'sam.roy'
  ], 'those that each file says')
})

t.test('the role in a roster is also the type of user, and only a new account needs one', async (t) => {
  const files = newDirectory(t, {
    'users.csv': 'sourcedId,username\n1,type.teacher\n2,type.mother\n',
    'roles.csv': 'userSourcedId,orgSourcedId,role,isPrimary\n1,7,teacher,TRUE\n'
  })
  const delta = newDirectory(t, {
    'manifest.csv': 'propertyName,value\noneroster.version,1.2\nfile.users,delta\nfile.roles,absent\n',
    'users.csv': 'sourcedId,status,enabledUser,username\n1,active,false,type.teacher\n'
  })
  const run = async (folder: string, ...args: string[]) =>
    await gatehouse(['import', folder, '--source', 'type-sis', '--update', ...args])

  const refused = await run(files)
  const { stdout } = await run(files, '--value', 'role:=GUARDIAN')
  const left = await run(delta)

  t.match(refused, { code: 1, stderr: /has 1 fault.*\n {2}line 3: role is empty: .* \(type\.mother\)\n$/ })
  t.match(stdout, /SDS 2\.1, 2 rows\n/)
  t.match(await rowOf('type.mother'), { role: 'GUARDIAN', userType: 'GUARDIAN' })
  t.match(left.stdout, /\(delta\), 1 row\n/)
  t.match(await rowOf('type.teacher'), { role: 'TEACHER', userType: 'TEACHER', disabledAt: Date })
})

t.test('a row is matched by source and id, then by name, and never takes over another account', async (t) => {
  const sis = newRoster('match-sis')
  await gatehouse(['import', '-'], 'username\nmatch.hand\n')
  await newRoster('match-other').run(['1,match.other,,USER'])
  await sis.run(['1,match.one,,USER', '2,match.leaver,,USER'])
  const before = await app.db.user.findMany({ where: { username: { in: ['match.other', 'match.leaver'] } } })

  const { code, stdout } = await sis.run(
    ['1,match.renamed,,USER', '3,match.leaver,,ADMIN', '4,match.other,,ADMIN', '5,match.hand,,TEACHER'], '--update')

  t.equal(code, 0)
  t.match(stdout, /changed +2\n[^]*left +2, which stay as they are\n/)
  t.match(stdout, /match\.leaver: 3 cannot have the name of 2 of match-sis\n/)
  t.match(stdout, /match\.other: 4 cannot have the name of 1 of match-other\n/)
  t.same(await app.db.user.findMany({ where: { username: { in: ['match.other', 'match.leaver'] } } }), before)
  t.match(await rowOf('match.renamed'), { sourcedId: '1', tokenVersion: 1 })
  t.match(await rowOf('match.hand'), { source: 'match-sis', sourcedId: '5', role: 'TEACHER' })
  t.match(await gatehouse(['import', '-', '--source', 'match-sis'], 'username\nx.y\n'),
    { code: 1, stderr: /has no column sourcedId, which --source needs/ })
  const without = await gatehouse(['import', '-'], 'sourcedId,username\n1,match.free\n')
  t.match(without.stdout, /Ignored columns: sourcedId\n/)
})

t.test('names move between the accounts of a file, and are swapped; siblings may have one address', async (t) => {
  const sis = newRoster('swap-sis')
  await sis.run([
    '1,swap.one,1@swap.example,USER', '2,swap.two,2@swap.example,USER', '3,swap.three,3@swap.example,USER'
  ])

  const { stdout } = await sis.run([
    '1,swap.two,2@swap.example,USER', '2,swap.one,1@swap.example,USER', '3,swap.free,free@swap.example,USER',
    '4,swap.three,3@swap.example,USER'
  ], '--update')
  const shared = await sis.run(['5,swap.five,FREE@swap.example,USER'], '--update')

  t.match(stdout, /created +1\n +changed +3\n/)
  const users = await app.db.user.findMany({ where: { source: 'swap-sis' }, orderBy: { sourcedId: 'asc' } })
  t.same(users.map(({ username, email }) => [username, email]), [
    ['swap.two', '2@swap.example'], ['swap.one', '1@swap.example'], ['swap.free', 'free@swap.example'],
    ['swap.three', '3@swap.example'], ['swap.five', 'free@swap.example']
  ])
  t.match(shared, { code: 0, stdout: /created +1\n/ })
})

t.test('values of others are translated, and a column that says the opposite is refused', async (t) => {
  const file = '"Name,\nVorname";Aktiv;Rolle;Stand\n' +
    'value.one;Ja;Lehrer;\nvalue.two;Nein;student;\\N\nvalue.three;ja;NULL;NA\n'
  const args = [
    '--map', '"name,\nvorname"=username,AKTIV=enabled', '--map', 'Rolle=role,Stand=adpStatus',
    '--value', 'enabled:ja=true', '--value', 'enabled:Nein=false', '--value', 'role:lehrer=TEACHER'
  ]

  const { stdout } = await gatehouse(['import', '-', ...args], file)

  t.match(stdout, /CSV, 3 rows\n +created +3\n[^]*Cells that count as empty: 1 \\N, 1 NULL, 1 NA\n/)
  t.match(await rowOf('value.one'), { role: 'TEACHER', disabledAt: null })
  t.match(await rowOf('value.two'), { role: 'STUDENT', adpStatus: null, disabledAt: Date })
  t.match(await rowOf('value.three'), { role: 'USER', disabledAt: null })
  const wrong: Array<[string[], RegExp]> = [
    [['--map', 'enabledUser=disabled'], /enabledUser=disabled says the opposite: did you mean "enabledUser=enabled"\?/],
    [['--map', 'suspended=enabled'], /did you mean "suspended=disabled"\?/],
    [['--value', 'rolle:a=b'], /did you mean "role:a=b"\?/],
    [['--value', 'role=b'], /--value takes FIELD:FROM=TO/],
    [['--disable-missing'], /goes with --source/],
    [['--source', 'a b'], /must have at most 32 letters/]
  ]
  for (const [options, stderr] of wrong) t.match(await gatehouse(['import', '-', ...options]), { code: 2, stderr })
})

t.test('rows with faults are left out if asked, each with its line, name and reason', async (t) => {
  await gatehouse(['import', '-'], 'username\n00123\n1e5\n3/4\n2023/0145\n')
  const file = 'username,email,role\n' + [
    'odd.one,o\'brien\u200b@odd.example,', 'o\'dd.two,,', '123,,', '100000,,', '2026-04-03,,', '2023/0146,,',
    'odd.six,,head teacher', 'odd.seven,,', 'total,,', 'odd.seven,,'
  ].join('\n')

  const refused = await gatehouse(['import', '-'], file)
  const { code, stdout } = await gatehouse(['import', '-', '--skip-faults'], file)

  t.match(refused, { code: 1, stdout: '', stderr: /has 8 faults, and nothing was written/ })
  t.match({ code, stdout }, { code: 0, stdout: /created +2\n[^]*left out +8, whose rows have faults\n/ })
  const reasons = [
    /line 2: email o'brien\\u200b@odd\.example has U\+200B, and must be an address/,
    /line 3: username o'dd\.two has ', and must have/,
    /line 4: username 123 may be the account 00123 as a spreadsheet writes it/,
    /line 5: username 100000 may be the account 1e5/,
    /line 6: username 2026-04-03 may be the account 3\/4/,
    /line 8: role must have capital letters.* \(odd\.six\)/,
    /line 10: username total seems to be that of a sum/,
    /line 11: username odd\.seven is also in line 9/
  ]
  for (const reason of reasons) {
    t.match(stdout, reason)
    t.match(refused.stderr, reason)
  }
  await rowOf('2023/0146')
})

t.test('what looks like a hash of any system is no password, and bcrypt is taken in any wrapping', async (t) => {
  const bare = (await bcrypt.hash('three quiet lamps', 4)).replace('$2b$', '$2y$')
  const foreign = [
    `!${'aB3'.repeat(13)}x`, 'U$S$55charsofdrupal', '$S$D55charsofdrupal', `${'0af'.repeat(10)}0a:salt`,
    '{SSHA}W6ph5Mm5Pz8=', 'pbkdf2:sha256:260000$salt$hash', 'pbkdf2_sha256$260000$salt$hash',
    `bcrypt_sha256$${bare}`, '3|$argon2id$v=19$m=1', 'W6ph5Mm5Pz8GgiULbPgzG37mj9g=', '$wp$2y$10$abc',
    'SCRAM-SHA-256$4096:x', '*94BDCEBE19083CE2A1F959FD02F964C7AF4CFC29',
    '$argon2id$v=19$m=65536', 'scrypt:32768:8:1$salt$hash', `AQAAAAEAACcQAAAAE${'A'.repeat(40)}==`
  ]
  const wrapped = ['', '{CRYPT}', '{crypt}', '{bcrypt}', '{BLF-CRYPT}', 'bcrypt$', '1|'].map(name => name + bare)

  const faults = await gatehouse(['import', '-'],
    `username,password\n${foreign.map((hash, i) => `hash.wrong${i},"${hash}"`).join('\n')}\n`)
  const taken = await gatehouse(['import', '-'],
    `username,password\n${wrapped.map((hash, i) => `hash.right${i},${hash}`).join('\n')}\n`)

  t.match(faults, { code: 1, stderr: `has ${foreign.length} faults` })
  t.equal(faults.stderr.match(/password is a hash, but not bcrypt's/g)?.length, foreign.length)
  t.match(taken.stdout, /created +7\n[^]*hash +7\n/)
  for (const i of wrapped.keys()) {
    t.equal((await login(newClient(), `hash.right${i}`, 'three quiet lamps')).statusCode, 200)
  }
})

t.test('the report counts how people get in, and names those who cannot', async (t) => {
  const file = 'username,email,password,passwordHash,disabled\n' + [
    'way.one,,three quiet lamps,,', `way.two,,,${await bcrypt.hash('three quiet lamps', 4)},`,
    'way.three,3@way.example,,,',
    'way.four,,,,', 'way.five,,,,true'
  ].join('\n')
  const ways = (stdout: string): string =>
    /How they get in:\n([^]*?)\n(?! )/.exec(`${stdout}\n`)![1]!.replaceAll(/ +/g, ' ')

  const dry = await gatehouse(['import', '-', '--dry-run', '--invite'], file)
  const first = await gatehouse(['import', '-', '--invite', '--list-without'], file)
  const second = await gatehouse(['import', '-', '--invite'], file)

  t.equal(ways(dry.stdout), ' password 1\n hash 1\n invited 1\n none 1: --list-without names them')
  t.equal(ways(first.stdout), ' password 1\n hash 1\n invited 1\n none 1\n way.four')
  t.equal(ways(second.stdout),
    ' password 2\n hash 0\n link 1, mailed earlier\n invited 0\n none 1: --list-without names them')
  const { id: userId } = await rowOf('way.three')
  await until(async () => await app.db.mail.count({ where: { userId, sentAt: null } }) === 0)
  await app.db.user.update({ where: { id: userId }, data: { resetTokenHash: null } })
  await app.db.mail.create({ data: { kind: 'second_factor', userId, requestId: 'x', dueAt: new Date(2100, 1) } })
  t.match(ways((await gatehouse(['import', '-', '--invite'], file)).stdout), /invited 1\n/,
    'a mail without such a link is none')
})

t.test('a dry run names each change with before and after, and the run does exactly that, or stops', async (t) => {
  const sis = newRoster('dry-sis')
  await sis.run(['1,dry.one,1@dry.example,USER', '2,dry.two,2@dry.example,USER', '3,dry.three,,USER'])
  const rows = ['1,dry.one,one@dry.example,ADMIN', '2,dry.two,2@dry.example,USER', '4,dry.four,,TEACHER']
  const before = await app.db.user.findMany({ where: { source: 'dry-sis' } })

  const dry = await sis.nightly(rows, '--at-most', '1', '--dry-run')
  const json = JSON.parse((await sis.nightly(rows, '--at-most', '1', '--dry-run', '--json')).stdout)
  const other = await sis.nightly(rows, '--at-most', '1', '--plan', '0123456789ab')
  const unchanged = await app.db.user.findMany({ where: { source: 'dry-sis' } })
  const done = await sis.nightly(rows, '--at-most', '1', '--plan', json.plan)

  t.match(dry.stdout, /created +1\n +dry\.four \(TEACHER\)\n/)
  t.match(dry.stdout, new RegExp('Roles:\n +dry\\.one: role USER → ADMIN\n' +
    'Ends of access:\n +dry\\.three: disabled false → true \\(not in the file\\)\n' +
    'Other changes:\n +dry\\.one: email 1@dry\\.example → one@dry\\.example\n'))
  t.match(json, {
    dryRun: true,
    created: 1,
    changed: 1,
    missing: 1,
    changes: [{ username: 'dry.one', changes: { email: { before: '1@dry.example', after: 'one@dry.example' } } }],
    ends: [{ username: 'dry.three', changes: { disabled: { before: false, after: true } } }]
  })
  t.match(other, { code: 5, stderr: `no longer plan 0123456789ab, but ${json.plan}: nothing was written` })
  t.same(unchanged, before)
  t.match(done, { code: 0, stdout: /changed +1\n +missing +1\n/ })
  t.match(await rowOf('dry.one'), { role: 'ADMIN', email: 'one@dry.example' })
  await gatehouse(['set-role', 'dry.one', 'USER'])
})

t.test('who is missing can no longer log in, up to a limit, and comes back', async (t) => {
  const sis = newRoster('gone-sis')
  const rows = Array.from({ length: 10 }, (_, i) => `${i},gone.${i}x,,USER`)
  await sis.run(rows)
  await gatehouse(['disable', 'gone.1x'])
  const isDisabled = async (name: string) => (await rowOf(name)).disabledAt !== null

  const tooMany = await sis.nightly(rows.slice(1))
  const kept = await isDisabled('gone.0x')
  const gone = await sis.nightly(rows.slice(1), '--at-most', '12%')
  const ended = await isDisabled('gone.0x')
  const leftOut = await sis.nightly([...rows.slice(2), '0,gone..bad,,USER', '1,gone..bad,,USER'],
    '--at-most', '0', '--skip-faults')
  const back = await newRoster('gone-sis').run(rows, '--disable-missing')

  t.match(tooMany, { code: 4, stdout: '' })
  t.match(tooMany.stderr, /1 of 9 accounts of gone-sis are not in the file or .*, and --at-most 5% allows 0/)
  t.equal(kept, false)
  t.match(gone, { code: 0, stdout: /missing +1\n/ })
  t.equal(ended, true)
  t.match(leftOut, { code: 0, stdout: /missing +0\n[^]*left out +2/ }, 'a row with a fault is in the file')
  t.match(back.stdout, /changed +1\n/)
  t.equal(await isDisabled('gone.0x'), false)
  t.equal(await isDisabled('gone.1x'), true, 'a person disabled it')
  t.match(audited().filter(({ source }) => source === 'gone-sis').map(({ outcome }) => outcome),
    ['done', 'too many missing', 'done', 'done', 'done'])
})

t.test('the last administrator stays, and in a delta nobody is missing', async (t) => {
  const sis = newRoster('last-sis')
  await sis.run(['1,last.head,,ADMIN', '2,last.pupil,,USER'])
  const files = newDirectory(t, {
    'manifest.csv': 'propertyName,value\nmanifest.version,1.0\noneroster.version,1.2\nfile.users,delta\n',
    'users.csv': 'sourcedId,status,dateLastModified,enabledUser,username,role\n2,tobedeleted,2026-08-01,,,\n'
  })

  const { stdout } = await sis.nightly(['2,last.pupil,,USER'], '--at-most', '9')
  const delta = await gatehouse(['import', files, '--source', 'last-sis', '--update', '--disable-missing'])

  t.match(stdout, /missing +0\n[^]*last\.head: the last administrator keeps the access\n/)
  t.equal((await rowOf('last.head')).disabledAt, null)
  t.match(delta.stdout, /OneRoster 1\.2 \(delta\), 1 row\n[^]*Ends of access:\n +last\.pupil: disabled false → true\n/)
  await gatehouse(['set-role', 'last.head', 'USER'])
})

t.test('a roster that makes the last administrator a teacher leaves the role as it is', async (t) => {
  await gatehouse(['import', '-'], 'username,role\nrole.head,ADMIN\n')

  const { code, stdout } = await newRoster('role-sis').run(['1,role.head,,TEACHER', '2,role.other,,ADMIN'], '--update')
  const kept = await rowOf('role.head')
  await newRoster('role-sis').run(['1,role.head,,TEACHER', '2,role.other,,ADMIN'], '--update')

  t.match({ code, stdout }, { code: 0, stdout: /role\.head: the last administrator keeps the access\n/ })
  t.match(kept, { role: 'ADMIN', source: 'role-sis' })
  t.match(await rowOf('role.head'), { role: 'TEACHER' }, 'as soon as there is another')
  await gatehouse(['set-role', 'role.other', 'USER'])
})

t.test('the access of who has left ends, also if the name is used again or is another account\'s', async (t) => {
  await newRoster('left-other').run(['1,left.other,,USER'])
  await newRoster('left-sis').run(['1,left.one,,USER', '2,left.two,,USER', '3,left.three,,USER'])
  const rows = ['4,active,left.one,USER', '1,tobedeleted,left.one,USER', '2,tobedeleted,left.other,USER',
    '3,active,left.three,USER']

  const night = async (atMost: string): Promise<Finished> => await gatehouse(
    ['import', '-', '--source', 'left-sis', '--update', '--disable-missing', '--at-most', atMost],
    `sourcedId,status,username,role\n${rows.join('\n')}\n`)

  t.match(await night('1'), { code: 4, stderr: /2 of 3 accounts of left-sis .* They are left\.one, left\.two/ })
  const { code, stdout } = await night('2')
  t.equal(code, 0)
  t.match(stdout, /changed +2\n +missing +0\n[^]*left\.one: 4 cannot have the name of 1 of left-sis\n/)
  t.match(stdout, /left\.other: 2 cannot have the name of 1 of left-other\n/)
  t.match(await rowOf('left.one'), { disabledAt: Date, sourcedId: '1' })
  t.match(await rowOf('left.two'), { disabledAt: Date, username: 'left.two' })
  t.match(await rowOf('left.other'), { disabledAt: null, sourcedId: '1' })
})

t.test('who has the name of one who left does not get an account that was made before the roster', async (t) => {
  await gatehouse(['import', '-'], 'username\nbefore.one\nbefore.two\n')
  const before = await rowOf('before.one')

  const { code, stdout } = await gatehouse(['import', '-', '--source', 'before-sis', '--update'],
    'sourcedId,status,username\n1,tobedeleted,before.one\n2,active,before.one\n3,tobedeleted,before.two\n')

  t.match({ code, stdout }, { code: 0, stdout: /changed +1\n/ })
  t.match(stdout, /before\.one: it may be that of who has left, and not of 2\n/)
  t.same(await rowOf('before.one'), before)
  t.match(await rowOf('before.two'), { disabledAt: Date, sourcedId: '3' })
})

t.test('nobody is missing whose row has a cell too many, or whose id has got spaces', async (t) => {
  const ran = (rows: string[]): Promise<Finished> => gatehouse(
    ['import', '-', '--source', 'cells-sis', '--update', '--disable-missing', '--skip-faults', '--at-most', '9'],
    `familyName,username,sourcedId,role\n${rows.join('\n')}\n`)
  await ran(['Dam,cells.one,1,USER', 'Lim,cells.two,2,USER', 'Roy,cells.three,3,USER'])

  const { stdout } = await ran(['Dam, van,cells.one,1,USER', 'Lim,cells.two," 2 ",USER', 'Roy, de,cells.new,3,USER'])

  t.match(stdout, /missing +0\n +the same +1\n[^]*left out +2/)
})

t.test('a plan is another one with other invitations', async (t) => {
  const rows = ['1,plan.one,1@plan.example,USER']
  const { stdout } = await newRoster('plan-sis').run(rows, '--dry-run', '--json')

  const invites = await newRoster('plan-sis').run(rows, '--invite', '--plan', JSON.parse(stdout).plan)

  t.match(invites, { code: 5, stderr: /nothing was written/ })
})

const soffice = (...args: string[]) => spawnSync('soffice', ['--headless', ...args], { encoding: 'utf8' })
const skip = soffice('--version').status !== 0 && 'soffice is not on PATH'

t.test('what is exported comes back from LibreOffice as it was', { skip }, async (t) => {
  const there = { ...environment, DATABASE_URL: await newDatabase() }
  const names = ['00123', '1e5', '3/4', '2023/0145']
  const texts = [
    '=1+1', 'x;=1+1', 'a\n-b', '00123', '1.50', '+49123', '"a"', '12345678901234567890', '\'00', '1,234', 'é'
  ]
  const rows = texts.map((adpStatus, i) =>
    JSON.stringify({ username: names[i] ?? `libre.${i}`, adpStatus, sourcedId: `00${i}` }))
  await command(['users', 'import', '-', '--source', 'libre'], there, rows.join('\n'))
  const { stdout } = await command(['users', 'export'], there)
  const files = newDirectory(t, { 'users.csv': stdout })

  // Commas, quotes where needed, UTF-8: what its windows propose.
  const [from, to] = ['CSV:44,34,76', 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false']
  soffice(`-env:UserInstallation=file://${files}/profile`, `--infilter=${from}`, '--convert-to', to,
    '--outdir', `${files}/saved`, join(files, 'users.csv'))
  const again = await command(['users', 'import', join(files, 'saved/users.csv'), '--update'], there)

  t.match(again, { code: 0, stdout: /changed +0\n +the same +11\n/ })
  t.match(stdout, /,"x;'=1\+1",|,x;'=1\+1,/, 'no formula where cells are separated by semicolons')
})

t.test('an account that somebody changes meanwhile is changed, too, or stops the run', async (t) => {
  const sis = newRoster('race-sis')
  await sis.run(['1,race.one,1@race.example,USER', '2,race.two,2@race.example,USER'])
  const client = new pg.Client(url)
  await client.connect()
  t.teardown(() => client.end())
  const isWaiting = async (): Promise<boolean> => (await app.db.$queryRaw<unknown[]>`
    SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`).length > 0

  async function meanwhile (change: string, rows: string[]): Promise<Finished> {
    await client.query('BEGIN')
    await client.query(`UPDATE users SET ${change} WHERE username = 'race.two'`)
    const run = sis.run(rows, '--update')
    await until(isWaiting)
    await client.query('COMMIT')
    return await run
  }

  const other = await meanwhile('adp_status = \'X\'',
    ['1,race.one,a@race.example,USER', '2,race.two,b@race.example,USER'])
  const after = await rowOf('race.two')
  const same = await meanwhile('email = \'own@race.example\'',
    ['1,race.one,c@race.example,USER', '2,race.two,d@race.example,USER'])

  await app.db.user.update({
    where: { username: 'race.two' }, data: { disabledAt: new Date(), disabledBySource: true }
  })
  const ended = await meanwhile('disabled_by_source = false',
    ['1,race.one,a@race.example,USER', '2,race.two,own@race.example,USER'])

  t.match(other, { code: 0, stdout: /changed +2\n/ })
  t.match(after, { adpStatus: 'X', email: 'b@race.example' })
  t.match(same, { code: 5, stderr: 'race.two was changed meanwhile (email). Nothing was written: run it again' })
  t.equal((await rowOf('race.one')).email, 'a@race.example')
  t.equal((await rowOf('race.two')).email, 'own@race.example')
  t.match(ended, { code: 5, stderr: 'race.two was changed meanwhile (disabled). Nothing was written' })
  t.match(await rowOf('race.two'), { disabledAt: Date }, 'a person ended the access')
})

t.test('an import that waits for a transaction, which waits for the import, writes its part once more', async (t) => {
  const sis = newRoster('deadlock-sis')
  await sis.run(['1,deadlock.one,,USER', '2,deadlock.two,,USER'])
  const client = new pg.Client(url)
  await client.connect()
  t.teardown(() => client.end())
  const isWaiting = async (): Promise<boolean> => (await app.db.$queryRaw<unknown[]>`
    SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`).length > 0
  const lock = (name: string) => client.query('SELECT FROM users WHERE username = $1 FOR UPDATE', [name])

  // PostgreSQL ends the transaction that finds the deadlock first.
  await client.query('SET deadlock_timeout = \'1h\'')
  await client.query('BEGIN')
  await lock('deadlock.two')
  const run = sis.run(['1,deadlock.one,,TEACHER', '2,deadlock.two,,TEACHER'], '--update')
  await until(isWaiting)
  await lock('deadlock.one')
  await client.query('COMMIT')

  t.match(await run, { code: 0, stdout: /changed +2\n/ })
})

t.test('each example runs the import as docs/rosters.md has it, each night', async (t) => {
  const options = ['--update', '--disable-missing', '--skip-faults', '--invite']
  const read = (name: string): string => readFileSync(join(root, 'examples/roster', name), 'utf8')
  const job = parse(read('cronjob.yaml'))
  const [container] = job.spec.jobTemplate.spec.template.spec.containers
  const texts = [page, read('crontab'), read('gatehouse-roster.service').replaceAll('\\\n', ''),
    [...container.command, ...container.args].join(' ')]

  for (const text of texts) {
    const [, given] = /users import \S+ +--source sis +(.+)/.exec(text) ?? []
    t.same(given?.split(/ +/), options)
  }
  const { CronJob } = createRequire(import.meta.url)('kubernetes-models/batch/v1')
  t.doesNotThrow(() => new CronJob(job).validate())
  t.equal(job.spec.schedule, '15 2 * * *')
  const users = 'sourcedId,enabledUser,username,role\n1,true,example.one,student\n'
  const ran = await gatehouse(['import', newDirectory(t, { 'users.csv': users }), '--source', 'examples', ...options])
  t.match(ran, { code: 0, stdout: /created +1\n/ })
})

t.test('how old the roster of a source is, is a metric, and a refused night makes it no younger', async (t) => {
  const sis = newRoster('metric-sis')
  await sis.nightly(['1,metric.one,,USER'])
  await app.db.$executeRaw`UPDATE rosters SET imported_at = now() - interval '27 hours' WHERE source = 'metric-sis'`

  await sis.nightly(['1,metric..one,,no role'])
  const { app: replica } = await startApp(t, { DATABASE_URL: url })
  const age = async () => (await replica.metrics.rosterAge.get()).values
    .find(({ labels }) => labels.source === 'metric-sis')?.value ?? 0

  t.ok(await age() > 26 * 3600, 'GatehouseRosterMissing')
  t.match(audited().at(-1), {
    event: 'users_imported', source: 'metric-sis', outcome: 'refused', reason: /has 2 faults/, actor: /@/
  })
})

t.test('files that are no roster are named with what to do', async (t) => {
  const wrong: Array<[string | Buffer, RegExp]> = [
    ['Class list\n\nusername,role\nx.y,USER\n', /line 1: is no header, and line 3 may be one: delete the/],
    ['username|role\nx.y|USER\n', /line 1: seems to separate cells by \|: write the line sep=\| above it/],
    [Buffer.from('d0cf11e0a1b11ae1', 'hex'), /line 1: is a spreadsheet: save it as CSV/],
    ['<html><table>', /line 1: is a web page or XML/]
  ]
  for (const [input, stderr] of wrong) {
    t.match(await gatehouse(['import', '-'], input as string), { code: 1, stderr }, String(stderr))
  }
  t.match(await gatehouse(['import', newDirectory(t)]), { code: 1, stderr: /the folder has no users\.csv/ })
})

t.end()
