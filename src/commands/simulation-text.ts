import { groupDigits } from '../base/text.js'
import type { SimulationReport } from '../simulate/simulation-report.js'
import { dateAndMinute, policyTable, suggestionTable, headline, type Table } from '../simulate/report-text.js'
import { table } from './output.js'

/** How many rows of hours are shown: more are hard to read. The JSON and the page have all of them. */
const MAX_HOURS = 48

export function simulationText (report: SimulationReport): string {
  const { from, to, policies, clients, lines, notes } = report
  const requests = policies.reduce((all, policy) => all + policy.requests, 0)
  const rows = clients.map(({ policy, client, refused, refusedInLog }) => [policy, client, refused, refusedInLog])
  return [
    `${groupDigits(requests)} requests from ${dateAndMinute(from)} to ${dateAndMinute(to)} UTC\n`,
    `${headline(report)}\n`,
    ...textOf(policyTable(report)),
    ...hours(report),
    ...textOf({ columns: ['policy', 'client', 'refused', 'refused in log'], rows }),
    ...textOf(suggestionTable(report)),
    ...notes.map(note => `${note}\n`),
    ...lines.unreadable > 0 ? [unreadable(report)] : []
  ].join('\n')
}

/** Nothing for a table without rows. */
function textOf ({ columns, rows }: Table): string[] {
  if (rows.length === 0) return []
  return [table(columns, rows.map(row => row.map(cell => typeof cell === 'number' ? groupDigits(cell) : cell)))]
}

function hours ({ hours }: SimulationReport): string[] {
  const refusing = hours.filter(({ refused, refusedInLog }) => refused + refusedInLog > 0)
  const rest = refusing.length - MAX_HOURS
  return [
    ...textOf({
      columns: ['hour (utc)', 'policy', 'requests', 'refused', 'refused in log'],
      rows: refusing.slice(0, MAX_HOURS).map(({ hour, policy, requests, refused, refusedInLog }) =>
        [dateAndMinute(hour), policy, requests, refused, refusedInLog])
    }),
    ...rest > 0 ? [`${groupDigits(rest)} more rows: see --json or --html\n`] : []
  ]
}

function unreadable ({ lines: { read, unreadable, first } }: SimulationReport): string {
  const samples = first.map(({ file, line, text }) => `  ${file}:${line}: ${text}\n`).join('')
  return `${groupDigits(unreadable)} of ${groupDigits(read)} lines could not be read:\n${samples}`
}
