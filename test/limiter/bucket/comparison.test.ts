// The scripts in a real Redis, the algorithm in memory and a model decide alike. What a bucket promises holds while
// replicas hold different limits, and limits change at any moment.

import t from 'tap'
import type { Policy } from '#src/limiter/bucket/bucket.js'
import { generator } from '../../fixtures/random.js'
import { startRedis } from '../../fixtures/redis.js'
import { createModel, type Answer } from './model.js'
import { expire, loseExpiry, threeBuckets, type ThreeBuckets, type Trio } from './three-buckets.js'

const RUNS = 200
const STEPS = 60
const SEED = 20261120

/** Tokens that were taken, or a token that came back. */
interface Admitted { atMs: number, tokens: number, limit: Policy }

const counts = {
  decisions: 0, refusals: 0, peeks: 0, givenBack: 0, changes: 0, cuts: 0, steps: 0, lost: 0, waits: 0, windows: 0
}
/** The largest part that a client got of what it may get. */
let fullest = 0
const mismatches: object[] = []
const excesses: object[] = []
const brokenPromises: object[] = []

// [L2 L4 L5 L15 L16 L17 L18 L20 L21 L27 L28]
t.test(`scripts, memory and model agree in ${RUNS} random fleets, to the token and the millisecond`, async (t) => {
  const { client } = await startRedis(t)
  const three = await threeBuckets(client, mismatch => mismatches.push(mismatch))
  for (let first = 0; first < RUNS; first += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => run(first + i, three)))
  }
  t.comment(JSON.stringify({ ...counts, fullest, seed: SEED }))

  t.same(mismatches.slice(0, 3), [], 'no decision differs, and nothing that is stored')
  t.same(
    excesses.slice(0, 3), [],
    'a client gets at most the largest capacity, the fastest refill, and one refill more, in any window'
  )
  t.same(brokenPromises.slice(0, 3), [], 'whoever waits as stated is admitted, under changed limits, too')
  t.ok(counts.decisions >= 20_000 && counts.windows > 50_000 && fullest > 0.9, 'some client got nearly that much')
  for (const [what, count] of Object.entries(counts)) t.ok(count > 200, `${what}: ${count}`)
})

