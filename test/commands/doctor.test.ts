// gatehouse doctor finds what is wrong with a deployment, says what to do, and ends in time whatever hangs.

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import bcrypt from 'bcrypt'
import t, { type Test as Tap } from 'tap'
import { parseNetwork } from '#src/base/networks.js'
import { listReplicas, type Replica } from '#src/limiter/fleet/replicas.js'
import { defaultLimits, limitsDigest } from '#src/limiter/limits/policies.js'
import { createStates } from '#src/health/states.js'
import type { Config } from '#src/config/config.js'
import { readConfig } from '#src/config/load.js'
import { ok } from '#src/base/finding.js'
import { runChecks, type Deployment, type CheckResult } from '#src/doctor/run-checks.js'
import { replicaChecks } from '#src/doctor/replica-checks.js'
import { secretChecks } from '#src/doctor/secret-checks.js'
import { judgeChain, judgeNetworks } from '#src/doctor/trust-chain.js'
import { startApp } from '../fixtures/app.js'
import { command } from '../fixtures/command.js'
import { newDirectory } from '../fixtures/lifetime.js'
import { startNetwork } from '../fixtures/network.js'
import { startPostgres } from '../fixtures/postgres.js'
import { run, startServer, type Finished } from '../fixtures/process.js'
import { freePort, startRedis } from '../fixtures/redis.js'
import { newDatabase } from '../fixtures/shared-postgres.js'
import { startSmtp } from '../fixtures/smtp.js'
import { ownTime, until } from '../fixtures/until.js'

const [redisPassword, databasePassword, jwtSecret] = [
  'x8Kq2fLw9ZsTn4Vb7Rm1', 'Jh3Yt6Pc0WdQe5Ga8Uk2', 'sV9mK2xQ7rT4wZ8nB3cF6hJ1pL5dG0yA'
]
const [postgres, redis] = await Promise.all([
  startPostgres(t),
  startRedis(t, {
    args: [
      '--dir', newDirectory(t), '--appendonly', 'yes', '--maxmemory', '200mb', '--maxmemory-policy', 'volatile-ttl'
    ]
  })
])
const admin = await postgres.connect()
await admin.query(`CREATE ROLE service LOGIN SUPERUSER PASSWORD '${databasePassword}'`)
await admin.query(`CREATE ROLE reader LOGIN PASSWORD '${databasePassword}';
  GRANT SELECT ON users, mails, mail_server, known_addresses, sessions, deleted_users, database_mark TO reader`)
await redis.client.call('ACL', 'SETUSER', 'service', 'on', `>${redisPassword}`, '~*', '&*', '+@all')

const [port, appPort] = [await freePort(), await freePort()]
/** How the proxy behind PUBLIC_URL connects, and what it makes of X-Forwarded-For. */
const proxy = { from: '127.0.0.2', forwarded: (_sent: string | undefined): string | undefined => '127.0.0.1' }
createServer((question, response) => {
  const { 'x-forwarded-for': sent, ...headers } = question.headers
  const forwarded = proxy.forwarded(sent as string | undefined)
  const { method, url: path } = question
  const onward = request({
    method,
    path,
    port: appPort,
    localAddress: proxy.from,
    headers: { ...headers, ...forwarded !== undefined && { 'x-forwarded-for': forwarded } }
  }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(response)
  })
  onward.on('error', () => response.destroy())
  question.pipe(onward)
}).listen(port, '127.0.0.1').unref()

const environment = {
  NODE_ENV: 'production',
  DATABASE_URL: `postgresql://service:${databasePassword}@127.0.0.1:${postgres.port}/postgres`,
  REDIS_URL: `redis://service:${redisPassword}@127.0.0.1:${redis.port}`,
  JWT_SECRET: jwtSecret,
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  SMTP_URL: (await startSmtp(t)).url,
  TRUST_PROXY: '127.0.0.2',
  USER_CREATION: 'admin'
}
const readerUrl = environment.DATABASE_URL.replace('service', 'reader')

