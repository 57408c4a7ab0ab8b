import { mkdir, rename, writeFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import type { Letter } from './letters.js'
import { parseSender } from './addresses.js'
import { explain, serverOptions } from './smtp-login.js'
import { talkOptions } from './smtp-talk.js'
import { parseSmtpUrl, type SmtpUrl } from './smtp-url.js'

const MINUTE_MS = 60_000
/**
 * As long as a mail server may take (RFC 5321, 4.5.3.2). Who ends the wait for the answer to a whole mail earlier sends
 * the mail twice: servers look for spam before they answer.
 */
const timeouts = {
  greetingTimeout: 5 * MINUTE_MS,
  // All until the end of STARTTLS. Linux needs two minutes to find out that nobody answers.
  connectionTimeout: 7 * MINUTE_MS,
  // Each answer after that. The longest time is that for the answer to a whole mail.
  socketTimeout: 10 * MINUTE_MS
}

export interface Mailer {
  /**
   * @param to one address
   * @param id the same for each try to send this mail
   * @param signal ends a delivery that takes too long
   * @throws {RecipientRefused} when the server will never accept a mail for this address
   * @throws when the server did not accept the mail, or did not confirm it
   */
  send: (to: string, letter: Letter, id: string, signal?: AbortSignal) => Promise<void>
}

/**
 * @param smtpUrl `smtp://user:password@host:587`, with STARTTLS, unless it ends in `?tls=optional` and has no password,
 * or `smtps://` for TLS from the first byte; undefined writes each mail to an .eml file in `directory` instead
 * @param appName the name of a sender that has none
 * @param publicOrigin its host is the name with which the mailer greets the server
 * @param onTalk gets each line of the talk with the server, but no secret
 */
export function createMailer ({ smtpUrl, from, appName = '', directory, publicOrigin, onTalk }: {
  smtpUrl: SmtpUrl | string | undefined
  from: string
  appName?: string
  directory: string
  publicOrigin?: string | undefined
  onTalk?: (line: string) => void
}): Mailer {
  // A container's own name has no domain. Nodemailer would then say [127.0.0.1], which some servers refuse.
  const name = greetingOf(publicOrigin)
  // As parts: nodemailer would read a colon or parenthesis of a name in its own way.
  const { name: senderName = '', address = from } = parseSender(from) ?? {}
  const server = typeof smtpUrl === 'string' ? parseSmtpUrl(smtpUrl) : smtpUrl
  const transport = server === undefined
    ? nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
    : nodemailer.createTransport({
      ...serverOptions(server), ...timeouts, ...name && { name }, ...onTalk && talkOptions(onTalk)
    })

  return {
    async send (to, letter, id, signal) {
      const mail = {
        // The same at each try, so that a mailbox shows a mail once that arrived twice.
        messageId: `<${id}@${address.slice(address.lastIndexOf('@') + 1)}>`,
        from: { name: senderName || appName, address },
        to: { name: '', address: to },
        ...letter,
        // Links stay readable, and filters count base64 against a text.
        textEncoding: 'quoted-printable' as const,
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
        ...signal && { signal }
      }
      const sent = await transport.sendMail(mail).catch(error => refuse(server ? explain(error, server) : error))
      if (server === undefined) await keep(directory, id, (sent as unknown as { message: Buffer }).message)
    }
  }
}

/** The server's permanent answer (5xx) about the one recipient of a mail. A later attempt would get the same. */
export class RecipientRefused extends Error {
  override readonly name = 'RecipientRefused'
}

type SmtpError = Error & { code?: string, command?: string, response?: string }

/** A server may answer with very much text. */
const responseTo = ({ response = '' }: SmtpError): string => response.slice(0, 1000)

/**
 * Only an answer to RCPT can mean the recipient. Servers check the sender, the greeting and the right to relay there,
 * too. An operator has to mend those, so the mail waits. An enhanced code says what is meant (RFC 3463). Without one,
 * and with an unspecific one, it is the recipient unless the words say otherwise. A full mailbox may be emptied.
 */
function refuse (error: SmtpError): never {
  const response = responseTo(error)
  const [, enhanced] = /^5\d\d.*?(?<![\d.])(5\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/.exec(response) ?? []
  const words = response.replace(/<[^>]*>|\S+@\S+/g, '')
  const saysOtherwise = /relay|prohibit|sender|helo|authenti/i.test(words)
  const isRecipient = enhanced === undefined
    ? /^55[013]/.test(response) && !saysOtherwise
    // Microsoft says 5.4.1 of a recipient that it does not know.
    : /^5\.(1\.([1-6]|10)|2\.[134])$/.test(enhanced) || (/^5\.(1\.0|4\.1)$/.test(enhanced) && !saysOtherwise)
  throw error.command === 'RCPT TO' && isRecipient ? new RecipientRefused(error.message, { cause: error }) : error
}

/**
 * A fault of the server itself, or of the way to it, so that the next mail would fail alike. `login`: it refuses the
 * login. `mail`: it answers a mail, but wants fewer of them (421, 4.7.0, Microsoft's 4.7.500 to 4.7.699), perhaps for
 * this recipient alone. `connection`: everything else, such as TLS or a refused sender.
 */
export type ServerFault = 'login' | 'mail' | 'connection'

/** @returns undefined if the server is not at fault */
export function serverFaultOf (error: unknown): ServerFault | undefined {
  const { code, command = 'API' } = error as SmtpError
  if (code === 'EAUTH') return 'login'
  if (code === 'EABORT' || !['RCPT TO', 'DATA', 'API'].includes(command)) return 'connection'
  return /^(421|4\d\d[ -]4\.7\.(0|[56]\d\d)\b)/.test(responseTo(error as SmtpError)) ? 'mail' : undefined
}

/** A host as SMTP writes it: an address is in brackets (RFC 5321, 4.1.3). */
export function greetingOf (publicOrigin: string | undefined): string | undefined {
  if (publicOrigin === undefined) return undefined
  const { hostname } = new URL(publicOrigin)
  return isIPv4(hostname) ? `[${hostname}]` : hostname.replace('[', '[IPv6:')
}

/** Writes a mail to a file. The names sort in the order of sending, and a file is complete as soon as it appears. */
async function keep (directory: string, id: string, message: Buffer): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const file = join(directory, `${new Date().toISOString().replace(/[:.]/g, '-')}-${id}.eml`)
  await writeFile(`${file}.part`, message, { mode: 0o600 })
  await rename(`${file}.part`, file)
}
