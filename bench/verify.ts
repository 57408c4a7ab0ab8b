import type { Request } from 'autocannon'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { freePort } from '../test/fixtures/redis.js'
import { testClients } from './calls.js'
import { CLIENTS, CONNECTIONS, gatehouse, inTurn, ROUNDS, SECONDS, takeTurns } from './http.js'
import { atShareOf, LATENCY_ROUNDS } from './latency.js'
import { nginxOnPath, startNginx } from './nginx.js'
import { fixed, median, type Part } from './report.js'
import { startService } from './service.js'

/**
 * The cost of a request of a proxy to the verify listener, compared with an nginx with limit_req. That nginx knows no
 * tokens, no users and no other replicas. A proxy waits for the answer, so its p99 is what it adds to each request.
 */
export async function measureVerify (t: Lifetime, redisUrl: string): Promise<Part> {
  const port = await freePort()
  const service = await startService(t, redisUrl, {
    VERIFY_PORT: String(port), MODULES: '/api/student,/api/academic;public'
  })
  const authorization = `Bearer ${service.token}`
  const url = `http://127.0.0.1:${port}`
  const contenders = [
    { ...gatehouse(service, '/verify, with a token', asked('/api/student/1', { authorization }), 200), url },
    { ...gatehouse(service, '/verify, a public module', asked('/api/academic/1'), 200), url }
  ]
  if (nginxOnPath()) contenders.push(await startNginx(t, asked('/'), 'empty_gif;'))
  await takeTurns(contenders)

  const rows: string[][] = []
  for (const contender of contenders) {
    const cpuUs = median(contender.samples)
    const { rate, latencies: [latency] } = await atShareOf(0.5, contender, [contender])
    rows.push([
      contender.name, fixed(cpuUs), fixed(Math.round(1e6 / cpuUs)), fixed(rate),
      fixed(median(latency!.p50Ms)), fixed(median(latency!.p99Ms))
    ])
  }
  return {
    title: 'Forward auth: what a question costs',
    note: `CPU of the process that answers, ${CONNECTIONS} in flight, ${CLIENTS} clients, ${SECONDS} s at a time; ` +
      `medians of ${ROUNDS} alternating rounds.\n` +
      'p50 and p99 are those of half the requests a second that it answers at most, at random times; ' +
      `medians of ${LATENCY_ROUNDS} rounds of one second.`,
    header: ['', 'CPU µs', 'requests/s of one core', 'half load, requests/s', 'p50 ms', 'p99 ms'],
    rows,
    aims: []
  }
}

const asked = (uri: string, headers = {}): Request[] => [{
  path: '/verify',
  headers: { ...headers, 'x-forwarded-method': 'GET', 'x-forwarded-uri': uri, 'x-forwarded-host': 'erp.example' },
  setupRequest: inTurn(testClients(CLIENTS))
}]
