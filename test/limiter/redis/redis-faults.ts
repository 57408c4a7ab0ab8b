import { Redis } from 'ioredis'
import type { Test } from 'tap'
import { end, newDirectory } from '../../fixtures/lifetime.js'
import { startNetwork, type Network } from '../../fixtures/network.js'
import { freePort, launch, startRedis, type RedisServer } from '../../fixtures/redis.js'
import { until } from '../../fixtures/until.js'

/** A Redis, or none yet, and the network that the service reaches it through. */
export interface Stage {
  t: Test
  /** Where Redis may keep files. */
  directory: string
  port: number
  network: Network
  /** A connection of the test's own, past the network. */
  direct: Redis
  start: () => Promise<void>
  signal: (signal: NodeJS.Signals) => Promise<void>
}

export interface Fault {
  /** How Redis is started. */
  args?: string[]
  absentAtFirst?: true
  begin: (stage: Stage) => unknown
  end: (stage: Stage) => unknown
  /** What the log says of it, sooner or later. */
  reason: RegExp
}

/** By what a Redis does that has the fault. */
export const faults: Record<string, Fault> = {
  'is killed, and comes back empty': {
    begin: ({ signal }) => signal('SIGKILL'), end: ({ start }) => start(), reason: /no connection/
  },
  hangs: {
    begin: ({ signal }) => signal('SIGSTOP'), end: ({ signal }) => signal('SIGCONT'), reason: /no reply within \d+ ms/
  },
  'is cut off without a word, for good as far as old connections go': {
    begin ({ network }) { network.cut = true },
    end ({ network }) { network.cut = false },
    reason: /no reply within \d+ ms/
  },
  'is loading its data': {
    begin: restartLoading, end: setting('key-load-delay', '0'), reason: /LOADING|no connection/
  },
  'is read-only, as an old master is after a failover': {
    begin: ({ direct }) => direct.replicaof('127.0.0.1', 1),
    end: ({ direct }) => direct.replicaof('NO', 'ONE'),
    reason: /READONLY/
  },
  'is out of memory, and may evict nothing': {
    args: ['--maxmemory-policy', 'noeviction'],
    begin: setting('maxmemory', '1'),
    end: setting('maxmemory', '0'),
    reason: /OOM/
  },
  'wants another password': {
    begin: requirePassword, end: setting('requirepass', ''), reason: /NOAUTH/
  },
  'is absent at boot': {
    absentAtFirst: true, begin () {}, end: ({ start }) => start(), reason: /no connection/
  },
  'is busy with a script that does not end': {
    args: ['--busy-reply-threshold', '5'], begin: keepBusy, end: ({ direct }) => direct.script('KILL'), reason: /BUSY/
  }
}

function setting (name: string, value: string): Fault['begin'] {
  return async ({ direct }) => await direct.config('SET', name, value)
}

/** Connections that stand are not asked for a password again. */
async function requirePassword (stage: Stage): Promise<void> {
  await setting('requirepass', 'a password that nobody was told')(stage)
  for (const type of ['normal', 'pubsub']) await stage.direct.call('CLIENT', 'KILL', 'TYPE', type, 'SKIPME', 'yes')
}

async function keepBusy ({ t, port, direct }: Stage): Promise<void> {
  const busy = new Redis(port, '127.0.0.1')
  t.after(() => busy.disconnect())
  busy.eval('while true do end', 0).catch(() => {})
  await until(async () => /BUSY/.test(await direct.ping().catch(String)))
}

async function restartLoading ({ t, directory, port, direct, signal }: Stage): Promise<void> {
  await direct.eval('for i = 1, 10000 do redis.call("SET", "ballast:" .. i, string.rep("x", 100)) end', 0)
  await direct.save()
  const [, file] = await direct.config('GET', 'dbfilename') as [string, string]
  await signal('SIGKILL')
  launch(t, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', directory, '--dbfilename', file,
    '--key-load-delay', '1000', '--loading-process-events-interval-bytes', '1024']).stdout!.resume()
  await until(async () => /LOADING/.test(await direct.ping().catch(String)))
}

export async function openStage (t: Test, { args = [], absentAtFirst }: Fault): Promise<Stage> {
  const directory = newDirectory(t)
  const port = await freePort()
  const direct = new Redis({ port, lazyConnect: true, enableReadyCheck: false, retryStrategy: () => 20 })
  direct.on('error', () => {})
  t.after(() => direct.disconnect())
  let server: RedisServer | undefined
  const stage: Stage = {
    t,
    directory,
    port,
    network: await startNetwork(t, port),
    direct,
    async start () {
      server = await startRedis(t, { port, args: ['--dir', directory, ...args] })
    },
    async signal (signal) {
      if (signal === 'SIGKILL') await end(server!.process)
      else server!.process.kill(signal)
    }
  }
  if (absentAtFirst) return stage
  await stage.start()
  await direct.connect()
  return stage
}
