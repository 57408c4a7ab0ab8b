import { element, say, shape, showEach } from './elements.js'
import { limitText, timeText } from './times.js'

// What was decided under each policy, as columns over the last five minutes.

const SPAN_MS = 300_000
const COLUMN_MS = 3000
const COLUMNS = SPAN_MS / COLUMN_MS
const HEIGHT = 40

const outcomes = ['admitted', 'refused']
const count = new Intl.NumberFormat()
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
      for (const outcome of outcomes) {
        if (before) sum[outcome] += now[outcome] - (before[policy]?.[outcome] ?? 0)
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
  if (!columns.has(column)) columns.set(column, { admitted: 0, refused: 0 })
  for (const old of columns.keys()) if (old < column - COLUMNS) columns.delete(old)
  return columns.get(column)
}

/** Policies with traffic get a chart, and the others are named. */
export function showDecisions ({ cards, idle, scope }, atMs, limits) {
  // The column that is not over yet would look like a fall.
  const first = Math.floor(atMs / COLUMN_MS) - COLUMNS
  const policies = [...new Set([...limits.map(({ name }) => name), ...history.keys()])]
  const series = policies.map(policy => seriesOf(policy, first))
  const busy = series.filter(({ admitted, refused }) => admitted + refused > 0)
  const others = policies.filter(policy => !busy.some(one => one.policy === policy))
  showEach(cards, busy, ({ policy }) => policy, one => createCard(one, limits))
  say(idle, others.length === 0 ? '' : `No requests: ${others.join(', ')}.`)
  say(scope, atMs - sinceMs < SPAN_MS ? `, since ${timeText(sinceMs)}` : '')
}

function seriesOf (policy, first) {
  const columns = Array.from({ length: COLUMNS }, (_, i) => history.get(policy)?.get(first + i))
  const sumOf = outcome => columns.reduce((sum, column) => sum + (column?.[outcome] ?? 0), 0)
  const most = Math.max(...columns.map(column => column ? column.admitted + column.refused : 0))
  return { policy, columns, most, admitted: sumOf('admitted'), refused: sumOf('refused') }
}

function createCard ({ policy }, limits) {
  const limit = limits.find(row => row.name === policy && row.network === 'any')
  const admittedText = element('span', { class: 'admitted' })
  const refusedText = element('span', { class: 'refused' })
  const peak = element('span', { class: 'peak' })
  const paths = outcomes.map(outcome => shape('path', { class: outcome }))
  const viewBox = `0 0 ${COLUMNS} ${HEIGHT}`
  const chart = shape('svg', { viewBox, preserveAspectRatio: 'none', role: 'img', class: 'columns' }, ...paths)
  const node = element('article', { class: 'card', 'data-policy': policy },
    element('h3', {}, policy),
    element('p', { class: 'figures' }, admittedText, ' ', refusedText),
    element('div', { class: 'plot' }, peak, chart),
    element('p', { class: 'axis', 'aria-hidden': true }, element('span', {}, '5 min ago'), element('span', {}, 'now')),
    limit && element('p', { class: 'note' }, limitText(limit)))

  function update ({ columns, most, admitted, refused }) {
    say(admittedText, `${count.format(admitted)} admitted`)
    say(refusedText, `${count.format(refused)} refused`)
    refusedText.classList.toggle('none', refused === 0)
    const perSecond = rate.format(most / (COLUMN_MS / 1000))
    say(peak, `${perSecond}/s`)
    paths[0].setAttribute('d', columnsPath(columns, most, () => 0, column => column.admitted))
    paths[1].setAttribute('d', columnsPath(columns, most, column => column.admitted, column => column.refused))
    const words = `${policy}: ${admitted} admitted and ${refused} refused, at most ${perSecond} a second`
    chart.setAttribute('aria-label', words)
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
