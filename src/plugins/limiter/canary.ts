import fp from 'fastify-plugin'
import { limiterStates } from '../../limiter/states.js'
import { every } from '../../base/every.js'
import { inOneLine } from '../../base/text.js'

const INTERVAL_MS = 10_000
/** A run takes five seconds at most. */
const HANGS_MS = 60_000

/** Checks every ten seconds that limits work on this replica: see limiter/fleet/canary.ts. */
export default fp(async (app) => {
  const { canary, canaryOk } = app.metrics
  const hanging = setTimeout(() => app.states.set('canary', 'hangs'), HANGS_MS).unref()
  const closing = new AbortController()
  const { signal } = closing
  let ok = true
  let end: Promise<() => Promise<void>> | undefined
  // The metric has no value until the first result.
  canaryOk.remove()

  async function run (): Promise<void> {
    try {
      const by = await app.buckets.runCanary(signal)
      if (!ok) app.log.info({ code: 'canary_recovered', by }, 'the limiter limits again')
      report(true)
    } catch (err) {
      if (signal.aborted) return
      if (ok) app.log.error({ code: 'canary_failed', err }, limiterStates.canary.failed.found)
      report(false, inOneLine((err as Error).message))
    }
  }

  function report (result: boolean, reason?: string): void {
    ok = result
    hanging.refresh()
    canary.endedAtMs = performance.now()
    canaryOk.set(Number(ok))
    app.states.set('canary', ok ? 'passed' : 'failed', reason)
  }

  app.addHook('onReady', async () => { end = run().then(() => every(INTERVAL_MS, run)) })
  app.addHook('onClose', async () => {
    clearTimeout(hanging)
    closing.abort()
    await (await end)?.()
  })
}, { name: 'canary', dependencies: ['limiter'] })
