import { isLoopback } from '../loopback.js'
import { parseHost, splitUrl } from '../url.js'

/** A mail server, as nodemailer takes it. */
export interface SmtpUrl {
  host: string
  port: number
  /** TLS from the first byte; otherwise it begins with STARTTLS. */
  secure: boolean
  requireTLS: boolean
  tls: { rejectUnauthorized: boolean }
  auth?: { user: string, pass: string }
}

const FORM = 'smtp://user:password@host:587, or smtps:// for TLS from the first byte'

/** @throws {RangeError} saying what is wrong, and nothing of the text */
export function parseSmtpUrl (url: string): SmtpUrl {
  const { scheme, username, password, hosts, path, query } = splitUrl(url, FORM)
  if (!/^smtps?$/.test(scheme) || path !== '') throw new RangeError(`must look like ${FORM}`)
  if (username === '' && password !== '') {
    throw new RangeError(`has a password without a user: it must look like ${FORM}`)
  }
  if (query !== undefined && query !== 'tls=optional') throw new RangeError('has a query (?…) other than ?tls=optional')
  const secure = scheme === 'smtps'
  const { host, port } = parseHost(hosts, secure ? 465 : 587)
  const local = isLoopback(host)
  return {
    host,
    port,
    secure,
    // Neither a password nor a link with a token crosses a network in clear, unless the URL says that the links may. A
    // mail server on this machine has a certificate of its own making.
    requireTLS: !local && (username !== '' || query === undefined),
    tls: { rejectUnauthorized: !local },
    ...username !== '' && { auth: { user: username, pass: password } }
  }
}
