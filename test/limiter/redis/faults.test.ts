// With any fault of Redis, a replica waits for it once. Then the failure mode decides, until Redis is healthy again.

import t, { type Test } from 'tap'
import { StoreUnavailable, type BucketStore } from '#src/limiter/bucket/bucket.js'
import type { FailureMode } from '#src/limiter/layers/fallback.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { openStore } from '#src/limiter/store.js'
import { codeOf } from '../../fixtures/log.js'
import { until } from '../../fixtures/until.js'
import { faults, openStage, type Fault, type Stage } from './redis-faults.js'

const [gone, back] = ['redis_unavailable', 'redis_recovered']
const policy = { name: 'login', capacity: 7, refill: 1, periodMs: 60_000 }
const modes = ['local', 'closed', 'open'] as const
/** The results of 60 takes of one client on three replicas during an outage. Each replica admits 7 / 3, rounded up. */
const outcomes = {
  local: { admitted: 9, refused: 51, unavailable: 0 },
  closed: { admitted: 0, refused: 0, unavailable: 60 },
  open: { admitted: 60, refused: 0, unavailable: 0 }
}
/** A replica that has never reached Redis does not know of the others. */
const outcomesAlone = { ...outcomes, local: { admitted: 21, refused: 39, unavailable: 0 } }

type Outcome = 'admitted' | 'refused' | 'unavailable'

interface Replica {
  mode: FailureMode
  take: (client: string) => Promise<Outcome>
  remaining: (client: string) => Promise<number>
  /** The changes that it logged, and when. */
  changes: Array<{ code: string, atMs: number }>
  reasons: string[]
  /** The reasons of its changes to the fallback, as in its metrics. */
  words: string[]
  /** How many replicas it knows of. */
  known: number
}

/** Five times the usual deadline, so that delays of a busy machine do not count as silence of Redis. */
const DEADLINE_MS = Number(process.env.REDIS_TIMEOUT_MS ?? 500)

async function openReplica (
  t: Test, redisUrl: string, mode: FailureMode, redisTimeoutMs = DEADLINE_MS
): Promise<Replica> {
  const [changes, reasons]: [Replica['changes'], string[]] = [[], []]
  const note = (details: object): void => { changes.push({ code: codeOf(details), atMs: performance.now() }) }
  const reasonOf = (details: object): void => { reasons.push((details as { err: Error }).err.message) }
  const replica = { mode, changes, reasons, words: [] as string[], known: 0 }
  const store = await openStore({ redisUrl, onRedisFailure: mode, redisTimeoutMs }, {
    info: note, warn: reasonOf, error (details) { reasonOf(details); note(details) }
  }, {
    onReplicas (count) { replica.known = count },
    onFallback (change) { if (change.to === 'fallback') replica.words.push(change.reason) }
  })
  t.after(() => store.close())
  return Object.assign(replica, {
    take: async (client: string) => await outcomeOf(store, client),
    remaining: async (client: string) => (await store.peek(bucketOf(policy, client))).remaining
  })
}

/** Three of each mode; a database each keeps the modes apart. */
async function openReplicas (t: Test, stages: Stage[], { cluster }: Fault): Promise<Replica[]> {
  return await Promise.all(modes.flatMap((mode, i) => {
    const url = cluster
      ? `redis://127.0.0.1:${stages[i]!.port},127.0.0.1:${stages[i]!.port}`
      : `redis://127.0.0.1:${stages[0]!.network.port}/${i}`
    return Array.from({ length: 3 }, () => openReplica(t, url, mode))
  }))
}

async function outcomeOf (store: BucketStore, client: string): Promise<Outcome> {
  try {
    return (await store.take(bucketOf(policy, client))).allowed ? 'admitted' : 'refused'
  } catch (error) {
    if (error instanceof StoreUnavailable) return 'unavailable'
    throw error
  }
}

function countOf (outcomes: Outcome[]): Record<Outcome, number> {
  const of = (outcome: Outcome): number => outcomes.filter(one => one === outcome).length
  return { admitted: of('admitted'), refused: of('refused'), unavailable: of('unavailable') }
}

async function timeOf (work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return Math.round(performance.now() - startedMs)
}

/**
 * Takes for one client from every replica repeatedly, until the end of the test. @returns a function that ends it, and
 * returns how many takes were admitted in each mode
 */
function press (t: Test, replicas: Replica[], client: string): () => Promise<Record<FailureMode, number>> {
  const admitted = { local: 0, closed: 0, open: 0 }
  const released = new AbortController()
  t.after(() => released.abort())
  const done = Promise.all(replicas.map(async ({ mode, take }) => {
    for (; !released.signal.aborted; await new Promise(resolve => setTimeout(resolve, 20))) {
      if (await take(client) === 'admitted') admitted[mode]++
    }
  }))
  return async () => {
    released.abort()
    await done
    return admitted
  }
}

// The tests mostly wait, so several of them run in parallel.
t.jobs = 3

