import fp from 'fastify-plugin'
import { deleteOldSessions } from '../../auth/sessions.js'
import type { Config } from '../../config/config.js'
import { answersQueries } from '../../database/state.js'
import { deleteOldMails } from '../../mail/mails.js'

const EVERY_MS = 600_000

/** Deletes rows that nothing needs any more. Every replica does it, and leaves the rows that another one has locked. */
export default fp<{ config: Config }>(async (app, { config }) => {
  const closing = new AbortController()
  let purging = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

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

  app.addHook('onReady', async () => {
    const begin = (): void => { purging = purge() }
    begin()
    timer = setInterval(begin, EVERY_MS).unref()
  })
  app.addHook('onClose', async () => {
    closing.abort()
    clearInterval(timer)
    await purging
  })
}, { name: 'purge', dependencies: ['database'] })
