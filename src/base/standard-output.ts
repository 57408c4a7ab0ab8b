import { writeSync } from 'node:fs'

/** Where lines go. */
export interface Destination {
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
export function standardOutput (): Required<Destination> {
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
