import type { DetailsLog } from '../base/log.js'
import type { Wording } from '../languages/languages.js'
import type { Mail, PrismaClient } from '../../prisma/client.js'
import { hasResetLink } from './account-mails.js'
import { writeLetter, type Links, type Part } from './letter-writer.js'
import { MailServer, passTurn } from './mail-server.js'
import { RecipientRefused, serverFaultOf, type Mailer, type ServerFault } from './mailer.js'
import {
  giveUp, LEASE_SECONDS, markSent, recipientOf, recordRefusal, renew, retryLater, split, type ClaimedMail,
  type HasNoPasswordLogin
} from './mails.js'
import { linkToken } from './link-tokens.js'

/** Longer than the slowest server may take with all steps together. A reply that never ends takes this long. */
const DELIVERY_MS = 30 * 60_000
const RENEW_EVERY_MS = LEASE_SECONDS * 1000 / 4
/** How many characters of a mail server's answer are logged. */
const MAX_CAUSE_LENGTH = 300

export interface DeliveryOptions {
  mailer: Mailer
  links: Links
  /** See link-tokens.ts. It may change while the service runs. */
  tokenKey: () => Buffer
  wording: Wording
  /** Who gets no links for a password. */
  hasNoPasswordLogin: HasNoPasswordLogin
  log: DetailsLog
}

/** Sends letters, one after the other, and records what became of their mails. */
export class Delivery {
  readonly #db: PrismaClient
  readonly #options: DeliveryOptions
  readonly #timeUp: AbortSignal
  /** What was sent, but is not yet recorded as sent in PostgreSQL. It must not be sent again. By the mail's id. */
  readonly #unrecorded = new Map<string, Part>()
  readonly server: MailServer

  /** @param timeUp ends a delivery, because the service stops */
  constructor (db: PrismaClient, options: DeliveryOptions, timeUp: AbortSignal) {
    this.#db = db
    this.#options = options
    this.#timeUp = timeUp
    this.server = new MailServer(db)
  }

  /** Records what could not be recorded while PostgreSQL was away. */
  async recordSent (): Promise<void> {
    for (const part of this.#unrecorded.values()) await this.#record(part)
  }

  /** @param claimed the mails of one letter */
  async deliver (claimed: ClaimedMail[]): Promise<void> {
    const already = claimed.flatMap(({ id }) => this.#unrecorded.get(id) ?? [])
    for (const part of already) await this.#record(part)
    if (already.length > 0) return
    const { faults } = claimed[0]!
    const parts = await this.#partsOf(claimed)
    if (parts.length === 0) {
      if (faults !== null) await passTurn(this.#db)
      return
    }
    const { failure, asked } = await this.#send(parts)
    const fault = failure && !this.#timeUp.aborted ? serverFaultOf(failure) : undefined
    // A failure of the database, before the server was asked, says nothing about the server.
    const pausedUntil = asked ? await this.server.judge(faults, fault) : undefined
    for (const part of parts) {
      if (failure) await this.#fail(part.mail, failure, fault, pausedUntil)
      else await this.#record(part)
    }
  }

  /** Who gets no mails any more is left out. Accounts whose address has changed meanwhile get another letter. */
  async #partsOf (claimed: ClaimedMail[]): Promise<Part[]> {
    const { hasNoPasswordLogin, tokenKey } = this.#options
    const found: Part[] = []
    for (const mail of claimed) {
      const recipient = await recipientOf(this.#db, mail, hasNoPasswordLogin)
      if (recipient) found.push({ mail, recipient, token: linkToken(tokenKey(), { ...recipient, id: mail.id }) })
      else await this.#db.mail.deleteMany({ where: { id: mail.id } })
    }
    const isHere = ({ recipient }: Part): boolean => recipient.email === found[0]!.recipient.email
    await split(this.#db, found.filter(part => !isHere(part)).map(({ mail }) => mail))
    return found.filter(isHere)
  }

  /** @returns why it was not sent, and whether the mail server was asked */
  async #send (parts: Part[]): Promise<{ failure?: Error, asked: boolean }> {
    const { mailer, links, wording, log } = this.#options
    const renewing = setInterval(() => {
      for (const { mail } of parts) renew(this.#db, mail).catch(() => {})
    }, RENEW_EVERY_MS)
    let asked = false
    try {
      const letter = await writeLetter(parts, links, wording)
      const { mail, recipient } = parts[0]!
      asked = true
      const signal = AbortSignal.any([this.#timeUp, AbortSignal.timeout(DELIVERY_MS)])
      await mailer.send(recipient.email, letter, mail.id, signal)
    } catch (error) {
      return { failure: error as Error, asked }
    } finally {
      clearInterval(renewing)
    }
    for (const part of parts) {
      this.#unrecorded.set(part.mail.id, part)
      log.info({ code: 'mail_sent', ...detailsOf(part.mail), userId: part.recipient.id }, 'mail sent')
    }
    return { asked }
  }

  async #record (part: Part): Promise<void> {
    const { id, kind } = part.mail
    // The user's row is always locked first: two replicas that lock rows in different orders would deadlock.
    if (hasResetLink(kind)) await this.#options.links.confirmReset(part.token)
    await markSent(this.#db, id)
    this.#unrecorded.delete(id)
  }

  async #fail (
    mail: ClaimedMail, error: Error, fault?: ServerFault, pausedUntil = new Date(0)
  ): Promise<void> {
    const { log } = this.#options
    const details = { ...detailsOf(mail), cause: withoutAddresses(error.message) }
    if (error instanceof RecipientRefused && await recordRefusal(this.#db, mail)) {
      return log.warn({ code: 'mail_refused', ...details }, 'the mail server refuses the recipient')
    }
    if (mail.overdue) {
      log.error({ code: 'mail_given_up', ...details }, 'mail given up after a day')
      return await giveUp(this.#db, mail.id)
    }
    const dueAt = await retryLater(this.#db, mail, details.cause, fault)
    const nextTryAt = dueAt && dueAt < pausedUntil ? pausedUntil : dueAt
    log.warn({ code: 'mail_delayed', ...details, nextTryAt }, 'mail not sent yet')
  }
}

const detailsOf = ({ id, kind, requestId, attempts }: Mail): object =>
  ({ mail: id, kind, requestId, attempt: attempts })

/** A mail server's answer may quote the recipient, and may have any length. */
function withoutAddresses (message: string): string {
  // The last word of a shortened text may be the beginning of an address.
  const shown = message.length <= MAX_CAUSE_LENGTH
    ? message
    : `${message.slice(0, MAX_CAUSE_LENGTH).replace(/[^\s<>"'(),;:]+$/, '')}…`
  return shown.replace(/[^\s<>"'(),;:]+@[^\s<>"'(),;:]+/g, '(address)')
}
