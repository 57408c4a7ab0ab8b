import type { Redis } from 'ioredis'
import type { Policy } from '#src/limiter/bucket/bucket.js'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { formatPeriod } from '#src/limiter/limits/period.js'
import { ours, returns1, returns1Bare, rivals, testClients, type Call, type Limiter } from './calls.js'
import { atMost, fixed, median, medianRatio, type Part } from './report.js'

const ROUNDS = 9
/**
 * At least this many takes are admitted in one round, and as many refused. There may be more, because batches are full.
 */
const TAKES = 10_000
const BATCH = 32
/** The maximum cost of a take, in the unit of the table: in a call of its own, and in a batch. */
const SINGLE = { login: 3.3, general: 2.7 }
const BATCHED = { login: 1.4, general: 1.1 }

interface Contender {
  limiter: Limiter
  calls: Call[]
  /** Microseconds of Redis's CPU a decision, round by round. */
  admittedUs: number[]
  refusedUs: number[]
}

/**
 * Every client takes as often as its bucket allows, and then as often again. Each pass is one pipeline of EVALSHAs on
 * one connection; contenders take turns, each with an empty Redis.
 */
export async function measureRedisCpu (redis: Redis, name: keyof typeof BATCHED): Promise<Part> {
  const policy = defaultLimits.policies[name]
  const { capacity, refill, periodMs } = policy
  const clients = testClients(Math.ceil(TAKES / capacity / BATCH) * BATCH)
  const limiters = [returns1, ours(1), ours(BATCH), ...rivals, returns1Bare]
  const contenders: Contender[] = []
  for (const limiter of limiters) {
    contenders.push({ limiter, calls: await limiter.calls(policy, clients), admittedUs: [], refusedUs: [] })
  }

  for (let round = -1; round < ROUNDS; round++) {
    for (const contender of contenders) {
      await redis.flushall('SYNC')
      const pass = await load(redis, contender)
      const admittedUs = await cpuPerDecision(redis, policy, clients, pass, clients.length)
      const refusedUs = await cpuPerDecision(redis, policy, clients, pass, contender.limiter.refuses
        ? 0
        : clients.length)
      if (round < 0) continue // warming up
      contender.admittedUs.push(admittedUs)
      contender.refusedUs.push(refusedUs)
    }
  }
  await redis.flushall('SYNC')

  const [base, single, batched] = contenders as [Contender, Contender, Contender]
  const admitted = (of: Contender): number => medianRatio(of.admittedUs, base.admittedUs)
  const refused = (of: Contender): number => medianRatio(of.refusedUs, base.refusedUs)
  return {
    title: `Redis: CPU a decision, ${name} policy`,
    note: `As a multiple of ${returns1.name}, sent with the key and the arguments of our single take.\n` +
      `${clients.length} clients; buckets of ${capacity}, ${refill} more every ${formatPeriod(periodMs)}; medians ` +
        `of ${ROUNDS} rounds.`,
    header: ['', 'admitted', 'refused', 'admitted µs', 'refused µs'],
    rows: contenders.map(of => [
      of.limiter.name, fixed(admitted(of)), fixed(refused(of)), fixed(median(of.admittedUs)),
      fixed(median(of.refusedUs))
    ]),
    aims: [[single, SINGLE[name]] as const, [batched, BATCHED[name]] as const].flatMap(([of, most]) => [
      atMost(`${of.limiter.name}, ${name}, admitted`, most, admitted(of)),
      atMost(`${of.limiter.name}, ${name}, refused`, most, refused(of))
    ])
  }
}

/** @returns a function that sends one take of every client and returns how many were admitted */
async function load (redis: Redis, { limiter, calls }: Contender): Promise<(policy: Policy) => Promise<number>> {
  const sha = await redis.script('LOAD', calls[0]!.lua) as string
  const commands = calls.map(({ keys, args }) => ['evalsha', sha, keys.length, ...keys, ...args])
  return async (policy) => {
    let admitted = 0
    for (const [error, reply] of (await redis.pipeline(commands).exec())!) {
      if (error) throw error
      admitted += limiter.admitted(reply as number[], policy)
    }
    return admitted
  }
}

/** @throws if not exactly `expected` takes of each pass are admitted, because the result would be meaningless */
async function cpuPerDecision (
  redis: Redis, policy: Policy, clients: string[], pass: (policy: Policy) => Promise<number>, expected: number
): Promise<number> {
  const before = await cpuSeconds(redis)
  for (let i = 0; i < policy.capacity; i++) {
    const admitted = await pass(policy)
    if (admitted !== expected) throw new Error(`${admitted} takes were admitted instead of ${expected}`)
  }
  return (await cpuSeconds(redis) - before) * 1e6 / (clients.length * policy.capacity)
}

/** The CPU time of all of Redis's threads, in user mode and in the kernel. */
async function cpuSeconds (redis: Redis): Promise<number> {
  const info = await redis.info('cpu')
  const seconds = (name: string): number => Number(new RegExp(`^${name}:(.*)$`, 'm').exec(info)![1])
  return seconds('used_cpu_user') + seconds('used_cpu_sys')
}
