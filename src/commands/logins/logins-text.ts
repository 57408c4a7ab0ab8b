import { pluralize, groupDigits, percent } from '../../base/text.js'
import type { BucketView } from '../../limiter/operators/bucket-views.js'
import type { LoginReport, LoginFilter } from '../../logins/login-report.js'
import { printable, table } from '../output.js'
import { MAX_SHOWN, type Standing } from './standing.js'

const MAX_NAMES = 5

/** The text begins with what an attack has reached, and ends with what would stop it. */
export function loginsText (report: LoginReport, standing: Standing, filter: LoginFilter): string {
  const { successes, gotIn, accounts, addresses, tried, attackers, notes } = report
  return [
    ...report.from === null ? [] : [headline(report)],
    ...section('Succeeded during the attack', ['account', 'address', 'at', 'failed there', 'accounts tried there'],
      successes.map(row => [row.account, row.address, second(row.at), row.failed, row.accounts])),
    ...section('Who got in', ['account', 'address', 'succeeded', 'first', 'last'],
      gotIn.map(row => [row.account, row.address, row.succeeded, second(row.first), second(row.last)])),
    ...section(filter.account === undefined ? 'Accounts that are attacked' : 'The account',
      ['account', 'addresses', ...RESULTS], accounts.map(row => [row.account, row.addresses, ...results(row)])),
    ...section(filter.address === undefined ? 'Addresses that attack' : 'The address',
      ['address', 'accounts', 'unknown names', 'users', ...RESULTS],
      addresses.map(row => [row.address, row.accounts, row.unknownNames, row.users, ...results(row)])),
    ...section('Failed most', ['account', 'address', ...RESULTS],
      tried.map(row => [row.account ?? 'unknown names', row.address, ...results(row)])),
    ...now(standing),
    ...report.from === null ? [] : [attackers > 0 ? blocksText(report) : 'Nothing here looks like an attack.\n'],
    ...[...notes, ...standing.notes].map(note => `${printable(note)}\n`)
  ].join('\n')
}

function headline ({ from, to, succeeded, failed, refused }: LoginReport): string {
  return `${groupDigits(succeeded + failed + refused)} logins from ${second(from)} to ${second(to)}: ` +
    `${groupDigits(succeeded)} succeeded, ${groupDigits(failed)} failed, ` +
    `${groupDigits(refused)} were refused by the account throttle\n`
}

const RESULTS = ['failed', 'refused', 'succeeded', 'since', 'last']

type Counts = Pick<LoginReport['tried'][number], 'failed' | 'refused' | 'succeeded' | 'since' | 'last'>

const results = ({ failed, refused, succeeded, since, last }: Counts): Array<string | number> =>
  [failed, refused, succeeded, second(since), second(last)]

/** `2026-11-22T23:59:01Z` */
const second = (iso: string | null): string => iso === null ? '-' : iso.replace(/\.\d+/, '')

function section (title: string, columns: string[], rows: Array<Array<string | number>>): string[] {
  if (rows.length === 0) return []
  const more = rows.length - MAX_SHOWN
  return [`${title}:\n${table(columns, rows.slice(0, MAX_SHOWN))}${more > 0 ? `… ${more} more: see --json\n` : ''}`]
}

function now ({ accounts, addresses, shares, knownAddresses }: Standing): string[] {
  return [
    ...section('What accounts have left now', ['account', 'tokens', 'full at', 'known addresses'],
      Object.entries(accounts).map(([name, view]) => [
        name, tokens(view), second(view.fullAt), knownAddresses ? knownAddresses[name] ?? 'no such user' : '?'
      ])),
    ...section('What is left of it at each address', ['address', 'tokens', 'full at'],
      shares.map(view => [view.client.slice(view.client.indexOf('@') + 1), tokens(view), second(view.fullAt)])),
    ...section('What addresses have left now', ['address', 'login tokens', 'full at'],
      Object.entries(addresses).map(([address, view]) => typeof view === 'string'
        ? [address, view, '-']
        : [address, tokens(view), second(view.fullAt)]))
  ]
}

const tokens = ({ tokens, capacity }: BucketView): string => `${tokens} of ${capacity}`

function blocksText ({ attackers, attackFailures, blocks }: LoginReport): string {
  if (blocks.length === 0) {
    return `The failures are of ${groupDigits(attackers)} addresses in many networks, so no block stops them. The ` +
      'account throttle bounds them.\n'
  }
  const stopped = blocks.reduce((sum, block) => sum + block.stopped, 0)
  const lines = blocks.map(({ command, stopped, users }) =>
    `  ${command}\n    stops ${groupDigits(stopped)} of ${groupDigits(attackFailures)} failures; ${met(users)}\n`)
  const rest = stopped === attackFailures
    ? ''
    : `All of these stop ${percent(stopped, attackFailures)}. The account throttle bounds the others.\n`
  return `The narrowest blocks, which nobody has set:\n${lines.join('')}${rest}`
}

function met (users: string[]): string {
  if (users.length === 0) return 'nobody has logged in from there'
  const names = users.slice(0, MAX_NAMES).map(printable).join(', ')
  const more = users.length - MAX_NAMES
  return `${pluralize(users.length, 'user')} logged in from there and would be refused, too: ${names}` +
    (more > 0 ? ` and ${groupDigits(more)} more` : '')
}
