import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { newDirectory, type Lifetime } from '../test/fixtures/lifetime.js'
import { root } from '../test/fixtures/markdown.js'
import { cliEnvironment } from '../test/fixtures/redis.js'
import { commandOf, filled, pageOf } from './runbook.js'

/** Runs a command as an operator would, and gives what it printed. @throws if it fails, unless it may */
export type Shell = (command: string, options?: { mayFail?: boolean }) => Promise<string>

export interface Surroundings {
  redisPort: number
  /** The settings of the service. */
  environment: NodeJS.ProcessEnv
  /** For `migrate` alone. */
  ownerUrl: string
  /** What `docker …` does that is not `compose exec` or `compose run`. @throws what it prints as an error */
  docker: (args: string[]) => Promise<string>
  /** @returns what psql would print */
  sql: (statement: string) => Promise<string>
}

/** Programs that are compose's are those of this machine. */
const DOCKER = `
[ "$1" = compose ] || exec ask docker "$@"
case $2 in
  exec | run)
    shift 2
    while [ "\${1#-}" != "$1" ]; do shift; done
    service=$1
    shift
    [ $# = 0 ] && set -- gatehouse "$service"
    [ "$service" = migrate ] && export DATABASE_URL="$OWNER_DATABASE_URL"
    cd "$APP"
    exec "$@" ;;
  *) exec ask docker "$@" ;;
esac`

/** How the page says that SQL is run. */
const SQL = 'docker compose exec -T postgres psql -U owner gatehouse -c "…"'

/** What fails to run as it stands: a grep that finds nothing is no fault of its command. */
const FOUND_NOTHING = /\| grep [^|]*$/

/** A shell in which the words of the runbook mean this fleet: its programs are put in front of PATH. */
export async function openShell (
  t: Lifetime, { redisPort, ownerUrl, environment, docker, sql }: Surroundings
): Promise<Shell> {
  const [bin, directory] = [newDirectory(t), newDirectory(t)]
  const socket = join(bin, 'socket')
  const { PATH = '', LD_LIBRARY_PATH = '' } = cliEnvironment()
  const program = (name: string, script: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  program('ask', `exec '${process.execPath}' '${fileURLToPath(new URL('ask.js', import.meta.url))}' '${socket}' "$@"`)
  program('gatehouse', `exec '${process.execPath}' ${process.execArgv.join(' ')} '${root}/dist/cli.js' "$@"`)
  program('docker', DOCKER)
  program('psql', 'exec ask psql "$@"')
  const { port, password } = new URL(ownerUrl)
  const connection = `PGHOST=127.0.0.1 PGPORT=${port} PGPASSWORD='${password}'`
  program('redis-cli', `exec env PATH='${PATH}' LD_LIBRARY_PATH='${LD_LIBRARY_PATH}' redis-cli -p ${redisPort} "$@"`)

  for (const name of ['pg_dump', 'pg_restore']) program(name, `exec env PATH='${PATH}' ${connection} ${name} "$@"`)

  const answer = async ([name, ...args]: string[]): Promise<string> => {
    if (name === 'docker') return await docker(args)
    const statement = args[args.indexOf('-c') + 1]
    if (!args.includes('-c') || statement === undefined) throw new Error('psql is played with -c alone')
    return await sql(statement)
  }
  const server = createServer((request, response) => {
    text(request).then(body => answer(JSON.parse(body) as string[])).then(
      output => response.end(output), (error: Error) => response.writeHead(500).end(`${error.message}\n`))
  }).listen(socket)
  await once(server, 'listening')
  t.after(() => server.close())

  const { NODE_OPTIONS, ...inherited } = process.env
  return async (command, { mayFail = FOUND_NOTHING.test(command) } = {}) => {
    const isStatement = /^(SELECT|UPDATE|ALTER|DELETE|INSERT|GRANT) /.test(command)
    const whole = isStatement ? filled(commandOf(pageOf('runbook.md'), SQL), { '…': command }) : command
    const child = spawn('sh', ['-c', whole], {
      cwd: directory,
      env: { ...inherited, OWNER_DATABASE_URL: ownerUrl, ...environment, APP: root, PATH: `${bin}:${PATH}` },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout), text(child.stderr), once(child, 'close') as Promise<[number | null]>
    ])
    if (code !== 0 && !mayFail) throw new Error(`${command}\nended with ${code}:\n${stdout}${stderr}`)
    return stdout
  }
}
