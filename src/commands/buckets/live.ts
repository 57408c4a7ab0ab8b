import type { Config } from '../../config/config.js'
import { StoreUnavailable } from '../../limiter/bucket/bucket.js'
import { watchTakes, type Bus, type RefusedTakes, type Take, type TakeReport } from '../../limiter/fleet/watch.js'
import { openSubscriber, publish } from '../../limiter/redis/announcements.js'
import { toStoreUnavailable } from '../../limiter/redis/failures.js'
import { escapeControls } from '../output.js'
import { withRedisBuckets } from './with-store.js'

/** Replicas report every second, so after this time something is wrong. */
const SILENCE_MS = 4000

const SILENT = 'no replica reports. REDIS_URL must be the service\'s, and its users need the rights on channels that ' +
  'docs/reference.md lists'

/**
 * Hands on the reports of replicas until Ctrl-C, or until the reader of the output has closed the pipe.
 *
 * @param onNotice called after a notice was written to stderr. At a terminal the notice is below the last screen
 */
export async function watchLive<Entry extends Take | RefusedTakes> (
  config: Config, watched: string[], onReport: (report: TakeReport<Entry>) => void, onNotice = () => {}
): Promise<void> {
  let heardAtMs = performance.now()
  let silent = false

  function tell (text: string): void {
    process.stderr.write(`gatehouse: ${escapeControls(text)}\n`)
    onNotice()
  }

  await withBus(config, async (bus) => {
    const watches = watched.map(one => watchTakes<Entry>(bus, one, (report) => {
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
    try {
      await Promise.all(watches.map(({ begun }) => begun))
      await new Promise((resolve) => {
        // These signals are the normal end of the command, with exit code 0.
        for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal).once(signal, resolve)
        process.stdout.once('error', resolve)
      })
    } finally {
      clearInterval(watchdog)
      for (const { end } of watches) end()
    }
  })
}

const UNHEARD = 'Limits work as usual. Nobody can watch, and a reset may take a minute'

/** What replicas report: see watch.ts of the limiter. */
async function withBus (config: Config, use: (bus: Bus) => Promise<unknown>): Promise<void> {
  await withRedisBuckets(config, async (redis) => {
    const subscriber = await openSubscriber(config.redisUrl!, config.redisTimeoutMs)
    const publishing = (channel: string, message: string): Promise<unknown> =>
      publish(redis, channel, message).catch((cause) => {
        const { message, reason } = toStoreUnavailable(cause)
        throw reason === 'NOPERM' ? new StoreUnavailable(`${message}. ${UNHEARD}`, { reason, cause }) : cause
      })
    try {
      await use({ publish: publishing, subscribe: subscriber.subscribe })
    } finally {
      subscriber.close()
    }
  })
}
