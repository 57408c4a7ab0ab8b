import { appendFileSync, closeSync, fstatSync, openSync, statSync } from 'node:fs'
import pino, { type Logger } from 'pino'
import { lineOptions } from './log.js'
import { lostLines } from './standard-output.js'

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
  return Object.assign(pino(lineOptions, { write }), { close })
}

function attempt (act: () => void): unknown {
  try {
    act()
    return undefined
  } catch (error) {
    return error
  }
}
