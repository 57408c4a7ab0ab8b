#!/usr/bin/env node
import './base/node-version.js'
import { options, parse, type Options } from './commands/options.js'
import { escapeControls, Failure, UsageError } from './commands/outcome.js'

// In a container a command is PID 1, and a PID 1 without handlers ignores these signals.
process.once('SIGTERM', () => process.exit(143)).once('SIGINT', () => process.exit(130))

const help = `gatehouse: look into the limiter, change limits, check files and deployments, keep the users, migrate the
database

Usage
  gatehouse buckets list [FILTER] [--limit N]                   the buckets that are not full, the emptiest first
  gatehouse buckets peek POLICY ADDRESS|USER                    one bucket; takes nothing
  gatehouse buckets reset POLICY ADDRESS|USER                   fills one bucket, on every replica at once
  gatehouse buckets reset FILTER [--yes]                        fills all that the filter finds; asks before, or --yes
  gatehouse buckets top [--policy POLICY]                       the most refused clients, every second until Ctrl-C
  gatehouse buckets watch CLIENT [--policy POLICY]              each take of a client, as it happens, until Ctrl-C
  gatehouse limits check FILE                                   validates a limits file and prints what it sets
  gatehouse limits show                                         the limits that are in force, and where they come from
  gatehouse limits diff                                         what differs from LIMITS_FILE and the defaults
  gatehouse limits set POLICY [NUMBERS] [--mode enforce|shadow|off] [--network CIDR [--exempt|--block]]
                                                                changes a limit on every replica, within a second
  gatehouse limits unset POLICY [--network CIDR]                takes it back for everyone, or for that network
  gatehouse limits try POLICY NUMBERS                           counts what other limits would refuse; refuses nothing
  gatehouse limits promote POLICY                               makes the limits that were tried live
  gatehouse limits history                                      who changed what, when and why
  gatehouse limits rollback [VERSION]                           sets the limits before the last change, or of a version
  gatehouse simulate LOG… [--limits FILE] [--suggest [SHARE]] [--html FILE]
                                                                replays access logs, to see what limits would refuse
  gatehouse modules check FILE                                  validates a modules file and prints what it sets
  gatehouse users create USER [--email ADDRESS] [--role ROLE] [--type TYPE] [--adp-status TEXT] [--designation TEXT]
  gatehouse users list [--role ROLE] [--disabled]
  gatehouse users disable USER                                  no login, and every token of the user is refused
  gatehouse users enable USER
  gatehouse users set-password USER                             every earlier token is refused; announced by mail
  gatehouse users set-role USER ROLE                            every earlier token is refused
  gatehouse tokens revoke USER                                  the user has to log in again, everywhere
  gatehouse migrate                                             brings the database's schema up to date
  gatehouse doctor                                              checks the deployment, and says what to do

A FILTER is some of
  --policy POLICY          buckets of one policy
  --client ADDRESS|CIDR    buckets of a client, or of all clients of a network
  --limited                buckets without a token now

NUMBERS are some of --capacity N, --refill N and --period TIME, such as 90s, 5m or 1h. What is not named stays. What
changes limits also takes --why TEXT for the history, and --by NAME instead of the user and host that run the command.

Options
  --json   JSON instead of a text: one document, or a line for each thing that happens
  --help   this page

A password is asked for at a terminal, or else read from standard input. It is never an argument, because others could
see it.

Examples
  gatehouse users create head.master --role ADMIN --type EMPLOYEE --email head@school.example
  openssl rand -base64 24 | tee password.txt | gatehouse users set-password asha.verma
  gatehouse buckets list --policy login
  gatehouse buckets list --limited --client 203.0.113.0/24
  gatehouse buckets peek login 203.0.113.7
  gatehouse buckets watch 203.0.113.7
  gatehouse buckets reset account asha.verma
  gatehouse limits set login --capacity 3 --why 'credential stuffing, INC-421'
  gatehouse limits set general --network 198.51.100.0/24 --block
  gatehouse limits check limits.json && LIMITS_FILE=limits.json npm start
  gatehouse simulate access.log.1.gz access.log --limits limits.json --suggest --html rehearsal.html

The environment is the service's own: REDIS_URL says where the buckets are, LIMITS_FILE and MODULES which limits hold,
DATABASE_URL or DATA_DIR where the users are. An IPv6 address stands for its /64. An account bucket is named by its
user, an account-address bucket by USER@ADDRESS. A reset of an account bucket also resets its account-address buckets.
A list without --limit is of 1000 buckets, with --json of all, in no order; if buckets change meanwhile, some may be
missing or be there twice. What a replica decides while Redis is away cannot be watched.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found
`

