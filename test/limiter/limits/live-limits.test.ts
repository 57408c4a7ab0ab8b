// Limits that are changed at run time hold on every replica, whatever happens to Redis, to its messages, to a replica
// or to what is written there.

import type { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import { listReplicas } from '#src/limiter/fleet/replicas.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { changeLimitsIn } from '#src/commands/limits/change-limits.js'
import type { Edit } from '#src/commands/limits/edits.js'
import { readHistory, readLimits, type LimitsDocument } from '#src/limiter/limits/limits-document.js'
import { defaultLimits, limitsDigest, type Limits } from '#src/limiter/limits/policies.js'
import { parseLimits } from '#src/limiter/limits/limits-file.js'
import { connect } from '#src/limiter/redis/redis-connection.js'
import { openStore, type ReplicaStore } from '#src/limiter/store.js'
import { keepCodes } from '../../fixtures/log.js'
import { startNetwork } from '../../fixtures/network.js'
import { startRedis } from '../../fixtures/redis.js'
import { until } from '../../fixtures/until.js'

const KEY = 'gatehouse:limits'
const redis = await startRedis(t, { args: ['--databases', '64'] })
let databases = 0

interface Replica { store: ReplicaStore, codes: string[], tried: string[] }

/** Even on a busy machine, a healthy Redis is not silent for this long. */
const PATIENCE_MS = 10_000

async function open (t: Test, redisUrl: string, limits: Limits = defaultLimits): Promise<Replica> {
  const { log, codes } = keepCodes()
  const tried: string[] = []
  const store = await openStore({ redisUrl, onRedisFailure: 'local', limits, redisTimeoutMs: PATIENCE_MS }, log, {
    onCandidateRefused: ({ name }) => tried.push(name)
  })
  t.after(() => store.close())
  return { store, codes, tried }
}

/** A Redis database for one test, and an operator who changes limits there. */
async function place (t: Test, redisUrl = `redis://127.0.0.1:${redis.port}/${++databases}`) {
  const client = await connect(redisUrl, () => {}, 4000) as Redis
  t.after(() => client.disconnect())
  return {
    redisUrl,
    client,
    edit: async (edit: Edit) =>
      (await changeLimitsIn(client, defaultLimits, edit, { by: 'test' })).after?.document.version,
    document: async () => (await readLimits(client, defaultLimits))?.document,
    open: (limits?: Limits) => open(t, redisUrl, limits)
  }
}

const set = (policy: string, capacity: number, more: object = {}): Edit =>
  ({ verb: 'set', policy, numbers: { capacity, ...more } })
const capacityOf = ({ store }: Replica, policy: 'login' | 'public' = 'login'): number =>
  store.limits.policies[policy].capacity
const versionOf = ({ store }: Replica): number => store.limits.version

async function admitted ({ store }: Replica, client: string, times: number): Promise<number> {
  let count = 0
  for (let i = 0; i < times; i++) {
    count += Number((await store.take(bucketOf(store.limits.policies.login, client))).allowed)
  }
  return count
}

t.jobs = 5

t.test('a change holds on three replicas within a second, and one that starts later has it too', async (t) => {
  const { open, edit, client, document } = await place(t)
  const replicas: Replica[] = await Promise.all([open(), open(), open()])
  const took: number[] = []
  for (const [i, one] of [set('login', 7), set('login', 3), set('login', 50, { refill: 20 })].entries()) {
    t.equal(await edit(one), i + 1)
    took.push(await until(() => replicas.every(replica => versionOf(replica) === i + 1)))
  }
  // A busy machine may delay one of them, but not most.
  t.ok(took.toSorted((a, b) => a - b)[1]! < 1000, `after ${took.join(', ')} ms`)
  replicas.push(await open())
  t.same(replicas.map(replica => capacityOf(replica)), [50, 50, 50, 50])
  let sum = 0
  for (let i = 0; i < 60; i++) sum += await admitted(replicas[i % 4]!, '192.0.2.1', 1)
  t.equal(sum, 50)
  t.match(await document(), {
    version: 3,
    at: /^\d{4}-.*Z$/,
    by: 'test',
    what: 'set',
    limits: { policies: { login: { capacity: 50, refill: 20, period: '1m' } } }
  })

  t.equal(await edit({ verb: 'unset', policy: 'login' }), 4)
  await until(() => replicas.every(replica => capacityOf(replica) === 5))
  const isCurrent = ({ limits, limitsVersion }: { limits?: string, limitsVersion?: number }): boolean =>
    limitsVersion === 4 && limits === limitsDigest(defaultLimits)
  await until(async () => (await listReplicas(client)).filter(isCurrent).length === 4, 'they say so at once')
})

t.test('a replica that hears no messages follows with its next heartbeat', async (t) => {
  const { edit, client, redisUrl } = await place(t)
  await client.call('ACL', 'SETUSER', 'deaf', 'on', 'nopass', '~*', 'resetchannels', '+@all')
  const deaf = await open(t, redisUrl.replace('redis://', 'redis://deaf:x@'))
  t.ok(deaf.codes.includes('resets_unheard'))
  await edit(set('login', 9))
  const ms = await until(() => capacityOf(deaf) === 9)
  t.ok(ms < 2000, `after ${ms} ms`)
})

t.test('if Redis comes back empty, a replica puts the limits back', async (t) => {
  const own = await startRedis(t)
  const { edit, redisUrl, client, document } = await place(t, own.url)
  const replicas = [await open(t, redisUrl), await open(t, redisUrl)]
  await edit(set('login', 3))
  await edit({ verb: 'try', policy: 'general', numbers: { capacity: 50 } })
  await until(() => replicas.every(replica => versionOf(replica) === 2))
  const before = await document()

  own.process.kill('SIGKILL')
  await until(async () => {
    for (const { store } of replicas) await store.take(bucketOf(store.limits.policies.login, 'probe'))
    return replicas.every(({ codes }) => codes.includes('redis_unavailable'))
  })
  t.same(replicas.map(replica => capacityOf(replica)), [3, 3], 'the last valid limits stay')
  const late = await open(t, redisUrl)
  t.equal(capacityOf(late), 5)
  await startRedis(t, { port: own.port })
  const ms = await until(async () => await document().catch(() => undefined) !== undefined)
  t.comment(`after ${ms} ms`)
  t.same(await document(), before)
  t.same(await readHistory(client), [before])
  await until(() => versionOf(late) === 2)
  t.equal(capacityOf(late), 3, 'a replica that started in the outage has them too')
  const restored = (): number =>
    replicas.flatMap(({ codes }) => codes).filter(code => code === 'limits_restored').length
  await until(() => restored() > 0)
  t.equal(restored(), 1)
  t.equal(await edit(set('login', 4)), 3)
  await until(() => [...replicas, late].every(replica => capacityOf(replica) === 4))
})

t.test('an older document, as of a backup, gives way to the newer one, but another of the same version is followed',
  async (t) => {
    const { edit, open, client, document } = await place(t)
    const replica = await open()
    await edit(set('login', 3))
    const old = await client.get(KEY)
    await edit(set('public', 4, { refill: 4 }))
    await until(() => versionOf(replica) === 2)
    await client.set(KEY, old!)
    await until(async () => (await document())?.version === 2)
    t.equal(capacityOf(replica, 'public'), 4)

    await client.set(KEY, old!.replace('"version":1', '"version":2'))
    await until(() => capacityOf(replica, 'public') === 600)
    t.equal(capacityOf(replica), 3)
  })

const document = { version: 9, at: '2026-01-01T00:00:00.000Z', by: 'someone', what: 'by hand' }
const row = { capacity: 7, refill: 1, period: '1m' }
const withLimits = (limits: unknown): string => JSON.stringify({ ...document, limits })
const broken = {
  'no JSON': 'nonsense',
  'no document': '{"login":{"capacity":3}}',
  'a capacity of 0': withLimits({ policies: { login: { ...row, capacity: 0 } } }),
  'a network twice': withLimits({ networks: { '10.0.0.0/8': {}, ' 10.0.0.0/8': { login: 'block' } } }),
  'an impossible version': JSON.stringify({ ...document, version: 1e15, limits: {} }),
  'no text to show': JSON.stringify({ ...document, by: 7, limits: {} }),
  'too deep': `{"version":9,"limits":${'['.repeat(9000)}${']'.repeat(9000)}}`
}
t.test('what somebody wrote by hand is read whole or not at all: the last valid limits stay, and the log says it once',
  async (t) => {
    const { edit, open, client, document } = await place(t)
    const replica = await open()
    await edit(set('login', 3))
    await until(() => versionOf(replica) === 1)
    const reports = (): number => replica.codes.filter(code => code === 'limits_broken').length
    for (const [i, [what, text]] of Object.entries(broken).entries()) {
      await client.set(KEY, text)
      await client.publish('gatehouse:reset', 'limits')
      await until(() => reports() === i + 1, what)
      await client.publish('gatehouse:reset', 'limits')
    }
    t.match(replica.store.limits.policies.login, { capacity: 3, off: undefined, candidate: undefined })
    t.same(replica.store.limits.networks, [])
    await new Promise(resolve => setTimeout(resolve, 1200))
    t.equal(reports(), Object.keys(broken).length, 'once for each text')
    t.equal(capacityOf(await open()), 5, 'a replica that starts has its own')
    await t.rejects(edit(set('login', 4)), /gatehouse:limits is not valid.* DEL it: a replica puts them back/)

    await client.del(KEY)
    await until(async () => (await document())?.version === 1)
    await client.set(KEY, withLimits({ policies: { login: row, 'of-a-module': 'nonsense' } }))
    await until(() => capacityOf(replica) === 7, 'a policy that no module here names is left out')
    await client.multi().del(KEY).hset(KEY, 'login', '{}').exec()
    await until(() => replica.codes.includes('limits_unread'))
    t.equal(await admitted(replica, '192.0.2.1', 9), 7)
    await t.rejects(edit(set('login', 4)), /Redis refuses: WRONGTYPE/)
    t.notOk(replica.codes.some(code => code.startsWith('redis_') || code === 'limiter_defect'))
  })

t.test('ten simultaneous edits all take effect, and none overwrites another', async (t) => {
  const { edit, open, client, document } = await place(t)
  const replica = await open()
  const networks = Array.from({ length: 10 }, (_, i) => `10.${i}.0.0/16`)
  await Promise.all(networks.map(network => edit({ verb: 'set', policy: 'general', network, rule: 'block' })))
  const { version, limits } = (await document())!
  t.equal(version, 10)
  t.same(Object.keys(limits.networks!).sort(), networks.sort())
  t.same((await readHistory(client)).map(({ version }) => version), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1])
  await until(() => replica.store.limits.networks.length === 10)
})

