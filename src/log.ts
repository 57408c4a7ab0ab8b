import pino, { type Logger } from 'pino'

/** Never in a log, wherever an object that has them is logged. */
const secret = ['password', 'newPassword', 'passwordHash', 'token', 'authorization', 'cookie', 'secret']

/** An error's other properties can hold anything: ioredis's have the command that failed, AUTH with its password too. */
function withoutExtras (error: Error): object {
  const { type, message, stack, code } = pino.stdSerializers.err(error)
  return { type, message, stack, ...code !== undefined && { code } }
}

/** JSON, one object a line; for a person at a terminal, text. Secrets are left out at two levels of depth. */
export async function createLog ({ logLevel }: { logLevel: string }): Promise<Logger> {
  const options = {
    level: logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: withoutExtras },
    redact: { paths: secret.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), remove: true }
  }
  if (!process.stdout.isTTY) return pino(options)
  const { default: pretty } = await import('pino-pretty')
  return pino(options, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss.l' }))
}
