// Work that repeats begins together with other such work, and never twice at once.

import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { every } from '#src/base/every.js'
import { until } from '../fixtures/until.js'

t.test('what repeats with the same period begins together, whenever it was started', async (t) => {
  const [one, other]: [number[], number[]] = [[], []]
  const ends = [every(100, () => { one.push(performance.now()) })]
  await setTimeout(40)
  ends.push(every(100, () => { other.push(performance.now()) }))
  await until(() => other.length === 5)
  for (const end of ends) await end()
  // A busy machine is late with some of them. A timer may also fire a moment too early.
  for (const times of [one, other]) t.ok(Math.min(...times.map(atMs => (atMs + 5) % 100)) < 20)
})

t.test('it begins again only after it has ended, and its end waits for what is under way', async (t) => {
  let [begun, underWay] = [0, 0]
  const end = every(20, async () => {
    begun++
    t.equal(++underWay, 1)
    await setTimeout(60)
    underWay--
  })
  await until(() => begun === 3)
  await end()
  t.equal(underWay, 0)
  await setTimeout(60)
  t.equal(begun, 3)
})
