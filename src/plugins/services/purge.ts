import fp from 'fastify-plugin'
import { deleteOldSessions } from '../../auth/sessions.js'
import type { Config } from '../../config/config.js'
import { deleteOldMails } from '../../mail/mails.js'

const EVERY_MS = 600_000

/** Deletes rows that nothing needs any more. Every replica does it, and leaves the rows that another one has locked. */
export default fp<{ config: Config }>(async (app, { config }) => {
  const closing = new AbortController()
  let purging = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  /** Many statements, each of which ends before its timeout. What fails is tried again the next time. */
  async function purge (): Promise<void> {
    for (const deleteSome of [deleteOldMails, deleteOldSessions]) {
      while (!closing.signal.aborted && await deleteSome(app.db, config.sessionHours));
    }
  }

  app.addHook('onReady', async () => {
    const begin = (): void => { purging = purge().catch(() => {}) }
    begin()
    timer = setInterval(begin, EVERY_MS).unref()
  })
  app.addHook('onClose', async () => {
    closing.abort()
    clearInterval(timer)
    await purging
  })
}, { name: 'purge', dependencies: ['database'] })
