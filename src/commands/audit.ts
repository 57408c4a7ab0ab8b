import { existsSync } from 'node:fs'
import { openAuditLog } from '../base/log.js'
import type { Config } from '../config/config.js'

/** Adds an event to the audit log, if the service has made the file: it has the service's owner. */
export function audit ({ auditLog }: Config, event: object): void {
  if (auditLog === undefined || !existsSync(auditLog)) return
  const error = ({ err }: { err: Error }, message: string): void => {
    process.stderr.write(`gatehouse: ${message} ${err.message}\n`)
  }
  const log = openAuditLog(auditLog, { error, info: () => {} } as never)
  log?.info(event, 'operator')
  log?.close()
}
