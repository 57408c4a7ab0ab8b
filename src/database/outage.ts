import { tracingChannel } from 'node:diagnostics_channel'
import { isDriverAdapterError, type SqlDriverAdapter, type SqlQueryable } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { withTimesOfDates } from './times.js'

/**
 * PostgreSQL could not answer, but neither the query nor the schema is the reason, so the same query may succeed later.
 * A query that failed in this way may still have taken effect.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/** A text has a letter that the encoding of the database lacks, so no row has it. Only UTF-8 has every letter. */
export class NotInEncoding extends Error {
  override readonly name = 'NotInEncoding'
}
const UNTRANSLATABLE = '22P05'

/**
 * The SQLSTATE classes and codes that mean an outage: see appendix A of PostgreSQL's manual. All others are faults of
 * the query, the data or the schema. A retry does not help there, and the log needs the stack.
 */
const sqlStates = [
  '08', // connection exception
  '26000', '42P05', // a named statement that a pooler has given to another connection
  '25006', // read-only: a standby, or default_transaction_read_only
  '25P03', '25P04', // the session was ended because its transaction was idle, or open, for too long
  '40', // rolled back in favour of another transaction: a deadlock, a serialization failure
  '53', // insufficient resources: connections, memory, disk
  '55P03', // a lock was not available in time
  '57', // operator intervention: shutdown, crash, statement timeout
  '58' // an I/O error on the server
]

/** Codes of Node's sockets, such as ECONNREFUSED, and of its TLS. */
const socketCode = /^(E(?!RR_)[A-Z_]+|ERR_(SSL|TLS|SOCKET|STREAM)_\w+)$/

/** Messages of pg, its pool and PGlite that come without a code. */
const clientTexts = [
  /^Query read timeout$/,
  /^timeout (expired|exceeded when trying to connect)$/,
  /^Connection terminated/,
  /^Client (has encountered a connection error|was closed) and is not queryable$/,
  /^Cannot use a pool after calling end on the pool$/,
  /^PGlite is clos(ed|ing)$/,
  /^SASL: /,
  // The server is not PostgreSQL, or its answers are out of step with the queries.
  /^Received unexpected \w+ message from backend/,
  /^received invalid response/
]

/** Each query, reported for traces. */
export const queriesChannel = tracingChannel<unknown, { sql: string }>('gatehouse:query')

/**
 * Changes an adapter so that its outages are `DatabaseUnavailable`, in models, raw queries and transactions alike.
 * Prisma rethrows an error that it does not know unchanged, as long as the error has no `code`.
 *
 * An extension of the client would see the same errors, but it copies the arguments of every query.
 */
export function reportOutages<T extends SqlDriverAdapter> (adapter: T): T {
  const startTransaction = adapter.startTransaction.bind(adapter)
  adapter.startTransaction = isolationLevel => startTransaction(isolationLevel).then(reportQueries, rethrow)
  return reportQueries(adapter)
}

function reportQueries<T extends SqlQueryable> (queryable: T): T {
  const queryRaw = queryable.queryRaw.bind(queryable)
  const executeRaw = queryable.executeRaw.bind(queryable)
  queryable.queryRaw = query =>
    queriesChannel.tracePromise(() => queryRaw(query).then(withTimesOfDates, rethrow), { sql: query.sql })
  queryable.executeRaw = query =>
    queriesChannel.tracePromise(() => executeRaw(query).catch(rethrow), { sql: query.sql })
  return queryable
}

/** What DATABASE_URL lacks, by what the server says. */
const remedies: Array<[said: RegExp, remedy: string]> = [
  [
    /prepared statement "\w+" (does not|already) exist|unsupported startup parameter/,
    'a pooler such as PgBouncer is in between: add pgbouncer=true to DATABASE_URL'
  ],
  [
    /no encryption$|SSL off$|sslmode=require|(SSL|TLS) (connection )?is required/i,
    'add sslmode=require to DATABASE_URL'
  ],
  [
    /self-signed certificate|unable to (verify|get)|does not match certificate/,
    'its certificate is not for this host, or of an authority that Node does not know: name the host that it is for, ' +
      'and the authority\'s file in sslrootcert. sslmode=verify-full and channel_binding=require demand it'
  ]
]

function rethrow (error: unknown): never {
  if (isDriverAdapterError(error) && error.cause.originalCode === UNTRANSLATABLE) {
    throw new NotInEncoding(error.cause.originalMessage, { cause: error })
  }
  const reason = error instanceof Error ? outageIn(error) : undefined
  throw reason === undefined ? error : unavailable(reason, error)
}

/** What a server says while a connection begins is an outage, whatever its code: poolers have codes of their own. */
export const asOutage = (error: Error): Error =>
  error instanceof pg.DatabaseError ? unavailable(`${error.message} (SQLSTATE ${error.code})`, error) : error

function unavailable (reason: string, cause: unknown): DatabaseUnavailable {
  const [, remedy] = remedies.find(([said]) => said.test(reason.replace(/ \(SQLSTATE \w+\)$/, ''))) ?? []
  return new DatabaseUnavailable(remedy === undefined ? reason : `${reason}: ${remedy}`, { cause })
}

/** @returns a description of the outage for the log; undefined if the error is not an outage */
function outageIn (error: Error & { code?: unknown }): string | undefined {
  if (!isDriverAdapterError(error)) {
    const { code, message } = error
    const known = typeof code === 'string' ? socketCode.test(code) : clientTexts.some(text => text.test(message))
    return known ? message || String(code) : undefined
  }
  const { cause } = error
  switch (cause.kind) {
    case 'DatabaseNotReachable':
      return `Can't reach database server at ${[cause.host, cause.port].filter(Boolean).join(':')}`
    case 'ConnectionClosed': return 'Server has closed the connection.'
    case 'SocketTimeout': return 'Operation has timed out'
    case 'TlsConnectionError': return `Error opening a TLS connection: ${cause.reason}`
  }
  const { originalCode: sqlState = '', originalMessage } = cause
  // It ended the connection. PostgreSQL translates the word, but then the code says it.
  const fatal = cause.kind === 'postgres' && cause.severity === 'FATAL'
  const known = fatal || sqlStates.some(known => sqlState.startsWith(known))
  return known ? `${originalMessage} (SQLSTATE ${sqlState})` : undefined
}
