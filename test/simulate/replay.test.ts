// A simulation decides like the service, with the same buckets, clients, routes and users. A suggestion is the capacity
// that trying all of them would find.

import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { HTTPMethods } from 'fastify'
import t, { type Test } from 'tap'
import type { Bucket, BucketStore } from '#src/limiter/bucket/bucket.js'
import { takeInTurn } from '#src/limiter/bucket/in-turn.js'
import { bucketOf, userOwner } from '#src/limiter/bucket/key.js'
import { createClientCache } from '#src/limiter/limits/known-clients.js'
import { parseLimits } from '#src/limiter/limits/limits-file.js'
import { createMemoryStore } from '#src/limiter/bucket/memory-store.js'
import { parseModules } from '#src/modules/modules-file.js'
import { createBucketTable } from '#src/simulate/kept-buckets.js'
import { Replay } from '#src/simulate/replay.js'
import type { TimedRequest } from '#src/access-log/requests.js'
import { createRoutePolicies } from '#src/simulate/route-policies.js'
import { CAPACITIES, createSuggestions } from '#src/simulate/suggestions.js'
import { startApp, type TestApp } from '../fixtures/app.js'
import { newDirectory } from '../fixtures/lifetime.js'

/** The same numbers in each run. */
function dice (): (sides: number) => number {
  let state = 42
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor(state / 2 ** 31 * sides)
  }
}

const limits = parseLimits(JSON.stringify({
  policies: {
    login: { capacity: 5, refill: 2, period: '10s' },
    general: {
      by: 'user', capacity: 4, refill: 3, period: '7s', address: { capacity: 9, refill: 5, period: '5s' }
    }
  },
  networks: {
    '192.0.2.0/31': { login: { capacity: 2, refill: 1, period: '30s' }, general: 'exempt' },
    '192.0.2.4': {
      general: { by: 'user', capacity: 6, refill: 1, period: '3s', address: { capacity: 6, refill: 6, period: '9s' } }
    }
  }
}))
const clientOf = createClientCache(limits)

/** Random requests of six clients and three users, some at the same moment; `most` of one client at once. */
function randomRequests (count: number, most: number, policies: Array<TimedRequest['policy']>): TimedRequest[] {
  const roll = dice()
  let timeMs = 1000
  return Array.from({ length: count }, () => {
    timeMs += roll(3) === 0 ? roll(4000) : 0
    return {
      timeMs,
      client: clientOf(roll(6) === 5 ? `2001:db8::${roll(9)}` : `192.0.2.${roll(6)}`, undefined),
      policy: policies[roll(policies.length)]!,
      status: [200, 404, 429, 503][roll(4)]!,
      count: 1 + roll(most),
      user: roll(2) === 0 ? undefined : roll(3)
    }
  })
}

/** The service's own store, at the times of the requests. */
async function storeAt (t: { intercept: typeof import('tap').default.intercept }) {
  let nowMs = 0
  t.intercept(performance, 'now', { value: () => nowMs })
  return { store: createMemoryStore(), setTime: (ms: number) => { nowMs = ms } }
}

async function admits (store: BucketStore, { client, policy, user }: TimedRequest): Promise<boolean> {
  const bucket = client!.bucketFor(policy)
  if (!bucket) return true
  const shared = client!.sharedBucketFor(policy)
  if (!shared || user === undefined) return (await store.take(bucket)).allowed
  const [, { allowed }] = await takeInTurn(store, bucketOf(bucket.policy, userOwner(user)), shared)
  return allowed
}

t.test('a random sequence gets the verdicts of the service\'s store, by address and user, one by one or many at once',
  async (t) => {
    for (const most of [1, 12]) {
      const { store, setTime } = await storeAt(t)
      const replay = new Replay()
      const wrong: unknown[] = []
      let refused = 0
      for (const request of randomRequests(500, most, ['login', 'general', 'forgot-password'])) {
        setTime(request.timeMs)
        let expected = 0
        for (let i = 0; i < request.count; i++) expected += Number(await admits(store, request))
        const { admitted } = replay.take(request)
        if (admitted !== expected) wrong.push({ request, expected, admitted })
        refused += request.count - admitted
      }
      t.same(wrong, [], `up to ${most} at once`)
      t.ok(refused > 50)
      t.equal(replay.dropped(), 0)
    }
  })

