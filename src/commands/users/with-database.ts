import type { Config } from '../../config/config.js'
import { loadConfig } from '../../config/load.js'
import { hasEmbeddedDatabase, openDatabase } from '../../database/database.js'
import { applyMigrations } from '../../database/migrations.js'
import type { PrismaClient } from '../../../prisma/client.js'
import { Failure } from '../output.js'

/** @param minTimeoutMs for queries over many rows; DATABASE_TIMEOUT_MS if that is longer */
export async function withDatabase (
  use: (db: PrismaClient, config: Config) => Promise<void>, minTimeoutMs = 0, config = loadConfig()
): Promise<void> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl === undefined && !hasEmbeddedDatabase(dataDir)) {
    throw new Failure(
      `DATABASE_URL is not set, and there is no embedded database in ${dataDir}. Set DATABASE_URL or DATA_DIR as the ` +
      'service has it. To create an embedded database, start the service or run: gatehouse migrate'
    )
  }
  let database
  try {
    database = await openDatabase({
      ...config, databaseTimeoutMs: Math.max(config.databaseTimeoutMs, minTimeoutMs)
    })
    if (database.embedded) await applyMigrations(database)
    await use(database.prisma, config)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`the database cannot do this: ${(error as Error).message.trim()}`, 1, { cause: error })
  } finally {
    await database?.close()
  }
}
