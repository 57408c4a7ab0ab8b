import { createSecureContext, type ConnectionOptions } from 'node:tls'
import type { PoolConfig } from 'pg'
import { parse } from 'pg-connection-string'
import { mustBeUrl } from '../base/url.js'

export interface DatabaseUrl {
  /** For `pg.Pool`. The host may be the folder of a Unix socket. */
  server: PoolConfig & Record<'host' | 'user' | 'database', string> & {
    port: number
    password: string | undefined
    ssl: ConnectionOptions | false
  }
  /** The schema of the tables, if it is not the one of PostgreSQL's search path. */
  schema: string | undefined
  /**
   * Whether a pooler may give each transaction another connection to PostgreSQL. Then statements have no names, and no
   * setting is sent when a connection begins, because such a pooler knows neither.
   */
  pooled: boolean
  /** What was written, but has no effect, and why. */
  unused: string[]
}

const FORM = 'postgresql://user:password@host:5432/database, with one host, which leads to the primary'

/**
 * Parameters that providers add for other programs. They change neither the server nor the security of the connection.
 */
const UNUSED = new RegExp('^(\\w+_timeout|keepalives\\w*|client_encoding|uselibpqcompat|load_balance_hosts|supa|' +
  'workaround|sslsni|fallback_application_name|max_idle_connection_lifetime|single_use_connections)$')

const anything = [/./s, 'set to something'] as const
/** What each parameter must be. The driver ignores a parameter that it does not know, and takes the last of two. */
const PARAMETERS = new Map(Object.entries<readonly [RegExp, string]>({
  sslmode: [/^(disable|require|verify-(ca|full))$/, 'disable, require, verify-ca or verify-full: no other is safe'],
  sslrootcert: anything,
  sslcert: anything,
  sslkey: anything,
  sslnegotiation: [/^(postgres|direct)$/, 'postgres or direct'],
  channel_binding: [/^(disable|prefer|require)$/, 'disable, prefer or require'],
  gssencmode: [/^(disable|prefer)$/, 'disable or prefer: the driver encrypts by TLS alone'],
  schema: [/^[A-Za-z_]\w{0,62}$/, 'of letters, digits and underscores only'],
  options: anything,
  application_name: anything,
  connection_limit: [/^[1-9]\d{0,3}$/, 'a whole number from 1 to 9999'],
  pgbouncer: [/^(true|false)$/, 'true or false'],
  statement_cache_size: [/^0$/, '0'],
  target_session_attrs: [/^(any|read-write|primary)$/, 'read-write, primary or any: gatehouse needs the primary'],
  host: [/^\//, 'the folder of a Unix socket; the name of a host stands before the path']
}))

/** Other words for a mode of libpq, in `sslmode` and `ssl`. */
const MODES: NodeJS.Dict<string> = {
  'no-verify': 'require', true: 'verify-full', 1: 'verify-full', false: 'disable', 0: 'disable'
}

/** @throws {RangeError} saying what is wrong. It quotes nothing of the text except the names of parameters and files */
export function parseDatabaseUrl (text: string): DatabaseUrl {
  mustBeUrl(text, ['postgresql', 'postgres'], FORM)
  const [place = ''] = text.split('?', 1)
  const { query, unused } = readQuery(text.slice(place.length))
  insistOnTls(query)
  if (query.has('host') && !/@(localhost)?[:/]/.test(place)) {
    throw new RangeError('has the folder of a Unix socket, and the name of a host before the path: write one of both')
  }
  const {
    host, port, user, password, database, ssl, sslnegotiation, options = '', application_name: name = 'gatehouse'
  } = readAsDriver(`${place}?${query}`)
  if (!user || !host || !/^(\/[^,]*|[\w.:-]+)$/.test(host) || !database) throw new RangeError(`must look like ${FORM}`)
  const schema = query.get('schema') ?? undefined
  const pooled = query.get('pgbouncer') === 'true' || query.has('statement_cache_size')
  if (pooled && (schema ?? options) !== '') {
    throw new RangeError('has pgbouncer=true, which passes on no schema and no options: set them for the role, as in ' +
      'ALTER ROLE gatehouse SET search_path = school')
  }
  return {
    server: {
      host,
      port: Number(port || 5432),
      user,
      password: password || undefined,
      database,
      ssl,
      sslnegotiation,
      enableChannelBinding: /^(prefer|require)$/.test(query.get('channel_binding') ?? ''),
      application_name: name,
      max: Number(query.get('connection_limit')) || undefined,
      // Prisma names the schema in its own queries. Queries that are written by hand depend on the search path.
      options: schema === undefined ? options : `${options} -c search_path="${schema}"`
    },
    schema,
    pooled,
    unused
  }
}

function readQuery (text: string): { query: URLSearchParams, unused: string[] } {
  const query = new URLSearchParams()
  const unused = []
  for (const [written, word] of new URLSearchParams(text)) {
    const name = written === 'ssl' ? 'sslmode' : written
    const value = (name === 'sslmode' && MODES[word]) || word
    if (UNUSED.test(name)) {
      unused.push(`its parameter ${name} has no effect: the driver has none, and DATABASE_TIMEOUT_MS sets all times`)
      continue
    }
    const [values, fault] = PARAMETERS.get(name) ?? []
    if (!values) {
      throw new RangeError(`has the unknown parameter ${name}: there are ${[...PARAMETERS.keys()].join(', ')}`)
    }
    if (!values.test(value)) throw new RangeError(`has ${name}, which must be ${fault}`)
    if (query.has(name)) throw new RangeError(`has the parameter ${name} twice`)
    query.set(name, value)
  }
  return { query, unused }
}

/**
 * Without TLS the driver drops in silence what is for TLS. With it, `channel_binding=require` would give the password
 * to any server that asks for it in clear, and `system` would be a file.
 */
function insistOnTls (query: URLSearchParams): void {
  const bound = query.get('channel_binding') === 'require'
  const mode = query.get('sslmode') ?? 'disable'
  const authority = query.get('sslrootcert')
  if (mode === 'disable' && (bound || /(^|&)ssl(rootcert|cert|key|negotiation=direct)/.test(`${query}`))) {
    throw new RangeError('has parameters that need TLS, but no sslmode: add sslmode=verify-full, verify-ca or require')
  }
  if (authority === 'system') query.delete('sslrootcert')
  if (authority === 'system' || (bound && mode === 'require' && authority === null)) query.set('sslmode', 'verify-full')
}

/** Reads it as the driver does, with the modes of libpq. Files for TLS are tried, too. */
function readAsDriver (url: string) {
  try {
    const { ssl, ...others } = parse(url, { useLibpqCompat: true })
    if (!ssl) return { ...others, ssl: false as const }
    const tls = ssl as ConnectionOptions & { ca?: string }
    // With an empty file, Node would trust every public authority.
    if (tls.ca?.includes('CERTIFICATE-----') === false) throw new Error('sslrootcert has no certificate (PEM) in it')
    createSecureContext(tls)
    return { ...others, ssl: tls }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new RangeError(code === 'ERR_INVALID_URL'
      ? `must look like ${FORM}. An IPv6 address stands in brackets`
      : `TLS cannot be used: ${message}`)
  }
}
