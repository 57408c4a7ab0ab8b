import { ADMIN_ROLE } from '../../../auth/rules.js'
import { pluralize } from '../../../base/text.js'
import { print, printable } from '../../output.js'
import type { Changes } from './comparison.js'
import type { Imported } from './imported.js'
import type { Skipped } from './decision.js'
import { fingerprint, type Plan } from './plan.js'
import type { Fault } from './rows.js'

/** Of accounts that are named, where the account itself is not changed. */
const MAX_SHOWN = 100

export interface Reported {
  /** What the file is, such as `OneRoster 1.2`. */
  format: string
  rows: number
  isDry: boolean
  /** How many were invited. */
  invited: number
  plan: Plan
  /** Of rows that were left out. */
  faults: Fault[]
  /** Columns that say nothing here. */
  ignored: string[]
  /** Texts such as NULL, and how often they stood for nothing. */
  emptyTexts: Map<string, number>
  options: { json: boolean, update?: boolean, invite?: boolean, 'list-without'?: boolean, 'disable-missing'?: boolean }
}

type Counted = Pick<Reported, 'plan' | 'rows' | 'invited' | 'faults'>

export const countsOf = ({ plan, rows, invited, faults }: Counted) => ({
  rows,
  created: plan.created.length,
  changed: plan.changed.length,
  missing: plan.missing.length,
  differing: plan.differing.length,
  selfRegistered: plan.selfRegistered.length,
  same: plan.same,
  renumbered: plan.renumbered,
  left: plan.untouched.length,
  leftOut: new Set(faults.map(({ line }) => line)).size,
  password: plan.ways.password.length,
  hash: plan.ways.hash.length,
  link: plan.ways.link.length,
  invited,
  none: plan.ways.none.length
})

/** What changes of an account. One that is new had nothing before. */
interface Changed {
  username: string
  changes: Changes
  why?: string
}

/** Prints what an import did, or would do. */
export function report (file: string, reported: Reported): void {
  const { format, isDry, plan, faults, ignored, emptyTexts, options } = reported
  const counts = countsOf(reported)
  const { roles, ends, others } = sectionsOf(plan)
  const json = () => ({
    file,
    format,
    dryRun: isDry,
    plan: fingerprint(plan),
    ...counts,
    roles,
    ends,
    changes: others,
    named: {
      created: isDry ? plan.created.map(nameOf) : [],
      differing: plan.differing.slice(0, MAX_SHOWN).map(textOf),
      selfRegistered: plan.selfRegistered.slice(0, MAX_SHOWN),
      left: plan.untouched,
      leftOut: faults,
      ...options['list-without'] && { without: plan.ways.none }
    },
    ignoredColumns: ignored,
    emptyTexts: Object.fromEntries(emptyTexts)
  })
  print(options.json, options.json && json(), () => [
    `${file}: ${format}, ${pluralize(counts.rows, 'row')}` +
      (isDry ? `. A dry run: nothing was written, this would be (plan ${fingerprint(plan)})` : ''),
    `  created    ${counts.created}`,
    ...isDry ? namesOf(plan.created.map(nameOf)) : [],
    `  changed    ${counts.changed}`,
    ...options['disable-missing'] ? [`  missing    ${counts.missing}`] : [],
    `  the same   ${counts.same}`,
    `  differ     ${counts.differing}${counts.differing > 0 ? ', not changed: --update changes them' : ''}`,
    ...namesOf(plan.differing.map(textOf), MAX_SHOWN),
    ...lineOf('registered', counts.selfRegistered, STRANGERS),
    ...namesOf(plan.selfRegistered, MAX_SHOWN),
    ...lineOf('renumbered', counts.renumbered, RENUMBERED),
    ...lineOf('left', counts.left, ', which stay as they are'),
    ...namesOf(plan.untouched.map(({ username, why }) => `${username}: ${why}`)),
    ...lineOf('left out', counts.leftOut, ', whose rows have faults'),
    ...namesOf(faults.map(({ line, fault }) => `line ${line}: ${fault}`)),
    'How they get in:',
    `  password   ${counts.password}`,
    `  hash       ${counts.hash}`,
    ...lineOf('link', counts.link, ', mailed earlier'),
    `  invited    ${counts.invited}`,
    `  none       ${counts.none}` + (counts.none > 0 && !options['list-without'] ? ': --list-without names them' : ''),
    ...options['list-without'] ? namesOf(plan.ways.none) : [],
    ...section('Roles', roles, isDry),
    ...section('Ends of access', ends, isDry),
    ...isDry ? section('Other changes', others, isDry) : [],
    ...emptyTexts.size > 0
      ? [`Cells that count as empty: ${[...emptyTexts].map(([text, number]) => `${number} ${text}`).join(', ')}`]
      : [],
    ...ignored.length > 0 ? [`Ignored columns: ${printable(ignored.join(', '))}`] : []
  ].join('\n') + '\n')
}

const RENUMBERED = ', whose numbers (userId) are not those of the file: the database has accounts, or had some today'

const STRANGERS = ', perhaps by strangers (USER_CREATION was open), not changed: --update --passwords makes them the ' +
  'file\'s, with the password and address of the row, or none'

const lineOf = (name: string, number: number, what: string): string[] =>
  number > 0 ? [`  ${name.padEnd(11)}${number}${what}`] : []

const textOf = ({ username, why }: Skipped): string => `${username} (${why})`

const namesOf = (names: string[], most = Infinity): string[] => [
  ...names.slice(0, most).map(name => `    ${printable(name)}`),
  ...names.length > most ? [`    and ${names.length - most} more`] : []
]

const nameOf = ({ username, role }: Imported): string => role === undefined ? username : `${username} (${role})`

/** Each change stands in one section. A new administrator is a change of roles, too. */
function sectionsOf ({ created, changed, missing }: Plan): Record<'roles' | 'ends' | 'others', Changed[]> {
  const sections = { roles: [] as Changed[], ends: [] as Changed[], others: [] as Changed[] }
  const add = (section: keyof typeof sections, one: Changed): void => {
    if (Object.keys(one.changes).length > 0) sections[section].push(one)
  }
  for (const { username, role } of created) {
    add('roles', { username, changes: role === ADMIN_ROLE ? { role: { before: null, after: role } } : {} })
  }
  for (const { user: { username }, changes: { role, userType, disabled, ...others } } of changed) {
    add('roles', { username, changes: { ...role && { role }, ...userType && { userType } } })
    add(disabled?.after ? 'ends' : 'others', { username, changes: { ...disabled && { disabled } } })
    add('others', { username, changes: others })
  }
  for (const { user: { username }, changes } of missing) add('ends', { username, changes, why: 'not in the file' })
  return sections
}

const section = (title: string, all: Changed[], isDry: boolean): string[] =>
  all.length === 0 ? [] : [`${title}:`, ...namesOf(all.map(lineOfChange), isDry ? Infinity : MAX_SHOWN)]

function lineOfChange ({ username, changes, why }: Changed): string {
  const texts = Object.entries(changes).map(([field, { before, after }]) =>
    `${field} ${shown(before)} → ${shown(after)}`)
  return `${username}: ${texts.join(', ')}${why ? ` (${why})` : ''}`
}

const shown = (value: unknown): string => value === null || value === undefined ? 'none' : String(value)