async function run (number: number, three: ThreeBuckets): Promise<void> {
  const random = generator(SEED + number)
  const pick = <T>(choices: T[]): T => choices[Math.floor(random() * choices.length)]!
  const isSteady = random() < 0.6
  const fleet = Array.from({ length: pick([2, 3]) }, () => randomLimit(random, pick))
  const trios: Trio[] = [0, 1, 2].map(n => ({ key: `${number}:${n}`, model: createModel(), memory: undefined }))
  const admitted = new Map<Trio, Admitted[]>(trios.map(trio => [trio, []]))
  let nowMs = 1e9 + Math.floor(random() * 1e9)

  for (let step = 0; step < STEPS; step++) {
    disturb()
    const limit = pick(fleet)
    pass(randomIdle(random, pick, limit))
    if (random() < 0.15) {
      await adjust(pick(trios), limit)
      continue
    }
    const wanting = trios.filter(() => random() < 0.6)
    if (wanting.length === 0) continue
    const answers = await takeFrom(wanting, limit, pick([1, 1, 2, Math.ceil(limit.capacity / 3), limit.capacity + 1]))
    const refused = answers.findIndex(ofOne => !ofOne.at(-1)!.allowed)
    if (refused >= 0 && random() < 0.5) await waitAsStated(wanting[refused]!, limit, answers[refused]!.at(-1)!)
  }
  for (const taken of admitted.values()) checkWindows(taken)

  function pass (ms: number): void {
    nowMs += ms
    for (const trio of trios) expire(trio, nowMs)
  }

  /** Limits change, expiries are lost, and the clock steps. */
  function disturb (): void {
    if (random() < 0.1) {
      fleet[Math.floor(random() * fleet.length)] = randomLimit(random, pick)
      counts.changes++
    }
    if (random() < 0.05) {
      loseExpiry(pick(trios))
      counts.lost++
    }
    if (isSteady || random() > 0.1) return
    // A window must not contain a step.
    for (const taken of admitted.values()) checkWindows(taken.splice(0))
    pass(Math.floor(pick([-1, -1, 1]) * pick([1, 1000, random() * pick(fleet).periodMs, random() * 1e9])))
    counts.steps++
  }

  /** @param most how often some of the buckets are taken from. The others are taken from once */
  async function takeFrom (of: Trio[], limit: Policy, most = 1): Promise<Answer[][]> {
    const wanted = of.map(trio => ({ trio, takes: pick([1, most]) }))
    const cuts = of.map(({ model }) => (model.held()?.lacked ?? 0) > limit.capacity)
    const answers = await three.take(wanted, limit, nowMs, random() < 0.6)
    for (const [i, trio] of of.entries()) {
      const tokens = answers[i]!.filter(({ allowed }) => allowed).length
      if (tokens > 0) admitted.get(trio)!.push({ atMs: nowMs, tokens, limit })
      counts.decisions++
      counts.refusals += answers[i]!.length - tokens
      if (cuts[i] && tokens > 0) counts.cuts++
    }
    return answers
  }

  async function adjust (trio: Trio, limit: Policy): Promise<void> {
    const returned = pick([0, 1, 1] as const)
    if (returned === 1 && trio.memory) admitted.get(trio)!.push({ atMs: nowMs, tokens: -1, limit })
    await three.adjust(trio, limit, nowMs, returned)
    counts.decisions++
    if (returned === 1) counts.givenBack++
    else counts.peeks++
  }

  /** One millisecond before the stated instant a take is refused. Then it is admitted, under any limit and a return. */
  async function waitAsStated (trio: Trio, limit: Policy, { waitMs }: Answer): Promise<void> {
    pass(waitMs - 1)
    const early = (await takeFrom([trio], limit))[0]![0]!
    pass(1)
    if (random() < 0.3) fleet[0] = randomLimit(random, pick)
    if (random() < 0.3) await adjust(trio, limit)
    const inTime = (await takeFrom([trio], pick(fleet)))[0]![0]!
    counts.waits++
    if (early.allowed || early.waitMs !== 1 || !inTime.allowed) {
      brokenPromises.push({ run: number, limit, waitMs, early, inTime })
    }
  }
}

/** What a client got between any two takes is bounded by the limits of the takes between them. */
function checkWindows (admitted: Admitted[]): void {
  for (const [from, { atMs: startMs, tokens: first }] of admitted.entries()) {
    if (first < 0) continue
    let got = 0
    let [capacity, refill, rate] = [0, 0, 0]
    for (const { atMs, tokens, limit } of admitted.slice(from)) {
      got += tokens
      capacity = Math.max(capacity, limit.capacity)
      refill = Math.max(refill, limit.refill)
      rate = Math.max(rate, limit.refill / limit.periodMs)
      const most = capacity + rate * (atMs - startMs) + refill
      counts.windows++
      fullest = Math.max(fullest, got / most)
      if (got > most) excesses.push({ got, most, admitted: admitted.slice(from) })
    }
  }
}

type Pick = <T>(choices: T[]) => T

function randomLimit (random: () => number, pick: Pick): Policy {
  const capacity = pick([1, 2, 3, 5, 10, 30, 1 + Math.floor(random() * 60), 1 + Math.floor(random() * 120)])
  const refill = pick([1, capacity, 1 + Math.floor(random() * capacity)])
  const seconds = pick([1, 10, 60, 90, 3600, 30 * 86_400, 1 + Math.floor(random() * 900)])
  return { name: 'random', capacity, refill, periodMs: seconds * 1000 }
}

function randomIdle (random: () => number, pick: Pick, { capacity, refill, periodMs }: Policy): number {
  const toFull = Math.ceil(capacity / refill) * periodMs
  return Math.floor(pick([
    0, 0, 0, 1, random() * 50, periodMs - 1, periodMs, periodMs + 1, random() * periodMs * 3, random() * toFull, toFull
  ]))
}
