import type { Counter, Histogram, Registry } from 'prom-client'
import { getOrCreate } from './get-or-create.js'

/*
 * Metrics that every request updates. Their series are looked up once, so counting is only an addition. With
 * prom-client, each count would look up the labels, which costs as much as a take. prom-client reads these metrics at
 * each scrape like its own.
 */

type Labels = Record<string, string | number>

interface Definition { name: string, help: string, labelNames: readonly string[], registers: readonly Registry[] }

export interface Count {
  value: number
}

export interface Distribution {
  observe: (value: number) => void
}

/** A counter for each set of labels. */
export interface Counters {
  /** @returns the counter with the given labels, the same one for the same labels */
  (labels: Labels): Count
  all: () => Array<Readonly<Count & { labels: Labels }>>
}

export function createCounter ({ name, help, labelNames, registers }: Definition): Counters {
  const series = new Map<string, Count & { labels: Labels }>()
  const all = () => [...series.values()]
  register(registers, { name, help, labelNames, type: 'counter', get: all })
  const counterWith = (labels: Labels): Count =>
    getOrCreate(series, JSON.stringify(labels), () => ({ labels, value: 0 }))
  return Object.assign(counterWith, { all })
}

/**
 * @param bounds the upper bounds of the buckets, ascending
 * @returns the histogram with the given labels, the same one for the same labels
 */
export function createHistogram (
  { name, help, labelNames, registers }: Definition, bounds: readonly number[]
): (labels: Labels) => Distribution {
  const series = new Map<string, Distribution & { values: () => object[] }>()
  register(registers, {
    name, help, labelNames, type: 'histogram', get: () => [...series.values()].flatMap(({ values }) => values())
  })
  return labels => getOrCreate(series, JSON.stringify(labels), () => distributionOf(name, labels, bounds))
}

function distributionOf (
  name: string, labels: Labels, bounds: readonly number[]
): Distribution & { values: () => object[] } {
  /** The count of each bucket, without those before it. The last one is `+Inf`. */
  const counts = new Array<number>(bounds.length + 1).fill(0)
  let sum = 0

  return {
    observe (value) {
      let bucket = 0
      while (value > bounds[bucket]!) bucket++
      counts[bucket]!++
      sum += value
    },

    values () {
      let count = 0
      const buckets = counts.map((ofBucket, i) => {
        count += ofBucket
        return { metricName: `${name}_bucket`, labels: { le: bounds[i] ?? '+Inf', ...labels }, value: count }
      })
      return [
        ...buckets,
        { metricName: `${name}_sum`, labels, value: sum },
        { metricName: `${name}_count`, labels, value: count }
      ]
    }
  }
}

interface Metric { name: string, help: string, labelNames: readonly string[], type: string, get: () => object[] }

/** prom-client calls `get` for the values; its types allow no metrics but its own. */
function register (registers: readonly Registry[], { get, ...metric }: Metric): void {
  for (const registry of registers) {
    registry.registerMetric({
      ...metric, get: async () => ({ ...metric, aggregator: 'sum', values: get() })
    } as unknown as Counter | Histogram)
  }
}
