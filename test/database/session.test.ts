// Each connection says what its values mean and where its tables are, whatever the server, the database or the role say.

import pg from 'pg'
import t, { type Test } from 'tap'
import { openDatabase, type Database } from '#src/database/database.js'
import { startApp } from '../fixtures/app.js'
import { command } from '../fixtures/command.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { noPgbouncer, startPgbouncer } from '../fixtures/pgbouncer.js'
import { newDatabase } from '../fixtures/shared-postgres.js'

const admin = new pg.Client(await newDatabase())
await admin.connect()
t.after(() => admin.end())

/** A database of a school in Newfoundland, half an hour off every other zone, with dates as they are written there. */
async function abroad (): Promise<string> {
  const url = await newDatabase()
  const name = new URL(url).pathname.slice(1)
  await admin.query(`ALTER DATABASE ${name} SET timezone = 'America/St_Johns'`)
  await admin.query(`ALTER DATABASE ${name} SET DateStyle = 'SQL, DMY'`)
  return url
}

async function open (t: Test, databaseUrl: string | undefined): Promise<Database> {
  const database = await openDatabase({ databaseUrl, dataDir: newDirectory(t), databaseTimeoutMs: 20_000 })
  t.after(() => database.close())
  return database
}

const account = { userType: 'STUDENT', role: 'USER' }

/** A time goes in and comes out by a model and by SQL, and one that PostgreSQL takes itself is now. */
async function keepsTimes (t: Test, url: string): Promise<void> {
  const { prisma } = await open(t, url)
  const disabledAt = new Date('2026-02-03T04:05:06.789Z')

  const made = await prisma.user.create({ data: { username: 'asha', disabledAt, ...account } })
  const [row] = await prisma.$queryRaw<Array<{ seconds: number, disabledAt: Date }>>`
    SELECT extract(epoch FROM disabled_at)::float8 AS seconds, disabled_at AS "disabledAt" FROM users`

  t.strictSame([made.disabledAt, row!.disabledAt, row!.seconds * 1000], [disabledAt, disabledAt, disabledAt.getTime()])
  t.ok(Math.abs(made.createdAt.getTime() - Date.now()) < 60_000, made.createdAt.toISOString())
  await prisma.user.deleteMany()
}

t.test('a time is the same to all, and the own options of DATABASE_URL apply as well', async (t) => {
  const url = await abroad()
  const options = encodeURIComponent('-c work_mem=7MB -c TimeZone=Asia/Kathmandu')

  await keepsTimes(t, url)
  await keepsTimes(t, `${url}?options=${options}`)
  await keepsTimes(t, `${url}?pgbouncer=true`)

  const { prisma } = await open(t, `${url}?options=${options}`)
  t.strictSame(await prisma.$queryRaw`SELECT current_setting('work_mem') AS memory`, [{ memory: '7MB' }])
})

t.test('a time is the same behind PgBouncer, which hands out connections of other zones', {
  skip: noPgbouncer
}, async (t) => {
  const pooler = await startPgbouncer(t, await abroad())
  const other = new pg.Client(pooler)
  await other.connect()
  t.after(() => other.end())

  for (let i = 0; i < 3; i++) {
    await other.query("SET TimeZone = 'Asia/Tokyo'")
    await keepsTimes(t, `${pooler}?pgbouncer=true`)
  }
})

t.test('a session is listed right after its login, and commands tell true times', async (t) => {
  const DATABASE_URL = await abroad()
  const { app, login, client, user } = await startApp(t, { DATABASE_URL, SESSION_HOURS: '1' })
  const { username, password } = await user()
  const address = client()
  const { token } = (await login(address, username, password)).json().data
  await app.inject({ method: 'POST', url: '/auth/forgot-password', remoteAddress: address, payload: { username } })

  const { data } = (await app.inject({ url: '/api/auth/sessions', headers: { authorization: `Bearer ${token}` } })).json()
  const { stdout } = await command(['users', 'list', '--json'], { DATABASE_URL })

  t.equal(data.length, 1)
  t.ok(Math.abs(Date.parse(data[0].startedAt) - Date.now()) < 60_000, data[0].startedAt)
  t.ok(Math.abs(Date.parse(JSON.parse(stdout)[0].createdAt) - Date.now()) < 60_000, stdout)
  t.match(await command(['migrate'], { DATABASE_URL }), { code: 0 })
})

t.end()
