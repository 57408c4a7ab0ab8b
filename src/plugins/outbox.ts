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
  app.addHook('onClose', async () => await stop?.())
}, { name: 'outbox', dependencies: ['database'] })

function localOrigin ({ host, port }: Config): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
