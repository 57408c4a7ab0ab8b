import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { root } from '../test/fixtures/markdown.js'

/** A case of `promtool test rules`. */
export interface Recording {
  name: string
  interval: string
  input_series: Array<{ series: string, values: string }>
  promql_expr_test: Array<{ expr: string, eval_time: string, exp_samples: Array<{ labels: string, value: number }> }>
}

/** As Prometheus's `query_range` gives it, a sample a second. */
export interface Series { metric: Record<string, string>, values: Array<[second: number, value: string]> }

/** How many seconds a recording begins before its incident, and ends after the alert. */
export const AROUND_S = 5

const FILE = join(root, 'deploy/prometheus/alerts.recorded.test.yml')
const HEADER =
  `# Written by \`npm run rehearse -- --record\`: what each rule judged when a rehearsal was played. A second
# of it is a minute here, and what is counted happens as often a second. The alert is silent before the incident, and
# fires at the end.
`

/** The selectors of an expression, and whether it takes the rate of what they select. */
export function selectorsOf (expression: string): Array<{ selector: string, isRate: boolean }> {
  const found = [...expression.matchAll(/\w*\{[^}]*\}|\b(?:gatehouse|process|nodejs)_\w+/g)]
  const rates = new Map(found.map(({ 0: selector, index }) =>
    [selector, /\brate\(\s*$/.test(expression.slice(0, index))]))
  return [...rates].map(([selector, isRate]) => ({ selector, isRate }))
}

/**
 * A minute of the case is a second of the recording. A counter of which the rule takes the rate is stretched with it.
 * Without those that stood still, for they do not change a rate.
 *
 * @param start where the recording begins, in s of the epoch; the incident was later
 * @param end the alert has fired by then
 */
export function recordingOf (
  { name, alert }: { name: string, alert: string }, found: Array<Series & { isRate: boolean }>,
  { start, end, faster }: { start: number, end: number, faster: number }
): Recording {
  const instances = [...new Set(found.map(({ metric }) => metric.instance))].sort()
  const nameOf = ({ __name__: name, ...labels }: Record<string, string>): string => {
    const own = { ...labels, instance: `${'abc'[instances.indexOf(labels.instance)]}:9464` }
    return `${name}{${Object.entries(own).map(([label, value]) => `${label}=${JSON.stringify(value)}`).join()}}`
  }
  const moving = found.filter(({ isRate, values }) => !isRate || values.some(([, value]) => value !== values[0]![1]))
  const firing = (minute: number, value: number): Recording['promql_expr_test'][number] => ({
    expr: `sum(ALERTS{alertname="${alert}",alertstate="firing"}) > bool 0 or vector(0)`,
    eval_time: `${minute}m`,
    exp_samples: [{ labels: '{}', value }]
  })
  return {
    name,
    interval: '1m',
    input_series: moving.map(({ metric, values, isRate }) => ({
      series: nameOf(metric), values: notation(values, { start, end, factor: isRate ? faster : 1 })
    })),
    promql_expr_test: [firing(AROUND_S, 0), firing(end - start, 1)]
  }
}

/** promtool's: `1x3` is four times the same, and `_` no sample. */
function notation (
  values: Series['values'], { start, end, factor }: { start: number, end: number, factor: number }
): string {
  const bySecond = new Map(values.map(([second, value]) => [second, String(Number(value) * factor)]))
  const runs: Array<{ value: string, more: number }> = []
  for (let second = start; second <= end; second++) {
    const value = bySecond.get(second) ?? '_'
    const last = runs.at(-1)
    if (last?.value === value) last.more++
    else runs.push({ value, more: 0 })
  }
  const text = ({ value, more }: typeof runs[number]): string =>
    more === 0 ? value : `${value}x${value === '_' ? more + 1 : more}`
  return runs.map(text).join(' ')
}

/** Replaces the recordings of the same rehearsals. */
export function writeRecordings (recordings: Recording[]): void {
  const { tests } = parse(readFileSync(FILE, 'utf8')) as { tests: Recording[] }
  const byName = new Map([...tests, ...recordings].map(one => [one.name, one]))
  const sorted = [...byName.values()].sort((a, b) => a.name < b.name ? -1 : 1)
  const file = { rule_files: ['alerts.yml'], evaluation_interval: '15s', tests: sorted }
  writeFileSync(FILE, HEADER + stringify(file, { lineWidth: 120 }))
}
