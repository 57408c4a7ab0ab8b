// A service or a command ends at SIGTERM at any moment of its start, also as PID 1, which has no default handlers.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { constants } from 'node:os'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { startServer } from './fixtures/process.js'
import { end, newDirectory, type Lifetime } from './fixtures/lifetime.js'
import { asPid1, noNamespaces } from './fixtures/namespaces.js'
import { freePort } from './fixtures/redis.js'
import { until } from './fixtures/until.js'

const root = fileURLToPath(new URL('..', import.meta.url))
/** They differ from run to run, as the time of a start does: more of them cost more than they find. */
const MOMENTS = 3

const { NODE_OPTIONS, ...inherited } = process.env

interface Started { pid: () => number, ended: Promise<{ code: number | null, signal: string | null, output: string }> }

function startProgram (
  t: Lifetime, program: string[], environment: NodeJS.ProcessEnv, wrapper: string[] = []
): Started {
  const [command, ...args] = [...wrapper, process.execPath, ...process.execArgv, ...program]
  const child = spawn(command!, args, {
    cwd: root, env: { ...inherited, ...environment }, stdio: ['ignore', 'pipe', 'inherit']
  })
  t.after(() => end(child))
  const ended = Promise.all([
    once(child, 'exit'), text(child.stdout!)
  ]).then(([[code, signal], output]) => ({ code, signal, output }))
  return { pid: () => wrapper.length === 0 ? child.pid! : onlyChildOf(child), ended }
}

function onlyChildOf ({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim() || NaN)
}

/** Whether its own code has begun: Node itself never handles SIGFPE, whose handler is set together with SIGTERM's. */
function hasBegun (pid: number): boolean {
  const [, mask] = /^SigCgt:\s*([0-9a-f]+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return (BigInt(`0x${mask}`) >> BigInt(constants.signals.SIGFPE - 1) & 1n) === 1n
}

/** In clock ticks, of which a second has a hundred. */
function processorTime (pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '').split(' ').slice(11, 13)
  return Number(user) + Number(system)
}

/** Between the two handlers are microseconds of processor time, though a busy machine may stretch them. */
async function handlersAreSet (pid: () => number): Promise<void> {
  await until(() => hasBegun(pid()), 'its first line was reached')
  const before = processorTime(pid())
  await until(() => processorTime(pid()) >= before + 2, 'it went on')
}

const nowhere = `postgresql://nobody@127.0.0.1:${await freePort()}/none`
const environment = (t: Lifetime) => ({
  DATABASE_URL: nowhere, DATA_DIR: newDirectory(t), PORT: '0', OPS_PORT: '0', BCRYPT_COST: '10'
})
const namespaces = { skip: noNamespaces }

let startMs = 0
t.test('a start without a signal ends in a service that listens', async (t) => {
  const started = performance.now()
  // Two at a time, as below.
  const servers = await Promise.all([startServer(t, environment(t)), startServer(t, environment(t))])
  startMs = performance.now() - started
  for (const server of servers) t.equal(await server.stop(), 0)
  t.comment(`a start takes ${Math.round(startMs)} ms`)
})

/** At so many moments until a little after the start, two at a time. */
async function stopAtEveryMoment (t: Test, wrapper: string[] = []): Promise<void> {
  const moments = Array.from({ length: MOMENTS }, (_, i) => 1.8 * startMs * i / MOMENTS)
  const took: number[] = []
  const work = async (): Promise<void> => {
    for (let ms = moments.pop(); ms !== undefined; ms = moments.pop()) took.push(await stopAfter(t, ms, wrapper))
  }
  await Promise.all([work(), work()])
  t.equal(took.length, MOMENTS)
  t.comment(`the slowest took ${Math.round(Math.max(...took))} ms`)
}

/** @returns how long the end took, in ms */
async function stopAfter (t: Test, ms: number, wrapper: string[]): Promise<number> {
  const { pid, ended } = startProgram(t, ['dist/server.js'], environment(t), wrapper)
  // As PID 1 Node itself loses what comes before the first line: hence `--init`.
  if (wrapper === asPid1) await handlersAreSet(pid)
  await setTimeout(ms)
  const toldAt = performance.now()
  process.kill(pid(), 'SIGTERM')
  const { code, signal, output } = await ended
  const tookMs = performance.now() - toldAt
  const lines = output.split('\n').filter(line => line !== '')
    .map(line => JSON.parse(line) as { time: string, msg: string, code?: string })
  const stoppingAt = lines.find(({ code }) => code === 'stopping')?.time
  const listeningAt = lines.find(({ msg }) => msg.startsWith('listening on'))?.time
  // Before its first line Node ends by the signal itself. After its grace a service would not end with 0.
  const ending = `after ${Math.round(ms)} ms it ended with ${code ?? signal}`
  t.ok(code === 0 || (signal === 'SIGTERM' && output === ''), ending)
  t.ok(listeningAt === undefined || listeningAt <= stoppingAt!, lines.map(({ msg }) => msg).join(' | '))
  return tookMs
}

t.test(`SIGTERM at any of ${MOMENTS} moments of its start ends a service with 0 before it listens`, async (t) => {
  await stopAtEveryMoment(t)
})

t.test(`so it does as PID 1, at any of ${MOMENTS} moments from its first line on`, namespaces, async (t) => {
  await stopAtEveryMoment(t, asPid1)
})

t.test('a migration that waits for its database ends at SIGTERM, as PID 1 too', namespaces, async (t) => {
  // It accepts connections and never says a word.
  const silent = createServer(socket => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  t.after(() => { silent.close() })
  const { port } = silent.address() as { port: number }
  const { pid, ended } = startProgram(t, ['dist/cli.js', 'migrate'], {
    DATABASE_URL: `postgresql://u:p@127.0.0.1:${port}/x`, DATA_DIR: newDirectory(t)
  }, asPid1)
  await once(silent, 'connection')
  process.kill(pid(), 'SIGTERM')
  t.equal((await ended).code, 143)
})
