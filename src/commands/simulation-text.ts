import { limitText } from '../limiter/limits/policies.js'
import type { Report } from '../simulate/report.js'
import { minute, number, percent, verdictOf } from '../simulate/texts.js'
import { table } from './outcome.js'

/** How many rows of hours are shown: more are hard to read. The JSON and the page have all of them. */
const MAX_HOURS = 48

/** For a person at a terminal. */
export function textOf (report: Report): string {
  const { from, to, policies, lines, suggestions, notes } = report
  const requests = policies.reduce((all, policy) => all + policy.requests, 0)
  return [
    `${number(requests)} requests from ${minute(from)} to ${minute(to)} UTC\n`,
    `${verdictOf(report)}\n`,
    table(['policy', 'limit', 'requests', 'refused', 'share', 'clients', 'refused in log'], policies.map(row => [
      row.policy, limitText(row.limit), number(row.requests), number(row.refused), percent(row.refused, row.requests),
      number(row.clients), number(row.refusedInLog)
    ])),
    ...hours(report), ...clients(report), ...suggested(suggestions),
    ...notes.map(note => `${note}\n`),
    ...lines.unreadable > 0 ? [unreadable(report)] : []
  ].join('\n')
}

function hours ({ hours }: Report): string[] {
  const refusing = hours.filter(({ refused, refusedInLog }) => refused + refusedInLog > 0)
  if (refusing.length === 0) return []
  const rows = refusing.slice(0, MAX_HOURS).map(({ hour, policy, requests, refused, refusedInLog }) =>
    [minute(hour), policy, number(requests), number(refused), number(refusedInLog)])
  const rest = refusing.length - rows.length
  return [
    table(['hour (utc)', 'policy', 'requests', 'refused', 'refused in log'], rows) +
    (rest > 0 ? `${number(rest)} more rows: see --json or --html\n` : '')
  ]
}

function clients ({ clients }: Report): string[] {
  if (clients.length === 0) return []
  return [table(['policy', 'client', 'refused', 'refused in log'], clients.map(client =>
    [client.policy, client.client, number(client.refused), number(client.refusedInLog)]))]
}

function suggested (suggestions: Report['suggestions']): string[] {
  if (!suggestions || suggestions.length === 0) return []
  return [table(['policy', 'capacity now', 'suggested', 'refill', 'good requests', 'refused'], suggestions.map(row => [
    row.policy, number(row.now.capacity), row.capacity === null ? 'none is enough' : number(row.capacity),
    `${row.now.refill} every ${row.now.period}`, number(row.good), number(row.refused)
  ]))]
}

function unreadable ({ lines: { read, unreadable, first } }: Report): string {
  const samples = first.map(({ file, line, text }) => `  ${file}:${line}: ${text}\n`).join('')
  return `${number(unreadable)} of ${number(read)} lines could not be read:\n${samples}`
}
