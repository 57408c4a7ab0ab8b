// Limits that are changed at run time hold on every replica, whatever happens to Redis, to its messages, to a replica
// or to what is written there.

import type { Redis } from 'ioredis'
import t, { type Test } from 'tap'
import type { Policy } from '#src/limiter/bucket/bucket.js'
import type { FailureMode } from '#src/limiter/layers/fallback.js'
import { GIVEN_UP_AFTER_MS } from '#src/limiter/fleet/heartbeat.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { editLimits, type Edit } from '#src/limiter/limits/edits.js'
import { readState } from '#src/limiter/limits/document.js'
import { parseLimits } from '#src/limiter/limits/limits-file.js'
import { connect } from '#src/limiter/redis/connection.js'
import { defaultLimits, type Limits } from '#src/limiter/limits/policies.js'
import { openStore, type ReplicaStore } from '#src/limiter/store.js'
import { keepCodes } from '../../fixtures/log.js'
import { startNetwork } from '../../fixtures/network.js'
import { run } from '../../fixtures/process.js'
import { startCluster, startRedis, startReplica, startSentinels } from '../../fixtures/redis.js'
import { until } from '../../fixtures/until.js'

const redis = await startRedis(t, { args: ['--databases', '64'] })
let databases = 0

interface Replica { store: ReplicaStore, codes: string[], tried: string[] }

/** Even on a busy machine, a healthy Redis is not silent for this long. */
const PATIENCE_MS = 10_000

async function open (
  t: Test, redisUrl: string, limits: Limits = defaultLimits, onRedisFailure: FailureMode = 'local'
): Promise<Replica> {
  const { log, codes } = keepCodes()
  const tried: string[] = []
  const store = await openStore({ redisUrl, onRedisFailure, limits, redisTimeoutMs: PATIENCE_MS }, log, {
    onCandidateRefused: ({ name }) => tried.push(name)
  })
  t.after(() => store.close())
  return { store, codes, tried }
}

/** A Redis database for one test, and an operator who changes limits there. */
async function place (t: Test, redisUrl = `redis://127.0.0.1:${redis.port}/${++databases}`) {
  const client = await connect(redisUrl, () => {}, 4000) as Redis
  t.after(() => client.disconnect())
  const edit = async (edit: Edit): Promise<number> =>
    (await editLimits(client, defaultLimits, edit, edit.verb, { by: 'test' })).version
  return { redisUrl, client, edit, open: (limits?: Limits) => open(t, redisUrl, limits) }
}

const set = (policy: string, capacity: number, more: object = {}): Edit =>
  ({ verb: 'set', policy, numbers: { capacity, ...more } })
const capacityOf = ({ store }: Replica, policy: 'login' | 'public' = 'login'): number =>
  store.limits.policies[policy].capacity
const versionOf = ({ store }: Replica): number => store.limits.state.version

async function admitted (replica: Replica, client: string, times: number, of = (limits: Limits): Policy =>
  limits.policies.login): Promise<number> {
  let count = 0
  for (let i = 0; i < times; i++) {
    count += Number((await replica.store.take(bucketOf(of(replica.store.limits), client))).allowed)
  }
  return count
}

/**
 * Sets a limit as if it had always been there. The former limits count as another replica's for 2.4 s more: with their
 * periods of minutes, a bucket is full sooner than with hours.
 */
async function beginWith (replicas: Replica[], edit: (edit: Edit) => Promise<number>, limit: Edit): Promise<void> {
  const version = await edit(limit)
  await until(() => replicas.every(replica => versionOf(replica) === version))
  await new Promise(resolve => setTimeout(resolve, 5000))
}

t.jobs = 5

