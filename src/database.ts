import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { PrismaClient } from './generated/prisma/client.js'

/** A query may wait for a connection and then for its answer: together less than the two seconds after which a login is told. */
const CONNECT_TIMEOUT_MS = 900
const QUERY_TIMEOUT_MS = 1000
/**
 * PostgreSQL gives up first. Else it would go on with what nobody waits for, and each query that waits for a lock would
 * leave a connection behind there, beyond the pool's.
 */
const STATEMENT_TIMEOUT_MS = 900
/** The locks of a replica that vanished are free again after this; Prisma ends a transaction after five seconds. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000

export interface Database {
  prisma: PrismaClient
  /** For Prisma's migration engine: see migrations.ts. */
  adapter: SqlMigrationAwareDriverAdapterFactory
  /** PostgreSQL inside this process, with nobody else to migrate it. */
  embedded: boolean
  close: () => Promise<void>
}

/**
 * PostgreSQL at `databaseUrl`, which may be down: every query connects if need be and fails within its timeout.
 * Without a URL, the PostgreSQL that is built into this process, kept in `dataDir`.
 */
export async function openDatabase (
  { databaseUrl, dataDir, timeoutFactor = 1 }: { databaseUrl: string | undefined, dataDir: string, timeoutFactor?: number }
): Promise<Database> {
  if (databaseUrl === undefined) return await openEmbedded(join(dataDir, 'postgres'))
  const server = {
    connectionString: databaseUrl,
    application_name: 'gatehouse',
    connectionTimeoutMillis: timeoutFactor * CONNECT_TIMEOUT_MS,
    // The migration engine leaves its connection open: a command does not wait until that has been idle for long enough.
    allowExitOnIdle: true
  }
  const prisma = new PrismaClient({
    adapter: new CleanPrismaPg({
      ...server,
      query_timeout: timeoutFactor * QUERY_TIMEOUT_MS,
      statement_timeout: timeoutFactor * STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS
    }, {
      // Named statements are planned once a connection: a third more queries a second.
      statementNameGenerator: ({ sql }) => createHash('sha1').update(sql).digest('hex')
    })
  })
  // A migration takes as long as it takes.
  return { prisma, adapter: new PrismaPg(server), embedded: false, close: () => prisma.$disconnect() }
}

/**
 * Prisma gives a connection back to the pool also when its transaction could not be ended. Whoever got it next would wait
 * behind the last query, and then write into that transaction, which nobody ever commits.
 */
class CleanPrismaPg extends PrismaPg {
  override async connect (): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect()
    adapter.underlyingDriver().on('release', (_error, connection) => {
      // The pool keeps none that is ending.
      if (connection.getTransactionStatus() !== 'I') connection.end()
    })
    return adapter
  }
}

async function openEmbedded (directory: string): Promise<Database> {
  // Loaded here because a service with a database of its own never needs the 20 MB of it.
  const [{ PGlite }, { PrismaPGlite }] = await Promise.all([import('@electric-sql/pglite'), import('pglite-prisma-adapter')])
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const unlock = lock(`${directory}.pid`)
  const pglite = await PGlite.create(directory)
  const adapter = new PrismaPGlite(pglite) as unknown as SqlMigrationAwareDriverAdapterFactory
  const prisma = new PrismaClient({ adapter })
  return {
    prisma,
    adapter,
    embedded: true,
    async close () {
      await prisma.$disconnect()
      await pglite.close()
      unlock()
    }
  }
}

/** Two processes over the same files would destroy them. A file left behind by a process that died does not hold. */
function lock (file: string): () => void {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const holder = Number(readFileSync(file, 'utf8'))
    if (holder !== process.pid && isRunning(holder)) {
      throw new Error(`The embedded database is in use by process ${holder}. Stop that process, or set DATA_DIR to another directory, or DATABASE_URL to a PostgreSQL server.`)
    }
    writeFileSync(file, String(process.pid))
  }
  return () => rmSync(file, { force: true })
}

function isRunning (pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
