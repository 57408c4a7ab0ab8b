import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon, { type Request } from 'autocannon'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { testClients } from './calls.js'
import { atLeast, fixed, median, medianRatio, type Part } from './report.js'
import { startService, type Service } from './service.js'

export const ROUNDS = 7
/**
 * Rounds before the measured ones. V8 optimises for some seconds, or longer for more code, and a service runs for days.
 */
const WARM_UPS = 3
export const SECONDS = 2
export const CONNECTIONS = 64
export const CLIENTS = 10_000

/** One of those that are compared. */
export interface Contender {
  name: string
  requests: Request[]
  url: string
  /** CPU time of its process since it started, in µs. */
  cpuUs: () => Promise<number>
  /** What it answers to all requests but the first one of each client. */
  status: number
  samples: number[]
}

/**
 * The cost of a request for the service, compared with a bare Fastify, a Fastify with the same answer, and what users
 * would build instead. It is the CPU time of the process that answers, measured from outside, on the same Redis.
 */
export async function measureHttp (t: Lifetime, redisUrl: string): Promise<Part> {
  const service = await startService(t, redisUrl)
  const many = testClients(CLIENTS)
  const refusable = testClients(256).map((_, i) => `203.0.113.${i}`)
  const asked = (clients: string[], path = '/api/student', headers = {}): Request[] =>
    [{ path, headers, setupRequest: inTurn(clients) }]
  const [admitted, refused] = [asked(many), asked(refusable)]
  const authorization = `Bearer ${service.token}`
  const me = asked(many, '/api/auth/me', { authorization })
  const refresh = asked(many, '/api/auth/refresh', { authorization }).map(one => ({ ...one, method: 'POST' as const }))
  await answerOf(service, refusable[0]!)
  const [miss, denial] = [await answerOf(service, many[0]!), await answerOf(service, refusable[0]!)]

  const own = (name: string, requests: Request[], status: number): Contender =>
    gatehouse(service, name, requests, status)
  const rival = async (
    name: string, setup: string, requests: Request[], status: number, answer?: object
  ): Promise<Contender> =>
    await startRival(t, name, requests, status, [setup, redisUrl, ...answer ? [JSON.stringify(answer)] : []])

  const contenders = {
    bare: await rival('bare Fastify', 'bare', admitted, 200),
    sameAdmitted: await rival('Fastify that answers the same bytes, admitted', 'same', admitted, 404, miss),
    sameRefused: await rival('Fastify that answers the same bytes, refused', 'same', refused, 429, denial),
    admitted: own('gatehouse, admitted (and then 404)', admitted, 404),
    refused: own('gatehouse, refused', refused, 429),
    me: own('gatehouse, GET /api/auth/me', me, 200),
    refresh: own('gatehouse, POST /api/auth/refresh', refresh, 200),
    usualAdmits: await rival('the usual stack, admitted', 'usual-admits', admitted, 200),
    usualRefuses: await rival('the usual stack, refused', 'usual-refuses', refused, 429),
    limiterAdmits: await rival('@fastify/rate-limit and no log, admitted', 'limiter-admits', admitted, 200),
    limiterRefuses: await rival('@fastify/rate-limit and no log, refused', 'limiter-refuses', refused, 429)
  }
  const all = Object.values(contenders)
  await takeTurns(all)

  const { bare, sameAdmitted, sameRefused, usualAdmits, usualRefuses, limiterAdmits, limiterRefuses } = contenders
  const of = (other: Contender, ours: Contender): number => medianRatio(other.samples, ours.samples)
  return {
    title: 'HTTP: what a request costs',
    note: `CPU of the answering process, ${CONNECTIONS} in flight, ${CLIENTS} clients, ` +
      `${SECONDS} s at a time; medians of ${ROUNDS} alternating rounds.\n` +
      'The share is what bare Fastify spends on a request, divided by what this one spends; ' +
      'its spread is over the rounds.',
    chart: {
      unit: 'µs',
      bars: all.map(({ name, samples }) => ({
        label: name, value: median(samples), ours: name.startsWith('gatehouse')
      }))
    },
    header: ['', 'CPU µs', 'share of bare', 'least', 'most'],
    rows: all.map((contender) => {
      const shares = contender.samples.map((sample, round) => bare.samples[round]! / sample)
      return [
        contender.name,
        fixed(median(contender.samples)),
        fixed(median(shares)),
        fixed(Math.min(...shares)),
        fixed(Math.max(...shares))
      ]
    }),
    aims: [
      atLeast('admitted, share of bare', 0.7, of(bare, contenders.admitted)),
      atLeast('admitted, share of the same bytes', 0.75, of(sameAdmitted, contenders.admitted)),
      atLeast('refused, share of bare', 0.78, of(bare, contenders.refused)),
      atLeast('refused, share of the same bytes', 0.9, of(sameRefused, contenders.refused)),
      atLeast('admitted, times the usual stack', 1.7, of(usualAdmits, contenders.admitted)),
      atLeast('refused, times the usual stack', 2.7, of(usualRefuses, contenders.refused)),
      atLeast('admitted, times @fastify/rate-limit', 1.05, of(limiterAdmits, contenders.admitted)),
      atLeast('refused, times @fastify/rate-limit', 1.5, of(limiterRefuses, contenders.refused)),
      atLeast('GET /api/auth/me, share of bare', 0.35, of(bare, contenders.me)),
      atLeast('POST /api/auth/refresh, share of GET /api/auth/me', 0.6, of(contenders.me, contenders.refresh))
    ]
  }
}

