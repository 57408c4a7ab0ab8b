import { setTimeout } from 'node:timers/promises'
import type { States } from '../base/states.js'
import { inOneLine } from '../base/text.js'
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

/**
 * Probes the database once a second, apart from all requests: by a query over the pool, and by a new connection. A pool
 * may go on for long on its open connections while the server accepts no new one.
 *
 * A replica may start before `gatehouse migrate` has finished. Once the tables are found, they are not checked again.
 */
export class DatabaseWatch {
  /** Resolves after the first probe, which has decided the state. */
  readonly first: Promise<void>
  readonly #watching: Promise<void>
  readonly #closing = new AbortController()
  #state: DatabaseState | undefined
  /** How many probes in a row contradicted the state. */
  #contradicting = 0
  #isMigrated = false
  #hungAtMs = -Infinity

  /**
   * @param timeoutMs a probe that waits longer than this has failed
   * @param onChange called with each other state, and with the first
   */
  constructor (
    private readonly database: Pick<Database, 'prisma' | 'tryConnection'>, private readonly timeoutMs: number,
    private readonly onChange: (value: DatabaseState, reason?: string) => void
  ) {
    const startedMs = performance.now()
    this.first = this.#probe()
    this.#watching = this.first.then(() => this.#repeat(startedMs))
  }

  async close (): Promise<void> {
    this.#closing.abort()
    await this.#watching
  }

  async #repeat (startedMs: number): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const waitMs = startedMs + (this.#contradicting > 0 ? AGAIN_MS : EVERY_MS) - performance.now()
      await setTimeout(Math.max(0, waitMs), undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      startedMs = performance.now()
      await this.#probe()
    }
  }

  async #probe (): Promise<void> {
    // At the start there is no state yet that a slow answer could contradict.
    const patienceMs = this.#state === undefined ? this.timeoutMs : Math.min(this.timeoutMs, LONGEST_MS)
    const [asked, connected] = await Promise.all([
      outcomeWithin(patienceMs, this.#ask()), outcomeWithin(patienceMs, this.database.tryConnection())
    ])
    if (asked instanceof Error) this.#note('unreachable', messageOf(asked))
    else if (connected instanceof Error) this.#note('no new connections', messageOf(connected))
    else this.#note(...asked)
  }

  async #ask (): Promise<[DatabaseState, reason?: string]> {
    const { prisma: db } = this.database
    this.#isMigrated ||= await hasSchema(db)
    if (!this.#isMigrated) {
      const [own] = await db.$queryRawUnsafe<OwnSchema[]>(ownSchema)
      return ['not migrated', `the tables are looked for in the schema ${own!.name}; the search path is ${own!.path}`]
    }
    const [row] = await db.$queryRaw<Array<{ readOnly: boolean, standby: boolean, hanging: boolean }>>`
      SELECT current_setting('transaction_read_only')::bool AS "readOnly",
        coalesce(current_setting('in_hot_standby', true) = 'on', false) AS standby, EXISTS (
        SELECT FROM pg_stat_activity WHERE usename = current_user AND wait_event = 'SyncRep'
          AND clock_timestamp() - state_change > interval '200 ms'
      ) AS hanging`
    if (row!.hanging) this.#hungAtMs = performance.now()
    if (row!.readOnly) {
      return ['read-only', row!.standby ? 'it is a standby' : 'default_transaction_read_only is on']
    }
    if (performance.now() - this.#hungAtMs > HANGS_MS) return ['reachable']
    return ['commits hang', 'a synchronous standby does not confirm commits (synchronous_standby_names)']
  }

  #note (value: DatabaseState, reason?: string): void {
    this.#contradicting = value === this.#state ? 0 : this.#contradicting + 1
    if (this.#closing.signal.aborted || value === this.#state) return
    if (this.#state !== undefined && this.#contradicting < TO_CHANGE) return
    this.#contradicting = 0
    this.#state = value
    this.onChange(value, reason)
  }
}

/** What a replica that starts now would find. */
export async function stateNow (
  database: Pick<Database, 'prisma' | 'tryConnection'>, timeoutMs: number
): Promise<{ value: DatabaseState, reason?: string | undefined }> {
  let found: { value: DatabaseState, reason?: string | undefined }
  const watch = new DatabaseWatch(database, timeoutMs, (value, reason) => { found = { value, reason } })
  await watch.first
  await watch.close()
  return found!
}

/** The error for several addresses of a name has a code, but no message. */
const messageOf = ({ message, code = '' }: NodeJS.ErrnoException): string =>
  inOneLine(message || code)

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
