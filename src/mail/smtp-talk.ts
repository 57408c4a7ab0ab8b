import { format } from 'node:util'
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'

const COMMAND = /^(EHLO|HELO|STARTTLS|AUTH|MAIL|RCPT|DATA|RSET|QUIT)\b/

/**
 * Nodemailer's options for the lines of a talk: `>` what is sent, `<` what the server answers, `*` what happens. What
 * a login sends is not shown.
 */
export function talkOptions (
  onTalk: (line: string) => void
): Required<Pick<SMTPConnectionOptions, 'transactionLog' | 'logger'>> {
  const debug = ({ tnx }: { tnx?: string }, text = ''): void => {
    if (tnx === 'server') text.split(/\r?\n/).forEach(line => onTalk(`< ${line}`))
    if (tnx === 'client') onTalk(`> ${COMMAND.test(text) ? text.replace(/^(AUTH \S+) .*/, '$1 …') : '…'}`)
  }
  const info = ({ tnx }: { tnx?: string }, text = '', ...values: unknown[]): void => {
    if (tnx === 'network' || tnx === 'smtp') onTalk(`* ${format(text, ...values)}`)
  }
  return { transactionLog: true, logger: { debug, info } }
}
