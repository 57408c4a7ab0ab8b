import { existsSync } from 'node:fs'
import { openAuditLog } from '../base/audit-log.js'
import { pluralize } from '../base/text.js'
import type { Config } from '../config/config.js'
import { currentOperator } from './operator.js'

/** What an operator did. If it changed an account, `before` and `after` hold the changed fields. */
export interface Action {
  event: string
  /** The account, by its name and number. */
  subject?: string
  subjectId?: number
  before?: object
  after?: object
  [member: string]: unknown
}

/**
 * Adds an operator's actions to AUDIT_LOG, if the service has made the file, which has its owner. If it has not, or the
 * file cannot be written, standard error says so.
 */
export function audit ({ auditLog }: Pick<Config, 'auditLog'>, ...actions: Action[]): void {
  if (auditLog === undefined || actions.length === 0) return
  let fault: string | undefined
  if (existsSync(auditLog)) {
    const error = ({ err }: { err: Error }): void => { fault ??= err.message }
    const log = openAuditLog(auditLog, { error, info: () => {} } as never)
    for (const action of actions) log?.info({ ...action, actor: currentOperator() }, 'operator')
    log?.close()
  } else {
    fault = `there is no file ${auditLog}, which the service makes`
  }
  if (fault === undefined) return
  const [{ event, subject }] = actions as [Action]
  const what = actions.length > 1 ? pluralize(actions.length, 'event') : `${event}${subject ? ` of ${subject}` : ''}`
  process.stderr.write(`gatehouse: this is done, but AUDIT_LOG lacks it (${what}): ${fault}\n`)
}
