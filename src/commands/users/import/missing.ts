import type { PrismaClient } from '../../../../prisma/client.js'
import { normalizeUsername } from '../../../auth/username.js'
import { pluralize } from '../../../base/text.js'
import { Failure } from '../../output.js'
import type { Step } from './decision.js'
import type { Imported } from './imported.js'
import { pagesOf } from './pages.js'
import { existing, type Existing } from './stored.js'

/** Of those who are missing, if they are too many. */
const MAX_NAMED = 10

export interface MissingOptions {
  /** Rows that were left out for their faults: their accounts are in the file. */
  leftOut: readonly Imported[]
  /** How many may end: a number, or a part of them as `5%`. */
  atMost: string
}

/**
 * The accounts of a roster that may log in and are not in its file.
 *
 * @throws {Failure} with code 4 if these and those that the file ends are too many
 */
export async function missingOf (
  db: PrismaClient, source: string, rows: readonly Imported[], changed: readonly Step[],
  { leftOut, atMost }: MissingOptions
): Promise<Step[]> {
  const users = await db.$queryRaw<Array<Pick<Existing, 'userId' | 'username' | 'sourcedId'>>>`
    SELECT id AS "userId", username, sourced_id AS "sourcedId" FROM users
    WHERE source = ${source} AND disabled_at IS NULL ORDER BY id`
  const there = new Set([...rows, ...leftOut].flatMap(({ sourcedId, cells = [] }) => [sourcedId, ...cells]))
  const names = new Set(leftOut.flatMap(({ username, named = '', cells = [] }) =>
    [username || normalizeUsername(named), ...cells.map(normalizeUsername)]))
  const missing = users.filter(({ sourcedId, username }) => !there.has(sourcedId!) && !names.has(username))
  const most = atMost.endsWith('%') ? Math.floor(users.length * parseInt(atMost) / 100) : Number(atMost)
  const unknown = leftOut.find(({ sourcedId, username, named }) => sourcedId === undefined && !username && !named)
  if (unknown && missing.length > 0) {
    throw new Failure(`line ${unknown.line} does not say who it is, so nobody can be missing. Nothing was written`, 4)
  }
  const leavers = changed.flatMap(({ user, changes }) =>
    user.source === source && changes.disabled?.after ? [user] : [])
  const ending = [...missing, ...leavers]
  if (ending.length > most) {
    const names = ending.slice(0, MAX_NAMED).map(({ username }) => username).join(', ')
    const more = ending.length > MAX_NAMED ? ' and others' : ''
    throw new Failure(
      `${ending.length} of ${pluralize(users.length, 'account')} of ${source} are not in the file or have left by ` +
      `it, and --at-most ${atMost} allows ${most}. Nothing was written. They are ${names}${more}`, 4)
  }
  const steps: Step[] = []
  for (const page of pagesOf(missing)) {
    const ids = page.map(({ userId }) => userId)
    const found = await db.$queryRaw<Existing[]>`${existing} WHERE id = ANY(${ids}) ORDER BY id`
    steps.push(...found.map(user => ({ user, changes: { disabled: { before: false, after: true } } })))
  }
  return steps
}
