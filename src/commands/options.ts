/** Every option of every command: `value` is what stands behind it, and `about` what the help says of it. */
export const options = {
  json: { type: 'boolean', default: false, about: 'JSON instead of a text: one document, or a line for each thing' },
  help: { type: 'boolean', short: 'h', default: false, about: 'this page' },
  version: { type: 'boolean', default: false, about: 'the version of gatehouse' },
  policy: { type: 'string', value: 'POLICY', about: 'buckets of one policy' },
  client: { type: 'string', value: 'ADDRESS|CIDR', about: 'buckets of a client, or of all clients of a network' },
  limited: { type: 'boolean', about: 'buckets without a token now' },
  limit: { type: 'string', value: 'N', about: 'how many a list shows' },
  yes: { type: 'boolean', about: 'does not ask before' },
  email: { type: 'string', value: 'ADDRESS', about: 'where reset mails go' },
  role: { type: 'string', value: 'ROLE', about: 'the role, such as ADMIN' },
  type: { type: 'string', value: 'TYPE', about: 'the type of user, such as EMPLOYEE' },
  'adp-status': { type: 'string', value: 'TEXT', about: 'adpStatus in answers' },
  designation: { type: 'string', value: 'TEXT', about: 'book_chapter_approver_designation in answers' },
  temporary: { type: 'boolean', about: 'the user has to change the password before the first login' },
  disabled: { type: 'boolean', about: 'users who cannot log in' },
  search: { type: 'string', value: 'TEXT', about: 'users whose name or email has it' },
  after: { type: 'string', value: 'ID', about: 'users with a higher id: the next part of a list' },
  map: { type: 'string', multiple: true, value: 'COLUMN=FIELD', about: 'what a column is, or nothing; also repeated' },
  'dry-run': { type: 'boolean', about: 'checks and counts, and writes nothing' },
  update: { type: 'boolean', about: 'also changes users who differ from the file, but not their passwords' },
  passwords: { type: 'boolean', about: 'with --update: their passwords, too' },
  'keep-passwords': { type: 'boolean', about: 'passwords of the file need not be changed at the first login' },
  invite: { type: 'boolean', about: 'mails a link to set a password to users who have none' },
  'with-hashes': { type: 'boolean', about: 'with the hashes of passwords, for a move' },
  capacity: { type: 'string', value: 'N', about: 'how many tokens a full bucket has' },
  refill: { type: 'string', value: 'N', about: 'how many tokens come each period' },
  period: { type: 'string', value: 'TIME', about: 'such as 90s, 5m or 1h' },
  mode: { type: 'string', value: 'enforce|shadow|off', about: 'whether the policy refuses, only counts, or rests' },
  network: { type: 'string', value: 'CIDR', about: 'for the clients of one network' },
  exempt: { type: 'boolean', about: 'without a limit there' },
  block: { type: 'boolean', about: 'refuses everything from there' },
  why: { type: 'string', value: 'TEXT', about: 'for the history' },
  by: { type: 'string', value: 'NAME', about: 'who changes it, instead of the user and host that run this' },
  address: { type: 'string', value: 'N,N,TIME', about: 'with --by user: what all users of one address share' },
  people: { type: 'string', value: 'N', about: 'how many people are behind the network' },
  within: { type: 'string', value: 'TIME', about: 'in which they all log in' },
  requests: { type: 'string', value: 'N', about: 'how many requests one of them makes a minute; 30 by default' },
  limits: { type: 'string', value: 'FILE', about: 'the limits to rehearse, instead of those in force' },
  outcome: { type: 'string', value: 'refused|blocked|throttled', about: 'by a limit, a network, or for the account' },
  since: { type: 'string', value: 'TIME', about: 'what came later, such as 1h, or 2026-11-22T09:00Z' },
  all: { type: 'boolean', about: 'of every user' },
  html: { type: 'string', value: 'FILE', about: 'also writes a page' },
  language: { type: 'string', value: 'CODE', about: 'of the mail, such as hi; English by default' },
  suggest: { type: 'string', value: '[SHARE]', about: 'capacities that refuse at most this share of the clients' }
} as const

type Kind = typeof options

/** The options of one call. */
export type Options = { json: boolean, help: boolean, version: boolean } & {
  [Name in Exclude<keyof Kind, 'json' | 'help' | 'version'>]?: Given<Kind[Name]>
}

type Given<Option> =
  Option extends { type: 'boolean' } ? boolean : Option extends { multiple: true } ? string[] : string

/** Options that several commands take. The help explains each group. */
export const groups: Record<string, string> = {
  FILTER: '--policy POLICY --client ADDRESS|CIDR --limited',
  NUMBERS: '--capacity N --refill N --period TIME',
  REASON: '--why TEXT --by NAME'
}
