import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { PrismaClient } from './generated/prisma/client.js'
import { hasSchema } from './schema.js'

export type DatabaseState = 'reachable' | 'not migrated' | 'unreachable'

/**
 * Whether requests can be accepted. A replica may be started before `gatehouse migrate` has ended: it says so once and
 * waits. Tables that were found once are not looked for again.
 *
 * @param patienceMs a probe that would have to wait longer than a query may reports the database as unreachable
 */
export function databaseProbe (
  db: PrismaClient, log: FastifyBaseLogger, patienceMs: number
): () => Promise<DatabaseState> {
  let migrated: boolean | undefined

  return async () => {
    if (migrated) return await answerWithin(patienceMs, db.$queryRaw`SELECT 1`) ? 'reachable' : 'unreachable'
    const found = await answerWithin(patienceMs, hasSchema(db))
    if (found === undefined) return 'unreachable'
    if (!found && migrated === undefined) {
      log.warn({ code: 'schema_missing' }, 'the database lacks tables or columns: waiting for gatehouse migrate')
    }
    if (found && migrated === false) log.info({ code: 'schema_found' }, 'the database has the schema of this release')
    migrated = found
    return found ? 'reachable' : 'not migrated'
  }
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
