// Limits that are changed at run time, as clients and operators of two replicas meet them: modes, blocked networks,
// candidates, accounts, users, and the gatehouse command.

import t, { type Test } from 'tap'
import type { LimitsDocument } from '#src/limiter/limits/limits-document.js'
import { startApp, type TestApp } from '../../fixtures/app.js'
import { command } from '../../fixtures/command.js'
import { newDirectory } from '../../fixtures/lifetime.js'
import { seriesOf } from '../../fixtures/metrics.js'
import { startRedis } from '../../fixtures/redis.js'
import { newDatabase } from '../../fixtures/shared-postgres.js'
import { until } from '../../fixtures/until.js'

const redis = await startRedis(t)
const DATABASE_URL = await newDatabase()
const JWT_SECRET = 'a secret that both replicas know'.repeat(2).replace(',', '')
const LIMITS_FILE = `${newDirectory(t, {
  'limits.json': JSON.stringify({
    policies: {
      marks: { capacity: 6, refill: 1, period: '1h' },
      public: { capacity: 50, refill: 50, period: '1m' }
    },
    networks: {
      '203.0.113.0/24': { general: { capacity: 8, refill: 1, period: '1h' } },
      '192.0.2.7': { public: { capacity: 60, refill: 60, period: '1m' } }
    }
  })
})}/limits.json`
const MODULES = '/api/student=http://127.0.0.1:1;policy=marks'
const environment = { REDIS_URL: redis.url, DATABASE_URL, JWT_SECRET, LIMITS_FILE, MODULES }

const replicas = [await startApp(t, environment), await startApp(t, environment)] as const
const [one, other] = replicas

const gatehouse = (...args: string[]): ReturnType<typeof command> => command(['limits', ...args], environment)

/** Changes limits as an operator does; when the command ends, every replica holds the change. */
async function limits (t: Test, ...args: string[]): Promise<void> {
  const { code, stderr } = await gatehouse(...args)
  t.equal(code, 0, `gatehouse limits ${args.join(' ')}: ${stderr}`)
}

async function statuses (
  count: number, remoteAddress: string, url = '/api/nothing', headers: Record<string, string> = {}
): Promise<number[]> {
  const seen = []
  for (let i = 0; i < count; i++) {
    seen.push((await replicas[i % 2]!.app.inject({ url, remoteAddress, headers })).statusCode)
  }
  return seen
}

/** What is set in Redis. */
async function isSet (): Promise<LimitsDocument['limits']> {
  return (JSON.parse(await redis.client.get('gatehouse:limits') ?? '{}') as LimitsDocument).limits
}

const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status)

async function decided (outcome: string, policy = 'general'): Promise<number> {
  const all = await Promise.all(replicas.map(({ app }) => seriesOf(app, 'gatehouse_limiter_decisions_total')))
  return all.flat().filter(({ labels }) => labels.outcome === outcome && labels.policy === policy)
    .reduce((sum, { value }) => sum + value, 0)
}

async function tried (policy: string): Promise<number> {
  const all = await Promise.all(replicas.map(({ app }) => seriesOf(app, 'gatehouse_limiter_candidate_refused_total')))
  return all.flat().filter(({ labels }) => labels.policy === policy).reduce((sum, { value }) => sum + value, 0)
}

const valueOf = async ({ app }: TestApp, name: string): Promise<number> => (await seriesOf(app, name))[0]?.value ?? 0

