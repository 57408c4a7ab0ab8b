import { isLoopback } from '../base/loopback.js'
import { parseServerUrl } from '../base/url.js'
import type { TokenUrl } from './smtp-token.js'

/** A mail server, in the form of nodemailer's options. */
export interface SmtpUrl {
  host: string
  port: number
  /** Whether TLS starts with the first byte. Otherwise STARTTLS is used. */
  secure: boolean
  requireTLS: boolean
  /** Whether the mail goes in plain text if STARTTLS is offered and then refused. */
  opportunisticTLS: boolean
  tls: { rejectUnauthorized: boolean }
  /** The password is empty if a token takes its place. */
  auth?: { user: string, pass: string }
  /** Where the token for the login is issued. */
  token?: TokenUrl
}

const FORM = 'smtp://user:password@host:587, or smtps:// for TLS from the first byte'

/** @throws {RangeError} saying what is wrong, and nothing of the text */
export function parseSmtpUrl (text: string): SmtpUrl {
  const { scheme, username, password, host, port, path, query } = parseServerUrl(text, ['smtp', 'smtps'], FORM)
  if (path !== '') throw new RangeError(`must look like ${FORM}`)
  if (username === '' && password !== '') {
    throw new RangeError(`has a password without a user: it must look like ${FORM}`)
  }
  if (!['', 'tls=optional'].includes(String(query))) throw new RangeError('has a query (?…) other than ?tls=optional')
  const secure = scheme === 'smtps'
  const local = isLoopback(host)
  // A password never crosses a network in plain text, nor to a server that proves no name. A link with a token does so
  // only if the URL allows it: then TLS without a proof is still more than none. A mail server on this machine usually
  // has a self-signed certificate.
  const requireTLS = !local && (username !== '' || query.size === 0)
  return {
    host,
    port: port ?? (secure ? 465 : 587),
    secure,
    requireTLS,
    opportunisticTLS: !requireTLS,
    tls: { rejectUnauthorized: !local && (requireTLS || secure) },
    ...username !== '' && { auth: { user: username, pass: password } }
  }
}
