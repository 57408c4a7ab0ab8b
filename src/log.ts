import { appendFileSync } from 'node:fs'
import pino, { type DestinationStream, type Logger } from 'pino'

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
  if (!process.stdout.isTTY) return pino({ ...options, level: logLevel, redact }, bufferedOutput())
  const { default: pretty } = await import('pino-pretty')
  return pino({ ...options, level: logLevel, redact }, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss.l' }))
}

/** Standard output, written at every 8 KiB, at least ten times a second, and at the end of the process. */
function bufferedOutput (): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, minLength: 8192 })
  setInterval(() => output.flushSync(), 100).unref()
  process.on('exit', () => output.flushSync())
  return output
}

/** Writes an object of ours as a line of level info, after the time. It must hold no secret, for none is looked for. */
export type LineWriter = (line: object, message: string) => void

/**
 * Lines of the log whose fields are known. The search for secrets, and a child logger, cost ten times as much as such a
 * line does.
 */
export function lineWriter (log: Pick<Logger, 'isLevelEnabled'>): LineWriter {
  const { [pino.symbols.streamSym]: stream } = log as unknown as Record<symbol, { write: (line: string) => void }>
  return (line, message) => {
    if (!log.isLevelEnabled('info')) return
    stream!.write(`{"level":30,"time":"${new Date().toISOString()}",${JSON.stringify(line).slice(1, -1)},"msg":"${message}"}\n`)
  }
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
