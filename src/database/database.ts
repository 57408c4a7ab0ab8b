import { createHash } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import type { SqlDriverAdapter, SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { Connection } from './connection.js'
import { DatabaseUnavailable, reportOutages } from './outage.js'
import { parseDatabaseUrl, type DatabaseUrl } from './database-url.js'
import { lockDirectory } from './directory-lock.js'
import { ownSchema, type OwnSchema } from './schema.js'
import { Prisma, PrismaClient } from '../../prisma/client.js'

/**
 * A query may wait for a connection and then for its answer. With the default of one second, both together take less
 * than the two seconds in which a login is answered.
 */
const CONNECT_PART = 0.9
/**
 * PostgreSQL has to give up first. Otherwise it would continue abandoned queries. Each query that waits for a lock
 * would then keep a connection in PostgreSQL that the pool does not count.
 */
export const STATEMENT_PART = 0.9
/**
 * The locks of a replica that vanished are released after this time. Prisma itself ends a transaction after five
 * seconds.
 */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000

/** What answers raw queries: Prisma, or a part of it. */
export interface RawQueries {
  $queryRaw: <Rows>(query: TemplateStringsArray, ...values: unknown[]) => Promise<Rows>
}

export interface Database {
  prisma: PrismaClient
  /**
   * Prisma without its engine, over the same connections: for short queries that every idle replica repeats. The engine
   * would take a fifth of their CPU time. Times, `bigint` and `numeric` come as text.
   */
  polls: RawQueries
  /** Opens a connection and ends it. The embedded database has but one, so this does nothing there. */
  tryConnection: () => Promise<void>
  /** Opens one more connection, for migrations. */
  openScripts: () => Promise<Scripts>
  /** PostgreSQL inside this process, which therefore has to migrate it. */
  embedded: boolean
  /** Uses another password and other certificates for connections that begin after this. */
  takeOver: (databaseUrl: DatabaseUrl | undefined) => void
  close: () => Promise<void>
}

/** One connection, without a time limit, for texts of several statements. */
export interface Scripts {
  /** @returns the rows of the last statement */
  run: <Row>(sql: string) => Promise<Row[]>
  end: () => Promise<void>
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
  const server = { ...url, connectionTimeoutMillis: CONNECT_PART * databaseTimeoutMs }
  const pool = new pg.Pool({
    ...server,
    Client: Connection,
    query_timeout: databaseTimeoutMs,
    ...!pooled && {
      statement_timeout: Math.floor(STATEMENT_PART * databaseTimeoutMs),
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS
    }
  })
  // The pool has removed a connection that fails while nobody uses it.
  pool.on('error', () => {})
  const adapter = new CleanPrismaPg(pool, schema, {
    ...!pooled && { statementNameGenerator: ({ sql }: { sql: string }) => statementName(sql) }
  })
  const prisma = new PrismaClient({
    adapter,
    transactionOptions: transactionTimes(databaseTimeoutMs)
  })
  return {
    prisma,
    polls: rawQueries(() => adapter.opened()),
    tryConnection: () => tryConnection(pool.options),
    openScripts: () => openScripts(server, schema),
    embedded: false,
    takeOver: next => Object.assign(pool.options, { password: next?.server.password, ssl: next?.server.ssl }),
    async close () {
      // It fails if the first connection is just failing.
      await prisma.$disconnect().catch(() => {})
      await pool.end()
    }
  }
}

/**
 * Prisma gives up after the pool and PostgreSQL have, whose errors are outages. Its own would be an error of ours, 500.
 * Its defaults fit the default timeout.
 */
const transactionTimes = (timeoutMs: number): { maxWait: number, timeout: number } =>
  ({ maxWait: Math.max(2000, 2 * timeoutMs), timeout: Math.max(5000, 5 * timeoutMs) })

const rawQueries = (opened: () => Promise<SqlDriverAdapter>): RawQueries => ({
  async $queryRaw<Rows> (query: TemplateStringsArray, ...parts: unknown[]) {
    const { text: sql, values: args } = Prisma.sql(query, ...parts)
    const argTypes = args.map(() => ({ scalarType: 'unknown', arity: 'scalar' } as const))
    const { columnNames, rows } = await (await opened()).queryRaw({ sql, args, argTypes })
    return rows.map(row => Object.fromEntries(columnNames.map((name, i) => [name, row[i]]))) as Rows
  }
})

async function tryConnection (server: pg.ClientConfig): Promise<void> {
  const client = new Connection(server)
  client.on('error', () => {})
  await client.connect()
  await client.end()
}

async function openScripts (server: pg.ClientConfig, schema: string | undefined): Promise<Scripts> {
  const client = new Connection(server)
  // A query that runs then fails by itself.
  client.on('error', () => {})
  await client.connect()
  const run: Scripts['run'] = async sql => [await client.query(sql)].flat().at(-1)!.rows
  try {
    await enterSchema(run, schema)
  } catch (error) {
    // The connection would keep the process alive.
    await client.end()
    throw error
  }
  return { run, end: () => client.end() }
}

async function enterSchema (run: Scripts['run'], schema: string | undefined): Promise<void> {
  // A role may use a schema without the right to create one.
  const found = schema === undefined || (await run(`SELECT FROM pg_namespace WHERE nspname = '${schema}'`)).length > 0
  if (!found) await run(`CREATE SCHEMA "${schema}"`)
  const [own] = await run<OwnSchema>(ownSchema)
  await run(`SET search_path TO ${pg.escapeIdentifier(nameOf(own!))}`)
}

const embeddedIn = (dataDir: string): string => join(dataDir, 'postgres')

/** Whether there is an embedded PostgreSQL, which `openDatabase` would otherwise create. */
export const hasEmbeddedDatabase = (dataDir: string): boolean => existsSync(join(embeddedIn(dataDir), 'PG_VERSION'))

const statementNames = new LRUCache<string, string>({ max: 1000 })

/** A named statement is planned only once for each connection, which gives a third more queries a second. */
function statementName (sql: string): string {
  const known = statementNames.get(sql)
  if (known !== undefined) return known
  const name = createHash('sha1').update(sql).digest('hex')
  statementNames.set(sql, name)
  return name
}

function nameOf ({ name, path }: OwnSchema): string {
  if (name !== null) return name
  throw new DatabaseUnavailable(`no schema of the search path (${path}) exists and is for this role to use: create ` +
    'it, GRANT USAGE ON SCHEMA, or write schema=NAME in DATABASE_URL')
}

class CleanPrismaPg extends PrismaPg {
  #adapter: ReturnType<PrismaPg['connect']> | undefined
  readonly #schema: string | undefined

  constructor (pool: pg.Pool, schema: string | undefined, options: ConstructorParameters<typeof PrismaPg>[1]) {
    super(pool, options)
    this.#schema = schema
  }

  /** Prisma calls this before its first query, and again if it failed. */
  override async connect (): ReturnType<PrismaPg['connect']> {
    const adapter = await this.opened()
    const schemaName = this.#schema ?? await askSchema(adapter)
    return Object.assign(adapter, { getConnectionInfo: () => ({ schemaName, supportsRelationJoins: true }) })
  }

  /** The adapter before a schema is known. It connects with its first query. */
  opened (): ReturnType<PrismaPg['connect']> {
    return (this.#adapter ??= this.#open())
  }

  /**
   * Prisma returns a connection to the pool even if its transaction could not be ended. Its next user would wait for
   * the last query, and then write into a transaction that is never committed.
   */
  async #open (): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect()
    adapter.underlyingDriver().on('release', (error, connection) => {
      // The pool does not keep a connection that is ending.
      if (!isTimeout(error) && connection.getTransactionStatus() === 'I') return
      ;(connection as pg.ClientBase as Connection).abandon()
    })
    return reportOutages(adapter)
  }
}

const isTimeout = (error?: Error): boolean => error?.message === 'Query read timeout'

async function askSchema (adapter: SqlDriverAdapter): Promise<string> {
  const { rows } = await adapter.queryRaw({ sql: ownSchema, args: [], argTypes: [] })
  const [name, path] = rows[0] as [string | null, string]
  return nameOf({ name, path })
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
  // The adapter has a version of Prisma's types of its own.
  const adapter = new PrismaPGlite(pglite) as unknown as SqlDriverAdapterFactory
  const { provider, adapterName } = adapter
  const connect = async (): Promise<SqlDriverAdapter> => reportOutages(await adapter.connect())
  const opened = connect()
  const prisma = new PrismaClient({ adapter: { provider, adapterName, connect } })
  return {
    prisma,
    polls: rawQueries(() => opened),
    tryConnection: async () => {},
    openScripts: async () => ({
      run: async sql => (await pglite.exec(sql)).at(-1)!.rows as never,
      end: async () => {}
    }),
    embedded: true,
    takeOver () {},
    async close () {
      await prisma.$disconnect()
      await pglite.close()
      await unlock()
    }
  }
}