t.test('a change whose reply is lost fails, and says that it may have been written', async (t) => {
  const { redisUrl, document } = await place(t)
  const network = await startNetwork(t, redis.port)
  const admin = await connect(redisUrl.replace(String(redis.port), String(network.port)), () => {}, 2500)
  t.after(() => admin.disconnect())
  // Longer than this busy process may need to see what was written, and shorter than the timeout of a command.
  network.delayReplies = 1500

  const lost = t.rejects(changeLimitsIn(admin, defaultLimits, set('login', 20), { by: 'test' }),
    /does not say whether it was written.*limits history/)
  await until(async () => (await document())?.version === 1)
  network.tear()

  await lost
})

t.test('more networks than a document has room for are refused, with a way out', async (t) => {
  const { edit, client } = await place(t)
  // Few have room beside these: each change reads all of them.
  const networks = Object.fromEntries(Array.from({ length: 1400 }, (_, i) =>
    [`10.${i >> 8}.${i & 255}.0/24`, { general: 'block' }]))
  await client.set(KEY, withLimits({ networks }))
  const addUntilRefused = async (): Promise<void> => {
    for (let i = 0; i < 10; i++) {
      await edit({ verb: 'set', policy: 'general', network: `11.0.${i}.0/24`, rule: 'block' })
    }
  }
  await t.rejects(addUntilRefused(), /longer than 50000 characters, .*: put them into LIMITS_FILE$/)
})

