// A roster of 1,200 pupils, every night of a school year, with two replicas that people use meanwhile.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import bcrypt from 'bcrypt'
import t, { type Test } from 'tap'
import { newClient, startApp } from '../fixtures/app.js'
import { command } from '../fixtures/command.js'
import { newDirectory } from '../fixtures/lifetime.js'
import type { Finished } from '../fixtures/process.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { until } from '../fixtures/until.js'

const url = await newDatabase()
const settings = { DATABASE_URL: url, JWT_SECRET: 'the-same-of-both-replicas-and-long-enough' }
const first = await startApp(t, settings)
const { app, login } = first
const replicas = [first, await startApp(t, settings)]
const directory = newDirectory(t)
const phrase = 'three quiet lamps'
const hash = (await bcrypt.hash(phrase, 4)).replace('$2b$', '$2y$')

interface Pupil { id: number, username: string, class: number, email: string }

/** Tonight's roster: OneRoster 1.1, in its folder. */
let roster: Pupil[] = Array.from({ length: 1200 }, (_, i) => pupil(i))

/** Two of a family have one address. */
function pupil (id: number, username = `pupil.${id}`): Pupil {
  return { id, username, class: 5 + id % 6, email: `parent.${Math.floor(id / 2)}@year.example` }
}

const lineOf = (one: Pupil): string =>
  `s-${one.id},active,2026-08-01,true,or-1,student,${one.username},${one.email},${hash},Class ${one.class}`

/** @param cut how much of the file has come */
async function night (args: string[] = [], cut = 1): Promise<Finished> {
  const text = 'sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,email,passwordHash,' +
    `adpStatus\n${roster.map(lineOf).join('\n')}\n`
  writeFileSync(join(directory, 'users.csv'), text.slice(0, Math.floor(text.length * cut)))
  return await command(['users', 'import', directory, '--source', 'sis', '--update', '--disable-missing', ...args],
    { DATABASE_URL: url, BCRYPT_COST: '10' })
}

/** Every version of every row, which each write changes. */
const versions = async (): Promise<unknown> =>
  await app.db.$queryRaw`SELECT md5(string_agg(id || ' ' || xmin, ',' ORDER BY id)) FROM users`

async function unchanged (t: Test, outcome: Promise<Finished>, expected: object): Promise<void> {
  const before = await versions()
  t.match(await outcome, expected)
  t.same(await versions(), before, 'nothing was written')
}

const statusOf = async (username: string): Promise<number> =>
  (await login(newClient(), username, phrase)).statusCode

t.test('the first night creates everyone, and the next one without a change writes nothing', async (t) => {
  t.match(await night(), { code: 0, stdout: /OneRoster, 1200 rows\n +created +1200\n[^]*hash +1200\n[^]*none +0\n/ })
  t.equal(await statusOf('pupil.7'), 200)
  // The login renewed a hash of the import.
  await unchanged(t, night(), { code: 0, stdout: /created +0\n +changed +0\n +missing +0\n +the same +1200\n/ })
})

t.test('leavers are out on every replica, and joiners are in', async (t) => {
  const token = (await login(newClient(), 'pupil.3', phrase)).json().data.token as string
  roster = [...roster.slice(20), ...Array.from({ length: 15 }, (_, i) => pupil(2000 + i))]

  t.match(await night(), { code: 0, stdout: /created +15\n +changed +0\n +missing +20\n/ })

  t.same([await statusOf('pupil.3'), await statusOf('pupil.30'), await statusOf('pupil.2003')], [401, 200, 200])
  for (const { app } of replicas) {
    const headers = { authorization: `Bearer ${token}` }
    await until(async () => (await app.inject({ url: '/api/auth/me', headers })).statusCode === 401)
  }
})

t.test('a class moves up, and nobody has to log in again', async (t) => {
  const token = (await login(newClient(), 'pupil.42', phrase)).json().data.token as string
  roster = roster.map(one => one.class === 5 ? { ...one, class: 6 } : one)
  const moved = roster.filter(({ id }) => id % 6 === 0).length

  const dry = await night(['--dry-run'])
  t.match(dry.stdout, new RegExp(`changed +${moved}\n[^]*pupil\\.42: adpStatus Class 5 → Class 6\n`))
  t.match(await night(), { code: 0, stdout: new RegExp(`changed +${moved}\n`) })
  for (const { app } of replicas) {
    const headers = { authorization: `Bearer ${token}` }
    t.equal((await app.inject({ url: '/api/auth/me', headers })).json().data.adpStatus, 'Class 6')
  }
})

t.test('a name that is used again is nobody else\'s account', async (t) => {
  roster.push({ ...pupil(3000, 'pupil.3'), email: '3000@year.example' })

  t.match(await night(), { code: 0, stdout: /created +0\n[^]*pupil\.3: s-3000 cannot have the name of s-3 of sis\n/ })
  t.equal(await statusOf('pupil.3'), 401)

  roster.at(-1)!.username = 'pupil.3b'
  t.match(await night(), { code: 0, stdout: /created +1\n/ })
})

t.test('a file that came in part, or empty, changes nothing', async (t) => {
  await unchanged(t, night([], 0.5), { code: 1, stderr: /has 1 fault/ })
  await unchanged(t, night(['--skip-faults'], 0.5), { code: 4, stderr: /of 1196 accounts of sis are not in the file/ })
  await unchanged(t, night([], 0.0001), { code: 1 })
})

t.test('who comes back can log in with the old password, and who was disabled by a person cannot', async (t) => {
  await command(['users', 'disable', 'pupil.50'], { DATABASE_URL: url })
  roster.push(pupil(3, 'pupil.3'), pupil(4))

  const { stdout } = await night()

  t.match(stdout, /changed +2\n[^]*pupil\.50: a person ended the access/)
  t.same([await statusOf('pupil.3'), await statusOf('pupil.50')], [200, 401])
})

t.test('a run that stops half-way is continued by the next one', async (t) => {
  roster = roster.map(one => ({ ...one, email: `new.${one.id}@year.example` }))
  await app.db.$executeRawUnsafe(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''the disk is full''; END'`)
  await app.db.$executeRawUnsafe(`
    CREATE TRIGGER fail BEFORE UPDATE ON users FOR EACH ROW WHEN (OLD.username = 'pupil.900') EXECUTE FUNCTION fail()`)

  const stopped = await night()
  const written = await app.db.user.count({ where: { email: { startsWith: 'new.' } } })
  await app.db.$executeRawUnsafe('DROP TRIGGER fail ON users')
  const next = await night()

  t.match(stopped, { code: 1, stderr: /the disk is full/ })
  t.equal(written, 500, 'one part of three')
  t.match(next.stdout, new RegExp(`changed +${roster.length - written}\n`))
})

t.test('at the year\'s end, a sixth leaves once someone has looked', async (t) => {
  roster = roster.filter(one => one.class !== 10)

  await unchanged(t, night(), { code: 4, stderr: /--at-most 5% allows 59\. Nothing was written/ })
  t.match(await night(['--at-most', '20%']), { code: 0, stdout: /missing +1\d\d\n/ })
  await unchanged(t, night(), { code: 0, stdout: /missing +0\n/ })
})

t.end()
