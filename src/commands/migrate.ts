import type { Config } from '../config/config.js'
import { loadConfig } from '../config/load.js'
import { openDatabase } from '../database/database.js'
import { applyMigrations, databaseEncoding, LOCK_NOT_AVAILABLE } from '../database/migrations.js'
import { ownSchema, type OwnSchema } from '../database/schema.js'
import type { CommonFlags } from './options.js'
import { Failure, print } from './output.js'

export async function migrate ({ json }: CommonFlags): Promise<void> {
  const config = loadConfig('migrate')
  let database
  try {
    database = await openDatabase(config)
    const encoding = await databaseEncoding(database.prisma)
    if (encoding !== 'UTF8') {
      throw new Error(`it is ${encoding}, and names need UTF-8; create one with ENCODING 'UTF8' TEMPLATE template0`)
    }
    const applied = await applyMigrations(database, () => {
      process.stderr.write(
        'gatehouse: a table is in use by others: the migration is tried again every two seconds, for five minutes\n'
      )
    })
    const [schema] = await database.prisma.$queryRawUnsafe<OwnSchema[]>(ownSchema)
    const count = applied.length === 1 ? 'one migration' : `${applied.length} migrations`
    const where = `schema ${schema!.name} of ${placeOf(config)}`
    print(json, { applied, schema: schema!.name }, () => applied.length === 0
      ? `The ${where} is up to date.\n`
      : `Applied ${count} to the ${where}:\n${applied.map(name => `  ${name}\n`).join('')}`)
  } catch (cause) {
    throw new Failure(`the database could not be migrated: ${explained(cause as Error)}`, 1, { cause })
  } finally {
    await database?.close()
  }
}

function placeOf ({ databaseUrl, dataDir }: Config): string {
  if (!databaseUrl) return `the embedded database in ${dataDir}`
  const { host, port, database } = databaseUrl.server
  return `the database ${database} at ${host}:${port}`
}

/** By the code, because the message depends on lc_messages. */
function explained ({ message, code }: Error & { code?: string }): string {
  if (code === LOCK_NOT_AVAILABLE) {
    return 'a table is in use by a transaction that does not end; end it (pg_stat_activity shows it), and run this ' +
      'again'
  }
  // A function that does not exist.
  if (code === '42883') return `${message}. This PostgreSQL is too old: gatehouse needs version 13 or later`
  return code === '42501'
    ? `${message}. The owner of the database must run this: let DATABASE_URL name the owner, not the service's role`
    : message
}
