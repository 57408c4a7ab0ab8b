import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { forSeconds } from './fixtures/flags.js'
import { startPostgres } from './fixtures/postgres.js'
import { programs } from './fixtures/redis.js'
import { SHARED_PORT } from './fixtures/shared-postgres.js'

/*
 * All test files. A process is dear: loading the app takes a second of CPU time. So files that take long have processes
 * of their own, and the others of a folder share one. tap's runner would load hooks for coverage, mocks and TypeScript
 * into each process, which takes longer than most tests. `npm run test:one cli` runs test/cli.test.ts alone.
 */

/** Enough for the files of a folder on a machine that is busy with other work. */
const TIMEOUT_MS = 900_000

/** Files that take long, the longest first, or that change what others need: each has a process. Most of them wait. */
const apart = [
  'limiter/fleet/canary', 'limiter/redis/topologies', 'server', 'commands/doctor', 'routes/timing', 'mail/outbox',
  'commands/buckets', 'database/migrations', 'plugins/limiter/live-limits', 'console/browser', 'auth/revocations',
  'plugins/gateway/failures', 'database/faults', 'fuzz/fuzz', 'plugins/services/load-shedding', 'stop',
  'mail/mailer', 'commands/users', 'ops', 'plugins/edge/transport', 'limiter/layers/fallback', 'processes',
  'routes/account-throttle', 'openapi/requests', 'plugins/edge/request-end', 'limiter/layers/outages', 'cli',
  'database/directory-lock'
]

/** What tap's own process was started with is in NODE_OPTIONS. */
const plainEnvironment = ['-u', 'NODE_OPTIONS']

const directory = fileURLToPath(new URL('.', import.meta.url))
const names = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.test.js')).map(file => file.slice(0, -'.test.js'.length))
  .filter(isAskedFor)

if (names.length === 0) throw new Error(`No file of test/ has the name ${process.argv.slice(2).join(' or ')}.`)

t.jobs = 6
if (process.argv.length === 2) for (const script of ['types', 'lint']) runScript(script)
if (names.length > 1) {
  // The files would look for Redis at the same time, and each of them would download it.
  programs()
  const { port } = await startPostgres(t, { max_connections: 500 })
  process.env[SHARED_PORT] = String(port)
}

const short = names.filter(name => !apart.includes(name)).sort()
const folderOf = (name: string): string => /^(plugins\/)?[^/]+(?=\/)/.exec(name)?.[0] ?? ''
const folders = [...new Set(short.map(folderOf))].map(folder => short.filter(name => folderOf(name) === folder))
// In turn, so that a processor that waits for one has the other. A folder of many files takes longest.
const together = folders.sort((a, b) => b.length - a.length)
const alone = apart.filter(name => names.includes(name))
for (let i = 0; i < Math.max(together.length, alone.length); i++) {
  const [files, name] = [together[i], alone[i]]
  if (files) run(join('test', folderOf(files[0]!), '**/*.test.ts'), files)
  if (name !== undefined) run(`test/${name}.test.ts`, [name])
}
t.end()

/** Without arguments all are. An argument is a file or a folder: `cli`, `fleet/canary`, `limiter`. */
function isAskedFor (name: string): boolean {
  const asked = process.argv.slice(2).map(word => word.replace(/^test\//, '').replace(/(\.test(\.ts)?|\/)$/, ''))
  return asked.length === 0 || asked.some(word => `/${name}`.endsWith(`/${word}`) || `${name}/`.startsWith(`${word}/`))
}

/** Runs test files one after the other in a process. */
function run (title: string, files: string[]): void {
  const node = [process.execPath, ...forSeconds, `${directory}together.js`, ...files]
  t.spawn('env', [...plainEnvironment, ...node], { buffered: names.length > 1, timeout: TIMEOUT_MS }, title)
}

/** Beside the tests, which leave a processor idle now and then. */
function runScript (script: string): void {
  t.test(`npm run ${script}`, { timeout: TIMEOUT_MS }, async (t) => {
    const environment = [...plainEnvironment, '-u', 'NODE_V8_COVERAGE']
    const faults = await promisify(execFile)('env', [...environment, 'npm', 'run', script])
      .then(() => '', (error: { stdout: string }) => error.stdout)
    t.equal(faults, '')
  })
}
