import { dateAndMinute } from './report-text.js'
import type { SimulationReport } from './simulation-report.js'

type Hour = SimulationReport['hours'][number]

interface Curve { name: string, className: string, valueOf: (hour: Hour) => number }

/** In units of the drawing, which is stretched to the width of the page. */
const WIDTH = 800
const HEIGHT = 100
/** Free space above the highest point. */
const HEADROOM = 8
const HOUR_MS = 3_600_000

/** More points than pixels would only make the file larger. */
const MAX_POINTS = 800

const requests: Curve = { name: 'requests', className: 'requests', valueOf: hour => hour.requests }
const refused: Curve = { name: 'would have been refused', className: 'refused', valueOf: hour => hour.refused }
const refusedInLog: Curve = { name: 'were refused', className: 'logged', valueOf: hour => hour.refusedInLog }

/** Two charts of one policy by hour: its requests, and the refused ones. */
export const hourCharts = (hours: Hour[]): string => chart(hours, [requests]) + chart(hours, [refusedInLog, refused])

/** The words are around the drawing and not in it, so that a narrow screen does not shrink them. */
function chart (hours: Hour[], curves: Curve[]): string {
  const names = curves.map(({ name }) => name).join(', ')
  const steps = stepsOf(hours)
  const most = Math.max(1, ...curves.flatMap(({ valueOf }) => steps.map(step => total(step.hours, valueOf))))
  const xOf = (i: number): string => ((i + 0.5) * WIDTH / steps.length).toFixed(1)
  const yOf = (value: number): string => (HEADROOM + (HEIGHT - HEADROOM - 1) * (1 - value / most)).toFixed(1)
  const lines = curves.map(({ className, valueOf }) => {
    const points = steps.map((step, i) => `${xOf(i)},${yOf(total(step.hours, valueOf))}`)
    // A curve of one point would be invisible.
    const [first = ''] = points
    const drawn = points.length === 1 ? [`0,${first.split(',')[1]}`, `${WIDTH},${first.split(',')[1]}`] : points
    return `<polyline class="${className}" points="${drawn.join(' ')}"/>`
  })
  const legend = curves.map(({ name, className }) => `<span class="${className}">${name}</span>`)
  const perStep = steps.length > 1 && steps[1]!.fromMs - steps[0]!.fromMs > HOUR_MS ? 'in a step' : 'in an hour'
  return `<figure>
<figcaption>${legend.join(' ')} <span>at most ${most.toLocaleString('en-US')} ${perStep}</span></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${names} by time">
${lines.join('\n')}
</svg>
<p class="ends"><span>${timeText(steps[0]!.fromMs)}</span><span>${timeText(steps.at(-1)!.fromMs)}</span></p>
</figure>
`
}

interface Step { fromMs: number, hours: Hour[] }

/** The whole time in equal steps of one or more hours. The `hours` of a step without requests are empty. */
function stepsOf (hours: Hour[]): Step[] {
  const times = hours.map(({ hour }) => Date.parse(hour))
  const firstMs = times[0]!
  const count = (times.at(-1)! - firstMs) / HOUR_MS + 1
  const stepMs = Math.ceil(count / MAX_POINTS) * HOUR_MS
  const steps = Array.from({ length: Math.ceil(count * HOUR_MS / stepMs) }, (_, i): Step =>
    ({ fromMs: firstMs + i * stepMs, hours: [] }))
  hours.forEach((hour, i) => steps[Math.floor((times[i]! - firstMs) / stepMs)]!.hours.push(hour))
  return steps
}

const total = (hours: Hour[], valueOf: Curve['valueOf']): number => hours.reduce((sum, hour) => sum + valueOf(hour), 0)

const timeText = (ms: number): string => dateAndMinute(new Date(ms).toISOString())
