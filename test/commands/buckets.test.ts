// Who is limited, and why: what operators see of the buckets and takes of all replicas, and what they can reset.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { accountKey } from '#src/auth/username.js'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { newClient, startApp, type TestApp } from '../fixtures/app.js'
import { lackedIn, valueOf, writeBucket } from '../fixtures/buckets.js'
import { command } from '../fixtures/command.js'
import { startCommand, type Finished, type RunningCommand } from '../fixtures/process.js'
import { startRedis } from '../fixtures/redis.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { until } from '../fixtures/until.js'

const redis = await startRedis(t)
const { client: inRedis } = redis
const environment = { REDIS_URL: redis.url }
/** No replica reports there. */
const empty = await startRedis(t)
const gatehouse = (...args: string[]): Promise<Finished> => command(['buckets', ...args], environment)

const bucket = (name: string, lacked: number): Promise<void> => writeBucket(inRedis, name, lacked)

const linesOf = ({ output }: RunningCommand): Array<Record<string, unknown>> =>
  output.stdout.split('\n').slice(0, -1).map(line => JSON.parse(line))

const shared = { ...environment, DATABASE_URL: await newDatabase(), JWT_SECRET: 'Fj3kd0-asd92kLsdk3jf92-akd83jfkal9' }
const [one, other] = [await startApp(t, shared), await startApp(t, shared)]
const replicas = [one, other]

/** A login that takes a token and is then found to be invalid. @returns the status: 400, or 429 */
async function takeAt ({ app }: TestApp, client: string): Promise<number> {
  return (await app.inject({
    method: 'POST', url: '/api/auth/login', remoteAddress: client, payload: {}
  })).statusCode
}

const publishes = async (): Promise<number> =>
  Number(/cmdstat_publish:calls=(\d+)/.exec(await inRedis.info('commandstats'))?.[1] ?? 0)

/** Takes at both replicas that nobody hears of. Each second, a replica sends something to itself. */
const takesInSilence = (client: string): Promise<number> => until(async () => {
  const before = await publishes()
  for (const replica of replicas) await takeAt(replica, client)
  return await publishes() === before
})

t.test('a watch sees the takes of one client at all replicas, and nothing is sent while nobody watches', async (t) => {
  const [client, stranger] = [newClient(), newClient()]
  await takesInSilence(stranger)

  const json = startCommand(t, ['buckets', 'top', '--follow', client, '--policy', 'login', '--json'], environment)
  await until(() => replicas.every(({ app }) => app.buckets.feed.report))
  const statuses = []
  const startedMs = performance.now()
  for (const replica of [one, one, other, other, one, other, other]) statuses.push(await takeAt(replica, client))
  const tookMs = performance.now() - startedMs
  await takeAt(other, stranger)
  await other.app.inject({ url: '/api/nowhere', remoteAddress: client })
  t.same(statuses, [400, 400, 400, 400, 400, 429, 429])

  await until(() => linesOf(json).length === 7)
  // Takes of two replicas may have the same time.
  const takes = linesOf(json).sort((a, b) => Number(b.remaining) - Number(a.remaining) ||
    Number(b.allowed) - Number(a.allowed) || Number(a.cached) - Number(b.cached))
  t.same(takes.map(({ allowed, cached, remaining }) => [allowed, cached, remaining]), [
    [true, false, 4], [true, false, 3], [true, false, 2], [true, false, 1], [true, false, 0],
    [false, false, 0], [false, true, 0]
  ])
  t.equal(new Set(takes.map(({ replica }) => replica)).size, 2)
  for (const take of takes) {
    t.match(take, { client, policy: 'login', owner: client, method: 'POST', route: '/api/auth/login', at: /Z$/ })
  }
  // The first take began the minute. Redis and the replica each round.
  const waitMs = Number(takes[6]!.waitMs)
  t.ok(waitMs >= 60_000 - tookMs - 2 && waitMs <= 60_000, `${waitMs} ms, ${tookMs} ms after the first take`)
  t.equal(await json.stop(), 0, 'Ctrl-C ends it well')
  t.equal(json.output.stderr, '')

  await until(() => replicas.every(({ app }) => !app.buckets.feed.report))
  await takesInSilence(client)
})

