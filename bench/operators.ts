import { spawn } from 'node:child_process'
import { createWriteStream, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { newDirectory, type Lifetime } from '../test/fixtures/lifetime.js'
import { ours } from './calls.js'
import { atMost, fixed, type Part } from './report.js'

const MANY = 1_000_000
const RUNS = 3

/** How many clients a log has. */
const CLIENTS = [1000, MANY]

interface Used { wallS: number, cpuS: number, peakMiB: number }

/** The cost of operators' commands on a million buckets or log lines: time, CPU time and memory of the command. */
export async function measureOperators (t: Lifetime, redis: Redis, redisUrl: string): Promise<Part> {
  await fillBuckets(redis)
  const list = await leastOf(() => used(['buckets', 'list', '--json'], redisUrl))
  await redis.flushall('SYNC')
  const directory = newDirectory(t)
  const rehearsals = []
  for (const clients of CLIENTS) {
    const log = join(directory, `${clients}.log`)
    await writeLog(log, clients)
    rehearsals.push(await leastOf(() => used(['simulate', log], redisUrl)))
  }
  const names = [
    'buckets list --json, a million buckets', ...CLIENTS.map(count => `simulate, a million lines, ${count} clients`)
  ]
  const rows = [list, ...rehearsals].map(({ wallS, cpuS, peakMiB }, i) =>
    [names[i]!, fixed(wallS), fixed(cpuS), String(peakMiB)])
  return {
    title: 'Commands that read a million',
    note: `The fastest of ${RUNS} runs. The lines are of an hour, in the combined format.`,
    header: ['', 'seconds', 'CPU seconds', 'peak MiB'],
    rows,
    aims: [
      atMost('seconds to list a million buckets', 15, list.wallS),
      ...rehearsals.map(({ cpuS }, i) => atMost(`CPU seconds for a million lines of ${CLIENTS[i]} clients`, 10, cpuS))
    ]
  }
}

/**
 * Makes buckets like those of clients inside Redis, because sending them one by one would take longer than listing
 * them. They get one token an hour, so that none of them is full before the end.
 */
async function fillBuckets (redis: Redis): Promise<void> {
  await redis.flushall('SYNC')
  const [call] = await ours(1).calls({ ...defaultLimits.policies.general, refill: 1, periodMs: 3_600_000 }, ['any'])
  const lackingOne = call!.args.at(-1)!
  const lua = `
    for i = ARGV[1] + 0, ARGV[2] - 1 do
      local client = string.format('10.%d.%d.%d', math.floor(i / 65536), math.floor(i / 256) % 256, i % 256)
      redis.call('SET', 'gatehouse:bucket:general:' .. client, ARGV[3] + i % 100, 'PX', (i % 100 + 1) * 3600000)
    end`
  for (let i = 0; i < MANY; i += 10_000) await redis.eval(lua, 0, i, i + 10_000, lackingOne)
}

async function writeLog (path: string, clients: number): Promise<void> {
  const file = createWriteStream(path)
  for (let i = 0; i < MANY; i++) {
    const seconds = Math.floor(i * 3600 / MANY)
    const time = [seconds / 60, seconds % 60].map(part => String(Math.floor(part)).padStart(2, '0')).join(':')
    const n = i * 7919 % clients
    const client = `10.${n >> 16}.${n >> 8 & 255}.${n & 255}`
    const request = i % 20 === 0 ? 'POST /api/auth/login' : `GET /api/student/${i % 500}`
    const line = `${client} - - [22/Nov/2026:09:${time} +0000] "${request} HTTP/1.1" 200 512 "-" "Mozilla/5.0"\n`
    if (!file.write(line)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
}

async function leastOf (run: () => Promise<Used>): Promise<Used> {
  const runs = []
  for (let i = 0; i < RUNS; i++) runs.push(await run())
  return runs.sort((a, b) => a.wallS - b.wallS)[0]!
}

/** Runs a command to its end, and reads what it used from /proc while it runs. */
async function used (args: string[], redisUrl: string): Promise<Used> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, ['dist/cli.js', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, REDIS_URL: redisUrl, DATABASE_URL: '' }
  })
  const ended = once(child, 'exit') as Promise<[number | null]>
  let [cpuS, peakMiB] = [0, 0]
  while (child.exitCode === null && child.signalCode === null) {
    await Promise.race([ended, setTimeout(20)])
    try {
      const [user, system] = readFileSync(`/proc/${child.pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ').slice(11)
      cpuS = (Number(user) + Number(system)) / 100
      peakMiB = Math.round(Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024)
    } catch {
      // The command has ended, and the last values are at most 20 ms old.
      break
    }
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} ended with ${code}: see above.`)
  return { wallS: (performance.now() - startedMs) / 1000, cpuS, peakMiB }
}
