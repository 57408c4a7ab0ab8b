import type { SMTPConnectionCustomAuthHandler, SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import type { SmtpUrl } from './smtp-url.js'
import { createTokenSource, type TokenSource } from './smtp-token.js'

type Handler = SMTPConnectionCustomAuthHandler

/** The name of the login by a token in nodemailer's options. */
const TOKEN = 'TOKEN'

/** What nodemailer's transports and connections take. `forceAuth` is for transports alone. */
interface ServerOptions extends SMTPConnectionOptions {
  forceAuth: boolean
  auth?: { user: string, pass: string, method?: string }
}

/**
 * A login is as the server offers it, or none. By itself nodemailer would send a password where only tokens are taken,
 * and a mail without a login where none is offered.
 */
export function serverOptions ({ token, auth, ...server }: SmtpUrl): ServerOptions {
  return {
    ...server,
    forceAuth: true,
    ...auth && { auth: token ? { ...auth, method: TOKEN } : auth },
    // PLAIN is also what nodemailer tries where it knows none of the offered ways.
    customAuth: { PLAIN: plain, ...token && { [TOKEN]: byToken(createTokenSource(token)) } }
  }
}

const base64 = (...parts: string[]): string => Buffer.from(parts.join('')).toString('base64')

const plain: Handler = async ({ auth: { credentials: { user, pass } }, authMethods, sendCommand }) => {
  if (!authMethods.includes('PLAIN')) {
    throw new Error(authMethods.includes('XOAUTH2')
      ? 'the mail server takes no password, only a token (XOAUTH2): set SMTP_TOKEN_URL'
      : 'the mail server offers no login with a password (PLAIN, LOGIN or CRAM-MD5), and SMTP_URL has one')
  }
  const { status } = await sendCommand(`AUTH PLAIN ${base64('\0', user, '\0', pass)}`)
  if (status !== 235) throw new Error('Invalid login')
}

const byToken = (tokens: TokenSource): Handler => async ({ auth: { user }, authMethods, sendCommand }) => {
  if (!authMethods.includes('XOAUTH2')) {
    throw new Error('the mail server takes no token (XOAUTH2), and SMTP_TOKEN_URL is set')
  }
  const token = await tokens.get()
  let answer = await sendCommand(`AUTH XOAUTH2 ${base64(`user=${user}\x01auth=Bearer ${token}\x01\x01`)}`)
  // Some say why it is refused, and wait for an empty line before they refuse it.
  if (answer.status === 334) answer = await sendCommand('')
  if (answer.status === 235) return
  tokens.forget()
  throw new Error('Invalid login')
}

/** Says in nodemailer's error what to set, where its text is of bytes and times. It stays the same error. */
export function explain <Fault extends Error & { response?: string, timeoutType?: string }> (
  error: Fault, { secure, port }: SmtpUrl
): Fault {
  // TLS reads the greeting as a strange record.
  if (secure && /wrong.version.number|packet.length.too.long/i.test(error.message)) {
    error.message = 'the mail server answers without TLS: smtps:// is for port 465; use smtp:// for port 587 or 25'
  }
  if (!secure && !error.response && (port === 465 || error.timeoutType === 'GREETING_TIMEOUT')) {
    error.message += '. On port 465 a server says nothing before TLS: use smtps:// for it, and smtp:// for 587 or 25'
  }
  return error
}
