// One probe at a time decides when a circuit breaker closes, and every failure is reported once.

import t, { type Test } from 'tap'
import { StoreUnavailable } from '#src/limiter/bucket/bucket.js'
import { createCircuitBreaker } from '#src/limiter/layers/circuit-breaker.js'
import { until } from '../../fixtures/until.js'

function open (t: Test) {
  const seen: string[] = []
  const breaker = createCircuitBreaker({
    onOpen: ({ message }) => seen.push(`open: ${message}`),
    onClose: async () => { seen.push(`closed: ${breaker.failure === undefined}`) },
    onOtherReason: ({ message }) => seen.push(`other reason: ${message}`),
    onError: ({ message }) => seen.push(`error: ${message}`)
  })
  t.after(() => breaker.stop())
  return { breaker, seen }
}

t.test('a breaker stays open until a probe succeeds, and a failure meanwhile starts no second probe', async (t) => {
  const { breaker, seen } = open(t)
  const replies = [new Error('hangs'), new Error('hangs'), new Error('is read-only'), 1, 0]
  let underWay = 0
  let atOnce = 0
  const probe = async (): Promise<number> => {
    atOnce = Math.max(atOnce, ++underWay)
    t.not(breaker.failure, undefined, 'half-open is not closed')
    await new Promise(resolve => setTimeout(resolve, 5))
    underWay--
    const reply = replies.shift()!
    if (reply instanceof Error) throw reply
    return reply
  }
  t.equal(breaker.failure, undefined)
  breaker.open(new StoreUnavailable('hangs'), probe)
  breaker.open(new StoreUnavailable('hangs still'), probe)
  t.match(breaker.failure, { message: 'hangs' })
  await until(() => breaker.failure === undefined)
  t.same(seen, ['open: hangs', 'other reason: is read-only', 'closed: true'])
  t.same([atOnce, replies.length], [1, 0])
})

t.test('a stopped breaker probes no more, and does not open again', async (t) => {
  const { breaker, seen } = open(t)
  let probes = 0
  breaker.open(new StoreUnavailable('gone'), async () => { probes++; throw new Error('gone') })
  breaker.stop()
  await new Promise(resolve => setTimeout(resolve, 100))
  t.equal(probes, 0)

  const stopped = open(t)
  stopped.breaker.stop()
  stopped.breaker.open(new StoreUnavailable('gone'), async () => 0)
  t.same([seen, stopped.seen], [['open: gone'], []])
})

t.test('an exception after a probe is reported, and the breaker closes', async (t) => {
  const errors: string[] = []
  const breaker = createCircuitBreaker({
    onOpen () {},
    onOtherReason () {},
    onClose: async () => { throw new TypeError('a defect') },
    onError: ({ message }) => errors.push(message)
  })
  t.after(() => breaker.stop())
  breaker.open(new StoreUnavailable('gone'), async () => 0)
  await until(() => errors.length > 0)
  t.same([errors, breaker.failure], [['a defect'], undefined])
})
