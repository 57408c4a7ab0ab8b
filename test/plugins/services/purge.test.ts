// A replica deletes the rows that nothing needs any more, from its start on, and keeps the others.

import { randomUUID } from 'node:crypto'
import t from 'tap'
import { openDatabase } from '#src/database/database.js'
import { newUsername, startApp } from '../../fixtures/app.js'
import { newDatabase } from '../../fixtures/shared-postgres.js'
import { until } from '../../fixtures/until.js'

t.test('old sessions and old mails are gone soon after a start', async (t) => {
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

  await startApp(t, { DATABASE_URL: databaseUrl })

  await until(async () => await db.session.count() === 1 && await db.mail.count() === 1)
  t.match(await db.session.findMany(), [{ userAgent: 'new' }])
  t.match(await db.mail.findMany(), [{ requestId: 'new' }])
})
