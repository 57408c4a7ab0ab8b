// Requests that cost nothing cannot flood the log: they are summed per client, policy and code, and the sums are right.

import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createRepeatCounter, type Kind } from '#src/base/repeats.js'
import { until } from '../fixtures/until.js'

type Line = Kind & { count: number, sinceMs: number }

/** Shorter than the service's ten seconds. The rules do not depend on the length. */
const WINDOW_MS = 500

/** What is logged at once and what is counted, as they come. */
function repeatsOf (t: Test, windowMs = WINDOW_MS) {
  const lines: Line[] = []
  const repeats = createRepeatCounter(line => lines.push(line), windowMs)
  t.after(() => repeats.close())
  let atOnce = 0
  return {
    lines,
    atOnce: () => atOnce,
    close: () => repeats.close(),
    see: (client: string | undefined, policy: string | undefined, code: string) => {
      if (repeats.isFirst(client, policy, code)) atOnce++
    }
  }
}

const sum = (lines: Line[]): number => lines.reduce((sum, { count }) => sum + count, 0)

t.test('a kind that was absent for a window is logged at once again; a single request adds no summary', async (t) => {
  const { see, lines, atOnce } = repeatsOf(t)
  see('192.0.2.1', undefined, 'PREFLIGHT')
  await setTimeout(2 * WINDOW_MS)
  t.strictSame(lines, [])
  see('192.0.2.1', undefined, 'PREFLIGHT')
  see('192.0.2.1', undefined, 'PREFLIGHT')
  t.equal(atOnce(), 2)
  await until(() => lines.length > 0)
  t.match(lines, [{ client: '192.0.2.1', policy: undefined, code: 'PREFLIGHT', count: 1 }])
  await setTimeout(2 * WINDOW_MS)
  see('192.0.2.1', undefined, 'PREFLIGHT')
  t.equal(atOnce(), 3)
})

t.test('of 50,000 clients 10,000 get lines of their own, the others are summed, and the sums are right', async (t) => {
  const { see, atOnce, lines } = repeatsOf(t, 4 * WINDOW_MS)
  for (let round = 0; round < 2; round++) {
    for (let client = 0; client < 50_000; client++) {
      see(`client ${client}`, client % 2 ? 'login' : undefined, client % 2 ? 'TOO_MANY_REQUESTS' : 'FORBIDDEN')
    }
  }
  t.equal(atOnce(), 10_000)
  await until(() => lines.length > 10_001)
  t.equal(lines.length, 10_002, 'one for each client that is known, and one for each policy and code of the others')
  t.equal(atOnce() + sum(lines), 100_000)
  t.match(lines.filter(({ client }) => client === undefined), [
    { policy: undefined, code: 'FORBIDDEN', count: 40_000 },
    { policy: 'login', code: 'TOO_MANY_REQUESTS', count: 40_000 }
  ])
  await setTimeout(5 * WINDOW_MS)
  see('192.0.2.1', undefined, 'PREFLIGHT')
  t.equal(atOnce(), 10_001, 'after a quiet window there is space again')
})

t.end()
