import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startPostgres } from './fixtures/postgres.js'
import { SHARED_PORT } from './fixtures/shared-postgres.js'

/*
 * All test files, each in a process of its own. tap's runner would load hooks for coverage, mocks and TypeScript into
 * each of them, which takes longer than most tests. `npm run test:one cli` runs test/cli.test.ts alone.
 */

const TIMEOUT_MS = 400_000

/** Files that take long start first, so that none of them runs alone at the end. */
const long = [
  'auth/outbox', 'commands/doctor', 'limiter/fleet/canary', 'commands/buckets', 'stop', 'routes/account-throttle',
  'plugins/limiter/live-limits', 'database/migrations', 'openapi/requests', 'auth/revocations', 'server',
  'limiter/layers/fallback', 'limiter/layers/outages', 'processes', 'ops', 'auth/account-throttle',
  'plugins/services/load-shedding', 'cli', 'commands/users', 'fuzz/fuzz',
  'console/browser', 'plugins/gateway/failures', 'plugins/edge/transport', 'database/faults',
  'database/directory-lock', 'limiter/redis/topologies', 'auth/mailer', 'limiter/bucket/comparison',
  'plugins/edge/request-end'
]
/** It compares times, so no other test may run beside it, and Node gets the same flags as for the service. */
const alone = 'routes/timing'
/**
 * The flags for all other tests and the programs that they start. The query compiler of Prisma is WebAssembly. V8 would
 * spend a quarter of a second of CPU time on optimizing it in each process. A short process costs three times as much.
 */
const flags = ['--liftoff-only']

const directory = fileURLToPath(new URL('.', import.meta.url))
const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.test.js')).map(file => file.slice(0, -'.test.js'.length))
  .filter(isAskedFor)
const rank = (name: string): number => (long.indexOf(name) + long.length + 1) % (long.length + 1)

if (names.length === 0) throw new Error(`No file of test/ has the name ${process.argv.slice(2).join(' or ')}.`)
if (names.length > 1) {
  const { port } = await startPostgres(t, { max_connections: 500 })
  process.env[SHARED_PORT] = String(port)
}

t.jobs = 5
for (const name of names.sort((a, b) => rank(a) - rank(b))) if (name !== alone) run(name, names.length > 1)
if (names.includes(alone)) run(alone, false)
t.end()

/** Without arguments all are. An argument is a file or a folder: `cli`, `fleet/canary`, `limiter`. */
function isAskedFor (name: string): boolean {
  const asked = process.argv.slice(2).map(word => word.replace(/^test\//, '').replace(/(\.test\.ts|\/)$/, ''))
  return asked.length === 0 || asked.some(word => `/${name}`.endsWith(`/${word}`) || `${name}/`.startsWith(`${word}/`))
}

/** @param buffered it may run beside others */
function run (name: string, buffered: boolean): void {
  // What tap's own process was started with is in NODE_OPTIONS.
  const node = [process.execPath, ...name === alone ? [] : flags, `${directory}${name}.test.js`]
  t.spawn('env', ['-u', 'NODE_OPTIONS', ...node], { buffered, timeout: TIMEOUT_MS }, `test/${name}.test.ts`)
}
