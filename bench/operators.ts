import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { defaultLimits } from '#src/limiter/limits/policies.js'
import { newDirectory, type Lifetime } from '../test/fixtures/lifetime.js'
import { ours } from './calls.js'
import { runCommand, type Used } from './command.js'
import { atMost, fixed, type Part } from './report.js'

const MANY = 1_000_000
const RUNS = 3

const FEW_CLIENTS = 1000

interface Logged { at: Date, client: string, method: string, path: string, number: number }

const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'

/** `22/Nov/2025:09:15:00` */
const clfDate = (at: Date): string => at.toUTCString().slice(5, 25).replaceAll(' ', '/').replace(/\/(?=..:)/, ':')

/** Lines as the servers write them for a browser. */
const formats: Record<string, (request: Logged) => string> = {
  'nginx combined': ({ at, client, method, path }) =>
    `${client} - - [${clfDate(at)} +0000] "${method} ${path} HTTP/1.1" 200 512 "https://erp.example/" "${agent}"`,
  'nginx JSON': ({ at, client, method, path }) => JSON.stringify({
    time_iso8601: at.toISOString().replace(/\.\d+Z$/, '+00:00'),
    remote_addr: client,
    http_x_forwarded_for: '',
    request: `${method} ${path} HTTP/1.1`,
    status: '200',
    body_bytes_sent: '512',
    request_time: '0.004',
    http_referer: 'https://erp.example/',
    http_user_agent: agent
  }),
  HAProxy: ({ at, client, method, path }) =>
    `<134>Nov 22 09:00:00 lb1 haproxy[71]: ${client}:40698 [${clfDate(at)}.${at.toISOString().slice(20, 23)}] public ` +
    `api/api-1 0/0/1/3/4 200 512 - - ---- 31/31/4/1/0 0/0 "${method} ${path} HTTP/1.1"`,
  Caddy: ({ at, client, method, path }) => JSON.stringify({
    level: 'info',
    ts: at.getTime() / 1000,
    logger: 'http.log.access.log0',
    msg: 'handled request',
    request: {
      remote_ip: client,
      remote_port: '40698',
      client_ip: client,
      proto: 'HTTP/2.0',
      method,
      host: 'erp.example',
      uri: path,
      headers: {
        Accept: ['application/json'],
        'Accept-Encoding': ['gzip, deflate, br, zstd'],
        'Accept-Language': ['en-GB,en;q=0.9'],
        Authorization: ['REDACTED'],
        Referer: ['https://erp.example/'],
        'Sec-Fetch-Mode': ['cors'],
        'Sec-Fetch-Site': ['same-origin'],
        'User-Agent': [agent]
      },
      tls: { resumed: false, version: 772, cipher_suite: 4865, proto: 'h2', server_name: 'erp.example' }
    },
    bytes_read: 0,
    user_id: '',
    duration: 0.004228576,
    size: 512,
    status: 200,
    resp_headers: { Server: ['Caddy'], 'Content-Type': ['application/json; charset=utf-8'] }
  }),
  gatehouse: ({ at, client, method, path }) => JSON.stringify({
    level: 30,
    time: at.toISOString(),
    pid: 7,
    hostname: 'api-1',
    reqId: 'f3b1c2d4-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
    durationMs: 4,
    client,
    method,
    route: path.replace(/\d+$/, '*'),
    status: 200,
    userId: 17,
    msg: 'request'
  })
}

/** The audit log of a school of 30,000 that is attacked: of eight logins one succeeds, and one is refused. */
function auditLine ({ at, client, number }: Logged): string {
  const user = number * 7919 % 30_000
  const event = ['authn_login_success', 'authn_login_fail_max'][number % 8] ?? 'authn_login_fail'
  return JSON.stringify({
    level: 30,
    time: at.toISOString(),
    reqId: 'f3b1c2d4-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
    method: 'POST',
    route: '/api/auth/login',
    status: 401,
    durationMs: 64,
    client,
    event,
    actor: `first.last${user}`,
    userId: user,
    msg: 'request'
  })
}

const MOST = ['nginx combined', MANY] as const

/** The cost of operators' commands on a million buckets or log lines: time, CPU time and memory of the command. */
export async function measureOperators (t: Lifetime, redis: Redis, redisUrl: string): Promise<Part> {
  await fillBuckets(redis)
  const list = await leastOf(() => runCommand(['buckets', 'list', '--json'], { REDIS_URL: redisUrl }))
  await redis.flushall('SYNC')
  const directory = newDirectory(t)
  const log = join(directory, 'access.log')
  const simulations: Array<Used & { name: string }> = []
  for (const [format, clients] of [...Object.keys(formats).map(name => [name, FEW_CLIENTS] as const), MOST]) {
    await writeLog(log, formats[format]!, clients)
    const least = await leastOf(() => runCommand(['simulate', log], { REDIS_URL: redisUrl }))
    simulations.push({ ...least, name: `simulate, a million lines of ${format}, ${clients} clients` })
  }
  await writeLog(log, auditLine, MANY)
  const logins = await leastOf(() => runCommand(['logins', log], { REDIS_URL: redisUrl }))
  const ofLogs = [...simulations, { ...logins, name: 'logins, a million audit lines, a million addresses' }]
  const rows = [{ ...list, name: 'buckets list --json, a million buckets' }, ...ofLogs]
  return {
    title: 'Commands that read a million',
    note: `The run of ${RUNS} that took the least CPU. The lines are of an hour.`,
    header: ['', 'seconds', 'CPU seconds', 'peak MiB'],
    rows: rows.map(({ name, wallS, cpuS, peakMiB }) => [name, fixed(wallS), fixed(cpuS), String(peakMiB)]),
    aims: [
      atMost('seconds to list a million buckets', 15, list.wallS),
      ...ofLogs.map(({ name, cpuS }) => atMost(`CPU seconds to ${name}`, 10, cpuS))
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

async function writeLog (path: string, lineOf: (request: Logged) => string, clients: number): Promise<void> {
  const file = createWriteStream(path)
  for (let i = 0; i < MANY; i++) {
    const n = i * 7919 % clients
    const line = lineOf({
      number: i,
      at: new Date(Date.UTC(2025, 10, 22, 9) + i * 3_600_000 / MANY),
      client: `10.${n >> 16}.${n >> 8 & 255}.${n & 255}`,
      ...i % 20 === 0 ? { method: 'POST', path: '/api/auth/login' } : { method: 'GET', path: `/api/student/${i % 500}` }
    })
    if (!file.write(`${line}\n`)) await once(file, 'drain')
  }
  file.end()
  await once(file, 'finish')
}

async function leastOf (run: () => Promise<Used>): Promise<Used> {
  const runs = []
  for (let i = 0; i < RUNS; i++) runs.push(await run())
  return runs.sort((a, b) => a.cpuS - b.cpuS)[0]!
}
