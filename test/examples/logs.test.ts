// The programs that read logs take what a replica writes, as the files in examples/logs say.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { cpSync, mkdirSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { migratedDatabase } from '../fixtures/embedded-database.js'
import { end, newDirectory } from '../fixtures/lifetime.js'
import { root } from '../fixtures/markdown.js'
import { patient } from '../fixtures/timeouts.js'
import { until } from '../fixtures/until.js'

const directory = newDirectory(t)
const inDirectory = (name: string): string => join(directory, name)
const [log, audit, limits] = ['gatehouse.log', 'audit.log', 'limits.json'].map(inDirectory) as [string, string, string]

type Line = Record<string, unknown>
const read = (file: string): string => readFileSync(file, 'utf8')
const linesOf = (text: string): Line[] => text.trimEnd().split('\n').map(line => JSON.parse(line) as Line)

/** A file of examples/logs, for the logs and the other things of this test. */
const example = (name: string, other: Record<string, string> = {}): string =>
  Object.entries({ '/var/log/gatehouse': directory, ...other }).reduce(
    (text, [from, to]) => text.replaceAll(from, to), read(join(root, 'examples/logs', name)))

const skipWithout = (program: string, ...args: string[]): string | false =>
  spawnSync(program, args).status !== 0 && `there is no ${program} on PATH: its example was not run`
const skips = {
  goaccess: skipWithout('goaccess', '--version'),
  rsyslog: skipWithout('rsyslogd', '-v'),
  fail2ban: skipWithout('fail2ban-server', '--version'),
  logrotate: skipWithout('logrotate', '--version')
}
const limitsWith = (policies: object): void => writeFileSync(limits, JSON.stringify({ policies }))

let url = ''

async function startReplica (): Promise<ChildProcess> {
  cpSync(await migratedDatabase(), inDirectory('postgres'), { recursive: true })
  limitsWith({ login: { capacity: 20, refill: 1, period: '1h' }, account: { capacity: 1, refill: 1, period: '1h' } })
  const replica = spawn(process.execPath, [join(root, 'dist/server.js')], {
    stdio: ['ignore', openSync(log, 'a'), 'inherit'],
    env: {
      PATH: process.env.PATH,
      ...patient,
      PORT: '0',
      OPS_PORT: '0',
      BCRYPT_COST: '10',
      DATA_DIR: directory,
      TRUST_PROXY: '127.0.0.1',
      LIMITS_FILE: limits,
      AUDIT_LOG: audit
    }
  })
  t.after(() => end(replica))
  await until(() => {
    url = /listening on (http:[^"]*)/.exec(read(log))?.[1] ?? ''
    return url !== ''
  }, 'the replica listens')
  return replica
}

/** Logs in behind the proxy. @returns the status, or undefined where the client does not wait for it */
async function logIn (client: string, username: string, { waits = true } = {}): Promise<number | undefined> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': client }
  return await new Promise((resolve, reject) => {
    const login = request(`${url}/api/auth/login`, { method: 'POST', headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode))
    })
    login.on('error', error => waits ? reject(error) : resolve(undefined))
    login.end(JSON.stringify({ username, password: 'a wrong one' }), () => {
      if (!waits) setImmediate(() => login.destroy())
    })
  })
}

/** Fewer than in the file, because a password that is wrong costs a hash. */
const tries = 3
const retries = { 'maxretry = 10': `maxretry = ${tries}` }
const failures = async (client: string, username: string, options = {}): Promise<unknown> =>
  await Promise.all(Array.from({ length: tries }, async (_, i) =>
    await logIn(client.replace('#', String(i)), username.replace('#', String(i)), options)))

if (Object.values(skips).includes(false)) {
  const replica = await startReplica()
  // Who shares an address with others, and the owner of an account that somebody else attacks.
  await failures('10.1.2.3', 'a#')
  await logIn('203.0.113.4', 'demo')
  await failures('203.0.113.5', 'demo')
  await failures('203.0.113.3', 'b#', { waits: false })
  await failures('203.0.113.1', 'c#')
  await failures('2001:db8:0:1::#', 'd#')
  await until(() => linesOf(read(audit)).length === 5 * tries + 1, 'every failure is in the audit log')
  // A line over 8k.
  limitsWith(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`misspelt-${i}`, {}])))
  replica.kill('SIGHUP')
  await until(() => read(log).includes('settings_not_reloaded'), 'the faults are logged')
}