t.test('top shows the most refused clients of all replicas first, each second', async (t) => {
  const [much, little, alone] = [newClient(), newClient(), newClient()]
  const json = startCommand(t, ['buckets', 'top', '--json', '--policy', 'login'], environment)
  await until(() => replicas.every(({ app }) => app.buckets.feed.report))
  for (let i = 0; i < 13; i++) for (const replica of replicas) await takeAt(replica, much)
  for (let i = 0; i < 9; i++) await takeAt(one, little)
  await takeAt(one, alone)
  const expected = [
    { policy: 'login', client: much, count: 21, outcome: 'refused' },
    { policy: 'login', client: little, count: 4, outcome: 'refused' }
  ]
  await until(() => JSON.stringify(linesOf(json).at(-1)!.refused) === JSON.stringify(expected))
  t.match(linesOf(json).at(-1), { replicas: 2, seconds: 10, more: 0, at: /Z$/ })
  t.equal(await json.stop('SIGTERM'), 0)
})

t.test('top shows blocked and throttled clients, and one outcome alone', async (t) => {
  const blocked = '192.0.2.77'
  await command(['limits', 'set', 'login', '--network', blocked, '--block'], environment)
  await bucket(`account:${accountKey('nobody')}`, 100)
  const tops = ['blocked', 'throttled'].map(outcome =>
    startCommand(t, ['buckets', 'top', '--json', '--outcome', outcome], environment))
  await until(() => replicas.every(({ app }) => app.buckets.feed.report))

  const follow = ['buckets', 'top', '--follow', blocked, '--outcome', 'blocked', '--json']
  const followed = startCommand(t, follow, environment)

  const seen = async (): Promise<unknown[]> => {
    await takeAt(one, blocked)
    await one.app.inject({ url: '/api/nowhere', remoteAddress: blocked })
    await one.login(newClient(), 'nobody', 'wrong password')
    return tops.map(top => (linesOf(top).at(-1)?.refused as object[] | undefined)?.[0])
  }

  const [ofBlock, ofThrottle] = [
    { policy: 'login', client: blocked, outcome: 'blocked' }, { policy: 'account', outcome: 'throttled' }
  ]
  await until(async () => (await seen()).every(Boolean))
  t.match(await seen(), [ofBlock, ofThrottle])
  await until(async () => await seen() && linesOf(followed).length > 0)
  t.same(new Set(linesOf(followed).map(({ policy }) => policy)), new Set(['login']), 'general admits it')
  t.match(await gatehouse('top', '--outcome', 'some'), { code: 2, stderr: /one of \(refused\|blocked\|throttled\)/ })
})

t.test('list and top name the accounts that exist, beside their hashes in JSON', async (t) => {
  const { username } = await one.user()
  const hash = accountKey(username)
  const withUsers = { ...environment, DATABASE_URL: shared.DATABASE_URL }
  await bucket(`account:${hash}`, 100)
  await bucket(`account-address:${accountKey('no-such-user')}@100.64.0.61`, 9)
  await bucket(`account-address:${hash}@100.64.0.61`, 9)
  const list = (policy: string, ...more: string[]): Promise<Finished> =>
    command(['buckets', 'list', '--policy', policy, ...more], withUsers)
  const top = startCommand(t, ['buckets', 'top', '--json', '--outcome', 'throttled'], withUsers)
  await until(() => replicas.every(({ app }) => app.buckets.feed.report))

  const byName = (await list('account')).stdout
  const atAddress = (await list('account-address')).stdout
  const asJson = JSON.parse((await list('account', '--json')).stdout) as object[]
  const away = await command(['buckets', 'list', '--policy', 'account'], {
    ...environment, DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none'
  })
  const named = async (): Promise<boolean> => {
    await one.login(newClient(), username, 'wrong password')
    const refused = linesOf(top).flatMap(({ refused }) => refused as Array<Record<string, unknown>>)
    return refused.some(one => one.client === hash && one.username === username)
  }

  t.match(byName, new RegExp(`^account +${username} +0 +100 `, 'm'))
  t.match(atAddress, new RegExp(`^account-address +${username}@100\\.64\\.0\\.61 +1 +10 `, 'm'))
  t.match(atAddress, new RegExp(`^account-address +${accountKey('no-such-user')}@100`, 'm'))
  t.match(asJson.filter(view => (view as { client: string }).client === hash), [{ client: hash, username, tokens: 0 }])
  t.match(away, { code: 0, stdout: hash, stderr: /^gatehouse: accounts are shown by their hashes: / })
  await until(named)
})

