import { element, say, shape, showEach } from './elements.js'
import { limitText, timeText } from './times.js'

// What was decided under each policy, as columns over the last five minutes.

const SPAN_MS = 300_000
const COLUMN_MS = 3000
const COLUMNS = SPAN_MS / COLUMN_MS
const HEIGHT = 40

/** From the bottom of a column to its top, with the word for each. */
const outcomes = { admitted: 'admitted', shadowRefused: 'refused in shadow mode', refused: 'refused' }
const names = Object.keys(outcomes)
const count = new Intl.NumberFormat()
const list = new Intl.ListFormat('en')
const rate = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })

/** What was decided in each column, by policy and by the number of the column since 1970. */
const history = new Map()
/** The totals of each replica, as it last told them. */
let totals = new Map()
let sinceMs
let lastMs = -Infinity

/** Adds what each replica has decided since it last told its totals. */
export function addDecisions (atMs, replicas) {
  sinceMs ??= atMs
  // What came while nothing was heard is no column's.
  if (atMs - lastMs > 2 * COLUMN_MS) totals.clear()
  lastMs = atMs
  const column = Math.floor(atMs / COLUMN_MS)
  for (const replica of replicas) {
    const { decisions = {} } = replica
    const before = totals.get(runOf(replica))
    for (const [policy, now] of Object.entries(decisions)) {
      const sum = columnOf(policy, column)
      for (const name of names) {
        if (before) sum[name] += (now[name] ?? 0) - (before[policy]?.[name] ?? 0)
      }
    }
  }
  totals = new Map(replicas.map(replica => [runOf(replica), replica.decisions ?? {}]))
}

/** Totals begin again with each run. */
const runOf = ({ host, pid, startedAt }) => `${host} ${pid} ${startedAt}`

function columnOf (policy, column) {
  if (!history.has(policy)) history.set(policy, new Map())
  const columns = history.get(policy)
  if (!columns.has(column)) columns.set(column, Object.fromEntries(names.map(name => [name, 0])))
  for (const old of columns.keys()) if (old < column - COLUMNS) columns.delete(old)
  return columns.get(column)
}

/** Policies with traffic get a chart, and the others are named. */
export function showDecisions ({ cards, idle, scope }, atMs, limits) {
  // The column that is not over yet would look like a fall.
  const first = Math.floor(atMs / COLUMN_MS) - COLUMNS
  const policies = [...new Set([...limits.map(({ name }) => name), ...history.keys()])]
  const series = policies.map(policy => ({
    ...seriesOf(policy, first), limit: limits.find(row => row.name === policy && row.network === 'any')
  }))
  const busy = series.filter(({ most }) => most > 0)
  const others = policies.filter(policy => !busy.some(one => one.policy === policy))
  showEach(cards, busy, ({ policy }) => policy, createCard)
  say(idle, others.length === 0 ? '' : `No requests: ${others.join(', ')}.`)
  say(scope, atMs - sinceMs < SPAN_MS ? `, since ${timeText(sinceMs)}` : '')
}

function seriesOf (policy, first) {
  const columns = Array.from({ length: COLUMNS }, (_, i) => history.get(policy)?.get(first + i))
  const sumOf = name => columns.reduce((sum, column) => sum + (column?.[name] ?? 0), 0)
  const most = Math.max(...columns.map(column => column ? heightOf(column, names) : 0))
  return { policy, columns, most, sums: Object.fromEntries(names.map(name => [name, sumOf(name)])) }
}

const heightOf = (column, some) => some.reduce((height, name) => height + column[name], 0)

function createCard ({ policy }) {
  const figures = names.map(name => element('span', { class: name }))
  const note = element('p', { class: 'note' })
  const peak = element('span', { class: 'peak' })
  const paths = names.map(name => shape('path', { class: name }))
  const viewBox = `0 0 ${COLUMNS} ${HEIGHT}`
  const chart = shape('svg', { viewBox, preserveAspectRatio: 'none', role: 'img', class: 'columns' }, ...paths)
  const node = element('article', { class: 'card', 'data-policy': policy },
    element('h3', {}, policy),
    element('p', { class: 'figures' }, ...figures.flatMap(figure => [figure, ' '])),
    element('div', { class: 'plot' }, peak, chart),
    element('p', { class: 'axis', 'aria-hidden': true }, element('span', {}, '5 min ago'), element('span', {}, 'now')),
    note)

  function update ({ columns, most, sums, limit }) {
    // Hardly any policy is in shadow mode.
    const shown = names.filter(name => name !== 'shadowRefused' || sums[name] > 0)
    for (const [i, name] of names.entries()) {
      say(figures[i], shown.includes(name) ? `${count.format(sums[name])} ${outcomes[name]}` : '')
      figures[i].classList.toggle('none', sums[name] === 0)
      const below = names.slice(0, i)
      paths[i].setAttribute('d', columnsPath(columns, most, column => heightOf(column, below), column => column[name]))
    }
    say(note, limit ? limitText(limit) : '')
    const perSecond = rate.format(most / (COLUMN_MS / 1000))
    say(peak, `${perSecond}/s`)
    const words = list.format(shown.map(name => `${sums[name]} ${outcomes[name]}`))
    chart.setAttribute('aria-label', `${policy}: ${words}, at most ${perSecond} a second`)
  }

  return { node, update }
}

function columnsPath (columns, most, from, size) {
  const scale = HEIGHT / Math.max(1, most)
  return columns.map((column, i) => {
    const height = column ? size(column) * scale : 0
    if (height === 0) return ''
    return `M${i} ${(HEIGHT - from(column) * scale).toFixed(2)}v${(-height).toFixed(2)}h.85v${height.toFixed(2)}z`
  }).join('')
}
