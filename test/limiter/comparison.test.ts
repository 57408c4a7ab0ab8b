import { performance } from 'node:perf_hooks'
import type { Redis } from 'ioredis'
import t from 'tap'
import { verdictOf, type Policy, type Verdict } from '../../src/limiter/bucket.js'
import { createMemoryStore } from '../../src/limiter/memory-store.js'
import { scripts } from '../../src/limiter/redis-store.js'
import { startRedis } from '../fixtures/redis.js'

/*
 * Three implementations of one bucket, written apart: the Lua script in a real Redis, the in-process store, and a model
 * that keeps the list of refills still to come. All three live in the same virtual time: before each decision the
 * key's expiry is set to where it would be, by a script that goes on to decide. Before Redis 7.2 the clock goes on
 * within a script; a decision during which the millisecond changed is taken back and made again.
 */

const agedTake = `
local function ms () local now = redis.call('TIME') return now[1] * 1000 + math.floor(now[2] / 1000) end
local ttl = tonumber(table.remove(ARGV, 1))
local before, started = redis.call('GET', KEYS[1]), ms()
if ttl > 0 then redis.call('PEXPIRE', KEYS[1], ttl) else redis.call('DEL', KEYS[1]) end
local function take () ${scripts.takeTokens.lua} end
local reply = take()
ttl = redis.call('PTTL', KEYS[1])
local again = ms() ~= started
if again and before then redis.call('SET', KEYS[1], before) elseif again then redis.call('DEL', KEYS[1]) end
redis.call('PERSIST', KEYS[1]) -- or it would expire in Redis's own time before the next decision
return not again and {reply[1], reply[2], ttl}
`

const RUNS = 400
const STEPS = 70
const SEED = 20261120

t.test(`L4 L5 L15 L16 L17 L18 L20 L21: ${RUNS} random policies, their changes and idle times get the same verdicts from Lua, memory and model`, async (t) => {
  const { client } = await startRedis(t)
  const sha = await client.script('LOAD', agedTake) as string
  const tally = { decisions: 0, refusals: 0, peeks: 0, givenBack: 0, filled: 0, policyChanges: 0, exactWaits: 0, mismatches: [] as object[] }

  for (let first = 0; first < RUNS; first += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => run(first + i, client, sha, tally)))
  }

  t.comment(JSON.stringify({ ...tally, mismatches: tally.mismatches.length, seed: SEED }))
  t.same(tally.mismatches.slice(0, 3), [], 'no decision differs')
  t.ok(tally.decisions >= 20_000, 'at least 20,000 decisions were compared')
  t.ok(tally.refusals > 4000 && tally.exactWaits > 1500 && tally.policyChanges > 400, 'refusals, waits and policy changes were among them')
  t.ok(tally.givenBack > 2000 && tally.filled > 500 && tally.givenBack - tally.filled > 500, 'and tokens that came back, to the brim and below')
})

type Tally = { decisions: number, refusals: number, peeks: number, givenBack: number, filled: number, policyChanges: number, exactWaits: number, mismatches: object[] }

async function run (number: number, redis: Redis, sha: string, tally: Tally): Promise<void> {
  const random = generator(SEED + number)
  const lua = luaBucket(redis, sha, `comparison:${number}`)
  const memory = memoryBucket()
  const model = modelBucket()
  let policy = randomPolicy(random)
  let nowMs = 1_000_000 + Math.floor(random() * 1e9)

  async function decide (cost: number, idleMs: number): Promise<Verdict> {
    nowMs += idleMs
    const verdicts = [await lua(policy, cost, idleMs), await memory(policy, cost, nowMs), model(policy, cost, nowMs)]
    const [one, ...others] = verdicts.map(verdict => JSON.stringify(verdict, Object.keys(verdict).sort()))
    if (others.some(other => other !== one)) tally.mismatches.push({ run: number, policy, cost, nowMs, verdicts })
    tally.decisions++
    if (cost === 0) tally.peeks++
    if (cost < 0) tally.givenBack++
    if (cost < 0 && verdicts[2]!.fullMs === 0) tally.filled++
    if (!verdicts[0]!.allowed) tally.refusals++
    return verdicts[2]!
  }

  for (let step = 0; step < STEPS; step++) {
    if (random() < 0.03) {
      policy = randomPolicy(random)
      tally.policyChanges++
    }
    const cost = randomCost(random, policy)
    const verdict = await decide(cost, randomIdle(random, policy))
    if (verdict.allowed || random() < 0.5) continue

    // A refusal's wait is exact: refused one millisecond earlier, admitted then.
    const tooEarly = await decide(cost, verdict.waitMs - 1)
    const inTime = await decide(cost, 1)
    if (tooEarly.allowed || tooEarly.waitMs !== 1 || !inTime.allowed) tally.mismatches.push({ run: number, policy, cost, verdict, tooEarly, inTime })
    tally.exactWaits++
  }
}

