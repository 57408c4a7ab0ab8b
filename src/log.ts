import { appendFileSync, closeSync, constants, fstatSync, openSync, statSync } from 'node:fs'
import pino, { type Logger } from 'pino'
import { isoNow } from './iso-time.js'

/** Never in a log, wherever an object that has them is logged. */
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

/** Those of a cause are part of its error's, and may quote a server that says more than anyone wants to read. */
const [MAX_MESSAGE_LENGTH, MAX_STACK_LENGTH] = [2000, 10_000]

const upTo = (length: number, text: string): string => text.length <= length ? text : `${text.slice(0, length)}…`

const options = {
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { err: withoutExtras }
}

/** JSON, one object a line; for a person at a terminal, text. Secrets are left out at two levels of depth. */
export async function createLog ({ logLevel }: { logLevel: string }): Promise<Logger> {
  const redact = { paths: secret.flatMap(name => [name, `*.${name}`, `*.*.${name}`]), remove: true }
  if (!process.stdout.isTTY) return pino({ ...options, level: logLevel, redact }, standardOutput())
  const { default: pretty } = await import('pino-pretty')
  return pino({ ...options, level: logLevel, redact }, pretty({ sync: true, translateTime: 'SYS:HH:MM:ss.l' }))
}

/** Where lines go. */
interface Destination {
  /** Writes the line at once, after all that waited. */
  write: (line: string) => void
  /** Writes the line together with others, a moment later. */
  writeSoon?: (line: string) => void
}

/** A line of many may wait so long, or until there is so much to write, in characters. */
const WAIT_MS = 100
const WAITING_LENGTH = 8192

/** What waits for a reader that has stalled: in memory, and once the process is about to end. */
const MAX_UNREAD_BYTES = 16 * 1024 * 1024
const LAST_LINES_MS = 1000

/**
 * A write costs as much as everything else about a request's line, so lines of requests share one. There is no
 * `flushSync`: pino would call it after a fatal line, and it would wait for the reader.
 */
function standardOutput (): Required<Destination> {
  let waiting = ''
  let timer: NodeJS.Timeout | undefined
  let giveUpAtMs = Infinity
  let lost = 0

  function flush (): void {
    clearTimeout(timer)
    timer = undefined
    if (waiting === '') return
    const lines = waiting
    waiting = ''
    stream.write(lines)
  }

  // Before pino's own listener, which tries again without end.
  process.on('exit', () => {
    giveUpAtMs = performance.now() + LAST_LINES_MS
    try {
      flush()
      stream.flushSync()
    } catch {
      // The reader has stalled.
    }
    stream.destroy()
  })
  const stream = pino.destination({
    dest: 1, maxLength: MAX_UNREAD_BYTES, retryEAGAIN: () => performance.now() < giveUpAtMs
  })
  stream.on('drop', (lines: string) => { lost += lines.split('\n').length - 1 })
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
      waiting += line
      flush()
    },
    writeSoon (line) {
      waiting += line
      if (waiting.length >= WAITING_LENGTH) flush()
      else timer ??= setTimeout(flush, WAIT_MS).unref()
    }
  }
}

/**
 * Writes a line of level info, after the time.
 *
 * @param fields members of a JSON object of ours. They must hold no secret, for none is looked for
 * @param urgent it does not wait for others
 */
export type LineWriter = (fields: string, message: string, urgent: boolean) => void

/**
 * Lines of the log whose fields are known. The search for secrets, and a child logger, cost ten times as much as such a
 * line does.
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

const LOST = 'the audit log cannot be written: its events are in this log alone'
const MISPLACED = 'the audit log cannot be written under its name: its events go to the file that was moved away'

/** The flags of `a`, and a FIFO without a reader is an error at once, where the event loop would wait for one. */
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NONBLOCK

/** A sink of JSON lines that are never lost while the disk has room. */
export interface AuditLog extends Pick<Logger, 'info'> {
  close: () => void
}

/**
 * The audit log: JSON lines at the end of a file, whatever LOG_LEVEL says. Each line is one write, so several replicas
 * may share the file, and nothing is lost in a crash. The file stays open, so that a process without a free file
 * descriptor can still write. It may be moved away at any time: before each line, a check that needs no descriptor
 * finds the file that has the name now. If that file cannot be opened, lines still go to the file that was moved away.
 *
 * @param file undefined for none
 * @param log gets an error when lines begin to be lost or misplaced, and how many were lost when that is over
 */
export function openAuditLog (file: string | undefined, log: Pick<Logger, 'error' | 'info'>): AuditLog | undefined {
  if (file === undefined) return undefined
  let fd: number | undefined
  let lost = 0
  /** The disk may have taken the beginning of a line, which must not spoil the next one. */
  let torn = false
  let trouble: string | undefined

  function close (): void {
    if (fd !== undefined) closeSync(fd)
    fd = undefined
  }

  /** Opens what has the name now, if that is another file than the one that is open. */
  function follow (name: string): void {
    if (fd !== undefined) {
      const open = fstatSync(fd)
      const named = statSync(name, { throwIfNoEntry: false })
      if (named?.ino === open.ino && named.dev === open.dev) return
      // Nobody can read a file that was removed, and its descriptor may be the only one to be had.
      if (open.nlink === 0) close()
    }
    const next = openSync(name, APPEND, 0o600)
    if (fstatSync(next).isFIFO()) {
      closeSync(next)
      throw new Error(`${name} is no file`)
    }
    close()
    fd = next
  }

  function tell (err: unknown, message: string): void {
    if (message !== trouble) log.error({ code: 'audit_log_unavailable', err }, message)
    trouble = message
  }

  function followIfPossible (name: string): boolean {
    try {
      follow(name)
      return true
    } catch (err) {
      if (fd === undefined) throw err
      tell(err, MISPLACED)
      return false
    }
  }

  function append (line: string): void {
    const text = torn ? `\n${line}` : line
    torn = true
    appendFileSync(fd!, text)
    torn = false
  }

  function write (line: string): void {
    try {
      const followed = followIfPossible(file!)
      append(line)
      if (!followed || trouble === undefined) return
      log.info({ code: 'audit_log_recovered', lost }, 'the audit log can be written again')
      lost = 0
      trouble = undefined
    } catch (err) {
      lost++
      tell(err, LOST)
    }
  }

  try {
    follow(file)
  } catch {
    // The first event reports it.
  }
  return Object.assign(pino(options, { write }), { close })
}
