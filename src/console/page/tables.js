import { element, say, showEach, tableOf } from './elements.js'
import { limitText, nowMs, spanText, timeText } from './times.js'

// What is shown in rows.

const number = new Intl.NumberFormat()

/** A table that keeps its rows, with a text for when there are none. */
function createTable (parent, { label, columns, none, keyOf, createRow }) {
  const body = element('tbody', { role: 'rowgroup' })
  const table = tableOf(label, columns, body)
  const empty = element('p', { class: 'note' }, none)
  return (rows) => {
    const shown = rows.length === 0 ? empty : table
    if (parent.firstChild !== shown) parent.replaceChildren(shown)
    showEach(body, rows, keyOf, row => labelled(createRow(row), columns))
  }
}

/** On a phone a row is a card, in which each cell says what it is. */
function labelled (row, columns) {
  row.node.setAttribute('role', 'row')
  for (const [i, cell] of [...row.node.cells].entries()) {
    cell.setAttribute('role', 'cell')
    cell.dataset.column = columns[i]
  }
  return row
}

/** A row whose cells are texts of the item. */
function textRow (...texts) {
  return () => {
    const cells = texts.map(() => element('td'))
    return {
      node: element('tr', {}, ...cells),
      update: item => texts.forEach((textOf, i) => say(cells[i], textOf(item)))
    }
  }
}

export const limitsTable = parent => createTable(parent, {
  label: 'Every limit in force',
  columns: ['Policy', 'For', 'Limit', 'Mode', 'Set by', 'Tried beside it'],
  none: 'No limits.',
  keyOf: ({ name, network }) => `${name} ${network}`,
  createRow: textRow(
    row => row.name,
    row => row.network === 'any' ? 'everyone' : row.network,
    row => row.capacity === undefined ? '' : limitText(row),
    row => row.mode,
    row => row.source,
    row => row.candidate ? limitText(row.candidate) : ''
  )
})

export const historyTable = parent => createTable(parent, {
  label: 'Changes of limits',
  columns: ['Version', 'When', 'By', 'Change', 'Why'],
  none: 'No limit was changed while the service ran.',
  keyOf: ({ version, at }) => `${version} ${at}`,
  createRow: textRow(
    row => row.version, row => timeText(Date.parse(row.at)), row => row.by, row => row.what, row => row.why ?? ''
  )
})

/** @param {(client: string) => void} lookUp */
export const refusedTable = (parent, lookUp) => createTable(parent, {
  label: 'Refused in the last seconds',
  columns: ['Client', 'Policy', 'In the last 10 s'],
  none: 'Nobody has been refused in the last seconds.',
  keyOf: ({ policy, client, outcome }) => `${policy} ${client} ${outcome}`,
  createRow ({ policy, client, outcome }) {
    // Of a user at an address, it is the user who has other buckets.
    const click = () => lookUp(policy === 'account-address' ? client.replace(/@.*$/, '') : client)
    const button = element('button', { type: 'button', class: 'link', click }, client)
    const count = element('td', { class: 'count' })
    const by = outcome === 'blocked' ? `${policy}, blocked` : policy
    const node = element('tr', {}, element('td', {}, button), element('td', {}, by), count)
    return { node, update: row => say(count, number.format(row.count)) }
  }
})

export const replicasTable = parent => createTable(parent, {
  label: 'Every replica',
  columns: ['Name', 'Version', 'Up for', 'Started', 'Limits', 'Canary', 'Redis', 'PostgreSQL'],
  none: 'No replica has said anything.',
  keyOf: ({ name }) => name,
  createRow: textRow(
    row => row.name,
    row => row.version ?? 'unknown',
    row => row.startedAt ? spanText(nowMs() - Date.parse(row.startedAt)) : '',
    row => row.startedAt ? timeText(Date.parse(row.startedAt)) : '',
    row => row.limits?.slice(0, 8) ?? '',
    row => stateText(row.states?.canary),
    row => stateText(row.states?.redis),
    row => stateText(row.states?.database)
  )
})

/** A replica of another release may not say. */
const stateText = state => state ? [state.value, state.reason].filter(Boolean).join(': ') : ''
