import type { Request } from 'autocannon'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { testClients } from './calls.js'
import {
  CLIENTS, CONNECTIONS, gatehouse, inTurn, ROUNDS, SECONDS, startRival, takeTurns, type Contender
} from './http.js'
import { atLeast, atMost, fixed, median, medianRatio, type Part } from './report.js'
import { startService } from './service.js'

/** Requests to each whose latencies are compared. */
const TURNS = 5000

/**
 * What it costs to pass a request on to a module, with token, limits, log and metrics, beside a bare
 * @fastify/http-proxy in front of the same module. CPU time of the process that passes on, from outside.
 */
export async function measureGateway (t: Lifetime, redisUrl: string): Promise<Part> {
  const module = await startRival(t, 'the module', [], 200, ['bare', redisUrl])
  const modules = `/api/student=${module.url},/api/academic=${module.url};public`
  const service = await startService(t, redisUrl, { MODULES: modules })
  const asked = (path: string, headers = {}): Request[] =>
    [{ path, headers, setupRequest: inTurn(testClients(CLIENTS)) }]
  const authorization = `Bearer ${service.token}`

  const bareAsked = asked('/api/student/1', { authorization })
  const bare = await startRival(t, 'bare @fastify/http-proxy', bareAsked, 200, ['proxy', module.url])
  const own = gatehouse(service, 'gatehouse', asked('/api/student/1', { authorization }), 200)
  const open = gatehouse(service, 'gatehouse, public module', asked('/api/academic/1'), 200)
  const contenders = [bare, own, open]
  await takeTurns(contenders)

  const p99Ms = await p99sOf(contenders)
  return {
    title: 'Gateway: what it costs to pass a request on',
    note: `CPU of the process that passes on, ${CONNECTIONS} in flight, ${CLIENTS} clients, ` +
      `${SECONDS} s at a time; medians of ${ROUNDS} alternating rounds.\n` +
      `The p99 is that of ${TURNS} requests to each, one at a time.`,
    header: ['', 'CPU µs', 'requests/s of one core', 'share of bare', 'p99 ms'],
    rows: contenders.map(({ name, samples }, i) => [
      name,
      fixed(median(samples)),
      fixed(Math.round(1e6 / median(samples))),
      fixed(medianRatio(bare.samples, samples)),
      fixed(p99Ms[i]!)
    ]),
    aims: [
      atLeast('share of bare @fastify/http-proxy', 0.8, medianRatio(bare.samples, own.samples)),
      atMost('p99 added, in ms', 1, Math.max(0, p99Ms[1]! - p99Ms[0]!))
    ]
  }
}

/** By turns, so that whatever else the machine does touches all of them. */
async function p99sOf (contenders: Contender[]): Promise<number[]> {
  const latenciesMs = contenders.map((): number[] => [])
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [i, contender] of contenders.entries()) latenciesMs[i]!.push(await timed(contender))
  }
  return latenciesMs.map(latencies => latencies.sort((a, b) => a - b)[Math.floor(TURNS * 0.99)]!)
}

async function timed ({ url, requests: [request] }: Contender): Promise<number> {
  const { path, headers } = request!.setupRequest!(request!)
  const startedMs = performance.now()
  await (await fetch(url + path, { headers: headers! })).arrayBuffer()
  return performance.now() - startedMs
}