/** The service itself as a contender. */
export function gatehouse (service: Service, name: string, requests: Request[], status: number): Contender {
  return {
    name,
    requests,
    url: service.url,
    status,
    samples: [],
    cpuUs: async () => (await service.metrics())('process_cpu_seconds_total') * 1e6
  }
}

/** @param args of http-server.ts: the setup, and what it needs */
export async function startRival (
  t: Lifetime, name: string, requests: Request[], status: number, args: string[]
): Promise<Contender> {
  const child = fork(fileURLToPath(new URL('http-server.ts', import.meta.url)), args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  t.after(() => child.disconnect())
  return { name, requests, url: await message(child) as string, status, samples: [], cpuUs: () => cpuUsOf(child) }
}

/** Takes a sample of each contender in every round. The order changes, so that none always follows the same one. */
export async function takeTurns (contenders: Contender[]): Promise<void> {
  const order = [...contenders]
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    order.push(order.shift()!)
    for (const contender of order) {
      const cpuUs = await load(contender)
      if (round >= 0) contender.samples.push(cpuUs)
    }
  }
}

/** Each request comes from the next client. */
export function inTurn (clients: string[]): NonNullable<Request['setupRequest']> {
  let n = 0
  return request => ({ ...request, headers: { ...request.headers, 'x-forwarded-for': clients[n++ % clients.length]! } })
}

/** What gatehouse answers, for a rival to answer the same. */
async function answerOf ({ url }: Service, client: string): Promise<object> {
  const reply = await fetch(`${url}/api/student`, { headers: { 'x-forwarded-for': client } })
  const varying = ['date', 'connection', 'keep-alive', 'content-length']
  const headers = Object.fromEntries([...reply.headers].filter(([name]) => !varying.includes(name)))
  return { status: reply.status, headers, body: await reply.text() }
}

/** @returns CPU µs a request */
export async function load (
  { url, requests, status, cpuUs }: Contender, duration = SECONDS, connections = CONNECTIONS
): Promise<number> {
  const before = await cpuUs()
  const sleepAgain = stayAwake()
  const result = await autocannon({ url, connections, duration, requests })
  sleepAgain()
  const spent = await cpuUs() - before
  const { total } = result.requests
  const answered = result.statusCodeStats?.[status]?.count ?? 0
  // A bucket admits its first request even if all others are refused.
  const failed = result.errors - result.timeouts // its own timers fire late on a busy machine
  if (failed > 0 || total - answered > CLIENTS) {
    throw new Error(`${url} gave ${answered} times ${status} to ${total} requests, ${failed} failed`)
  }
  return spent / total
}

/**
 * Keeps the client awake. A server that writes to a sleeping client has to wake it, which costs several µs of CPU on a
 * virtual machine. A slower contender has to do so more often. A client on a machine of its own costs no contender
 * anything.
 */
function stayAwake (): () => void {
  let awake = true
  const again = (): void => { if (awake) setImmediate(again) }
  again()
  return () => { awake = false }
}

async function cpuUsOf (server: ChildProcess): Promise<number> {
  server.send('cpu')
  const { user, system } = await message(server) as NodeJS.CpuUsage
  return user + system
}

async function message (server: ChildProcess): Promise<unknown> {
  const settled = new AbortController()
  const { signal } = settled
  try {
    const [value] = await Promise.race([
      once(server, 'message', { signal }),
      once(server, 'exit', { signal }).then(([code]) => { throw new Error(`A server ended with exit code ${code}`) })
    ])
    return value
  } finally {
    settled.abort()
  }
}
