#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { Failure, UsageError } from './commands/outcome.js'
import { ConfigError } from './config.js'

const help = `gatehouse: look into the limiter, check limits, migrate the database

Usage
  gatehouse buckets list [--policy POLICY] [--client ADDRESS]   the buckets that are not full
  gatehouse buckets peek POLICY ADDRESS                         one bucket; takes nothing
  gatehouse buckets reset POLICY ADDRESS                        fills one bucket, on every replica at once
  gatehouse limits check FILE                                   validates a limits file and prints what it sets
  gatehouse migrate                                             brings the database's schema up to date

Options
  --json   one JSON document instead of a table
  --help   this page

Examples
  gatehouse buckets list --policy login
  gatehouse buckets peek login 203.0.113.7
  gatehouse buckets reset general 2001:db8:1:2::/64
  gatehouse limits check limits.json && LIMITS_FILE=limits.json npm start

The environment is the service's own: REDIS_URL says where the buckets are, LIMITS_FILE which limits hold, DATABASE_URL
or DATA_DIR what is migrated. An IPv6 address stands for its /64.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found
`

export interface Options {
  json: boolean
  policy?: string | undefined
  client?: string | undefined
}

type Command = (args: string[], options: Options) => Promise<void>

/** The number of arguments, and the command, loaded when it is called: a look into Redis needs no database client. */
const commands: Record<string, [number, () => Promise<Command>]> = {
  'buckets list': [0, async () => (await import('./commands/buckets.js')).list],
  'buckets peek': [2, async () => (await import('./commands/buckets.js')).peek],
  'buckets reset': [2, async () => (await import('./commands/buckets.js')).reset],
  'limits check': [1, async () => (await import('./commands/limits.js')).check],
  migrate: [0, async () => (await import('./commands/migrate.js')).migrate]
}

async function main (argv: string[]): Promise<void> {
  const { values, positionals } = parse(argv)
  if (values.help || positionals.length === 0) {
    process.stdout.write(help)
    return
  }
  const name = Object.hasOwn(commands, positionals[0]!) ? positionals[0]! : positionals.slice(0, 2).join(' ')
  const [arity, load] = (Object.hasOwn(commands, name) && commands[name]) || []
  if (!load) throw new UsageError(`there is no command "${name}"`)
  const args = positionals.slice(name.split(' ').length)
  if (args.length !== arity) throw new UsageError(`"${name}" takes ${arity} argument${arity === 1 ? '' : 's'}, not ${args.length}`)
  if (name !== 'buckets list' && (values.policy !== undefined || values.client !== undefined)) {
    throw new UsageError('--policy and --client go with "buckets list"')
  }
  const command = await load()
  await command(args, values)
}

function parse (argv: string[]) {
  try {
    return parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        policy: { type: 'string' },
        client: { type: 'string' }
      }
    })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.exitCode = error instanceof Failure ? error.exitCode : 1
  const expected = error instanceof Failure || error instanceof ConfigError
  process.stderr.write(`gatehouse: ${expected ? error.message : (error as Error).stack}\n`)
  if (error instanceof UsageError) process.stderr.write('See: gatehouse --help\n')
}
