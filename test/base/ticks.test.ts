import t from 'tap'
import { untilTick } from '#src/base/ticks.js'

t.test('work that repeats waits for the next half second of the age of the process', (t) => {
  let ageMs = 0
  t.intercept(performance, 'now', { value: () => ageMs })
  const waits = ([age, ticks, laterMs]: [age: number, ticks?: number, laterMs?: number]): number => {
    ageMs = age
    return untilTick(ticks, laterMs)
  }
  t.same(([[0], [20], [480], [500], [510]] as [number][]).map(waits), [500, 480, 20, 500, 490])
  t.equal(waits([480, 2]), 520, 'or for the one after it')
  t.equal(waits([480, 1, 10]), 30, 'or for a moment after it')
  t.equal(waits([1499]), 501, 'a timer that fires a moment early does not do it twice')
  t.end()
})
