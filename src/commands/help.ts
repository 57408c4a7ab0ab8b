import { optionsOf, type Command } from './command.js'
import { commands } from './commands.js'
import { groups, options } from './options.js'

/** Where the explanation of a command begins. */
const COLUMN = 64
const OPTION_COLUMN = 28

/** @param asked the commands that the call names: all, those of a group such as `buckets`, or one */
export function help (asked: Command[]): string {
  if (asked.length === commands.length) return wholePage()
  const names = [...new Set(asked.flatMap(optionsOf))]
  const used = Object.entries(groups).filter(([group]) => asked.some(({ takes = '' }) => takes.includes(group)))
  const explained = used.map(([group, text]) => `\n${group}: some of ${text}\n`).join('')
  return `Usage
${asked.map(usageOf).join('')}${explained}
Options
${names.filter(name => name !== 'version').map(optionLine).join('')}`
}

function optionLine (name: string): string {
  const option = options[name as keyof typeof options]
  const call = `--${name}${'value' in option ? ` ${option.value}` : ''}`
  return `  ${call.padEnd(OPTION_COLUMN)}${option.about}\n`
}

const wholePage = (): string => `gatehouse: look into the limiter, change limits, check files and deployments,
keep the users, migrate the database

Usage
${commands.map(usageOf).join('')}
A FILTER is some of
  --policy POLICY          buckets of one policy
  --client ADDRESS|CIDR    buckets of a client, or of all clients of a network
  --limited                buckets without a token now

NUMBERS are some of --capacity N, --refill N and --period TIME, such as 90s, 5m or 1h. What is not named stays. A REASON
is --why TEXT for the history, and --by NAME instead of the user and host that run the command.

Options
  --json      JSON instead of a text: one document, or a line for each thing that happens
  --help      this page; with a command, or a group such as buckets, the help of that one
  --version   the version of gatehouse

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
  gatehouse logins --since 1h /var/log/gatehouse/audit.log
  gatehouse limits check limits.json && LIMITS_FILE=limits.json npm start
  gatehouse simulate access.log.1.gz access.log --limits limits.json --suggest --html rehearsal.html

The environment is the service's own: REDIS_URL says where the buckets are, LIMITS_FILE and MODULES which limits hold,
DATABASE_URL or DATA_DIR where the users are. An IPv6 address stands for its client. An account bucket is named by its
user, an account-address bucket by USER@ADDRESS. What reads as an address is one, also if a user is called so: user:NAME
and address:ADDRESS say which is meant. A reset of an account bucket also resets its account-address buckets. A list
without --limit is of 1000 buckets, with --json of all, in no order; if buckets change meanwhile, some may be missing or
be there twice. What a replica decides while Redis is away cannot be watched.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found
`

function usageOf ({ words, args, takes, help }: Command): string {
  const call = ['  gatehouse', words, args, takes].filter(part => part !== undefined).join(' ')
  if (help === undefined) return `${call}\n`
  return call.length < COLUMN - 1 ? `${call.padEnd(COLUMN)}${help}\n` : `${call}\n${' '.repeat(COLUMN)}${help}\n`
}
