import { existsSync, statSync } from 'node:fs'
import { ownersNamed, subjectNamed } from '../../auth/owner-names.js'
import { accountKey, normalizeUsername } from '../../auth/username.js'
import { pluralize } from '../../base/text.js'
import type { Config } from '../../config/config.js'
import { loadConfig } from '../../config/load.js'
import { isUserOwner } from '../../limiter/bucket/key.js'
import type { Clients } from '../../limiter/limits/client.js'
import { parsePeriod } from '../../limiter/limits/period.js'
import { parseLogin } from '../../logins/logged-login.js'
import { createLoginReport, type LoginFilter } from '../../logins/login-report.js'
import { createLoginTally, type LoginTally } from '../../logins/login-tally.js'
import { readLines, STDIN } from '../../access-log/lines.js'
import { parseJsonTime } from '../../access-log/log-time.js'
import type { CommonFlags } from '../options.js'
import { print, printable, UsageError } from '../output.js'
import { mustBeReadable } from '../readable.js'
import { readStanding } from './standing.js'
import { loginsText } from './logins-text.js'

const NO_LOG = 'Without a log it is not known who is tried, from where, since when, and with which result. Name the ' +
  'audit log (AUDIT_LOG), or a replica\'s log: gatehouse logins LOG…'

/** Who is tried, from where, since when, how often, with which result, and what each has left now. */
export async function logins ({ json, since }: CommonFlags & { since?: string }, ...args: string[]): Promise<void> {
  const config = loadConfig()
  const { clients } = config.limits
  const { filter, files } = split(args, clients)
  mustBeReadable(files)
  const sinceMs = since === undefined ? -Infinity : timeNamed(since)
  const logs = files.length > 0 ? files : ownLog(config)
  const tally = createLoginTally()
  const notes: string[] = logs.length === 0 ? [NO_LOG] : []
  for (const log of logs) notes.push(...await addLogins(log, tally, sinceMs, filter))
  const report = createLoginReport(tally, filter, clients)
  report.notes.push(...notes)
  const { account } = filter
  if (account !== undefined && logs.length > 0 && report.tried.length + report.accounts.length === 0) {
    report.notes.push(`There is no login of ${account}, and no file of this name.`)
  }
  const standing = await readStanding(config, report, filter)
  await print(json, { ...report, now: standing }, () => loginsText(report, standing, filter))
}

/** The first argument may be a log, too. A username may have a slash, so only a file that exists is one. */
function split (args: string[], clients: Clients): { filter: LoginFilter, files: string[] } {
  const [first] = args
  const isLog = first === STDIN || statSync(first ?? '', { throwIfNoEntry: false })?.isDirectory() === false
  if (first === undefined || isLog) return { filter: {}, files: args }
  const files = args.slice(1)
  const { owner, user } = subjectNamed(clients, first) ?? {}
  if (user !== undefined) {
    return { filter: { account: normalizeUsername(user), owners: ownersNamed(clients, 'account', first) }, files }
  }
  if (owner !== undefined && !isUserOwner(owner)) return { filter: { address: owner }, files }
  throw new UsageError(`"${first}" is no address, and no username: name the user, as logins do`)
}

/** The audit log of the service, if the command runs on the same machine. */
function ownLog ({ auditLog }: Config): string[] {
  if (auditLog === undefined || !existsSync(auditLog)) return []
  process.stderr.write(`gatehouse: the log is ${printable(auditLog)}, from AUDIT_LOG\n`)
  return [auditLog]
}

function timeNamed (text: string): number {
  const ms = parsePeriod(text)
  const atMs = ms === undefined ? parseJsonTime(text) : Date.now() - ms
  if (atMs === undefined) throw new UsageError('--since must be a time such as 15m, 1h or 2026-11-22T09:00Z')
  return atMs
}

/** @returns notes about this log */
async function addLogins (
  file: string, tally: LoginTally, sinceMs: number, { account }: LoginFilter
): Promise<string[]> {
  // Earlier releases named the hash of a user whose login was refused.
  const hash = account && accountKey(account)
  const found = { logins: 0, unreadable: 0, newestMs: -Infinity }
  for await (const lines of readLines(file)) {
    for (const line of lines) {
      const login = parseLogin(line)
      if (login === undefined) continue
      if (login === 'unreadable') {
        found.unreadable++
        continue
      }
      found.logins++
      found.newestMs = Math.max(found.newestMs, login.atMs)
      if (login.loginName === hash) login.loginName = account
      if (login.atMs >= sinceMs) tally.add(login)
    }
  }
  return [
    found.logins === 0 && `${file} has no login: name the audit log (AUDIT_LOG), or a replica's log.`,
    found.logins > 0 && found.newestMs < sinceMs &&
      `${file} has no login since then: its last is of ${new Date(found.newestMs).toISOString()}.`,
    found.unreadable > 0 && `${pluralize(found.unreadable, 'line')} of ${file} could not be read.`
  ].filter(note => note !== false)
}
