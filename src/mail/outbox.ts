import { setTimeout as setTimer } from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import type { DetailsLog } from '../base/log.js'
import { watchOwnTrouble } from '../database/own-trouble.js'
import type { Mail, PrismaClient } from '../../prisma/client.js'
import { languageOf, type Wording } from '../languages/languages.js'
import { letter, letterToSeveral, type Account, type Letter } from './letters.js'
import { RecipientRefused, serverFaultOf, type Mailer, type ServerFault } from './mailer.js'
import { hasResetLink } from './account-mails.js'
import {
  AT_ONCE, claim, deleteOld, passTurn, giveUp, isAnyDue, LEASE_SECONDS, makeCurrent, markSent, pause, pauseSeconds,
  recipientOf, recordRefusal, renew, resolveRequests, resume, retryLater, setPendingToken, split, withFault,
  type ClaimedMail, type Recipient
} from './mails.js'
import { INVITATION_DAYS, RESET_TOKEN_MINUTES, resetToken, resetTokenHash } from './reset-tokens.js'

/** Longer than the slowest server may take with all steps together. A reply that never ends takes this long. */
const DELIVERY_MS = 30 * 60_000
/**
 * How long a delivery may take after the service begins to stop. A mail whose delivery ends then is sent again, perhaps
 * for the second time.
 */
const LAST_DELIVERY_MS = 5000
const RENEW_EVERY_MS = LEASE_SECONDS * 1000 / 4
const POLL_MS = 1000
const PURGE_EVERY_MS = 3_600_000
/** How many characters of a mail server's answer are logged. */
const MAX_CAUSE_LENGTH = 300

interface OutboxOptions {
  mailer: Mailer
  /**
   * The page that asks for the new password. The token is added as its fragment, which browsers never send to a server.
   */
  resetPage: URL
  /**
   * Begins an enrolment of a second factor by the token of this mail.
   *
   * @returns the page to set it up
   */
  beginEnrolment: (recipient: Recipient, token: string) => Promise<URL>
  /** See reset-tokens.ts. It may change while the service runs. */
  tokenKey: () => Buffer
  wording: Wording
  /** The issuers of OpenID providers whose users have no password, and get no links for one. */
  onlyWays?: () => readonly string[]
  /** Whether the database is reachable. While it is not, the outbox reports no trouble of its own. */
  isReachable?: () => boolean
  /** Called with the outbox's own trouble, and without an error when it is over. */
  onTrouble?: (error?: Error) => void
  /** Deletes other old rows, once an hour. */
  alsoPurge?: () => Promise<boolean>
  log: DetailsLog
}

/** What has to be recorded about a mail that the server accepted. */
interface Sent { tokenHash?: string | undefined }

/** The part of a letter that is one account's: mostly all of it. */
interface Part extends Sent { mail: ClaimedMail, recipient: Recipient }

/**
 * Sends the mails that are due, one after the other, including those of other replicas.
 *
 * @returns a function that ends it: no further delivery begins. It resolves when the current delivery has ended
 */
