import { EVERYONE, watch, WATCH_CHANNEL, type Refusals, type Report } from '../../limiter/fleet/watch.js'
import type { Options } from '../commands.js'
import { jsonText, table } from '../outcome.js'
import { policyNamed } from '../policy-named.js'
import { goLive } from './live.js'
import { withBus } from './with-redis.js'

const REDRAWN_EVERY_MS = 1000
/** The period whose refusals are shown. Older ones are no longer an incident. */
const WINDOW_MS = 10_000
/** How many rows are shown if the output is not a terminal. */
const ROWS = 20
/** Lines of a terminal that are not rows: the title, the header, the total of the others, and the cursor's line. */
const OTHER_LINES = 4

interface Standing {
  at: string
  replicas: number
  seconds: number
  /** The most refused first. */
  refused: Array<{ policy: string, client: string, count: number }>
  /** How many refusals the other buckets have. */
  more: number
}

export async function top (_args: string[], { json, policy }: Options): Promise<void> {
  const policyName = policy === undefined ? undefined : policyNamed(policy)
  const { stdout } = process
  await withBus(async (bus) => {
    // This notices a Redis that does not answer.
    await bus.publish(WATCH_CHANNEL, EVERYONE)
    let drawn = 0
    // After a notice, the next screen is drawn below it and does not overwrite it.
    const live = goLive(() => { drawn = 0 })
    const heard = rememberReports(policyName)
    const stop = watch<Refusals>(bus, EVERYONE, (report) => {
      live.heard()
      heard.add(report)
    })
    const drawing = setInterval(() => {
      const standing = heard.standing(stdout.isTTY ? Math.max(1, stdout.rows - OTHER_LINES) : ROWS)
      if (json) return stdout.write(jsonText(standing))
      if (!stdout.isTTY) return stdout.write(linesOf(standing))
      const lines = screenOf(standing).map(line => line.slice(0, stdout.columns))
      stdout.write(`${drawn === 0 ? '' : `\u001b[${drawn}A`}\u001b[J${lines.join('\n')}\n`)
      drawn = lines.length
    }, REDRAWN_EVERY_MS)
    await live.ended
    clearInterval(drawing)
    stop()
    live.stop()
  })
}

/** Keeps only the reports of the last seconds. */
function rememberReports (policyName: string | undefined) {
  let reports: Array<Report<Refusals> & { heardAtMs: number }> = []

  return {
    add (report: Report<Refusals>): void {
      reports.push({ ...report, heardAtMs: performance.now() })
    },

    standing (rows: number): Standing {
      const sinceMs = performance.now() - WINDOW_MS
      reports = reports.filter(({ heardAtMs }) => heardAtMs >= sinceMs)
      const refused = summedUp(reports.flatMap(({ entries }) => entries))
        .filter(({ policy }) => policy === (policyName ?? policy))
      const unlisted = policyName === undefined ? reports.map(({ more }) => more) : []
      return {
        at: new Date().toISOString(),
        replicas: new Set(reports.map(({ replica }) => replica)).size,
        seconds: WINDOW_MS / 1000,
        refused: refused.slice(0, rows),
        more: [...refused.slice(rows).map(({ count }) => count), ...unlisted].reduce((sum, count) => sum + count, 0)
      }
    }
  }
}

function summedUp (refusals: Refusals[]): Standing['refused'] {
  const sums = new Map<string, Standing['refused'][number]>()
  for (const { policy, owner, count } of refusals) {
    const key = `${policy}:${owner}`
    sums.set(key, { policy, client: owner, count: count + (sums.get(key)?.count ?? 0) })
  }
  return [...sums.values()].sort((a, b) => b.count - a.count)
}

function screenOf ({ at, replicas, seconds, refused, more }: Standing): string[] {
  const title = `${at}  refused in the last ${seconds} s at ${replicas} ${replicas === 1 ? 'replica' : 'replicas'}`
  const rows = table(['refused', 'policy', 'client'], refused.map(({ policy, client, count }) =>
    [count, policy, client])).trimEnd().split('\n')
  return [title, ...rows, ...more === 0 ? [] : [`${more} of others`]]
}

function linesOf ({ at, refused }: Standing): string {
  return table(['', '', '', ''], refused.map(({ policy, client, count }) => [at, count, policy, client]))
    .replace(/^.*\n/, '')
}
