import pino, { type Logger } from 'pino'
import { isoNow } from './iso-time.js'
import { standardOutput, type Destination } from './standard-output.js'

/** The part of pino's interface that code outside the plugins needs for its few kinds of lines. */
export interface DetailsLog {
  info: (details: object, message: string) => void
  warn: (details: object, message: string) => void
  error: (details: object, message: string) => void
}

/** Members that are removed from every logged object. */
const secret = ['password', 'newPassword', 'passwordHash', 'token', 'authorization', 'cookie', 'secret']

/** An error's other properties can hold anything: ioredis adds the failed command, even AUTH with its password. */
function withoutExtras (error: Error): object {
  const { type, message, stack, code } = pino.stdSerializers.err(error)
  return {
    type,
    message: upTo(MAX_MESSAGE_LENGTH, message),
    stack: upTo(MAX_STACK_LENGTH, stack),
    ...code !== undefined && { code }
  }
}

/** The limits apply to an error together with its causes, which may quote very long messages of another server. */
const [MAX_MESSAGE_LENGTH, MAX_STACK_LENGTH] = [2000, 10_000]

const upTo = (length: number, text: string): string => text.length <= length ? text : `${text.slice(0, length)}…`

/** How the lines of all logs look. */
export const lineOptions = {
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { err: withoutExtras }
}

/**
 * The log: one JSON object per line, or text at a terminal. Secrets are removed from an object and two levels below it.
 */
export async function createLog ({ logLevel }: { logLevel: string }): Promise<Logger> {
  const redact = { paths: secret.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), remove: true }
  const output = standardOutput()
  if (!process.stdout.isTTY) return pino({ ...lineOptions, level: logLevel, redact }, output)
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({ translateTime: 'SYS:HH:MM:ss.l' })
  return pino({ ...lineOptions, level: logLevel, redact }, { write: (line: string) => output.write(pretty(line)) })
}

/**
 * Writes a line of level info, after the time.
 *
 * @param fields members of a JSON object. They must not contain a secret, because secrets are not removed here
 * @param urgent whether the line is written at once
 */
type LineWriter = (fields: string, message: string, urgent: boolean) => void

/**
 * Writes log lines whose fields are known. Removing secrets and using a child logger would make such a line ten times
 * as expensive.
 */
export function lineWriter (log: Pick<Logger, 'isLevelEnabled'>): LineWriter {
  const { [pino.symbols.streamSym]: stream } = log as unknown as Record<symbol, Destination>
  return (fields, message, urgent) => {
    if (!log.isLevelEnabled('info')) return
    const line = `{"level":30,"time":"${isoNow()}",${fields},"msg":"${message}"}\n`
    if (urgent || !stream!.writeSoon) stream!.write(line)
    else stream!.writeSoon(line)
  }
}