t.test('the command changes a limit on every replica, says who holds it, and shows it', async (t) => {
  const { code, stdout } = await gatehouse('set', 'general', '--capacity', '12', '--why', 'a test', '--author', 'asha')
  t.equal(code, 0)
  t.equal(stdout, 'Version 1, held by 2 of 2 replicas.\n  general: 12 at once, then 10 every 1m\n' +
    '  general for 203.0.113.0/24: 8 at once, then 1 every 1h\n')
  t.same(await statuses(14, one.client()), [...times(12, 404), 429, 429])
  for (const replica of replicas) t.equal(await valueOf(replica, 'gatehouse_limits_version'), 1)

  const rows = JSON.parse((await gatehouse('show', '--json')).stdout) as Array<{ name: string, network: string }>
  const row = (name: string, network = 'any') => rows.find(row => row.name === name && row.network === network)
  t.match(row('general'), { capacity: 12, refill: 10, source: 'live', mode: 'enforce', before: { capacity: 100 } })
  t.match(row('general', '203.0.113.0/24'), { capacity: 8, source: 'LIMITS_FILE' })
  t.match(row('public'), { source: 'LIMITS_FILE' })
  t.match(row('login'), { capacity: 5, source: 'default', candidate: undefined })
  t.match((await gatehouse('show')).stdout, new RegExp('^POLICY +NETWORK +LIMIT +MODE +SOURCE +BEFORE +CANDIDATE\n' +
    '[^]*\nLast change: version 1, by asha at \\S+Z: set general --capacity 12 \\(a test\\)\n$'))
  t.match(JSON.parse((await gatehouse('history', '--json')).stdout), [
    { version: 1, by: 'asha', why: 'a test', what: 'set general --capacity 12', at: /^\d{4}-.*Z$/ }
  ])
  t.match(await gatehouse('set', 'general', '--capacity', '12'), { code: 0, stdout: /^Nothing changes: version 1/ })
  t.match(await command(['buckets', 'peek', 'general', one.client(), '--json'], environment), {
    code: 0, stdout: /"capacity": 12,/
  })
  await limits(t, 'rollback')
  t.notMatch((await gatehouse('show')).stdout, / live /)
  t.match(one.logs.filter(({ code }) => code === 'limits_changed'), [{ version: 1, by: 'asha', why: 'a test' }, {}])
})

t.test('limits of a policy of a module that is gone can be unset', async (t) => {
  await limits(t, 'set', 'marks', '--capacity', '5')
  const without = { ...environment, LIMITS_FILE: '', MODULES: '' }
  t.match(await command(['limits', 'set', 'marks', '--capacity', '4'], without), { code: 2 })
  t.match(await command(['limits', 'unset', 'marks'], without), { code: 0 })
  t.equal((await isSet()).policies?.marks, undefined)
  const unset = await command(['limits', 'unset', 'marks'], without)
  t.match(unset, { code: 2, stderr: /there is no policy "marks"/ })
})

t.test('a change names what it changed, and not every network', async (t) => {
  for (let i = 0; i < 3; i++) await limits(t, 'set', 'login', '--network', `10.${i}.0.0/16`, '--exempt')
  const { stdout } = await gatehouse('set', 'login', '--network', '10.3.0.0/16', '--exempt')
  t.match(stdout.split('\n').slice(1), ['  login for 10.3.0.0/16: exempt', ''])
  const address = await gatehouse('set', 'public', '--network', '192.0.2.7', '--capacity', '70')
  t.match(address.stdout.split('\n').slice(1), ['  public for 192.0.2.7: 70 at once, then 60 every 1m', ''])
  await limits(t, 'rollback', '0')
})