t.test('the history has a bound, and a rollback goes as far back as it does', async (t) => {
  const { edit, client, document } = await place(t)
  for (let i = 1; i <= 105; i++) await edit(set('login', i + 5))
  const documents = await readHistory(client)
  t.equal(documents.length, 100)
  t.match(documents[0], { version: 105, by: 'test', what: 'set' })
  t.equal(await edit({ verb: 'rollback' }), 106)
  const capacity = async (): Promise<number | undefined> => (await document())?.limits.policies?.login?.capacity
  t.equal(await capacity(), 109)
  await t.rejects(edit({ verb: 'rollback', version: 5 }), /does not reach back to version 5/)
  await t.rejects(edit({ verb: 'rollback', version: 200 }), /no version 200; the newest is 106/)
  t.equal(await edit({ verb: 'rollback', version: 10 }), 107)
  t.equal(await capacity(), 15)
  t.equal(await edit({ verb: 'rollback', version: 10 }), 107, 'which changes nothing')

  // Whoever set this document ended before it was added to the history.
  await client.set(KEY, JSON.stringify({ ...await document() as LimitsDocument, version: 108 }))
  t.match((await readHistory(client)).slice(0, 2), [{ version: 108 }, { version: 107 }])
  t.equal(await edit(set('login', 6)), 109)
  t.match((await readHistory(client)).slice(0, 2), [{ version: 109 }, { version: 108 }])
})