t.test('a user is named as such, where a policy counts by user and where failed logins are counted', async (t) => {
  const { id, username } = await one.user()
  const withUsers = { ...environment, DATABASE_URL: shared.DATABASE_URL }
  const watch = startCommand(t, ['buckets', 'top', '--follow', username], withUsers)
  await bucket(`session:user:${id}`, 3)

  const peeked = await command(['buckets', 'peek', 'session', username], withUsers)
  const account = await gatehouse('peek', 'account', username)
  await until(async () => {
    await one.login(newClient(), username, 'wrong password')
    return new RegExp(` account-address +${username}@\\S+ +admitted `).test(watch.output.stdout)
  })

  t.match(peeked, { code: 0, stdout: new RegExp(`session +${username} \\(user:${id}\\) +7 `) })
  t.match(account.stdout, new RegExp(`account +${username} +100 `))
  t.match(await command(['buckets', 'peek', 'general', 'nobody'], withUsers), { code: 3, stderr: /is no user nobody/ })
  t.match(await gatehouse('peek', 'session', username), { code: 2, stderr: /DATABASE_URL is not set, which knows/ })
  t.equal(await watch.stop(), 0)
})

t.test('of a hash and a name, what exists wins; user: and address: say which is meant', async (t) => {
  const name = 'c0ffee'.padEnd(32, '7')
  const [hashOfName, other] = [accountKey(name), 'd'.repeat(32)]
  const tokens = async (...named: string[]): Promise<unknown> =>
    (JSON.parse((await gatehouse('peek', ...named, '--json')).stdout) as { tokens: number }).tokens
  await bucket(`account:${hashOfName}`, 40)
  await bucket(`account-address:${hashOfName}@100.64.0.62`, 4)
  await bucket(`account:${other}`, 30)
  t.equal(await tokens('account', name), 60, 'nobody has failed under this hash')
  t.equal(await tokens('account-address', `${name}@100.64.0.62`), 6)
  t.equal(await tokens('account', other), 70, 'as a list shows it')
  t.equal(await tokens('account', `user:${other}`), 100)

  const address = '100.64.0.63'
  const { id } = await one.app.db.user.create({
    data: { username: address, role: 'USER', userType: 'STUDENT' }, select: { id: true }
  })
  await bucket(`session:user:${id}`, 3)
  await bucket(`account:${accountKey(address)}`, 20)
  const named = (text: string) =>
    command(['buckets', 'peek', 'session', text], { ...environment, DATABASE_URL: shared.DATABASE_URL })
  t.match((await named(`user:${address}`)).stdout, new RegExp(`\\(user:${id}\\) +7 `))
  t.match((await named(`address:${address}`)).stdout, new RegExp(`session +${address} +10 `))
  for (const nobody of ['user:17', 'user:', `address:${address}`]) {
    t.match(await gatehouse('peek', 'account', nobody), { code: 2, stderr: /is not a username/ }, nobody)
  }
})

