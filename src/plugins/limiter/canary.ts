import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'

const INTERVAL_MS = 10_000

/** Checks every ten seconds that limits work on this replica: see limiter/canary.ts. */
export default fp(async (app) => {
  const { canary, canaryOk } = app.metrics
  const closing = new AbortController()
  const { signal } = closing
  let ok = true
  let working: Promise<void> | undefined
  // The metric has no value until the first result.
  canaryOk.remove()

  async function work (): Promise<void> {
    while (!signal.aborted) {
      await run()
      await sleep(INTERVAL_MS, undefined, { signal }).catch(() => {})
    }
  }

  async function run (): Promise<void> {
    try {
      const by = await app.buckets.prove(signal)
      if (!ok) app.log.info({ code: 'canary_recovered', by }, 'the limiter limits again')
      report(true, { by })
    } catch (err) {
      if (signal.aborted) return
      if (ok) app.log.error({ code: 'canary_failed', err }, 'the limiter does not limit as it should')
      report(false, { reason: (err as Error).message.replaceAll(/\s+/g, ' ').slice(0, 300) })
    }
  }

  function report (result: boolean, details: { by: string } | { reason: string }): void {
    ok = result
    canary.endedAtMs = performance.now()
    canaryOk.set(Number(ok))
    app.replica.canary = { ok, at: new Date().toISOString(), ...details }
  }

  app.addHook('onReady', async () => { working = work() })
  app.addHook('onClose', async () => {
    closing.abort()
    await working
  })
}, { name: 'canary', dependencies: ['limiter'] })
