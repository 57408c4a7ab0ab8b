import { setTimeout } from 'node:timers/promises'
import autocannon, { type Request } from 'autocannon'
import { Pool } from 'undici'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { testClients } from './calls.js'
import { CLIENTS, CONNECTIONS, gatehouse, inTurn, ROUNDS, SECONDS, startRival, type Contender } from './http.js'
import { atMost, fixed, type Part } from './report.js'
import { startService } from './service.js'

/** The rate that latencies are compared at, as a share of what the service can do at most. */
const LOAD = 0.7

/** How long a request takes while the service is well used, beside a bare Fastify that gets as many requests. */
export async function measureLatency (t: Lifetime, redisUrl: string): Promise<Part> {
  const service = await startService(t, redisUrl)
  const asked: Request[] = [{ path: '/api/student', headers: {}, setupRequest: inTurn(testClients(CLIENTS)) }]
  const bare = await startRival(t, 'bare Fastify', asked, 200, ['bare', redisUrl])
  const own = gatehouse(service, 'gatehouse, admitted (and then 404)', asked, 404)
  const { rate, latencies } = await atShareOf(LOAD, own, [bare, own])
  return {
    title: 'Latency: a service that is well used',
    note: `${rate} requests/s to each, ${LOAD} of what gatehouse does at most, at random times; ` +
      `all requests of ${ROUNDS} alternating rounds of ${SECONDS} s.`,
    header: ['', 'p50 ms', 'p99 ms', 'p99, times bare'],
    rows: [bare, own].map(({ name }, i) => [
      name, fixed(latencies[i]!.p50Ms), fixed(latencies[i]!.p99Ms), fixed(latencies[i]!.p99Ms / latencies[0]!.p99Ms)
    ]),
    aims: [atMost('p99, times bare', 1.5, latencies[1]!.p99Ms / latencies[0]!.p99Ms)]
  }
}

/** Of all requests that a contender got. */
export interface Latency { p50Ms: number, p99Ms: number }

/** By turns, each gets a share of the requests a second that `measured` does at most. */
export async function atShareOf (
  share: number, measured: Contender, contenders: Contender[]
): Promise<{ rate: number, latencies: Latency[] }> {
  const rate = Math.round(share * await mostPerSecond(measured))
  const tookMs = contenders.map((): number[] => [])
  for (let round = -1; round < ROUNDS; round++) {
    for (const [i, contender] of contenders.entries()) {
      const took = await timesAtRate(contender, rate)
      if (round >= 0) tookMs[i]!.push(...took) // the first is a warm-up
    }
  }
  return { rate, latencies: tookMs.map(took => ({ p50Ms: quantile(took, 0.5), p99Ms: quantile(took, 0.99) })) }
}

async function mostPerSecond ({ url, requests }: Contender): Promise<number> {
  const { requests: { total }, duration } = await autocannon({
    url, requests, connections: CONNECTIONS, duration: SECONDS
  })
  return total / duration
}

/** How much of a sample is a warm-up: connections are opened, and what waited for them is worked off. */
const WARM_UP_MS = 500

/**
 * Sends requests at random times, as many clients that know nothing of each other do (a Poisson process), whether the
 * earlier ones are answered or not. Each counts from when it was due: a load generator that waits for answers sends
 * fewer requests the longer they take, and so measures too little. Its timer ticks once a millisecond, which is part of
 * all times.
 *
 * @param rate requests a second
 * @returns how long each took, in ms
 */
async function timesAtRate ({ url, requests, status }: Contender, rate: number): Promise<number[]> {
  const [request] = requests
  const pool = new Pool(url, { connections: CONNECTIONS })
  const tookMs: number[] = []
  let others = 0
  const ask = (due: number, counts: boolean): void => {
    const { path, headers } = request!.setupRequest!(request!)
    let answered: number
    pool.dispatch({ path: path!, method: 'GET', headers: headers! }, {
      onRequestStart () {},
      onResponseStart (_controller, statusCode) { answered = statusCode },
      onResponseData () {},
      onResponseEnd () {
        if (answered !== status) others++
        if (counts) tookMs.push(performance.now() - due)
      },
      onResponseError (_controller, error) { throw error }
    })
  }

  const start = performance.now()
  const end = start + WARM_UP_MS + SECONDS * 1000
  for (let due = start; due < end; await setTimeout(1)) {
    for (const now = Math.min(performance.now(), end); due < now; due += -Math.log(Math.random()) * 1000 / rate) {
      ask(due, due > start + WARM_UP_MS)
    }
  }
  await pool.close()
  if (others > CLIENTS) throw new Error(`${url} gave ${others} times another status than ${status}`)
  return tookMs
}

const quantile = (numbers: number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(share * numbers.length)]!