t.test('a list is of a network, of clients without a token, of the emptiest, or all', async (t) => {
  // No bucket may get a token before the last command.
  const slowly = (name: string, lacked: number): Promise<void> =>
    writeBucket(inRedis, name, lacked, { by: { refill: 1, periodMs: 3_600_000 } })
  await Promise.all([
    slowly('login:203.0.113.9', 5), slowly('login:203.0.113.200', 4), slowly('general:203.0.114.1', 100),
    slowly('login:2001:db8:1:2::/64', 5), slowly('login:2001:db8:1:ff::/64', 4), slowly('login:2001:db8:2::/64', 4),
    slowly(`account-address:${'a'.repeat(32)}@203.0.113.9`, 10)
  ])
  const clients = async (...args: string[]): Promise<string[]> => {
    const { code, stdout, stderr } = await gatehouse('list', '--json', ...args)
    t.equal(code, 0, stderr)
    return JSON.parse(stdout).map((view: { client: string }) => view.client)
  }
  const ofAccount = `${'a'.repeat(32)}@203.0.113.9`
  t.same(await clients('--client', '203.0.113.0/24'), [ofAccount, '203.0.113.9', '203.0.113.200'])
  t.same(await clients('--client', '203.0.113.9/32', '--policy', 'login'), ['203.0.113.9'])
  t.same(await clients('--client', '203.0.113.9'), [ofAccount, '203.0.113.9'])
  t.same(await clients('--client', '203.0.112.0/22', '--limited', '--policy', 'general'), ['203.0.114.1'])
  t.same(await clients('--client', '2001:db8:1::/48'), ['2001:db8:1:2::/64', '2001:db8:1:ff::/64'])
  t.same(await clients('--client', '2001:db8:1::/48', '--limited'), ['2001:db8:1:2::/64'])
  t.same(await clients('--client', '2001:db8::/32', '--limit', '1'), ['2001:db8:1:2::/64'])
  t.same(await clients('--client', '198.51.100.0/24'), [])
  const cut = await gatehouse('list', '--client', '2001:db8::/32', '--limit', '2')
  t.match(cut, { stdout: /^POLICY(.*\n){3}$/, stderr: /^gatehouse: the emptiest 2 of 3 buckets\. --limit N/ })
  t.match(await gatehouse('list', '--limited', '--client', '198.51.100.0/24'), {
    stdout: 'No bucket is without a token.\n', stderr: /^$/
  })
  t.match(await gatehouse('list', '--client', '198.51.100.1'), {
    stderr: /^gatehouse: users of this address have .*: gatehouse buckets top --follow 198\.51\.100\.1\n$/
  })
  t.match(await gatehouse('list', '--client', '198.51.100.1', '--policy', 'login'), { stderr: /^$/ })
  for (const [args, reason] of [
    [['--client', '203.0.113.7/24'], /write 203\.0\.113\.0\/24 for the network/],
    [['--client', '2001:db8::/96'], /the buckets of an IPv6 address are those of its \/64/],
    [['--client', 'somewhere/9'], /is not a network/],
    [['--limit', '0'], /limit: must be a whole number from 1 to 100000/],
    [['--limit', '1e3'], /limit: must be a whole number from 1 to 100000/]
  ] as const) {
    t.match(await gatehouse('list', ...args), { code: 2, stdout: '', stderr: reason }, args.join(' '))
  }
})

