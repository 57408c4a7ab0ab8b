import { watch, WATCH_CHANNEL, type Refusals, type Report, type Take } from '../../limiter/fleet/watch.js'
import { escapeControls } from '../outcome.js'
import { withBus } from './with-redis.js'

/** Replicas report every second, so after this time something is wrong. */
const SILENCE_MS = 4000

const SILENT = 'no replica reports. REDIS_URL must be the service\'s, and its users need the rights on channels that ' +
  'docs/reference.md lists'

/**
 * Hands on the reports of replicas until Ctrl-C, or until the reader of the output has closed the pipe.
 *
 * @param onNotice called after a notice was written to stderr. At a terminal the notice is below the last screen
 */
export async function watchLive<Entry extends Take | Refusals> (
  watched: string[], onReport: (report: Report<Entry>) => void, onNotice = () => {}
): Promise<void> {
  let heardAtMs = performance.now()
  let silent = false

  function tell (text: string): void {
    process.stderr.write(`gatehouse: ${escapeControls(text)}\n`)
    onNotice()
  }

  await withBus(async (bus) => {
    // This notices a Redis that does not answer.
    await bus.publish(WATCH_CHANNEL, watched[0]!)
    const stops = watched.map(one => watch<Entry>(bus, one, (report) => {
      heardAtMs = performance.now()
      if (silent) tell('replicas report again')
      silent = false
      onReport(report)
    }))
    const watchdog = setInterval(() => {
      if (silent || performance.now() - heardAtMs < SILENCE_MS) return
      silent = true
      tell(SILENT)
    }, 1000)
    await new Promise((resolve) => {
      // These signals are the normal end of the command, with exit code 0.
      for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal).once(signal, resolve)
      process.stdout.once('error', resolve)
    })
    clearInterval(watchdog)
    for (const stop of stops) stop()
  })
}
