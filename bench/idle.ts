import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { build } from 'esbuild'
import { end, newDirectory, type Lifetime } from '../test/fixtures/lifetime.js'
import { startPostgres } from '../test/fixtures/postgres.js'
import { atMost, fixed, median, medianRatio, type Part } from './report.js'
import { startReplica } from './service.js'

const PROCESSES = 3
/** V8 optimizes what a replica repeats for so long after its start. */
const SETTLED_MS = 180_000
const WATCHED_MS = 60_000

const BARE = 'Fastify, ioredis, Prisma'

/** In MiB, and in percent of a core. */
interface Use { memory: number, cpu: number }

/** What a replica that nobody asks takes, beside a program of Fastify, ioredis and Prisma alone. */
export async function measureIdle (t: Lifetime, redisUrl: string): Promise<Part> {
  const { url: databaseUrl } = await startPostgres(t)
  const program = await buildBare()
  const processes = Array.from({ length: PROCESSES })
  const [bare, gatehouse] = await Promise.all([
    Promise.all(processes.map(() => watchBare(program, redisUrl, databaseUrl))),
    Promise.all(processes.map(() => watchReplica(t, redisUrl, databaseUrl)))
  ])
  const uses: Record<string, Use[]> = { [BARE]: bare, gatehouse }
  const memory = (name: string): number[] => uses[name]!.map(use => use.memory)
  return {
    title: 'An idle replica',
    note: `Resident memory ${SETTLED_MS / 1000} s after the start, and CPU time of the next ${WATCHED_MS / 1000} s; ` +
      `medians of ${PROCESSES} processes each, side by side.`,
    header: ['', 'MiB', '% of a core'],
    rows: Object.entries(uses).map(([name, all]) => [
      name, median(memory(name)).toFixed(0), fixed(median(all.map(use => use.cpu)))
    ]),
    aims: [
      atMost('memory, MiB', 130, median(memory('gatehouse'))),
      atMost('memory, of that without gatehouse', 0.8, medianRatio(memory('gatehouse'), memory(BARE))),
      atMost('CPU, % of a core', 1, median(gatehouse.map(use => use.cpu)))
    ]
  }
}

async function watchReplica (t: Lifetime, redisUrl: string, databaseUrl: string): Promise<Use> {
  const replica = await startReplica(t, {
    DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, DATA_DIR: newDirectory(t)
  })
  const look = async (): Promise<Look> => {
    const number = await replica.metrics()
    return { memory: number('process_resident_memory_bytes'), seconds: number('process_cpu_seconds_total') }
  }
  const use = await watch(look)
  await replica.stop()
  return use
}

async function watchBare (program: string, redisUrl: string, databaseUrl: string): Promise<Use> {
  const bare = fork(program, [redisUrl, databaseUrl], {
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '--max-old-space-size=256' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  await once(bare, 'message')
  const look = async (): Promise<Look> => {
    bare.send('look')
    const [found] = await once(bare, 'message') as [Look]
    return found
  }
  const use = await watch(look)
  await end(bare)
  return use
}

/** Bytes, and CPU seconds since the start. */
interface Look { memory: number, seconds: number }

async function watch (look: () => Promise<Look>): Promise<Use> {
  await sleep(SETTLED_MS)
  const { seconds } = await look()
  await sleep(WATCHED_MS)
  const later = await look()
  return { memory: later.memory / 2 ** 20, cpu: (later.seconds - seconds) / WATCHED_MS * 100_000 }
}

/**
 * The program, and Prisma's client of the same schema as `prisma generate` makes it by default, as JavaScript: a loader
 * of TypeScript would take memory, too.
 *
 * @returns its file
 */
async function buildBare (): Promise<string> {
  const directory = join('node_modules', '.cache', 'bare-three')
  mkdirSync(directory, { recursive: true })
  const schema = join(directory, 'schema.prisma')
  writeFileSync(schema, readFileSync('prisma/schema.prisma', 'utf8').replace(/generator client {[^}]*}/, `
    generator client {
      provider = "prisma-client"
      output   = "client"
      importFileExtension = "js"
    }`))
  execFileSync('npx', ['prisma', 'generate', '--schema', schema], { stdio: 'ignore' })
  const outfile = join(directory, 'bare-three.js')
  await build({
    entryPoints: [join('bench', 'bare-three.ts')],
    bundle: true,
    packages: 'external',
    alias: { '#prisma/client.js': resolve(directory, 'client', 'client.ts') },
    format: 'esm',
    platform: 'node',
    outfile
  })
  return outfile
}
