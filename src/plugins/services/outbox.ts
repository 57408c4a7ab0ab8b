import { join } from 'node:path'
import fp from 'fastify-plugin'
import { createMailer } from '../../auth/mailer.js'
import { startOutbox } from '../../auth/outbox.js'
import { deleteOldSessions } from '../../auth/sessions.js'
import type { Config } from '../../config/config.js'

/** Every replica sends mails, including those that other replicas queued. */
export default fp<{ config: Config }>(async (app, { config }) => {
  const directory = join(config.dataDir, 'outbox')
  const { smtpUrl, mailFrom: from, appName, publicOrigin } = config
  const mailer = createMailer({ smtpUrl, from, appName, directory, publicOrigin })
  let stop: (() => Promise<void>) | undefined
  app.addHook('onReady', async () => {
    const resetPage = new URL('/reset-password', config.publicOrigin ?? localOrigin(config))
    const alsoPurge = async (): Promise<boolean> => await deleteOldSessions(app.db, config.sessionHours)
    stop = startOutbox(app.db, { mailer, resetPage, wording: config, alsoPurge, log: app.log })
  })
  // The stop begins before the wait for the last requests and is awaited after it, to stay within the grace period.
  app.addHook('preClose', async () => { stop?.() })
  app.addHook('onClose', async () => await stop?.())
}, { name: 'outbox', dependencies: ['database'] })

/** The origin of the service for a browser on this machine. */
function localOrigin ({ host, port }: Config): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
