import { count } from '../../base/text.js'
import { print, printable } from '../outcome.js'

export interface Counts {
  rows: number
  created: number
  changed: number
  differing: number
  selfRegistered: number
  same: number
  /** Accounts whose numbers are not those of the file. */
  renumbered: number
  invited: number
}

/** The accounts that were not changed, at most a hundred of each kind. */
export interface Named {
  /** Each with what differs. */
  differing: string[]
  /** A stranger may have registered the account. */
  selfRegistered: string[]
}

interface Result {
  dryRun: boolean
  invites: boolean
  counts: Counts
  named: Named
  /** Columns that say nothing here. */
  ignored: string[]
}

/** Prints what an import did. */
export function report (json: boolean, file: string, { dryRun, invites, counts, named, ignored }: Result): void {
  const { rows, created, changed, differing, selfRegistered, same, renumbered, invited } = counts
  print(json, { dryRun, ...counts, named, ignoredColumns: ignored }, () =>
    [
      `${file}: ${count(rows, 'row')}${dryRun ? '. A dry run: nothing was written, this would be' : ''}`,
      `  created    ${created}`,
      `  changed    ${changed}`,
      `  the same   ${same}`,
      `  differ     ${differing}${differing > 0 ? ', not changed: --update changes them' : ''}`,
      ...namesOf(named.differing, differing),
      ...selfRegistered > 0 ? [`  registered ${selfRegistered}${STRANGERS}`] : [],
      ...namesOf(named.selfRegistered, selfRegistered),
      ...renumbered > 0 ? [`  renumbered ${renumbered}${RENUMBERED}`] : [],
      ...invites && !dryRun ? [`  invited    ${invited}`] : [],
      ...ignored.length > 0 ? [`Ignored columns: ${printable(ignored.join(', '))}`] : []
    ].join('\n') + '\n')
}

const RENUMBERED = ', whose numbers (userId) are not those of the file: the database has accounts, or had some today'

const STRANGERS = ', perhaps by strangers (USER_CREATION was open), not changed: --update --passwords makes them the ' +
  'file\'s, with the password and address of the row, or none'

const namesOf = (names: string[], number: number): string[] =>
  [...names.map(user => `    ${user}`), ...number > names.length ? [`    and ${number - names.length} more`] : []]
