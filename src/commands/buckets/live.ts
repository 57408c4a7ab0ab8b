import { escapeControls } from '../outcome.js'

/** Replicas report every second, so after this time something is wrong. */
const SILENCE_MS = 4000

const SILENT = 'no replica reports. REDIS_URL must be the service\'s, and its users need the rights on channels that ' +
  'docs/reference.md lists'

/**
 * The common part of commands that show reports of replicas until Ctrl-C.
 *
 * @param onNotice called after a notice was written to stderr. At a terminal the notice is below the last screen
 */
export function goLive (onNotice = () => {}) {
  let heardAtMs = performance.now()
  let silent = false

  function tell (text: string): void {
    process.stderr.write(`gatehouse: ${escapeControls(text)}\n`)
    onNotice()
  }

  const watchdog = setInterval(() => {
    if (silent || performance.now() - heardAtMs < SILENCE_MS) return
    silent = true
    tell(SILENT)
  }, 1000)

  return {
    /** To be called with each report. */
    heard (): void {
      heardAtMs = performance.now()
      if (silent) tell('replicas report again')
      silent = false
    },
    /** Resolves when the operator ends the command, or when the reader of its output has closed the pipe. */
    ended: new Promise((resolve) => {
      // These signals are the normal end of the command, with exit code 0.
      for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal).once(signal, resolve)
      process.stdout.once('error', resolve)
    }),
    stop (): void { clearInterval(watchdog) }
  }
}
