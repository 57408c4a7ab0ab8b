import { networkText } from '../../base/networks.js'
import type { Limits } from '../../limiter/limits/policies.js'
import { limitRowsOf, limitRowText, type LimitRow } from '../../limiter/limits/limit-rows.js'
import type { LimitsChange } from './change-limits.js'
import { networksWith, type Edit } from './edits.js'
import type { Held } from './wait-until-held.js'
import type { Sized } from './size.js'

/** How many rows are shown. If there are more, the command refers to `limits show`. */
const MAX_ROWS = 10

/** What a change has done, in the form of its JSON: the rows are those of the network that was named, or all. */
export function changeReport (edit: Edit, base: Limits, change: LimitsChange, held: Held, sized: Sized | undefined) {
  const { before, after, changed } = change
  const { version = 0, limits: set = {} } = after?.document ?? {}
  const limits = after?.limits ?? base
  return {
    version,
    changed,
    ...held,
    rows: limitRowsOf(limits, base).filter(({ name, network }) =>
      changed.includes(name) && network === (networkOf(edit, limits) ?? network)),
    // The policies whose candidate an edit of something else has ended.
    dropped: edit.verb === 'promote' ? [] : tried(before?.limits ?? base).filter(name => !tried(limits).includes(name)),
    ...edit.verb === 'unset' && { stillSet: networksWith(edit.policy, set) },
    ...sized && { arithmetic: sized.why, risk: sized.risk }
  }
}

/** The network that was named, as its row has it: LIMITS_FILE may name it in another form. */
const networkOf = (edit: Edit, { networks }: Limits): string | undefined => edit.verb === 'set'
  ? networks.find(({ network }) => networkText(network) === edit.network)?.text
  : undefined

const tried = ({ policies }: Limits): string[] =>
  Object.values(policies).filter(({ candidate }) => candidate).map(({ name }) => name)

export function changeReportText (
  { version, changed, rows, dropped, stillSet = [], arithmetic, risk, ...held }: ReturnType<typeof changeReport>
): string {
  return (changed.length === 0 ? `Nothing changes: version ${version} has it already` : `Version ${version}`) +
    `${heldBy(held)}\n` +
    textOfRows(rows) + (arithmetic === undefined ? '' : `${arithmetic}\n${risk}\n`) +
    dropped.map(name => `The candidate of ${name} is dropped, too.\n`).join('') +
    (stillSet.length > 0 ? `Still set for ${stillSet.join(', ')}: name one with --network to unset it.\n` : '')
}

function textOfRows (rows: LimitRow[]): string {
  const rest = rows.length - MAX_ROWS
  return rows.slice(0, MAX_ROWS).map(row => `  ${textOfRow(row)}\n`).join('') +
    (rest > 0 ? `  and ${rest} more: see gatehouse limits show\n` : '')
}

const textOfRow = (row: LimitRow): string =>
  `${row.name}${row.network === 'any' ? '' : ` for ${row.network}`}: ${limitRowText(row)}`

const heldBy = ({ holding, replicas }: Held): string => replicas === 0
  ? '. No replica is running: each reads it when it starts.'
  : `, held by ${holding} of ${replicas} replicas.`
