import { setTimeout } from 'node:timers/promises'
import type { BaseLogger } from 'pino'
import type { PrismaClient } from '../generated/prisma/client.js'
import { hasSchema } from './schema.js'

/** `read-only`: a standby, or a role that may not write. What only reads goes on. */
export type DatabaseState = 'reachable' | 'read-only' | 'not migrated' | 'unreachable'

/**
 * Whether requests can be accepted. A replica may start before `gatehouse migrate` has finished. It logs that once and
 * waits. Once the tables are found, they are not checked again.
 *
 * @param patienceMs a probe that waits longer than this reports the database as unreachable
 */
export function databaseProbe (
  db: PrismaClient, log: Pick<BaseLogger, 'info' | 'warn'>, patienceMs: number
): () => Promise<DatabaseState> {
  let migrated: boolean | undefined

  return async () => {
    if (migrated) return await stateOf(db, patienceMs)
    const found = await answerWithin(patienceMs, hasSchema(db))
    if (found === undefined) return 'unreachable'
    if (!found && migrated === undefined) {
      log.warn({ code: 'schema_missing' }, 'the database lacks tables or columns: waiting for gatehouse migrate')
    }
    if (found && migrated === false) log.info({ code: 'schema_found' }, 'the database has the schema of this release')
    migrated = found
    return found ? await stateOf(db, patienceMs) : 'not migrated'
  }
}

async function stateOf (db: PrismaClient, patienceMs: number): Promise<DatabaseState> {
  const rows = await answerWithin(patienceMs, db.$queryRaw<Array<{ readOnly: boolean }>>`
    SELECT current_setting('transaction_read_only')::bool AS "readOnly"`)
  if (!rows) return 'unreachable'
  return rows[0]!.readOnly ? 'read-only' : 'reachable'
}

/** @returns undefined if the query failed or took longer */
export async function answerWithin<Answer> (patienceMs: number, query: Promise<Answer>): Promise<Answer | undefined> {
  const timeUp = new AbortController()
  try {
    return await Promise.race([query, setTimeout(patienceMs, undefined, { signal: timeUp.signal })])
  } catch {
    return undefined
  } finally {
    timeUp.abort()
  }
}
