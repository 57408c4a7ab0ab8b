import { action, ok } from '../base/finding.js'
import { checkServer, type CheckFailed } from '../mail/smtp-check.js'
import { timed, type Checks, type Deployment } from './run-checks.js'

const SEE = '; see "Mail servers" in docs/operations.md'

/** Connects and logs in to the mail server. Only `gatehouse mails test` shows whether a mail arrives. */
export function mailServerChecks ({ config, timeUp }: Pick<Deployment, 'config' | 'timeUp'>): Checks {
  const { smtpUrl, mailFrom: from, publicOrigin } = config
  if (!smtpUrl) return {}
  const where = `the mail server ${smtpUrl.host}:${smtpUrl.port}`
  return {
    'mail-server': async () => {
      const { error } = await timed(() => checkServer(smtpUrl, { from, publicOrigin, signal: timeUp }))
      const login = smtpUrl.auth ? `lets ${smtpUrl.auth.user} in, and ` : ''
      if (!error) return ok(`${where} ${login}takes mails from ${from}`)
      const { step, message } = error as CheckFailed
      return action(`${where} takes no mails: ${message}`, REMEDIES[step](smtpUrl.token !== undefined))
    }
  }
}

const REMEDIES: Record<CheckFailed['step'], (token: boolean) => string> = {
  connect: () => 'see that SMTP_URL names the host as its certificate does, and the port, and that no firewall is in ' +
    `between${SEE}`,
  login: token => `correct ${token ? 'SMTP_TOKEN_URL, or the user' : 'the user and password'} in SMTP_URL${SEE}`,
  sender: () => 'set MAIL_FROM to an address that this login may send from; then: gatehouse mails test ADDRESS'
}
