import { createHash } from 'node:crypto'
import { escapeHtml } from '../base/html.js'
import { groupDigits } from '../base/text.js'
import { hourCharts } from './chart.js'
import type { SimulationReport } from './simulation-report.js'
import { dateAndMinute, policyTable, suggestionTable, headline, type Table } from './report-text.js'

const style = `
:root { color-scheme: light dark; --text: #1f2328; --page: #fff; --faint: #59636e; --line: #d1d9e0; --requests: #59636e;
  --refused: #cf222e; --logged: #0969da }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --page: #0d1117; --faint: #9198a1; --line: #3d444d;
  --requests: #9198a1; --refused: #ff7b72; --logged: #79c0ff } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
  color: var(--text); background: var(--page) }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { padding: .2rem .8rem .2rem 0; text-align: left; border-bottom: 1px solid var(--line) }
.n { text-align: right; font-variant-numeric: tabular-nums }
code { overflow-wrap: anywhere }
figure { margin: 1.5rem 0 }
figcaption, .ends { display: flex; flex-wrap: wrap; gap: 0 1rem; font-size: .85rem; color: var(--faint) }
figcaption { margin-bottom: .5rem }
figcaption span[class]::before { content: ""; display: inline-block; width: 1.2em; margin: 0 .4em .25em 0;
  border-top: 2px solid currentcolor }
figcaption .logged::before { border-top-style: dashed }
.ends { justify-content: space-between; margin: .3rem 0 }
svg { width: 100%; height: 8rem; display: block; border: solid var(--line); border-width: 0 0 1px 1px }
polyline { fill: none; stroke: currentcolor; stroke-width: 1.5; vector-effect: non-scaling-stroke }
polyline.logged { stroke-dasharray: 5 3 }
.requests { color: var(--requests) }
.refused { color: var(--refused) }
.logged { color: var(--logged) }
h1 { line-height: 1.2 }
h2 { margin: 2.5rem 0 0 }
.verdict { font-size: 1.25rem }
.about { color: var(--faint) }
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block }
  tr:has(th) { display: none }
  tr { border-bottom: 1px solid var(--line); padding: .4rem 0 }
  td, td.n { display: flex; justify-content: space-between; gap: 1rem; border: 0; padding: .1rem 0; text-align: right;
    overflow-wrap: anywhere }
  td:first-child { font-weight: 600 }
  td::before { font-weight: 400; content: attr(data-column); color: var(--faint); text-align: left }
}
`

const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; " +
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`

/** The report as one self-contained HTML file without scripts. */
export function htmlReport (report: SimulationReport): string {
  const { from, to, policies, suggestions, notes, lines } = report
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}"/>
<meta name="viewport" content="width=device-width"/>
<meta name="referrer" content="no-referrer"/>
<title>What these limits would have meant</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>What these limits would have meant</h1>
<p class="verdict">${escapeHtml(headline(report))}</p>
<p class="about">From ${dateAndMinute(from)} to ${dateAndMinute(to)} UTC. A refused request gets an answer that says
when to try again. A client is an address on the Internet: one person, or all who share a connection.</p>
${tableOf(policyTable(report))}
${suggestions && suggestions.length > 0 ? `<h2>Suggested capacities</h2>\n${tableOf(suggestionTable(report))}` : ''}
${policies.map(row => sectionOf(report, row.policy)).join('')}
${notes.map(note => `<p>${escapeHtml(note)}</p>`).join('\n')}
${lines.unreadable > 0 ? unreadable(report) : ''}
</main>
</body>
</html>
`
}

function sectionOf ({ hours, clients }: SimulationReport, name: string): string {
  const ofPolicy = hours.filter(({ policy }) => policy === name)
  const refused = clients.filter(({ policy }) => policy === name)
  const rows = refused.map(({ client, refused, refusedInLog }) => [client, refused, refusedInLog])
  return `<h2>${escapeHtml(name)}</h2>
${ofPolicy.length > 0 ? hourCharts(ofPolicy) : ''}
${rows.length > 0 ? tableOf({ columns: ['client', 'refused', 'refused in log'], rows }) : ''}
`
}

function unreadable ({ lines: { read, unreadable, first } }: SimulationReport): string {
  const samples = first.map(({ file, line, text }) => `<li><code>${escapeHtml(`${file}:${line}: ${text}`)}</code></li>`)
  const share = `${groupDigits(unreadable)} of ${groupDigits(read)} lines`
  return `<p>${share} could not be read:</p>\n<ul>${samples.join('')}</ul>`
}

function tableOf ({ columns, rows }: Table): string {
  const cell = (value: string | number, i: number): string => typeof value === 'number'
    ? `<td class="n" data-column="${columns[i]}">${groupDigits(value)}</td>`
    : `<td data-column="${columns[i]}">${escapeHtml(value)}</td>`
  return `<table>
<tr>${columns.map(name => `<th>${name}</th>`).join('')}</tr>
${rows.map(row => `<tr>${row.map(cell).join('')}</tr>`).join('\n')}
</table>`
}
