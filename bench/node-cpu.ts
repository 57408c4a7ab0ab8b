import { performance } from 'node:perf_hooks'
import { StoreUnavailable, type BucketStore } from '#src/limiter/bucket/bucket.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { parseLimits } from '#src/limiter/limits/limits-file.js'
import { createRedisStore } from '#src/limiter/redis/redis-store.js'
import { connect } from '#src/limiter/redis/redis-connection.js'
import { parseTakes } from '#src/limiter/redis/replies.js'
import { ours, testClients } from './calls.js'
import { atLeast, atMost, fixed, median, medianRatio, type Aim, type Part } from './report.js'

const ROUNDS = 9
const ATTEMPTS = 10
const DECISIONS = 40_000
const TAKES_IN_FLIGHT = [64, 256]

const { policies: { general: policy } } = parseLimits(
  '{"policies":{"general":{"capacity":1000000,"refill":99999,"period":"1s"}}}'
)
const clients = testClients(1000)

type Take = BucketStore['take']

interface Sample { cpuUs: number, perSecond: number }

/**
 * The limiter runs in this process, and Redis in another one. A fixed number of takes is in flight: each that completes
 * starts the next.
 */
export async function measureNodeCpu (url: string): Promise<Part> {
  const [alone, batching] = await Promise.all([connect(url), connect(url)])
  const store = createRedisStore(batching)
  const ways: Array<[string, Take]> = [
    ['one EVALSHA a take', await takingAlone(alone)], ['gatehouse, batched', store.take]
  ]
  const rows: string[][] = []
  const aims: Aim[] = []

  for (const inFlight of TAKES_IN_FLIGHT) {
    const samples: [Sample[], Sample[]] = [[], []]
    for (let round = -1; round < ROUNDS; round++) {
      for (const [i, [, take]] of ways.entries()) {
        const sample = await decideInTime(take, inFlight)
        if (round >= 0) samples[i]!.push(sample) // the first is a warm-up
      }
    }
    const [cpuAlone, cpuBatched] = samples.map(of => of.map(({ cpuUs }) => cpuUs)) as [number[], number[]]
    const [rateAlone, rateBatched] = samples.map(of => of.map(({ perSecond }) => perSecond)) as [number[], number[]]
    const cpuRatio = medianRatio(cpuBatched, cpuAlone)
    const rateRatio = medianRatio(rateBatched, rateAlone)
    rows.push([
      `${inFlight} in flight, ${ways[0]![0]}`, fixed(median(cpuAlone)), fixed(1), median(rateAlone).toFixed(0), fixed(1)
    ])
    rows.push([
      `${inFlight} in flight, ${ways[1]![0]}`, fixed(median(cpuBatched)), fixed(cpuRatio),
      median(rateBatched).toFixed(0), fixed(rateRatio)
    ])
    aims.push(atMost(`CPU of batched takes to that of single ones, ${inFlight} in flight`, 0.45, cpuRatio))
    aims.push(atLeast(`decisions of batched takes to those of single ones, ${inFlight} in flight`, 1.8, rateRatio))
  }
  await Promise.all([store.close(), alone.quit()])

  return {
    title: 'Node: CPU a decision, and decisions a second of one process',
    note: `The same script over the same kind of connection; ${DECISIONS} takes of ${clients.length} clients a ` +
      `round; medians of ${ROUNDS} rounds.`,
    header: ['', 'CPU µs', 'ratio', 'decisions/s', 'ratio'],
    rows,
    aims
  }
}

/** Like createRedisStore, but without batching and without its deadline. */
async function takingAlone (redis: Awaited<ReturnType<typeof connect>>): Promise<Take> {
  const [call] = await ours(1).calls(policy, [clients[0]!])
  const { args } = call!
  const number = Number(args[0])
  return async ({ key, policy }) => {
    const reply = await redis.takeTokens(1, key, ...args)
    return parseTakes(reply, number, policy, [1])[0]![0]!
  }
}

/** Repeats a round in which Redis missed a deadline. The machine was busy then, and the round is meaningless. */
async function decideInTime (take: Take, inFlight: number): Promise<Sample> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await decide(take, inFlight)
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || attempt === ATTEMPTS) throw error
    }
  }
}

async function decide (take: Take, inFlight: number): Promise<Sample> {
  let started = 0
  const startedAtMs = performance.now()
  const before = process.cpuUsage()
  async function takeOnAndOn (): Promise<void> {
    while (started < DECISIONS) await take(bucketOf(policy, clients[started++ % clients.length]!))
  }
  const ends = await Promise.allSettled(Array.from({ length: inFlight }, takeOnAndOn))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  const { user, system } = process.cpuUsage(before)
  return { cpuUs: (user + system) / DECISIONS, perSecond: DECISIONS / (performance.now() - startedAtMs) * 1000 }
}
