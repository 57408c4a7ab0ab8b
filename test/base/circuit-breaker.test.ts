// One probe at a time decides when a circuit breaker closes, and every reason is reported once.

import t, { type Test } from 'tap'
import { StoreUnavailable } from '#src/limiter/bucket/bucket.js'
import { CircuitBreaker } from '#src/base/circuit-breaker.js'
import { until } from '../fixtures/until.js'

function open (t: Test) {
  const seen: string[] = []
  const breaker = new CircuitBreaker<StoreUnavailable>({
    onOpen: ({ message }) => seen.push(`open: ${message}`),
    onClose: () => seen.push(`closed: ${breaker.failure === undefined}`),
    onOtherReason: ({ message }) => seen.push(`other reason: ${message}`)
  })
  t.after(() => breaker.stop())
  return { breaker, seen }
}

t.test('a breaker stays open until two probes in a row succeed, and a failure meanwhile starts no other', async (t) => {
  const { breaker, seen } = open(t)
  const failures = ['hangs', undefined, 'hangs', undefined, 'is read-only']
  let underWay = 0
  let atOnce = 0
  const probe = async (): Promise<void> => {
    atOnce = Math.max(atOnce, ++underWay)
    t.not(breaker.failure, undefined, 'half-open is not closed')
    await new Promise(resolve => setTimeout(resolve, 5))
    underWay--
    const failure = failures.shift()
    if (failure) throw new Error(failure)
  }
  t.equal(breaker.failure, undefined)
  breaker.open(new StoreUnavailable('hangs'), probe)
  breaker.open(new StoreUnavailable('hangs still'), probe)
  t.match(breaker.failure, { message: 'hangs' })
  await until(() => breaker.failure === undefined)
  t.same(seen, ['open: hangs', 'other reason: is read-only', 'closed: true'])
  t.equal(atOnce, 1)
})

t.test('a stopped breaker probes no more, and does not open again', async (t) => {
  const { breaker, seen } = open(t)
  let probes = 0
  const probe = async (): Promise<void> => { probes++; throw new Error('gone') }
  breaker.open(new StoreUnavailable('gone'), probe)
  breaker.stop()
  await new Promise(resolve => setTimeout(resolve, 100))
  t.equal(probes, 0)

  const stopped = open(t)
  stopped.breaker.stop()
  stopped.breaker.open(new StoreUnavailable('gone'), probe)
  t.same([seen, stopped.seen], [['open: gone'], []])
})