interface Command {
  /**
   * How many arguments it takes: one of these numbers. With `orMore`, it also takes any number above the last one.
   * `options` are the options besides --json and --help.
   */
  arity: number | number[]
  orMore?: true
  options?: ReadonlyArray<keyof typeof options>
  /** Loaded only when it is called, because commands that use only Redis need no database client. */
  load: () => Promise<(args: string[], options: Options) => Promise<void>>
}

const numbers = ['capacity', 'refill', 'period'] as const
const author = ['why', 'by'] as const

const commands: Record<string, Command> = {
  'buckets list': {
    arity: 0,
    options: ['policy', 'client', 'limited', 'limit'],
    load: async () => (await import('./commands/buckets/list.js')).list
  },
  'buckets peek': { arity: 2, load: async () => (await import('./commands/buckets/peek.js')).peek },
  'buckets reset': {
    arity: [0, 2],
    options: ['policy', 'client', 'limited', 'yes'],
    load: async () => (await import('./commands/buckets/reset.js')).reset
  },
  'buckets top': {
    arity: 0, options: ['policy'], load: async () => (await import('./commands/buckets/top.js')).top
  },
  'buckets watch': {
    arity: 1, options: ['policy'], load: async () => (await import('./commands/buckets/watch.js')).watch
  },
  'limits check': { arity: 1, load: async () => (await import('./commands/limits/check.js')).check },
  'limits show': { arity: 0, load: async () => (await import('./commands/limits/show.js')).show },
  'limits diff': { arity: 0, load: async () => (await import('./commands/limits/show.js')).diff },
  'limits history': { arity: 0, load: async () => (await import('./commands/limits/history.js')).history },
  'limits set': {
    arity: 1,
    options: [...numbers, 'mode', 'network', 'exempt', 'block', ...author],
    load: async () => (await import('./commands/limits/change.js')).set
  },
  'limits unset': {
    arity: 1, options: ['network', ...author], load: async () => (await import('./commands/limits/change.js')).unset
  },
  'limits try': {
    arity: 1, options: [...numbers, ...author], load: async () => (await import('./commands/limits/change.js')).tryOut
  },
  'limits promote': {
    arity: 1, options: author, load: async () => (await import('./commands/limits/change.js')).promote
  },
  'limits rollback': {
    arity: [0, 1], options: author, load: async () => (await import('./commands/limits/change.js')).rollback
  },
  simulate: {
    arity: 1,
    orMore: true,
    options: ['limits', 'html', 'suggest'],
    load: async () => (await import('./commands/simulate.js')).simulate
  },
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
  migrate: { arity: 0, load: async () => (await import('./commands/migrate.js')).migrate },
  doctor: { arity: 0, load: async () => (await import('./commands/doctor.js')).doctor }
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
  const arities = [command.arity].flat()
  if (!arities.includes(args.length) && !(command.orMore && args.length > arities.at(-1)!)) {
    const plural = arities.at(-1) === 1 ? '' : 's'
    const needed = `${arities.join(' or ')} argument${plural}${command.orMore ? ' or more' : ''}`
    throw new UsageError(`"${name}" takes ${needed}, not ${args.length}`)
  }
  const known = ['json', 'help', ...command.options ?? []]
  const stray = Object.keys(values).find(option => !known.includes(option))
  if (stray !== undefined) throw new UsageError(`"${name}" takes no --${stray}`)
  const run = await command.load()
  await run(args, values)
}

// A reader such as `head` closes the pipe when it has enough. That is not an error, but a full disk is. In both cases
// the command runs to its end, so that it closes everything that it opened.
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
  const { message, stack = message } = error as Error
  process.stderr.write(`gatehouse: ${escapeControls(await isExpected(error) ? message : stack)}\n`)
  if (error instanceof UsageError) process.stderr.write('See: gatehouse --help\n')
}

/** The help and a wrong command do not need the configuration, which takes half of the start time. */
async function isExpected (error: unknown): Promise<boolean> {
  return error instanceof Failure || error instanceof (await import('./config/config.js')).ConfigError
}
