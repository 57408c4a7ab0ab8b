#!/usr/bin/env node
import './node-version.js'
import { options, parse, type Options } from './commands/options.js'
import { Failure, UsageError } from './commands/outcome.js'

// As PID 1, which a command is in a container, a process without a handler would ignore them.
process.once('SIGTERM', () => process.exit(143)).once('SIGINT', () => process.exit(130))

const help = `gatehouse: look into the limiter, check limits and modules, keep the users, migrate the database

Usage
  gatehouse buckets list [--policy POLICY] [--client ADDRESS]   the buckets that are not full
  gatehouse buckets peek POLICY ADDRESS|USER                    one bucket; takes nothing
  gatehouse buckets reset POLICY ADDRESS|USER                   fills one bucket, on every replica at once
  gatehouse limits check FILE                                   validates a limits file and prints what it sets
  gatehouse modules check FILE                                  validates a modules file and prints what it sets
  gatehouse users create USER [--email ADDRESS] [--role ROLE] [--type TYPE] [--adp-status TEXT] [--designation TEXT]
  gatehouse users list [--role ROLE] [--disabled]
  gatehouse users disable USER                                  no login, and every token of the user is refused
  gatehouse users enable USER
  gatehouse users set-password USER                             every earlier token is refused; announced by mail
  gatehouse users set-role USER ROLE                            every earlier token is refused
  gatehouse tokens revoke USER                                  the user has to log in again, everywhere
  gatehouse migrate                                             brings the database's schema up to date

Options
  --json   one JSON document instead of a text
  --help   this page

A password is asked for at a terminal, or else read from standard input. It is never an argument, because others could
see it.

Examples
  gatehouse users create head.master --role ADMIN --type EMPLOYEE --email head@school.example
  openssl rand -base64 24 | tee password.txt | gatehouse users set-password asha.verma
  gatehouse buckets list --policy login
  gatehouse buckets peek login 203.0.113.7
  gatehouse buckets reset account asha.verma
  gatehouse limits check limits.json && LIMITS_FILE=limits.json npm start

The environment is the service's own: REDIS_URL says where the buckets are, LIMITS_FILE and MODULES which limits hold,
DATABASE_URL or DATA_DIR where the users are. An IPv6 address stands for its /64. An account bucket is named by its
user, an account-address bucket by USER@ADDRESS. A reset of an account bucket also resets its account-address buckets.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found
`

interface Command {
  /** How many arguments it takes, and which options besides --json. */
  arity: number
  options?: Array<keyof typeof options>
  /** Loaded when it is called: a look into Redis needs no database client. */
  load: () => Promise<(args: string[], options: Options) => Promise<void>>
}

const commands: Record<string, Command> = {
  'buckets list': {
    arity: 0, options: ['policy', 'client'], load: async () => (await import('./commands/buckets.js')).list
  },
  'buckets peek': { arity: 2, load: async () => (await import('./commands/buckets.js')).peek },
  'buckets reset': { arity: 2, load: async () => (await import('./commands/buckets.js')).reset },
  'limits check': { arity: 1, load: async () => (await import('./commands/limits.js')).check },
  'modules check': { arity: 1, load: async () => (await import('./commands/modules.js')).check },
  'users create': {
    arity: 1,
    options: ['email', 'role', 'type', 'adp-status', 'designation'],
    load: async () => (await import('./commands/users.js')).create
  },
  'users list': {
    arity: 0, options: ['role', 'disabled'], load: async () => (await import('./commands/users.js')).list
  },
  'users disable': { arity: 1, load: async () => (await import('./commands/users.js')).disable },
  'users enable': { arity: 1, load: async () => (await import('./commands/users.js')).enable },
  'users set-password': { arity: 1, load: async () => (await import('./commands/users.js')).setPassword },
  'users set-role': { arity: 2, load: async () => (await import('./commands/users.js')).setRole },
  'tokens revoke': { arity: 1, load: async () => (await import('./commands/users.js')).revokeTokens },
  migrate: { arity: 0, load: async () => (await import('./commands/migrate.js')).migrate }
}

async function main (argv: string[]): Promise<void> {
  const { values, positionals } = parse(argv)
  if (values.help || positionals.length === 0) {
    process.stdout.write(help)
    return
  }
  const name = Object.hasOwn(commands, positionals[0]!) ? positionals[0]! : positionals.slice(0, 2).join(' ')
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`there is no command "${name}"`)
  const args = positionals.slice(name.split(' ').length)
  if (args.length !== command.arity) {
    const needed = `${command.arity} argument${command.arity === 1 ? '' : 's'}`
    throw new UsageError(`"${name}" takes ${needed}, not ${args.length}`)
  }
  const known = ['json', 'help', ...command.options ?? []]
  const stray = Object.keys(values).find(option => !known.includes(option))
  if (stray !== undefined) throw new UsageError(`"${name}" takes no --${stray}`)
  const run = await command.load()
  await run(args, values)
}

// A reader that has seen enough, such as `head`, closes the pipe: that is no fault, but a full disk is one. Either way
// the command goes on to its end, so that it closes what it opened.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    process.exitCode ||= 1
    if (stream === process.stdout) {
      process.stderr.write(`gatehouse: standard output cannot be written: ${error.message}\n`)
    }
  })
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.exitCode = error instanceof Failure ? error.exitCode : 1
  process.stderr.write(`gatehouse: ${await isExpected(error) ? (error as Error).message : (error as Error).stack}\n`)
  if (error instanceof UsageError) process.stderr.write('See: gatehouse --help\n')
}

/** Neither the help nor a wrong command needs the configuration, which takes half of what a start takes. */
async function isExpected (error: unknown): Promise<boolean> {
  return error instanceof Failure || error instanceof (await import('./config.js')).ConfigError
}
