import autocannon, { type Request } from 'autocannon'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { testClients } from './calls.js'
import { CLIENTS, CONNECTIONS, gatehouse, inTurn, ROUNDS, SECONDS, startRival, type Contender } from './http.js'
import { atMost, fixed, median, medianRatio, type Part } from './report.js'
import { startService } from './service.js'

/** The rate that latencies are compared at, as a share of what the service can do at most. */
const LOAD = 0.7

/** How long a request takes while the service is well used, beside a bare Fastify that gets as many requests. */
export async function measureLatency (t: Lifetime, redisUrl: string): Promise<Part> {
  const service = await startService(t, redisUrl)
  const asked: Request[] = [{ path: '/api/student', headers: {}, setupRequest: inTurn(testClients(CLIENTS)) }]
  const contenders = [
    await startRival(t, 'bare Fastify', asked, 200, ['bare', redisUrl]),
    gatehouse(service, 'gatehouse, admitted (and then 404)', asked, 404)
  ]
  const [bare, own] = contenders.map((): number[] => [])
  const limits: number[] = []
  for (let round = -1; round < ROUNDS; round++) {
    const limit = (await ask(contenders[1]!)).perSecond
    const rate = Math.round(LOAD * limit)
    const [ofBare, ofOwn] = [await ask(contenders[0]!, rate), await ask(contenders[1]!, rate)]
    if (round < 0) continue // a warm-up
    limits.push(limit)
    bare!.push(ofBare.p99Ms)
    own!.push(ofOwn.p99Ms)
  }
  return {
    title: 'Latency: a service that is well used',
    note: `${CONNECTIONS} connections, each at ${LOAD} of what the service does at most ` +
      `(${fixed(Math.round(median(limits)))} requests/s), ${SECONDS} s at a time; medians of ${ROUNDS} rounds.`,
    header: ['', 'p99 ms', 'times bare'],
    rows: contenders.map(({ name }, i) => {
      const samples = [bare!, own!][i]!
      return [name, fixed(median(samples)), fixed(medianRatio(samples, bare!))]
    }),
    aims: [atMost('p99, times bare', 1.5, medianRatio(own!, bare!))]
  }
}

/** @param rate requests a second over all connections; as many as there can be without it */
export async function ask (
  { url, requests }: Contender, rate?: number
): Promise<{ perSecond: number, p99Ms: number }> {
  const tookMs: number[] = []
  const load = autocannon({
    url, requests, connections: CONNECTIONS, duration: SECONDS, ...rate !== undefined && { overallRate: rate }
  })
  load.on('response', (_client, _status, _bytes, ms) => { tookMs.push(ms) })
  const { duration } = await load
  tookMs.sort((a, b) => a - b)
  return { perSecond: tookMs.length / duration, p99Ms: tookMs[Math.floor(tookMs.length * 0.99)]! }
}
