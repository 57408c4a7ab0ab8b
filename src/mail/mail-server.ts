import type { PrismaClient } from '../../prisma/client.js'
import type { ServerFault } from './mailer.js'

/* Whether the mail server works: what all replicas know is in the one row of `mail_server`. mails.ts reads it, too. */

/**
 * After so many faults of the mail server in a row. At most four logins begin within ten minutes: servers ban an
 * address after five failed ones in that time (fail2ban's defaults). Other faults may be over at any time, and an
 * outsider's address may cause them: no pause for them is longer than the second one.
 */
const PAUSES_SECONDS = [5, 60, 180, 600, 900] as const
const MOST_FAULTS = { login: PAUSES_SECONDS.length, connection: 2, mail: 2 } satisfies Record<ServerFault, number>

/** What one worker has seen of the mail server. If it alone meets faults, the others do its work. */
export class MailServer {
  readonly #db: PrismaClient
  /** Its faults in a row. */
  #faults = 0
  #lastTrySucceeded = false
  #restsUntilMs = -Infinity

  constructor (db: PrismaClient) {
    this.#db = db
  }

  /** Whether the last try of this worker succeeded. */
  get lastTrySucceeded (): boolean {
    return this.#lastTrySucceeded
  }

  /** Whether this worker has failed lately, and leaves the mails to others. */
  get resting (): boolean {
    return performance.now() < this.#restsUntilMs
  }

  /**
   * Records what became of a try.
   *
   * @param before the faults in a row when it began, if it was to find out whether the server works
   * @param fault undefined if the server is not at fault
   * @returns until when no replica sends mails
   */
  async judge (before: number | null, fault?: ServerFault): Promise<Date | undefined> {
    this.#lastTrySucceeded = fault === undefined
    this.#faults = fault ? withFault(this.#faults, fault) : 0
    if (fault) {
      this.#restsUntilMs = performance.now() + pauseSeconds(this.#faults) * 1000
      return await pause(this.#db, before, withFault(before ?? 0, fault))
    }
    if (before !== null) await this.#db.$executeRaw`DELETE FROM mail_server`
    return undefined
  }
}

/** @returns how many faults in a row there are with this one, as far as they count */
const withFault = (faults: number, fault: ServerFault): number => Math.min(faults + 1, MOST_FAULTS[fault])

/** @param faults at least 1. @returns for how long nobody tries after so many faults in a row */
const pauseSeconds = (faults: number): number => PAUSES_SECONDS[faults - 1]!

/**
 * Pauses all workers. Several may meet the same fault at once, and it may be over: then this changes nothing.
 *
 * @param before the faults in a row when the try began
 * @param faults those with the new one
 * @returns when it is over
 */
async function pause (db: PrismaClient, before: number | null, faults: number): Promise<Date | undefined> {
  const [paused] = await db.$queryRaw<Array<{ pausedUntil: Date }>>`
    INSERT INTO mail_server (id, faults, paused_until)
    SELECT 1, ${faults}::int, now() + make_interval(secs => ${pauseSeconds(faults)}::float8)
    WHERE ${before}::int IS NULL OR EXISTS (SELECT FROM mail_server WHERE faults = ${before}::int)
    ON CONFLICT (id) DO UPDATE SET faults = EXCLUDED.faults, paused_until = EXCLUDED.paused_until
    WHERE mail_server.faults = ${before}::int
    RETURNING paused_until AS "pausedUntil"`
  return paused?.pausedUntil
}

/** Lets the next mail be tried instead of one that has no recipient any more. The faults of the server still count. */
export async function passTurn (db: PrismaClient): Promise<void> {
  await db.$executeRaw`UPDATE mail_server SET paused_until = now()`
}

/** Lets one worker try at once. All of them know that an operator wants it, also those that rest. */
export async function endPause (db: PrismaClient): Promise<void> {
  await db.$executeRaw`
    INSERT INTO mail_server (id, faults, paused_until) VALUES (1, 0, now())
    ON CONFLICT (id) DO UPDATE SET faults = 0, paused_until = now()`
}