export function startOutbox (
  db: PrismaClient,
  {
    mailer, resetPage, beginEnrolment, tokenKey, wording, log, alsoPurge = async () => false, isReachable = () => true,
    onlyWays = () => [], onTrouble
  }: OutboxOptions
): () => Promise<void> {
  const closing = new AbortController()
  const timeUp = new AbortController()
  /** Mails that were sent, but are not yet recorded as sent in PostgreSQL. They must not be sent again. */
  const unrecorded = new Map<string, Sent>()
  const trouble = watchOwnTrouble(() => isReachable() && !closing.signal.aborted, (error) => {
    onTrouble?.(error)
    if (error) log.warn({ code: 'outbox_unavailable', err: error }, 'the outbox cannot be read: mails wait')
    else log.info({ code: 'outbox_recovered' }, 'the outbox can be read again')
  })
  let purgedAtMs = -Infinity
  /** The mail server's faults in a row that this worker has met. If it alone meets them, the others do its work. */
  let faults = 0
  let proven = false
  let restsUntilMs = -Infinity

  async function work (): Promise<void> {
    while (!closing.signal.aborted) {
      // The worker polls and never starts right after a request: the work for an existing account must not slow down
      // the next request.
      await setTimeout(POLL_MS * (0.5 + Math.random()), undefined, { signal: closing.signal }).catch(() => {})
      try {
        await sendAllDue()
        trouble.succeeded()
      } catch (error) {
        trouble.failed(error)
      }
    }
  }

  async function sendAllDue (): Promise<void> {
    for (const [id, sent] of unrecorded) await record(id, sent)
    if (closing.signal.aborted) return
    if (performance.now() - purgedAtMs > PURGE_EVERY_MS) await purge()
    if (!await isAnyDue(db)) return
    while (!closing.signal.aborted) {
      // All requests are resolved first, so that no mail waits behind requests for accounts that do not exist.
      while (await resolveRequests(db) === AT_ONCE && !closing.signal.aborted);
      if (closing.signal.aborted) return
      const claimed = await claim(db, { proven, resting: performance.now() < restsUntilMs })
      if (claimed.length === 0) return
      await deliver(claimed)
    }
  }

  /** @param claimed the mails of one letter */
  async function deliver (claimed: ClaimedMail[]): Promise<void> {
    const already = claimed.filter(({ id }) => unrecorded.has(id))
    for (const { id } of already) await record(id, unrecorded.get(id))
    if (already.length > 0) return
    const mail = claimed[0]!
    const parts = await partsOf(claimed)
    if (parts.length === 0) {
      if (mail.faults !== null) await passTurn(db)
      return
    }
    const renewing = setInterval(() => {
      for (const { mail } of parts) renew(db, mail).catch(() => {})
    }, RENEW_EVERY_MS)
    let failure: Error | undefined
    let asked = false
    try {
      const letter = await write(parts)
      asked = true
      await mailer.send(parts[0]!.recipient.email, letter, parts[0]!.mail.id, AbortSignal.any([
        timeUp.signal, AbortSignal.timeout(DELIVERY_MS)
      ]))
      for (const { mail, recipient, tokenHash } of parts) {
        unrecorded.set(mail.id, { tokenHash })
        log.info({ code: 'mail_sent', ...detailsOf(mail), userId: recipient.id }, 'mail sent')
      }
    } catch (error) {
      failure = error as Error
    } finally {
      clearInterval(renewing)
    }
    const fault = failure && !timeUp.signal.aborted ? serverFaultOf(failure) : undefined
    // A failure of the database, before the server was asked, says nothing about the server.
    const pausedUntil = asked ? await judgeServer(mail, fault) : undefined
    for (const { mail } of parts) {
      if (failure) await fail(mail, failure, fault, pausedUntil)
      else await record(mail.id, unrecorded.get(mail.id))
    }
  }

  /** Who gets no mails any more is left out. Accounts whose address has changed meanwhile get another letter. */
  async function partsOf (claimed: ClaimedMail[]): Promise<Part[]> {
    const found: Part[] = []
    for (const mail of claimed) {
      const recipient = await recipientOf(db, mail, onlyWays())
      if (recipient) found.push({ mail, recipient })
      else await db.mail.deleteMany({ where: { id: mail.id } })
    }
    const isHere = ({ recipient }: Part): boolean => recipient.email === found[0]!.recipient.email
    await split(db, found.filter(part => !isHere(part)).map(({ mail }) => mail))
    return found.filter(isHere)
  }

  /** @returns until when no replica sends mails */
  async function judgeServer (mail: ClaimedMail, fault?: ServerFault): Promise<Date | undefined> {
    proven = fault === undefined
    faults = fault ? withFault(faults, fault) : 0
    if (fault) {
      restsUntilMs = performance.now() + pauseSeconds(faults) * 1000
      return await pause(db, mail, fault)
    }
    if (mail.faults !== null) await resume(db)
    return undefined
  }

  async function fail (
    mail: ClaimedMail, error: Error, fault?: ServerFault, pausedUntil = new Date(0)
  ): Promise<void> {
    const details = { ...detailsOf(mail), cause: withoutAddresses(error.message) }
    if (error instanceof RecipientRefused && await recordRefusal(db, mail)) {
      return log.warn({ code: 'mail_refused', ...details }, 'the mail server refuses the recipient')
    }
    if (mail.overdue) {
      log.error({ code: 'mail_given_up', ...details }, 'mail given up after a day')
      return await giveUp(db, mail.id)
    }
    const dueAt = await retryLater(db, mail, details.cause, fault)
    const nextTryAt = dueAt && dueAt < pausedUntil ? pausedUntil : dueAt
    log.warn({ code: 'mail_delayed', ...details, nextTryAt }, 'mail not sent yet')
  }

  async function write (parts: Part[]): Promise<Letter> {
    const [{ mail: { kind, language: code }, recipient }] = parts as [Part]
    const language = languageOf(wording.languages, code)
    if (kind === 'second_factor') return letter(kind, await withEnrolment(parts[0]!), language, wording)
    if (!hasResetLink(kind)) return letter(kind, recipient, language, wording)
    const accounts: Account[] = []
    for (const part of parts) accounts.push(await withLink(part))
    if (accounts.length === 1) return letter(kind, accounts[0]!, language, wording)
    return letterToSeveral(accounts.sort((a, b) => a.username < b.username ? -1 : 1), language, wording)
  }

  /** Each account has a link of its own, which says nothing about the others. */
  async function withLink (part: Part): Promise<Account> {
    const { mail: { id }, recipient } = part
    const { username, email, hasPassword, tokenVersion } = recipient
    const token = resetToken(tokenKey(), { id, email, tokenVersion })
    part.tokenHash = resetTokenHash(token)!
    const minutes = hasPassword ? RESET_TOKEN_MINUTES : INVITATION_DAYS * 24 * 60
    if (!await setPendingToken(db, recipient, part.tokenHash, minutes)) throw new Error('the address was changed')
    // The page shows the username to password managers. Whoever has the link has read it in the mail already.
    const link = new URL(`#${new URLSearchParams({ token, username }).toString()}`, resetPage)
    return { username, hasPassword, link }
  }

  async function withEnrolment ({ mail: { id }, recipient }: Part): Promise<Account> {
    const link = await beginEnrolment(recipient, resetToken(tokenKey(), { ...recipient, id }))
    // The link is valid as long as one of a password, whether or not there is a password.
    return { username: recipient.username, hasPassword: true, link }
  }

  async function record (id: string, sent: Sent = {}): Promise<void> {
    // The user's row is always locked first: two replicas that lock rows in different orders would deadlock.
    if (sent.tokenHash !== undefined) await makeCurrent(db, sent.tokenHash)
    await markSent(db, id)
    unrecorded.delete(id)
  }

  async function purge (): Promise<void> {
    while (await deleteOld(db) === AT_ONCE && !closing.signal.aborted);
    while (await alsoPurge() && !closing.signal.aborted);
    purgedAtMs = performance.now()
  }

  const working = work()
  let stopped: Promise<void> | undefined
  return () => (stopped ??= stop())

  async function stop (): Promise<void> {
    closing.abort()
    const timer = setTimer(() => timeUp.abort(new Error('the service stops')), LAST_DELIVERY_MS)
    await working
    clearTimeout(timer)
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
