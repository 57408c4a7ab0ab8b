import { parseArgs } from 'node:util'
import { forSeconds } from '../test/fixtures/flags.js'
import type { Lifetime } from '../test/fixtures/lifetime.js'
import { rehearsals as all } from './all.js'
import { startFleet } from './fleet.js'
import { leaveKeepsakes } from './keepsakes.js'
import { writeRecordings, type Recording } from './recording.js'
import { mustBePrinted, play, type Played, type Rehearsal } from './rehearsal.js'

// Rehearsals by name, all of them by default. `--list` names them, `--critical` plays those that CI plays, and
// `--without-cure` leaves each incident as it is for as long as its cure may take: it has to be still there then.
// `--record` also writes what the rule of each alert judged to deploy/prometheus/alerts.recorded.test.yml.

const { values: { list, critical, record, 'without-cure': withoutCure }, positionals } = parseArgs({
  options: {
    list: { type: 'boolean' },
    critical: { type: 'boolean' },
    record: { type: 'boolean', default: false },
    'without-cure': { type: 'boolean', default: false }
  },
  allowPositionals: true
})
const unknown = positionals.find(name => !all.some(one => one.name === name))
if (unknown !== undefined) throw new Error(`There is no rehearsal "${unknown}": see --list`)
const chosen = all.filter(one =>
  (positionals.length === 0 || positionals.includes(one.name)) && (!critical || one.critical))
for (const one of chosen) mustBePrinted(one)
if (list) for (const one of chosen) print(`${one.name.padEnd(28)}${titleOf(one)}\n`)
else await playAll()

async function playAll (): Promise<void> {
  // The programs of the fleet are built: they need nothing of what this process was started with.
  process.execArgv = forSeconds
  const closers: Array<() => unknown> = []
  const t: Lifetime = { after: close => { closers.unshift(close) } }
  const rows: string[][] = []
  const recordings: Recording[] = []
  try {
    const fleet = await startFleet(t)
    if (!fleet.prometheus) print('Prometheus is not on PATH: whether alerts fire is not tried.\n')
    const keepsakes = await leaveKeepsakes(fleet)
    const users = await fleet.startUsers('pupil.0', 'pupil.1')
    for (const one of chosen) {
      if (one.needs && !one.needs.isThere(fleet)) {
        print(`not played: ${one.name}, which needs ${one.needs.what}\n`)
        continue
      }
      const startedMs = performance.now()
      const played = await play(one, fleet, { keepsakes, users, withoutCure, record }).catch((error: Error) => error)
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
      rows.push(rowOf(one, played))
      print(`${played instanceof Error ? 'FAILED' : 'ok'}  ${one.name} (${seconds} s)${reasonOf(played)}\n`)
      if (played instanceof Error) process.exitCode = 1
      else if (played.recording) recordings.push(played.recording)
    }
  } finally {
    for (const close of closers) await close()
  }
  if (record) writeRecordings(recordings)
  const header = ['entry', 'staged by', 'seen after', 'cured by', 'recovered after', 'lost']
  print(`\n| ${header.join(' | ')} |\n|${' --- |'.repeat(header.length)}\n`)
  const text = (cell: string): string => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')
  for (const row of rows) print(`| ${row.map(text).join(' | ')} |\n`)
}

function titleOf ({ alert, entry }: Rehearsal): string {
  return alert === undefined || alert === entry ? entry : `${entry} (${alert})`
}

function rowOf (one: Rehearsal, played: Played | Error): string[] {
  const { stagedBy } = one
  if (played instanceof Error) return [titleOf(one), stagedBy, 'FAILED', '', '', '']
  const { seen, cured, recoveredMs, lost } = played
  return [titleOf(one), stagedBy, seen, cured, `${(recoveredMs / 1000).toFixed(1)} s`, lost.join(', ') || 'nothing']
}

function reasonOf (played: Played | Error): string {
  if (!(played instanceof Error)) return ''
  const causes = []
  for (let error: unknown = played; error instanceof Error; error = error.cause) causes.push(error.message)
  return `\n  ${causes.join('\n  ').replaceAll('\n', '\n  ')}`
}

function print (text: string): void {
  process.stdout.write(text)
}