// 400 ms of two seconds are the same share as 20 ms of the usual 100. This leaves 1.6 seconds for delays of a busy
// machine.
t.test('a slow Redis within the deadline decides exactly, and nobody falls back', async (t) => {
  const stage = await openStage(t, faults.hangs!)
  const replicas = await Promise.all(Array.from({ length: 3 }, () =>
    openReplica(t, `redis://127.0.0.1:${stage.network.port}`, 'open', 2000)))
  stage.network.delayMs = 200
  const first = await timeOf(() => replicas[0]!.take('first'))
  const seen = countOf(await Promise.all(Array.from({ length: 60 }, (_, i) => replicas[i % 3]!.take('pressing'))))
  t.same(seen, { admitted: 7, refused: 53, unavailable: 0 })
  t.same(replicas.flatMap(({ changes }) => changes), [])
  t.ok(first >= 400, `the first decision came after ${first} ms`)
})

for (const [fault, means] of Object.entries(faults)) {
  const cases = means.absentAtFirst ? '[L55]' : '[L54 L60]'
  t.test(`a Redis that ${fault} costs one wait, then the mode holds ${cases}`, { buffered: true }, async (t) => {
    const stages = await Promise.all((means.cluster ? modes : ['all']).map(() => openStage(t, means)))
    const replicas = await openReplicas(t, stages, means)
    const of = (mode: FailureMode): Replica[] => replicas.filter(replica => replica.mode === mode)
    if (!means.absentAtFirst) {
      await until(() => replicas.every(({ known }) => known === 3))
      const refused = async (mode: FailureMode): Promise<boolean> =>
        await of(mode)[0]!.take('refused before') === 'refused'
      await until(async () => (await Promise.all(modes.map(refused))).every(Boolean) &&
        replicas.every(({ changes }) => changes.at(-1)?.code !== gone))
    }
    for (const { changes } of replicas) changes.length = 0

    await Promise.all(stages.map(means.begin))
    const first = Math.max(...await Promise.all(replicas.map(({ take }) => timeOf(() => take('first')))))
    // This has to come at once: a process that stalls treats Redis as silent, and then drops its cached denials.
    if (!means.absentAtFirst) {
      for (const mode of modes) {
        t.equal(await of(mode)[0]!.take('refused before'), 'refused', `${mode}: a known refusal holds`)
      }
    }
    let later = 0
    const admitted = { local: 0, closed: 0, open: 0 }
    for (const mode of modes) {
      const [one, ...others] = of(mode) as [Replica, Replica, Replica]
      later = Math.max(later, await timeOf(async () => {
        for (let i = 0; i < 1000; i++) await one.take(`later ${i % 250}`)
      }))
      const seen = countOf(
        await Promise.all(Array.from({ length: 60 }, (_, i) => [one, ...others][i % 3]!.take('pressing')))
      )
      t.same(seen, (means.absentAtFirst ? outcomesAlone : outcomes)[mode], mode)
      admitted[mode] += seen.admitted
    }
    t.same(replicas.map(({ changes }) => changes.map(({ code }) => code)), replicas.map(() => [gone]))
    await until(() => means.reason.test(replicas[0]!.reasons.join('\n')))
    for (const { words } of replicas) t.match(words.at(-1), /^(no_connection|no_reply|[A-Z]+)$/)
    // The bounds here and below are generous, because the machine may be busy. If every take waited for Redis, the
    // takes would last a hundred seconds.
    t.ok(first < 2000 && later < 5000, `the first took ${first} ms, a thousand more ${later} ms`)

    const release = press(t, replicas, 'pressing')
    await Promise.all(stages.map(means.end))
    const endedMs = performance.now()
    await until(() => replicas.every(({ changes }) => changes.at(-1)!.code === back))
    // Only the first recovery counts. A busy machine may cause another outage, in which a replica admits its local
    // share once more.
    const again = Math.round(Math.max(...replicas.map(({ changes }) => changes[1]!.atMs)) - endedMs)
    for (const { remaining } of of('local')) await until(async () => await remaining('pressing') === 0)
    const pressed = await release()
    for (const mode of modes) admitted[mode] += pressed[mode]

    t.ok(again < 5000, `Redis was used again after ${again} ms`)
    const outages = of('local').flatMap(({ changes }) => changes).filter(({ code }) => code === gone).length
    const share = (means.absentAtFirst ? outcomesAlone : outcomes).local.admitted / 3
    t.ok(admitted.local <= policy.capacity + outages * share, `local admitted ${admitted.local} in ${outages} outages`)
    t.ok(admitted.closed <= policy.capacity, `closed admitted ${admitted.closed}`)
    const [local, closed] = [admitted.local - policy.capacity, Math.max(0, admitted.closed - policy.capacity)]
    t.comment(`first decision after ${first} ms, a thousand more in ${later} ms, Redis used again after ${again} ms,`,
      `beyond the limit: local ${local}, closed ${closed}`)
  })
}

t.end()
