// Many requests that look users up at a time cost one query, and each gets its own user.

import t from 'tap'
import { createUserLookup } from '#src/auth/user-lookup.js'
import { openDatabase } from '#src/database/database.js'
import type { PrismaClient } from '#prisma/client.js'
import { startPostgres } from '../fixtures/postgres.js'

const postgres = await startPostgres(t)
const { prisma, close } = await openDatabase({ databaseUrl: postgres.url, dataDir: '', databaseTimeoutMs: 20_000 })
t.after(close)

const users = await prisma.user.createManyAndReturn({
  data: Array.from({ length: 250 }, (_, i) => ({
    username: `user${i}`, passwordHash: 'none', userType: 'STUDENT', role: 'USER'
  }))
})

/** The ids of each query, beside the real database. */
const queries: number[][] = []
const findMany = async (query: { where: { id: { in: number[] } } }) => {
  queries.push(query.where.id.in)
  return await prisma.user.findMany(query)
}
const lookUp = createUserLookup({ user: { findMany } } as unknown as PrismaClient)

t.beforeEach(() => { queries.length = 0 })

t.test('lookups of one turn are one query, with each id once', async (t) => {
  const wanted = [users[0]!, users[1]!, users[0]!]
  const found = await Promise.all([...wanted.map(({ id }) => lookUp(id)), lookUp(-1)])
  t.strictSame(found.map(user => user?.username), ['user0', 'user1', 'user0', undefined])
  t.strictSame(queries, [[users[0]!.id, users[1]!.id, -1]])
  t.notOk(Object.hasOwn(found[0]!, 'passwordHash'))
})

t.test('lookups of another turn see what changed meanwhile', async (t) => {
  const { id } = users[2]!
  t.equal((await lookUp(id))?.role, 'USER')
  await prisma.user.update({ where: { id }, data: { role: 'ADMIN' } })
  t.equal((await lookUp(id))?.role, 'ADMIN')
  t.equal(queries.length, 2)
})

t.test('a hundred at most go into one query', async (t) => {
  const found = await Promise.all(users.map(({ id }) => lookUp(id)))
  t.strictSame(found.map(user => user?.id), users.map(({ id }) => id))
  t.strictSame(queries.map(ids => ids.length), [100, 100, 50])
})

t.test('a failed query fails only its own lookups', async (t) => {
  let failing = true
  const lookUp = createUserLookup({
    user: { findMany: async () => { if (failing) throw new Error('gone'); return users.slice(0, 1) } }
  } as unknown as PrismaClient)
  const failed = await Promise.allSettled([lookUp(1), lookUp(2)])
  t.strictSame(failed.map(({ status }) => status), ['rejected', 'rejected'])
  failing = false
  t.equal((await lookUp(users[0]!.id))?.username, 'user0')
})

t.end()
