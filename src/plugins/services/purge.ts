import fp from 'fastify-plugin'
import { deleteOldSessions } from '../../auth/sessions.js'
import { every } from '../../base/every.js'
import type { Config } from '../../config/config.js'
import { answersQueries } from '../../database/state.js'
import { deleteOldMails } from '../../mail/mails.js'

const EVERY_MS = 600_000

/** Deletes rows that nothing needs any more. Every replica does it, and leaves the rows that another one has locked. */
export default fp<{ config: Config }>(async (app, { config }) => {
  const closing = new AbortController()
  let end: Promise<() => Promise<void>> | undefined

  async function purge (): Promise<void> {
    for (const [table, deleteSome] of Object.entries({ mails: deleteOldMails, sessions: deleteOldSessions })) {
      try {
        // Many statements, each of which ends before its timeout.
        while (!closing.signal.aborted && await deleteSome(app.db, config.sessionHours));
      } catch (err) {
        // What an outage of the database prevents is its own state, and is deleted the next time.
        if (!answersQueries(app.states.database.value)) continue
        app.log.warn({ code: 'purge_failed', table, err }, 'old rows were not deleted: the table grows')
      }
    }
  }

  app.addHook('onReady', async () => { end = purge().then(() => every(EVERY_MS, purge)) })
  app.addHook('onClose', async () => {
    closing.abort()
    await (await end)?.()
  })
}, { name: 'purge', dependencies: ['database'] })
