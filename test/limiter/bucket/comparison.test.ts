/*
 * Three implementations of a bucket give the same verdicts: the Lua script in a real Redis, the store in memory, and a
 * model that lists the future refills. Policies are random and change, or two are in force for a time. In outages a
 * local bucket decides, and its takes are charged to all three afterwards.
 *
 * All three share the same virtual time: the script first sets the key's expiry to where it would be, and then decides.
 * Before Redis 7.2 the clock continues during a script. If the millisecond changes during a decision, that decision is
 * undone and repeated.
 */

import { performance } from 'node:perf_hooks'
import type { Redis } from 'ioredis'
import t from 'tap'
import { verdictOf, type Policy, type Verdict } from '#src/limiter/bucket/bucket.js'
import { mergedWith } from '#src/limiter/layers/differing-limits.js'
import { bucketOf } from '#src/limiter/bucket/key.js'
import { createMemoryStore } from '#src/limiter/bucket/memory-store.js'
import { scripts } from '#src/limiter/redis/redis-store.js'
import { checkedTakes } from '#src/limiter/redis/replies.js'
import { generator } from '../../fixtures/random.js'
import { startRedis } from '../../fixtures/redis.js'

const agedTake = `
local function ms () local now = redis.call('TIME') return now[1] * 1000 + math.floor(now[2] / 1000) end
local ttl = tonumber(table.remove(ARGV, 1))
local before, started = redis.call('GET', KEYS[#KEYS]), ms()
if ttl > 0 then redis.call('PEXPIRE', KEYS[#KEYS], ttl) else redis.call('DEL', KEYS[#KEYS]) end
local function take () ${scripts.takeTokens.lua} end
local reply = take()
ttl = redis.call('PTTL', KEYS[#KEYS])
local again = ms() ~= started
if again and before then redis.call('SET', KEYS[#KEYS], before) elseif again then redis.call('DEL', KEYS[#KEYS]) end
redis.call('PERSIST', KEYS[#KEYS]) -- or it would expire in Redis's own time before the next decision
return not again and {reply[#KEYS], ttl}
`

const RUNS = 400
const STEPS = 70
const SEED = 20261120

t.test(`Lua, memory and model agree on ${RUNS} random histories [L4 L5 L15 L16 L17 L18 L20 L21]`, async (t) => {
  const { client } = await startRedis(t)
  const sha = await client.script('LOAD', agedTake) as string
  const tally = {
    decisions: 0,
    refusals: 0,
    peeks: 0,
    givenBack: 0,
    filled: 0,
    policyChanges: 0,
    exactWaits: 0,
    inChange: 0,
    windows: 0,
    fullest: 0,
    charges: 0,
    keptPromises: 0,
    mismatches: [] as object[],
    excesses: [] as object[],
    brokenPromises: [] as object[]
  }

  for (let first = 0; first < RUNS; first += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => run(first + i, client, sha, tally)))
  }

  const { mismatches, excesses, brokenPromises, ...counts } = tally
  t.comment(JSON.stringify({
    ...counts,
    mismatches: mismatches.length,
    excesses: excesses.length,
    brokenPromises: brokenPromises.length,
    seed: SEED
  }))
  t.same(mismatches.slice(0, 3), [], 'no decision differs')
  t.same(
    excesses.slice(0, 3),
    [],
    'while two policies are in force a client gets no more than the larger one allows, in any window'
  )
  t.same(brokenPromises.slice(0, 3), [], 'who waits as a fallback said is admitted after the outage')
  t.ok(
    tally.inChange > 4000 && tally.windows > 20_000 && tally.fullest > 0.9,
    'with two policies in force, up to what the larger one allows'
  )
  t.ok(tally.charges > 500 && tally.keptPromises > 100, 'and outages')
  t.ok(tally.decisions >= 20_000, 'at least 20,000 decisions were compared')
  t.ok(
    tally.refusals > 4000 && tally.exactWaits > 1500 && tally.policyChanges > 400,
    'refusals, waits and policy changes were among them'
  )
  t.ok(
    tally.givenBack > 2000 && tally.filled > 500 && tally.givenBack - tally.filled > 500,
    'and tokens that came back, to the brim and below'
  )
})