t.test('it reports what is broken', async (t) => {
  await limits(t, 'set', 'login', '--capacity', '4')
  const valid = await redis.client.get('gatehouse:limits')
  await redis.client.set('gatehouse:limits', valid!.replace('"capacity":4', '"capacity":0'))
  for (const args of [['show'], ['set', 'login', '--capacity', '3']]) {
    t.match(await gatehouse(...args), {
      code: 1, stderr: /is not valid, .* DEL it.*\npolicies\.login\.capacity: must be a whole number from 1 to 1/
    })
  }
  t.match((await command(['doctor'], environment)).stdout, /limits +gatehouse:limits is not valid \(policies\.login/)
  await redis.client.set('gatehouse:limits', valid!)
  await limits(t, 'unset', 'login')
})

t.test('who undoes a limit is told of the candidate that goes with it', async (t) => {
  await limits(t, 'try', 'login', '--capacity', '2')
  t.match(await gatehouse('unset', 'login'), { code: 0, stdout: /^The candidate of login is dropped, too\.$/m })
  await limits(t, 'try', 'login', '--capacity', '2')
  t.match(await gatehouse('rollback'), { code: 0, stdout: /The candidate of login is dropped/ })
  await limits(t, 'try', 'login', '--capacity', '2')
  t.match((await gatehouse('promote', 'login')).stdout, /^(?!.*dropped)/s)
  await limits(t, 'unset', 'login')
})

t.test('a wrong command changes nothing, and says what is valid', async (t) => {
  const before = await redis.client.get('gatehouse:limits')
  const wrong = [
    [['set', 'login'], 2, /name a number, --mode, --by, --people, --exempt or --block/],
    [['set', 'login', '--capacity', '0'], 1, /capacity: must be a whole number from 1 to 1000000/],
    [['set', 'login', '--capacity', '-3'], 2, /capacity/],
    [['set', 'login', '--capacity', '1e3'], 2, /capacity: must be a whole number/],
    [['set', 'general', '--capacity', '3'], 1, /refill: must be a whole number from 1 to the capacity/],
    [['set', 'login', '--period', '99d'], 1, /period: must be 1 to 999 of s, m, h or d/],
    [['set', 'login', '--mode', 'open'], 2, /one of \(enforce\|off\)/],
    [['set', 'login', '--block'], 2, /need --network/],
    [['set', 'login', '--network', '10.0.0.0/8', '--block', '--capacity', '3'], 2, /stand alone/],
    [['set', 'login', '--network', '10.1.2.3/8', '--block'], 2, /address within a network/],
    [['set', 'account', '--network', '10.0.0.0/8', '--block'], 1, /an account is in no network/],
    [['set', 'nothing', '--capacity', '3'], 2, /there is no policy "nothing"; there are login, .*marks/],
    [['try', 'nothing', '--capacity', '3'], 2, /there is no policy "nothing"; there are login, .*marks/],
    [['unset', 'nothing'], 2, /there is no policy "nothing"; there are login, .*marks/],
    [['promote', 'shared-nothing'], 2, /there is no policy "shared-nothing"; there are login, .*marks/],
    [['set', 'shared-login', '--capacity', '3'], 1, /login does not count by user/],
    [['set', 'general', '--by', 'user'], 1, /general\.address: must be an object/],
    [['set', 'general', '--by', 'user', '--address', '30000,6000'], 2, /for address: must be like 30000,6000,1m/],
    [['set', 'login', '--network', '203.0.113.7', '--people', '40'], 2, /login needs --within/],
    [['set', 'public', '--network', '203.0.113.7', '--people', '40'], 2, /for the policies login, sign-in and general/],
    [['set', 'general', '--network', '203.0.113.7', '--people', '999999'], 1, /capacity: must be a whole number/],
    [['set', 'login', '--capacity', '3', '--why', 'a\u001b[31m'], 1, /without control characters/],
    [['unset', 'login'], 3, /nothing is set for login/],
    [['promote', 'login'], 3, /no candidate for login/],
    [['rollback', '77'], 3, /there is no version 77/],
    [['rollback', 'x'], 2, /VERSION: must be a whole number/]
  ] as const
  await Promise.all(wrong.map(async ([args, code, text]) => {
    const { stderr, ...result } = await gatehouse(...args)
    t.equal(result.code, code, `${args.join(' ')}: ${stderr}`)
    t.match(stderr, text)
  }))
  t.equal(await redis.client.get('gatehouse:limits'), before)
  t.match(await command(['limits', 'show'], { REDIS_URL: '' }), { code: 1, stderr: /REDIS_URL is not set/ })
  t.match(await command(['limits', 'show'], { REDIS_URL: 'redis://127.0.0.1:1' }), {
    code: 1, stderr: /127.0.0.1:1/
  })
  t.match(await command(['limits', 'set', 'nothing', '--capacity', '3'], { REDIS_URL: 'redis://127.0.0.1:1' }), {
    code: 2, stderr: /there is no policy/
  }, 'a wrong name is found without Redis')
})

t.test('a policy that is off refuses nothing, and its own numbers are tried until they are promoted', async (t) => {
  await limits(t, 'set', 'marks', '--mode', 'off')
  await limits(t, 'try', 'marks')
  const address = one.client()
  const [before, refused] = [await tried('marks'), await decided('refused', 'marks')]
  t.same(await statuses(20, address, '/api/student/1'), times(20, 401))
  await until(async () => await tried('marks') - before === 14)
  t.equal(await decided('refused', 'marks'), refused)
  const { stdout } = await command(['buckets', 'list', '--policy', 'candidate-marks', '--limited'], environment)
  t.match(stdout, new RegExp(`^candidate-marks +${address} `, 'm'), 'and who would be refused is listed')

  await limits(t, 'promote', 'marks')
  t.same(await statuses(8, one.client(), '/api/student/1'), [...times(6, 401), 429, 429])
  await limits(t, 'unset', 'marks')
})

t.test('a blocked network gets 403 from one policy, until it is unset, and known clients notice at once', async (t) => {
  const address = '198.51.100.9'
  t.same(await statuses(2, address), [404, 404])
  await limits(t, 'set', 'general', '--network', '198.51.100.0/24', '--block')
  const reply = await other.app.inject({ url: '/api/nothing', remoteAddress: address })
  t.match(reply.json(), { status: 403, error: 'Forbidden', path: '/api/nothing' })
  t.same([reply.headers['retry-after'], reply.headers['x-ratelimit-limit']], [undefined, undefined])
  t.same(await statuses(3, '198.51.101.9'), times(3, 404))
  t.same(await statuses(2, address, '/.well-known/jwks.json'), times(2, 200), 'other policies hold as before')
  t.ok(await decided('blocked') >= 1)
  t.match(other.logs.filter(({ code }) => code === 'NETWORK_BLOCKED'), [{ client: address, status: 403 }])
  await limits(t, 'set', 'general', '--network', '198.51.100.0/24', '--exempt')
  t.same(await statuses(120, address), times(120, 404))
  await limits(t, 'set', 'general', '--network', '198.51.100.0/24', '--capacity', '4', '--refill', '1')
  t.same(await statuses(5, '198.51.100.10'), [...times(4, 404), 429])
  await limits(t, 'set', 'general', '--capacity', '90')
  t.match(await gatehouse('unset', 'general'), {
    code: 0, stdout: /\nStill set for 198\.51\.100\.0\/24: name one with --network to unset it\.\n$/
  })
  t.match(await gatehouse('unset', 'general'), { code: 3, stderr: /is set for networks only: .*198\.51\.100\.0/ })
  await limits(t, 'unset', 'general', '--network', '198.51.100.0/24')
  t.same(await statuses(8, '198.51.100.11'), times(8, 404))
})

t.test('limits of accounts change too, and no one is locked out while they are only tried', async (t) => {
  const { username } = await one.user()
  const login = async (): Promise<number> => (await other.login(one.client(), username, 'wrong password')).statusCode
  await limits(t, 'set', 'account', '--capacity', '3', '--refill', '3')
  t.same([await login(), await login(), await login(), await login()], [401, 401, 401, 429])
  const before = await tried('account')
  await limits(t, 'set', 'account', '--mode', 'off')
  await limits(t, 'try', 'account')
  t.same([await login(), await login(), await login(), await login()], times(4, 401))
  await until(async () => await tried('account') - before === 1)
  await limits(t, 'unset', 'account')
})

t.test('a network is sized for a school, and counts by user until it counts by address', async (t) => {
  const network = one.client()
  await limits(t, 'set', 'login', '--network', network, '--people', '40', '--within', '10m')
  await limits(t, 'set', 'sign-in', '--network', network, '--people', '40', '--within', '10m')
  const { stdout } = await gatehouse('set', 'general', '--network', network, '--people', '40')
  t.match(stdout, /^An attacker there without a valid token gets 100 at once, then 30 every 1m\.$/m)
  t.match((await isSet()).networks?.[`${network}/32`], {
    login: { capacity: 48, refill: 5, period: '1m' },
    'sign-in': { capacity: 120, refill: 60, period: '1m' },
    general: { by: 'user', capacity: 100, refill: 30, address: { capacity: 1200, refill: 1200, period: '1m' } }
  })

  await limits(t, 'set', 'general', '--network', network, '--capacity', '2', '--refill', '1')
  for (const { id, username } of [await one.user({ passwordHash: null }), await one.user({ passwordHash: null })]) {
    const token = one.app.issueToken({ id, username, role: 'USER', userType: 'STUDENT', tokenVersion: 0 })
    t.same(await statuses(3, network, '/api/nothing', { authorization: `Bearer ${token}` }), [404, 404, 429])
  }

  await limits(t, 'set', 'general', '--network', network, '--by', 'address')
  t.match((await isSet()).networks?.[`${network}/32`]?.general, { capacity: 2, by: undefined, address: undefined })
  t.same(await statuses(3, network), [404, 404, 429])
  for (const policy of ['login', 'general']) await limits(t, 'unset', policy, '--network', network)
})

t.test('a replica with another LIMITS_FILE is named, also where what was set at run time covers it', async (t) => {
  const own = { REDIS_URL: `${redis.url}/3`, DATABASE_URL, JWT_SECRET }
  const startWith = async (t: Test, capacity: number): Promise<TestApp> => {
    const json = JSON.stringify({ policies: { login: { capacity, refill: 1, period: '1m' } } })
    const file = `${newDirectory(t, { 'limits.json': json })}/limits.json`
    return await startApp(t, { ...own, LIMITS_FILE: file })
  }
  const limits = (...args: string[]) => command(['limits', ...args], own)
  const one = await startWith(t, 5)
  const agree = async (): Promise<boolean> => await valueOf(one, 'gatehouse_limits_agree') === 1
  t.ok(await agree())

  await t.test('with another one', async (t) => {
    await startWith(t, 60)
    await until(async () => !await agree(), 'the first one notices')
    t.match((await limits('show')).stdout, /differs: login is (5|60) at once.* on .*; (5|60) at once.*\. Each limits/)
    await limits('set', 'login', '--capacity', '3')
    t.match((await limits('show')).stdout, /differs: login is .*What was set at run time covers it: 3 at once/)
    t.notOk(await agree())
  })
  await until(agree, 'once it is gone')
})

const address = { capacity: 9, refill: 1, period: '1h' }
const byUser = { policies: { general: { by: 'user', capacity: 5, refill: 1, period: '1h', address } } }

/** A replica alone on a Redis database of its own, whose general policy counts by user. */
async function startCampus (t: Test, database: number) {
  const file = `${newDirectory(t, { 'limits.json': JSON.stringify(byUser) })}/limits.json`
  const own = { REDIS_URL: `${redis.url}/${database}`, DATABASE_URL, JWT_SECRET, LIMITS_FILE: file }
  const campus = await startApp(t, own)
  const { app } = campus
  const ask = async (remoteAddress: string, user?: { id: number, username: string }): Promise<number> => {
    const token = user && app.issueToken({ ...user, role: 'USER', userType: 'STUDENT', tokenVersion: 0 })
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return (await app.inject({ url: '/api/nothing', remoteAddress, headers })).statusCode
  }
  return {
    ask,
    limits: (...args: string[]) => command(['limits', ...args], own),
    tried: () => valueOf(campus, 'gatehouse_limiter_candidate_refused_total'),
    /** How many of four requests of a new user are admitted. */
    async admitted (remoteAddress: string): Promise<number> {
      // A machine that is busy looks the user up: see auth/revocations.ts.
      const { id, username } = await one.user({ passwordHash: null })
      const seen = []
      for (let i = 0; i < 4; i++) seen.push(await ask(remoteAddress, { id, username }))
      return seen.filter(status => status === 404).length
    }
  }
}

t.test('a policy that counts by user is changed for users, and for what they share', async (t) => {
  const { limits, admitted } = await startCampus(t, 1)

  t.match(await limits('set', 'general', '--capacity', '2'), { code: 0 })
  t.equal(await admitted('192.0.2.1'), 2)

  t.match(await limits('set', 'shared-general', '--capacity', '3'), { code: 0 })
  t.equal(await admitted('192.0.2.2') + await admitted('192.0.2.2'), 3)
  t.match(await limits('set', 'shared-general', '--capacity', '1'), {
    code: 1, stderr: /must be at least the capacity of one user/
  })

  t.match(await limits('set', 'general', '--mode', 'off'), { code: 0 })
  t.equal(await admitted('192.0.2.3') + await admitted('192.0.2.3'), 8)

  t.match(await limits('unset', 'general'), { code: 0, stdout: /held by 1 of 1 replicas/ })
})

t.test('a candidate counts users too, and takes nothing for whom their address refuses', async (t) => {
  const { limits, ask, tried } = await startCampus(t, 2)
  await limits('set', 'general', '--capacity', '2')
  await limits('set', 'shared-general', '--capacity', '3')
  await limits('try', 'general', '--capacity', '1')

  const anonymous = []
  for (let i = 0; i < 6; i++) anonymous.push(await ask('192.0.2.4'))
  t.same(anonymous, [...times(2, 404), ...times(4, 429)])
  await until(async () => await tried() >= 5)
  t.equal(await tried(), 5, 'a candidate sees a refusal from memory once')

  const [much, little, late, later] = [1, 2, 3, 4].map(n => ({ id: 6_000_000 + n, username: `u.${n}` }))
  t.same([await ask('192.0.2.5', little), await ask('192.0.2.5', much), await ask('192.0.2.5', much)], times(3, 404))
  await until(async () => await tried() === 6)
  t.equal(await ask('192.0.2.5', late), 429, 'all users of the address have their tokens')
  t.same([await ask('192.0.2.5', much), await ask('192.0.2.5', later)], times(2, 429), 'which is known from now on')
  t.equal(await tried(), 6, 'a refusal of all users of the address says nothing of the candidate')
  await redis.client.select(2)
  const candidates = await redis.client.keys('gatehouse:bucket:candidate-general:user:600000*')
  await redis.client.select(0)
  t.same(candidates.map(key => key.slice(-7)).sort(), ['6000001', '6000002'], 'and nothing is taken for it')
})

t.end()
