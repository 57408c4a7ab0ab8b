import { mkdir, rename, writeFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'
import { join } from 'node:path'
import nodemailer from 'nodemailer'
import type { Letter } from './letters.js'
import { parseSender } from './rules.js'
import { explain, serverOptions } from './smtp-login.js'
import { talkOptions } from './smtp-talk.js'
import { parseSmtpUrl, type SmtpUrl } from './smtp-url.js'

const STEP_TIMEOUT_MS = 10_000
const timeouts = {
  dnsTimeout: STEP_TIMEOUT_MS,
  connectionTimeout: STEP_TIMEOUT_MS,
  greetingTimeout: STEP_TIMEOUT_MS,
  socketTimeout: STEP_TIMEOUT_MS
}

export interface Mailer {
  /**
   * @param to one address
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

/**
 * Servers check the sender, the greeting and the right to relay at RCPT, too. An operator has to mend those, so the
 * mail waits. An enhanced code says what is meant (RFC 3463): the recipient's address or mailbox. Without one, only
 * RCPT can mean the recipient, unless the words say otherwise.
 */
function refuse (error: Error & { command?: string, response?: string }): never {
  const { command, message } = error
  // A server may answer with very much text.
  const response = (error.response ?? '').slice(0, 1000)
  const [, enhanced] = /^5\d\d.*?\b(5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []
  const words = response.replace(/<[^>]*>|\S+@\S+/g, '')
  const isPermanent = enhanced === undefined
    ? command === 'RCPT TO' && /^55[0-3]/.test(response) && !/relay|prohibit|sender|helo|authenti/i.test(words)
    : /^5\.(1\.([0-6]|10)|2\.\d+)$/.test(enhanced)
  throw isPermanent ? new RecipientRefused(message, { cause: error }) : error
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
