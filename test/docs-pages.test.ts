// Every command that a page prints is run as it stands, in the setting that the page describes, and prints what the
// page shows. Other blocks are marked `compose` (test/compose.ts) or `template`. The runbook has rehearsals,
// and docs/rosters.md commands/rosters.test.ts.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import bcrypt from 'bcrypt'
import t from 'tap'
import { readConfig } from '#src/config/load.js'
import { startApp } from './fixtures/app.js'
import { openBlocks } from './fixtures/blocks.js'
import { newDirectory } from './fixtures/lifetime.js'
import { root } from './fixtures/markdown.js'
import { startServer } from './fixtures/process.js'
import { cliEnvironment, startRedis } from './fixtures/redis.js'
import { newDatabase } from './fixtures/shared-postgres.js'
import { until } from './fixtures/until.js'

const directory = newDirectory(t)
const bin = join(directory, 'bin')
const { PATH, LD_LIBRARY_PATH = '' } = cliEnvironment()
const { url: redisUrl } = await startRedis(t, { args: ['--appendonly', 'yes', '--dir', directory] })
const redisPort = new URL(redisUrl).port

const OPS_TOKEN = 'Qm7xT2vKp9Lr4Zc8Wn3Hb6Yd1Gf5Js0A'

mkdirSync(bin)
const node = [process.execPath, ...process.execArgv].join(' ')
for (const [name, script] of Object.entries({
  gatehouse: `exec ${node} '${root}/dist/cli.js' "$@"`,
  npx: '[ "$1" = gatehouse ] && exec "$@"',
  npm: `exec ${node} '${root}/dist/server.js'`,
  'redis-cli': `exec env LD_LIBRARY_PATH='${LD_LIBRARY_PATH}' PATH='${PATH}' redis-cli -p ${redisPort} "$@"`
})) writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })

const { take, run, shows, left } = openBlocks(undefined, { cwd: directory, env: { PATH: `${bin}:${PATH}` } })

t.test('a service starts with the settings that a page puts in front of npm start', async () => {
  const starts = [
    ['docs/modules.md', 'MODULES=/api/student=http://student:8080 npm start'],
    ['docs/modules.md', 'VERIFY_PORT=9465']
  ] as const
  await Promise.all(starts.map(async ([page, part]) => {
    const DATA_DIR = newDirectory(t)
    const { commands } = take(page, part)
    await run(commands, {
      means: { VERIFY_PORT: 'VERIFY_PORT=0 GIVEN' },
      env: { DATABASE_URL: await newDatabase(), DATA_DIR, PORT: '0', OPS_PORT: '0' },
      until: /listening on/
    })
  }))
})

