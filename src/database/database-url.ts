import type { ConnectionOptions } from 'node:tls'
import { readUrl } from '../base/url.js'
import { readTls } from './database-tls.js'

export interface DatabaseUrl {
  /** The options of `pg.Pool`. Every one is set, so that pg does not read its own environment variables. */
  server: {
    /** A name, an address, or the folder of a Unix socket. */
    host: string
    port: number
    user: string
    password?: string
    database: string
    ssl: ConnectionOptions | false
    application_name: string
    /** Whether the password is bound to the TLS connection if the server offers that. */
    enableChannelBinding?: boolean
    sslnegotiation?: 'direct'
    /** Connections of one process. */
    max?: number
    /** Settings of the session in the form of `psql`, such as the search path. */
    options?: string
  }
  /** The schema of the tables, if it is not the one of PostgreSQL's search path. */
  schema?: string
  /**
   * Whether a pooler may give each transaction another connection to PostgreSQL. Then statements have no names, and no
   * setting is sent when a connection begins, because such a pooler knows neither.
   */
  pooled: boolean
  /** What was written, but has no effect, and why. */
  unused: string[]
}

const FORM = 'postgresql://user:password@host:5432/database'

const PARAMETERS = [
  'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'ssl', 'sslnegotiation', 'channel_binding', 'schema', 'options',
  'application_name', 'connection_limit', 'pgbouncer', 'target_session_attrs', 'host'
] as const
type Parameters = Partial<Record<typeof PARAMETERS[number], string>>

/** What providers print for other programs. It has no effect here, and a line of the log says so. */
const UNUSED: Array<[names: RegExp, why: string]> = [
  [/^(connect|pool|socket|statement|query)_timeout$/, 'DATABASE_TIMEOUT_MS sets the time'],
  [/^(keepalives\w*|tcp_user_timeout)$/, 'silence is noticed by DATABASE_TIMEOUT_MS'],
  [/^(gssencmode|krbsrvname|gsslib|requirepeer|require_auth|sslcompression|sslsni|load_balance_hosts)$/,
    'the driver has no such option'],
  [/^(client_encoding|fallback_application_name|uselibpqcompat)$/, 'gatehouse sets it itself'],
  [/^(supa|workaround|max_idle_connection_lifetime|single_use_connections)$/, 'it is for other programs']
]

/** @throws {RangeError} saying what is wrong. It quotes nothing of the text except the names of parameters and files */
export function parseDatabaseUrl (text: string): DatabaseUrl {
  mustBeUrl(text)
  const whole = withSocketLast(text)
  const { username, password, host, port = 5432, path, query } = readUrl(whole, ['postgresql', 'postgres'], FORM)
  if (username === '') throw new RangeError(`names no user: it must look like ${FORM}`)
  if (path === '') throw new RangeError(`names no database: it must look like ${FORM}`)
  if (/^\[.*\]$/.test(password)) throw new RangeError('has a placeholder for its password: put the real one there')

  const pooled = takePooled(query)
  const unused = takeUnused(query)
  const parameters = readParameters(query)
  const {
    host: socket, schema, application_name: applicationName = 'gatehouse', connection_limit: limit,
    channel_binding: binding
  } = parameters
  if (socket !== undefined && !(socket.startsWith('/') && host === 'localhost')) {
    throw new RangeError(
      'the parameter host must be the folder of a Unix socket, such as /var/run/postgresql; the name of a host ' +
        'stands before the path'
    )
  }
  const options = readOptions(parameters, pooled)
  const ssl = readTls(whole, parameters)
  return {
    server: {
      host: socket?.replace(/\/\.s\.PGSQL\.\d+$/, '') ?? host,
      port,
      user: username,
      ...password !== '' && { password },
      database: path,
      ssl,
      application_name: applicationName,
      ...binding !== undefined && { enableChannelBinding: binding !== 'disable' },
      ...parameters.sslnegotiation === 'direct' && { sslnegotiation: 'direct' as const },
      ...limit !== undefined && { max: Number(limit) },
      ...options !== '' && { options }
    },
    ...schema !== undefined && { schema },
    pooled,
    unused
  }
}

