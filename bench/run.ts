import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { startRedis } from '../test/fixtures/redis.js'
import { measureBackpressure } from './backpressure.js'
import { measureBucketBytes } from './bucket-bytes.js'
import { measureBurst } from './burst.js'
import { measureCampus } from './campus.js'
import { barChart } from './chart.js'
import { measureCapacity, measureCluster } from './capacity.js'
import { measureFilters } from './filters.js'
import { measureGateway } from './gateway.js'
import { measureGrowth } from './growth.js'
import { measureHttp } from './http.js'
import { measureIdle } from './idle.js'
import { measureLatency } from './latency.js'
import { measureLockOut } from './lock-out.js'
import { measureNodeCpu } from './node-cpu.js'
import { measureOperators } from './operators.js'
import { measureRedisCpu } from './redis-cpu.js'
import { print, printPart, type Part } from './report.js'
import { measureSoak } from './soak.js'
import { measureTracing } from './tracing.js'
import { measureVerify } from './verify.js'

// Parts by name, all of them but the soak by default. `--save` also writes what was found to docs/benchmarks.json, and
// its chart. The soak takes `--minutes`, and with `--logs` a folder for the logs of its replicas.

const { values: { save, minutes, logs }, positionals } = parseArgs({
  options: { save: { type: 'boolean' }, minutes: { type: 'string', default: '20' }, logs: { type: 'string' } },
  allowPositionals: true
})
const closers: Array<() => unknown> = []
const t: Lifetime = { after: close => { closers.unshift(close) } }
try {
  const { client: redis, url } = await startRedis(t)
  const parts: Record<string, () => Promise<Part | Part[]>> = {
    'redis-cpu': async () => [await measureRedisCpu(redis, 'login'), await measureRedisCpu(redis, 'general')],
    bytes: () => measureBucketBytes(redis),
    'node-cpu': () => measureNodeCpu(url),
    http: () => measureHttp(t, url),
    burst: () => measureBurst(t, url),
    latency: () => measureLatency(t, url),
    idle: () => measureIdle(t, url),
    gateway: () => measureGateway(t, url),
    tracing: () => measureTracing(t, url),
    verify: () => measureVerify(t, url),
    cluster: () => measureCluster(t, url),
    capacity: () => measureCapacity(t, url),
    growth: () => measureGrowth(t, url),
    backpressure: () => measureBackpressure(t, url),
    campus: () => measureCampus(t, url),
    operators: () => measureOperators(t, redis, url),
    'lock-out': () => measureLockOut(t),
    filters: () => measureFilters(t),
    soak: () => measureSoak(t, Number(minutes), logs)
  }
  const names = positionals.length > 0 ? positionals : Object.keys(parts).filter(name => name !== 'soak')
  const unknown = names.find(name => !(name in parts))
  if (unknown !== undefined) {
    throw new Error(`There is no part "${unknown}"; these there are: ${Object.keys(parts).join(', ')}`)
  }

  const version = /^redis_version:(.*)$/m.exec(await redis.info('server'))![1]!.trim()
  const machine =
    `${availableParallelism()} cores (${cpus()[0]!.model.trim()}), Node ${process.versions.node}, Redis ${version}`
  print(`${machine}\n`)
  const found: Part[] = []
  for (const name of names) {
    for (const part of [await parts[name]!()].flat()) {
      printPart(part)
      found.push(part)
    }
  }
  if (save) saveAll(machine, found)
} finally {
  for (const close of closers) await close()
}

/** What was not measured this time stays. */
function saveAll (machine: string, found: Part[]): void {
  const file = 'docs/benchmarks.json'
  const earlier = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { parts: Part[] }).parts : []
  const others = earlier.filter(({ title }) => !found.some(part => part.title === title))
  const parts = [...others, ...found.map(part => ({ ...part, machine }))]
  writeFileSync(file, `${JSON.stringify({ parts }, null, 2)}\n`)
  for (const { title, chart } of found) {
    if (chart) writeFileSync('docs/benchmarks.svg', barChart(`${title} (${chart.unit})`, chart.unit, chart.bars))
  }
}
