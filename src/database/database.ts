import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { LRUCache } from 'lru-cache'
import { reportOutages } from './outage.js'
import { parseDatabaseUrl, type DatabaseUrl } from './database-url.js'
import { lockDirectory } from './directory-lock.js'
import { PrismaClient } from '../../prisma/client.js'

/**
 * A query may wait for a connection and then for its answer. With the default of one second, both together take less
 * than the two seconds in which a login is answered.
 */
const CONNECT_PART = 0.9
/**
 * PostgreSQL has to give up first. Otherwise it would continue abandoned queries. Each query that waits for a lock
 * would then keep a connection in PostgreSQL that the pool does not count.
 */
const STATEMENT_PART = 0.9
/**
 * The locks of a replica that vanished are released after this time. Prisma itself ends a transaction after five
 * seconds.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000

export interface Database {
  prisma: PrismaClient
  /** For Prisma's migration engine: see migrations.ts. */
  adapter: SqlMigrationAwareDriverAdapterFactory
  /** PostgreSQL inside this process, which therefore has to migrate it. */
  embedded: boolean
  close: () => Promise<void>
}

/**
 * Opens PostgreSQL at `databaseUrl`, which may be down: each query connects if necessary, and fails with
 * `DatabaseUnavailable` within its timeout. Without a URL, it opens the embedded PostgreSQL, whose files are in
 * `dataDir`.
 *
 * @param databaseTimeoutMs how long a query may take. Connecting may take another 0.9 of it
 */
export async function openDatabase (
  { databaseUrl, dataDir, databaseTimeoutMs = 1000 }: {
    databaseUrl: DatabaseUrl | string | undefined
    dataDir: string
    databaseTimeoutMs?: number
  }
): Promise<Database> {
  if (databaseUrl === undefined) return await openEmbedded(embeddedIn(dataDir))
  const parsed = typeof databaseUrl === 'string' ? parseDatabaseUrl(databaseUrl) : databaseUrl
  const { server: url, schema, pooled } = parsed
  const inSchema = { ...schema !== undefined && { schema } }
  const server = {
    ...url,
    connectionTimeoutMillis: CONNECT_PART * databaseTimeoutMs,
    // The migration engine leaves its connection open. With this option a command exits without waiting for its idle
    // timeout.
    allowExitOnIdle: true
  }
  const prisma = new PrismaClient({
    adapter: new CleanPrismaPg({
      ...server,
      query_timeout: databaseTimeoutMs,
      ...!pooled && {
        statement_timeout: Math.floor(STATEMENT_PART * databaseTimeoutMs),
        idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS
      }
    }, {
      ...inSchema,
      ...!pooled && { statementNameGenerator: ({ sql }: { sql: string }) => statementName(sql) }
    })
  })
  // A migration has no timeout.
  return {
    prisma, adapter: new WholeScriptPrismaPg(server, inSchema), embedded: false, close: () => prisma.$disconnect()
  }
}

const embeddedIn = (dataDir: string): string => join(dataDir, 'postgres')

/** Whether there is an embedded PostgreSQL, which `openDatabase` would otherwise create. */
export const hasEmbedded = (dataDir: string): boolean => existsSync(join(embeddedIn(dataDir), 'PG_VERSION'))

const statementNames = new LRUCache<string, string>({ max: 1000 })

/** A named statement is planned only once for each connection, which gives a third more queries a second. */
function statementName (sql: string): string {
  const known = statementNames.get(sql)
  if (known !== undefined) return known
  const name = createHash('sha1').update(sql).digest('hex')
  statementNames.set(sql, name)
  return name
}

/**
 * Prisma returns a connection to the pool even if its transaction could not be ended. Its next user would wait for the
 * last query, and then write into a transaction that is never committed.
 */
class CleanPrismaPg extends PrismaPg {
  override async connect (): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect()
    adapter.underlyingDriver().on('release', (_error, connection) => {
      // The pool does not keep a connection that is ending.
      if (connection.getTransactionStatus() !== 'I') connection.end()
    })
    return reportOutages(adapter)
  }
}

/**
 * Prisma splits a migration at every semicolon, even within a function's body, and runs each part on any free
 * connection. Sent as a whole, the script is one transaction.
 */
class WholeScriptPrismaPg extends PrismaPg {
  override async connect (): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect()
    adapter.executeScript = async (sql) => { await adapter.executeRaw({ sql, args: [], argTypes: [] }) }
    return adapter
  }
}

async function openEmbedded (directory: string): Promise<Database> {
  // Loaded here, because a service with a database server never needs these 20 MB.
  const [{ PGlite }, { PrismaPGlite }] = await Promise.all([
    import('@electric-sql/pglite'), import('pglite-prisma-adapter')
  ])
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const unlock = await lockDirectory(directory)
  const pglite = await PGlite.create(directory).catch(async (error) => {
    await unlock()
    throw error
  })
  const adapter = new PrismaPGlite(pglite) as unknown as SqlMigrationAwareDriverAdapterFactory
  const connect = adapter.connect.bind(adapter)
  // The adapter's own executeScript does not wait for the end and does not report errors.
  adapter.connect = async () => Object.assign(await connect(), {
    executeScript: async (sql: string) => { await pglite.exec(sql) }
  })
  const { provider, adapterName } = adapter
  const prisma = new PrismaClient({
    adapter: { provider, adapterName, connect: async () => reportOutages(await connect()) }
  })
  return {
    prisma,
    adapter,
    embedded: true,
    async close () {
      await prisma.$disconnect()
      await pglite.close()
      await unlock()
    }
  }
}
