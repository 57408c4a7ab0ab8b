import { dropMail, retryNow, waitingMails, type WaitingMail } from '../auth/waiting-mails.js'
import { duration } from '../doctor/check.js'
import { audit } from './audit.js'
import { mustBeSure } from './confirmation.js'
import type { Options } from './options.js'
import { count, NotFound, print, table, UsageError } from './outcome.js'
import { withDatabase } from './users/database.js'

const DEFAULT_LIMIT = 1000

export async function list (_args: string[], { json, limit = String(DEFAULT_LIMIT) }: Options): Promise<void> {
  if (!/^[1-9]\d{0,5}$/.test(limit)) throw new UsageError('--limit must be a whole number from 1 to 999999')
  await withDatabase(async (db) => {
    const mails = await waitingMails(db, Number(limit))
    print(json, mails, () => mails.length === 0
      ? 'No mail waits.\n'
      : table(['id', 'kind', 'user', 'address', 'waits for', 'tries', 'next try', 'last answer'], mails.map(mail => [
        mail.id, mail.kind, mail.username ?? '-', mail.email ?? '-', ageOf(mail), mail.attempts, nextTryOf(mail),
        mail.lastFailure ?? '-'
      ])))
  })
}

export async function show ([id = '']: string[], { json }: Options): Promise<void> {
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

export async function retry ([id]: string[], { json }: Options): Promise<void> {
  await withDatabase(async (db) => {
    const mails = await retryNow(db, id)
    if (mails === 0 && id !== undefined) throw notWaiting(id)
    print(json, { retried: mails }, () => `${count(mails, 'mail')} will be tried within seconds.\n`)
  })
}

export async function drop ([id = '']: string[], { json, yes }: Options): Promise<void> {
  await withDatabase(async (db, config) => {
    const [mail] = await waitingMails(db, 1, id)
    if (!mail) throw notWaiting(id)
    const { kind, username } = mail
    if (!yes) await mustBeSure(`this drops the mail ${kind} for ${nameIn(mail)}`, 'nothing was dropped')
    if (!await dropMail(db, id)) throw notWaiting(id)
    const user = username === null ? null : await db.user.findUnique({ where: { username } })
    audit(config, { event: 'mail_dropped', kind, ...user && { subject: user.username, subjectId: user.id } })
    print(json, { dropped: id }, () => 'The mail is dropped.\n')
  })
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
