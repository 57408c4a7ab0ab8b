// Metrics that are counted by additions are written as prom-client writes its own.

import { Counter, Histogram, Registry } from 'prom-client'
import t from 'tap'
import { createCounter, createHistogram } from '#src/base/series.js'
import { generator } from '../fixtures/random.js'

const name = 'requests'
const help = 'what came'

t.test('a histogram is written as by prom-client, for values in, between and beyond its buckets', async (t) => {
  const random = generator(1)
  const bounds = [0.001, 0.5, 2]
  const [ours, theirs] = [new Registry(), new Registry()]
  const distributionOf = createHistogram({ name, help, labelNames: [], registers: [ours] }, bounds)
  const histogram = new Histogram({
    name, help, labelNames: ['method', 'status'], buckets: bounds, registers: [theirs]
  })
  for (let i = 0; i < 1000; i++) {
    const labels = { method: i % 2 === 0 ? 'GET' : 'POST', status: 200 + i % 3 }
    const value = i % 10 === 0 ? bounds[i % 3]! : Math.floor(random() * 4096) / 1024
    distributionOf(labels).observe(value)
    histogram.observe(labels, value)
  }
  t.equal(await ours.metrics(), await theirs.metrics())
})

t.test('a counter is written as by prom-client', async (t) => {
  const [ours, theirs] = [new Registry(), new Registry()]
  const countOf = createCounter({ name, help, labelNames: [], registers: [ours] })
  const counter = new Counter({ name, help, labelNames: ['outcome'], registers: [theirs] })
  for (const outcome of ['admitted', 'refused', 'admitted']) {
    countOf({ outcome }).value++
    counter.inc({ outcome })
  }
  t.equal(await ours.metrics(), await theirs.metrics())
})

t.end()
