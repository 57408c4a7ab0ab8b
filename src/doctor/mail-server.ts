import { checkServer, type CheckFailed } from '../mail/smtp-check.js'
import type { Config } from '../config/config.js'
import { action, ok, type Checks } from './check.js'

const SEE = '; see "Mail servers" in docs/operations.md'

/**
 * What every mail needs. Whether a mail arrives, only `gatehouse mails test` shows.
 *
 * @param signal aborts when the server has to have answered
 */
export function mailServerChecks ({ smtpUrl, mailFrom, publicOrigin }: Config, signal: AbortSignal): Checks {
  if (!smtpUrl) return {}
  const where = `the mail server ${smtpUrl.host}:${smtpUrl.port}`
  return {
    'mail-server': async () => {
      try {
        await checkServer(smtpUrl, { from: mailFrom, publicOrigin, signal })
        return ok(`${where} ${smtpUrl.auth ? `lets ${smtpUrl.auth.user} in, and ` : ''}takes mails from ${mailFrom}`)
      } catch (error) {
        const { step, message } = error as CheckFailed
        return action(`${where} takes no mails: ${message}`, REMEDIES[step](smtpUrl.token !== undefined))
      }
    }
  }
}

const REMEDIES: Record<CheckFailed['step'], (token: boolean) => string> = {
  connect: () => 'see that SMTP_URL names the host as its certificate does, and the port, and that no firewall is in ' +
    `between${SEE}`,
  login: token => `correct ${token ? 'SMTP_TOKEN_URL, or the user' : 'the user and password'} in SMTP_URL${SEE}`,
  sender: () => 'set MAIL_FROM to an address that this login may send from; then: gatehouse mails test ADDRESS'
}
