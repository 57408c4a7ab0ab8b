import { X509Certificate } from 'node:crypto'
import { createSecureContext, type ConnectionOptions } from 'node:tls'
import { parse } from 'pg-connection-string'
import { readUrl } from '../base/url.js'

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
    /** Connections of one process. */
    max?: number
    /** Settings of the session in the form of `psql`. Here it is the search path. */
    options?: string
  }
  /** The schema of the tables, if it is not the one of PostgreSQL's search path. */
  schema?: string
}

const FORM = 'postgresql://user:password@host:5432/database'

const PARAMETERS = [
  'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'schema', 'application_name', 'connection_limit', 'host'
] as const
type Parameters = Partial<Record<typeof PARAMETERS[number], string>>

/** @throws {RangeError} saying what is wrong. It quotes nothing of the text except the names of parameters and files */
export function parseDatabaseUrl (text: string): DatabaseUrl {
  // A socket needs no host. Other programs require one even then, so `localhost` is accepted and ignored.
  const whole = text.replace(/@(?=[:/].*[?&]host=)/s, '@localhost')
  const { username, password, host, port = 5432, path, query } = readUrl(whole, ['postgresql', 'postgres'], FORM)
  if (username === '') throw new RangeError(`names no user: it must look like ${FORM}`)
  if (path === '') throw new RangeError(`names no database: it must look like ${FORM}`)

  const {
    host: socket, schema, application_name: applicationName = 'gatehouse', connection_limit: limit, ...tls
  } = readParameters(query)
  if (socket !== undefined && !(socket.startsWith('/') && host === 'localhost')) {
    throw new RangeError(
      'the parameter host must be the folder of a Unix socket, such as /var/run/postgresql; the name of a host ' +
        'stands before the path'
    )
  }
  if (schema !== undefined && !/^[A-Za-z_]\w{0,62}$/.test(schema)) {
    throw new RangeError('schema must have letters, digits and underscores only')
  }
  if (limit !== undefined && !/^[1-9]\d{0,3}$/.test(limit)) {
    throw new RangeError('connection_limit must be a whole number from 1 to 9999')
  }
  return {
    server: {
      host: socket ?? host,
      port,
      user: username,
      ...password !== '' && { password },
      database: path,
      ssl: readTls(whole, tls),
      application_name: applicationName,
      ...limit !== undefined && { max: Number(limit) },
      // Prisma names the schema in its own queries. Queries that are written by hand depend on the search path.
      ...schema !== undefined && { options: `-c search_path="${schema}"` }
    },
    ...schema !== undefined && { schema }
  }
}

/** pg and Prisma ignore a parameter that they do not know, and take the last of two. */
function readParameters (query: URLSearchParams): Parameters {
  for (const [name, value] of query) {
    if (!PARAMETERS.some(known => known === name)) {
      throw new RangeError(`has the unknown parameter ${name}: there are ${PARAMETERS.join(', ')}`)
    }
    if (value === '') throw new RangeError(`has the parameter ${name} without a value`)
    if (query.getAll(name).length > 1) throw new RangeError(`has the parameter ${name} twice`)
  }
  return Object.fromEntries(query)
}

/**
 * As in libpq, but without the modes that fall back to plain text:
 * - `disable`, the default: no TLS.
 * - `require`: TLS without a check of the certificate; with `sslrootcert`, the same as `verify-ca`.
 * - `verify-ca`: an authority in `sslrootcert` signed the certificate, for any host.
 * - `verify-full`: the certificate is also for this host; without `sslrootcert`, any authority that Node trusts will
 *   do.
 */
function readTls (
  text: string, { sslmode = 'disable', sslrootcert, sslcert, sslkey }: Parameters
): ConnectionOptions | false {
  if (!['disable', 'require', 'verify-ca', 'verify-full'].includes(sslmode)) {
    throw new RangeError('sslmode must be disable, require, verify-ca or verify-full: no other is safe')
  }
  if (sslmode === 'disable' && (sslrootcert ?? sslcert ?? sslkey) !== undefined) {
    throw new RangeError('has a certificate or key, but no sslmode: add sslmode=verify-full, verify-ca or require')
  }
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw new RangeError('sslcert and sslkey belong together: the client\'s certificate and its key. The server\'s ' +
      'authority is sslrootcert')
  }
  try {
    const { ssl } = parse(text, { useLibpqCompat: true })
    if (typeof ssl !== 'object') return false
    createSecureContext(ssl as ConnectionOptions)
    // Node silently ignores a file without a certificate.
    const certificates = [ssl.ca, ssl.cert].filter(text => typeof text === 'string')
    return certificates.every(text => new X509Certificate(text)) && ssl as ConnectionOptions
  } catch (error) {
    throw new RangeError(`TLS cannot be used: ${(error as Error).message}`)
  }
}
