import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { PrismaClient } from '../../prisma/client.js'
import type { Database, Scripts } from './database.js'

const directory = new URL('migrations/', import.meta.resolve('#prisma/schema.prisma'))

/** The advisory lock that Prisma's own engine also holds while it applies migrations. */
const LOCK = 72707369
/** Reads of a table queue behind a migration that waits to change it. This limits how long. */
const LOCK_TIMEOUT_MS = 300
const LOCK_PAUSE_MS = 2000
const LOCK_PATIENCE_MS = 300_000
export const LOCK_NOT_AVAILABLE = '55P03'

/** The names of the migrations that were applied. */
export const APPLIED =
  'SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL'

/** The record of applied migrations, as Prisma makes it. */
const record = `
CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0
);
${APPLIED}`

/**
 * Applies every migration of prisma/migrations that the database has not seen, in the order and with the record of
 * `prisma migrate deploy`. A run may be interrupted, because each migration and its record are one transaction.
 *
 * @param onLocked called if a table is in use. The migration is then retried for five minutes
 * @returns the names of the migrations that were applied by this call
 * @throws when a migration fails, or another run does not end within ten seconds
 */
export async function applyMigrations (
  { openScripts }: Pick<Database, 'openScripts'>, onLocked = (): void => {}
): Promise<string[]> {
  const scripts = await openScripts()
  try {
    await lock(scripts)
    const applied = await scripts.run<{ name: string }>(record)
    const missing = migrationNames().filter(name => !applied.some(row => row.name === name))
    for (const name of missing) await retryWhileLocked(() => scripts.run(recorded(name)), onLocked)
    return missing
  } finally {
    await scripts.end()
  }
}

/** The encoding of the database. Only UTF-8 can hold every name. */
export async function databaseEncoding (db: Pick<PrismaClient, '$queryRaw'>): Promise<string> {
  const [row] = await db.$queryRaw<Array<{ encoding: string }>>`SELECT current_setting('server_encoding') AS encoding`
  return row!.encoding
}

/** The names of the migrations in prisma/migrations, the oldest first. */
export function migrationNames (): string[] {
  const folders = readdirSync(directory, { withFileTypes: true })
  return folders.filter(entry => entry.isDirectory()).map(({ name }) => name).sort()
}

/** No two runs apply migrations at once. The lock ends with the connection. */
async function lock (scripts: Scripts): Promise<void> {
  await scripts.run(`
    SET lock_timeout = '10s';
    SELECT pg_advisory_lock(${LOCK});
    SET lock_timeout = ${LOCK_TIMEOUT_MS}`).catch((error) => {
    if (!isLocked(error)) throw error
    throw new Error('another migration is running; run this again when it has ended', { cause: error })
  })
}

/** PostgreSQL runs a text of several statements as one transaction. */
function recorded (name: string): string {
  const script = readFileSync(new URL(`${name}/migration.sql`, directory), 'utf8')
  const checksum = createHash('sha256').update(script).digest('hex')
  return `${script}
;
INSERT INTO _prisma_migrations (id, checksum, finished_at, migration_name, applied_steps_count)
VALUES ('${randomUUID()}', '${checksum}', clock_timestamp(), '${name}', 1)`
}

async function retryWhileLocked (run: () => Promise<unknown>, onLocked: () => void): Promise<void> {
  const startedAt = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      await run()
      return
    } catch (error) {
      if (!isLocked(error) || performance.now() - startedAt > LOCK_PATIENCE_MS) throw error
      if (attempt === 1) onLocked()
    }
    await setTimeout(LOCK_PAUSE_MS)
  }
}

const isLocked = (error: unknown): boolean => (error as { code?: unknown }).code === LOCK_NOT_AVAILABLE
