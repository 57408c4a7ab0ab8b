import { parseJsonTime } from '../access-log/log-time.js'
import { unwrapLine } from '../access-log/wrappers.js'

export type LoginResult = 'succeeded' | 'failed' | 'refused'

/** One check of a password that a line records: a login, or a change of the password. */
export interface Login {
  atMs: number
  result: LoginResult
  /** A username. For a refusal of a name that no user has, its hash; undefined for a failure with such a name. */
  loginName: string | undefined
  /** As in the keys of buckets. */
  address: string
}

/** What each event says of the password. One that was temporary, changed, or not enough by itself was right. */
const results: Record<string, LoginResult> = {
  authn_login_success: 'succeeded',
  authn_password_temporary: 'succeeded',
  authn_second_factor_required: 'succeeded',
  authn_password_change: 'succeeded',
  authn_login_fail: 'failed',
  authn_password_change_fail: 'failed',
  authn_login_fail_max: 'refused'
}

/**
 * Reads a line of the audit log, or of a replica's log.
 *
 * @param line each byte is one character
 * @returns undefined for a line about something else
 */
export function parseLogin (line: string): Login | 'unreadable' | undefined {
  // Most lines of a replica's log are about something else, and parsing one costs more than all the rest.
  if (!line.includes('authn_')) return undefined
  const written = unwrapLine(line)
  let members: Record<string, unknown>
  try {
    members = JSON.parse(/[^\0-\x7f]/.test(written) ? Buffer.from(written, 'latin1').toString() : written)
  } catch {
    return 'unreadable'
  }
  const { time, event, actor, client, status, answer = status, secondFactor } = members
  // A wrong code of a second factor comes after the right password.
  const result = secondFactor === undefined ? results[String(event)] : 'succeeded'
  // A change may also fail because of the new password, or of its link.
  if (result === undefined || (event === 'authn_password_change_fail' && answer !== 401)) return undefined
  const atMs = parseJsonTime(time)
  // Only a client whose connection was lost at once has no address.
  if (client === undefined) return undefined
  if (atMs === undefined || typeof client !== 'string' || !['string', 'undefined'].includes(typeof actor)) {
    return 'unreadable'
  }
  return { atMs, result, loginName: actor as string | undefined, address: client }
}
