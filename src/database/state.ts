import { setTimeout } from 'node:timers/promises'
import type { States } from '../base/states.js'
import type { Database } from './database.js'
import { hasSchema, ownSchema, type OwnSchema } from './schema.js'

export type DatabaseState = States['database']['value']

const EVERY_MS = 1000
/** The pause after a probe that contradicts the state. */
const AGAIN_MS = 500
/** So long after a commit was seen to hang, the next is expected to hang too. */
const HANGS_MS = 10_000
/** A probe that takes longer has failed. */
const LONGEST_MS = 1000
/** So many probes in a row have to contradict the state before it changes, because a single one may be luck. */
const TO_CHANGE = 2

/** Whether queries are answered, by connections that are open and by new ones. */
export const answers = (state: DatabaseState): boolean => state === 'reachable' || state === 'read-only'

export interface DatabaseWatch {
  /** Resolves after the first probe, which has decided the state. */
  first: Promise<void>
  close: () => Promise<void>
}

/**
 * Probes the database once a second, apart from all requests: by a query over the pool, and by a new connection. A pool
 * may go on for long on its open connections while the server accepts no new one.
 *
 * A replica may start before `gatehouse migrate` has finished. Once the tables are found, they are not checked again.
 *
 * @param timeoutMs a probe that waits longer than this has failed
 * @param onChange called with each other state, and with the first
 */
export function watchDatabase (
  { prisma: db, tryConnection }: Pick<Database, 'prisma' | 'tryConnection'>, timeoutMs: number,
  onChange: (value: DatabaseState, reason?: string) => void
): DatabaseWatch {
  const closing = new AbortController()
  const { signal } = closing
  let state: DatabaseState | undefined
  let contradicting = 0
  let isMigrated = false
  let reason: string | undefined
  let hungAtMs = -Infinity

  async function ask (): Promise<DatabaseState> {
    isMigrated ||= await hasSchema(db)
    if (!isMigrated) {
      const [own] = await db.$queryRawUnsafe<OwnSchema[]>(ownSchema)
      reason = `the tables are looked for in the schema ${own!.name}; the search path is ${own!.path}`
      return 'not migrated'
    }
    const [row] = await db.$queryRaw<Array<{ readOnly: boolean, standby: boolean, hanging: boolean }>>`
      SELECT current_setting('transaction_read_only')::bool AS "readOnly",
        coalesce(current_setting('in_hot_standby', true) = 'on', false) AS standby, EXISTS (
        SELECT FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep'
          AND clock_timestamp() - state_change > interval '200 ms'
      ) AS hanging`
    if (row!.hanging) hungAtMs = performance.now()
    reason = row!.standby ? 'it is a standby' : row!.readOnly ? 'default_transaction_read_only is on' : undefined
    if (row!.readOnly) return 'read-only'
    if (performance.now() - hungAtMs > HANGS_MS) return 'reachable'
    reason = 'a synchronous standby does not confirm commits (synchronous_standby_names)'
    return 'commits hang'
  }

  async function probe (): Promise<void> {
    // At the start there is no state yet that a slow answer could contradict.
    const patienceMs = state === undefined ? timeoutMs : Math.min(timeoutMs, LONGEST_MS)
    const [asked, connected] = await Promise.all([
      outcomeWithin(patienceMs, ask()), outcomeWithin(patienceMs, tryConnection())
    ])
    if (asked instanceof Error) note('unreachable', reasonOf(asked))
    else if (connected instanceof Error) note('no new connections', reasonOf(connected))
    else note(asked, reason)
  }

  function note (value: DatabaseState, reason?: string): void {
    contradicting = value === state ? 0 : contradicting + 1
    if (signal.aborted || value === state || (state !== undefined && contradicting < TO_CHANGE)) return
    contradicting = 0
    state = value
    onChange(value, reason)
  }

  async function repeat (startedMs: number): Promise<void> {
    while (!signal.aborted) {
      const waitMs = startedMs + (contradicting > 0 ? AGAIN_MS : EVERY_MS) - performance.now()
      await setTimeout(Math.max(0, waitMs), undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      startedMs = performance.now()
      await probe()
    }
  }

  const startedMs = performance.now()
  const first = probe()
  const watching = first.then(() => repeat(startedMs))
  return {
    first,
    async close () {
      closing.abort()
      await watching
    }
  }
}

/** What a replica that starts now would find. */
export async function stateNow (
  database: Pick<Database, 'prisma' | 'tryConnection'>, timeoutMs: number
): Promise<{ value: DatabaseState, reason?: string | undefined }> {
  let found: { value: DatabaseState, reason?: string | undefined }
  const { first, close } = watchDatabase(database, timeoutMs, (value, reason) => { found = { value, reason } })
  await first
  await close()
  return found!
}

/** The error for several addresses of a name has a code, but no message. */
const reasonOf = ({ message, code = '' }: NodeJS.ErrnoException): string =>
  (message || code).replaceAll(/\s+/g, ' ').slice(0, 300)

async function outcomeWithin<Answer> (patienceMs: number, asked: Promise<Answer>): Promise<Answer | Error> {
  const ended = new AbortController()
  try {
    return await Promise.race([asked, timeUp(patienceMs, ended.signal)])
  } catch (error) {
    return error as Error
  } finally {
    ended.abort()
  }
}

/**
 * Waits in ten parts. A pause of this process ends one of them at most, so that answers which came meanwhile are read
 * before time is up.
 */
async function timeUp (patienceMs: number, signal: AbortSignal): Promise<Error> {
  for (let part = 0; part < 10 && !signal.aborted; part++) {
    await setTimeout(patienceMs / 10, undefined, { signal }).catch(() => {})
  }
  return new Error(`no answer within ${patienceMs} ms`)
}
