import type { Command } from './command.js'

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
    takes: '[--policy POLICY] [--outcome refused|blocked|throttled]',
    help: 'the most refused clients, every second until Ctrl-C',
    load: async () => (await import('./buckets/top.js')).top
  }, {
    words: 'buckets watch',
    args: 'ADDRESS|USER',
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
    takes: '[NUMBERS] [REASON] [--mode enforce|shadow|off] [--by user|address] [--address N,N,TIME] ' +
      '[--network CIDR [--exempt|--block]]',
    help: 'changes a limit on every replica, within a second',
    load: async () => (await import('./limits/change.js')).set
  }, {
    words: 'limits size',
    takes: '--network CIDR --people N --within TIME [--requests N]',
    help: 'the commands for a school behind one address, and their arithmetic',
    load: async () => (await import('./limits/size.js')).size
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
    words: 'logins',
    args: '[USER|ADDRESS] [LOG]…',
    takes: '[--since TIME]',
    help: 'who is tried, from where, with which result; and what would stop it',
    load: async () => (await import('./logins/logins.js')).logins
  }, {
    words: 'modules check',
    args: 'FILE',
    help: 'validates a modules file and prints what it sets',
    load: async () => (await import('./modules.js')).check
  }, {
    words: 'users create',
    args: 'USER',
    takes: '[--email ADDRESS] [--role ROLE] [--type TYPE] [--adp-status TEXT] [--designation TEXT] [--temporary]',
    load: async () => (await import('./users/account.js')).create
  }, {
    words: 'users list',
    takes: '[--role ROLE] [--disabled] [--search TEXT] [--limit N] [--after ID]',
    load: async () => (await import('./users/list.js')).list
  }, {
    words: 'users show',
    args: 'USER',
    load: async () => (await import('./users/list.js')).show
  }, {
    words: 'users import',
    args: 'FILE',
    takes: '[--map COLUMN=FIELD] [--dry-run] [--update [--passwords]] [--keep-passwords] [--invite]',
    help: 'creates the users of a CSV or JSON lines file; - reads standard input',
    load: async () => (await import('./users/import.js')).importUsers
  }, {
    words: 'users export',
    takes: '[--with-hashes]',
    help: 'all users as CSV, which can be imported',
    load: async () => (await import('./users/export.js')).exportUsers
  }, {
    words: 'users disable',
    args: 'USER',
    help: 'no login, and every token of the user is refused',
    load: async () => (await import('./users/account.js')).disable
  }, {
    words: 'users enable',
    args: 'USER',
    load: async () => (await import('./users/account.js')).enable
  }, {
    words: 'users set-password',
    args: 'USER',
    help: 'every earlier token is refused; announced by mail',
    load: async () => (await import('./users/account.js')).setPassword
  }, {
    words: 'users set-email',
    args: 'USER [ADDRESS]',
    help: 'where reset mails go; without ADDRESS nowhere',
    load: async () => (await import('./users/account.js')).setEmail
  }, {
    words: 'users delete',
    args: 'USER',
    takes: '[--yes]',
    help: 'with everything of theirs; asks before, or --yes',
    load: async () => (await import('./users/account.js')).remove
  }, {
    words: 'users set-role',
    args: 'USER ROLE',
    help: 'every earlier token is refused',
    load: async () => (await import('./users/account.js')).setRole
  }, {
    words: 'tokens revoke',
    args: 'USER',
    help: 'the user has to log in again, everywhere',
    load: async () => (await import('./users/account.js')).revokeTokens
  }, {
    words: 'tokens revoke',
    takes: '--all [--yes]',
    help: 'ends every token, session and link of everyone; asks before, or --yes',
    load: async () => (await import('./users/account.js')).revokeAllTokens
  }, {
    words: 'mails list',
    takes: '[--limit N]',
    help: 'the mails that wait: since when, why, and until when',
    load: async () => (await import('./mails.js')).list
  }, {
    words: 'mails show',
    args: 'ID',
    help: 'one mail that waits',
    load: async () => (await import('./mails.js')).show
  }, {
    words: 'mails retry',
    args: '[ID]',
    help: 'tries one mail now, or all of them',
    load: async () => (await import('./mails.js')).retry
  }, {
    words: 'mails drop',
    args: 'ID',
    takes: '[--yes]',
    help: 'gives one mail up; asks before, or --yes',
    load: async () => (await import('./mails.js')).drop
  }, {
    words: 'mails test',
    args: 'ADDRESS',
    takes: '[--language CODE]',
    help: 'sends a test mail now, and shows the talk with the mail server',
    load: async () => (await import('./mails.js')).test
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
    load: async () => (await import('./completion.js')).completionOf(commands)
  }
]
