import { appendFileSync } from 'node:fs'
import pino, { type Logger } from 'pino'

/** Never in a log, wherever an object that has them is logged. */
const secret = ['password', 'newPassword', 'passwordHash', 'token', 'authorization', 'cookie', 'secret']

/** An error's other properties can hold anything: ioredis's have the command that failed, AUTH with its password too. */
function withoutExtras (error: Error): object {
  const { type, message, stack, code } = pino.stdSerializers.err(error)
  return { type, message, stack, ...code !== undefined && { code } }
}

const options = {
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { err: withoutExtras }
}

/** JSON, one object a line; for a person at a terminal, text. Secrets are left out at two levels of depth. */
export async function createLog ({ logLevel }: { logLevel: string }): Promise<Logger> {
  const redact = { paths: secret.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), remove: true }
  if (!process.stdout.isTTY) return pino({ ...options, level: logLevel, redact })
  const { default: pretty } = await import('pino-pretty')
  return pino({ ...options, level: logLevel, redact }, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss.l' }))
}

/**
 * The audit log: JSON lines at the end of a file, whatever LOG_LEVEL says. Each line opens the file by its name and is one
 * write, so several replicas may share it, it may be moved away at any time, and nothing is lost in a crash.
 *
 * @param file undefined for none
 * @param log gets an error when lines begin to be lost, and how many were when that is over
 */
export function openAuditLog (file: string | undefined, log: Pick<Logger, 'error' | 'info'>): Pick<Logger, 'info'> | undefined {
  if (file === undefined) return undefined
  let lost = 0
  return pino(options, {
    write (line) {
      try {
        // A disk that was full may have taken the beginning of a line, which must not spoil the next one.
        appendFileSync(file, lost > 0 ? `\n${line}` : line, { mode: 0o600 })
        if (lost > 0) log.info({ lost }, 'the audit log can be written again')
        lost = 0
      } catch (err) {
        if (lost++ === 0) log.error({ err }, 'the audit log cannot be written: its events are in this log alone')
      }
    }
  })
}