t.test('goaccess counts each request by its status, with IPv6 clients and those who left', {
  skip: skips.goaccess
}, async (t) => {
  writeFileSync(inDirectory('goaccess.conf'), example('goaccess.conf'))
  const report = inDirectory('report.json')
  const args = ['--config-file', inDirectory('goaccess.conf'), log, '--no-progress', '-o', report]
  const { status, stderr } = spawnSync('goaccess', args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] })
  t.equal(status, 0, stderr)

  interface Count { data: string, hits: { count: number }, items: Count[] }
  const { status_codes: codes, hosts } = JSON.parse(read(report)) as Record<string, { data: Count[] }>
  const counted = codes!.data.flatMap(({ items }) => items).map(({ data, hits }) => [data.slice(0, 3), hits.count])
  const requests = linesOf(read(log)).filter(({ msg }) => msg === 'request')
  const expected: Record<string, number> = {}
  for (const { status } of requests) expected[String(status)] = (expected[String(status)] ?? 0) + 1
  t.same(Object.fromEntries(counted), expected)
  t.equal(expected[499], tries)
  t.same(hosts!.data.map(({ data }) => data).sort(), [...new Set(requests.map(({ client }) => client))].sort())
})

t.test('rsyslog passes on whole lines, with their own time and severity', { skip: skips.rsyslog }, async (t) => {
  let received = ''
  const server = createServer(socket => socket.on('data', (chunk) => { received += chunk.toString() }))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const configuration = example('rsyslog.conf', { 'logs.school.example': '127.0.0.1', 'port="514"': `port="${port}"` })
  writeFileSync(inDirectory('rsyslog.conf'), `$WorkDirectory ${directory}\n${configuration}`)
  const written = read(log)

  const args = ['-n', '-f', inDirectory('rsyslog.conf'), '-i', inDirectory('rsyslog.pid')]
  const rsyslog = spawn('rsyslogd', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  t.after(() => end(rsyslog))
  await until(() => received.includes('settings_not_reloaded') && received.endsWith('\n'))

  const messages = received.trimEnd().split('\n')
    .map(line => /^<(\d+)>1 (\S+) \S+ gatehouse - - - (.*)$/.exec(line)?.slice(1) ?? [line])
  t.equal(messages.map(([, , line]) => `${line}\n`).join(''), written)
  t.ok(written.split('\n').some(line => line.length > 8192))
  const severities: Record<string, string> = { 30: '134', 40: '132', 50: '131' }
  const expected = linesOf(written).map(({ level, time }) => [severities[String(level)], time])
  t.same(messages.map(([priority, time]) => [priority, time]), expected)
})

t.test('fail2ban bans who guesses, and nobody who shares an address or whose account is attacked', {
  skip: skips.fail2ban
}, async (t) => {
  const home = newDirectory(t)
  const inHome = (name: string): string => join(home, name)
  for (const name of ['filter.d', 'action.d']) mkdirSync(inHome(name))
  writeFileSync(inHome('filter.d/gatehouse.conf'), example('fail2ban-filter.conf'))
  writeFileSync(inHome('action.d/none.conf'), '[Definition]\n')
  writeFileSync(inHome('jail.conf'), `${example('fail2ban-jail.conf', retries)}\naction = none\n`)
  writeFileSync(inHome('fail2ban.conf'), `[Definition]\nloglevel = INFO\nlogtarget = ${inHome('log')}\n` +
    `syslogsocket = auto\nsocket = ${inHome('socket')}\npidfile = ${inHome('pid')}\n` +
    'dbfile = None\ndbpurgeage = 1d\nallowipv6 = yes\n')
  const args = ['-c', home, '-s', inHome('socket'), '-p', inHome('pid')]
  const server = spawn('fail2ban-server', [...args, '-f', 'start'], { stdio: ['ignore', 'ignore', 'inherit'] })
  t.after(() => end(server, 'SIGTERM'))

  const guessers = ['203.0.113.1', '2001:db8:0:1::/64', '203.0.113.3']
  await until(() => guessers.every(client => read(inHome('log')).includes(`Ban ${client}`)))
  const banned = [...read(inHome('log')).matchAll(/\] Ban (\S+)/g)].map(([, client]) => client)
  t.same(banned.sort(), guessers.sort())
})

t.test('logrotate loses no line of either file, and none has a hole', { skip: skips.logrotate }, async (t) => {
  writeFileSync(inDirectory('logrotate'), example('logrotate'), { mode: 0o644 })
  const before = [read(log), read(audit)]
  const { status, stderr } = spawnSync(
    'logrotate', ['--force', '--state', inDirectory('state'), inDirectory('logrotate')], { encoding: 'utf8' })
  t.equal(status, 0, stderr)

  t.equal(await logIn('203.0.113.9', 'e'), 401)
  // A replica writes the audit log's line after the log's.
  await until(() => [log, audit].every(file => read(file).includes('203.0.113.9')))

  t.same([read(`${log}.1`), read(`${audit}.1`)], before)
  for (const file of [log, audit]) t.match(linesOf(read(file)), [{ client: '203.0.113.9', event: 'authn_login_fail' }])
  t.equal(statSync(audit).mode & 0o777, 0o600)
})

t.end()
