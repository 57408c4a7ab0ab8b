import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { end, newDirectory, type Lifetime } from '../test/fixtures/lifetime.js'
import { root } from '../test/fixtures/markdown.js'
import { freePort } from '../test/fixtures/redis.js'
import { until } from '../test/fixtures/until.js'
import { recordingOf, selectorsOf, type Recording, type Series } from './recording.js'

/** How much faster the clock of the rules is: what they wait five minutes for takes five seconds. */
const FASTER = 60
const SCRAPE_S = 1
/** A rate needs some samples. */
const SHORTEST_RANGE_S = 4 * SCRAPE_S

export interface Prometheus {
  /** For how long the expression of an alert has to be true, in ms of this clock. */
  holdsForMs: (alert: string) => number
  isFiring: (alert: string) => Promise<boolean>
  /** @returns the values of a query */
  query: (expression: string) => Promise<number[]>
  /** What the rule of an alert judged in a rehearsal of this name, since a time, in ms of the epoch. */
  record: (of: { name: string, alert: string }, sinceMs: number) => Promise<Recording>
}

interface Rule { alert: string, expr: string, for?: string }

/** @returns undefined if Prometheus is not on PATH */
export async function startPrometheus (t: Lifetime, targets: string[]): Promise<Prometheus | undefined> {
  if (spawnSync('prometheus', ['--version']).status !== 0) return undefined
  const rules = faster(readFileSync(join(root, 'deploy/prometheus/alerts.yml'), 'utf8'))
  const directory = newDirectory(t, {
    'alerts.yml': rules,
    'prometheus.yml': JSON.stringify({
      global: { scrape_interval: `${SCRAPE_S}s`, scrape_timeout: `${SCRAPE_S}s`, evaluation_interval: '500ms' },
      rule_files: ['alerts.yml'],
      scrape_configs: [{ job_name: 'gatehouse', static_configs: [{ targets }] }]
    })
  })
  const port = await freePort()
  const server = spawn('prometheus', [
    `--config.file=${join(directory, 'prometheus.yml')}`, `--storage.tsdb.path=${join(directory, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`, '--log.level=error'
  ], { stdio: ['ignore', 'ignore', 'inherit'] })
  t.after(() => end(server))
  const ask = async <Data>(path: string): Promise<Data> => {
    const reply = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    return (await reply.json() as { data: Data }).data
  }
  await until(async () => (await fetch(`http://127.0.0.1:${port}/-/ready`)).ok)

  const byName = new Map((parse(rules) as { groups: Array<{ rules: Rule[] }> }).groups
    .flatMap(group => group.rules).map(rule => [rule.alert, rule]))
  const ruleOf = (alert: string): Rule => {
    const rule = byName.get(alert)
    if (rule === undefined) throw new Error(`deploy/prometheus/alerts.yml has no alert ${alert}`)
    return rule
  }
  return {
    holdsForMs: alert => Number.parseInt(ruleOf(alert).for ?? '0', 10),
    async isFiring (alert) {
      const { alerts } = await ask<{ alerts: Array<{ labels: { alertname: string }, state: string }> }>('alerts')
      return alerts.some(({ labels, state }) => labels.alertname === alert && state === 'firing')
    },
    async query (expression) {
      const { result } = await ask<{ result: Array<{ value: [number, string] }> }>(
        `query?query=${encodeURIComponent(expression)}`)
      return result.map(({ value }) => Number(value[1]))
    },
    async record (of, sinceMs) {
      const selectors = selectorsOf(ruleOf(of.alert).expr)
      const [start, end] = [Math.floor(sinceMs / 1000), Math.floor(Date.now() / 1000)]
      const found = await Promise.all(selectors.map(async ({ selector, isRate }) => {
        const { result } = await ask<{ result: Series[] }>(
          `query_range?query=${encodeURIComponent(selector)}&start=${start}&end=${end}&step=${SCRAPE_S}`)
        return result.map(one => ({ ...one, isRate }))
      }))
      return recordingOf(of, found.flat(), { start, end, faster: FASTER })
    }
  }
}

/**
 * The same rules with a faster clock: each `for:` and each range is divided. So a rule judges as many samples as with
 * Prometheus's usual interval of a minute, and nobody waits for it.
 */
function faster (rules: string): string {
  const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000 }
  const fasterMs = (count: string, unit: string): number => Math.round(Number(count) * units[unit]! / FASTER)
  return rules
    .replaceAll(/\bfor: (\d+)([smh])\b/g, (_, count: string, unit: string) => `for: ${fasterMs(count, unit)}ms`)
    .replaceAll(/\[(\d+)([smh])\]/g, (_, count: string, unit: string) =>
      `[${Math.max(fasterMs(count, unit), SHORTEST_RANGE_S * 1000)}ms]`)
}
