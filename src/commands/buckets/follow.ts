import { ownersNamed, subjectNamed } from '../../auth/owner-names.js'
import { accountKey } from '../../auth/username.js'
import type { Config } from '../../config/config.js'
import type { TakeReport, Take } from '../../limiter/fleet/watch.js'
import { jsonText, printable } from '../output.js'
import { watchLive } from './live.js'
import { clientNamed, userNamed } from './find-bucket.js'

/** Lines are written one by one, so the widths fit the usual values. */
const columns: Array<[name: string, width: number]> = [
  ['time', 24], ['replica', 24], ['policy', 15], ['client', 18], ['verdict', 16], ['tokens', 6], ['wait', 6],
  ['request', 0]
]

/**
 * Writes each take of a client or a user, as it happens.
 *
 * @param isShown which of the takes are written
 */
export async function followTakes (
  config: Config, text: string, json: boolean, isShown: (take: Take) => boolean
): Promise<void> {
  const watched = await watchedAs(config, text)
  if (!json) process.stdout.write(line(columns.map(([name]) => name.toUpperCase())))
  const name = subjectNamed(config.limits.clients, text)?.user ?? text
  const hash = accountKey(name)
  await watchLive<Take>(config, watched, (report) => {
    const shown = { ...report, entries: report.entries.filter(isShown) }
    process.stdout.write(json ? jsonLines(shown) : textLines(shown).replaceAll(hash, name))
  })
}

/** A user has buckets of failed logins, and of policies that count by user. */
async function watchedAs (config: Config, text: string): Promise<string[]> {
  const { clients } = config.limits
  const name = subjectNamed(clients, text)?.user
  if (name === undefined) return [clientNamed(clients, text)]
  const user = await userNamed(config, name)
  if (user === undefined) {
    process.stderr.write('gatehouse: DATABASE_URL is not set, so only what the account throttle decides is shown\n')
  }
  return [...ownersNamed(clients, 'account', text), ...user === undefined ? [] : [user]]
}

function jsonLines ({ replica, entries, more }: TakeReport<Take>): string {
  const takes = entries.map(({ atMs, ...take }) => jsonText({ at: new Date(atMs).toISOString(), replica, ...take }))
  return takes.join('') + (more === 0 ? '' : jsonText({ replica, more }))
}

function textLines ({ replica, entries, more }: TakeReport<Take>): string {
  const takes = entries.map(take => line([
    new Date(take.atMs).toISOString(), replica, take.policy, take.owner,
    take.allowed ? 'admitted' : take.blocked ? 'blocked' : take.cached ? 'refused (cached)' : 'refused',
    String(take.remaining), take.allowed || take.blocked ? '-' : `${Math.ceil(take.waitMs / 1000)}s`,
    `${take.method} ${take.route ?? '(no route)'}`
  ]))
  return takes.join('') + (more === 0 ? '' : `… ${more} more at ${printable(replica)}\n`)
}

const line = (cells: string[]): string =>
  `${cells.map((cell, i) => printable(cell).padEnd(columns[i]![1])).join('  ').trimEnd()}\n`
