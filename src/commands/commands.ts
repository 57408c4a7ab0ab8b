import { buildChoiceParser, buildCommand, buildRouteMap } from '@stricli/core'
import { buckets } from './buckets/buckets.js'
import { limits } from './limits/limits.js'
import { positionals, argument, commonFlags, textFlag, valueFlag, wholeNumber, yesFlag } from './options.js'
import { tokens, users } from './users/users.js'

const mailId = argument('ID', 'as the list has it')

const mails = buildRouteMap({
  docs: { brief: 'the mails that wait' },
  routes: {
    list: buildCommand({
      docs: { brief: 'since when they wait, why, and until when' },
      parameters: { flags: { limit: valueFlag('N', 'how many it shows', wholeNumber(1, 999_999)), ...commonFlags } },
      loader: async () => (await import('./mails.js')).list
    }),
    show: buildCommand({
      docs: { brief: 'one mail that waits' },
      parameters: { flags: commonFlags, positional: positionals(mailId) },
      loader: async () => (await import('./mails.js')).show
    }),
    retry: buildCommand({
      docs: { brief: 'tries one mail now, or all of them' },
      parameters: { flags: commonFlags, positional: positionals({ ...mailId, optional: true }) },
      loader: async () => (await import('./mails.js')).retry
    }),
    drop: buildCommand({
      docs: { brief: 'gives one mail up; asks before, or --yes' },
      parameters: { flags: { yes: yesFlag, ...commonFlags }, positional: positionals(mailId) },
      loader: async () => (await import('./mails.js')).drop
    }),
    test: buildCommand({
      docs: { brief: 'sends a test mail now, and shows the talk with the mail server' },
      parameters: {
        flags: { language: textFlag('CODE', 'of the mail, such as hi; English by default'), ...commonFlags },
        positional: positionals(argument('ADDRESS', 'who gets it'))
      },
      loader: async () => (await import('./mails.js')).test
    })
  }
})

const modules = buildRouteMap({
  docs: { brief: 'the modules behind gatehouse' },
  routes: {
    check: buildCommand({
      docs: { brief: 'validates a modules file and prints what it sets' },
      parameters: { flags: commonFlags, positional: positionals(argument('FILE', 'as MODULES_FILE names one')) },
      loader: async () => (await import('./modules.js')).check
    })
  }
})

const simulate = buildCommand({
  docs: { brief: 'replays access logs, to see what limits would refuse' },
  parameters: {
    flags: {
      limits: textFlag('FILE', 'the limits to rehearse, instead of those in force'),
      suggest: {
        ...valueFlag(
          '[SHARE]', 'capacities that refuse less than this share of good requests; 0.1% by default', shareOf
        ),
        inferEmpty: true
      },
      html: textFlag('FILE', 'also writes a page'),
      ...commonFlags
    },
    positional: { kind: 'array', minimum: 1, parameter: argument('LOG', 'an access log; - reads standard input') }
  },
  loader: async () => (await import('./simulate.js')).simulate
})

/** @returns from 0 to 1 */
function shareOf (text: string): number {
  const [, number = '', percent] = /^(\d*\.?\d+)(%?)$/.exec(text || '0.1%') ?? []
  const share = Number(number) / (percent === '%' ? 100 : 1)
  if (number !== '' && share > 0 && share < 1) return share
  throw new Error('it is no share such as 0.1% or 0.001')
}

const logins = buildCommand({
  docs: {
    brief: 'who is tried, from where, with which result; and what would stop it',
    customUsage: ['[--since TIME] [--json] [USER|ADDRESS] [LOG]...']
  },
  parameters: {
    flags: { since: textFlag('TIME', 'what came later, such as 1h, or 2026-11-22T09:00Z'), ...commonFlags },
    positional: { kind: 'array', parameter: argument('LOG', 'of the service, its audit log, or what a proxy keeps') }
  },
  loader: async () => (await import('./logins/logins.js')).logins
})

const migrate = buildCommand({
  docs: { brief: 'brings the database\'s schema up to date' },
  parameters: { flags: commonFlags },
  loader: async () => (await import('./migrate.js')).migrate
})

const doctor = buildCommand({
  docs: { brief: 'checks the deployment, and says what to do' },
  parameters: { flags: commonFlags },
  loader: async () => (await import('./doctor.js')).doctor
})

const shells = ['bash', 'zsh'] as const

const completion = buildCommand({
  docs: { brief: 'a script that completes commands: eval "$(gatehouse completion bash)"' },
  parameters: {
    positional: positionals({
      parse: buildChoiceParser(shells), proposeCompletions: () => shells, placeholder: 'bash|zsh', brief: 'the shell'
    })
  },
  loader: async () => (await import('./completion.js')).completion
})

/** Everything that an operator can call. A command's code is loaded only when it is called. */
export const commands = buildRouteMap({
  docs: {
    brief: 'looks into the limiter, and keeps limits, users and deployments',
    fullDescription: `Looks into the limiter, changes limits, checks files and deployments, keeps the users, migrates
the database. The help of a group or a command says more, such as gatehouse limits --help.

Examples
  gatehouse users create head.master --role ADMIN --type EMPLOYEE --email head@school.example
  openssl rand -base64 24 | tee password.txt | gatehouse users set-password asha.verma
  gatehouse buckets list --policy login
  gatehouse buckets list --limited --client 203.0.113.0/24
  gatehouse buckets peek login 203.0.113.7
  gatehouse buckets top --follow 203.0.113.7
  gatehouse buckets reset account asha.verma
  gatehouse limits set login --capacity 3 --why 'credential stuffing, INC-421'
  gatehouse limits set general --network 198.51.100.0/24 --block
  gatehouse logins --since 1h /var/log/gatehouse/audit.log
  gatehouse limits check limits.json && LIMITS_FILE=limits.json npm start
  gatehouse simulate access.log.1.gz access.log --limits limits.json --suggest --html rehearsal.html

The environment is the service's own: REDIS_URL says where the buckets are, LIMITS_FILE and MODULES which limits hold,
DATABASE_URL or DATA_DIR where the users are.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found`
  },
  routes: { buckets, limits, simulate, logins, users, tokens, mails, modules, migrate, doctor, completion }
})
