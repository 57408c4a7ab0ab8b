// An address is known from a login to 30 days after the last one, unless the account changes in a way after which an
// intruder must not stay known.

import t from 'tap'
import * as accountChanges from '#src/auth/account-changes.js'
import { setPassword } from '#src/auth/password-changes.js'
import { originOfLogin, recordLogin } from '#src/auth/login-records.js'
import { newUsername, startApp } from '../fixtures/app.js'
import { newDatabase } from '../fixtures/shared-postgres.js'

const DATABASE_URL = await newDatabase()
const { app, user } = await startApp(t, { DATABASE_URL })
const { db } = app
const found = (username: string) => db.user.findUniqueOrThrow({ where: { username } })
const here = '203.0.113.7'
const isKnown = async (username: string, client: string) => (await originOfLogin(db, username, client)).known

t.test('an address is known for 30 days after the last login', async (t) => {
  const { id, username } = await user()
  t.equal(await isKnown(username, here), false)
  await recordLogin(db, { id, tokenVersion: 0 }, here)
  t.equal(await isKnown(username, here), true)
  t.equal(await isKnown(username, '203.0.113.8'), false, 'another address')
  t.equal(await isKnown((await user()).username, here), false, 'another user')
  t.equal(await isKnown(newUsername(), here), false, 'nobody')

  const age = (days: number) => db.$executeRaw`
    UPDATE known_addresses SET last_login_at = last_login_at - make_interval(secs => ${days * 86_400}::float8)
      WHERE user_id = ${id}`
  await age(29.9)
  t.equal(await isKnown(username, here), true)
  await age(0.2)
  t.equal(await isKnown(username, here), false)
  await recordLogin(db, { id, tokenVersion: 0 }, here)
  t.equal(await isKnown(username, here), true, 'known again after a login')
})

t.test('a user has at most 20 known addresses, and the one with the oldest login is removed first', async (t) => {
  const { id, username } = await user()
  for (let i = 0; i < 25; i++) {
    await recordLogin(db, { id, tokenVersion: 0 }, `203.0.113.${i}`)
    await db.$executeRaw`UPDATE known_addresses SET last_login_at = last_login_at - interval '1 minute' WHERE
      user_id = ${id}`
  }
  t.equal(await db.knownAddress.count({ where: { userId: id } }), 20)
  for (let i = 0; i < 25; i++) t.equal(await isKnown(username, `203.0.113.${i}`), i >= 5)
})

t.test('expired rows are removed, whoever they belong to', async (t) => {
  const [gone, { id }] = [await user(), await user()]
  await recordLogin(db, { id: gone.id, tokenVersion: 0 }, here)
  await db.$executeRaw`UPDATE known_addresses SET last_login_at = now() - interval '31 days' WHERE user_id = ${gone.id}`
  await recordLogin(db, { id, tokenVersion: 0 }, here)
  t.equal(await db.knownAddress.count({ where: { userId: gone.id } }), 0)
})

t.test('a new password, a disable and a revocation forget every address; a new role does not', async (t) => {
  const changes: Record<string, (username: string) => Promise<unknown>> = {
    setPassword: username => setPassword(db, username, 'hash'),
    disable: username => accountChanges.disable(db, username),
    revokeTokens: username => accountChanges.revokeTokens(db, username)
  }
  for (const [name, change] of Object.entries(changes)) {
    const { id, username } = await user()
    await recordLogin(db, { id, tokenVersion: 0 }, here)
    t.ok(await change(username))
    t.equal(await isKnown(username, here), false, name)
  }
  const { id, username } = await user()
  await recordLogin(db, { id, tokenVersion: 0 }, here)
  t.equal(await accountChanges.setRole(db, username, 'TEACHER'), true)
  t.equal(await accountChanges.setRole(db, username, 'HEAD'), true)
  t.equal(await isKnown(username, here), true, 'setRole')
  t.equal((await found(username)).tokenVersion, 2)
  t.equal(await accountChanges.setRole(db, newUsername(), 'HEAD'), false, 'a user that there is not')
})

t.test('a login with the old password that ends after the change does not make its address known', async (t) => {
  const { username } = await user()
  const readWithThePassword = await found(username)
  await setPassword(db, username, 'hash')
  await recordLogin(db, readWithThePassword, here)
  t.equal(await isKnown(username, here), false)
})

t.test('such a login does not forget an address that the change has made known', async (t) => {
  const { id, username } = await user()
  const readWithThePassword = await found(username)
  await recordLogin(db, readWithThePassword, here)
  await setPassword(db, username, 'hash')
  await recordLogin(db, { id, tokenVersion: 1 }, here)
  await recordLogin(db, readWithThePassword, here)
  t.equal(await isKnown(username, here), true)
})

t.test('simultaneous logins of one user are all remembered', async (t) => {
  const { id, username } = await user()
  const clients = Array.from({ length: 15 }, (_, i) => `198.51.100.${i}`)
  await Promise.all(clients.map(client => recordLogin(db, { id, tokenVersion: 0 }, client)))
  for (const client of clients) t.equal(await isKnown(username, client), true)
})

t.end()
