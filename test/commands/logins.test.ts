// gatehouse logins as somebody on call runs it: on the audit log of a replica that is attacked, and without a log.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { accountKey } from '#src/auth/username.js'
import { createLoginTally } from '#src/logins/login-tally.js'
import { Clients } from '#src/limiter/limits/client.js'
import { createLoginReport, type LoginReport } from '#src/logins/login-report.js'
import { startApp } from '../fixtures/app.js'
import { command } from '../fixtures/command.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { run } from '../fixtures/process.js'
import { startRedis } from '../fixtures/redis.js'
import { newDatabase } from '../fixtures/shared-postgres.js'

const redis = await startRedis(t)
const directory = newDirectory(t, {
  'limits.json': JSON.stringify({
    policies: {
      login: { capacity: 1000, refill: 1, period: '1h' }, account: { capacity: 8, refill: 1, period: '1h' }
    }
  })
})
const AUDIT_LOG = join(directory, 'audit.log')
const environment = {
  REDIS_URL: redis.url, DATABASE_URL: await newDatabase(), LIMITS_FILE: join(directory, 'limits.json')
}
const { login, user } = await startApp(t, { ...environment, AUDIT_LOG })
const gatehouse = (...args: string[]) => command(['logins', ...args], environment)
const wrong = 'wrong horse battery'

/** What the attacks of this file left in the log. */
const pupils = await Promise.all(Array.from({ length: 8 }, () => user()))
const [guessed, target, neighbour] = [pupils[7]!, await user(), await user()]
const [spraying, home] = ['203.0.113.7', '198.51.100.9']
const botnet = Array.from({ length: 10 }, (_, i) => `192.0.2.${i + 1}`)

// A pupil who mistypes is not attacked.
for (const password of [wrong, wrong, neighbour.password]) await login(spraying, neighbour.username, password)
for (const { username } of pupils) await login(spraying, username, wrong)
for (let i = 0; i < 3; i++) await login(spraying, 'no-such-user', wrong)
await login(spraying, guessed.username, guessed.password)
await login(home, target.username, target.password)
for (const address of botnet) await login(address, target.username, wrong)
await login(home, target.username, target.password)

t.test('spraying shows its address, the accounts that it got into, and whom a block would meet', async (t) => {
  const { code, stdout, stderr } = await gatehouse(spraying, AUDIT_LOG, '--json')

  t.equal(code, 0, stderr)
  const report = JSON.parse(stdout) as LoginReport
  t.match(report.successes, [
    { account: neighbour.username, address: spraying, failed: 2, accounts: 9 },
    { account: guessed.username, address: spraying, failed: 1, accounts: 9 }
  ])
  t.match(report.addresses, [
    { address: spraying, accounts: 9, missed: 7, unknownNames: 3, users: 2, failed: 13, refused: 0, attacks: true }
  ])
  t.match(report.blocks, [{
    command: `gatehouse limits set login --network ${spraying}/32 --block`,
    stopped: 13,
    users: [neighbour.username, guessed.username]
  }])
  t.match(JSON.parse(stdout).now.addresses, { [spraying]: { policy: 'login', tokens: 985, capacity: 1000 } })
})

t.test('stuffing of one account shows its addresses, its lockouts and what is left of it', async (t) => {
  const { stdout } = await gatehouse(target.username, AUDIT_LOG, '--json')

  const { accounts, successes, blocks, now } = JSON.parse(stdout)
  t.match(accounts, [{
    account: target.username, addresses: 10, failed: 8, refused: 2, succeeded: 2, attacked: true, since: /Z$/
  }])
  t.match(successes, [{ account: target.username, address: home, failed: 0 }])
  t.match(blocks, [{ network: '192.0.2.0/28', stopped: 10, users: [] }])
  t.match(now, {
    accounts: { [target.username]: { tokens: 0, capacity: 8 } }, knownAddresses: { [target.username]: 1 }
  })
  t.equal(now.shares.length, 8, 'each address that failed has a share of its own')
})

t.test('a user or an address that is asked for shows each success: who, from where, how often, and when', async (t) => {
  const ofAddress = JSON.parse((await gatehouse(spraying, AUDIT_LOG, '--json')).stdout) as LoginReport
  const ofUser = JSON.parse((await gatehouse(target.username, AUDIT_LOG, '--json')).stdout) as LoginReport
  const { stdout } = await gatehouse(home, AUDIT_LOG)
  const all = JSON.parse((await gatehouse(AUDIT_LOG, '--json')).stdout) as LoginReport

  t.match(ofAddress.gotIn, [
    { account: guessed.username, address: spraying, succeeded: 1, first: /Z$/, last: /Z$/ },
    { account: neighbour.username, address: spraying, succeeded: 1 }
  ])
  t.match(ofUser.gotIn, [{ account: target.username, address: home, succeeded: 2 }])
  const [{ first, last }] = ofUser.gotIn as [LoginReport['gotIn'][number]]
  t.ok(first < last)
  const row = `${target.username} +${home} +2 +2\\d{3}-\\S+Z +2\\d{3}-\\S+Z`
  t.match(stdout, new RegExp(`^Who got in:\nACCOUNT .*\n${row}$`, 'm'))
  t.same(all.gotIn, [])
})

