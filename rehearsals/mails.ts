import { refuse } from '../test/fixtures/smtp.js'
import { until } from '../test/fixtures/until.js'
import { statusOf } from './clients.js'
import type { Fleet } from './fleet.js'
import type { Rehearsal } from './rehearsal.js'

/** Entries of "Mails". The mail that everyone keeps waits until tomorrow, unless all are tried at once. */
const waits = (username: string) => async ({ sql }: Fleet): Promise<boolean> => (await sql(
  `SELECT FROM mails JOIN users ON users.id = user_id WHERE due_at IS NOT NULL AND users.username = '${username}'`
)).length > 0

const idIn = (output: string, username: string): Record<string, string> =>
  ({ ID: new RegExp(`^(\\S+) .*${username.replace('.', '\\.')} `, 'm').exec(output)?.[1] ?? 'ID' })

const OLD_ADDRESS = 'pupil.12@school.example'
const NEW_ADDRESS = 'moved@school.example'

export const mails: Rehearsal[] = [
  {
    name: 'mail-dropped',
    entry: 'A mail must not be sent',
    stagedBy: 'a mail that waits, because the server says 451',
    stage: fleet => askInVain(fleet, 'pupil.13', 451, 'not now'),
    lasts: waits('pupil.13'),
    cure: ['gatehouse mails drop ID --yes'],
    shows: { 'gatehouse mails list': /pupil\.13/ },
    values: output => idIn(output, 'pupil.13'),
    recovers: 'within a second'
  },
  {
    name: 'mail-refused',
    entry: '`mail_refused`',
    stagedBy: 'a mailbox that is unknown (550 5.1.1)',
    async stage (fleet) {
      fleet.smtp.on.recipient = async (recipient) => {
        if (recipient === OLD_ADDRESS) await refuse(550, '5.1.1 no such mailbox')()
      }
      await askForMail(fleet, 'pupil.12')
    },
    lasts: async ({ smtp }) => !smtp.mails.some(({ recipients }) => recipients.includes(NEW_ADDRESS)),
    logs: ['mail_refused'],
    cure: ['gatehouse users set-email', {
      words: 'The user asks again',
      act: fleet => askForMail(fleet, 'pupil.12')
    }],
    values: () => ({ USER: 'pupil.12', ADDRESS: NEW_ADDRESS }),
    recovers: 'within 5 s'
  },
  {
    name: 'mails-delayed',
    entry: '`mail not sent yet` (`mail_delayed`) in the log',
    alert: 'GatehouseMailsWait',
    critical: true,
    stagedBy: 'a mail server that says 452 to everything, for ten minutes',
    async stage (fleet) {
      await askInVain(fleet, 'pupil.11', 452, '4.3.1 out of storage')
      // After so many tries the next one is far away.
      await until(async () => (await fleet.sql(`UPDATE mails SET created_at = now() - interval '10 minutes',
        due_at = now() + interval '15 minutes' FROM users WHERE users.id = user_id AND users.username = 'pupil.11'
        AND attempts > 0 AND claimed_until IS NULL RETURNING mails.id`)).length > 0)
    },
    lasts: waits('pupil.11'),
    logs: ['mail_delayed'],
    finds: { outbox: /not sent yet .*4\.3\.1.*gatehouse mails retry/ },
    shows: { 'gatehouse mails list': /pupil\.11 .*4\.3\.1/ },
    cure: [
      { words: 'Repair the mail server', act: async ({ smtp }) => { smtp.on = {} } },
      'gatehouse mails retry ID'
    ],
    values: output => idIn(output, 'pupil.11'),
    recovers: 'within 5 s'
  },
  {
    name: 'mails-not-permitted',
    entry: '`mail not sent yet` (`mail_delayed`) in the log',
    stagedBy: 'a mail server that says 554 5.7.1 Relay access denied',
    stage: fleet => askInVain(fleet, 'pupil.14', 554, '5.7.1 Relay access denied'),
    lasts: waits('pupil.14'),
    logs: ['mail_delayed'],
    shows: { 'gatehouse mails list': /pupil\.14 .*Relay access denied/ },
    cure: [
      { words: 'allow the replicas\' addresses there', act: async ({ smtp }) => { smtp.on = {} } },
      'gatehouse mails retry'
    ],
    recovers: 'within 5 s',
    // Everything that waits is sent.
    mayLose: /^mail /
  }
]

async function askForMail ({ ask }: Fleet, username: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  await statusOf(ask('/api/auth/forgot-password', { method: 'POST', headers, body: JSON.stringify({ username }) }))
}

/** Its next try is not within this rehearsal. */
async function askInVain (fleet: Fleet, username: string, code: number, answer: string): Promise<void> {
  fleet.smtp.on.recipient = refuse(code, answer)
  await askForMail(fleet, username)
}
