// gatehouse tokens revoke --all ends every token, session and link of everyone, also those that the database does not
// know: after a restore, or after a leak of a key.

import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import t from 'tap'
import { startApp, type TestApp } from '../fixtures/app.js'
import { command } from '../fixtures/command.js'
import { newKeyPair } from '../fixtures/keys.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { startRedis } from '../fixtures/redis.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { claimsOf, hmac, kidOfSecret, markOf } from '../fixtures/tokens.js'
import { ownTime, until } from '../fixtures/until.js'

const JWT_SECRET = 'Rv4-secret-of-both-replicas-tt82y1'
const JWT_PRIVATE_KEY = newKeyPair('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const AUDIT_LOG = join(newDirectory(t), 'audit.log')
writeFileSync(AUDIT_LOG, '')
const redis = await startRedis(t)
const environment = {
  DATABASE_URL: await newDatabase(), REDIS_URL: redis.url, JWT_SECRET, JWT_PRIVATE_KEY, AUDIT_LOG
}
const replicas = [await startApp(t, environment), await startApp(t, environment)] as const

const ask = ({ app, client }: TestApp, url: string, token: string) => app.inject({
  method: 'POST', url, remoteAddress: client(), headers: { authorization: `Bearer ${token}` }
})

/** A valid token gets 400, because of the missing body. The request needs no query. */
const bareAt = async (replica: TestApp, token: string): Promise<number> =>
  (await ask(replica, '/auth/UserCreation', token)).statusCode

const statusesAt = async (replica: TestApp, token: string): Promise<number[]> =>
  [(await ask(replica, '/api/auth/refresh', token)).statusCode, await bareAt(replica, token)]

t.test('revoke --all ends tokens of every key, sessions and links on every replica within a second', async (t) => {
  const [{ app, client, login, user }] = replicas
  const { id, username, password } = await user()
  const tokenOf = async (): Promise<string> => (await login(client(), username, password)).json().data.token
  const own = await tokenOf()
  // As of a backup that is older than they are: a higher version, and a user who is gone.
  const mark = await markOf(app.db)
  const unknown = [{ sub: String(id), tv: 7 }, { sub: '99999' }].map(claims => hmac(
    JWT_SECRET, { alg: 'HS256', typ: 'JWT', kid: kidOfSecret(JWT_SECRET) }, claimsOf({ db: mark, ...claims })))
  const link = randomBytes(32).toString('base64url')
  const resetTokenHash = createHash('sha256').update(link).digest('hex')
  await app.db.user.update({
    where: { id }, data: { resetTokenHash, resetTokenExpiresAt: new Date(Date.now() + 600_000) }
  })
  for (const replica of replicas) {
    t.same(await statusesAt(replica, own), [200, 400])
    for (const token of unknown) t.equal(await bareAt(replica, token), 400)
  }

  const asked = await command(['tokens', 'revoke', '--all'], environment)
  t.match(asked, { code: 2, stderr: /ends every token, session and link of 1 user: repeat it with --yes/ })
  t.same(await statusesAt(replicas[1], own), [200, 400], 'nothing was revoked')
  const done = await command(['tokens', 'revoke', '--all', '--yes'], environment)
  t.match(done, { code: 0, stdout: /^Every token and link of 1 user is refused within a second/ })
  const revokedMs = ownTime()
  for (const replica of replicas) {
    await until(async () => await bareAt(replica, own) === 401)
    t.ok(ownTime() - revokedMs < 1000)
    for (const token of [own, ...unknown]) t.same(await statusesAt(replica, token), [401, 401])
  }

  const reset = { token: link, newPassword: 'another horse battery' }
  t.equal((await app.inject({ method: 'POST', url: '/auth/resetPassword', payload: reset })).statusCode, 400)
  t.same(await statusesAt(await startApp(t, environment), own), [401, 401], 'a replica that starts later knows it')
  await until(async () => await bareAt(replicas[1], await tokenOf()) === 400, 'a new login holds')
  const events = readFileSync(AUDIT_LOG, 'utf8').trimEnd().split('\n').map(line => JSON.parse(line) as object)
  t.match(events.filter(event => 'users' in event), [{ event: 'authn_token_revoked', users: 1, actor: /@/ }])
})

t.test('revoke --all has a minute behind a pooler, too, where the role ends statements early', async (t) => {
  const DATABASE_URL = await newDatabase()
  const owner = new pg.Client(DATABASE_URL)
  await owner.connect()
  t.after(() => owner.end())
  await owner.query(`
    INSERT INTO users (username, user_type, role) VALUES ('asha', 'STUDENT', 'USER');
    CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.7); RETURN NULL; END';
    CREATE TRIGGER wait BEFORE UPDATE ON users EXECUTE FUNCTION wait();
    ALTER DATABASE ${new URL(DATABASE_URL).pathname.slice(1)} SET statement_timeout = '500ms'`)

  t.match(await command(['tokens', 'revoke', '--all', '--yes'], { DATABASE_URL: `${DATABASE_URL}?pgbouncer=true` }), {
    code: 0, stdout: /link of 1 user is refused/
  })
})

t.test('revoke takes a user or --all', async (t) => {
  t.match(await command(['tokens', 'revoke'], environment), { code: 2, stderr: /takes USER, or --all/ })
  t.match(await command(['tokens', 'revoke', 'asha', '--all'], environment), { code: 2, stderr: /takes no --all/ })
})

t.end()
