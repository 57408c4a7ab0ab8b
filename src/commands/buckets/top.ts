import { pluralize } from '../../base/text.js'
import { loadConfig } from '../../config/load.js'
import { ALL_CLIENTS } from '../../limiter/fleet/watch.js'
import {
  outcomeOf, createRecentRefusals, type RecentRefusals, type RefusedClient
} from '../../limiter/operators/recent-refusals.js'
import type { CommonFlags } from '../options.js'
import { jsonText, table } from '../output.js'
import { policyNamed } from '../policy-named.js'
import { shownOwner, withAccountNames, type NameAccounts } from './account-names.js'
import { followTakes } from './follow.js'
import { watchLive } from './live.js'

const REDRAWN_EVERY_MS = 1000
/** How many rows are shown if the output is not a terminal. */
const ROWS = 20
/** Lines of a terminal that are not rows: the title, the header, the total of the others, and the cursor's line. */
const OTHER_LINES = 4

/** A user of the account throttle has a name if the database knows it. */
type NamedClient = RefusedClient & { username?: string }

interface Ranking extends RecentRefusals {
  at: string
  refused: NamedClient[]
}

interface Options extends CommonFlags {
  policy?: string
  outcome?: RefusedClient['outcome']
  /** Whose takes are written one by one, instead. */
  follow?: string
}

export async function top ({ json, policy, outcome, follow: followed }: Options): Promise<void> {
  const config = loadConfig()
  const policyName = policy === undefined ? undefined : policyNamed(config.limits, policy)
  const isShown = (one: { policy: string, outcome: string }): boolean =>
    one.policy === (policyName ?? one.policy) && one.outcome === (outcome ?? one.outcome)
  if (followed !== undefined) {
    return await followTakes(config, followed, json, take =>
      isShown({ ...take, outcome: take.allowed ? 'admitted' : outcomeOf(take) }))
  }
  const { stdout } = process
  const refusals = createRecentRefusals()
  let [drawn, drawing] = [0, false]

  async function draw (nameAccounts: NameAccounts): Promise<void> {
    if (drawing) return
    drawing = true
    const rows = stdout.isTTY ? Math.max(1, stdout.rows - OTHER_LINES) : ROWS
    const { more, ...now } = refusals.now()
    const refused = now.refused.filter(isShown)
    const ranking = {
      at: new Date().toISOString(),
      ...now,
      refused: await nameAccounts(refused.slice(0, rows)),
      // Of the refusals that no report names it is not known which would be shown.
      more: refused.slice(rows).reduce((sum, { count }) => sum + count, (policy ?? outcome) === undefined ? more : 0)
    }
    drawing = false
    if (!stdout.isTTY || json) {
      stdout.write(json ? jsonText(ranking) : linesOf(ranking))
      return
    }
    const lines = screenOf(ranking).map(line => line.slice(0, stdout.columns))
    stdout.write(`${drawn === 0 ? '' : `\u001b[${drawn}A`}\u001b[J${lines.join('\n')}\n`)
    drawn = lines.length
  }

  await withAccountNames(config, async (nameAccounts) => {
    const timer = setInterval(draw, REDRAWN_EVERY_MS, nameAccounts)
    try {
      // After a notice, the next screen is drawn below it and does not overwrite it.
      await watchLive(config, [ALL_CLIENTS], refusals.add, () => { drawn = 0 })
    } finally {
      clearInterval(timer)
    }
  })
}

function screenOf ({ at, replicas, seconds, refused, more }: Ranking): string[] {
  const title = `${at}  refused in the last ${seconds} s at ${pluralize(replicas, 'replica')}`
  const rows = table(['refused', 'policy', 'client'], refused.map(cellsOf)).trimEnd().split('\n')
  return [title, ...rows, ...more === 0 ? [] : [`${more} of others`]]
}

/** A policy of accounts says by itself that the account throttle refused. */
const cellsOf = (row: NamedClient): Array<string | number> =>
  [row.count, row.outcome === 'blocked' ? `${row.policy}, blocked` : row.policy, shownOwner(row)]

function linesOf ({ at, refused }: Ranking): string {
  return table(['', '', '', ''], refused.map(one => [at, ...cellsOf(one)]))
    .replace(/^.*\n/, '')
}
