import { fork } from 'node:child_process'
import { once, setMaxListeners } from 'node:events'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { atMost, fixed, median, medianRatio, type Part } from './report.js'
import { startService, type Service } from './service.js'

const ROUNDS = 4
const SECONDS = 5
const FLOOD_CONNECTIONS = 200
const IDLE_SOCKETS = 2000
const SLOW_SOCKETS = 500
/** The interval between the requests of a user who needs fast answers. */
const PROBE_EVERY_MS = 10

interface Probe { p50: number, p99: number, worst: number, failed: number }

interface Counts { admitted: number, shed: number, wrong: number }

interface Flood {
  name: string
  patience: 'patient' | 'impatient'
  probes: Probe[]
  lagMs: number[]
  megabytes: number[]
  loginsPerSecond: number[]
  shedPerSecond: number[]
}

/** The latency for a user while others flood the service, in turns with the latency without a flood. */
export async function measureBackpressure (t: Lifetime, redisUrl: string): Promise<Part[]> {
  const service = await startService(t, redisUrl)
  return [await measureFloods(service), await measureSockets(service)]
}

async function measureFloods (service: Service): Promise<Part> {
  const alone: Probe[] = []
  const floods = ([
    ['that wait as told', 'patient'], ['that never wait', 'impatient']
  ] as const).map(([name, patience]): Flood =>
    ({
      name: `beside logins ${name}`,
      patience,
      probes: [],
      lagMs: [],
      megabytes: [],
      loginsPerSecond: [],
      shedPerSecond: []
    }))
  for (let round = -1; round < ROUNDS; round++) {
    const quiet = await probe(service, SECONDS)
    if (round >= 0) alone.push(quiet) // the first is a warm-up
    for (const flood of floods) await floodOnce(service, flood, round >= 0)
  }

  const of = (probes: Probe[], what: keyof Probe): number[] => probes.map(probe => probe[what])
  const row = (name: string, probes: Probe[], ...rest: string[]): string[] => [
    name, ...(['p50', 'p99', 'worst'] as const).map(what => fixed(median(of(probes, what)))),
    String(of(probes, 'failed').reduce((a, b) => a + b)), ...rest
  ]
  const memories = floods.map(({ megabytes }) => megabytes.map(mb => mb.toFixed(0)).join(', '))
  return {
    title: 'A login flood: what another user notices',
    note: `GET /api/auth/me every ${PROBE_EVERY_MS} ms for ${SECONDS} s, alone and beside ${FLOOD_CONNECTIONS} ` +
      `connections that log in on and on, in turns; medians of ${ROUNDS} rounds.\n` +
      `Whoever finds the queue full gets 503. Memory, round by round: ${memories.join('; ')} MB.`,
    header: ['', 'p50 ms', 'p99 ms', 'worst ms', 'failed', 'p99 to alone', 'logins/s', '503/s', 'loop p99 ms'],
    rows: [row('alone', alone, '1', '0', '0', ''), ...floods.map(flood => row(
      flood.name, flood.probes, fixed(medianRatio(of(flood.probes, 'p99'), of(alone, 'p99'))),
      median(flood.loginsPerSecond).toFixed(1), median(flood.shedPerSecond).toFixed(0), median(flood.lagMs).toFixed(0)
    ))],
    aims: floods.flatMap(({ name, probes, lagMs, megabytes }) => [
      atMost(`${name}: p99 to p99 alone`, 3, medianRatio(of(probes, 'p99'), of(alone, 'p99'))),
      atMost(`${name}: p99 of the event loop's delay, ms`, 50, median(lagMs)),
      atMost(`${name}: memory of the last round to that of the first`, 1.2, megabytes.at(-1)! / megabytes[0]!)
    ])
  }
}

async function floodOnce (service: Service, flood: Flood, counts: boolean): Promise<void> {
  const startedMs = performance.now()
  const child = fork(fileURLToPath(new URL('flood.ts', import.meta.url)), [
    service.url, JSON.stringify(service.credentials), String(FLOOD_CONNECTIONS), flood.patience
  ])
  await new Promise(resolve => setTimeout(resolve, 2000))
  await service.metrics()
  const probed = await probe(service, SECONDS)
  const metrics = await service.metrics()
  child.send('stop')
  const [{ admitted, shed, wrong }] = await once(child, 'message') as [Counts]
  if (wrong > 0) {
    throw new Error(
      `${wrong} logins of the flood were answered with neither 200 nor 503 and Retry-After, or not at all`
    )
  }
  const seconds = (performance.now() - startedMs) / 1000
  await settle(service)
  if (!counts) return
  flood.probes.push(probed)
  flood.lagMs.push(metrics('nodejs_eventloop_lag_p99_seconds') * 1000)
  flood.megabytes.push(metrics('process_resident_memory_bytes') / 1e6)
  flood.loginsPerSecond.push(admitted / seconds)
  flood.shedPerSecond.push(shed / seconds)
}

