import { appendFileSync, closeSync, fstatSync, openSync, statSync, writeSync } from 'node:fs'
import pino, { type Logger } from 'pino'
import { isoNow } from './iso-time.js'

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
  const output = standardOutput()
  if (!process.stdout.isTTY) return pino({ ...options, level: logLevel, redact }, output)
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({ translateTime: 'SYS:HH:MM:ss.l' })
  return pino({ ...options, level: logLevel, redact }, { write: (line: string) => output.write(pretty(line)) })
}

/** Where lines go. */
interface Destination {
  /** Writes the line at once, after all waiting lines. */
  write: (line: string) => void
  /** Writes the line together with others, a moment later. */
  writeSoon?: (line: string) => void
}

/** How many lines were not written since the start of the process. */
export const lostLines = { output: 0, audit: 0 }

/** A batched line waits at most this long, or until so many characters wait. What failed is tried again as often. */
const WAIT_MS = 100
const BATCH_LENGTH = 8192

/** How many characters wait while the reader or the disk takes none, and how long the process waits at its end. */
const MAX_WAITING_LENGTH = 16 * 1024 * 1024
const LAST_LINES_MS = 1000

const STDOUT = 1

/**
 * A write costs as much as everything else about a request's line, so several such lines share one write. An error ends
 * nothing: the disk may get room again, and a pipe another reader. Until then lines wait. There is no `flushSync`: pino
 * would call it after a fatal line, and then wait for the reader.
 */
function standardOutput (): Required<Destination> {
  let waiting = ''
  let unwritten: Buffer = Buffer.alloc(0)
  let dropped = 0
  let timer: NodeJS.Timeout | undefined

  function add (line: string): void {
    if (waiting.length + unwritten.length + line.length <= MAX_WAITING_LENGTH) {
      waiting += line
    } else {
      dropped++
      lostLines.output++
    }
  }

  function takeWaiting (): void {
    if (unwritten.length > 0) return
    unwritten = Buffer.from(waiting)
    waiting = ''
  }

  function flush (): void {
    clearTimeout(timer)
    timer = undefined
    try {
      for (takeWaiting(); unwritten.length > 0; takeWaiting()) {
        unwritten = unwritten.subarray(writeSync(STDOUT, unwritten))
        if (dropped > 0 && unwritten.length === 0) tellDropped()
      }
    } catch {
      flushSoon()
    }
  }

  function flushSoon (): void {
    timer ??= setTimeout(flush, WAIT_MS).unref()
  }

  function tellDropped (): void {
    waiting += `{"level":40,"time":"${new Date().toISOString()}","code":"log_lines_lost","lost":${dropped},` +
      '"msg":"standard output took no lines for a while: some are lost"}\n'
    dropped = 0
  }

  process.on('exit', () => {
    const giveUpAtMs = performance.now() + LAST_LINES_MS
    for (takeWaiting(); unwritten.length > 0; takeWaiting()) {
      try {
        unwritten = unwritten.subarray(writeSync(STDOUT, unwritten))
      } catch (error) {
        // Only a reader that is slow is worth waiting for.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() > giveUpAtMs) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LAST_LINES_MS / 200)
      }
    }
  })

  return {
    write (line) {
      add(line)
      flush()
    },
    writeSoon (line) {
      add(line)
      if (waiting.length >= BATCH_LENGTH) flush()
      else flushSoon()
    }
  }
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

const UNAVAILABLE = 'the audit log cannot be written under its name: its events are in this log, and in the file ' +
  'that was moved away if there is one'

/** A sink for JSON lines that loses none while the disk has room. */
interface AuditLog extends Pick<Logger, 'info'> {
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
    const before = fd
    fd = next
    if (before !== undefined) closeSync(before)
  }

  function write (line: string): void {
    const misplaced = attempt(() => follow(file!))
    const unwritten = attempt(() => {
      // The disk may have taken the beginning of a lost line.
      appendFileSync(fd!, lost > 0 ? `\n${line}` : line)
      // Nobody can read a file without a name.
      if (misplaced && fstatSync(fd!).nlink === 0) throw misplaced
    })
    if (unwritten) {
      lost++
      lostLines.audit++
    }
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