t.test('a candidate counts what a bucket of its limits would have refused, and refuses nothing', async (t) => {
  const { edit, open, client } = await place(t)
  const replicas = [await open(), await open()] as const
  await edit(set('login', 20, { period: '1h' }))
  await edit({ verb: 'try', policy: 'login', numbers: { capacity: 3 } })
  await until(() => replicas.every(replica => versionOf(replica) === 2 && !replica.store.limits.policies.login.off))
  const candidate = { name: 'twin', capacity: 3, refill: 1, periodMs: 3_600_000 }
  let [refusals, twin] = [0, 0]
  for (let i = 0; i < 60; i++) {
    const { store } = replicas[i % 2]!
    const bucket = bucketOf(store.limits.policies.login, `192.0.2.${i % 2}`)
    // As in a request, a cached denial is not asked for again.
    const verdict = store.refuseAtOnce(bucket) ?? await store.take(bucket)
    refusals += Number(!verdict.allowed)
    twin += Number(!(await store.take(bucketOf(candidate, `192.0.2.${i % 2}`))).allowed)
  }
  t.equal(refusals, 20)
  await until(() => replicas[0].tried.length + replicas[1].tried.length === twin)
  t.equal(twin, 54)
  t.equal(await client.exists('gatehouse:bucket:candidate-login:192.0.2.0'), 1)

  t.equal(await edit({ verb: 'promote', policy: 'login' }), 3)
  await until(() => replicas.every(replica => capacityOf(replica) === 3))
  t.equal(await admitted(replicas[0], '192.0.2.9', 9), 3)
  await t.rejects(edit({ verb: 'promote', policy: 'login' }), /no candidate for login/)
})

t.test('replicas with other files keep them under what is changed for all', async (t) => {
  const { edit, open } = await place(t)
  const file = parseLimits('{"policies":{"public":{"capacity":7,"refill":7,"period":"1s"}},' +
    '"networks":{"203.0.113.0/24":{"login":"exempt"}}}')
  const replicas = [await open(), await open(file)] as const
  await edit(set('login', 3))
  await edit({ verb: 'set', policy: 'login', mode: 'off' })
  await edit({ verb: 'set', policy: 'general', network: '203.0.113.0/24', rule: 'block' })
  await until(() => replicas.every(replica => versionOf(replica) === 3))
  t.same(replicas.map(replica => capacityOf(replica, 'public')), [600, 7])
  t.match(replicas.map(({ store }) => store.limits.policies.login), [{ capacity: 3, off: true }, { capacity: 3 }])
  t.match(replicas[1].store.limits.networks, [{ overrides: { login: 'exempt', general: 'block' } }])
  t.match(replicas[0].store.limits.networks, [{ overrides: { login: undefined, general: 'block' } }])
})

t.test('without the right to read them, a replica limits by its own file, and says so once', async (t) => {
  const { edit, client, redisUrl, open: openOther } = await place(t)
  const keys = ['~gatehouse:bucket:*', '~gatehouse:replica*', '&*']
  await client.call('ACL', 'SETUSER', 'old', 'on', 'nopass', ...keys, '+@all')
  const old = await open(t, redisUrl.replace('redis://', 'redis://old:x@'))
  const other = await openOther()
  // Each change is announced, and makes it try again.
  for (const capacity of [3, 4]) await edit(set('login', capacity))
  await until(() => versionOf(other) === 2)
  t.equal(await admitted(old, '192.0.2.1', 9), 5)
  t.same(old.codes, ['limits_unread'])
})

t.end()