/** What is found of replicas. */
async function compared (replicas: Replica[], { limits }: Config, version = 0): Promise<CheckResult[]> {
  const { signal: timeUp } = new AbortController()
  const inForce = async () => ({ limits, version, set: {} })
  return await runChecks(replicaChecks({ replicas } as Deployment, limits.clients, inForce), timeUp)
}

interface Report { ok: boolean, findings: CheckResult[] }

/** @param start starts a process of its own, which shows whether the command ends */
async function examine (
  changes: NodeJS.ProcessEnv = {}, start = command
): Promise<Finished & { of: Record<string, CheckResult[]> }> {
  const finished = await start(['doctor', '--json'], { ...environment, DATA_DIR: newDirectory(t), ...changes })
  const report = JSON.parse(finished.stdout) as Report
  const of: Record<string, CheckResult[]> = {}
  for (const finding of report.findings) (of[finding.check] ??= []).push(finding)
  t.equal(report.ok, finished.code === 0)
  return { ...finished, of }
}

/** Exactly these findings, each as `status: found -> remedy`. A failure prints what was found instead. */
function only (t: Tap, findings: CheckResult[] = [], ...expected: RegExp[]): void {
  const texts = findings.map(({ status, found, remedy }) => `${status}: ${found}${remedy ? ` -> ${remedy}` : ''}`)
  t.match(texts, expected)
  t.same(texts.slice(expected.length), [], 'and no others')
}