type Counted = 'decisions' | 'refusals' | 'peeks' | 'givenBack' | 'filled' | 'policyChanges' | 'exactWaits' |
  'inChange' | 'windows' | 'fullest' | 'charges' | 'keptPromises'
type Tally = Record<Counted, number> &
  Record<'mismatches' | 'excesses' | 'brokenPromises', object[]>

async function run (number: number, redis: Redis, sha: string, tally: Tally): Promise<void> {
  const random = generator(SEED + number)
  const lua = luaBucket(redis, sha, `comparison:${number}`)
  const memory = memoryBucket()
  const model = modelBucket()
  const local = memoryBucket()
  let policy = randomPolicy(random)
  /** The other policy in force, and the takes since it began. */
  let other: Policy | undefined
  let taken: Array<{ atMs: number, tokens: number }> = []
  let nowMs = 1_000_000 + Math.floor(random() * 1e9)

  /** The policy of one replica. While there are two policies, it is either of them, merged with the other. */
  function held (): Policy {
    if (!other) return policy
    return random() < 0.5 ? mergedWith(policy, [other]) : mergedWith(other, [policy])
  }

  async function decide (policy: Policy, cost: number, idleMs: number, dueMs?: number): Promise<Verdict> {
    nowMs += idleMs
    const verdicts = [
      await lua(policy, cost, nowMs, dueMs), await memory(policy, cost, nowMs, dueMs), model(policy, cost, nowMs, dueMs)
    ]
    const [one, ...others] = verdicts.map(verdict => JSON.stringify(verdict, Object.keys(verdict).sort()))
    if (others.some(other => other !== one)) {
      tally.mismatches.push({ run: number, policy, cost, dueMs, nowMs, verdicts })
    }
    tally.decisions++
    if (cost === 0) tally.peeks++
    if (cost < 0) tally.givenBack++
    if (cost < 0 && verdicts[2]!.fullMs === 0) tally.filled++
    if (!verdicts[0]!.allowed) tally.refusals++
    else if (other && cost !== 0 && dueMs === undefined) {
      tally.inChange++
      taken.push({ atMs: nowMs, tokens: cost })
    }
    return verdicts[2]!
  }

  /** Checks a bound that is computed only from the two policies. */
  function checkWindows (first: Policy, second: Policy): void {
    for (let from = 0; from < taken.length; from++) {
      let tokens = 0
      for (let to = from; to < taken.length; to++) {
        tokens += taken[to]!.tokens
        const ms = taken[to]!.atMs - taken[from]!.atMs
        const most = Math.max(...[first, second]
          .map(({ capacity, refill, periodMs }) => capacity + refill * (Math.floor(ms / periodMs) + 1)))
        tally.windows++
        tally.fullest = Math.max(tally.fullest, tokens / most)
        if (tokens > most) tally.excesses.push({ run: number, first, second, ms, tokens, most })
      }
    }
    taken = []
  }

  /** A bucket of the fallback decides, with a part of the limit; then what it admitted is charged. */
  async function outage (): Promise<void> {
    if (other) checkWindows(policy, other)
    const limit = held()
    const parts = pick(random, [1, 1, 2, 3])
    const share = { ...policy, capacity: Math.ceil(policy.capacity / parts), refill: Math.ceil(policy.refill / parts) }
    let admitted = 0
    let untilMs = 0
    for (let i = pick(random, [1, 2, 5, 9]); i > 0; i--) {
      nowMs += Math.floor(random() * share.periodMs / 3)
      const cost = pick(random, [1, Math.ceil(share.capacity / 3), share.capacity])
      const verdict = await local(share, cost, nowMs)
      if (verdict.allowed) admitted += cost
      const asked = await local(share, 1, nowMs)
      if (asked.allowed) admitted++
      else untilMs = nowMs + asked.waitMs
    }
    const idleMs = Math.floor(random() * 100)
    const { remaining, nextMs } = await local(share, 0, nowMs + idleMs)
    const tokens = Math.min(admitted, share.capacity - remaining, limit.capacity)
    if (tokens === 0) return
    await decide(limit, tokens, idleMs, nextMs)
    tally.charges++
    if (other || untilMs <= nowMs) return
    const back = await decide(limit, 1, untilMs - nowMs)
    if (back.allowed) tally.keptPromises++
    else tally.brokenPromises.push({ run: number, limit, share, tokens, nextMs, back })
  }

  for (let step = 0; step < STEPS; step++) {
    if (random() < 0.03) {
      if (other) checkWindows(policy, other)
      // The change takes effect at once, or it is rolling: it begins, or it ends with either policy.
      const next = other && random() < 0.5 ? other : policy
      if (other) [policy, other] = [next, undefined]
      else if (random() < 0.6) other = randomPolicy(random)
      else policy = randomPolicy(random)
      tally.policyChanges++
    }
    if (random() < 0.06) {
      await outage()
      continue
    }
    const limit = held()
    const cost = randomCost(random, limit)
    const verdict = await decide(limit, cost, randomIdle(random, limit))
    if (verdict.allowed || other || random() < 0.5) continue

    // A refusal's wait is exact: refused one millisecond earlier, admitted then.
    const tooEarly = await decide(limit, cost, verdict.waitMs - 1)
    const inTime = await decide(limit, cost, 1)
    if (tooEarly.allowed || tooEarly.waitMs !== 1 || !inTime.allowed) {
      tally.mismatches.push({ run: number, policy, cost, verdict, tooEarly, inTime })
    }
    tally.exactWaits++
  }
  if (other) checkWindows(policy, other)
}