t.test('a suggestion is the smallest capacity with which the service\'s store refuses few enough', async (t) => {
  const { store, setTime } = await storeAt(t)
  for (const most of [1, 12]) {
    const requests = randomRequests(150, most, ['login'])
    const suggestions = createSuggestions(limits)
    const replay = new Replay()
    for (const request of requests) suggestions.add(request, replay.take(request))

    const { login } = limits.policies
    const good = requests.filter(({ client, status }) => client!.bucketFor('login')!.policy === login && status < 429)
    const goodCount = good.reduce((sum, { count }) => sum + count, 0)
    const tried: Array<{ capacity: number, refused: number }> = []
    for (const capacity of CAPACITIES.filter(capacity => capacity >= login.refill)) {
      const refused = await refusedWith({ ...login, name: `login-${most}-${capacity}`, capacity })
      tried.push({ capacity, refused })
      if (refused === 0) break
    }
    for (const share of [0.5, 0.2, 0.05, 0.001]) {
      const [found] = suggestions.best(share)
      const best = tried.find(({ refused }) => refused < share * goodCount)
      t.match(found, { policy: 'login', good: goodCount, ...best }, `${share}, up to ${most} at once`)
    }

    async function refusedWith (policy: Bucket['policy']): Promise<number> {
      let refused = 0
      for (const request of requests) {
        const { client, timeMs, status, count } = request
        if (client!.bucketFor('login')!.policy !== login) continue
        setTime(timeMs)
        const bucket = bucketOf(policy, client!.key)
        for (let i = 0; i < count; i++) {
          if (!(await store.take(bucket)).allowed && status < 429) refused++
        }
      }
      return refused
    }
  }
  t.same(createSuggestions(limits).best(0.001), [], 'no request, no suggestion')
})

t.test('buckets that are dropped before they are full are counted, and full ones are not', async (t) => {
  const kept = createBucketTable<{ fullAtMs: number }>(1000)

  for (let i = 0; i < 1000; i++) kept.set(`full ${i}`, { fullAtMs: 5 }, 1)
  for (let i = 0; i < 1500; i++) kept.set(`${i}`, { fullAtMs: 1000 }, 10)

  t.equal(kept.dropped(), 500)
  t.equal(kept.get('0'), undefined)
  t.ok(kept.get('500'))
})

t.test('a request takes from the policy that the service takes from, in any spelling', async (t) => {
  const MODULES = '/api/student=http://127.0.0.1:9;policy=marks;public,/api/hostel=http://127.0.0.1:9;public'
  const directory = newDirectory(t, { 'limits.json': '{"policies":{"marks":{"capacity":7,"refill":1,"period":"1m"}}}' })
  const { app, client, logs } = await startApp(t, {
    MODULES, DOCS: 'true', LIMITS_FILE: join(directory, 'limits.json')
  })
  const routes = { modules: parseModules(MODULES), docs: true, sessionHours: 12 }
  const policyOf = createRoutePolicies(routes)
  const urls = [
    '/api/auth/login', '/auth/login', '/api/auth/%6cogin', '/api/auth/login/', '/api/auth%2flogin', '/%zz', '/%ff',
    '/api/auth/login?x=%zz', '/api/auth/login#x', '/API/auth/login', '/api/auth/me', '/auth/UserCreation',
    '/api/auth/UserCreation', '/auth/forgot-password', '/api/auth/forgot-password', '/auth/resetPassword',
    '/api/auth/resetPassword', '/reset-password', '/.well-known/jwks.json', '/.well-known/jwks%2ejson', '/docs',
    '/docs/openapi.json', '/api/student', '/api/student/', '/api/student/1?x', '/api/students', '/api/%73tudent/1',
    '/api/hostel/1', '/', '*', '/nowhere', ...routes.modules.map(({ prefix }) => `${prefix}/1`)
  ]
  await sameAsTaken(t, { app, client, logs }, policyOf, urls)
})

t.test('so it does without sessions, and where a module has no upstream', async (t) => {
  const MODULES = '/api/hr;policy=hr;public'
  const directory = newDirectory(t, { 'limits.json': '{"policies":{"hr":{"capacity":7,"refill":1,"period":"1m"}}}' })
  const { app, client, logs } = await startApp(t, {
    MODULES, SESSION_HOURS: '0', LIMITS_FILE: join(directory, 'limits.json')
  })
  const routes = { modules: parseModules(MODULES), docs: false, sessionHours: 0 }
  await sameAsTaken(t, { app, client, logs }, createRoutePolicies(routes), [
    '/api/auth/refresh', '/api/auth/sessions', '/api/auth/sessions/1', '/api/hr', '/api/hr/1'
  ])
})

/** For the target, as other servers log it, and for the route, as the service does. */
async function sameAsTaken (
  t: Test, { app, client, logs }: Pick<TestApp, 'app' | 'client' | 'logs'>,
  policyOf: ReturnType<typeof createRoutePolicies>, urls: string[]
): Promise<void> {
  for (const url of urls) {
    for (const method of ['GET', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'TRACE']) {
      const remoteAddress = client()
      const payload = method === 'POST' ? { payload: {} } : {}
      await app.inject({ method: method as HTTPMethods, url, remoteAddress, ...payload })
      const taken: string[] = []
      for await (const { policyName } of app.buckets.list({ owner: remoteAddress })) taken.push(policyName)
      const { route } = logs.find(line => line.client === remoteAddress)!
      t.same(taken, [policyOf(method, url)], `${method} ${url}`)
      t.same(taken, [policyOf(method, String(route ?? ''))], `${method} ${url}, logged as ${String(route)}`)
    }
  }
}

t.end()
