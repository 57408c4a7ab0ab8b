import type { Request } from 'autocannon'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { gatehouse, load, type Contender } from './http.js'
import { atMost, fixed, median, medianRatio, type Part } from './report.js'
import { startService } from './service.js'

const PHASES = 3
/** In each phase, of either kind. */
const ROUNDS = 7
const SECONDS = 1
const FEW = 10_000
const MANY = 4_000_000
/** How long a replica takes to remember nearly all of so many, and to forget most of them. */
const REMEMBERED_S = 20
const FORGOTTEN_S = 4

/**
 * What a request costs if its client was not seen lately. One replica answers both kinds, in turns, because two
 * processes of the same program differ by more.
 */
export async function measureGrowth (t: Lifetime, redisUrl: string): Promise<Part> {
  const service = await startService(t, redisUrl)
  const of = (clients: number): Contender =>
    gatehouse(service, `${clients.toLocaleString('en')} clients`, fromClients(clients), 404)
  const [few, many] = [of(FEW), of(MANY)]
  for (let phase = 0; phase < PHASES; phase++) {
    for (const [contender, seconds] of [[few, REMEMBERED_S], [many, FORGOTTEN_S]] as const) {
      await load(contender, seconds)
      for (let round = 0; round < ROUNDS; round++) contender.samples.push(await load(contender, SECONDS))
    }
  }
  return {
    title: 'More clients than a replica remembers',
    note: `Admitted requests of one replica; medians of ${PHASES * ROUNDS} rounds in ${PHASES} phases.`,
    header: ['', 'CPU µs'],
    rows: [few, many].map(({ name, samples }) => [name, fixed(median(samples))]),
    aims: [atMost(`CPU with ${many.name}, times ${few.name}`, 1.1, medianRatio(many.samples, few.samples))]
  }
}

/** Requests of so many clients of 100.64.0.0/10, one after the other. */
function fromClients (count: number): Request[] {
  let next = 0
  return [{
    path: '/api/student',
    setupRequest (request) {
      const i = next++ % count
      const client = `100.${64 + (i >> 16)}.${i >> 8 & 255}.${i & 255}`
      return { ...request, headers: { 'x-forwarded-for': client } }
    }
  }]
}
