import { join } from 'node:path'
import fp from 'fastify-plugin'
import { createMailer } from '../auth/mailer.js'
import { startOutbox } from '../auth/outbox.js'
import type { Config } from '../config.js'

/** Every replica sends mails, whichever of them was asked to. */
export default fp<{ config: Config }>(async (app, { config }) => {
  const mailer = createMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, directory: join(config.dataDir, 'outbox') })
  let stop: (() => Promise<void>) | undefined
  app.addHook('onReady', async () => {
    stop = startOutbox(app.db, { mailer, resetPage: new URL('/reset-password', config.publicOrigin ?? localOrigin(config)), log: app.log })
  })
  // Begun before the last requests are waited for, and waited for after them: together they stay within the grace period.
  app.addHook('preClose', async () => { stop?.() })
  app.addHook('onClose', async () => await stop?.())
}, { name: 'outbox', dependencies: ['database'] })

/** Where a browser on this machine finds the service. */
function localOrigin ({ host, port }: Config): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
