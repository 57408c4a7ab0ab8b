import type { Request } from 'autocannon'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { testClients } from './calls.js'
import { CLIENTS, CONNECTIONS, gatehouse, inTurn, ROUNDS, SECONDS, startRival, takeTurns } from './http.js'
import { atShareOf, LATENCY_ROUNDS } from './latency.js'
import { nginxOnPath, startNginx } from './nginx.js'
import { atLeast, atMost, fixed, median, medianDifference, medianRatio, type Part } from './report.js'
import { startService } from './service.js'

/** The directives with which nginx passes a request on to a module. */
const PASS_ON = 'proxy_pass http://module; proxy_http_version 1.1; proxy_set_header Connection "";'

/**
 * The cost of passing a request on to a module, with token, limits, log and metrics. It is compared with a bare
 * @fastify/http-proxy in front of the same module, and with an nginx with limit_req. It is the CPU time of the process
 * that passes on, measured from outside.
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
  if (nginxOnPath()) contenders.push(await startNginx(t, bareAsked, PASS_ON, new URL(module.url).host))
  await takeTurns(contenders)

  const { rate, latencies } = await atShareOf(0.5, own, contenders)
  return {
    title: 'Gateway: what it costs to pass a request on',
    note: `CPU of the process that passes on, ${CONNECTIONS} in flight, ${CLIENTS} clients, ` +
      `${SECONDS} s at a time; medians of ${ROUNDS} alternating rounds.\n` +
      `p50 and p99 are those of half of what gatehouse does at most, ${rate} requests/s to each at random times; ` +
      `medians of ${LATENCY_ROUNDS} alternating rounds of one second.`,
    header: ['', 'CPU µs', 'requests/s of one core', 'share of bare', 'p50 ms', 'p99 ms'],
    rows: contenders.map(({ name, samples }, i) => [
      name,
      fixed(median(samples)),
      fixed(Math.round(1e6 / median(samples))),
      fixed(medianRatio(bare.samples, samples)),
      fixed(median(latencies[i]!.p50Ms)),
      fixed(median(latencies[i]!.p99Ms))
    ]),
    aims: [
      atLeast('share of bare @fastify/http-proxy', 0.8, medianRatio(bare.samples, own.samples)),
      atMost('p99 added at half load, in ms', 1, medianDifference(latencies[1]!.p99Ms, latencies[0]!.p99Ms))
    ]
  }
}