t.test('the text begins with what was reached and ends with what would stop it, in a wrapped log, too', async (t) => {
  const wrapped = readFileSync(AUDIT_LOG, 'utf8').replaceAll(/^/gm, 'api-1  | ')
  const file = join(directory, 'compose.log.gz')
  writeFileSync(file, gzipSync(wrapped))

  const { stdout } = await gatehouse(file, '--since', '1h')

  t.match(stdout, /^27 logins from \S+Z to \S+Z: 4 succeeded, 21 failed, 2 were refused by the account throttle\n/)
  const order = [
    'Succeeded during the attack:', 'Accounts that are attacked:', 'Addresses that attack:', 'Failed most:',
    'What accounts have left now:', 'The narrowest blocks, which nobody has set:'
  ]
  t.same(stdout.match(/^.*:$/gm), [...order.slice(0, 5), 'What addresses have left now:', order[5]])
  t.match(stdout, `2 users logged in from there and would be refused, too: ${neighbour.username}, ${guessed.username}`)
  t.match(stdout, /nobody has logged in from there\n$/)
})

t.test('without a log it says what it cannot know, and names the accounts that lack tokens', async (t) => {
  const { code, stdout } = await gatehouse()
  const later = await gatehouse(AUDIT_LOG, '--since', new Date(Date.now() + 60_000).toISOString())
  const quiet = await gatehouse('-', '--json')

  t.equal(code, 0)
  t.match(stdout, new RegExp(`^What accounts have left now:\nACCOUNT.*\n${target.username} +0 of 8 `))
  t.match(stdout, /Without a log it is not known who is tried, from where, since when, and with which result\./)
  t.match(later.stdout, /has no login since then: its last is of/)
  t.match(JSON.parse(quiet.stdout), { from: null, notes: [/^- has no login: name the audit log/] })
  t.match((await gatehouse('audit.lgo', AUDIT_LOG)).stdout, /no login of audit\.lgo, and no file of this name\.\n/)
  t.match(await gatehouse('-', '--since', 'yesterday'), { code: 2, stderr: /--since must be a time such as/ })
})

t.test('a log may have clients of another width, and names that are no new user\'s', async (t) => {
  const time = new Date().toISOString()
  const lines = Array.from({ length: 30 }, (_, i) => [
    { time, event: 'authn_login_fail', actor: `pupil.${i}`, client: '2001:db8:5::/56' },
    { time, event: 'authn_login_fail', actor: 'user:17', client: `192.0.2.${i}` }
  ]).flat().map(line => `${JSON.stringify(line)}\n`)

  const log = join(newDirectory(t, { 'audit.log': lines.join('') }), 'audit.log')
  // What is thrown between calls ends a process, so this is one of its own.
  const { code, stdout } = await run('cli', ['logins', log, '--json'], environment)

  t.equal(code, 0)
  t.match(JSON.parse(stdout).now, {
    addresses: { '2001:db8:5::/56': { policy: 'login', tokens: 1000 } },
    accounts: { [accountKey('user:17')]: { tokens: 8 } }
  })
})

t.test('a password that was guessed shows where only the second factor is missing or wrong', async (t) => {
  const line = (event: string, more = {}) =>
    JSON.stringify({ time: new Date().toISOString(), event, actor: 'head.master', client: '203.0.113.8', ...more })
  const guesses = Array<string>(20).fill(line('authn_login_fail'))
  for (const right of [line('authn_second_factor_required'), line('authn_login_fail', { secondFactor: 'wrong' })]) {
    const file = join(newDirectory(t, { 'audit.log': [...guesses, right].join('\n') }), 'audit.log')

    const { successes } = JSON.parse((await gatehouse(file, '--json')).stdout) as LoginReport

    t.match(successes, [{ account: 'head.master', address: '203.0.113.8', failed: 20 }])
  }
})

t.test('addresses of a network that try many accounts together attack, and those of a provider do not', async (t) => {
  const time = new Date().toISOString()
  const line = (event: string, actor: string, client: string): string => JSON.stringify({ time, event, actor, client })
  const lines = Array.from({ length: 60 }, (_, i) =>
    line('authn_login_fail', `pupil.${i % 20}`, `2001:db8:7:${i.toString(16)}::/64`))
  // Everyone mistypes once, and then five of six get in from elsewhere at the same provider.
  for (let i = 0; i < 150; i++) {
    lines.push(line('authn_login_fail', `parent.${i}`, `192.0.2.${i}`))
    if (i % 6 > 0) lines.push(line('authn_login_success', `parent.${i}`, `192.0.2.${i + 90}`))
  }
  const file = join(newDirectory(t, { 'audit.log': lines.join('\n') }), 'audit.log')

  const { stdout } = await gatehouse(file)

  t.notMatch(stdout, /attacked|Addresses that attack/, 'no account and no address is conspicuous by itself')
  t.match(stdout, /limits set login --network 2001:db8:7::\/58 --block\n +stops 60 of 60 failures; nobody has logged/)
})

t.test('in a log of any length the memory is bounded, and what was not kept is said', async (t) => {
  const tally = createLoginTally()
  for (let i = 0; i < 150_000; i++) {
    const address = `10.${i >> 16}.${i >> 8 & 255}.${i & 255}`
    tally.add({ atMs: i, result: 'failed', loginName: `user${i}`, address })
    if (i % 1000 === 0) tally.add({ atMs: i, result: 'failed', loginName: 'target', address })
  }

  const { accounts, failed, blocks, notes } = createLoginReport(tally, {}, new Clients())

  t.equal(failed, 150_150)
  t.match(accounts, [{ account: 'target', failed: 150, attacked: true }])
  t.same(blocks, [], 'no block stops what comes from everywhere')
  t.equal(tally.failures().size <= 100_000 && tally.accounts().size <= 50_000, true)
  t.match(notes, [/accounts with few failures were not kept\. A row may lack up to \d+ logins/, /addresses/, /at an/])
})

t.end()