t.test('the commands of .env.example make a secret and a key that the service takes, and check files', async (t) => {
  const text = readFileSync(join(root, '.env.example'), 'utf8')
  const commands = new Set([...text.matchAll(/^#(?:.* with:)? ((?:openssl|gatehouse) .+)$/gm)].map(([, one]) => one!))
  const files = newDirectory(t, { limits: '{"policies":{}}', modules: '{"modules":{}}' })
  const ask = async (part: 'rand' | 'genpkey' | 'limits' | 'modules'): Promise<string> => {
    const command = [...commands].find(one => one.includes(part))!
    return await run(command, { means: { FILE: join(files, part) } })
  }

  t.equal(commands.size, 4)
  t.ok(readConfig({ JWT_SECRET: await ask('rand') }).jwtSecrets[0])
  t.ok(readConfig({ JWT_PRIVATE_KEY: await ask('genpkey') }).jwtPrivateKeys[0])
  await ask('limits')
  await ask('modules')
})

t.test('commands for operators, beside three replicas, Redis and PostgreSQL', async (t) => {
  const databaseUrl = await newDatabase()
  const shared = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, JWT_SECRET: 'x1Lr0Zk3TqB7vUe9sYw2mNc5aHf8dJg4' }
  await Promise.all([startApp(t, shared), startApp(t, shared)])
  const { url, opsUrl } = await startServer(t, { ...shared, DATA_DIR: directory, OPS_TOKEN, TRUST_PROXY: '127.0.0.1' })
  const env = { ...shared, OPS_TOKEN, BCRYPT_COST: '10', DATA_DIR: directory }
  const guess = async (headers: Record<string, string>): Promise<unknown> => await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'nobody', password: 'wrong' })
  })
  const commands = take('README.md', 'buckets top').commands.split('\n')
  const [doctor, top] = ['doctor', 'buckets top'].map(part => commands.find(one => one.includes(part))!)
  const hash = await bcrypt.hash('three quiet lamps', 4)
  const line = '203.0.113.9 - - [20/Nov/2026:10:00:00 +0000] "POST /api/auth/login HTTP/1.1" 401 80\n'
  for (const [name, content] of Object.entries({
    'pupils.csv': `username,email,passwordHash\npupil.one,one@school.example,${hash}\n`,
    'moodle.csv': `username,password,suspended\npupil.two,${hash},0\n`,
    'audit.log': '{"time":"2026-11-20T10:00:00.000Z","event":"authn_login_fail","client":"203.0.113.9"}\n',
    'access.log': line.repeat(20),
    'access.log.1': line.repeat(20),
    'access.log.2.gz': gzipSync(line),
    'limits.json': '{"policies":{"login":{"capacity":3,"refill":1,"period":"1m"}}}'
  })) writeFileSync(join(directory, name), content)

  await shows(t, 'docs/operations.md', 'users import pupils.csv', {
    env, means: { 'postgresql://...': await newDatabase() }
  })
  // Before the guesses below: they come from the trusted address itself, which doctor finds, and ends with 1.
  await until(async () => (await fetch(`${opsUrl}/readyz`)).ok, 'the replica has reached its database')
  await run(doctor!, { env })
  for (let i = 0; i < 6; i++) await Promise.all([guess({}), guess({ 'x-forwarded-for': '203.0.113.7' })])
  await shows(t, 'docs/operations.md', 'buckets peek login 127.0.0.1', { env })
  await shows(t, 'docs/reference.md', '$OPS_TOKEN', { env, means: { 'http://127.0.0.1:9464': opsUrl } })
  await shows(t, 'docs/reference.md', 'ACL SETUSER')
  await shows(t, 'docs/limits.md', '--why', { env })
  await shows(t, 'docs/limits.md', '--people 400', { env })
  await shows(t, 'docs/limits.md', 'simulate', { env })
  const guesses = setInterval(() => { guess({}) }, 300)
  await run(top!, { env, until: /127\.0\.0\.1/ }).finally(() => clearInterval(guesses))
  for (const command of commands) if (command !== doctor && command !== top) await run(command, { env })
})

t.test('an embedded service', async (t) => {
  const DATA_DIR = newDirectory(t)
  const settings = { DATA_DIR, JWT_SECRET: 'x1Lr0Zk3TqB7vUe9sYw2mNc5aHf8dJg4' }
  const env = { ...settings, BCRYPT_COST: '10' }
  const logIn = async (at: string): Promise<{ userId: number, token: string }> => {
    const reply = await fetch(`${at}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"username":"admin","password":"gatehouse-admin"}'
    })
    return (await reply.json() as { data: { userId: number, token: string } }).data
  }
  const embedded = await startServer(t, settings)
  const { userId, token } = await logIn(embedded.url)

  await t.test('answers as the README says', async (t) => {
    const means = { 'http://127.0.0.1:3000': embedded.url }
    await shows(t, 'README.md', '"password":"gatehouse-demo"', { means })
    await shows(t, 'README.md', 'for i in', { means })
  })

  await t.test('moves to PostgreSQL with every number, and a token of before is 401', async (t) => {
    await embedded.stop()
    const databaseUrl = await newDatabase()

    // From here on, the first account of the file has not the first number.
    await run('npx gatehouse users delete demo --yes', { env })
    await run(take('docs/operations.md', 'users import users.csv').commands, {
      env, means: { 'postgresql://gatehouse:PASSWORD@db.school.example/gatehouse': databaseUrl }
    })

    const { url } = await startServer(t, { ...settings, DATABASE_URL: databaseUrl })
    const me = await fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${token}` } })
    t.equal(me.status, 401)
    t.equal(userId, 2)
    t.equal((await logIn(url)).userId, userId)
  })
})

t.test('no block is left out', async (t) => {
  t.same(left(), [])
})

t.end()
