import { every } from '../base/every.js'
import { action, ok } from '../base/finding.js'
import { inOneLine } from '../base/text.js'
import type { Database } from './database.js'
import { hasSchema, ownSchema, type OwnSchema } from './schema.js'

/** What each state means, and what to do about it. */
export const databaseStates = {
  reachable: ok('PostgreSQL answers, and accepts new connections'),
  'read-only': action('PostgreSQL is read-only: logins work, and what writes gets 503',
    'let DATABASE_URL name the primary; for a role or a database: ALTER … SET default_transaction_read_only = off'),
  'commits hang': action('PostgreSQL answers, and its commits hang: what writes gets 503',
    'see "PostgreSQL" in docs/runbook.md'),
  'no new connections': action('PostgreSQL accepts no new connections: some requests get 503',
    'see "PostgreSQL" in docs/runbook.md'),
  'not migrated': action('the database lacks a table or column of this release',
    'npx gatehouse migrate (docker compose run --rm migrate)'),
  unreachable: action('PostgreSQL is unreachable', 'see "PostgreSQL" in docs/runbook.md')
}
export type DatabaseState = keyof typeof databaseStates

/** A probe begins in every second turn, and in each one while a probe contradicts the state or has no answer yet. */
const TURN_MS = 500
/** After the poll of the revocations. */
const LATER_MS = 10
/** So long after a commit was seen to hang, the next is expected to hang too. */
const HANGS_MS = 10_000
/** A probe that takes longer has failed. An outage is noticed after this and three turns: 2.5 s. */
const LONGEST_MS = 1000
/** So many probes in a row have to contradict the state before it changes, because a single one may be luck. */
const TO_CHANGE = 2

/** Whether queries are answered, by connections that are open and by new ones. */
export const answersQueries = (state: DatabaseState): boolean => state === 'reachable' || state === 'read-only'

/**
 * Probes the database once a second, apart from all requests: by a query over the pool, and by a new connection. A pool
 * may go on for long on its open connections while the server accepts no new one.
 *
 * A replica may start before `gatehouse migrate` has finished. Once the tables are found, they are not checked again.
 */
export class DatabaseWatch {
  /** Resolves after the first probe, which has decided the state. */
  readonly first: Promise<void>
  readonly #end: Promise<() => Promise<void>>
  /** Probes without an answer. */
  readonly #underWay = new Set<Promise<void>>()
  #isClosing = false
  #skipped = false
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
    private readonly database: Pick<Database, 'prisma' | 'polls' | 'tryConnection'>, private readonly timeoutMs: number,
    private readonly onChange: (value: DatabaseState, reason?: string) => void
  ) {
    this.first = this.#probe()
    this.#end = this.first.then(() => every(TURN_MS, () => this.#takeTurn(), LATER_MS))
  }

  async close (): Promise<void> {
    this.#isClosing = true
    await (await this.#end)()
    await Promise.all(this.#underWay)
  }

  #takeTurn (): void {
    this.#skipped = !this.#skipped && this.#underWay.size === 0 && this.#contradicting === 0
    if (this.#skipped) return
    const probe = this.#probe().finally(() => this.#underWay.delete(probe))
    this.#underWay.add(probe)
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
    const { prisma: db, polls } = this.database
    this.#isMigrated ||= await hasSchema(db)
    if (!this.#isMigrated) {
      const [own] = await db.$queryRawUnsafe<OwnSchema[]>(ownSchema)
      return ['not migrated', `the tables are looked for in the schema ${own!.name}; the search path is ${own!.path}`]
    }
    const [row] = await polls.$queryRaw<Array<{ readOnly: boolean, standby: boolean, hanging: boolean }>>`
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
    if (this.#isClosing || value === this.#state) return
    if (this.#state !== undefined && this.#contradicting < TO_CHANGE) return
    this.#contradicting = 0
    this.#state = value
    this.onChange(value, reason)
  }
}

/** What a replica that starts now would find. */
export async function stateNow (
  database: Pick<Database, 'prisma' | 'polls' | 'tryConnection'>, timeoutMs: number
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

/**
 * Waits in ten parts. A pause of this process ends one of them at most, so that answers which came meanwhile are read
 * before time is up.
 */
function outcomeWithin<Answer> (patienceMs: number, asked: Promise<Answer>): Promise<Answer | Error> {
  return new Promise((resolve) => {
    let parts = 0
    const timer = setInterval(() => {
      if (++parts === 10) end(new Error(`no answer within ${patienceMs} ms`))
    }, patienceMs / 10)
    const end = (outcome: Answer | Error): void => {
      clearInterval(timer)
      resolve(outcome)
    }
    asked.then(end, end)
  })
}
