/** Every option of every command: `value` is what stands behind it, and `about` what the help says of it. */
export const options = {
  json: { type: 'boolean', default: false, about: 'JSON instead of a text: one document, or a line for each thing' },
  help: { type: 'boolean', short: 'h', default: false, about: 'this page' },
  version: { type: 'boolean', default: false, about: 'the version of gatehouse' },
  policy: { type: 'string', value: 'POLICY', about: 'buckets of one policy' },
  client: { type: 'string', value: 'ADDRESS|CIDR', about: 'buckets of a client, or of all clients of a network' },
  limited: { type: 'boolean', about: 'buckets without a token now' },
  limit: { type: 'string', value: 'N', about: 'how many buckets a table shows' },
  yes: { type: 'boolean', about: 'does not ask before' },
  email: { type: 'string', value: 'ADDRESS', about: 'where reset mails go' },
  role: { type: 'string', value: 'ROLE', about: 'the role, such as ADMIN' },
  type: { type: 'string', value: 'TYPE', about: 'the type of user, such as EMPLOYEE' },
  'adp-status': { type: 'string', value: 'TEXT', about: 'adpStatus in answers' },
  designation: { type: 'string', value: 'TEXT', about: 'book_chapter_approver_designation in answers' },
  temporary: { type: 'boolean', about: 'the user has to change the password before the first login' },
  disabled: { type: 'boolean', about: 'users who cannot log in' },
  capacity: { type: 'string', value: 'N', about: 'how many tokens a full bucket has' },
  refill: { type: 'string', value: 'N', about: 'how many tokens come each period' },
  period: { type: 'string', value: 'TIME', about: 'such as 90s, 5m or 1h' },
  mode: { type: 'string', value: 'enforce|shadow|off', about: 'whether the policy refuses, only counts, or rests' },
  network: { type: 'string', value: 'CIDR', about: 'for the clients of one network' },
  exempt: { type: 'boolean', about: 'without a limit there' },
  block: { type: 'boolean', about: 'refuses everything from there' },
  why: { type: 'string', value: 'TEXT', about: 'for the history' },
  by: { type: 'string', value: 'NAME', about: 'for the history, instead of the user and host that run this' },
  limits: { type: 'string', value: 'FILE', about: 'the limits to rehearse, instead of those in force' },
  html: { type: 'string', value: 'FILE', about: 'also writes a page' },
  suggest: { type: 'string', value: '[SHARE]', about: 'capacities that refuse at most this share of the clients' }
} as const

type Kind = typeof options

/** The options of one call. */
export type Options = { json: boolean, help: boolean, version: boolean } & {
  [Name in Exclude<keyof Kind, 'json' | 'help' | 'version'>]?: Kind[Name]['type'] extends 'boolean' ? boolean : string
}

/** What an operator can call. The parser and the help are made of it. */
export interface Command {
  words: string
  /** In brackets if it may be left out, and with … if there may be more of it. */
  args?: string
  /** As the help shows them. A word in capitals without dashes is one of `groups`. */
  takes?: string
  help?: string
  /** Loaded only when it is called, because commands that use only Redis need no database client. */
  load: () => Promise<(args: string[], options: Options) => Promise<void>>
}

/** Options that several commands take. The help explains each group. */
export const groups: Record<string, string> = {
  FILTER: '--policy POLICY --client ADDRESS|CIDR --limited',
  NUMBERS: '--capacity N --refill N --period TIME',
  REASON: '--why TEXT --by NAME'
}