t.test('next to a replica that runs', async (t) => {
  const server = await startServer(t, { ...environment, PORT: String(appPort), DATA_DIR: newDirectory(t) })
  const canary = async (): Promise<unknown> => {
    const [key] = await redis.client.keys('gatehouse:replica:*')
    return JSON.parse(await redis.client.get(key!) ?? '{}').states?.canary.value
  }
  await until(async () => await canary() === 'passed', 'its canary has ended')
  const healthy = await examine()

  await t.test('a healthy deployment passes every check', async (t) => {
    t.same(Object.keys(healthy.of), [
      'environment', 'token-secrets', 'shared-secrets', 'passwords', 'mails', 'mail-server', 'redis', 'redis-version',
      'redis-memory', 'redis-eviction', 'redis-persistence', 'redis-rights', 'replicas', 'limits', 'canary', 'proxies',
      'database', 'database-schema', 'database-connections', 'database-writable', 'database-rights', 'database-numbers',
      'database-readers', 'database-encoding', 'database-times', 'database-statements', 'outbox', 'user-creation',
      'account-logins', 'account-addresses', 'demo-accounts', 'second-factor-key', 'clocks', 'public-url',
      'trust-chain'
    ])
    only(t, Object.values(healthy.of).flat().filter(({ status }) => status !== 'ok'),
      /^note: .*which only this machine reaches/)
    only(t, healthy.of['trust-chain'], /^ok: .*arrives as 127\.0\.0\.1, .* a forged X-Forwarded-For is not/)
    t.equal(healthy.code, 0)
  })

  await t.test('the checks leave nothing behind', async (t) => {
    const kept = /:(replica|replicas|digests|canary|login|doctor):?/
    t.same((await redis.client.keys('*')).filter(key => !kept.test(key)), [])
  })

  await fallIll()
  const ill = await examine({
    SMTP_URL: `smtps://service:${redisPassword}@127.0.0.1:1`,
    DATABASE_URL: `postgresql://gatehouse:gatehouse@127.0.0.1:${postgres.port}/postgres?connection_limit=30`
  })
  const { of } = ill

  await t.test('what needs action is counted, and is status 1', async (t) => {
    t.match(ill, { code: 1, stderr: /^gatehouse: \d+ of \d+ findings need action\n$/ })
  })

  await t.test('a password that two servers share, and one that is a name, need action', async (t) => {
    only(t, of['shared-secrets'], /^action: REDIS_URL and SMTP_URL are the same/)
    only(t, of.passwords, /^action: .*DATABASE_URL is the name of its user/, /^ok: .*REDIS_URL will do/)
  })

  await t.test('a Redis that refuses writes when it is full, or forgets buckets, needs action', async (t) => {
    only(t, of['redis-eviction'], /^action: .*noeviction.* -> .*maxmemory-policy volatile-ttl/)
    only(t, of['redis-persistence'], /^action: .*forgets every bucket.* -> .*appendonly yes/)
  })

  await t.test('two releases are a note, and different limits need action', async (t) => {
    only(t, of.replicas, /^note: 5 replicas of version 0\.0\.9 and 0\.1\.0: a release is under way/,
      /^note: .*did not count the replicas/)
    only(t, of.limits,
      /^action: cut, ill, old, skewed: .*hold different limits.*since.* -> .*one LIMITS_FILE/, /^ok: 1 replica:/)
  })

  await t.test('what replicas say of Redis, PostgreSQL and the outbox is told with who says it', async (t) => {
    only(t, of.redis, /^ok: Redis at .* answers in /, /^ok: 4 replicas: Redis is available, and decides takes$/,
      /^action: cut: Redis is unavailable, and .* \(no_reply\), since 2026.* -> .*redis_unavailable/)
    only(t, of.database, /^ok: PostgreSQL at .* answers in /, /^ok: 4 replicas: PostgreSQL answers/,
      /^action: cut: PostgreSQL is unreachable \(timeout expired\), since 2026/)
    only(t, of.outbox!.filter(({ found }) => found.startsWith('cut')),
      /^action: .*trouble of its own.* -> .*outbox_unavailable/)
  })

  await t.test('a canary that failed, hangs or has not ended is told apart', async (t) => {
    only(t, of.canary!.filter(({ status }) => status !== 'ok'),
      /^note: cut, skewed: no run of the canary has ended yet/,
      /^action: ill: the limiter does not limit as it should \(3 of 3 takes\)/,
      /^action: old: no run of the canary has ended for a minute/)
  })

  await t.test('a proxy that is taken for a client, and clients for proxies, need action', async (t) => {
    only(t, of.proxies, /^action: .*10\.1\.2\.3.* -> .*TRUST_PROXY/,
      /^note: .*192\.0\.2\.1.* is not believed.* -> .*TRUST_PROXY/,
      /^action: .*clients are in TRUST_PROXY, such as 10\.9\.9\.9.* -> .*not their network/)
    only(t, of['trust-chain'], /^action: .*arrives as 127\.0\.0\.3, a private address.* -> .*TRUST_PROXY/)
  })

  await t.test('a migration, connections and a password of the README need action', async (t) => {
    only(t, of['database-schema'], /^action: 1 migration not applied: \d+_.* -> .*gatehouse migrate/)
    only(t, of['database-connections'], /^action: 5 replicas may open 155 connections/)
    only(t, of['demo-accounts'], /^action: admin:.* -> gatehouse users disable admin$/)
  })

  await t.test('clocks that are apart need action', async (t) => {
    only(t, of.clocks, /^action: .*skewed is 60 minutes ahead.* -> .*NTP/)
  })

  await t.test('mails that were tried in vain need action', async () => {
    const expected = /not sent yet \(1 mail, the oldest for 2 hours; 1 tried in vain: 450 not now\)/
    await until(async () => (await examine()).of.outbox!.some(({ status, found, remedy = '' }) =>
      status === 'action' && expected.test(found) && remedy.includes('gatehouse mails retry')),
    'the replica has seen the mail')
  })

  await t.test('a forged X-Forwarded-For that is believed needs action, and scarce memory is a note', async (t) => {
    Object.assign(proxy, { from: '127.0.0.2', forwarded: (sent: string) => sent })
    const used = Number(/^used_memory:(\d+)/m.exec(await redis.client.info('memory'))![1])
    await redis.client.config('SET', 'maxmemory', Math.round(used / 0.87))
    await redis.client.config('SET', 'maxmemory-policy', 'volatile-ttl')

    const { of } = await examine({ DATABASE_URL: readerUrl })

    only(t, of['trust-chain'], /^action: .*a client wrote is believed.* -> .*127\.0\.0\.2\/32/)
    only(t, of['redis-memory'], /^note: .*little is left/)
    only(t, of['database-schema'], /^ok: .*not this role's to read/)
    Object.assign(proxy, { forwarded: () => '127.0.0.1' })
    await redis.client.config('SET', 'maxmemory', '200mb')
  })

  await t.test('rights that Redis or PostgreSQL denies are named', async (t) => {
    await redis.client.call('ACL', 'SETUSER', 'limited', 'on', `>${redisPassword}`, '~gatehouse:*', '&gatehouse:reset',
      '+@all', '-subscribe', '-zadd', '-config', '-info')
    await admin.query('ALTER TABLE mails RENAME COLUMN claimed_until TO leased_until')

    const { of } = await examine({
      DATABASE_URL: readerUrl, REDIS_URL: `redis://limited:${redisPassword}@127.0.0.1:${redis.port}`
    })

    only(t, of['redis-rights'], /^action: .*to hear of resets.*to count replicas.*to ask for its memory/)
    only(t, of['redis-version'], /^note: unknown: NOPERM/)
    t.match(of.database, [{ status: 'action', found: /lacks a table or column of this release/, remedy: /migrate/ }])
    only(t, of['trust-chain'], /^ok/)
  })
  t.equal(await server.stop('SIGKILL'), null)
})

/** Makes everything wrong that can be wrong at once. Four replicas are made up. */
async function fallIll (): Promise<void> {
  const since = '2026-01-01T00:00:00.000Z'
  const { set, ...states } = createStates()
  Object.assign(states, {
    redis: { value: 'decides', since }, database: { value: 'reachable', since }, limits: { value: 'differ', since }
  })
  await redis.client.config('SET', 'appendonly', 'no')
  await redis.client.config('SET', 'maxmemory-policy', 'noeviction')
  for (const [name, said] of Object.entries({
    ill: { states: { ...states, canary: { value: 'failed', since, reason: '3 of 3 takes' } } },
    old: {
      version: '0.0.9',
      states: { ...states, canary: { value: 'hangs', since } },
      proxySigns: { proxy_suspected: '10.1.2.3', clients_trusted: '10.9.9.9', forwarded_header_ignored: '192.0.2.1' }
    },
    cut: {
      states: {
        ...states,
        database: { value: 'unreachable', since, reason: 'timeout expired' },
        redis: { value: 'does not decide', since, reason: 'no_reply' },
        outbox: { value: 'unreadable', since }
      }
    },
    skewed: { states, at: new Date(Date.now() + 3_600_000).toISOString() }
  })) {
    const limits = { limits: '0123456789abcdef', limitsVersion: 0 }
    const text = JSON.stringify({ version: '0.1.0', ...limits, ...said })
    await redis.client.set(`gatehouse:replica:${name}`, text, 'PX', 60_000)
    await redis.client.zadd('gatehouse:replicas', Date.now() + 60_000, name)
  }
  await admin.query(`INSERT INTO mails (kind, username, request_id, created_at, attempts, due_at, last_failure)
    VALUES ('password_reset', 'asha', 'x', now() - interval '2 hours', 7, now() + interval '1 hour', '450 not now')`)
  await admin.query(`INSERT INTO users (username, password_hash, user_type, role)
    VALUES ('admin', '${await bcrypt.hash('gatehouse-admin', 4)}', 'EMPLOYEE', 'ADMIN')`)
  await admin.query(`UPDATE _prisma_migrations SET rolled_back_at = now()
    WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)`)
  // This proxy is not trusted, and sends no client address.
  Object.assign(proxy, { from: '127.0.0.3', forwarded: () => undefined })
}

// An eviction policy, set first, evicted all buckets while another application kept Redis full.
t.test('a full Redis is one finding: first room, which keeps each bucket, then who took it', async (t) => {
  const full = await startRedis(t, { args: ['--maxmemory-policy', 'noeviction'] })
  const bucket = 'gatehouse:bucket:user-creation:203.0.113.7'
  await full.client.set(bucket, '3', 'PX', 3_600_000)
  await full.client.set('reports:cache', 'x'.repeat(3_000_000))
  for (const id of [1, 2]) await full.client.set(`session:${id}`, 'x'.repeat(100_000))
  await full.client.call('ACL', 'SETUSER', 'printed', 'on', `>${redisPassword}`, '~gatehouse:*', '&gatehouse:*',
    '+@all', '-config|get')
  await full.client.config('SET', 'maxmemory', '4mb')
  const examineAs = async (user = ''): Promise<Record<string, CheckResult[]>> =>
    (await examine({ REDIS_URL: full.url.replace('//', `//${user}`) })).of

  const { redis: takes, 'redis-memory': memory, 'redis-eviction': eviction, replicas, ...of } = await examineAs()
  const { 'redis-memory': counted } = await examineAs(`printed:${redisPassword}@`)

  t.same([takes, eviction], [undefined, undefined], 'no second finding')
  t.match(memory, [{
    status: 'action',
    found: /^Redis is full: .*it refuses takes/,
    remedy: /^first .*maxmemory \d.*reports:cache \(\d\.\d MB\), session:\* \(0\.2 MB\)\. Only when .*volatile-ttl/
  }])
  t.match(counted, [{ remedy: /reports:cache \(1\).*redis-cli --memkeys/ }])
  t.match(replicas, [{ status: 'note', found: /^unknown: .*\(OOM\)$/ }])
  t.same([of.limits, of.canary, of.proxies], [undefined, undefined, undefined], 'nothing about replicas')
  t.same(await full.client.call('ACL', 'LOG'), [])
  await full.client.config('SET', 'maxmemory', /CONFIG SET maxmemory (\w+)/.exec(memory![0]!.remedy!)![1]!)
  t.match(await examineAs(), { redis: [{ status: 'ok' }] })
  t.equal(await full.client.get(bucket), '3')
})

t.test('replicas that are away are a note, and so is a command with other limits than theirs', async (t) => {
  const config = readConfig({})
  const checked = (replicas: Replica[]): Promise<CheckResult[]> => compared(replicas, config, 17)
  t.match(await checked([]), [{ check: 'replicas', status: 'note', found: /no replica has sent a heartbeat/ }])
  const [known, held] = await checked([{ name: 'one', limits: '0123456789abcdef', limitsVersion: 17 }])
  t.match(known, { status: 'note', found: /nothing is known of one/ })
  t.match(held, { status: 'note', found: /this command has other limits/, remedy: /LIMITS_FILE/ })
  const widths = await checked([{ name: 'one', clientIpv6Prefix: 64 }, { name: 'two', clientIpv6Prefix: 56 }])
  t.match(widths.filter(({ check }) => check === 'replicas').at(-1), {
    status: 'action', found: /differs: \/64 at one, \/56 at two/, remedy: /CLIENT_IPV6_PREFIX/
  })
  t.match((await checked([{ name: 'one', clientIpv6Prefix: 48 }]))[1], { status: 'note', found: /commands a \/64/ })
  const digest = limitsDigest(config.limits)
  const behind = await checked([
    { name: 'one', limits: digest, limitsVersion: 17 }, { name: 'two', limits: digest, limitsVersion: 16 }
  ])
  t.match(behind.filter(({ check }) => check === 'limits'), [
    { status: 'action', found: /^two holds version 16 .* version 17$/, remedy: /limits_unread/ }
  ])

  // The heartbeats of the replica above had the set expire soon.
  await redis.client.multi().zadd('gatehouse:replicas', Date.now() + 60_000, '\u001b[2Jx')
    .pexpire('gatehouse:replicas', 60_000).exec()
  const { stdout } = await command(['doctor'], { ...environment, DATA_DIR: newDirectory(t) })
  t.match(stdout, /nothing is known of \\u001b\[2Jx/, 'what Redis holds does not control a terminal')
  t.notMatch(stdout, '\u001b')
})

t.test('a replica with other keys or modules needs action, and the first step of a rotation is a note', async (t) => {
  const { client, url: REDIS_URL } = await startRedis(t)
  const [secret, another] = [jwtSecret, 'Zt7Wm3QxK9vLb5Ny2Rc8Hf4Jd6Gp1SaE']
  const shared = { REDIS_URL, DATABASE_URL: await newDatabase() }
  const first = await startApp(t, { ...shared, JWT_SECRET: secret })
  const { app, config } = await startApp(t, {
    ...shared, JWT_SECRET: another, MODULES: '/api/hostel=http://127.0.0.1:9'
  })
  /** Each with its status, once the heartbeats have what is looked for. */
  const found = async (awaited: RegExp): Promise<string[]> => {
    let texts: string[] = []
    await until(async () => {
      const findings = await compared(await listReplicas(client), config)
      texts = findings.filter(({ check }) => check === 'replicas').map(one => `${one.status}: ${one.found}`)
      return texts.some(text => awaited.test(text))
    }, String(awaited))
    return texts
  }

  const differing = await found(/has other modules/)
  await app.reload({ ...config, jwtSecrets: [secret, another], modules: first.config.modules })
  const rotating = await found(/rotation/)
  await app.reload({ ...config, jwtSecrets: [another, secret], modules: first.config.modules })
  const tooEarly = await found(/are not verified/)

  const version = /^ok: 2 replicas of version/
  t.match(differing, [
    version, /^action: replica .* does not verify the tokens of the others: users get 401/, /^action: .* 404 there/
  ])
  t.match(rotating, [version, /^note: replicas verify tokens by different keys/])
  t.match(tooEarly, [version, /^action: the tokens of replica .* by the others: users get 401/])
})

t.test('a user of PostgreSQL with a certificate needs no password', (t) => {
  const directory = newDirectory(t, { crt: '', key: '' })
  const DATABASE_URL = 'postgresql://service@db.school.example/gatehouse?sslmode=require'
  const judge = (query: string) => secretChecks(readConfig({ DATABASE_URL: DATABASE_URL + query })).passwords!()
  t.match(judge(''), [{ status: 'note', found: /is missing, although/ }])
  t.match(judge(`&sslcert=${directory}/crt&sslkey=${directory}/key`), [{ status: 'ok' }])
  t.end()
})

t.test('wrong passwords need action, and the rest is still examined', async (t) => {
  const wrong = await examine({
    REDIS_URL: `redis://service:wrong@127.0.0.1:${redis.port}`,
    DATABASE_URL: `postgresql://service:wrong-horse@127.0.0.1:${postgres.port}/postgres`
  })
  t.equal(wrong.code, 1)
  t.match(wrong.of, {
    redis: [{ status: 'action', found: /WRONGPASS/ }],
    replicas: [{ status: 'note', found: /^unknown: .* only through Redis/ }],
    database: [{ status: 'action', found: /password authentication failed/ }],
    clocks: [{ status: 'note', found: /^unknown/ }],
    'trust-chain': [{ status: 'note', found: /^unknown/ }]
  })
})

t.test('whatever hangs, it ends within 15 seconds, and says what did not answer', async (t) => {
  const mute = createTcpServer(() => {}).listen(0, '127.0.0.1').unref()
  await once(mute, 'listening')
  redis.process.kill('SIGSTOP')
  postgres.pause()
  t.after(() => {
    redis.process.kill('SIGCONT')
    postgres.resume()
  })
  const startedMs = ownTime()
  const PUBLIC_URL = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`
  const hanging = await examine({ PUBLIC_URL }, (args, environment) => run('cli', args, environment))
  t.ok(ownTime() - startedMs < 15_000, `${ownTime() - startedMs} ms`)
  t.match(hanging.of, {
    redis: [{ status: 'action', found: /is unavailable/ }],
    database: [{ status: 'action', found: /is unavailable/ }],
    'public-url': [{ status: 'note' }, { status: 'note', found: /no answer in time/ }],
    'trust-chain': [{ status: 'note' }]
  })
})

t.test('when Redis answers late, it still ends within 15 seconds, and says what is wrong', async (t) => {
  const mute = createTcpServer(() => {}).listen(0, '127.0.0.1').unref()
  await once(mute, 'listening')
  const network = await startNetwork(t, redis.port)
  network.delayReplies = 500
  const { port } = mute.address() as AddressInfo

  const startedMs = ownTime()
  const late = await examine({
    REDIS_URL: environment.REDIS_URL.replace(String(redis.port), String(network.port)),
    REDIS_TIMEOUT_MS: '100',
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    PUBLIC_URL: `http://127.0.0.1:${port}`
  })

  t.ok(ownTime() - startedMs < 15_000, `${ownTime() - startedMs} ms`)
  t.match(late.of, {
    redis: [{ status: 'action', found: /answers in \d{3}\.\d ms, .* so it counts as unavailable/ }],
    'redis-version': [{ status: 'ok' }],
    'mail-server': [{ status: 'action' }],
    'public-url': [{ status: 'note' }, { status: 'note', found: /no answer in time/ }]
  })
})