/** Capacity, refill and period of buckets whose expiry moves with every take. */
const FAST = [1_000_000, 1, 1000]

function luaBucket (redis: Redis, sha: string, key: string) {
  let fullAtMs = 0
  let takes = 0
  return async (policy: Policy, cost: number, nowMs: number, dueMs?: number): Promise<Verdict> => {
    const { capacity, refill, periodMs, rivals } = policy
    const own = [capacity, refill, periodMs]
    const others = rivals ? [policy, ...rivals].flatMap(other => ['rival', other.refill, other.periodMs]) : []
    // The take is alone, or the last of a batch, in which the script reads values and expiries in another way.
    const before = ++takes % 3 === 0 ? 0 : 1 + takes % 4
    const keys = [...Array.from({ length: before }, (_, i) => `${key}:before:${i % 3}`), key]
    const policies = before === 0 ? [...own, ...others] : [...FAST, 'policy', before + 1, ...own, ...others]
    const costs = ['cost', before + 1, cost, ...dueMs === undefined ? [] : ['due', before + 1, dueMs]]
    const again = before > 3 ? ['again', 4] : []
    let reply: unknown
    do reply = await redis.evalsha(sha, keys.length, ...keys, fullAtMs - nowMs, 0, ...policies, ...costs, ...again)
    while (reply === null)
    const [packed, pttl] = reply as [number, number]
    fullAtMs = nowMs + pttl
    const { allowed, lacking, fullMs } = checkedTakes([packed, 0], 0, [
      { policy, cost: dueMs === undefined ? cost : 0 }
    ])[0]!
    return verdictOf(policy, cost, allowed, lacking, fullMs)
  }
}

function memoryBucket () {
  const store = createMemoryStore()
  return (policy: Policy, cost: number, nowMs: number, dueMs?: number): Promise<Verdict> => {
    const now = performance.now
    performance.now = () => nowMs
    try {
      const bucket = bucketOf(policy, 'client')
      if (dueMs !== undefined) return store.charge(bucket, cost, dueMs)
      if (cost === 0) return store.peek(bucket)
      return cost < 0 ? store.giveBack(bucket, -cost) : store.take(bucket, cost)
    } finally {
      performance.now = now
    }
  }
}