t.test('a change holds on three replicas within a second, and one that starts later has it too', async (t) => {
  const { open, edit, client } = await place(t)
  const replicas: Replica[] = await Promise.all([open(), open(), open()])
  const took: number[] = []
  for (const [i, one] of [set('login', 7), set('login', 3), set('login', 50, { refill: 20 })].entries()) {
    const version = await edit(one)
    t.equal(version, i + 1)
    took.push(await until(() => replicas.every(replica => versionOf(replica) === version)))
  }
  // A busy machine may delay one of them, but not most.
  t.ok(took.toSorted((a, b) => a - b)[1]! < 1000, `after ${took.join(', ')} ms`)
  t.same(replicas.map(replica => capacityOf(replica)), [50, 50, 50])
  replicas.push(await open())
  t.equal(capacityOf(replicas[3]!), 50)
  let sum = 0
  for (let i = 0; i < 60; i++) sum += await admitted(replicas[i % 4]!, '192.0.2.1', 1)
  t.equal(sum, 50)

  t.equal(await edit({ verb: 'unset', policy: 'login' }), 4)
  await until(() => replicas.every(replica => capacityOf(replica) === 5))
  t.equal(await client.hexists('gatehouse:limits', 'login'), 0)
})

t.test('while limits change, a client that alternates gets no more than the larger one', async (t) => {
  const { edit, redisUrl, client: admin, open: openHere } = await place(t)
  // One replica receives no messages, so it is the last to know.
  await admin.call('ACL', 'SETUSER', 'deaf', 'on', 'nopass', '~*', 'resetchannels', '+@all')
  const [first, deaf] = [await openHere(), await open(t, redisUrl.replace('redis://', 'redis://deaf:x@'))]
  let clients = 0
  for (const [from, to] of [[5, 10], [10, 4], [4, 20]] as const) {
    await beginWith([first, deaf], edit, set('login', from, { period: '1h' }))
    const changed = edit(set('login', to, { period: to > from ? '30m' : '2h' }))
    const sums: number[] = []
    const larger = Math.max(from, to)
    for (let settled = 0; settled < 2;) {
      const client = `198.51.100.${++clients}`
      settled += Number([first, deaf].every(replica => capacityOf(replica) === to))
      // A refusal could repair the bucket by the smaller limit. Then the other replica would admit more.
      let sum = 0
      for (const replica of [first, deaf, first, deaf]) sum += await admitted(replica, client, larger + 1)
      sums.push(sum)
    }
    await changed
    t.ok(Math.max(...sums) <= larger, `${Math.max(...sums)} of ${larger} to one of ${sums.length} clients`)
    t.equal(sums.at(-1), to)
  }
})

