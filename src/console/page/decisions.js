import { element, say, shape, showEach } from './elements.js'
import { limitText } from './times.js'

// What was decided under each policy, as columns over the last five minutes.

/** As the service counts them. */
const COLUMN_MS = 5000
const COLUMNS = 60
const HEIGHT = 40

/** From the bottom of a column to its top. */
const outcomes = ['admitted', 'refused']
const count = new Intl.NumberFormat()
const list = new Intl.ListFormat('en')
const rate = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 })

/** What each replica last told. One that has stopped stays until its columns are too old. */
const told = new Map()

/** Policies with traffic get a chart, and the others are named. */
export function showDecisions ({ cards, idle }, atMs, replicas, limits) {
  // The column that is not over yet would look like a fall.
  const first = Math.floor(atMs / COLUMN_MS) - COLUMNS
  for (const replica of replicas) if (replica.decisions) told.set(replica.name, replica.decisions)
  for (const [run, { column }] of told) if (column < first) told.delete(run)
  const used = [...told.values()].flatMap(({ policies }) => Object.keys(policies))
  const policies = [...new Set([...limits.map(({ name }) => name), ...used])]
  const series = policies.map(policy => ({
    ...seriesOf(policy, first), limit: limits.find(row => row.name === policy && row.network === 'any')
  }))
  const busy = series.filter(({ most }) => most > 0)
  const others = policies.filter(policy => !busy.some(one => one.policy === policy))
  showEach(cards, busy, ({ policy }) => policy, createCard)
  say(idle, others.length === 0 ? '' : `No requests: ${others.join(', ')}.`)
}

function seriesOf (policy, first) {
  const columns = Array.from({ length: COLUMNS }, (_, i) =>
    Object.fromEntries(outcomes.map(name => [name, decidedIn(first + i, policy, name)])))
  const sums = Object.fromEntries(outcomes.map(name => [name, columns.reduce((sum, column) => sum + column[name], 0)]))
  return { policy, columns, most: Math.max(...columns.map(column => heightOf(column, outcomes))), sums }
}

/** By all replicas. */
function decidedIn (column, policy, name) {
  let sum = 0
  for (const { column: last, policies } of told.values()) {
    const counts = policies[policy]?.[name]
    sum += counts?.[counts.length - 1 + column - last] ?? 0
  }
  return sum
}

const heightOf = (column, some) => some.reduce((height, name) => height + column[name], 0)

function createCard ({ policy }) {
  const figures = outcomes.map(name => element('span', { class: name }))
  const note = element('p', { class: 'note' })
  const peak = element('span', { class: 'peak' })
  const paths = outcomes.map(name => shape('path', { class: name }))
  const viewBox = `0 0 ${COLUMNS} ${HEIGHT}`
  const chart = shape('svg', { viewBox, preserveAspectRatio: 'none', role: 'img', class: 'columns' }, ...paths)
  const node = element('article', { class: 'card', 'data-policy': policy },
    element('h3', {}, policy),
    element('p', { class: 'figures' }, ...figures.flatMap(figure => [figure, ' '])),
    element('div', { class: 'plot' }, peak, chart),
    element('p', { class: 'axis', 'aria-hidden': true }, element('span', {}, '5 min ago'), element('span', {}, 'now')),
    note)

  function update ({ columns, most, sums, limit }) {
    for (const [i, name] of outcomes.entries()) {
      say(figures[i], `${count.format(sums[name])} ${name}`)
      figures[i].classList.toggle('none', sums[name] === 0)
      const below = outcomes.slice(0, i)
      paths[i].setAttribute('d', columnsPath(columns, most, column => heightOf(column, below), column => column[name]))
    }
    say(note, limit ? limitText(limit) : '')
    const perSecond = rate.format(most / (COLUMN_MS / 1000))
    say(peak, `${perSecond}/s`)
    const words = list.format(outcomes.map(name => `${sums[name]} ${name}`))
    chart.setAttribute('aria-label', `${policy}: ${words}, at most ${perSecond} a second`)
  }

  return { node, update }
}

function columnsPath (columns, most, from, size) {
  const scale = HEIGHT / Math.max(1, most)
  return columns.map((column, i) => {
    const height = size(column) * scale
    if (height === 0) return ''
    return `M${i} ${(HEIGHT - from(column) * scale).toFixed(2)}v${(-height).toFixed(2)}h.85v${height.toFixed(2)}z`
  }).join('')
}