t.test('a reset by filter says how many there are, and does it on all replicas with --yes only', async (t) => {
  const limited = ['10.77.0.1', '10.77.0.2']
  for (const client of limited) for (let i = 0; i < 7; i++) await takeAt(i % 2 ? one : other, client)
  await bucket('login:10.77.0.3', 4)
  await bucket('login:10.78.0.1', 5)
  const filter = ['--policy', 'login', '--client', '10.77.0.0/16']
  t.match(await gatehouse('reset', ...filter), {
    code: 2, stdout: '', stderr: 'gatehouse: this resets 3 buckets: repeat it with --yes\n'
  })
  t.equal(await takeAt(one, '10.77.0.1'), 429)

  t.match(await gatehouse('reset', ...filter, '--limited', '--yes'), { code: 0, stdout: '2 buckets full again.\n' })
  await until(async () => await takeAt(one, '10.77.0.1') === 400 && await takeAt(other, '10.77.0.2') === 400)
  t.equal(lackedIn(await inRedis.get('gatehouse:bucket:login:10.77.0.3')), 4, 'it had tokens')
  t.match(await gatehouse('reset', ...filter, '--yes', '--json'), { code: 0, stdout: '{\n  "reset": 3\n}\n' })
  t.match(await gatehouse('reset', ...filter, '--yes'), { code: 3, stderr: 'gatehouse: there is no such bucket\n' })
  t.equal(lackedIn(await inRedis.get('gatehouse:bucket:login:10.78.0.1')), 5)

  const [account, another] = ['a'.repeat(32), 'c'.repeat(32)]
  await bucket(`account:${account}`, 3)
  await bucket(`account-address:${account}@10.79.0.1`, 3)
  await bucket(`account-address:${another}@10.79.0.1`, 3)
  t.match(await gatehouse('reset', '--policy', 'account', '--yes'), { code: 0, stdout: /full again\.\n$/ })
  t.same(await inRedis.keys('*@10.79.0.1'), [`gatehouse:bucket:account-address:${another}@10.79.0.1`],
    'an account is reset with its failed logins from each address')
})

t.test('a watch that nobody answers says so, and one without Redis is exit code 1', async (t) => {
  const watch = startCommand(t, ['buckets', 'top', '--follow', '192.0.2.1'], { REDIS_URL: empty.url })
  t.match(await command(['buckets', 'top'], { REDIS_URL: 'redis://127.0.0.1:9', REDIS_TIMEOUT_MS: '100' }), {
    code: 1, stdout: '', stderr: /^gatehouse: Redis at 127\.0\.0\.1:9, from REDIS_URL, does not answer/
  })
  await until(() => /^gatehouse: no replica reports\. REDIS_URL must be/.test(watch.output.stderr))
  t.equal(await watch.stop(), 0)
})

t.test('a wrong password of Redis is a refusal, and no outage', async (t) => {
  const wrong = { REDIS_URL: `redis://nobody:not-the-password@127.0.0.1:${redis.port}` }
  t.match(await command(['buckets', 'peek', 'login', '192.0.2.1'], wrong), {
    code: 1, stderr: /^gatehouse: Redis at 127\.0\.0\.1:\d+, from REDIS_URL, refuses: WRONGPASS [^.]*\n$/
  })
})