t.test('a check that has no time left is named, and the others have their results', async (t) => {
  t.match(await runChecks({ hangs: () => new Promise(() => {}), passes: () => ok('it does') }, AbortSignal.abort()), [
    { check: 'hangs', status: 'note', found: 'unknown: the time for all checks was over' },
    { check: 'passes', status: 'ok' }
  ])
})

t.test('a faulty configuration is a finding for each fault, and a bare one is notes alone', async (t) => {
  const faulty = await examine({ JWT_SECRET: 'short', PUBLIC_URL: 'nowhere' })
  t.equal(faulty.code, 1)
  t.match(faulty.of, { configuration: [{ status: 'action', found: /JWT_SECRET/ }, { found: /PUBLIC_URL/ }] })

  const bare = await run('cli', ['doctor'], { DATA_DIR: newDirectory(t) }, { cwd: newDirectory(t) })
  t.equal(bare.code, 0)
  const lines = bare.stdout.trimEnd().split('\n')
  for (const line of lines) t.match(line, /^(ok {4}|note {2}) {2}[a-z-]+ {2,}\S.*$/)
  t.match(bare.stdout, /^note {4}redis +REDIS_URL is not set: .* -> set it to/m)
})

t.test('the client address that arrives is judged only if the result is certain', async (t) => {
  const config = { trustProxy: [parseNetwork('10.0.0.0/24')], limits: defaultLimits } as unknown as Config
  const judge = (arrived: string, { local = '10.9.9.9', remote = '198.51.100.1' } = {}) =>
    judgeChain(defaultLimits.clients.parse(arrived)!, { local, remote, forged: '2001:db8:1:2::1' }, config).status
  t.equal(judge('2001:db8:1:2::9'), 'action', 'the forged one')
  t.equal(judge('2001:db8:1:2::9', { local: '10.0.0.7' }), 'note', 'the forged one, of a trusted machine')
  t.equal(judge('10.9.9.9'), 'ok', 'this machine')
  t.equal(judge('203.0.113.9'), 'ok', 'a public address')
  t.equal(judge('198.51.100.1'), 'action', 'where PUBLIC_URL leads')
  t.equal(judge('10.0.0.7'), 'note', 'a trusted proxy that tells of no client, or NAT')
  t.equal(judge('172.18.0.1'), 'action', 'a private address')
  t.equal(judge('127.0.0.1'), 'action', 'a proxy on the machine of the replica')
  t.equal(judge('127.0.0.1', { local: '127.0.0.1', remote: '127.0.0.1' }), 'ok', 'over loopback')
})

t.test('a private network in TRUST_PROXY that has room for clients is a note; one of a CDN is not', async (t) => {
  const networks = ['10.0.0.0/8', '192.168.0.0/23', '10.0.0.0/24', '10.0.0.5', '104.16.0.0/13', 'fd00::/48', 'fd00::5']
  t.match(judgeNetworks(networks.map(parseNetwork)), [
    { status: 'note', found: /network 10\.0\.0\.0\/8/, remedy: /address of each proxy/ },
    { found: /192\.168\.0\.0\/23/ },
    { found: /fd00::\/48/ }
  ])
})

t.end()
