import { setTimeout } from 'node:timers/promises'
import type { Cluster, Redis } from 'ioredis'
import { StoreUnavailable } from '../../limiter/bucket/bucket.js'
import {
  readHistory, MAX_HISTORY, MAX_LENGTH, parseLimitsText, readLimits, setLimitsText, type LimitsDocument,
  type ParsedLimits
} from '../../limiter/limits/limits-document.js'
import type { Limits } from '../../limiter/limits/policies.js'
import { Faults } from '../../base/read-json.js'
import { toStoreUnavailable } from '../../limiter/redis/failures.js'
import { changedPolicies, applyEdit, commandText, type Edit } from './edits.js'

const MAX_TEXT = 500
/** Changes by hand do not conflict this many times in a row. */
const MAX_ATTEMPTS = 20

interface Author { by: string, why?: string }

/** What was set before and after a change; the same if it changed nothing. */
export interface LimitsChange {
  before: ParsedLimits | undefined
  after: ParsedLimits | undefined
  /** The policies that have other limits now. */
  changed: string[]
}

/**
 * Changes the limits of all replicas in one step: reads what is set, edits it, checks the result, and writes it. If two
 * edits are made at the same time, the second is applied to the result of the first.
 *
 * @param base what the limits are laid over: LIMITS_FILE and the defaults
 * @throws {Faults} with every fault of the edit
 * @throws {NotFound}
 * @throws {UsageError} if there is no such policy
 * @throws {StoreUnavailable}
 */
export async function changeLimitsIn (
  redis: Redis | Cluster, base: Limits, edit: Edit, author: Author
): Promise<LimitsChange> {
  mustBeText('the name of who changes limits', author.by)
  if (author.why !== undefined) mustBeText('the reason', author.why)
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await readLimits(redis, base)
    const { version = 0, limits: set = {} } = before?.document ?? {}
    const past = await readHistory(redis, edit.verb === 'rollback' ? MAX_HISTORY : 1)
    const limits = applyEdit(edit, { version, limits: set, inForce: before?.limits ?? base, history: past })
    const changed = changedPolicies(set, limits)
    if (changed.length === 0) return { before, after: before, changed }
    const next = Math.max(version, ...past.map(({ version }) => version)) + 1
    const after = checked({ version: next, at: await timeIn(redis), ...author, what: commandText(edit), limits }, base)
    if (await setOnce(redis, before?.text, after.text)) return { before, after, changed }
    await setTimeout(Math.random() * 20 * attempt)
  }
  throw new Faults(['limits were changed by others, again and again: nothing was changed here'])
}

/** By Redis's clock. */
async function timeIn (redis: Redis | Cluster): Promise<string> {
  const [seconds, microseconds] = await redis.time().catch((error) => { throw toStoreUnavailable(error) })
  return new Date(Number(seconds) * 1000 + Number(microseconds) / 1000).toISOString()
}

/** @throws {Faults} */
function checked (document: LimitsDocument, base: Limits): ParsedLimits {
  const text = JSON.stringify(document)
  if (text.length <= MAX_LENGTH) return parseLimitsText(text, base)
  throw new Faults([`what is set at run time would be longer than ${MAX_LENGTH} characters, which is some 1,000 ` +
    'networks: put them into LIMITS_FILE'])
}

/** @returns false if someone else has changed the limits meanwhile */
async function setOnce (redis: Redis | Cluster, former: string | undefined, text: string): Promise<boolean> {
  try {
    return await setLimitsText(redis, former, text)
  } catch (error) {
    if (!(error instanceof StoreUnavailable && error.mayHaveCounted)) throw error
    const next = 'see: gatehouse limits history'
    throw new Faults([`Redis does not say whether it was written (${error.message}); ${next}`])
  }
}

function mustBeText (what: string, text: string): void {
  // It is shown in terminals.
  const isText = text.length > 0 && text.length <= MAX_TEXT && !/\p{Cc}/u.test(text)
  if (!isText) throw new Faults([`${what} must be 1 to ${MAX_TEXT} characters, without control characters`])
}