/**
 * A socket needs no host. Other programs require one even then, so `localhost` is accepted and ignored. The socket's
 * folder may also stand in the place of the host, as `%2Fcloudsql%2F…`.
 */
function withSocketLast (text: string): string {
  return text
    .replace(/@(%2F[^/:?]*)(:\d+)?(\/[^?]*)\??/i, '@localhost$2$3?host=$1&').replace(/&$/, '')
    .replace(/@(?=[:/].*[?&]host=)/s, '@localhost')
}

/** Consoles also print these forms, which are no URLs. */
function mustBeUrl (text: string): void {
  const [, , hosts = ''] = /^postgres(ql)?:\/\/(?:.*@)?([^/?]*)/s.exec(text) ?? []
  if (/^(jdbc:|psql\b|\w+ *=|Server=|Host=)/i.test(text)) {
    throw new RangeError(`is the form of another program: write it as a URL such as ${FORM}`)
  }
  if (hosts.includes(',')) {
    throw new RangeError('names several hosts, but the driver connects to one: write the one name that leads to the ' +
      'primary, such as a cluster\'s writer endpoint or a proxy')
  }
}

/** What Prisma's users write for PgBouncer: `pgbouncer=true`, or a cache of no statements. */
function takePooled (query: URLSearchParams): boolean {
  const cacheless = query.getAll('statement_cache_size').join() === '0'
  if (cacheless) query.delete('statement_cache_size')
  const { pgbouncer = 'false' } = Object.fromEntries(query)
  if (!['true', 'false'].includes(pgbouncer)) throw new RangeError('pgbouncer must be true or false')
  return cacheless || pgbouncer === 'true'
}

function takeUnused (query: URLSearchParams): string[] {
  return [...new Set(query.keys())].flatMap((name) => {
    const [, why] = UNUSED.find(([names]) => names.test(name)) ?? []
    if (why === undefined) return []
    query.delete(name)
    return [`its parameter ${name} has no effect: ${why}`]
  })
}

/** The words that a parameter may have, and for the others what to do. */
const WORDS: Array<[name: keyof Parameters, words: RegExp, fault: string]> = [
  ['schema', /^[A-Za-z_]\w{0,62}$/, 'must have letters, digits and underscores only'],
  ['connection_limit', /^[1-9]\d{0,3}$/, 'must be a whole number from 1 to 9999'],
  ['channel_binding', /^(disable|prefer|require)$/, 'must be disable, prefer or require'],
  ['sslnegotiation', /^(postgres|direct)$/, 'must be postgres or direct'],
  [
    'target_session_attrs', /^(any|read-write|primary)$/,
    'must be read-write, primary or any, or not set: gatehouse writes, so it needs the primary'
  ]
]

/** pg and Prisma ignore a parameter that they do not know, and take the last of two. */
function readParameters (query: URLSearchParams): Parameters {
  for (const [name, value] of query) {
    if (!PARAMETERS.some(known => known === name)) {
      throw new RangeError(`has the unknown parameter ${name}: there are ${PARAMETERS.join(', ')}`)
    }
    if (value === '') throw new RangeError(`has the parameter ${name} without a value`)
    if (query.getAll(name).length > 1) throw new RangeError(`has the parameter ${name} twice`)
    const [, , fault] = WORDS.find(([one, words]) => one === name && !words.test(value)) ?? []
    if (fault !== undefined) throw new RangeError(`${name} ${fault}`)
  }
  return Object.fromEntries(query)
}

/** Prisma names the schema in its own queries. Queries that are written by hand depend on the search path. */
function readOptions ({ schema, options }: Parameters, pooled: boolean): string {
  if (pooled && (schema ?? options) !== undefined) {
    throw new RangeError('has pgbouncer=true, which passes on no schema and no options: set them for the role, as in ' +
      'ALTER ROLE gatehouse SET search_path = school')
  }
  const path = schema === undefined ? [] : [`-c search_path="${schema}"`]
  return [...options === undefined ? [] : [options], ...path].join(' ')
}
