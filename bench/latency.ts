import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import autocannon, { type Request } from 'autocannon'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { testClients } from './calls.js'
import { CLIENTS, CONNECTIONS, gatehouse, inTurn, SECONDS, startRival, type Contender } from './http.js'
import { atMost, fixed, median, medianRatio, type Part } from './report.js'
import { startService } from './service.js'

/** The rate at which latencies are compared, as a share of the service's maximum. */
const LOAD = 0.7
/**
 * Many short rounds: if processes share a core, one of them can stall all others for tens of ms, during the sample of
 * any contender. The median ignores these rounds.
 */
export const LATENCY_ROUNDS = 15

/** The latency of a request while the service is well used, compared with a bare Fastify at the same rate. */
export async function measureLatency (t: Lifetime, redisUrl: string): Promise<Part> {
  const service = await startService(t, redisUrl)
  const asked: Request[] = [{ path: '/api/student', headers: {}, setupRequest: inTurn(testClients(CLIENTS)) }]
  const bare = await startRival(t, 'bare Fastify', asked, 200, ['bare', redisUrl])
  const own = gatehouse(service, 'gatehouse, admitted (and then 404)', asked, 404)
  const { rate, latencies } = await atShareOf(LOAD, own, [bare, own])
  const timesBare = ({ p99Ms }: Latency): number => medianRatio(p99Ms, latencies[0]!.p99Ms)
  return {
    title: 'Latency: a service that is well used',
    note: `${rate} requests/s to each, ${LOAD} of what gatehouse does at most, at random times; ` +
      `medians of ${LATENCY_ROUNDS} alternating rounds of one second.`,
    header: ['', 'p50 ms', 'p99 ms', 'p99, times bare'],
    rows: [bare, own].map(({ name }, i) => [
      name, fixed(median(latencies[i]!.p50Ms)), fixed(median(latencies[i]!.p99Ms)), fixed(timesBare(latencies[i]!))
    ]),
    aims: [atMost('p99, times bare', 1.5, timesBare(latencies[1]!))]
  }
}

/** Of a contender, a sample a round. */
export interface Latency { p50Ms: number[], p99Ms: number[] }

/** Each contender in turn gets a share of the maximum rate of `measured`. The order changes each round. */
export async function atShareOf (
  share: number, measured: Contender, contenders: Contender[]
): Promise<{ rate: number, latencies: Latency[] }> {
  const rate = Math.round(share * await mostPerSecond(measured))
  const latencies = contenders.map((): Latency => ({ p50Ms: [], p99Ms: [] }))
  const order = [...contenders.keys()]
  for (let round = -1; round < LATENCY_ROUNDS; round++) { // the first is a warm-up
    order.push(order.shift()!)
    for (const i of order) {
      const tookMs = await timesAtRate(contenders[i]!, rate)
      if (round < 0) continue
      latencies[i]!.p50Ms.push(quantile(tookMs, 0.5))
      latencies[i]!.p99Ms.push(quantile(tookMs, 0.99))
    }
  }
  return { rate, latencies }
}

async function mostPerSecond ({ url, requests }: Contender): Promise<number> {
  const { requests: { total }, duration } = await autocannon({
    url, requests, connections: CONNECTIONS, duration: SECONDS
  })
  return total / duration
}

/** The time before a sample, in which connections are opened and the first backlog is processed. */
const WARM_UP_MS = 500
const SAMPLE_MS = 1000

/**
 * Sends requests at random times, as many clients that know nothing of each other do (a Poisson process), whether the
 * earlier ones are answered or not. Each counts from when it was due: a load generator that waits for answers sends
 * fewer requests the longer they take, and so measures too little. Its timer ticks once a millisecond, which is part of
 * all times.
 *
 * It shares the cores with what it measures, so it parses as little HTTP as possible: each of these answers arrives in
 * one piece. A full HTTP client would use as much CPU as the service does.
 *
 * @param rate requests a second
 * @returns how long each took, in ms
 */
async function timesAtRate ({ url, requests, status }: Contender, rate: number): Promise<number[]> {
  const { host, hostname, port } = new URL(url)
  const [request] = requests
  const tookMs: number[] = []
  /** Requests that are due, by when. */
  const waiting: number[] = []
  let others = 0
  const start = performance.now() + WARM_UP_MS
  const end = start + SAMPLE_MS

  function sendNext (connection: Connection): void {
    const due = waiting.shift()
    connection.due = due
    if (due === undefined) {
      idle.push(connection)
      return
    }
    const { path, headers } = request!.setupRequest!(request!)
    const lines = Object.entries(headers!).map(([name, value]) => `${name}: ${String(value)}\r\n`)
    connection.socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${lines.join('')}\r\n`, 'latin1')
  }

  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, async (): Promise<Connection> => {
    const socket = connect(Number(port), hostname).setNoDelay(true).setEncoding('latin1')
    await once(socket, 'connect')
    const connection: Connection = { socket, due: undefined }
    socket.on('data', (answer: string) => {
      const { due } = connection
      if (due === undefined || !answer.startsWith('HTTP/1.1 ')) throw new Error(`${url} answers in pieces: ${answer}`)
      if (Number(answer.slice(9, 12)) !== status) others++
      if (due > start) tookMs.push(performance.now() - due)
      sendNext(connection)
    })
    return connection
  }))
  const idle = [...connections]

  for (let due = performance.now(); due < end; await setTimeout(1)) {
    for (const now = Math.min(performance.now(), end); due < now; due += -Math.log(Math.random()) * 1000 / rate) {
      waiting.push(due)
      const connection = idle.pop()
      if (connection) sendNext(connection)
    }
  }
  while (idle.length < CONNECTIONS) await setTimeout(1)
  for (const { socket } of connections) socket.destroy()
  if (others > CLIENTS) throw new Error(`${url} gave ${others} times another status than ${status}`)
  return tookMs
}

interface Connection {
  socket: Socket
  /** When the pending request was due; undefined if there is none. */
  due: number | undefined
}

const quantile = (numbers: number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(share * numbers.length)]!
