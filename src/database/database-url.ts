import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type ConnectionOptions } from 'node:tls'
import { decode, parseHost, splitUrl } from '../base/url.js'

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

/** Parameters of other clients, and their equivalents here. */
const elsewhere: Record<string, string> = {
  connect_timeout: 'DATABASE_TIMEOUT_MS sets how long is waited',
  pool_timeout: 'DATABASE_TIMEOUT_MS sets how long is waited',
  statement_timeout: 'DATABASE_TIMEOUT_MS sets how long is waited',
  ssl: 'sslmode=require, verify-ca or verify-full asks for TLS',
  sslaccept: 'sslmode=require, verify-ca or verify-full asks for TLS'
}

/** @throws {RangeError} saying what is wrong. It quotes nothing of the text except the names of parameters and files */
export function parseDatabaseUrl (url: string): DatabaseUrl {
  const { scheme, username, password, hosts, path, query } = splitUrl(url, FORM)
  if (scheme !== 'postgresql' && scheme !== 'postgres') throw new RangeError(`must look like ${FORM}`)
  if (username === '') throw new RangeError(`names no user: it must look like ${FORM}`)
  if (hosts.includes(',')) throw new RangeError('names several hosts, but one is used')
  if (path.includes('/')) throw new RangeError('has a / in the name of its database: write it as %2F')
  const database = decode(path)
  if (database === '') throw new RangeError(`names no database: it must look like ${FORM}`)

  const {
    host: socket, schema, application_name: applicationName = 'gatehouse', connection_limit: limit, ...tls
  } = readParameters(query ?? '')
  if (schema !== undefined && !/^[A-Za-z_]\w{0,62}$/.test(schema)) {
    throw new RangeError('schema must have letters, digits and underscores only')
  }
  return {
    server: {
      ...socket === undefined ? parseHost(hosts, 5432) : readSocket(socket, hosts, tls),
      user: username,
      ...password !== '' && { password },
      database,
      ssl: readTls(tls),
      application_name: applicationName,
      ...limit !== undefined && { max: readLimit(limit) },
      // Prisma names the schema in its own queries. Queries that are written by hand depend on the search path.
      ...schema !== undefined && { options: `-c search_path="${schema}"` }
    },
    ...schema !== undefined && { schema }
  }
}

function readParameters (query: string): Parameters {
  const found: Parameters = {}
  for (const pair of query.split('&').filter(pair => pair !== '')) {
    const [, written, value] = /^([^=]*)=?(.*)$/.exec(pair)!
    const name = PARAMETERS.find(name => name === written)
    if (name === undefined) throw new RangeError(unknown(written!))
    if (value === '') throw new RangeError(`has the parameter ${name} without a value`)
    if (found[name] !== undefined) throw new RangeError(`has the parameter ${name} twice`)
    found[name] = decode(value!)
  }
  return found
}

/** Text that is not a valid name may be a part of a password, so it is not quoted. */
function unknown (name: string): string {
  const what = /^[A-Za-z_]{1,40}$/.test(name) ? `the unknown parameter ${name}` : 'an unknown parameter'
  return `has ${what}: ${Object.hasOwn(elsewhere, name) ? elsewhere[name] : `there are ${PARAMETERS.join(', ')}`}`
}

/** Other programs require a host even with a socket, so `localhost` is accepted and ignored. */
function readSocket (
  folder: string, hosts: string, { sslmode = 'disable' }: Parameters
): { host: string, port: number } {
  if (!folder.startsWith('/')) {
    throw new RangeError(
      'the parameter host must be the folder of a Unix socket, such as /var/run/postgresql; a host name stands ' +
        'before the path'
    )
  }
  const { host, port } = parseHost(hosts.replace(/^(?=:|$)/, 'localhost'), 5432)
  if (host !== 'localhost') throw new RangeError('has a host before the path and another one as a parameter')
  if (sslmode !== 'disable') throw new RangeError('has an sslmode, but there is no TLS over a Unix socket')
  return { host: folder, port }
}

/**
 * As in libpq, but without the modes that fall back to plain text:
 * - `disable`, the default: no TLS.
 * - `require`: TLS without a check of the certificate; with `sslrootcert`, the same as `verify-ca`.
 * - `verify-ca`: an authority in `sslrootcert` signed the certificate, for any host.
 * - `verify-full`: the certificate is also for this host; without `sslrootcert`, any authority that Node trusts will
 *   do.
 */
function readTls ({ sslmode = 'disable', sslrootcert, sslcert, sslkey }: Parameters): ConnectionOptions | false {
  if (sslmode === 'disable') {
    if (sslrootcert ?? sslcert ?? sslkey) {
      throw new RangeError('has a certificate or key, but no sslmode: add sslmode=verify-full, verify-ca or require')
    }
    return false
  }
  if (sslmode === 'prefer' || sslmode === 'allow') {
    throw new RangeError(
      `sslmode=${sslmode} would fall back to plain text: write disable, require, verify-ca or verify-full`
    )
  }
  if (!['require', 'verify-ca', 'verify-full'].includes(sslmode)) {
    throw new RangeError('sslmode must be disable, require, verify-ca or verify-full')
  }
  if (sslmode === 'verify-ca' && sslrootcert === undefined) {
    throw new RangeError('sslmode=verify-ca wants sslrootcert, the file with the authority\'s certificate')
  }
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw new RangeError('sslcert and sslkey belong together: the client\'s certificate and its key. The server\'s ' +
      'authority is sslrootcert')
  }
  const files = {
    ...sslrootcert !== undefined && { ca: readCertificate('sslrootcert', sslrootcert) },
    ...sslcert !== undefined && { cert: readCertificate('sslcert', sslcert), key: readFile('sslkey', sslkey!) }
  }
  try {
    if (files.key !== undefined) createPrivateKey(files.key)
    createSecureContext(files)
  } catch (error) {
    throw new RangeError(`sslkey is not the key of sslcert: ${(error as Error).message}`)
  }
  return {
    ...files,
    rejectUnauthorized: sslmode !== 'require' || sslrootcert !== undefined,
    ...sslmode !== 'verify-full' && { checkServerIdentity: () => undefined }
  }
}

/** Node silently ignores a file without a certificate. */
function readCertificate (name: string, file: string): string {
  const text = readFile(name, file)
  try {
    return new X509Certificate(text) && text
  } catch {
    throw new RangeError(`${name}: ${file} has no certificate in PEM`)
  }
}

function readFile (name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new RangeError(`${name}: cannot be read: ${(error as Error).message}`)
  }
}

function readLimit (text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) === 0) {
    throw new RangeError('connection_limit must be a whole number from 1 to 9999')
  }
  return Number(text)
}
