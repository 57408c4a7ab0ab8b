import { buildCommand, buildRouteMap } from '@stricli/core'
import { positionals, argument, commonFlags, flag, textFlag, valueFlag, wholeNumber, yesFlag } from '../options.js'

const user = argument('USER', 'the username')
const role = textFlag('ROLE', 'the role, such as ADMIN')
/** As PostgreSQL's integers, which numbers of users are. */
const MAX_NUMBER = 2 ** 31 - 1

function sourceName (text: string): string {
  if (/^[A-Za-z\d][\w.-]{0,31}$/.test(text)) return text
  throw new Error('must have at most 32 letters, digits, and the signs . _ -')
}

function atMost (text: string): string {
  if (/^(\d{1,8}|\d{1,2}%|100%)$/.test(text)) return text
  throw new Error('must be a number such as 20, or a part such as 10%')
}

export const users = buildRouteMap({
  docs: {
    brief: 'the users in the database',
    fullDescription: `Keeps the users in the database (DATABASE_URL, or the embedded one in DATA_DIR).

A password is asked for at a terminal, or else read from standard input. It is never an argument, because others could
see it.`
  },
  routes: {
    create: buildCommand({
      docs: { brief: 'a new user' },
      parameters: {
        flags: {
          email: textFlag('ADDRESS', 'where reset mails go'),
          role,
          type: textFlag('TYPE', 'the type of user, such as EMPLOYEE'),
          'adp-status': textFlag('TEXT', 'adpStatus in answers'),
          designation: textFlag('TEXT', 'book_chapter_approver_designation in answers'),
          temporary: flag('the user has to change the password before the first login'),
          ...commonFlags
        },
        positional: positionals(user)
      },
      loader: async () => (await import('./account.js')).create
    }),
    list: buildCommand({
      docs: { brief: 'all users, or some' },
      parameters: {
        flags: {
          role,
          disabled: flag('users who cannot log in'),
          search: textFlag('TEXT', 'users whose name or email has it'),
          limit: valueFlag('N', 'how many it shows', wholeNumber(0, MAX_NUMBER)),
          after: valueFlag('ID', 'users with a higher id: the next part of a list', wholeNumber(0, MAX_NUMBER)),
          ...commonFlags
        }
      },
      loader: async () => (await import('./list.js')).list
    }),
    show: buildCommand({
      docs: { brief: 'all that is known of one user, but no secret' },
      parameters: { flags: commonFlags, positional: positionals(user) },
      loader: async () => (await import('./show.js')).show
    }),
    import: buildCommand({
      docs: { brief: 'creates the users of a file: CSV, JSON lines, or a roster' },
      parameters: {
        flags: {
          map: { ...textFlag('COLUMN=FIELD', 'what a column is, or nothing; also repeated'), variadic: true },
          value: { ...textFlag('FIELD:FROM=TO', 'what a value means; also repeated'), variadic: true },
          source: valueFlag('NAME', 'the roster that it is from: users are matched by its ids', sourceName),
          'dry-run': flag('names every change, and writes nothing'),
          plan: textFlag('PLAN', 'stops unless the changes are those of this dry run'),
          update: flag('also changes users who differ from the file, but not their passwords'),
          'disable-missing': flag('with --source: who is no longer in the roster cannot log in any more'),
          'at-most': valueFlag('N', 'how many may lose the access, such as 20 or 10%; 5% by default', atMost),
          'skip-faults': flag('leaves out rows with faults, and names them'),
          passwords: flag('with --update: their passwords, too'),
          'keep-passwords': flag('passwords of the file need not be changed at the first login'),
          invite: flag('mails a link to set a password to users who have none'),
          'list-without': flag('names those who cannot get in'),
          ...commonFlags
        },
        positional: positionals(argument('FILE', 'also a folder or a zip; - reads standard input'))
      },
      loader: async () => (await import('./import/import.js')).importUsers
    }),
    export: buildCommand({
      docs: { brief: 'all users as CSV, which can be imported' },
      parameters: { flags: { 'with-hashes': flag('with the hashes of passwords, for a move'), ...commonFlags } },
      loader: async () => (await import('./export.js')).exportUsers
    }),
    disable: buildCommand({
      docs: { brief: 'no login, and every token of the user is refused' },
      parameters: { flags: commonFlags, positional: positionals(user) },
      loader: async () => (await import('./account.js')).disable
    }),
    enable: buildCommand({
      docs: { brief: 'the user can log in again' },
      parameters: { flags: commonFlags, positional: positionals(user) },
      loader: async () => (await import('./account.js')).enable
    }),
    'set-password': buildCommand({
      docs: { brief: 'every earlier token is refused; announced by mail' },
      parameters: { flags: commonFlags, positional: positionals(user) },
      loader: async () => (await import('./account.js')).setPassword
    }),
    'set-email': buildCommand({
      docs: { brief: 'where reset mails go' },
      parameters: {
        flags: commonFlags,
        positional: positionals(user, { ...argument('ADDRESS', 'without it, nowhere'), optional: true })
      },
      loader: async () => (await import('./account.js')).setEmail
    }),
    'second-factor': buildCommand({
      docs: { brief: 'mails a link to set up a second factor, or removes the second factor' },
      parameters: {
        flags: {
          link: flag('prints the link instead'),
          remove: flag('a login needs only the password then; with --why'),
          why: textFlag('TEXT', 'why it is removed, for AUDIT_LOG'),
          ...commonFlags
        },
        positional: positionals(user)
      },
      loader: async () => (await import('./second-factor.js')).secondFactor
    }),
    link: buildCommand({
      docs: {
        brief: 'lets a user sign in at a provider of OIDC_FILE; every earlier token is refused',
        customUsage: ['USER NAME SUB', 'USER --remove']
      },
      parameters: {
        flags: { remove: flag('the user cannot sign in there any more'), ...commonFlags },
        positional: positionals(
          user,
          { ...argument('NAME', 'the provider'), optional: true },
          { ...argument('SUB', 'the claim sub of this person there, which the log names'), optional: true }
        )
      },
      loader: async () => (await import('./link.js')).link
    }),
    delete: buildCommand({
      docs: { brief: 'with everything of theirs; asks before, or --yes' },
      parameters: { flags: { yes: yesFlag, ...commonFlags }, positional: positionals(user) },
      loader: async () => (await import('./account.js')).remove
    }),
    'set-role': buildCommand({
      docs: { brief: 'every earlier token is refused' },
      parameters: { flags: commonFlags, positional: positionals(user, argument('ROLE', 'such as ADMIN')) },
      loader: async () => (await import('./account.js')).setRole
    })
  }
})

export const tokens = buildRouteMap({
  docs: { brief: 'the tokens of users' },
  routes: {
    revoke: buildCommand({
      docs: { brief: 'a user, or everyone, has to log in again', customUsage: ['USER', '--all [--yes]'] },
      parameters: {
        flags: { all: flag('ends every token, session and link of everyone'), yes: yesFlag, ...commonFlags },
        positional: positionals({ ...user, optional: true })
      },
      loader: async () => (await import('./account.js')).revokeTokens
    })
  }
})