t.test('a client that takes continuously while limits change gets no more than the larger one', async (t) => {
  const { edit, redisUrl, client: admin, open: openHere } = await place(t)
  await admin.call('ACL', 'SETUSER', 'deaf', 'on', 'nopass', '~*', 'resetchannels', '+@all')
  const replicas = [await openHere(), await open(t, redisUrl.replace('redis://', 'redis://deaf:x@'))]
  for (const [i, [from, to]] of [[4, 20], [10, 4], [5, 6]].entries()) {
    await beginWith(replicas, edit, set('login', from!, { period: '1h' }))
    let sum = await admitted(replicas[0]!, `203.0.113.${i}`, from! + 1)
    const changed = edit(set('login', to!, { period: to! > from! ? '30m' : '2h' }))
    for (let settled = 0; settled < 2;) {
      settled += Number(replicas.every(replica => capacityOf(replica) === to))
      for (const replica of [...replicas, ...replicas]) {
        sum += await admitted(replica, `203.0.113.${i}`, Math.max(from!, to!) + 1)
      }
      // Cached denials are answered at once, so the loop needs a pause.
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    await changed
    t.equal(sum, Math.max(from!, to!))
  }
})

t.test('a replica that stalled while limits changed does not read an emptied bucket as full', async (t) => {
  const { edit, redisUrl, client, open: openHere } = await place(t)
  const network = await startNetwork(t, redis.port)
  const here = await openHere()
  // On a slow machine it may stall for so long that the others do not count it any more. Then it uses Redis only when
  // they know it again, and admits no take until then.
  const still = await open(t, redisUrl.replace(String(redis.port), String(network.port)), defaultLimits, 'closed')
  await beginWith([here, still], edit, set('login', 20, { period: '1h' }))
  await until(async () => await client.zcard('gatehouse:replicas') === 2)
  let goOn = (): void => {}
  network.heldUp = new Promise((resolve) => { goOn = resolve })
  const heldUpAtMs = performance.now()
  await edit(set('login', 20, { refill: 20 }))
  // Others wait for a replica for 1.2 s, and give it up after 3.5 s.
  await until(() => here.store.limits.policies.login.refill === 20)
  t.equal(still.store.limits.policies.login.refill, 1)
  const clients = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
  t.same(await Promise.all(clients.map(one => admitted(here, one, 21))), [20, 20, 20])
  goOn()
  const decided: number[] = []
  await until(async () => {
    while (decided.length < clients.length) decided.push(await admitted(still, clients[decided.length]!, 1))
    return true
  })
  t.same(decided, [0, 0, 0])
  const isGivenUp = performance.now() - heldUpAtMs > GIVEN_UP_AFTER_MS
  if (!isGivenUp) t.notOk(still.codes.includes('redis_unavailable'), 'and asks Redis')
})

t.test('a slower refill returns no tokens that were taken, even on a replica that starts later', async (t) => {
  const { edit, client, open } = await place(t)
  const replica = await open()
  await beginWith([replica], edit, set('login', 20, { refill: 20, period: '1h' }))
  const [emptied, used, other] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const
  t.same([await admitted(replica, emptied, 21), await admitted(replica, other, 21)], [20, 20])
  t.equal(await admitted(replica, used, 12), 12)
  // Limits in between return nothing either.
  await beginWith([replica], edit, set('login', 20, { refill: 10, period: '1h' }))
  await beginWith([replica], edit, set('login', 20, { refill: 1, period: '1d' }))
  const replicas = [replica, await open()]
  for (const replica of replicas) {
    t.equal(await admitted(replica, emptied, 3), 0)
    const bucket = bucketOf(replica.store.limits.policies.login, emptied)
    t.match(await replica.store.peek(bucket), { remaining: 0 })
  }
  t.equal(await admitted(replicas[1]!, used, 21), 8)
  t.equal(await admitted(replicas[1]!, other, 1), 0)
  // By now all buckets have been written under the new limits, so no client waits for longer than their period. A third
  // replica has no cached denials.
  const third = await open()
  for (const owner of [emptied, used, other]) {
    const key = `gatehouse:bucket:login:${owner}`
    const fullMs = await client.pttl(key)
    const day = 86_400_000
    t.ok(fullMs > 20 * day - 60_000 && fullMs <= 20 * day, `full in ${fullMs} ms`)
    await client.pexpire(key, fullMs - day)
    t.equal(await admitted(third, owner, 3), 1)
  }
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

t.test('if Redis comes back empty, a replica writes the limits and their history back', async (t) => {
  const own = await startRedis(t)
  const { edit, redisUrl, client } = await place(t, own.url)
  const replicas = [await open(t, redisUrl), await open(t, redisUrl)]
  await edit(set('login', 3))
  await edit({ verb: 'try', policy: 'general', numbers: { capacity: 50 } })
  await until(() => replicas.every(replica => versionOf(replica) === 2))
  const before = await readState(client)

  own.process.kill('SIGKILL')
  await until(async () => {
    for (const { store } of replicas) await store.take(bucketOf(store.limits.policies.login, 'probe'))
    return replicas.every(({ codes }) => codes.includes('redis_unavailable'))
  })
  t.same(replicas.map(replica => capacityOf(replica)), [3, 3], 'the last good limits stay')
  const late = await open(t, redisUrl)
  t.equal(capacityOf(late), 5)
  await startRedis(t, { port: own.port })
  const ms = await until(async () => (await readState(client)).tag === before.tag)
  t.same(await readState(client), before)
  t.comment(`after ${ms} ms`)
  await until(() => versionOf(late) === 2)
  t.equal(capacityOf(late), 3, 'a replica that started in the outage has them too')
  t.ok(replicas.flatMap(({ codes }) => codes).includes('limits_restored'))
  t.equal(await edit(set('login', 4)), 3)
  await until(() => [...replicas, late].every(replica => capacityOf(replica) === 4))
})

t.test('an older state, as of a backup, is replaced by the newer one, but one that only differs is followed',
  async (t) => {
    const { edit, open, client } = await place(t)
    const replica = await open()
    await edit(set('login', 3))
    const old = await client.hgetall('gatehouse:limits')
    await edit(set('public', 4, { refill: 4 }))
    await until(() => versionOf(replica) === 2)
    // This is one transaction, because the replica would write its own state into a hash that it finds empty.
    const restore = (hash: object) => client.multi().del('gatehouse:limits').hset('gatehouse:limits', hash).exec()
    await restore(old)
    await until(async () => (await readState(client)).version === 2)
    t.equal(capacityOf(replica, 'public'), 4)

    await restore({ ...old, ':version': '2-00000000' })
    await until(() => capacityOf(replica, 'public') === 600)
    t.equal(capacityOf(replica), 3)
    t.same(replica.codes.filter(code => code === 'limits_replaced').length, 1, 'of which the log tells')
  })

const broken = {
  'no JSON': 'nonsense',
  'a capacity of 0': '{"any":{"capacity":0,"refill":1,"period":"1m"}}',
  'numbers that are missing': '{"any":{"capacity":9}}',
  'an unknown mode': '{"any":{"mode":"open"}}',
  'everyone exempt': '{"any":"exempt"}',
  'no network': '{"networks":{"10.1.2.3/8":"block"}}',
  'a network twice': '{"networks":{"10.0.0.0/8":"block"," 10.0.0.0/8":"exempt"}}',
  'a candidate of 0': '{"candidate":{"capacity":1,"refill":0,"period":"1m"}}',
  'a null': '{"networks":{"10.0.0.0/8":null}}',
  'another word': '{"any":{"mode":"off"},"admit":true}',
  'too long': `{"any":{"mode":"off"}}${' '.repeat(20_001)}`,
  'too deep': `{"any":{"capacity":${'['.repeat(9000)}${']'.repeat(9000)}}}`
}
t.test('a field that is broken affects its policy alone, which keeps its last good value, and is logged once',
  async (t) => {
    const { edit, open, client } = await place(t)
    const replica = await open()
    await edit(set('login', 3))
    await until(() => versionOf(replica) === 1)
    let version = 1
    for (const [what, text] of Object.entries(broken)) {
      const reports = replica.codes.filter(code => code === 'limits_field_broken').length
      await client.hset('gatehouse:limits', {
        login: text,
        public: `{"any":{"capacity":${++version},"refill":1,"period":"1m"}}`,
        ':version': `${version}-00000000`
      })
      await client.publish('gatehouse:reset', 'limits')
      await until(() => versionOf(replica) === version, what)
      t.equal(capacityOf(replica, 'public'), version, what)
      t.match(replica.store.limits.policies.login, { capacity: 3, mode: undefined, candidate: undefined }, what)
      t.same(replica.store.limits.networks, [], what)
      t.equal(replica.codes.filter(code => code === 'limits_field_broken').length, reports + 1, what)
    }
    t.equal(capacityOf(await open()), 5, 'without a good value, that of its own limits holds')
    t.equal(await edit(set('login', 6)), version + 1, 'and a change replaces it')
    await until(() => capacityOf(replica) === 6)
  })

t.test('a change repairs the broken parts of the document of its policy, and keeps the rest', async (t) => {
  const { client, edit } = await place(t)
  const network = { '10.1.0.0/16': 'exempt' }
  const faults = [{ any: null }, { networks: null }, { candidate: 5 }, { networks: { bad: 'exempt' } }, { x: 1 }]
  for (const broken of faults) {
    const document = { networks: network, ...broken }
    await client.hset('gatehouse:limits', { login: JSON.stringify(document) })
    await edit({ verb: 'try', policy: 'login', numbers: { capacity: 3 } })
    const { networks, candidate, ...rest } =
      JSON.parse((await client.hget('gatehouse:limits', 'login'))!) as Record<string, object>
    const kept = 'networks' in broken ? undefined : network
    t.strictSame([networks, candidate, rest], [kept, { capacity: 3, refill: 1, period: '1m' }, {}])
  }
})

t.test('whatever else is under the key, limits stay in force, and takes are decided', async (t) => {
  const { open, client, edit } = await place(t)
  const replica = await open()
  // The refill is the same as before, so that a bucket means the same while the former limits still count, and after.
  await edit(set('login', 3))
  await until(() => capacityOf(replica) === 3)
  await client.set('gatehouse:limits', 'nonsense')
  await until(() => replica.codes.includes('limits_unread'))
  t.equal(await admitted(replica, '192.0.2.1', 9), 3)
  await t.rejects(edit(set('login', 4)), /Redis refuses: WRONGTYPE gatehouse:limits is no hash. DEL it: a replica/)
  await client.del('gatehouse:limits')
  await until(async () => await client.hget('gatehouse:limits', 'login') !== null)
  const nonsense = { ':version': 'x'.repeat(1000), ':9': '{"before":null}', ':x': '\u0000', '': '' }
  await client.hset('gatehouse:limits', nonsense)
  await until(async () => (await readState(client)).version === 1)
  t.equal(await admitted(replica, '192.0.2.2', 9), 3)

  const reports = (): number => replica.codes.filter(code => code === 'limits_unread').length
  const fields = Object.fromEntries(Array.from({ length: 2001 }, (_, i) => [`p${i}`, '{}']))
  for (const large of [{ ':version': 'x'.repeat(17_000_000) }, { login: 'x'.repeat(17_000_000) }, fields]) {
    const before = reports()
    await client.hset('gatehouse:limits', { ':version': '9-00000000', ...large })
    await until(() => reports() > before)
    t.equal(await admitted(replica, '192.0.2.3', 9), before === 1 ? 3 : 0)
    await t.rejects(edit(set('login', 4)), /DEL it: a replica writes/)
    await client.del('gatehouse:limits')
    await until(async () => (await readState(client)).version === 1)
  }
  t.notOk(replica.codes.some(code => code.startsWith('redis_')), 'the connection of takes is kept')
  t.notOk(replica.codes.includes('limiter_defect'))
})

t.test('a defect is logged with its stack, once, and the replica follows when it is gone', async (t) => {
  const { redisUrl, edit, client } = await place(t)
  let [broken, thrown] = [false, 0]
  const limits: Limits = {
    networks: [],
    get policies () {
      if (!broken) return defaultLimits.policies
      thrown++
      throw new TypeError('a defect of a test')
    }
  }
  const lines: Array<{ code?: string, err?: Error }> = []
  const keep = (details: object): void => { lines.push(details) }
  const ignore = (): void => {}
  const log = { info: ignore, warn: keep, error: keep }
  const store = await openStore({ redisUrl, onRedisFailure: 'local', limits, redisTimeoutMs: 2000 }, log)
  t.after(() => store.close())

  broken = true
  await edit(set('login', 7))
  await until(async () => {
    await client.publish('gatehouse:reset', 'limits')
    return thrown > 5
  })
  t.match(lines, [{ code: 'limiter_defect', err: { message: 'a defect of a test', stack: /^TypeError.*\n +at / } }])
  t.equal(lines.length, 1)
  t.equal(store.limits.state.version, 0)
  broken = false
  await until(() => store.limits.policies.login.capacity === 7)
  t.equal(lines.length, 1)
})

t.test('an impossibly high version is overwritten, and limits can be changed again', async (t) => {
  const { open, edit, client } = await place(t)
  const replica = await open()
  t.equal(await edit(set('login', 7)), 1)
  await until(() => capacityOf(replica) === 7)
  for (const version of ['999999999999999', '999999999', '1000001']) {
    await client.hset('gatehouse:limits', ':version', `${version}-00000000`)
    await until(async () => /^1-/.test(await client.hget('gatehouse:limits', ':version') ?? ''), version)
    t.equal(capacityOf(replica), 7)
  }
  t.equal(await edit(set('login', 9)), 2)
  await until(() => capacityOf(replica) === 9)
})

t.test('a change succeeds only if it survives a loss of Redis\'s data meanwhile', async (t) => {
  await Promise.all([0, 2, 4, 8, 16, 32].map(async (afterMs) => {
    const { open, edit, client, redisUrl } = await place(t)
    const replicas = [await open(), await open()]
    for (const capacity of [7, 8, 9]) await edit(set('login', capacity))
    await until(() => replicas.every(replica => versionOf(replica) === 3))
    const connections = async (): Promise<number> =>
      (await client.call('CLIENT', 'LIST') as string).split(` db=${client.options.db} `).length
    const before = await connections()
    const command = run('cli', ['limits', 'set', 'public', '--capacity', '700'], { REDIS_URL: redisUrl })
    await until(async () => await connections() > before)
    await new Promise(resolve => setTimeout(resolve, afterMs))
    await client.flushdb()
    const { code, stdout, stderr } = await command
    await until(() => replicas.every(replica => versionOf(replica) >= 3))
    const { version, fields } = await readState(client)
    t.comment(`after ${afterMs} ms: ${stdout}${stderr}`)
    // Each replica is listed again with its next heartbeat.
    if (code === 0) t.match(stdout, new RegExp(`^Version ${version}, held by (1 of 1|2 of 2) replicas\\.\n`))
    else t.match(stderr, /version \d was lost.* Try again/)
    t.equal(fields.has('public'), code === 0)
    t.equal(fields.has('login'), true)
  }))
})

t.test('ten simultaneous edits all take effect, and none overwrites another', async (t) => {
  const { edit, open, client } = await place(t)
  const replica = await open()
  const networks = Array.from({ length: 10 }, (_, i) => `10.${i}.0.0/16`)
  const outcomes = await Promise.allSettled(networks.map(network =>
    edit({ verb: 'set', policy: 'general', network, rule: 'block' })))
  const landed = outcomes.filter(({ status }) => status === 'fulfilled').length
  const { version, history, fields } = await readState(client)
  t.equal(landed, 10)
  t.equal(version, 10)
  t.equal(new Set(history.map(({ version }) => version)).size, 10)
  t.same(Object.keys(JSON.parse(fields.get('general')!).networks).sort(), networks.sort())
  await until(() => replica.store.limits.networks.length === 10)
})

t.test('the later of two simultaneous rollbacks does not undo the earlier one', async (t) => {
  const { edit, client } = await place(t)
  for (const capacity of [7, 8, 9]) await edit(set('login', capacity))
  const outcomes = await Promise.allSettled([edit({ verb: 'rollback' }), edit({ verb: 'rollback' })])
  t.match((await readState(client)).fields.get('login'), '"capacity":8')
  t.same(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const { reason } = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult
  t.match((reason as Error).message, /name the version|nothing was undone/)
  await t.rejects(edit({ verb: 'rollback' }), /version 4 is a rollback itself: .* name the version/)
  t.equal(await edit({ verb: 'rollback', version: 3 }), 5)
  t.match((await readState(client)).fields.get('login'), '"capacity":9')
})

t.test('a change whose reply is lost is made once, and the command says if its outcome is unknown', async (t) => {
  const { client, redisUrl } = await place(t)
  const network = await startNetwork(t, redis.port)
  const admin = await connect(redisUrl.replace(String(redis.port), String(network.port)), () => {}, 2500)
  t.after(() => admin.disconnect())
  const change = (capacity: number) => editLimits(admin, defaultLimits, set('login', capacity), 'set', { by: 'test' })
  /** Longer than this busy process may need to see what was written, and shorter than the timeout of a command. */
  const DELAY_MS = 1500
  t.equal((await change(7)).version, 1)

  for (const version of [2, 3]) {
    // The change is written, and no reply of Redis arrives.
    const tearOnceWritten = (async () => {
      await until(async () => await client.hexists('gatehouse:limits', `:${version}`) === 1)
      network.tear()
    })()
    network.delayReplies = DELAY_MS
    const changed = change(version + 6)
    await tearOnceWritten
    network.delayReplies = 0
    t.equal((await changed).version, version)
    t.equal((await readState(client)).version, version, 'once')
  }

  network.delayReplies = DELAY_MS
  const lost = t.rejects(change(20), /does not say whether version 4 was written.*limits history/)
  await until(async () => await client.hexists('gatehouse:limits', ':4') === 1)
  network.cut = true
  network.tear()
  await lost
})

t.test('more networks than fit into one policy are refused, with a way out', async (t) => {
  const { edit, client } = await place(t)
  const networks = Object.fromEntries(Array.from({ length: 760 }, (_, i) => [`10.${i >> 8}.${i & 255}.0/24`, 'block']))
  await client.hset('gatehouse:limits', { general: JSON.stringify({ networks }), ':version': '1-00000000' })
  const add = (network: string): Promise<number> => edit({ verb: 'set', policy: 'general', network, rule: 'block' })
  const addUntilRefused = async (): Promise<void> => {
    for (let i = 0; i < 100; i++) await add(`11.0.${i}.0/24`)
  }
  await t.rejects(addUntilRefused(), /^general: longer than 20000 characters, .*: put them into LIMITS_FILE$/)
})

t.test('the history has a bound, and a rollback goes as far back as it does', async (t) => {
  const { edit, client } = await place(t)
  for (let i = 1; i <= 105; i++) await edit(set('login', i + 5))
  const { history } = await readState(client)
  t.equal(history.length, 100)
  t.match(history[0], { version: 105, by: 'test', what: 'set' })
  t.equal(await edit({ verb: 'rollback' }), 106)
  t.match((await readState(client)).fields.get('login'), '"capacity":109')
  await t.rejects(edit({ verb: 'rollback', version: 5 }), /does not reach back to version 5/)
  await t.rejects(edit({ verb: 'rollback', version: 200 }), /no version 200; the newest is 106/)
  t.equal(await edit({ verb: 'rollback', version: 10 }), 107)
  t.match((await readState(client)).fields.get('login'), '"capacity":15')
  t.equal(await edit({ verb: 'rollback', version: 10 }), 107, 'which changes nothing')
})

t.test('a candidate counts what a bucket of its limits would have refused, and refuses nothing', async (t) => {
  const { edit, open, client } = await place(t)
  const replicas = [await open(), await open()] as const
  await edit(set('login', 20, { period: '1h' }))
  await edit({ verb: 'try', policy: 'login', numbers: { capacity: 3 } })
  await until(() => replicas.every(replica => versionOf(replica) === 2 && !replica.store.limits.policies.login.mode))
  const candidate = { name: 'twin', capacity: 3, refill: 1, periodMs: 3_600_000 }
  let [refusals, twin] = [0, 0]
  for (let i = 0; i < 60; i++) {
    const { store } = replicas[i % 2]!
    const bucket = bucketOf(store.limits.policies.login, `192.0.2.${i % 2}`)
    // As in a request, a cached denial is not asked for again.
    const verdict = store.knownRefusal(bucket) ?? await store.take(bucket)
    refusals += Number(!verdict.allowed)
    twin += Number(!(await store.take(bucketOf(candidate, `192.0.2.${i % 2}`))).allowed)
  }
  t.equal(refusals, 20)
  await until(() => replicas[0].tried.length + replicas[1].tried.length === twin)
  t.equal(twin, 54)
  t.same(await client.get('gatehouse:bucket:candidate-login:192.0.2.0'), '3')

  t.equal(await edit({ verb: 'promote', policy: 'login' }), 3)
  await until(() => replicas.every(replica => capacityOf(replica) === 3))
  t.equal(await admitted(replicas[0], '192.0.2.9', 9), 3)
  await t.rejects(edit({ verb: 'promote', policy: 'login' }), /no candidate for login/)
})

t.test('a candidate and its policy are asked in one script call', async (t) => {
  const own = await startRedis(t)
  const { edit, open, client } = await place(t, own.url)
  const { store } = await open()
  await edit({ verb: 'try', policy: 'login', numbers: { capacity: 3 } })
  await until(() => store.limits.policies.login.candidate !== undefined)
  // Redis has the script from now on.
  await store.take(bucketOf(store.limits.policies.login, '192.0.2.76'))
  await client.config('SET', 'slowlog-log-slower-than', '0')
  await store.take(bucketOf(store.limits.policies.login, '192.0.2.77'))
  const calls = await client.call('SLOWLOG', 'GET', '128') as Array<[number, number, number, string[]]>
  const keys = ['gatehouse:bucket:candidate-login:192.0.2.77', 'gatehouse:bucket:login:192.0.2.77']
  const scripts = calls.map(([, , , args]) => args).filter(([name, ...args]) =>
    /^evalsha$/i.test(name!) && keys.some(key => args.includes(key)))
  t.match(scripts, [[String, String, '2', ...keys]])
  t.equal(scripts.length, 1)
})

t.test('replicas with other files keep them under what is changed for all', async (t) => {
  const { edit, open } = await place(t)
  const file = parseLimits('{"policies":{"public":{"capacity":7,"refill":7,"period":"1s"}},' +
    '"networks":{"203.0.113.0/24":{"login":"exempt"}}}')
  const replicas = [await open(), await open(file)] as const
  await edit(set('login', 3))
  await edit({ verb: 'set', policy: 'login', mode: 'shadow' })
  await edit({ verb: 'set', policy: 'general', network: '203.0.113.0/24', rule: 'block' })
  await until(() => replicas.every(replica => versionOf(replica) === 3))
  t.same(replicas.map(replica => capacityOf(replica, 'public')), [600, 7])
  t.match(replicas.map(({ store }) => store.limits.policies.login), [{ capacity: 3, mode: 'shadow' }, { capacity: 3 }])
  t.match(replicas[1].store.limits.networks, [{ overrides: { login: 'exempt', general: 'block' } }])
  t.match(replicas[0].store.limits.networks, [{ overrides: { login: undefined, general: 'block' } }])
})

t.test('in a cluster, a change holds on every replica, and behind sentinels it outlives a failover', async (t) => {
  const nodes = await startCluster(t, { masters: 3 })
  const cluster = await place(t, nodes.map(({ url }) => url).join(','))
  const replicas = [await cluster.open(), await cluster.open()]
  await cluster.edit(set('login', 3))
  const ms = await until(() => replicas.every(replica => capacityOf(replica) === 3))
  t.ok(ms < 1000, `after ${ms} ms`)
  t.equal(await admitted(replicas[0]!, '192.0.2.1', 9), 3)
  await cluster.client.del('gatehouse:limits')
  await until(async () => (await readState(cluster.client)).version === 1)

  const master = await startRedis(t)
  await startReplica(t, master)
  const { url } = await startSentinels(t, master)
  const sentinel = await place(t, url)
  const replica = await sentinel.open()
  await sentinel.edit(set('login', 4))
  await until(() => capacityOf(replica) === 4)
  master.process.kill('SIGKILL')
  await until(async () => (await readState(sentinel.client)).version === 1)
  t.equal(await sentinel.edit(set('login', 6)), 2)
  await until(() => capacityOf(replica) === 6)
})

t.test('without the rights to the hash, a replica limits by its own file, and says so once', async (t) => {
  const { edit, client, redisUrl } = await place(t)
  await client.call('ACL', 'SETUSER', 'old', 'on', 'nopass', '~*', '&*', '+@all', '-hget', '-hgetall')
  const old = await open(t, redisUrl.replace('redis://', 'redis://old:x@'))
  await edit(set('login', 3))
  await new Promise(resolve => setTimeout(resolve, 1500))
  t.equal(await admitted(old, '192.0.2.1', 9), 5)
  t.same(old.codes, ['limits_unread'])
})

t.end()