export const commands: Command[] = [
  {
    words: 'buckets list',
    takes: '[FILTER] [--limit N]',
    help: 'the buckets that are not full, the emptiest first',
    load: async () => (await import('./buckets/list.js')).list
  }, {
    words: 'buckets peek',
    args: 'POLICY ADDRESS|USER',
    help: 'one bucket; takes nothing',
    load: async () => (await import('./buckets/peek.js')).peek
  }, {
    words: 'buckets reset',
    args: 'POLICY ADDRESS|USER',
    help: 'fills one bucket, on every replica at once',
    load: async () => (await import('./buckets/reset.js')).reset
  }, {
    words: 'buckets reset',
    takes: 'FILTER [--yes]',
    help: 'fills all that the filter finds; asks before, or --yes',
    load: async () => (await import('./buckets/reset.js')).resetFound
  }, {
    words: 'buckets top',
    takes: '[--policy POLICY]',
    help: 'the most refused clients, every second until Ctrl-C',
    load: async () => (await import('./buckets/top.js')).top
  }, {
    words: 'buckets watch',
    args: 'CLIENT',
    takes: '[--policy POLICY]',
    help: 'each take of a client, as it happens, until Ctrl-C',
    load: async () => (await import('./buckets/watch.js')).watch
  }, {
    words: 'limits check',
    args: 'FILE',
    help: 'validates a limits file and prints what it sets',
    load: async () => (await import('./limits/check.js')).check
  }, {
    words: 'limits show',
    help: 'the limits that are in force, and where they come from',
    load: async () => (await import('./limits/show.js')).show
  }, {
    words: 'limits diff',
    help: 'what differs from LIMITS_FILE and the defaults',
    load: async () => (await import('./limits/show.js')).diff
  }, {
    words: 'limits set',
    args: 'POLICY',
    takes: '[NUMBERS] [REASON] [--mode enforce|shadow|off] [--network CIDR [--exempt|--block]]',
    help: 'changes a limit on every replica, within a second',
    load: async () => (await import('./limits/change.js')).set
  }, {
    words: 'limits unset',
    args: 'POLICY',
    takes: '[REASON] [--network CIDR]',
    help: 'takes it back for everyone, or for that network',
    load: async () => (await import('./limits/change.js')).unset
  }, {
    words: 'limits try',
    args: 'POLICY',
    takes: 'NUMBERS [REASON]',
    help: 'counts what other limits would refuse; refuses nothing',
    load: async () => (await import('./limits/change.js')).tryOut
  }, {
    words: 'limits promote',
    args: 'POLICY',
    takes: '[REASON]',
    help: 'makes the limits that were tried live',
    load: async () => (await import('./limits/change.js')).promote
  }, {
    words: 'limits history',
    help: 'who changed what, when and why',
    load: async () => (await import('./limits/history.js')).history
  }, {
    words: 'limits rollback',
    args: '[VERSION]',
    takes: '[REASON]',
    help: 'sets the limits before the last change, or of a version',
    load: async () => (await import('./limits/change.js')).rollback
  }, {
    words: 'simulate',
    args: 'LOG…',
    takes: '[--limits FILE] [--suggest [SHARE]] [--html FILE]',
    help: 'replays access logs, to see what limits would refuse',
    load: async () => (await import('./simulate.js')).simulate
  }, {
    words: 'modules check',
    args: 'FILE',
    help: 'validates a modules file and prints what it sets',
    load: async () => (await import('./modules.js')).check
  }, {
    words: 'users create',
    args: 'USER',
    takes: '[--email ADDRESS] [--role ROLE] [--type TYPE] [--adp-status TEXT] [--designation TEXT] [--temporary]',
    load: async () => (await import('./users.js')).create
  }, {
    words: 'users list',
    takes: '[--role ROLE] [--disabled]',
    load: async () => (await import('./users.js')).list
  }, {
    words: 'users disable',
    args: 'USER',
    help: 'no login, and every token of the user is refused',
    load: async () => (await import('./users.js')).disable
  }, {
    words: 'users enable',
    args: 'USER',
    load: async () => (await import('./users.js')).enable
  }, {
    words: 'users set-password',
    args: 'USER',
    help: 'every earlier token is refused; announced by mail',
    load: async () => (await import('./users.js')).setPassword
  }, {
    words: 'users set-role',
    args: 'USER ROLE',
    help: 'every earlier token is refused',
    load: async () => (await import('./users.js')).setRole
  }, {
    words: 'tokens revoke',
    args: 'USER',
    help: 'the user has to log in again, everywhere',
    load: async () => (await import('./users.js')).revokeTokens
  }, {
    words: 'migrate',
    help: 'brings the database\'s schema up to date',
    load: async () => (await import('./migrate.js')).migrate
  }, {
    words: 'doctor',
    help: 'checks the deployment, and says what to do',
    load: async () => (await import('./doctor.js')).doctor
  }, {
    words: 'completion',
    args: 'bash|zsh',
    help: 'a script that completes commands: eval "$(gatehouse completion bash)"',
    load: async () => (await import('./completion.js')).completion
  }
]
