import type { Config } from '../../config/config.js'
import { audit } from '../audit.js'
import { whoRuns } from '../author.js'
import type { Options } from '../options.js'
import { count, print, printable } from '../outcome.js'

export interface Counts {
  rows: number
  created: number
  changed: number
  differing: number
  same: number
  invited: number
}

interface Result {
  counts: Counts
  /** The accounts that were not changed, at most a hundred, each with what differs. */
  differing: string[]
  /** Columns that say nothing here. */
  ignored: string[]
}

/** Prints what an import did, and writes its event to the audit log. */
export function report (
  file: string, config: Config, options: Options, { counts, differing, ignored }: Result
): void {
  const dryRun = options['dry-run'] ?? false
  const { rows, created, changed, same, invited } = counts
  const more = counts.differing - differing.length
  print(options.json, { dryRun, ...counts, differ: differing, ignoredColumns: ignored }, () =>
    [
      `${file}: ${count(rows, 'row')}${dryRun ? '. A dry run: nothing was written, this would be' : ''}`,
      `  created    ${created}`,
      `  changed    ${changed}`,
      `  the same   ${same}`,
      `  differ     ${counts.differing}${counts.differing > 0 ? ', not changed: --update changes them' : ''}`,
      ...differing.map(user => `    ${user}`), ...more > 0 ? [`    and ${more} more`] : [],
      ...options.invite && !dryRun ? [`  invited    ${invited}`] : [],
      ...ignored.length > 0 ? [`Ignored columns: ${printable(ignored.join(', '))}`] : []
    ].join('\n') + '\n')
  if (config.userCreation === 'open' && counts.changed + counts.differing > 0) process.stderr.write(STRANGERS)
  if (!dryRun) audit(config, { event: 'users_imported', actor: whoRuns(), ...counts })
}

const STRANGERS = 'gatehouse: USER_CREATION is open, so strangers may have created accounts with names of the file. ' +
  'They keep their passwords, unless you give --update --passwords.\n'
