import { appendFileSync, closeSync, fstatSync, openSync, statSync } from 'node:fs'
import pino, { type Logger } from 'pino'
import { isoNow } from './iso-time.js'

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

const options = {
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { err: withoutExtras }
}

/**
 * The log: one JSON object per line, or text at a terminal. Secrets are removed from an object and two levels below it.
 */
export async function createLog ({ logLevel }: { logLevel: string }): Promise<Logger> {
  const redact = { paths: secret.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), remove: true }
  if (!process.stdout.isTTY) return pino({ ...options, level: logLevel, redact }, standardOutput())
  const { default: pretty } = await import('pino-pretty')
  return pino({ ...options, level: logLevel, redact }, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss.l' }))
}

/** Where lines go. */
interface Destination {
  /** Writes the line at once, after all waiting lines. */
  write: (line: string) => void
  /** Writes the line together with others, a moment later. */
  writeSoon?: (line: string) => void
}

/** A batched line waits at most this long, or until this many bytes wait. */
const WAIT_MS = 100
const WAITING_BYTES = 8192

/** The limits for a stalled reader: how much waits for it in memory, and how long the process waits at its end. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024
const LAST_LINES_MS = 1000

/**
 * A write costs as much as everything else about a request's line, so several such lines share one write. There is
 * no `flushSync`: pino would call it after a fatal line, and then wait for the reader.
 */
function standardOutput (): Required<Destination> {
  let giveUpAtMs = Infinity
  let lost = 0

  // This has to run before pino's own listener, which retries forever.
  process.on('exit', () => {
    giveUpAtMs = performance.now() + LAST_LINES_MS
    try {
      stream.flushSync()
    } catch {
      // The reader has stalled, so the rest is lost.
    }
    stream.destroy()
  })
  const stream = pino.destination({
    dest: 1,
    minLength: WAITING_BYTES,
    periodicFlush: WAIT_MS,
    maxLength: MAX_UNREAD_BYTES,
    retryEAGAIN: () => performance.now() < giveUpAtMs
  })
  stream.on('drop', () => { lost++ })
  stream.on('drain', () => {
    if (lost === 0) return
    stream.write(
      `{"level":40,"time":"${new Date().toISOString()}","code":"log_lines_lost","lost":${lost},` +
      '"msg":"the log was not read: lines were lost"}\n'
    )
    lost = 0
  })
  return {
    write (line) {
      stream.write(line)
      stream.flush()
    },
    writeSoon: line => stream.write(line)
  }
}

/**
 * Writes a line of level info, after the time.
 *
 * @param fields members of a JSON object. They must not contain a secret, because secrets are not removed here
 * @param urgent whether the line is written at once
 */
export type LineWriter = (fields: string, message: string, urgent: boolean) => void

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

const UNAVAILABLE = 'the audit log cannot be written under its name: its events are in this log, and in the file ' +
  'that was moved away if there is one'

/** A sink for JSON lines that loses none while the disk has room. */
export interface AuditLog extends Pick<Logger, 'info'> {
  close: () => void
}

/**
 * The audit log: JSON lines at the end of a file, whatever LOG_LEVEL says. Each line is one write, so several replicas
 * may share the file, and nothing is lost in a crash. The file stays open, so that clients who take all file
 * descriptors cannot keep an event out of it. It may be moved away at any time: `stat` needs no descriptor.
 *
 * @param log gets an error when lines begin to be lost or misplaced, and the number of lost lines when that is over
 */
export function openAuditLog (file: string | undefined, log: Pick<Logger, 'error' | 'info'>): AuditLog | undefined {
  if (file === undefined) return undefined
  let fd: number | undefined
  let lost = 0
  let failing = false

  function close (): void {
    if (fd !== undefined) closeSync(fd)
    fd = undefined
  }

  /** Opens the file that has the name now, unless it is already open. */
  function follow (name: string): void {
    const named = statSync(name, { throwIfNoEntry: false })
    const open = fd === undefined ? undefined : fstatSync(fd)
    if (open && named?.ino === open.ino && named.dev === open.dev) return
    const next = openSync(name, 'a', 0o600)
    close()
    fd = next
  }

  function write (line: string): void {
    const misplaced = attempt(() => follow(file!))
    // The disk may have taken the beginning of a lost line.
    const unwritten = attempt(() => appendFileSync(fd!, lost > 0 ? `\n${line}` : line))
    if (unwritten) lost++
    const err = misplaced ?? unwritten
    if (err && !failing) log.error({ code: 'audit_log_unavailable', err }, UNAVAILABLE)
    if (!err && failing) {
      log.info({ code: 'audit_log_recovered', lost }, 'the audit log can be written again')
      lost = 0
    }
    failing = err !== undefined
  }

  // The first event reports an error.
  attempt(() => follow(file))
  return Object.assign(pino(options, { write }), { close })
}

function attempt (act: () => void): unknown {
  try {
    act()
    return undefined
  } catch (error) {
    return error
  }
}
