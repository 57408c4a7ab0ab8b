// With any fault of Redis, a replica waits for it once. Then its local share decides, until Redis is healthy again.

import t, { type Test } from 'tap'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { openStore } from '#src/limiter/store.js'
import { codeOf } from '../../fixtures/log.js'
import { ownTime, until } from '../../fixtures/until.js'
import { faults, openStage } from './redis-faults.js'

const [gone, back] = ['redis_unavailable', 'redis_recovered']
const policy = { name: 'login', capacity: 7, refill: 1, periodMs: 3_600_000 }

/** Five times the usual deadline, so that delays of a busy machine do not count as silence of Redis. */
const DEADLINE_MS = Number(process.env.REDIS_TIMEOUT_MS ?? 500)

async function openReplica (t: Test, port: number, redisTimeoutMs = DEADLINE_MS) {
  const replica = {
    /** The changes that it logged, and when. */
    changes: [] as Array<{ code: string, atMs: number }>,
    reasons: [] as string[],
    /** The reasons of its changes to the fallback, as in its metrics. */
    words: [] as string[],
    /** How many replicas it knows of. */
    known: 0
  }
  const note = (details: object): void => { replica.changes.push({ code: codeOf(details), atMs: ownTime() }) }
  const reasonOf = (details: object): void => { replica.reasons.push((details as { err: Error }).err.message) }
  const store = await openStore({ redisUrl: `redis://127.0.0.1:${port}`, onRedisFailure: 'local', redisTimeoutMs }, {
    info: note, warn: reasonOf, error (details) { reasonOf(details); note(details) }
  }, {
    onReplicas (count) { replica.known = count },
    onFallback (change) { if (change.to === 'fallback') replica.words.push(change.reason) }
  })
  t.after(() => store.close())
  const takes = async (client: string): Promise<boolean> => (await store.take(bucketOf(policy, client))).allowed
  return Object.assign(replica, { takes })
}

type Replica = Awaited<ReturnType<typeof openReplica>>

const openThree = async (t: Test, port: number, deadlineMs?: number): Promise<Replica[]> =>
  await Promise.all([1, 2, 3].map(() => openReplica(t, port, deadlineMs)))

/** How many of 60 takes of one client were admitted, which come to all replicas at once. */
async function admittedOf (replicas: Replica[], client: string): Promise<number> {
  const takes = Array.from({ length: 60 }, (_, i) => replicas[i % 3]!.takes(client))
  return (await Promise.all(takes)).filter(Boolean).length
}

async function timeOf (work: () => Promise<unknown>): Promise<number> {
  const startedMs = ownTime()
  await work()
  return Math.round(ownTime() - startedMs)
}

// The tests mostly wait, so several of them run in parallel.
t.jobs = 3

// 400 ms of two seconds are the same share as 20 ms of the usual 100. This leaves 1.6 seconds for delays of a busy
// machine.
t.test('a slow Redis within the deadline decides exactly, and nobody falls back', async (t) => {
  const stage = await openStage(t, faults.hangs!)
  const replicas = await openThree(t, stage.network.port, 2000)
  stage.network.delayMs = 200
  const startedMs = performance.now()
  await replicas[0]!.takes('first')
  const first = performance.now() - startedMs
  t.equal(await admittedOf(replicas, 'pressing'), 7)
  t.same(replicas.flatMap(({ changes }) => changes), [])
  t.ok(first >= 400, `the first decision came after ${first} ms`)
})

for (const [fault, means] of Object.entries(faults)) {
  // L54 L55 L60
  t.test(`a Redis that ${fault} costs one wait, then local shares hold`, async (t) => {
    const stage = await openStage(t, means)
    const replicas = await openThree(t, stage.network.port)
    const [one] = replicas as [Replica]
    // A replica that has never reached Redis does not know of the others.
    const ofAll = means.absentAtFirst ? 3 * 7 : 3 * 3
    if (!means.absentAtFirst) await readyIn(replicas)

    await means.begin(stage)
    const first = Math.max(...await Promise.all(replicas.map(({ takes }) => timeOf(() => takes('first')))))
    // This has to come at once: a process that stalls treats Redis as silent, and then drops its cached denials.
    if (!means.absentAtFirst) t.equal(await one.takes('refused before'), false, 'a known refusal holds')
    const later = await timeOf(async () => { for (let i = 0; i < 1000; i++) await one.takes(`later ${i % 250}`) })
    t.equal(await admittedOf(replicas, 'pressing'), ofAll)
    t.same(replicas.map(({ changes }) => changes.map(({ code }) => code)), replicas.map(() => [gone]))
    await until(() => means.reason.test(one.reasons.join('\n')))
    for (const { words } of replicas) t.match(words.at(-1), /^(no_connection|no_reply|[A-Z]+)$/)
    // The bounds here and below are generous, because the machine may be busy. If every take waited for Redis, the
    // takes would last a hundred seconds.
    t.ok(first < 2000 && later < 5000, `the first took ${first} ms, a thousand more ${later} ms`)

    await means.end(stage)
    const endedMs = ownTime()
    await until(() => replicas.every(({ changes }) => changes.at(-1)!.code === back))
    const again = Math.round(Math.max(...replicas.map(({ changes }) => changes[1]!.atMs)) - endedMs)
    t.ok(again < 5000, `Redis was used again after ${again} ms`)
    // A busy machine may cause another outage, in which the local shares are still used up.
    t.ok(await admittedOf(replicas, 'pressing') <= 7)
    t.comment(`first decision after ${first} ms, a thousand more in ${later} ms, Redis used again after ${again} ms`)
  })
}

/** Returns when the replicas know of each other, and one of them has refused a client. */
async function readyIn (replicas: Replica[]): Promise<void> {
  await until(() => replicas.every(({ known }) => known === 3))
  await until(async () => !await replicas[0]!.takes('refused before') &&
    replicas.every(({ changes }) => changes.at(-1)?.code !== gone))
  for (const { changes } of replicas) changes.length = 0
}

t.end()
