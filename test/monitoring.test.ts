// Alerts and the dashboard ask for metrics that exist, and each alert fires when it should and says what to do.

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { anchorsOf, readPages, root } from './fixtures/markdown.js'
import { newDirectory } from './fixtures/lifetime.js'
import { startOps } from './fixtures/ops.js'

interface Rule { alert: string, expr: string, labels: { severity: string }, annotations: Record<string, string> }
interface Panel { id: number, title: string, type: string, description?: string, targets?: Array<{ expr: string }> }

const read = (name: string): string => readFileSync(join(root, name), 'utf8')
const rules = (parse(read('deploy/prometheus/alerts.yml')) as { groups: Array<{ rules: Rule[] }> })
  .groups.flatMap(group => group.rules)
const dashboard = JSON.parse(read('deploy/grafana/dashboards/gatehouse.json')) as { panels: Panel[] }
const panels = dashboard.panels.filter(({ type }) => type !== 'row')
const pages = readPages()

const promtool = (...args: string[]): { status: number | null, output: string } => {
  const cwd = join(root, 'deploy/prometheus')
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', cwd })
  return { status, output: stdout + stderr }
}
const skip = promtool('--version').status !== 0 && 'promtool is not on PATH'

t.test('promtool accepts the configuration, and every rule fires as its test says', { skip }, async (t) => {
  const cases = ['alerts.test.yml', 'alerts.recorded.test.yml']
  for (const args of [['check', 'config', 'prometheus.yml'], ['test', 'rules', ...cases]]) {
    const { status, output } = promtool(...args)
    t.equal(status, 0, output)
  }
  const tested = read('deploy/prometheus/alerts.test.yml')
  for (const { alert } of rules) t.match(tested, new RegExp(`\\b${alert}\\b`), `${alert} has a case`)
})

t.test('every panel has a query that Prometheus can read, and says what it shows', { skip }, async (t) => {
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  const groups = [{
    name: 'dashboard',
    rules: queries.map((expr, i) => ({ record: `panel:${i}`, expr: expr.replaceAll('$__rate_interval', '1m') }))
  }]
  const directory = newDirectory(t)
  writeFileSync(join(directory, 'rules.yml'), JSON.stringify({ groups }))
  const { status, output } = promtool('check', 'rules', join(directory, 'rules.yml'))
  t.equal(status, 0, output)
  for (const { title, description, targets } of panels) t.ok(description && targets?.length, title)
  t.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length, 'no id twice')
})

t.test('each alert has a severity, a summary and an entry in the runbook, and each entry an alert', async (t) => {
  for (const { alert, labels, annotations } of rules) {
    t.match(labels.severity, /^(critical|warning)$/, alert)
    t.ok(annotations.summary, alert)
    t.equal(annotations.runbook, `docs/runbook.md#${alert.toLowerCase()}`)
  }
  const entries = [...anchorsOf(pages.get('docs/runbook.md')!)].filter(anchor => /^gatehouse[a-z]/.test(anchor))
  t.same(entries.sort(), rules.map(({ alert }) => alert.toLowerCase()).sort())
})

t.test('every metric that is named anywhere exists', async (t) => {
  const { ops } = await startOps(t, { MODULES: '/api/student=http://127.0.0.1:9' })
  const { body: metrics } = await ops.inject('/metrics')
  const kinds = new Map([...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => [name!, kind!]))
  const known = new Set([...kinds].flatMap(([name, kind]) =>
    kind === 'histogram' ? ['', '_bucket', '_count', '_sum'].map(suffix => name + suffix) : [name]))

  const places = new Map([...pages, ...[
    ...['alerts.yml', 'alerts.test.yml', 'alerts.recorded.test.yml'].map(name => `deploy/prometheus/${name}`),
    'deploy/grafana/dashboards/gatehouse.json'
  ].map(name => [name, read(name)] as const)])
  const unknown = [...places].flatMap(([place, text]) =>
    [...text.matchAll(/\b(?:gatehouse|process|nodejs)_\w+/g)]
      .filter(([name]) => !known.has(name)).map(([name]) => `${place}: ${name}`))
  t.same(unknown, [])
})

t.end()
