import type { Lifetime } from '../test/fixtures/lifetime.js'
import { testClients } from './calls.js'
import { CLIENTS, CONNECTIONS, gatehouse, inTurn, load } from './http.js'
import { atMost, fixed, median, type Part } from './report.js'
import { startService } from './service.js'

const BURST = 3000
const BURST_SECONDS = 3
const SAMPLES = 5

/**
 * What a request costs before and after a burst of connections. Objects of waiting requests outlive V8's young
 * generation, and V8 would continue to allocate such objects in the old one: see server.ts.
 */
export async function measureBurst (t: Lifetime, redisUrl: string): Promise<Part> {
  const service = await startService(t, redisUrl)
  const setupRequest = inTurn(testClients(CLIENTS))
  const headers = { authorization: `Bearer ${service.token}` }
  const steady = gatehouse(service, 'steady', [{ path: '/api/student', setupRequest }], 404)
  const burst = gatehouse(service, 'burst', [{ path: '/api/auth/me', headers, setupRequest }], 200)

  async function costs (): Promise<number[]> {
    // The first one is a warm-up, or includes the aftermath of the burst.
    await load(steady)
    const samples: number[] = []
    for (let i = 0; i < SAMPLES; i++) samples.push(await load(steady))
    return samples
  }

  const before = await costs()
  await load(burst, BURST_SECONDS, BURST)
  const after = await costs()
  const ratio = median(after) / median(before)
  return {
    title: 'HTTP: what a burst leaves behind',
    note: `CPU of an admitted request, ${CONNECTIONS} in flight, before and after ${BURST_SECONDS} s of ${BURST} ` +
      `connections that ask for GET /api/auth/me; medians of ${SAMPLES} times.`,
    header: ['', 'CPU µs'],
    rows: [['before', fixed(median(before))], ['after', fixed(median(after))]],
    aims: [atMost('after the burst, times before', 1.2, ratio)]
  }
}
