import { groupDigits, percent } from '../base/text.js'
import { limitText } from '../limiter/limits/policies.js'
import type { SimulationReport } from './simulation-report.js'

/** What the limits would have meant, in words. */
export function headline ({ policies }: SimulationReport): string {
  const sum = (of: 'requests' | 'refused' | 'clients'): number => policies.reduce((all, row) => all + row[of], 0)
  const [requests, refused, clients] = [sum('requests'), sum('refused'), sum('clients')]
  const unenforced = policies.flatMap(row => Object.entries(row.unenforced)
    .map(([why, count]) => `${groupDigits(count)} requests under ${row.policy} (${why})`))
  const rest = unenforced.length === 0 ? '' : ` Not enforced for ${unenforced.join(', ')}.`
  if (refused === 0) return `These limits would have refused none of ${groupDigits(requests)} requests.${rest}`
  const most = policies.toSorted((a, b) => b.refused - a.refused)[0]!
  return `These limits would have refused ${groupDigits(refused)} of ${groupDigits(requests)} requests ` +
    `(${percent(refused, requests)}), of ${groupDigits(clients)} ${clients === 1 ? 'client' : 'clients'}` +
    (most.refused === refused ? `, all under the policy ${most.policy}.` : `, most of them under ${most.policy}.`) +
    rest
}

/** Shortens ISO 8601 to `2026-11-22 23:59`. */
export const dateAndMinute = (iso: string): string => iso.slice(0, 16).replace('T', ' ')

export interface Table { columns: string[], rows: Array<Array<string | number>> }

export const policyTable = ({ policies }: SimulationReport): Table => ({
  columns: ['policy', 'limit', 'requests', 'refused', 'share', 'clients', 'refused in log'],
  rows: policies.map(row => [
    row.policy, limitText(row.limit), row.requests, row.refused, percent(row.refused, row.requests), row.clients,
    row.refusedInLog
  ])
})

export const suggestionTable = ({ suggestions = [] }: SimulationReport): Table => ({
  columns: ['policy', 'capacity now', 'suggested', 'refill', 'good requests', 'refused'],
  rows: suggestions.map(row => [
    [row.policy, row.network].join(' ').trimEnd(), row.now.capacity, row.capacity ?? 'none is enough',
    `${row.now.refill} every ${row.now.period}`, row.good, row.refused
  ])
})
