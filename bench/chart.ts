/** A bar of a chart: what it stands for, how long it is, and whether it is ours. */
export interface Bar {
  label: string
  value: number
  ours: boolean
}

const ROW = 26
const LABEL_WIDTH = 330
const WIDTH = 820

/** One horizontal bar for each, as an SVG that is readable on a bright and on a dark page. */
export function barChart (title: string, unit: string, bars: readonly Bar[]): string {
  const longest = Math.max(...bars.map(({ value }) => value))
  const scale = (WIDTH - LABEL_WIDTH - 90) / longest
  const height = ROW * bars.length + 50
  const rows = bars.map(({ label, value, ours }, i) => {
    const y = 40 + i * ROW
    const width = value * scale
    return `  <text class="label" x="${LABEL_WIDTH - 8}" y="${y + 14}">${escaped(label)}</text>
  <rect class="${ours ? 'ours' : 'other'}" x="${LABEL_WIDTH}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 8}"/>
  <text class="value" x="${(LABEL_WIDTH + width + 6).toFixed(1)}" y="${y + 14}">${value.toFixed(1)} ${unit}</text>`
  })
  const viewBox = `0 0 ${WIDTH} ${height}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" role="img" aria-label="${escaped(title)}">
  <style>
    text { font: 13px system-ui, sans-serif; fill: #57606a }
    .title { font-weight: 600 }
    .label { text-anchor: end }
    .ours { fill: #2f81f7 }
    .other { fill: #8b949e }
    @media (prefers-color-scheme: dark) { text { fill: #adbac7 } }
  </style>
  <text class="title" x="8" y="20">${escaped(title)}</text>
${rows.join('\n')}
</svg>
`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