function luaBucket (redis: Redis, sha: string, key: string) {
  let ttl = 0
  return async (policy: Policy, cost: number, idleMs: number): Promise<Verdict> => {
    let reply: unknown
    do reply = await redis.evalsha(sha, 1, key, ttl - idleMs, policy.capacity, policy.refill, policy.periodMs, cost)
    while (reply === null)
    const [lacking, fullMs, pttl] = reply as [number, number, number]
    ttl = pttl
    return verdictOf(policy, cost, lacking >= 0, Math.abs(lacking), fullMs)
  }
}

function memoryBucket () {
  const store = createMemoryStore()
  return (policy: Policy, cost: number, nowMs: number): Promise<Verdict> => {
    const now = performance.now
    performance.now = () => nowMs
    try {
      return store.take(policy, 'client', cost)
    } finally {
      performance.now = now
    }
  }
}

/** Keeps what it lacked when it was last written, and every instant at which `refill` tokens will come. */
function modelBucket () {
  let written = 0
  let refills: number[] = []
  let underPolicy: Policy | undefined

  return (policy: Policy, cost: number, nowMs: number): Verdict => {
    const { capacity, refill, periodMs } = policy
    const before = { written, refills, underPolicy }
    let misfit = false
    const full = refills.at(-1)
    if (full === undefined || full <= nowMs) [written, refills] = [0, []]
    else if (underPolicy !== policy) {
      // The new policy's refills come at its own pace and end at the instant that was promised, or earlier when fewer
      // of them are enough; they start within one period.
      const next = nowMs + 1 + (full - nowMs - 1) % periodMs
      const needed = Math.ceil(written / refill)
      const gone = Math.max(0, needed - Math.round((full - next) / periodMs) - 1)
      misfit = Math.round((full - next) / periodMs) + 1 > needed
      refills = Array.from({ length: needed }, (_, i) => next + (i - gone) * periodMs)
    }
    underPolicy = policy

    let lacking = Math.max(0, written - refill * refills.filter(at => at <= nowMs).length)
    if (lacking > capacity) [lacking, misfit] = [capacity, true]
    let coming = refills.filter(at => at > nowMs).slice(0, Math.ceil(lacking / refill))

    const allowed = lacking + cost <= capacity
    if (cost < 0) {
      // As many of the refills to come, the latest first, are no longer needed as leaves enough for what is lacking.
      lacking -= Math.min(lacking, -cost)
      coming = [...coming]
      while (coming.length > 0 && (coming.length - 1) * refill >= lacking) coming.pop()
    } else if (allowed) {
      lacking += cost
      coming = [...coming]
      while (coming.length < Math.ceil(lacking / refill)) coming.push((coming.at(-1) ?? nowMs) + periodMs)
    }
    if (cost < 0 || (cost > 0 && (allowed || misfit))) [written, refills] = [lacking, coming]
    else if (cost === 0) ({ written, refills, underPolicy } = before)

    const enough = coming.findIndex((_, i) => Math.max(0, lacking - refill * (i + 1)) + cost <= capacity)
    return {
      allowed,
      capacity,
      remaining: capacity - lacking,
      waitMs: allowed ? 0 : coming[enough]! - nowMs,
      nextMs: coming.length === 0 ? 0 : coming[0]! - nowMs,
      fullMs: coming.length === 0 ? 0 : coming.at(-1)! - nowMs
    }
  }
}

function randomPolicy (random: () => number): Policy {
  const capacity = pick(random, [1, 2, 5, 10, 100, 1 + Math.floor(random() * 1000), 1 + Math.floor(random() * 1e6)])
  // At most some hundred refills to full, because the model lists them; the extremes are in take-script.test.ts.
  const least = Math.ceil(capacity / 300)
  const refill = pick(random, [least, capacity, least + Math.floor(random() * (capacity - least + 1))])
  const periodMs = pick(random, [1000, 60_000, 3_600_000, 30 * 86_400_000, 1000 + Math.floor(random() * 100_000)])
  return { name: 'random', capacity, refill, periodMs }
}

function randomCost (random: () => number, { capacity }: Policy): number {
  const some = Math.floor(random() * (capacity + 1))
  return pick(random, [0, 1, 1, 1, capacity, some, Math.ceil(capacity / 3), 1, capacity, some, -1, -some, -pick(random, [1, capacity, Math.ceil(capacity / 3)])])
}

function randomIdle (random: () => number, { capacity, refill, periodMs }: Policy): number {
  const toFull = Math.ceil(capacity / refill) * periodMs
  return Math.floor(pick(random, [
    0, 0, 1, random() * 50, periodMs - 1, periodMs, periodMs + 1, random() * periodMs * 3, random() * toFull, toFull, toFull * (1 + random())
  ]))
}

function pick<T> (random: () => number, choices: T[]): T {
  return choices[Math.floor(random() * choices.length)]!
}

/** mulberry32: small, seeded, good enough to choose cases. */
function generator (seed: number): () => number {
  return () => {
    seed = (seed + 0x6D2B79F5) | 0
    let x = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return ((x ^ (x >>> 14)) >>> 0) / 4294967296
  }
}