t.test('without the right to publish, a watch and a reset say what is missing, and what goes on', async (t) => {
  await inRedis.call('ACL', 'SETUSER', 'mute', 'on', '>a-password-of-redis', '~*', '&*', '+@all', '-publish')
  const mute = { REDIS_URL: `redis://mute:a-password-of-redis@127.0.0.1:${redis.port}` }
  await bucket('login:10.80.0.1', 5)

  const [watched, reset] = await Promise.all([
    command(['buckets', 'top', '--follow', '10.80.0.1'], mute),
    command(['buckets', 'reset', 'login', '10.80.0.1'], mute)
  ])

  t.match(watched, { code: 1, stderr: /, from REDIS_URL, refuses: NOPERM .*Limits work as usual.*#redis-rights/ })
  t.match(reset, { code: 1, stderr: /'publish'.*is full in Redis, but replicas .*a minute more\. Grant the/ })
  t.notMatch(watched.stderr + reset.stderr, /by themselves|does not answer/)
  t.equal(await inRedis.exists('gatehouse:bucket:login:10.80.0.1'), 0)
})

t.test('in an outage the first line says that Redis does not decide, and whom to ask', async (t) => {
  const full = await startRedis(t)
  await full.client.config('SET', 'maxmemory', '1')
  const away = await command(['buckets', 'peek', 'login', '192.0.2.1'], {
    REDIS_URL: 'redis://127.0.0.1:9,127.0.0.1:9', REDIS_TIMEOUT_MS: '100'
  })

  const peeked = await command(['buckets', 'peek', 'login', '192.0.2.1'], { REDIS_URL: full.url })

  t.match(peeked, {
    code: 0, stderr: /^gatehouse: Redis does not decide now: it refuses a take \(OOM\)\. What follows is an old/
  })
  t.match(away, {
    code: 1,
    stderr: /^gatehouse: Redis at .*, from REDIS_URL, does not answer: 127\.0\.0\.1:9: connect .* curl .*\/ADDRESS\n$/
  })
})

t.test('a reader that has seen enough ends a list of all and a watch quietly', async (t) => {
  const [client, cli] = [newClient(), fileURLToPath(new URL('../../dist/cli.js', import.meta.url))]
  const taking = setInterval(() => { takeAt(one, client) }, 10)
  t.after(() => clearInterval(taking))
  const pipeline = inRedis.pipeline()
  const value = valueOf(1, defaultLimits.policies.public)
  for (let i = 0; i < 5000; i++) {
    pipeline.set(`gatehouse:bucket:public:10.88.${i >> 8}.${i & 255}`, value, 'PX', 60_000)
  }
  await pipeline.exec()
  await Promise.all(['list --json', `top --follow ${client}`].map(async (command) => {
    const reader = `"${process.execPath}" "${cli}" buckets ${command} | head -c 9 >/dev/null; exit \${PIPESTATUS[0]}`
    const child = spawn('bash', ['-c', reader], { env: { ...process.env, ...environment } })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => { stderr += chunk.toString() })
    const [code] = await once(child, 'close') as [number | null]
    t.same([code, stderr], [0, ''], command)
  }))
})

t.test('at a terminal a reset asks, and top draws in place', {
  skip: spawnSync('script', ['--version']).status !== 0 && 'it needs script, of util-linux'
}, async (t) => {
  const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
  /** Once the first text was written at the terminal, the second one is typed. */
  const atTerminal = async (args: string, seen: RegExp, typed: string, { url } = redis): Promise<string> => {
    const command = `stty rows 9 cols 40; '${process.execPath}' '${cli}' buckets ${args}`
    const child = spawn('script', ['-qec', command, '/dev/null'], { env: { ...process.env, REDIS_URL: url } })
    t.after(() => { child.kill() })
    const closed = once(child, 'close')
    let stdout = ''
    child.stdout.on('data', (chunk: Buffer) => { stdout += chunk.toString() })
    await until(() => seen.test(stdout), `${args} shows ${String(seen)}`)
    child.stdin.write(typed)
    await closed
    return stdout
  }
  await bucket('reset-password:10.66.0.1', 5)
  const declined = await atTerminal('reset --client 10.66.0.0/16', /Go on\?/, 'n\n')
  t.match(declined, /resets 1 bucket\. Go on\? \[y\/N\].*nothing was reset/s)
  t.equal(await inRedis.exists('gatehouse:bucket:reset-password:10.66.0.1'), 1)
  t.match(await atTerminal('reset --client 10.66.0.0/16', /Go on\?/, 'y\n'), /Go on\?.*1 bucket full again\./s)
  t.equal(await inRedis.exists('gatehouse:bucket:reset-password:10.66.0.1'), 0)

  const top = await atTerminal('top', /Z [^]*Z [^]*no replica reports[^]*Z [^]*Z /, '\u0003', empty)
  const [screens = '', notice = '', rest = ''] = top.replaceAll('\u001b', 'ESC')
    .split(/(gatehouse: no replica reports.*\r\n)/)
  t.match(notice, /reference\.md/, 'the notice says where to read on')
  t.match(rest, /^(ESC\[J\S+Z |\^C|$)/, 'what is drawn next does not overwrite the notice')
  const lines = (screens + rest).split('\r\n')
  t.match(lines.join('\n'), /^ESC\[J\S+Z .*\nREFUSED +POLICY +CLIENT\n(ESC\[2AESC\[J\S+Z .*\n.*\n)+/m)
  for (const line of lines) t.ok(line.replace(/ESC\[\d*[AJ]/g, '').length <= 40, line)
})

t.end()