/** Waits until the hash queue is empty. */
async function settle (service: Service): Promise<void> {
  while ((await service.metrics())('gatehouse_hash_queue_length') > 0) {
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

async function measureSockets (service: Service): Promise<Part> {
  const alone = await probe(service, SECONDS)
  const before = await service.metrics()
  const idle = await Promise.all(Array.from({ length: IDLE_SOCKETS }, () => open(service)))
  const over = new AbortController()
  setMaxListeners(SLOW_SOCKETS, over.signal)
  let ended = 0
  const slow = Promise.all(Array.from({ length: SLOW_SOCKETS }, async (_, i) => {
    // One after the other, so that they do not all run out of time at once.
    await new Promise(resolve => setTimeout(resolve, i * SECONDS * 1000 / SLOW_SOCKETS))
    while (!over.signal.aborted) {
      await dripUntilEnded(service, over.signal)
      if (!over.signal.aborted) ended++
    }
  }))
  await new Promise(resolve => setTimeout(resolve, SECONDS * 1000))
  const beside = await probe(service, 2 * SECONDS)
  const after = await service.metrics()
  over.abort()
  await slow
  for (const socket of idle) socket.destroy()
  const row = (name: string, { p50, p99, worst, failed }: Probe): string[] => [
    name, fixed(p50), fixed(p99), fixed(worst), String(failed)
  ]
  const memory = (metrics: (name: string) => number): string =>
    (metrics('process_resident_memory_bytes') / 1e6).toFixed(0)
  return {
    title: 'Sockets that are held open',
    note: `The same beside ${IDLE_SOCKETS} connections that send nothing and ${SLOW_SOCKETS} that send a byte a ` +
      'second, each anew when it is ended; one round.\n' +
      `${ended} of the slow ones were ended in ${3 * SECONDS} s; the process had ${memory(before)} MB before and ` +
        `${memory(after)} MB with them.`,
    header: ['', 'p50 ms', 'p99 ms', 'worst ms', 'failed'],
    rows: [row('alone', alone), row('beside them', beside)],
    aims: [atMost('requests that failed', 0, beside.failed)]
  }
}

async function dripUntilEnded (service: Service, over: AbortSignal): Promise<void> {
  const socket = await open(service)
  const text = 'GET /api/auth/me HTTP/1.1\r\nHost: x\r\nX-Slow: '
  let sent = 0
  const drip = setInterval(() => { socket.write(text[sent++ % text.length]!) }, 1000)
  const end = (): unknown => socket.destroy()
  over.addEventListener('abort', end)
  await once(socket, 'close')
  over.removeEventListener('abort', end)
  clearInterval(drip)
}

async function open ({ url }: Service): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {}).resume()
  await once(socket, 'connect')
  return socket
}

/**
 * Each request starts at its scheduled time, not after the answer to the one before. Its wait counts from its start.
 */
async function probe ({ url, token }: Service, seconds: number): Promise<Probe> {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  const ms: number[] = []
  let failed = 0
  const requests: Array<Promise<void>> = []
  const startedMs = performance.now()
  for (let n = 0; n < seconds * 1000 / PROBE_EVERY_MS; n++) {
    const dueMs = startedMs + n * PROBE_EVERY_MS
    await new Promise(resolve => setTimeout(resolve, dueMs - performance.now()))
    requests.push(ask(`${url}/api/auth/me`, token, agent).then(
      (sentMs) => { ms.push(performance.now() - sentMs) }, () => { failed++ }
    ))
  }
  await Promise.all(requests)
  agent.destroy()
  ms.sort((a, b) => a - b)
  return { p50: ms[ms.length >> 1]!, p99: ms[Math.floor(ms.length * 0.99)]!, worst: ms.at(-1)!, failed }
}

/** @returns when it was sent */
async function ask (url: string, token: string, agent: Agent): Promise<number> {
  const sentMs = performance.now()
  const request = get(url, { agent, headers: { authorization: `Bearer ${token}` } })
  const [response] = await once(request, 'response')
  response.resume()
  await once(response, 'end')
  if (response.statusCode !== 200) throw new Error(`answered with ${response.statusCode}`)
  return sentMs
}
