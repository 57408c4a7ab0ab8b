// A replica deletes the rows that nothing needs any more, from its start on, and keeps the others.

import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import { openDatabase } from '#src/database/database.js'
import { newUsername, startApp } from '../../fixtures/app.js'
import { newDatabase } from '../../fixtures/shared-postgres.js'
import { until } from '../../fixtures/until.js'

/** A database with an old row and a new one in each table. */
async function withOldRows (t: Test) {
  const databaseUrl = await newDatabase()
  const { prisma: db, close } = await openDatabase({ databaseUrl, dataDir: '', databaseTimeoutMs: 20_000 })
  t.after(close)
  const { id: userId } = await db.user.create({
    data: { username: newUsername(), userType: 'STUDENT', role: 'USER' }
  })
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  const session = { userId, tokenVersion: 0, client: 'x' }
  await db.session.createMany({
    data: [
      { ...session, id: randomUUID(), userAgent: 'old', startedAt: hoursAgo(5), endedAt: hoursAgo(3) },
      { ...session, id: randomUUID(), userAgent: 'new' }
    ]
  })
  const mail = { kind: 'password_changed' as const, userId, dueAt: null }
  await db.mail.createMany({
    data: [{ ...mail, requestId: 'old', createdAt: hoursAgo(25) }, { ...mail, requestId: 'new' }]
  })

  return { databaseUrl, db }
}

t.test('old sessions and old mails are gone soon after a start', async (t) => {
  const { databaseUrl, db } = await withOldRows(t)

  await startApp(t, { DATABASE_URL: databaseUrl })

  await until(async () => await db.session.count() === 1 && await db.mail.count() === 1)
  t.match(await db.session.findMany(), [{ userAgent: 'new' }])
  t.match(await db.mail.findMany(), [{ requestId: 'new' }])
})

t.test('mails that cannot be deleted are in the log, and old sessions go all the same', async (t) => {
  const { databaseUrl, db } = await withOldRows(t)
  await db.$executeRaw`CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''kept''; END'`
  await db.$executeRaw`CREATE TRIGGER keep BEFORE DELETE ON mails EXECUTE FUNCTION keep()`

  const { logs } = await startApp(t, { DATABASE_URL: databaseUrl })

  await until(async () => await db.session.count() === 1)
  t.match(logs.filter(({ code }) => code === 'purge_failed'), [{ level: 40, table: 'mails', err: Object }])
  t.equal(await db.mail.count(), 2)
})
