/*
 * The duration of an answer does not reveal whether an account exists. Known and unknown names are tried in pairs of
 * random order, each name once. The two samples are compared by rank, as an attacker would. On a busy machine more
 * pairs are tried, until the samples are large enough to show a difference of a half, such as that of a step left out.
 * `npm run timing` shows one of a tenth, and CI runs it with nothing beside it.
 */

import { performance } from 'node:perf_hooks'
import bcrypt from 'bcrypt'
import t, { type Test } from 'tap'
import { accountKey } from '#src/auth/username.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { newUsername, startApp } from '../fixtures/app.js'

/** When a 429 was answered, its time is also in its words. */
const VOLATILE = /"timestamp":"[^"]*"|"(message|resetTime)":"[^"]*\d[^"]*"|"retryAfter":\d+/g

const exact = process.argv.includes('--exact')
/** The quotient of two durations that must be seen. */
const SEEN = exact ? 1.1 : 1.5
const LOGIN = { pairs: exact ? 16 : 12, atMost: 240 }
/** Each failure takes as long as the costliest hash. */
const COSTS = exact ? [10, 10, 11] : [10, 10, 10]
/** A shorter duration varies more, but more pairs are cheap. */
const FORGOT_PASSWORD = { pairs: exact ? 200 : 30, atMost: 10_000 }
const REFUSED = { pairs: exact ? 100 : 15, atMost: 5000 }
const { app, client } = await startApp(t, { BCRYPT_COST: '10' })
/** Hashes of each cost, two of which are as other systems write them. */
const hashes = await Promise.all(COSTS.map(async (cost, i) => {
  const hash = await bcrypt.hash('correct horse battery', cost)
  return [hash, hash.replace('$2b', '$2y'), hash.replace('$2b', '{bcrypt}$2a')][i]!
}))

// S4
t.test('a failed login or changePassword takes as long for unknown names', async (t) => {
  const [wrong, newPassword] = ['wrong horse battery', 'another horse battery']
  await cannotTellApart(t, LOGIN, {
    '/api/auth/login': username => ({ username, password: wrong }),
    '/auth/changePassword': username => ({ username, currentPassword: wrong, newPassword })
  }, 401)
})

t.test('a hash above BCRYPT_COST slows no success down, and one line counts such hashes', async (t) => {
  const { login, client, logs, user } = await startApp(t, { BCRYPT_COST: '10' })
  const { username, password } = await user()
  // So much dearer that other tests, which run beside this one, hide nothing.
  const cost = 14
  await user({ passwordHash: await bcrypt.hash(password, cost) })
  const times = async (password: string, status: number): Promise<number> => {
    const started = performance.now()
    t.equal((await login(client(), username, password)).statusCode, status)
    return performance.now() - started
  }
  // The costs are learned again with the first failure after ten seconds; the app of this test has learned them at its
  // start.
  const now = performance.now.bind(performance)
  t.intercept(performance, 'now', { value: () => now() + 11_000 })
  const failures = [await times('wrong', 401)]
  const successes = [await times(password, 200), await times(password, 200), await times(password, 200)]
  failures.push(await times('wrong', 401))
  // The shortest of each.
  const [success, failure] = [Math.min(...successes), Math.min(...failures)]
  t.ok(success < failure / 2, `${Math.round(success)} and ${Math.round(failure)} ms`)
  const lines = logs.filter(({ code }) => code === 'hash_costs_high')
  t.match(lines, [{ level: 40, accounts: 1, costs: [{ cost, accounts: 1 }] }])
  t.equal(lines.length, 1)
})

// S49
t.test('forgot-password takes as long for unknown names', async (t) => {
  await cannotTellApart(t, FORGOT_PASSWORD, { '/auth/forgot-password': username => ({ username }) }, 200)
})

// S4
t.test('a refusal of the account throttle takes as long for unknown names', async (t) => {
  const { account } = app.limits.policies
  const drained = async (username: string): Promise<void> => {
    while ((await app.buckets.take(bucketOf(account, accountKey(username)))).allowed);
  }
  await cannotTellApart(t, REFUSED, {
    '/api/auth/login': username => ({ username, password: 'wrong horse battery' })
  }, 429, drained)
})

/** @returns the names of so many new accounts */
async function accounts (count: number): Promise<string[]> {
  const names = Array.from({ length: count }, newUsername)
  await app.db.user.createMany({
    data: names.map((username, i) => ({
      username,
      email: `${username}@school.example`,
      passwordHash: hashes[i % hashes.length]!,
      userType: 'STUDENT',
      role: 'USER'
    }))
  })
  return names
}

async function cannotTellApart (
  t: Test,
  { pairs, atMost }: { pairs: number, atMost: number },
  bodiesOf: Record<string, (username: string) => object>,
  status: number,
  prepare: (username: string) => Promise<void> = async () => {}
): Promise<void> {
  const bodies = new Set<string>()
  const operations = Object.entries(bodiesOf)
  /** Names of one pair go to one operation. */
  async function timeOf (username: string, pair = 0): Promise<number> {
    const [url, bodyOf] = operations[pair % operations.length]!
    const remoteAddress = client()
    await prepare(username)
    const started = performance.now()
    const reply = await app.inject({ method: 'POST', url, remoteAddress, payload: bodyOf(username) })
    const took = performance.now() - started
    if (reply.statusCode !== status) throw new Error(`${username} was answered with ${reply.body}`)
    bodies.add(reply.body.replace(VOLATILE, ''))
    return took
  }

  for (let i = 0; i < 5; i++) await timeOf(newUsername())
  const [known, unknown]: [number[], number[]] = [[], []]
  const wouldSee = (): boolean => [SEEN, 1 / SEEN]
    .every(times => Math.abs(mannWhitneyZ(known.map(ms => ms * times), unknown)) > 4)
  do {
    for (const name of await accounts(pairs)) {
      const knownFirst = Math.random() < 0.5
      const pair = unknown.length
      if (knownFirst) known.push(await timeOf(name, pair))
      unknown.push(await timeOf(newUsername(), pair))
      if (!knownFirst) known.push(await timeOf(name, pair))
    }
  } while (!wouldSee() && known.length < atMost)

  const z = mannWhitneyZ(known, unknown)
  t.comment(
    `${known.length} pairs, medians ${median(known).toFixed(2)} and ${median(unknown).toFixed(2)} ms, z ${z.toFixed(2)}`
  )
  t.equal(bodies.size, operations.length, 'the answers of each operation are the same bytes')
  t.ok(Math.abs(z) < 4, 'chance alone makes a difference like this')
  t.ok(wouldSee(), `${SEEN} times as much would have been seen`)
}

/** How many standard deviations the rank sum of `a` is from where it would be if both samples were of one kind. */
function mannWhitneyZ (a: number[], b: number[]): number {
  const ranked = [...a.map(value => ({ value, ofA: true })), ...b.map(value => ({ value, ofA: false }))].sort((x, y) =>
    x.value - y.value)
  const rankSum = ranked.reduce((sum, { ofA }, i) => ofA ? sum + i + 1 : sum, 0)
  const u = rankSum - a.length * (a.length + 1) / 2
  const mean = a.length * b.length / 2
  return (u - mean) / Math.sqrt(mean * (a.length + b.length + 1) / 6)
}

function median (values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

t.end()
