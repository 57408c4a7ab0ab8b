import { existsSync } from 'node:fs'
import { openAuditLog } from '../base/log.js'
import type { Config } from '../config/config.js'

/** Adds an operator's action to AUDIT_LOG, if the service has made the file, which has its owner. */
export function audit (
  { auditLog }: Pick<Config, 'auditLog'>, event: { event: string, actor: string, [member: string]: unknown }
): void {
  if (auditLog === undefined || !existsSync(auditLog)) return
  const error = ({ err }: { err: Error }, message: string): void => {
    process.stderr.write(`gatehouse: ${message} ${err.message}\n`)
  }
  const log = openAuditLog(auditLog, { error, info: () => {} } as never)
  log?.info(event, 'operator')
  log?.close()
}
