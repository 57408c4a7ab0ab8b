import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { fixed, median, medianRatio, type Part } from './report.js'

const ROUNDS = 5
const SECONDS = 3
const CONNECTIONS = 100

const ways = [
  ['bare Fastify', 'bare', '2xx'],
  ['gatehouse limiter, admitted', 'ours-admits', '2xx'],
  ['gatehouse limiter, refused', 'ours-refuses', '4xx'],
  ['@fastify/rate-limit, admitted', 'rival-admits', '2xx'],
  ['@fastify/rate-limit, refused', 'rival-refuses', '4xx']
] as const

interface Server {
  name: string
  url: string
  process: ChildProcess
  answers: '2xx' | '4xx'
  perSecond: number[]
  cpuUs: number[]
}

/** Each server is a process of its own, and so is Redis; this one makes the requests, of one server at a time. */
export async function measureHttp (redisUrl: string): Promise<Part> {
  const servers = await Promise.all(ways.map(async ([name, setup, answers]): Promise<Server> => {
    const child = fork(fileURLToPath(new URL('http-server.ts', import.meta.url)), [setup, redisUrl])
    return { name, url: await message(child) as string, process: child, answers, perSecond: [], cpuUs: [] }
  }))
  for (let round = -1; round < ROUNDS; round++) {
    for (const server of servers) {
      const { perSecond, cpuUs } = await load(server, round < 0 ? 1 : SECONDS)
      if (round < 0) continue // a warm-up
      server.perSecond.push(perSecond)
      server.cpuUs.push(cpuUs)
    }
  }
  for (const server of servers) server.process.disconnect()

  const bare = servers[0]!
  return {
    title: 'HTTP: what a limiter leaves of the throughput of a bare Fastify',
    note: `GET / over ${CONNECTIONS} connections from one client, ${SECONDS} s at a time; medians of ${ROUNDS} rounds.\n` +
      'The share by CPU is what it would be if the server alone were the bottleneck.',
    header: ['', 'requests/s', 'share', 'server CPU µs', 'share by CPU'],
    rows: servers.map(of => [
      of.name, median(of.perSecond).toFixed(0), fixed(medianRatio(of.perSecond, bare.perSecond)),
      fixed(median(of.cpuUs)), fixed(medianRatio(bare.cpuUs, of.cpuUs))
    ]),
    aims: []
  }
}

async function load ({ url, process, answers }: Server, duration: number): Promise<{ perSecond: number, cpuUs: number }> {
  const before = await cpuUsOf(process)
  const result = await autocannon({ url, connections: CONNECTIONS, duration })
  const cpuUs = await cpuUsOf(process) - before
  const { total } = result.requests
  // A bucket admits its first request even where all others are refused.
  if (result.errors > 0 || total - result[answers] > 1) throw new Error(`${url} gave ${result[answers]} ${answers} to ${total} requests`)
  return { perSecond: total / result.duration, cpuUs: cpuUs / total }
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