/** The model stores what the bucket lacked at the last write, and every instant at which `refill` tokens will come. */
function modelBucket () {
  let written = 0
  let refills: number[] = []
  let underPolicy: Policy | undefined

  return (policy: Policy, cost: number, nowMs: number, dueMs?: number): Verdict => {
    const { capacity, refill, periodMs, rivals } = policy
    const before = { written, refills, underPolicy }
    let misfit = false
    const full = refills.at(-1)
    if (full === undefined || full <= nowMs) [written, refills] = [0, []]
    else if (underPolicy !== policy) {
      // The refills of the new policy come with its own period, and the first one within one period. The last one comes
      // at the announced instant, or earlier if fewer refills are enough.
      const needed = Math.ceil(written / refill)
      misfit = Math.ceil((full - nowMs) / periodMs) > needed
      const next = misfit ? nowMs + periodMs : nowMs + 1 + (full - nowMs - 1) % periodMs
      const gone = misfit ? 0 : needed - Math.round((full - next) / periodMs) - 1
      refills = Array.from({ length: needed }, (_, i) => next + (i - gone) * periodMs)
    }
    underPolicy = policy

    let lacking = Math.max(0, written - refill * refills.filter(at => at <= nowMs).length)
    if (!rivals && lacking > capacity) [lacking, misfit] = [capacity, true]
    let coming = refills.filter(at => at > nowMs).slice(0, Math.ceil(lacking / refill))
    for (const rival of rivals ?? []) {
      // Its refills would have come one period apart before the instant at which the bucket is full.
      const toCome = full === undefined ? 0 : Math.ceil((full - nowMs) / rival.periodMs)
      const inAll = Math.ceil(written / rival.refill)
      if (toCome < 1 || toCome > inAll) continue
      const left = written - (inAll - toCome) * rival.refill
      if (left > lacking) {
        lacking = left
        coming = Array.from({ length: Math.ceil(left / refill) }, (_, i) => nowMs + (i + 1) * periodMs)
      }
    }

    let allowed = lacking + cost <= capacity || cost <= 0
    if (dueMs !== undefined) {
      if (!allowed) [allowed, cost] = [true, Math.max(0, capacity - lacking)]
      const late = (coming[0] ?? nowMs + periodMs) - (nowMs + dueMs)
      if (coming.length === 0) coming = [nowMs + periodMs]
      if (late > 0) coming = coming.map(at => at - late)
    }
    if (cost < 0) {
      // Future refills are dropped, the latest first, while the others suffice for what is lacking.
      lacking -= Math.min(lacking, -cost)
      coming = [...coming]
      while (coming.length > 0 && (coming.length - 1) * refill >= lacking) coming.pop()
    } else if (allowed) {
      lacking += cost
      coming = [...coming]
      while (coming.length < Math.ceil(lacking / refill)) coming.push((coming.at(-1) ?? nowMs) + periodMs)
    }
    if (cost < 0 || dueMs !== undefined || (cost > 0 && (allowed || (misfit && !rivals)))) {
      [written, refills] = [lacking, coming]
    } else ({ written, refills, underPolicy } = before)

    const enough = coming.findIndex((_, i) => Math.max(0, lacking - refill * (i + 1)) + cost <= capacity)
    return {
      allowed,
      capacity,
      remaining: Math.max(0, capacity - lacking),
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
  return pick(random, [
    0, 1, 1, 1, capacity, some, Math.ceil(capacity / 3), 1, capacity, some, -1, -some,
    -pick(random, [1, capacity, Math.ceil(capacity / 3)])
  ])
}

function randomIdle (random: () => number, { capacity, refill, periodMs }: Policy): number {
  const toFull = Math.ceil(capacity / refill) * periodMs
  return Math.floor(pick(random, [
    0, 0, 1, random() * 50, periodMs - 1, periodMs, periodMs + 1, random() * periodMs * 3, random() * toFull, toFull,
    toFull * (1 + random())
  ]))
}

function pick<T> (random: () => number, choices: T[]): T {
  return choices[Math.floor(random() * choices.length)]!
}
