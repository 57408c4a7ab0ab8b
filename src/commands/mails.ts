import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pluralize, duration } from '../base/text.js'
import { isEmail } from '../mail/addresses.js'
import { letter } from '../mail/letters.js'
import { createMailer } from '../mail/mailer.js'
import { dropMail, retryNow, waitingMails, type WaitingMail } from '../mail/waiting-mails.js'
import { loadConfig } from '../config/load.js'
import { audit } from './audit.js'
import { confirm } from './confirmation.js'
import type { CommonFlags } from './options.js'
import { Failure, NotFound, print, printable, table, UsageError } from './output.js'
import { withDatabase } from './users/with-database.js'

const DEFAULT_LIMIT = 1000
/** A filter may take its time, but an operator is waiting. */
const TEST_MS = 60_000

export async function list ({ json, limit = DEFAULT_LIMIT }: CommonFlags & { limit?: number }): Promise<void> {
  await withDatabase(async (db) => {
    const mails = await waitingMails(db, limit)
    print(json, mails, () => mails.length === 0
      ? 'No mail waits.\n'
      : table(['id', 'kind', 'user', 'address', 'waits for', 'tries', 'next try', 'last answer'], mails.map(mail => [
        mail.id, mail.kind, mail.username ?? '-', mail.email ?? '-', ageOf(mail), mail.attempts, nextTryOf(mail),
        mail.lastFailure ?? '-'
      ])))
  })
}

export async function show ({ json }: CommonFlags, id: string): Promise<void> {
  await withDatabase(async (db) => {
    const [mail] = await waitingMails(db, 1, id)
    if (!mail) throw notWaiting(id)
    print(json, mail, () => [
      `${mail.kind} for ${nameIn(mail)}${mail.email ? `, ${mail.email}` : ''}`,
      `waits for ${ageOf(mail)}, since ${mail.createdAt.toISOString()}`,
      `tries: ${mail.attempts}, next: ${nextTryOf(mail)}`,
      `last answer: ${mail.lastFailure ?? 'none'}`
    ].join('\n') + '\n')
  })
}

export async function retry ({ json }: CommonFlags, id?: string): Promise<void> {
  await withDatabase(async (db) => {
    const mails = await retryNow(db, id)
    if (mails === 0 && id !== undefined) throw notWaiting(id)
    print(json, { retried: mails }, () => `${pluralize(mails, 'mail')} will be tried within seconds.\n`)
  })
}

export async function drop ({ json, yes }: CommonFlags & { yes?: boolean }, id: string): Promise<void> {
  await withDatabase(async (db, config) => {
    const [mail] = await waitingMails(db, 1, id)
    if (!mail) throw notWaiting(id)
    const { kind, username } = mail
    if (!yes) await confirm(`this drops the mail ${kind} for ${nameIn(mail)}`, 'nothing was dropped')
    if (!await dropMail(db, id)) throw notWaiting(id)
    const user = username === null ? null : await db.user.findUnique({ where: { username } })
    audit(config, { event: 'mail_dropped', kind, ...user && { subject: user.username, subjectId: user.id } })
    print(json, { dropped: id }, () => 'The mail is dropped.\n')
  })
}

/** Sends as the replicas do, but at once, and from this machine. It needs no database. */
export async function test (
  { json, language: code = 'en' }: CommonFlags & { language?: string }, address: string
): Promise<void> {
  if (!isEmail(address)) throw new UsageError('ADDRESS must be an address such as head.master@school.example')
  const config = loadConfig()
  const { smtpUrl, mailFrom: from, appName, publicOrigin, languages } = config
  const language = languages.get(code)
  if (!language) throw new UsageError(`--language must be ${[...languages.keys()].join(' or ')}`)
  const directory = join(config.dataDir, 'outbox')
  const talk: string[] = []
  const onTalk = (line: string): void => {
    talk.push(line)
    if (!json) process.stdout.write(`${printable(line)}\n`)
  }
  const mailer = createMailer({ smtpUrl, from, appName, directory, publicOrigin, onTalk })
  const test = letter('test', { username: '', hasPassword: true }, language, config)
  const failure = await mailer.send(address, test, randomUUID(), AbortSignal.timeout(TEST_MS))
    .then(() => undefined, (error: Error) => error.message)
  print(json, { address, from, sent: failure === undefined, ...failure && { failure }, talk }, () => {
    if (failure !== undefined) return ''
    return smtpUrl
      ? `The mail server took the mail to ${address}, from ${from}. See whether it arrives, and where.\n`
      : `SMTP_URL is not set: the mail to ${address} is a file in ${directory}.\n`
  })
  if (failure !== undefined) throw new Failure(`no mail was sent: ${printable(failure)}`)
}

const notWaiting = (id: string): NotFound =>
  new NotFound(`no mail ${id} waits, or it is being sent; see: gatehouse mails list`)

const nameIn = ({ username }: WaitingMail): string => username ?? 'a user who has not been looked up yet'

const ageOf = ({ createdAt }: WaitingMail): string => duration(Date.now() - createdAt.getTime())

function nextTryOf ({ nextTryAt }: WaitingMail): string {
  if (!nextTryAt) return 'being sent'
  const ms = nextTryAt.getTime() - Date.now()
  return ms <= 0 ? 'now' : `in ${duration(ms)}`
}
